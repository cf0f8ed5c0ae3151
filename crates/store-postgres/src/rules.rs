//! Holds every statement the program can send to what a database spread over many machines accepts, and what belongs to an account
//! to its account.
//!
//! - Each table of an account is asked for by `account_id`: every mention of one has its own condition, or its column in an insert.
//! - Tables of no account are few and named in [`SHARED`]; only statements that say so touch them.
//! - No sequences, triggers, notifications, advisory locks or recursion.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::schema::{MIGRATIONS, SHARED};
use crate::statement::{Scope, Statement};

/// The lists of statements, by the file each is in.
const LISTS: &[(&str, &[&Statement])] = &[
    ("blocks.rs", crate::blocks::STATEMENTS),
    ("captures.rs", crate::captures::STATEMENTS),
    ("copies.rs", crate::copies::STATEMENTS),
    ("derived.rs", crate::derived::STATEMENTS),
    ("ends.rs", crate::ends::STATEMENTS),
    ("entities.rs", crate::entities::STATEMENTS),
    ("entity_views.rs", crate::entity_views::STATEMENTS),
    ("graph.rs", crate::graph::STATEMENTS),
    ("jobs.rs", crate::jobs::STATEMENTS),
    ("keeping.rs", crate::keeping::STATEMENTS),
    ("links.rs", crate::links::STATEMENTS),
    ("log.rs", crate::log::STATEMENTS),
    ("looked_up.rs", crate::looked_up::STATEMENTS),
    ("migration.rs", crate::migration::STATEMENTS),
    ("notes.rs", crate::notes::STATEMENTS),
    ("overviews.rs", crate::overviews::STATEMENTS),
    ("pieces.rs", crate::pieces::STATEMENTS),
    ("planner.rs", crate::planner::STATEMENTS),
    ("queue.rs", crate::queue::STATEMENTS),
    ("registry.rs", crate::registry::STATEMENTS),
    ("revisions.rs", crate::revisions::STATEMENTS),
    ("rows.rs", crate::rows::STATEMENTS),
    ("sessions.rs", crate::sessions::STATEMENTS),
    ("tally.rs", crate::tally::STATEMENTS),
    ("transfer.rs", crate::transfer::STATEMENTS),
    ("vectors.rs", crate::vectors::STATEMENTS),
];

const FORBIDDEN: &[&str] =
    &["nextval", "serial", "bigserial", "identity", "trigger", "listen", "notify", "recursive", "sequence"];

/// The words of a text of SQL: names, numbers, parameters, and signs by themselves. What is said in comments is left out.
fn words(sql: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for line in sql.lines().map(|line| line.split("--").next().unwrap_or_default()) {
        let mut word = String::new();
        for char in line.chars().chain([' ']) {
            if char.is_alphanumeric() || matches!(char, '_' | '.' | '$') {
                word.push(char.to_ascii_lowercase());
                continue;
            }
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if !char.is_whitespace() {
                words.push(char.to_string());
            }
        }
    }
    words
}

/// The tables of all migrations.
fn tables() -> BTreeSet<String> {
    let words: Vec<String> = MIGRATIONS.iter().flat_map(|migration| words(migration)).collect();
    let mut tables: BTreeSet<String> =
        words.windows(3).filter(|some| some[..2] == ["create", "table"]).map(|some| some[2].clone()).collect();
    tables.insert("format".to_owned());
    tables
}

/// A table in a statement: what it is called there, and what is said to it.
#[derive(Debug, PartialEq, Eq)]
struct Mention {
    table: String,
    alias: String,
    is_insert: bool,
}

fn mentions(words: &[String], tables: &BTreeSet<String>) -> Vec<Mention> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |before| words[before].as_str());
        let begins = ["from", "join", "update", "into"].contains(&before) || before == "," && is_listed(words, at);
        if !tables.contains(word) || !begins {
            continue;
        }
        let next = |steps: usize| words.get(at + steps).map(String::as_str).unwrap_or_default();
        let alias = if next(1) == "as" { next(2) } else { word };
        found.push(Mention { table: word.clone(), alias: alias.to_owned(), is_insert: before == "into" });
    }
    found
}

/// Whether a word behind a comma stands in a list of tables, rather than of columns.
fn is_listed(words: &[String], at: usize) -> bool {
    let clause = ["from", "select", "where", "set", "values", "returning", "by", "(", ")"];
    words[..at].iter().rev().find(|word| clause.contains(&word.as_str())).is_some_and(|word| word == "from")
}

