//! The tables, as the sequence of changes that made them.
//!
//! - A migration that has been released is never edited; a change is a new entry at the end.
//! - What belongs to an account has `account_id` first in every key and index, so that a database spread over many machines keeps
//!   an account on one of them. The others are listed as `SHARED` for the tests, and small.
//! - Whatever people wrote is kept as the bytes it is, never as `text`, which takes no NUL and depends on the encoding and the order of
//!   a database.
//! - Numbers come from the rows of `log_end` and `derived_end`, never from a sequence: whoever numbers holds that row until the
//!   commit, so that numbers are in the order of commits.

/// The tables that belong to no account.
#[cfg(test)]
pub(crate) const SHARED: &[&str] = &["format", "account", "key", "sign_in_link", "session", "work", "copy"];

/// The changes, oldest first.
pub(crate) const MIGRATIONS: &[&str] = &["
    CREATE TABLE account (
        id          uuid   PRIMARY KEY,
        name        bytea  NOT NULL UNIQUE,
        created_at  bigint NOT NULL
    );

    CREATE TABLE key (
        hash          bytea  PRIMARY KEY,
        id            uuid   NOT NULL UNIQUE,
        account_id    uuid   NOT NULL REFERENCES account (id),
        name          bytea  NOT NULL,
        prefix        bytea  NOT NULL UNIQUE,
        created_at    bigint NOT NULL,
        last_used_at  bigint,
        revoked_at    bigint
    );
    CREATE INDEX key_of ON key (account_id, created_at, id);

    -- What lets the owner of an account sign in to the app, once.
    CREATE TABLE sign_in_link (
        hash        bytea  PRIMARY KEY,
        account_id  uuid   NOT NULL REFERENCES account (id),
        expires_at  bigint NOT NULL
    );
    CREATE INDEX sign_in_link_of ON sign_in_link (account_id, expires_at);
    CREATE INDEX sign_in_link_expired ON sign_in_link (expires_at);

    -- Who is signed in to the app: with a key, or as the owner of the account.
    CREATE TABLE session (
        hash          bytea  PRIMARY KEY,
        account_id    uuid   NOT NULL REFERENCES account (id),
        key           uuid   REFERENCES key (id),
        created_at    bigint NOT NULL,
        last_used_at  bigint NOT NULL
    );
    CREATE INDEX session_of ON session (account_id, key, last_used_at);
    CREATE INDEX session_stale ON session (last_used_at);

    -- Which accounts have background work, due or to come. Added in the transaction that queues some, taken away by whoever
    -- finds none while holding `derived_end`.
    CREATE TABLE work (
        account_id  uuid PRIMARY KEY
    );

    -- Where the log of an account stands, and the counts that go with it. Whoever numbers holds the row until the commit. A page
    -- keeps room for its rows to change in place.
    CREATE TABLE log_end (
        account_id  uuid   PRIMARY KEY,
        row         bigint NOT NULL,
        note        bigint NOT NULL,
        entry       bigint NOT NULL,
        created_at  bigint NOT NULL,
        open        bigint NOT NULL,
        completed   bigint NOT NULL,
        archived    bigint NOT NULL
    ) WITH (fillfactor = 40);

    -- The same of what is derived, so that captures do not wait for it: the highest number of a vector, the first thought that is
    -- due without a job, the first one that may lack its lexical form. Whoever holds both rows took that of `log_end` first.
    CREATE TABLE derived_end (
        account_id  uuid   PRIMARY KEY,
        vector      bigint NOT NULL,
        next_new    bigint NOT NULL,
        formed      bigint NOT NULL
    ) WITH (fillfactor = 40);

    -- A thought is its own entry in the log, under `seq`: a change gives it a new number.
    CREATE TABLE thought (
        account_id   uuid     NOT NULL,
        row          bigint   NOT NULL,
        id           uuid     NOT NULL,
        status       smallint NOT NULL,
        author       smallint NOT NULL,
        agent_name   bytea,
        category     text     COLLATE \"C\" NOT NULL,
        created_at   bigint   NOT NULL,
        captured_at  bigint   NOT NULL,
        updated_at   bigint   NOT NULL,
        revision     bigint   NOT NULL,
        seq          bigint   NOT NULL,
        raw_text     bytea    NOT NULL,
        PRIMARY KEY (account_id, row),
        UNIQUE (account_id, id)
    );
    CREATE INDEX thought_log ON thought (account_id, seq) INCLUDE (row, status, author);
    CREATE INDEX thought_browse ON thought (account_id, status, author, created_at);
    -- By the time they are about, only those it was given for: the others stand in the browse order by it.
    CREATE INDEX thought_captured ON thought (account_id, status, author, captured_at) WHERE captured_at <> created_at;
    -- What a person's filters look at, in the order of browsing.
    CREATE INDEX thought_listed ON thought (account_id, created_at, id) INCLUDE (row, status, author, category, captured_at);

    CREATE TABLE revision (
        account_id     uuid   NOT NULL,
        thought        bigint NOT NULL,
        number         bigint NOT NULL,
        at             bigint NOT NULL,
        kind           text   COLLATE \"C\" NOT NULL,
        by             bytea  NOT NULL,
        text_before    bytea,
        text_after     bytea,
        status_before  smallint,
        status_after   smallint,
        PRIMARY KEY (account_id, thought, number)
    );

    CREATE TABLE note (
        account_id    uuid   NOT NULL,
        row           bigint NOT NULL,
        id            uuid   NOT NULL,
        thought       bigint NOT NULL,
        name          bytea  NOT NULL,
        created_at    bigint NOT NULL,
        removed_at    bigint,
        seq           bigint NOT NULL,
        words         bigint NOT NULL,
        text          bytea  NOT NULL,
        lexical_text  bytea  NOT NULL,
        PRIMARY KEY (account_id, row),
        UNIQUE (account_id, id)
    );
    CREATE INDEX note_log ON note (account_id, seq);
    CREATE INDEX note_thought ON note (account_id, thought, row);

    -- The lexical form of a thought; derived, and missing until somebody has made it.
    CREATE TABLE form (
        account_id  uuid   NOT NULL,
        thought     bigint NOT NULL,
        words       bigint NOT NULL,
        text        bytea  NOT NULL,
        PRIMARY KEY (account_id, thought) INCLUDE (words)
    );

    -- Finished blocks of the index over words; derived, and rebuilt where missing.
    CREATE TABLE segment (
        account_id  uuid   NOT NULL,
        block       bigint NOT NULL,
        format      bigint NOT NULL,
        bytes       bytea  NOT NULL,
        PRIMARY KEY (account_id, block)
    );
    ALTER TABLE segment ALTER COLUMN bytes SET STORAGE EXTERNAL;

    -- Background work beyond the thoughts that are new. `version` tells the text it is for, `due_at` when it may be claimed:
    -- the end of the lease if it is leased.
    CREATE TABLE job (
        account_id  uuid     NOT NULL,
        thought     bigint   NOT NULL,
        step        text     COLLATE \"C\" NOT NULL,
        version     bigint   NOT NULL,
        urgency     smallint NOT NULL,
        due_at      bigint   NOT NULL,
        leased      boolean  NOT NULL,
        attempts    bigint   NOT NULL,
        given_up    boolean  NOT NULL,
        PRIMARY KEY (account_id, thought, step)
    );
    CREATE INDEX job_due ON job (account_id, leased, urgency, due_at, thought) WHERE NOT given_up;
    CREATE INDEX job_given_up ON job (account_id, thought) WHERE given_up;

    -- How far rebuilds have been queued.
    CREATE TABLE queued (
        account_id  uuid   NOT NULL,
        subject     bytea  NOT NULL,
        next        bigint NOT NULL,
        PRIMARY KEY (account_id, subject)
    );

    -- The models that made vectors: 0 is being built up, 1 answers searches, 2 is on its way out.
    CREATE TABLE model (
        account_id  uuid     NOT NULL,
        number      bigint   NOT NULL,
        name        bytea    NOT NULL,
        dimensions  bigint   NOT NULL,
        centre      bytea    NOT NULL,
        state       smallint NOT NULL,
        PRIMARY KEY (account_id, number),
        UNIQUE (account_id, name, dimensions)
    );

    -- The vectors of each text, a log: whoever has seen entry n needs only the entries after n. An entry without parts says that
    -- the thought has no vector any more.
    CREATE TABLE vector (
        account_id  uuid   NOT NULL,
        seq         bigint NOT NULL,
        model       bigint NOT NULL,
        thought     bigint NOT NULL,
        parts       bytea  NOT NULL,
        PRIMARY KEY (account_id, seq)
    );
    CREATE INDEX vector_thought ON vector (account_id, thought, model, seq);
    CREATE INDEX vector_model ON vector (account_id, model, seq);

    -- The tokens of each text that has some, beside its vectors: read for the few candidates of a query, never in a row.
    CREATE TABLE token (
        account_id  uuid   NOT NULL,
        vector      bigint NOT NULL,
        parts       bytea  NOT NULL,
        PRIMARY KEY (account_id, vector)
    );
    ALTER TABLE token ALTER COLUMN parts SET STORAGE EXTERNAL;

    -- Names are of any length, and what an index holds is not: it holds what stands for them.
    CREATE TABLE entity (
        account_id  uuid   NOT NULL,
        row         bigint NOT NULL,
        kind        text   COLLATE \"C\" NOT NULL,
        folded      bytea  NOT NULL,
        first       bytea  NOT NULL,
        name        bytea  NOT NULL,
        stands_for  bigint,
        thoughts    bigint NOT NULL,
        PRIMARY KEY (account_id, row)
    );
    CREATE UNIQUE INDEX entity_key ON entity (account_id, kind, sha256(folded));
    CREATE INDEX entity_first ON entity (account_id, sha256(first), kind);
    CREATE INDEX entity_stands_for ON entity (account_id, stands_for) WHERE stands_for IS NOT NULL;

    CREATE TABLE mention (
        account_id  uuid   NOT NULL,
        thought     bigint NOT NULL,
        entity      bigint NOT NULL,
        PRIMARY KEY (account_id, thought, entity)
    );
    CREATE INDEX mention_entity ON mention (account_id, entity, thought);

    -- A link is found by either end, and stored at the one that was linked later. The thought replaces the other, 1, or the other
    -- replaces it, 2, or neither does.
    CREATE TABLE link (
        account_id  uuid     NOT NULL,
        thought     bigint   NOT NULL,
        other       bigint   NOT NULL,
        weight      real     NOT NULL,
        replaces    smallint NOT NULL,
        PRIMARY KEY (account_id, thought, other)
    );
    CREATE INDEX link_other ON link (account_id, other, weight);
", "
    -- Which copies of the service run, as they say every few seconds.
    CREATE TABLE copy (
        instance  bytea  PRIMARY KEY,
        origin    bytea  NOT NULL,
        process   bigint NOT NULL,
        seen_at   bigint NOT NULL
    );
", "
    -- In the whole order of browsing: else another index has that order without what is asked for, and is walked to its end where
    -- there is none of it.
    DROP INDEX thought_browse;
    CREATE INDEX thought_browse ON thought (account_id, status, author, created_at, id);
", "
    -- Thoughts are linked in the order of storing.
    CREATE INDEX job_order ON job (account_id, urgency, thought) WHERE NOT given_up;
    DROP INDEX job_due;
    CREATE INDEX job_due ON job (account_id, step, leased, urgency, due_at, thought) WHERE NOT given_up;
    -- Those there are were linked by whatever happened to be derived already: all are linked again.
    INSERT INTO queued (account_id, subject, next) SELECT account_id, 'linked again'::bytea, 1 FROM log_end;
    INSERT INTO work (account_id) SELECT account_id FROM log_end ON CONFLICT DO NOTHING;
", "
    -- Every search asks of its best hits whether they are replaced: hardly any are, and no other link is to be read for that.
    CREATE INDEX link_replaced_by ON link (account_id, thought) WHERE replaces = 2;
    CREATE INDEX link_replacing ON link (account_id, other) WHERE replaces = 1;
", "
    -- What replaces what is told by reading: all are linked again.
    INSERT INTO queued (account_id, subject, next) SELECT account_id, 'linked again'::bytea, 1 FROM log_end
    ON CONFLICT (account_id, subject) DO UPDATE SET next = 1;
    INSERT INTO work (account_id) SELECT account_id FROM log_end ON CONFLICT DO NOTHING;
"];
