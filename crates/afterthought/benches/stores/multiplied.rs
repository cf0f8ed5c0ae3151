//! Very many thoughts, quickly: accounts that were filled through the store are multiplied by the server itself, and in the files of a
//! folder.

use std::path::{Path, PathBuf};

use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

use model::AccountId;

use super::SCHEMA;

/// What a copy of a thought has of its own: it comes after all of those before it.
const LARGER: &str = "
    CREATE TEMPORARY TABLE one AS
        SELECT log_end.account_id, log_end.row AS rows, entry, vector, times,
               1000000 + created_at - (SELECT min(created_at) FROM thought WHERE thought.account_id = log_end.account_id) AS span
        FROM log_end JOIN derived_end USING (account_id) CROSS JOIN (VALUES (TIMES::bigint)) AS wanted (times)
        WHERE account_id = 'ACCOUNT';
    INSERT INTO thought (account_id, row, id, status, author, agent_name, category, created_at, captured_at, updated_at,
                         revision, seq, raw_text)
        SELECT account_id, row + n * rows, gen_random_uuid(), status, author, agent_name, category, created_at + n * span,
               captured_at + n * span, updated_at + n * span, revision, seq + n * entry, raw_text
        FROM thought JOIN one USING (account_id) CROSS JOIN generate_series(1, times - 1) AS n ORDER BY 2;
    INSERT INTO form (account_id, thought, words, text)
        SELECT account_id, thought + n * rows, words, text
        FROM form JOIN one USING (account_id) CROSS JOIN generate_series(1, times - 1) AS n ORDER BY 2;
    INSERT INTO vector (account_id, seq, model, thought, parts)
        SELECT account_id, seq + n * one.vector, model, thought + n * rows, parts
        FROM vector JOIN one USING (account_id) CROSS JOIN generate_series(1, times - 1) AS n ORDER BY 2;
    INSERT INTO mention (account_id, thought, entity)
        SELECT account_id, thought + n * rows, entity
        FROM mention JOIN one USING (account_id) CROSS JOIN generate_series(1, times - 1) AS n ORDER BY 2;
    INSERT INTO link (account_id, thought, other, weight, replaces)
        SELECT account_id, thought + n * rows, other + n * rows, weight, replaces
        FROM link JOIN one USING (account_id) CROSS JOIN generate_series(1, times - 1) AS n ORDER BY 2;
    UPDATE entity SET thoughts = thoughts * times FROM one WHERE entity.account_id = one.account_id;
    UPDATE derived_end SET vector = derived_end.vector * times, next_new = 1 + (next_new - 1) * times,
                           formed = 1 + (formed - 1) * times
        FROM one WHERE derived_end.account_id = one.account_id;
    UPDATE log_end SET row = row * times, entry = log_end.entry * times, open = open * times,
                       completed = completed * times, archived = archived * times, created_at = created_at + span * (times - 1)
        FROM one WHERE log_end.account_id = one.account_id;
    DELETE FROM segment USING one WHERE segment.account_id = one.account_id;
    DROP TABLE one;";

/// The same in the file of an account. What is not listed yet is left for whoever opens it.
const LARGER_FILE: &str = "
    BEGIN;
    CREATE TEMPORARY TABLE one AS
        SELECT max(row) AS rows, TIMES AS times, 1000000 + max(created_at) - min(created_at) AS span,
               max(max(seq), (SELECT coalesce(max(seq), 0) FROM lexical)) AS entry,
               (SELECT max(seq) FROM vector) AS vector
        FROM thought;
    CREATE TEMPORARY TABLE copy AS
        WITH RECURSIVE copy (n) AS (SELECT 1 FROM one WHERE times > 1 UNION ALL SELECT n + 1 FROM copy, one WHERE n + 1 < times)
        SELECT n FROM copy;
    INSERT INTO lexical (seq, thought, note, facet, words)
        SELECT seq + n * entry, thought + n * rows, note, facet, words FROM copy CROSS JOIN one CROSS JOIN lexical ORDER BY 1;
    INSERT INTO thought (row, id, status, author, agent_name, category, created_at, captured_at, updated_at, revision, seq, raw_text)
        SELECT row + n * rows, randomblob(16), status, author, agent_name, category, created_at + n * span,
               captured_at + n * span, updated_at + n * span, revision, seq + n * entry, raw_text
        FROM copy CROSS JOIN one CROSS JOIN thought ORDER BY 1;
    INSERT INTO form (thought, words, text)
        SELECT thought + n * rows, words, text FROM copy CROSS JOIN one CROSS JOIN form ORDER BY 1;
    INSERT INTO vector (seq, model, thought, parts)
        SELECT seq + n * one.vector, model, thought + n * rows, parts FROM copy CROSS JOIN one CROSS JOIN vector ORDER BY 1;
    INSERT INTO mention (thought, entity)
        SELECT thought + n * rows, entity FROM copy CROSS JOIN one CROSS JOIN mention ORDER BY 1;
    INSERT INTO link (thought, other, weight, replaces)
        SELECT thought + n * rows, other + n * rows, weight, replaces FROM copy CROSS JOIN one CROSS JOIN link ORDER BY 1;
    UPDATE entity SET thoughts = thoughts * TIMES;
    UPDATE queued SET next = 1 + (next - 1) * TIMES WHERE subject = 'new';
    UPDATE listed SET next = 1 + (next - 1) * TIMES, formed = 1 + (formed - 1) * TIMES WHERE next > (SELECT rows FROM one);
    DELETE FROM segment;
    COMMIT;
    PRAGMA wal_checkpoint(TRUNCATE);";

