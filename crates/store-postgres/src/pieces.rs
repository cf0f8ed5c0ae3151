//! An account piece by piece: read so for an export, stored so by an import.

use std::collections::VecDeque;

use uuid::Uuid;

use model::{AccountId, Status, Thought, ThoughtId};
use store::backend::{FormedPiece, Row};
use store::{Piece, PieceId, StoreError, StoredNote};

use crate::connection::Connection;
use crate::ends::{self, LockedLog};
use crate::looked_up;
use crate::row::{
    self, Stored, THOUGHT_COLUMNS, agent_name, author_number, get, limit, note_id, optional_time, seq, small,
    status_number, text, thought_columns, time,
};
use crate::statement::statements;
use crate::{notes, revisions};

statements! {
    // As many as are handed over well at once, each with whether it has notes.
    THOUGHTS, Account: concat!(
        "SELECT ", thought_columns!(), ", EXISTS (
             SELECT 1 FROM note WHERE note.account_id = $1 AND note.thought = thought.row)
         FROM (SELECT near.row, sum(near.bytes) OVER (ORDER BY near.row) - near.bytes AS before FROM (
                   SELECT sized.row, octet_length(sized.raw_text) + 256 AS bytes FROM thought AS sized
                   WHERE sized.account_id = $1 AND sized.row > $2 ORDER BY sized.row LIMIT $3) AS near) AS page
         CROSS JOIN LATERAL (
             SELECT * FROM thought WHERE thought.account_id = $1 AND thought.row = page.row LIMIT 1) AS thought
         WHERE page.before < $4 ORDER BY thought.row"
    );
    ONE, Account: concat!("SELECT ", thought_columns!(), ", true FROM thought WHERE account_id = $1 AND thought.id = $2");
    NOTE_ROW, Account: "SELECT note.row FROM note WHERE account_id = $1 AND note.id = $2";
    NOTES_AFTER, Account: "SELECT note.row, note.id, note.name, note.created_at, note.removed_at, note.text FROM note
                           WHERE account_id = $1 AND note.thought = $2 AND note.row > $3 ORDER BY note.row LIMIT $4";
    INSERT, Account:
        "INSERT INTO thought (account_id, row, id, status, author, agent_name, category, created_at, captured_at, updated_at,
                              revision, seq, raw_text)
         SELECT $1, $2 + new.place, new.id, new.status, new.author, new.agent_name, new.category, new.created_at,
                new.captured_at, new.updated_at, new.revision, $3 + new.place, new.raw_text
         FROM unnest($4::uuid[], $5::smallint[], $6::smallint[], $7::bytea[], $8::text[], $9::bigint[], $10::bigint[],
                     $11::bigint[], $12::bigint[], $13::bytea[]) WITH ORDINALITY
              AS new (id, status, author, agent_name, category, created_at, captured_at, updated_at, revision, raw_text, place)";
    NUMBER, Account: "UPDATE log_end SET row = $2, entry = $3, created_at = greatest(log_end.created_at, $4),
                                         open = log_end.open + $5, completed = log_end.completed + $6,
                                         archived = log_end.archived + $7
                      WHERE account_id = $1";
    // A thought that was changed since has revisions of its own under the numbers after those it came with.
    LACKS_REVISION, Account:
        "SELECT thought.revision >= $3 AND NOT EXISTS (
             SELECT 1 FROM revision WHERE revision.account_id = $1 AND revision.thought = $2 AND revision.number = $3)
         FROM thought WHERE thought.account_id = $1 AND thought.row = $2";
    HAS_NOTE, Account: "SELECT EXISTS (SELECT 1 FROM note WHERE account_id = $1 AND note.id = $2)";
}

/// No more pieces are read once their texts are this long together.
const PAGE_BYTES: usize = 1 << 20;

/// How many thoughts are read at once.
const THOUGHTS_AT_ONCE: i64 = 1_000;

/// What a piece takes beside its text, roughly.
const PIECE_BYTES: usize = 256;

/// How many revisions, and how many notes, are read at once: no more than 2 and 4 MiB.
const REVISIONS: usize = 16;
const NOTES: usize = 4;

/// How far an export has come.
struct Walk {
    account: AccountId,
    /// The thought it is at, if it has come to one.
    thought: Option<(Row, ThoughtId)>,
    /// The last revision of that thought; `None` after all of them.
    revision: Option<u32>,
    /// The row of the last note of that thought; `None` after all of them.
    note: Option<Row>,
    /// The thoughts after it that have been read, each with whether it has notes.
    ahead: VecDeque<(Row, Thought, bool)>,
}

