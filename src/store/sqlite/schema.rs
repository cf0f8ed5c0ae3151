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
pub(super) const REGISTRY: Schema = Schema {
    application_id: 0x6166_7472,
    migrations: &["
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
    "],
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
        -- the entries after n. The new entry is written first: a number is never used twice.
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

        CREATE TABLE job (
            thought    INTEGER NOT NULL REFERENCES thought (row),
            step       TEXT    NOT NULL,
            queued_at  INTEGER NOT NULL,
            PRIMARY KEY (thought, step)
        ) STRICT, WITHOUT ROWID;
    "],
};
