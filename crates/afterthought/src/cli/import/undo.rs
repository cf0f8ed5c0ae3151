//! Taking an import back: what it brought in and is still open is archived, each with a revision, so that this can be undone too.

use uuid::Uuid;

use model::{RevisionKind, Status};
use store::{Update, Updated};

use super::batch::{self, Entry};
use crate::app::App;
use crate::cli::output::{Output, count};
use crate::cli::place::Place;

/// Who archived them, in their revisions.
const BY: &str = "import --undo";

pub(super) async fn undo(id: Uuid, place: &Place, output: &mut Output) -> anyhow::Result<()> {
    let entries = batch::entries(place.folder(), id)?;
    let archived = place
        .open_existing(async |app| {
            let mut archived = 0;
            for entry in &entries {
                archived += u64::from(archive(app, entry).await?);
            }
            Ok(archived)
        })
        .await?;
    output.result(format_args!("archived {} of batch {id}", count(archived, "thought")))
}

/// Archives a thought if it is open and came with the batch; whether it was.
async fn archive(app: &App, entry: &Entry) -> anyhow::Result<bool> {
    loop {
        let Some(thought) = app.store.get(entry.account, entry.thought).await? else { return Ok(false) };
        if thought.created_at != entry.created_at || thought.status != Status::Open {
            return Ok(false);
        }
        let update = Update {
            based_on: thought.revision,
            text: None,
            status: Some(Status::Archived),
            kind: RevisionKind::Change,
            by: BY.to_owned(),
        };
        match app.store.update(entry.account, entry.thought, update).await? {
            Updated::Done(_) => return Ok(true),
            Updated::Absent => return Ok(false),
            // Somebody changed it meanwhile; it may be open all the same.
            Updated::Stale => {}
        }
    }
}
