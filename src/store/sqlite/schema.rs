//! The tables, as the sequence of changes that made them.
//!
//! A migration that has been released is never edited; a change is a new entry at the end. `user_version` counts the
//! entries a file has been through.

/// What a kind of file holds.
pub(super) struct Schema {
    /// Marks the file as ours and of this kind.
    pub(super) application_id: i32,
    /// The changes, oldest first.
    pub(super) migrations: &'static [&'static str],
}

/// Accounts and keys of all accounts: `registry.db`.
///
/// It gets a new number with every new format of the accounts' files as well, so that an earlier program refuses the whole
/// folder when it starts, and not one account after the other when they are asked for.
pub(super) const REGISTRY: Schema = Schema {
    application_id: 0x6166_7472,
    migrations: &[
        "
        CREATE TABLE account (
            id          BLOB    NOT NULL PRIMARY KEY,
            name        TEXT    NOT NULL UNIQUE,
            created_at  INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE key (
            hash          BLOB    NOT NULL PRIMARY KEY,
            id            BLOB    NOT NULL UNIQUE,
            account       BLOB    NOT NULL REFERENCES account (id),
            name          TEXT    NOT NULL,
            prefix        TEXT    NOT NULL UNIQUE,
            created_at    INTEGER NOT NULL,
            last_used_at  INTEGER,
            revoked_at    INTEGER
        ) STRICT, WITHOUT ROWID;
    ",
        "
        -- Nothing but a number: the accounts have got `listed`.
    ",
    ],
};

/// Everything of one account: `accounts/<id>.db`.
///
/// Rows of `thought` and `note` are never deleted, so their numbers are dense and are what other tables refer to.
pub(super) const ACCOUNT: Schema = Schema {
    application_id: 0x6166_7461,
    migrations: &["
        CREATE TABLE thought (
            row           INTEGER PRIMARY KEY,
            id            BLOB    NOT NULL UNIQUE,
            status        INTEGER NOT NULL,
            author        INTEGER NOT NULL,
            agent_name    TEXT,
            category      TEXT    NOT NULL,
            created_at    INTEGER NOT NULL,
            captured_at   INTEGER NOT NULL,
            updated_at    INTEGER NOT NULL,
            revision      INTEGER NOT NULL,
            seq           INTEGER NOT NULL,
            words         INTEGER NOT NULL,
            raw_text      TEXT    NOT NULL,
            lexical_text  TEXT    NOT NULL
        ) STRICT;
        CREATE INDEX thought_browse ON thought (status, author, created_at);
        -- By the time they are about, only those it was given for: the others stand in the browse order by it.
        CREATE INDEX thought_captured ON thought (status, author, captured_at) WHERE captured_at <> created_at;

        CREATE TABLE revision (
            thought        INTEGER NOT NULL REFERENCES thought (row),
            number         INTEGER NOT NULL,
            at             INTEGER NOT NULL,
            kind           TEXT    NOT NULL,
            by             TEXT    NOT NULL,
            text_before    TEXT,
            text_after     TEXT,
            status_before  INTEGER,
            status_after   INTEGER,
            PRIMARY KEY (thought, number)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE note (
            row           INTEGER PRIMARY KEY,
            id            BLOB    NOT NULL UNIQUE,
            thought       INTEGER NOT NULL REFERENCES thought (row),
            name          TEXT    NOT NULL,
            created_at    INTEGER NOT NULL,
            removed_at    INTEGER,
            seq           INTEGER NOT NULL,
            words         INTEGER NOT NULL,
            text          TEXT    NOT NULL,
            lexical_text  TEXT    NOT NULL
        ) STRICT;
        CREATE INDEX note_thought ON note (thought);

        -- What the index over words holds, in the order it came to hold it. A change of anything a search depends on
        -- gives a thought or a note a new entry and takes the old one away, so that whoever has seen entry n needs only
        -- the entries after n. The new entry is written first: a number is never used twice. See `entries.rs`.
        CREATE TABLE lexical (
            seq      INTEGER PRIMARY KEY,
            thought  INTEGER NOT NULL,
            note     INTEGER,
            facet    INTEGER NOT NULL,
            words    INTEGER NOT NULL
        ) STRICT;

        -- Finished blocks of the index over words; derived, and rebuilt where missing.
        CREATE TABLE segment (
            block   INTEGER PRIMARY KEY,
            format  INTEGER NOT NULL,
            bytes   BLOB    NOT NULL
        ) STRICT;

        -- Background work beyond what `queued` says. `version` tells the text it is for, `due_at` when it may be claimed: the
        -- end of the lease if it is leased.
        CREATE TABLE job (
            thought   INTEGER NOT NULL REFERENCES thought (row),
            step      TEXT    NOT NULL,
            version   INTEGER NOT NULL,
            urgency   INTEGER NOT NULL,
            due_at    INTEGER NOT NULL,
            leased    INTEGER NOT NULL,
            attempts  INTEGER NOT NULL,
            given_up  INTEGER NOT NULL,
            PRIMARY KEY (thought, step)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX job_due ON job (leased, urgency, due_at) WHERE given_up = 0;

        -- The first thought that has no job yet, by what the jobs are for. Thoughts from 'new' on are due although they have
        -- no row in `job`: storing a thought queues it without writing a second table. The others are rebuilds under way.
        CREATE TABLE queued (
            subject  TEXT    NOT NULL PRIMARY KEY,
            next     INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- The models that made vectors: 0 is being built up, 1 answers searches, 2 is on its way out.
        CREATE TABLE model (
            number      INTEGER PRIMARY KEY,
            name        TEXT    NOT NULL,
            dimensions  INTEGER NOT NULL,
            centre      BLOB    NOT NULL,
            state       INTEGER NOT NULL,
            UNIQUE (name, dimensions)
        ) STRICT;

        -- The vectors of each text, a log like `lexical`: whoever has seen entry n needs only the entries after n. An entry
        -- without parts says that the thought has no vector any more.
        CREATE TABLE vector (
            seq      INTEGER PRIMARY KEY AUTOINCREMENT,
            model    INTEGER NOT NULL REFERENCES model (number),
            thought  INTEGER NOT NULL REFERENCES thought (row),
            parts    BLOB    NOT NULL
        ) STRICT;
        CREATE INDEX vector_thought ON vector (thought, model);

        CREATE TABLE entity (
            row         INTEGER PRIMARY KEY,
            kind        TEXT    NOT NULL,
            folded      TEXT    NOT NULL,
            first       TEXT    NOT NULL,
            name        TEXT    NOT NULL,
            stands_for  INTEGER,
            thoughts    INTEGER NOT NULL,
            UNIQUE (kind, folded)
        ) STRICT;
        CREATE INDEX entity_first ON entity (first, kind);
        CREATE INDEX entity_stands_for ON entity (stands_for) WHERE stands_for IS NOT NULL;

        CREATE TABLE mention (
            thought  INTEGER NOT NULL REFERENCES thought (row),
            entity   INTEGER NOT NULL REFERENCES entity (row),
            PRIMARY KEY (thought, entity)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mention_entity ON mention (entity, thought);

        -- A link is found by either end, and stored at the one that was linked later.
        CREATE TABLE link (
            thought  INTEGER NOT NULL REFERENCES thought (row),
            other    INTEGER NOT NULL REFERENCES thought (row),
            weight   REAL    NOT NULL,
            PRIMARY KEY (thought, other)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX link_other ON link (other, weight);
    ", "
        -- The first thought that has no entry in `lexical` unless it has been changed: its own row says the same.
        CREATE TABLE listed (
            next  INTEGER NOT NULL
        ) STRICT;
        INSERT INTO listed (next) SELECT coalesce(max(row), 0) + 1 FROM thought;
    "],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_program_refuses_the_registry_of_later_accounts() {
        assert!(REGISTRY.migrations.len() >= ACCOUNT.migrations.len());
    }
}