impl Walk {
    /// Just after a piece.
    async fn after(
        connection: &mut Connection,
        account: AccountId,
        piece: Option<PieceId>,
    ) -> Result<Option<Self>, StoreError> {
        let mut walk = Self { account, thought: None, revision: None, note: None, ahead: VecDeque::new() };
        let Some(piece) = piece else { return Ok(Some(walk)) };
        let found = connection.first(&ONE, &[&account.stored(), &piece.thought().stored()]).await?;
        let Some(found) = found else { return Ok(None) };
        walk.thought = Some((small(&found, 0)?, piece.thought()));
        (walk.revision, walk.note) = match piece {
            PieceId::Thought(_) => (Some(0), Some(0)),
            PieceId::Revision(_, number) => (Some(number), Some(0)),
            PieceId::Note(_, id) => {
                let found = connection.first(&NOTE_ROW, &[&account.stored(), &id.stored()]).await?;
                (None, Some(found.map_or(Ok(Row::MAX), |found| small(&found, 0))?))
            }
        };
        Ok(Some(walk))
    }

    /// The next pieces, a few at a time; none at the end.
    async fn next(&mut self, connection: &mut Connection) -> Result<Vec<Piece>, StoreError> {
        if let (Some((row, id)), Some(number)) = (self.thought, self.revision) {
            let found = revisions::after(connection, self.account, row, number, REVISIONS).await?;
            self.revision = found.last().map(|last| last.number);
            if !found.is_empty() {
                return Ok(found.into_iter().map(|revision| Piece::Revision(id, revision)).collect());
            }
        }
        if let (Some((row, id)), Some(after)) = (self.thought, self.note) {
            let found = notes_after(connection, self.account, row, after).await?;
            self.note = found.last().map(|(row, _)| *row);
            if !found.is_empty() {
                return Ok(found.into_iter().map(|(_, note)| Piece::Note(id, note)).collect());
            }
        }
        if self.ahead.is_empty() {
            self.read_ahead(connection).await?;
        }
        let Some((row, thought, has_notes)) = self.ahead.pop_front() else { return Ok(Vec::new()) };
        self.thought = Some((row, thought.id));
        self.revision = (thought.revision > 0).then_some(0);
        self.note = has_notes.then_some(0);
        Ok(vec![Piece::Thought(thought)])
    }

    async fn read_ahead(&mut self, connection: &mut Connection) -> Result<(), StoreError> {
        let after = self.thought.map_or(0, |(row, _)| i64::from(row));
        let bytes = PAGE_BYTES as i64;
        let found = connection.query(&THOUGHTS, &[&self.account.stored(), &after, &THOUGHTS_AT_ONCE, &bytes]).await?;
        for found in &found {
            let has_notes = get(found, THOUGHT_COLUMNS)?;
            let found = row::thought(found)?;
            self.ahead.push_back((found.row, found.thought, has_notes));
        }
        Ok(())
    }
}

/// The next pieces after one of them.
pub(crate) async fn after(
    connection: &mut Connection,
    account: AccountId,
    piece: Option<PieceId>,
) -> Result<Vec<Piece>, StoreError> {
    let mut pieces = Vec::new();
    let Some(mut walk) = Walk::after(connection, account, piece).await? else { return Ok(pieces) };
    let mut bytes = 0;
    while bytes < PAGE_BYTES {
        let next = walk.next(connection).await?;
        if next.is_empty() {
            break;
        }
        bytes += next.iter().map(|piece| PIECE_BYTES + text_bytes(piece)).sum::<usize>();
        pieces.extend(next);
    }
    Ok(pieces)
}

fn text_bytes(piece: &Piece) -> usize {
    match piece {
        Piece::Thought(thought) => thought.raw_text.as_str().len(),
        Piece::Revision(_, revision) => revision.text.as_ref().map_or(0, |(before, after)| before.len() + after.len()),
        Piece::Note(_, note) => note.text.len(),
    }
}

async fn notes_after(
    connection: &mut Connection,
    account: AccountId,
    thought: Row,
    after: Row,
) -> Result<Vec<(Row, StoredNote)>, StoreError> {
    let values = (i64::from(thought), i64::from(after), limit(NOTES));
    let found = connection.query(&NOTES_AFTER, &[&account.stored(), &values.0, &values.1, &values.2]).await?;
    let note = |found: &tokio_postgres::Row| {
        let note = StoredNote {
            id: note_id(found, 1)?,
            name: text(found, 2)?,
            created_at: time(found, 3)?,
            removed_at: optional_time(found, 4)?,
            text: text(found, 5)?,
        };
        Ok((small(found, 0)?, note))
    };
    found.iter().map(note).collect()
}

