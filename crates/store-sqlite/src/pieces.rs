//! An account piece by piece: read so for an export, stored so by an import.

use rusqlite::{Connection, Row as SqlRow, params};

use model::ThoughtId;
use store::backend::{FormedPiece, Row};
use store::{Piece, PieceId, StoreError, StoredNote};

use crate::database::error;
use crate::row::{self, ThoughtRow, note_id, optional_time, thought_columns, time};
use crate::statement::{first, first_value, list, value};
use crate::{notes, revisions, thoughts};

/// No more pieces are read once their texts are this long together.
const PAGE_BYTES: usize = 1 << 20;

/// What a piece takes beside its text, roughly.
const PIECE_BYTES: usize = 256;

/// How many revisions, and how many notes, are read at once: no more than 2 and 4 MiB.
const REVISIONS: usize = 16;
const NOTES: usize = 4;

/// How far an export has come.
struct Walk {
    /// The thought it is at, if it has come to one.
    thought: Option<(Row, ThoughtId)>,
    /// The last revision of that thought; `None` after all of them.
    revision: Option<u32>,
    /// The row of the last note of that thought; `None` after all of them.
    note: Option<Row>,
}

impl Walk {
    /// Just after a piece.
    fn after(connection: &Connection, piece: Option<PieceId>) -> Result<Option<Self>, StoreError> {
        let Some(piece) = piece else { return Ok(Some(Self { thought: None, revision: None, note: None })) };
        let Some(row) = thoughts::row_of(connection, piece.thought())? else { return Ok(None) };
        let thought = Some((row, piece.thought()));
        Ok(Some(match piece {
            PieceId::Thought(_) => Self { thought, revision: Some(0), note: Some(0) },
            PieceId::Revision(_, number) => Self { thought, revision: Some(number), note: Some(0) },
            PieceId::Note(_, id) => {
                let row = first_value(connection, "SELECT row FROM note WHERE id = ?1", [id.as_bytes()])?;
                Self { thought, revision: None, note: Some(row.unwrap_or(Row::MAX)) }
            }
        }))
    }

    /// The next pieces, a few at a time; none at the end.
    fn next(&mut self, connection: &Connection) -> Result<Vec<Piece>, StoreError> {
        if let (Some((row, id)), Some(number)) = (self.thought, self.revision) {
            let found = revisions::after(connection, row, number, REVISIONS)?;
            self.revision = found.last().map(|last| last.number);
            if !found.is_empty() {
                return Ok(found.into_iter().map(|revision| Piece::Revision(id, revision)).collect());
            }
        }
        if let (Some((row, id)), Some(after)) = (self.thought, self.note) {
            let found = notes_after(connection, row, after)?;
            self.note = found.last().map(|(row, _)| *row);
            if !found.is_empty() {
                return Ok(found.into_iter().map(|(_, note)| Piece::Note(id, note)).collect());
            }
        }
        let sql = concat!("SELECT ", thought_columns!(), " FROM thought WHERE row > ?1 ORDER BY row LIMIT 1");
        let after = self.thought.map_or(0, |(row, _)| row);
        let Some(ThoughtRow { row, thought, .. }) = first(connection, sql, [after], row::thought)? else {
            return Ok(Vec::new());
        };
        *self = Self { thought: Some((row, thought.id)), revision: (thought.revision > 0).then_some(0), note: Some(0) };
        Ok(vec![Piece::Thought(thought)])
    }
}

/// The next pieces after one of them.
pub(crate) fn after(connection: &Connection, piece: Option<PieceId>) -> Result<Vec<Piece>, StoreError> {
    let mut pieces = Vec::new();
    let Some(mut walk) = Walk::after(connection, piece)? else { return Ok(pieces) };
    let mut bytes = 0;
    while bytes < PAGE_BYTES {
        let next = walk.next(connection)?;
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

fn notes_after(connection: &Connection, thought: Row, after: Row) -> Result<Vec<(Row, StoredNote)>, StoreError> {
    let sql = "SELECT row, id, name, created_at, removed_at, text FROM note
               WHERE thought = ?1 AND row > ?2 ORDER BY row LIMIT ?3";
    list(connection, sql, params![thought, after, NOTES as i64], |row: &SqlRow<'_>| {
        let note = StoredNote {
            id: note_id(row, 1)?,
            name: row.get(2).map_err(error)?,
            created_at: time(row, 3)?,
            removed_at: optional_time(row, 4)?,
            text: row.get(5).map_err(error)?,
        };
        Ok((row.get(0).map_err(error)?, note))
    })
}

/// Stores a piece unless it is there; whether a thought was stored.
pub(crate) fn insert(connection: &Connection, FormedPiece { piece, form }: &FormedPiece) -> Result<bool, StoreError> {
    let row = thoughts::row_of(connection, piece.id().thought())?;
    match (piece, row) {
        (Piece::Thought(_), Some(_)) | (Piece::Revision(..) | Piece::Note(..), None) => Ok(false),
        (Piece::Thought(thought), None) => {
            thoughts::insert(connection, thoughts::last(connection)?, thought)?;
            Ok(true)
        }
        (Piece::Revision(_, revision), Some(row)) => {
            // A thought that was changed since has revisions of its own under the numbers after those it came with.
            let sql = "SELECT revision >= ?2 AND NOT EXISTS (SELECT 1 FROM revision WHERE thought = ?1 AND number = ?2)
                       FROM thought WHERE row = ?1";
            if value(connection, sql, params![row, revision.number])? {
                revisions::insert(connection, row, revision)?;
            }
            Ok(false)
        }
        (Piece::Note(_, note), Some(row)) => {
            let sql = "SELECT EXISTS (SELECT 1 FROM note WHERE id = ?1)";
            if let (false, Some(form)) = (value(connection, sql, [note.id.as_bytes()])?, form) {
                notes::insert(connection, row, note, form)?;
            }
            Ok(false)
        }
    }
}
