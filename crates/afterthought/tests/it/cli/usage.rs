//! Options, help, exit statuses, and what commands leave alone.

use std::process::Stdio;

use serde_json::{Value, json};

use super::{Ran, Sandbox, entries};

const COMMANDS: [&[&str]; 8] =
    [&["serve"], &["account"], &["key"], &["note"], &["status"], &["export"], &["import"], &["backup"]];

#[test]
fn every_command_explains_itself_with_an_example() {
    let sandbox = Sandbox::new();
    for command in COMMANDS.iter().chain([&[][..]].iter()) {
        let help = sandbox.ok(&[*command, &["--help"]].concat());
        assert!(help.contains("Example"), "{help}");
        assert!(help.contains("--data <DIR>") && help.contains("AFTERTHOUGHT_DATA"), "{help}");
    }
    assert_eq!(entries(sandbox.0.path()), [""; 0]);
}

#[test]
fn the_version_is_told() {
    assert_eq!(Sandbox::new().ok(&["--version"]), format!("afterthought {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn no_command_at_all_is_answered_with_the_help() {
    let ran = Sandbox::new().run(&[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("Usage: afterthought"), "{}", ran.stderr);
}

#[test]
fn bad_usage_is_one_sentence_and_status_2() {
    let sandbox = Sandbox::new();
    for (arguments, sentence) in [
        (&["bakup"][..], "unrecognized subcommand 'bakup'; a similar subcommand exists: 'backup'; see `--help`"),
        (&["status", "--jsn"], "unexpected argument '--jsn' found; a similar argument exists: '--json'; see `--help`"),
        (&["key", "create", "\n"], "the name of a key has 1 to 100 characters and no line breaks"),
        (&["note", "list", "1"], "`1` is not a thought id: expected a UUID"),
        (&["serve", "--listen", "here"], "expected a host and a port, such as 127.0.0.1:8720"),
        (&["serve", "--log", "xml"], "possible values: human, json"),
        (&["--data", ""], "a value is required for '--data <DIR>' but none was supplied"),
        (
            &["status", "--data", "a", "--store", "postgres://b"],
            "`--data` and `--store` name two stores: give one of them",
        ),
        (
            &["--data", "a", "status", "--store", "postgres://b"],
            "`--data` and `--store` name two stores: give one of them",
        ),
        (&["status", "--store", "postgres://b/n?sslmode=perhaps"], "`sslmode=perhaps` is not known"),
        (&["status", "--store", "postgres://b/n", "--schema", "My Schema"], "a schema's name has"),
        (&["status", "--store", "postgres://b/n", "--store-connections", "0"], "a number from 1 to 1000"),
        (&["status", "--store", "mysql://b"], "`--store` takes a postgres:// address"),
    ] {
        let said = sandbox.fails(2, arguments);
        assert!(said.contains(sentence), "{arguments:?}: {said}");
    }
    assert_eq!(entries(sandbox.0.path()), [""; 0]);
}

#[test]
fn the_environment_names_the_store() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["account", "create", "ana"]);
    command.env("AFTERTHOUGHT_DATA", sandbox.path("elsewhere"));
    assert_eq!(Ran::from(command.output().unwrap()).status, 0);
    assert_eq!(entries(sandbox.0.path()), ["elsewhere"]);
    let mut command = sandbox.command(&["status"]);
    command.env_remove("AFTERTHOUGHT_DATA").env("AFTERTHOUGHT_STORE", "postgres://127.0.0.1:1/x");
    let said = Ran::from(command.output().unwrap()).failure(1);
    assert!(said.contains("the database at postgres://127.0.0.1:1/x cannot be used"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn without_options_the_platforms_folder_is_used() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["account", "create", "ana"]);
    command.env_remove("AFTERTHOUGHT_DATA");
    assert_eq!(Ran::from(command.output().unwrap()).status, 0);
    assert!(sandbox.path("home/.local/share/afterthought").is_dir());
}

#[test]
fn reading_a_folder_that_does_not_exist_does_not_make_it() {
    let sandbox = Sandbox::new();
    for arguments in [&["account", "list"][..], &["key", "list"], &["note", "list"], &["status"]] {
        let ran = sandbox.run(arguments);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(ran.stderr.starts_with("there is no store in `"), "{}", ran.stderr);
    }
    for arguments in [&["export"][..], &["backup", "copy"], &["key", "revoke", "aft_123456"]] {
        let said = sandbox.fails(1, arguments);
        assert!(said.contains("`afterthought serve` makes one"), "{said}");
    }
    assert_eq!(entries(sandbox.0.path()), [""; 0]);
}

#[test]
fn the_status_of_nothing_is_nothing() {
    let status: Value = serde_json::from_str(&Sandbox::new().ok(&["status", "--json"])).unwrap();
    assert_eq!(
        status,
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "accounts": 0,
            "thoughts": { "open": 0, "completed": 0, "archived": 0 },
            "pending_enrichment": 0, "given_up": 0,
            "store_bytes": 0,
        })
    );
}

#[test]
fn a_folder_of_a_newer_version_is_refused() {
    let (sandbox, _) = Sandbox::with_account("ana");
    let registry = rusqlite::Connection::open(sandbox.data().join("registry.db")).unwrap();
    registry.pragma_update(None, "user_version", 99).unwrap();
    drop(registry);
    for arguments in [&["status"][..], &["serve", "--listen", "127.0.0.1:0"], &["export"]] {
        let said = sandbox.fails(1, arguments);
        assert!(said.contains("was made by a newer version of afterthought"), "{said}");
    }
}

#[test]
fn a_damaged_file_is_named() {
    let (sandbox, _) = Sandbox::with_account("ana");
    let registry = sandbox.data().join("registry.db");
    std::fs::write(&registry, "no database at all, whatever its name says").unwrap();
    let said = sandbox.fails(1, &["status"]);
    assert!(said.contains(registry.to_str().unwrap()) && said.contains("restore"), "{said}");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let (sandbox, _) = Sandbox::with_account("ana");
    for arguments in [&["export"][..], &["key", "list"], &["status"], &["--help"]] {
        let mut child = sandbox.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(!ran.stderr.contains("panicked") && !ran.stderr.contains("error"), "{}", ran.stderr);
    }
}

#[test]
fn shells_and_man_are_told_every_command() {
    let sandbox = Sandbox::new();
    let man = sandbox.ok(&["man"]);
    for shell in ["bash", "zsh", "fish"] {
        let script = sandbox.ok(&["completions", shell]);
        for command in ["serve", "stdio", "connect", "import", "doctor"] {
            assert!(script.contains(command) && man.contains(command), "{shell}: {command}");
        }
    }
    assert!(!sandbox.data().exists());
}