/// Stores pieces that are not there; how many thoughts were stored. Thoughts that follow each other are stored together.
pub(crate) async fn insert(
    transaction: &mut Connection,
    account: AccountId,
    pieces: &[FormedPiece],
) -> Result<usize, StoreError> {
    let mut log = ends::lock_log(transaction, account).await?;
    let ids = pieces.iter().map(|piece| piece.piece.id().thought());
    let mut row_of = looked_up::rows_of(transaction, account, ids).await?;
    let mut stored = 0;
    let mut together: Vec<&Thought> = Vec::new();
    for FormedPiece { piece, form } in pieces {
        if let Piece::Thought(thought) = piece {
            if let std::collections::hash_map::Entry::Vacant(vacant) = row_of.entry(thought.id) {
                together.push(thought);
                vacant.insert(log.row + together.len() as Row);
            }
            continue;
        }
        stored += insert_thoughts(transaction, account, &mut log, std::mem::take(&mut together)).await?;
        let Some(row) = row_of.get(&piece.id().thought()).copied() else { continue };
        match (piece, form) {
            (Piece::Revision(_, revision), _) => {
                let values = (i64::from(row), i64::from(revision.number));
                let lacks = transaction.first(&LACKS_REVISION, &[&account.stored(), &values.0, &values.1]).await?;
                if lacks.map_or(Ok(false), |found| get(&found, 0))? {
                    revisions::insert(transaction, account, row, revision).await?;
                }
            }
            (Piece::Note(_, note), Some(form)) => {
                let has = transaction.first(&HAS_NOTE, &[&account.stored(), &note.id.stored()]).await?;
                if !has.map_or(Ok(false), |found| get(&found, 0))? {
                    notes::insert(transaction, account, &mut log, row, note, form).await?;
                }
            }
            _ => {}
        }
    }
    stored += insert_thoughts(transaction, account, &mut log, together).await?;
    if stored > 0 {
        ends::note_work(transaction, account).await?;
    }
    Ok(stored)
}

async fn insert_thoughts(
    transaction: &mut Connection,
    account: AccountId,
    log: &mut LockedLog,
    thoughts: Vec<&Thought>,
) -> Result<usize, StoreError> {
    let Some(newest) = thoughts.iter().map(|thought| thought.created_at.as_micros()).max() else { return Ok(0) };
    let each = |read: fn(&Thought) -> i64| thoughts.iter().map(|thought| read(thought)).collect::<Vec<i64>>();
    let ids: Vec<Uuid> = thoughts.iter().map(|thought| thought.id.stored()).collect();
    let statuses: Vec<i16> = thoughts.iter().map(|thought| status_number(thought.status)).collect();
    let authors: Vec<i16> = thoughts.iter().map(|thought| author_number(&thought.author)).collect();
    let agents: Vec<Option<&[u8]>> = thoughts.iter().map(|thought| agent_name(&thought.author)).collect();
    let categories: Vec<&str> = thoughts.iter().map(|thought| thought.category.as_str()).collect();
    let created = each(|thought| thought.created_at.as_micros());
    let captured = each(|thought| thought.captured_at.as_micros());
    let updated = each(|thought| thought.updated_at.as_micros());
    let revisions = each(|thought| i64::from(thought.revision));
    let texts: Vec<&[u8]> = thoughts.iter().map(|thought| thought.raw_text.as_str().as_bytes()).collect();
    let owner = account.stored();
    transaction
        .execute(
            &INSERT,
            &[
                &owner,
                &i64::from(log.row),
                &seq(log.entry),
                &ids,
                &statuses,
                &authors,
                &agents,
                &categories,
                &created,
                &captured,
                &updated,
                &revisions,
                &texts,
            ],
        )
        .await?;
    log.row += thoughts.len() as Row;
    log.entry += thoughts.len() as u64;
    let count = |status: Status| limit(thoughts.iter().filter(|thought| thought.status == status).count());
    let [open, completed, archived] = [Status::Open, Status::Completed, Status::Archived].map(count);
    let values = (i64::from(log.row), seq(log.entry));
    transaction.execute(&NUMBER, &[&owner, &values.0, &values.1, &newest, &open, &completed, &archived]).await?;
    Ok(thoughts.len())
}