/// What is wrong with a statement.
fn fault(statement: &Statement, tables: &BTreeSet<String>) -> Option<String> {
    let words = words(statement.sql);
    if let Some(forbidden) = words.iter().find(|word| FORBIDDEN.contains(&word.as_str())) {
        return Some(format!("says {forbidden}"));
    }
    if words.iter().any(|word| word.contains("advisory")) {
        return Some("takes an advisory lock".to_owned());
    }
    let mentions = mentions(&words, tables);
    let is_shared = |table: &str| SHARED.contains(&table);
    match statement.scope {
        Scope::Shared => {
            let own = mentions.iter().find(|mention| !is_shared(&mention.table))?;
            return Some(format!("is said to be of shared tables and touches {}", own.table));
        }
        Scope::AllAccounts => return None,
        Scope::Account => {}
    }
    for mention in &mentions {
        let first = words.iter().position(|word| *word == mention.table).unwrap_or_default();
        if mention.is_insert {
            let columns: Vec<&str> = words[first..].iter().map(String::as_str).collect();
            let is_first = columns.windows(3).any(|some| some == [mention.table.as_str(), "(", "account_id"]);
            if !is_first {
                return Some(format!("inserts into {} without its account first", mention.table));
            }
            continue;
        }
        let qualified = format!("{}.account_id", mention.alias);
        let names = |word: &String| *word == qualified || mentions.len() == 1 && word == "account_id";
        let is_asked = words.windows(3).any(|some| {
            let by = |one: &str| one == "$1" || one.ends_with(".account_id");
            some[1] == "=" && (names(&some[0]) && by(&some[2]) || names(&some[2]) && by(&some[0]))
        });
        if !is_asked {
            return Some(format!("asks for {} by no account", mention.alias));
        }
    }
    (!words.iter().any(|word| word == "$1")).then(|| "does not take its account".to_owned())
}

#[test]
fn every_statement_names_its_account_and_asks_for_nothing_special() {
    let tables = tables();
    let mut count = 0;
    for (file, list) in LISTS {
        for statement in *list {
            count += 1;
            let fault = fault(statement, &tables);
            assert_eq!(fault, None, "{file}: {}", statement.sql);
        }
    }
    assert!(count >= 5, "the lists are filled");
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn every_file_with_statements_is_listed_and_nobody_else_sends_any() {
    let listed: BTreeSet<String> = LISTS.iter().map(|(file, _)| (*file).to_owned()).collect();
    let mut with_statements = BTreeSet::new();
    for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let code = std::fs::read_to_string(&path).unwrap();
        if code.contains("\nstatements! {") {
            with_statements.insert(name.clone());
        }
        let sends = [".batch_execute(", ".prepare(", ".prepare_cached(", ".query_raw(", ".simple_query("];
        let may_send = ["connection.rs", "database.rs", "rules.rs"].contains(&name.as_str());
        assert!(may_send || !sends.iter().any(|call| code.contains(call)), "{name} goes around the lists");
        let may_script = ["connection.rs", "migration.rs", "rules.rs"].contains(&name.as_str());
        assert!(may_script || !code.contains(".script("), "{name} sends a script");
    }
    assert_eq!(with_statements, listed);
}

#[test]
fn every_key_and_index_of_an_account_begins_with_it() {
    let words: Vec<String> = MIGRATIONS.iter().flat_map(|migration| words(migration)).collect();
    assert_eq!(words.iter().find(|word| FORBIDDEN.contains(&word.as_str())), None);
    let (mut table, mut checked) = (String::new(), 0);
    for at in 0..words.len() - 3 {
        let some = |steps: usize| words[at + steps].as_str();
        if [some(0), some(1)] == ["create", "table"] {
            table = some(2).to_owned();
            assert!(SHARED.contains(&table.as_str()) || [some(3), some(4)] == ["(", "account_id"], "{table}");
        }
        if some(0) == "index" && some(2) == "on" {
            let of = some(3);
            assert!(SHARED.contains(&of) || [some(4), some(5)] == ["(", "account_id"], "index {}", some(1));
            checked += 1;
        }
        let is_key = [some(0), some(1), some(2)] == ["primary", "key", "("] || [some(0), some(1)] == ["unique", "("];
        if is_key && !SHARED.contains(&table.as_str()) {
            let column = if some(1) == "key" { some(3) } else { some(2) };
            assert_eq!(column, "account_id", "a key of {table}");
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked} keys and indexes");
}

#[test]
fn what_breaks_a_rule_is_noticed() {
    let tables = tables();
    let of = |scope, sql| fault(&Statement { sql, scope }, &tables);
    let account = |sql| of(Scope::Account, sql);
    assert_eq!(account("SELECT row FROM thought WHERE account_id = $1 AND id = $2"), None);
    assert!(account("SELECT row FROM thought WHERE id = $1").is_some());
    let joined =
        "SELECT note.id FROM note JOIN thought ON thought.account_id = note.account_id AND thought.row = note.thought
                  WHERE note.account_id = $1";
    assert_eq!(account(joined), None);
    assert!(
        account("SELECT 1 FROM note JOIN thought ON thought.row = note.thought WHERE note.account_id = $1").is_some()
    );
    assert!(account("INSERT INTO job (thought, account_id) VALUES ($2, $1)").is_some());
    assert_eq!(account("INSERT INTO job (account_id, thought) VALUES ($1, $2)"), None);
    assert!(account("SELECT nextval('numbers') FROM thought WHERE account_id = $1").is_some());
    assert!(account("SELECT pg_advisory_lock(1) FROM thought WHERE account_id = $1").is_some());
    assert!(of(Scope::Shared, "SELECT id FROM thought").is_some());
    assert_eq!(of(Scope::Shared, "SELECT id FROM account"), None);
}