/// A folder whose accounts are multiplied while nobody has them open.
pub(crate) struct Folder<'a>(pub(crate) &'a Path);

impl Folder<'_> {
    /// Gives an account so many times the thoughts it has, one after the other.
    pub(crate) fn enlarge(&self, account: AccountId, times: usize) {
        let file = rusqlite::Connection::open(self.file(account)).unwrap();
        file.execute_batch(&LARGER_FILE.replace("TIMES", &times.to_string())).unwrap();
    }

    /// Copies accounts: of each pair the first to the second, which is empty.
    pub(crate) fn copy(&self, pairs: &[(AccountId, AccountId)]) {
        for (of, to) in pairs {
            std::fs::copy(self.file(*of), self.file(*to)).unwrap();
        }
    }

    fn file(&self, account: AccountId) -> PathBuf {
        self.0.join("accounts").join(format!("{account}.db"))
    }
}

/// The tables of an account that a copy of it has as well.
const TABLES: [&str; 10] =
    ["log_end", "derived_end", "thought", "form", "segment", "model", "vector", "entity", "mention", "link"];

/// A database whose accounts are multiplied.
pub(crate) struct Multiplied(Client);

impl Multiplied {
    pub(crate) async fn connect(address: &str) -> Self {
        let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute(&format!("SET search_path TO {SCHEMA}")).await.unwrap();
        Self(client)
    }

    /// Gives an account so many times the thoughts it has, one after the other.
    pub(crate) async fn enlarge(&self, account: AccountId, times: usize) {
        let account = Uuid::from_bytes(*account.as_bytes()).to_string();
        let sql = LARGER.replace("TIMES", &times.to_string()).replace("ACCOUNT", &account);
        self.0.batch_execute(&sql).await.unwrap();
    }

    /// Copies accounts: of each pair the first to the second.
    pub(crate) async fn copy(&self, pairs: &[(AccountId, AccountId)]) {
        let ids = |account: &AccountId| Uuid::from_bytes(*account.as_bytes());
        let (of, to): (Vec<Uuid>, Vec<Uuid>) = pairs.iter().map(|(of, to)| (ids(of), ids(to))).unzip();
        let named = "INSERT INTO account (id, name, created_at)
                     SELECT pair.copied, convert_to(pair.copied::text, 'UTF8'), created_at
                     FROM account JOIN unnest($1::uuid[], $2::uuid[]) AS pair (original, copied) ON pair.original = account.id";
        self.0.execute(named, &[&of, &to]).await.unwrap();
        for table in TABLES {
            let columns = "SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
                           WHERE table_schema = $1 AND table_name = $2 AND column_name <> 'account_id'";
            let columns: String = self.0.query_one(columns, &[&SCHEMA, &table]).await.unwrap().get(0);
            let copied = format!(
                "INSERT INTO {table} (account_id, {columns}) SELECT pair.copied, {columns} FROM {table}
                 JOIN unnest($1::uuid[], $2::uuid[]) AS pair (original, copied) ON pair.original = {table}.account_id"
            );
            self.0.execute(&copied, &[&of, &to]).await.unwrap();
        }
    }

    /// Has the server look how much there is, as it would by itself after a while.
    pub(crate) async fn settle(&self) {
        for table in TABLES {
            self.0.batch_execute(&format!("VACUUM ANALYZE {table}")).await.unwrap();
        }
    }
}
