//! Searching by words: keeps the index over words up to date with the file and turns its ranking into thoughts.

use std::sync::Arc;

use parking_lot::RwLock;
use rusqlite::{Connection, params};

use model::NoteId;
use store::{LexicalHit, LexicalHits, LexicalQuery, StoreError};

use super::account::AccountFile;
use super::database::{at_once, error};
use super::entries::{self, Reading, Seen};
use super::index::{BLOCK_SLOTS, Filter, Index, Ranked, SEGMENT_FORMAT, Segment};
use super::knowledge::admitted;
use super::row::damaged;
use super::statement::{execute, first_value, list};
use super::thoughts::{by_row, facet};

impl AccountFile {
    /// The best hits for the query's terms, over everything committed before the call.
    pub(super) async fn search(&self, query: LexicalQuery) -> Result<LexicalHits, StoreError> {
        let index = self.index.clone();
        self.database
            .read(move |connection| {
                let admitted = admitted(query.visible);
                let filter = Filter::new(&admitted);
                let (ranked, terms) =
                    with_current(&index, connection, |index| index.search(&query.terms, filter, query.limit))?;
                at_once(connection, || {
                    let mut hits = Vec::with_capacity(ranked.len());
                    for ranked in ranked {
                        // What changed between ranking and reading may not fit the filter any more.
                        hits.extend(hit(connection, ranked)?.filter(|hit| admitted.contains(&facet(&hit.thought))));
                    }
                    Ok(LexicalHits { hits, terms })
                })
            })
            .await
    }

    /// Brings an index that is in use up to date, and makes its full blocks compact and stores them.
    pub(super) async fn seal_full_blocks(&self) -> Result<(), StoreError> {
        if self.index.read().is_none() {
            return Ok(());
        }
        let index = self.index.clone();
        let sealed = self
            .database
            .read(move |connection| {
                let mut sealed = Vec::new();
                for block in with_current(&index, connection, Index::unsealed)? {
                    // Sorting tens of thousands of words: done beside the searches, only the swap shuts them out.
                    let segment = with_current(&index, connection, |index| index.compact(block))?;
                    sealed.push((block, segment.to_bytes()));
                    if let Some(index) = index.write().as_mut() {
                        index.replace_sealed(block, segment);
                    }
                }
                Ok(sealed)
            })
            .await?;
        if sealed.is_empty() {
            return Ok(());
        }
        // What opening the account would otherwise read from the thoughts themselves.
        while self.list_some().await? {}
        for (block, bytes) in sealed {
            self.database.write(move |connection| store_segment(connection, block, &bytes)).await?;
        }
        Ok(())
    }

    /// Lists the next thoughts that are their own entries; whether there are more.
    pub(super) async fn list_some(&self) -> Result<bool, StoreError> {
        let unlisted = self.database.read(entries::unlisted).await?;
        if unlisted.is_empty() {
            return Ok(false);
        }
        let more = unlisted.more;
        self.database.write(move |connection| entries::list(connection, &unlisted)).await?;
        Ok(more)
    }
}

/// Calls `use_index` with an index that has seen every entry committed before the call.
fn with_current<T>(
    shared: &RwLock<Option<Index>>,
    connection: &Connection,
    use_index: impl FnOnce(&Index) -> T,
) -> Result<T, StoreError> {
    let last = entries::last(connection)?;
    let current = |index: &Index| index.next() > last.unsigned_abs();
    {
        let index = shared.read();
        if let Some(index) = index.as_ref().filter(|index| current(index)) {
            return Ok(use_index(index));
        }
    }
    let mut index = shared.write();
    let mut taken = match index.take() {
        Some(taken) => taken,
        None => load(connection)?,
    };
    // Left out on an error, the index is read anew by the next search.
    if !current(&taken) {
        follow(connection, &mut taken, i64::MAX)?;
    }
    Ok(use_index(index.insert(taken)))
}

/// Reads the index from the file: stored blocks as they are, the rest from the texts.
fn load(connection: &Connection) -> Result<Index, StoreError> {
    let mut index = Index::default();
    let sql = "SELECT block FROM segment WHERE format = ?1 ORDER BY block";
    let blocks: Vec<i64> = list(connection, sql, [SEGMENT_FORMAT], |row| row.get(0).map_err(error))?;
    for block in blocks {
        let start = block * BLOCK_SLOTS as i64;
        let end = start + BLOCK_SLOTS as i64;
        // A block in between that has not been stored.
        follow(connection, &mut index, start)?;
        let bytes: Option<Vec<u8>> = first_value(connection, "SELECT bytes FROM segment WHERE block = ?1", [block])?;
        let Some(segment) = bytes.as_deref().and_then(Segment::from_bytes) else { continue };
        index.add_segment(usize::try_from(block).map_err(|_| damaged("block", block))?, segment);
        let seen = Seen { next: start, next_thought: index.next_thought() };
        entries::follow(connection, seen, end, Reading::Words, |entry, _| index.add_sealed(entry))?;
    }
    follow(connection, &mut index, i64::MAX)?;
    Ok(index)
}

/// Takes in the entries the index has not seen, up to but without `end`.
fn follow(connection: &Connection, index: &mut Index, end: i64) -> Result<(), StoreError> {
    let seen = Seen { next: index.next().cast_signed(), next_thought: index.next_thought() };
    entries::follow(connection, seen, end, Reading::Text, |entry, text| index.add(entry, text))
}

fn store_segment(connection: &Connection, block: usize, bytes: &[u8]) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO segment (block, format, bytes) VALUES (?1, ?2, ?3)";
    execute(connection, sql, params![block as i64, SEGMENT_FORMAT, bytes]).map(drop)
}

/// The thought and the ids of its notes.
fn hit(connection: &Connection, ranked: Ranked) -> Result<Option<LexicalHit>, StoreError> {
    let Some(thought) = by_row(connection, i64::from(ranked.thought))? else { return Ok(None) };
    let mut notes = Vec::with_capacity(ranked.notes.len());
    for (note, score) in ranked.notes {
        notes.extend(note_id(connection, note)?.map(|id| (id, score)));
    }
    Ok(Some(LexicalHit { thought, text_score: ranked.text_score, notes }))
}

fn note_id(connection: &Connection, row: u32) -> Result<Option<NoteId>, StoreError> {
    let sql = "SELECT id FROM note WHERE row = ?1 AND removed_at IS NULL";
    let found: Option<Vec<u8>> = first_value(connection, sql, [row])?;
    Ok(found.and_then(|bytes| NoteId::from_slice(&bytes)))
}

/// An index that is read when the first search needs it.
pub(super) type LazyIndex = Arc<RwLock<Option<Index>>>;
