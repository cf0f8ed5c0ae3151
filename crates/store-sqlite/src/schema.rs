//! The tables, as the sequence of changes that made them.
//!
//! A migration that has been released is never edited; a change is a new entry at the end. `user_version` counts the
//! entries a file has been through.

/// What a kind of file holds.
pub(crate) struct Schema {
    /// Marks the file as ours and of this kind.
    pub(crate) application_id: i32,
    /// The changes, oldest first.
    pub(crate) migrations: &'static [&'static str],
}

/// Accounts and keys of all accounts: `registry.db`.
///
/// It gets a new number with every new format of the accounts' files as well, so that an earlier program refuses the whole
/// folder when it starts, and not one account after the other when they are asked for.
pub(crate) const REGISTRY: Schema = Schema {
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
        "
        -- Nothing but a number: the accounts have got `form`.
    ",
        "
        -- Whether anything has been stored in the account's file: then it must be there.
        ALTER TABLE account ADD COLUMN filled INTEGER NOT NULL DEFAULT 0;
    ",
        "
        -- What lets the owner of an account sign in to the app, once.
        CREATE TABLE sign_in_link (
            hash        BLOB    NOT NULL PRIMARY KEY,
            account     BLOB    NOT NULL REFERENCES account (id),
            expires_at  INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Who is signed in to the app: with a key, or as the owner of the account.
        CREATE TABLE session (
            hash          BLOB    NOT NULL PRIMARY KEY,
            account       BLOB    NOT NULL REFERENCES account (id),
            key           BLOB    REFERENCES key (id),
            created_at    INTEGER NOT NULL,
            last_used_at  INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX session_of ON session (account, key, last_used_at);
    ",
        "
        -- Nothing but a number: the accounts have got `thought_listed`.
    ",
        "
        -- Nothing but a number: the accounts have got `token`, and their links a direction.
    ",
        "
        CREATE INDEX key_of ON key (account, created_at, id);
    ",
        "
        -- Nothing but a number: the accounts link their thoughts in the order of storing.
    ",
    ],
};

/// What has been seen in the accounts' files: `derived.db`. May be lost.
pub(crate) const DERIVED: Schema = Schema {
    application_id: 0x6166_7464,
    migrations: &["
        CREATE TABLE summary (
            account    BLOB    NOT NULL PRIMARY KEY,
            written    INTEGER NOT NULL,
            bytes      INTEGER NOT NULL,
            open       INTEGER NOT NULL,
            completed  INTEGER NOT NULL,
            archived   INTEGER NOT NULL,
            pending    INTEGER NOT NULL,
            given_up   INTEGER NOT NULL,
            next_due   INTEGER,
            model      TEXT
        ) STRICT, WITHOUT ROWID;
    "],
};

/// Everything of one account: `accounts/<id>.db`.
///
/// Rows of `thought` and `note` are never deleted, so their numbers are dense and are what other tables refer to.
pub(crate) const ACCOUNT: Schema = Schema {
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
    ", "
        -- The lexical form of each thought that has been listed or reworded; the others are made when they are needed. See `forms.rs`.
        CREATE TABLE form (
            thought  INTEGER PRIMARY KEY REFERENCES thought (row),
            words    INTEGER NOT NULL,
            text     TEXT    NOT NULL
        ) STRICT;
        ALTER TABLE thought DROP COLUMN lexical_text;
        ALTER TABLE thought DROP COLUMN words;
        -- The first thought that may have no form: those there were came from an earlier analyser, and are made anew.
        ALTER TABLE listed ADD COLUMN formed INTEGER NOT NULL DEFAULT 1;
    ", "
        -- Everything that a person's filters look at, in the order of browsing: whatever they choose, no text is read to pass a
        -- thought over. See `overviews.rs`.
        CREATE INDEX thought_listed ON thought (created_at, id, status, author, category, captured_at, agent_name);
    ", "
        -- The tokens of each text that has some, beside its vectors: read for the few candidates of a query, never in a row.
        CREATE TABLE token (
            vector  INTEGER PRIMARY KEY REFERENCES vector (seq),
            parts   BLOB    NOT NULL
        ) STRICT;
        -- Whether the thought replaces the other, 1, or the other replaces it, 2.
        ALTER TABLE link ADD COLUMN replaces INTEGER NOT NULL DEFAULT 0;
        -- Texts that have been enriched have none yet: all are enriched anew, after whatever comes in.
        DELETE FROM job WHERE step = 'link';
        INSERT INTO job (thought, step, version, urgency, due_at, leased, attempts, given_up)
        SELECT row, 'enrich', seq, 1, 0, 0, 0, 0 FROM thought
        WHERE row < coalesce((SELECT next FROM queued WHERE subject = 'new'), 1)
          AND NOT EXISTS (SELECT 1 FROM job WHERE job.thought = thought.row);
    ", "
        -- Thoughts are linked in the order of storing.
        CREATE INDEX job_order ON job (urgency, thought) WHERE given_up = 0;
        DROP INDEX job_due;
        CREATE INDEX job_due ON job (step, leased, urgency, due_at) WHERE given_up = 0;
        -- Those there are were linked by whatever happened to be derived already: all are linked again.
        INSERT INTO queued (subject, next) SELECT 'linked again', 1 WHERE EXISTS (SELECT 1 FROM thought);
    ", "
        -- What replaces what is told by reading: all are linked again.
        INSERT OR REPLACE INTO queued (subject, next)
        SELECT 'linked again', 1 WHERE EXISTS (SELECT 1 FROM thought);
    "],
};

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use rusqlite::Connection;
    use uuid::Uuid;

    use super::*;
    use model::{AccountId, AuthorFilter, RevisionKind, Status, SystemClock, ThoughtId};
    use store::{LexicalQuery, Store, Update, Updated, Visible};
    use text::query_terms;

    #[test]
    fn an_earlier_program_refuses_the_registry_of_later_accounts() {
        assert!(REGISTRY.migrations.len() >= ACCOUNT.migrations.len());
    }

    /// A thought as the first and the second format stored it.
    const EARLIER_THOUGHT: &str = "
        INSERT INTO thought (row, id, status, author, category, created_at, captured_at, updated_at, revision, seq,
                             words, raw_text, lexical_text)
        VALUES (1, x'0197c1a27b3c7def8123456789abcdef', 0, 0, 'fact', 5, 5, 5, 0, 1, 3, 'Ana likes tea', 'ana like tea');";

    /// Writes an account's file as a program of that many migrations left it.
    fn write_earlier(path: &Path, migrations: usize, contents: &[&str]) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let connection = Connection::open(path).unwrap();
        for sql in ACCOUNT.migrations[..migrations].iter().chain(contents) {
            connection.execute_batch(sql).unwrap();
        }
        connection.pragma_update(None, "application_id", ACCOUNT.application_id).unwrap();
        connection.pragma_update(None, "user_version", migrations as i64).unwrap();
    }

    #[test]
    fn what_was_enriched_before_there_were_tokens_is_enriched_anew() {
        let connection = Connection::open_in_memory().unwrap();
        let with_tokens = |sql: &&str| sql.contains("CREATE TABLE token");
        let earlier = ACCOUNT.migrations.iter().position(with_tokens).unwrap();
        ACCOUNT.migrations[..earlier].iter().for_each(|sql| connection.execute_batch(sql).unwrap());
        // The first is enriched, the second waits to be linked, the third has not been looked at.
        let stored = "
            INSERT INTO thought (row, id, status, author, category, created_at, captured_at, updated_at, revision, seq, raw_text)
            VALUES (1, x'01', 0, 0, 'fact', 5, 5, 5, 0, 4, 'tea'), (2, x'02', 0, 0, 'fact', 6, 6, 6, 0, 2, 'milk'),
                   (3, x'03', 0, 0, 'fact', 7, 7, 7, 0, 3, 'rain');
            INSERT INTO queued (subject, next) VALUES ('new', 3);
            INSERT INTO job (thought, step, version, urgency, due_at, leased, attempts, given_up)
            VALUES (2, 'link', 2, 0, 0, 0, 0, 0);";
        connection.execute_batch(stored).unwrap();
        connection.execute_batch(ACCOUNT.migrations[earlier]).unwrap();
        let mut jobs =
            connection.prepare("SELECT thought, step, version, urgency FROM job ORDER BY thought, step").unwrap();
        let jobs = jobs.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).unwrap();
        let jobs: Vec<(i64, String, i64, i64)> = jobs.map(Result::unwrap).collect();
        assert_eq!(jobs, [(1, "enrich".into(), 4, 1), (2, "enrich".into(), 2, 1)]);
    }

    async fn found(store: &Arc<dyn Store>, account: AccountId, words: &str, status: Status) -> Vec<ThoughtId> {
        let query = LexicalQuery {
            among: None,
            terms: query_terms(words),
            visible: Visible { status, author: AuthorFilter::All },
            limit: 10,
            as_of: None,
        };
        let hits = store.search(account, &query).await.unwrap().hits;
        hits.into_iter().map(|hit| hit.thought.id).collect()
    }

    #[tokio::test]
    async fn the_files_of_earlier_programs_are_used_as_they_are_found() {
        let listed = "INSERT INTO lexical (seq, thought, facet, words) VALUES (1, 1, 0, 3);";
        for (migrations, contents) in [(1, [listed, EARLIER_THOUGHT]), (2, ["", EARLIER_THOUGHT])] {
            let folder = tempfile::tempdir().unwrap();
            let account = AccountId::from_uuid(Uuid::now_v7());
            let path = folder.path().join("accounts").join(format!("{account}.db"));
            // A folder with its registry, whose number is brought up with the accounts'.
            crate::open(folder.path(), Arc::new(SystemClock), 8).await.unwrap().close().await.unwrap();
            write_earlier(&path, migrations, &contents);
            let store = crate::open(folder.path(), Arc::new(SystemClock), 8).await.unwrap();
            let id: ThoughtId = "0197c1a2-7b3c-7def-8123-456789abcdef".parse().unwrap();
            assert_eq!(found(&store, account, "tea", Status::Open).await, [id], "format {migrations}");
            let thought = store.get(account, id).await.unwrap().unwrap();
            assert_eq!((thought.raw_text.as_str(), thought.created_at.as_micros()), ("Ana likes tea", 5));
            let done = Update {
                based_on: 0,
                text: None,
                status: Some(Status::Completed),
                kind: RevisionKind::Change,
                by: String::new(),
            };
            assert!(matches!(store.update(account, id, done).await.unwrap(), Updated::Done(_)));
            assert_eq!(found(&store, account, "tea", Status::Open).await, [], "format {migrations}");
            assert_eq!(found(&store, account, "tea", Status::Completed).await, [id], "format {migrations}");
        }
    }
}
