//! Copies of the service on one PostgreSQL database: what one stores the others find, any of them may be killed, and the database may
//! restart, hang or fail over. No test takes longer than a minute.

mod elsewhere;
mod limits;
mod moving;
mod versions;

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde_json::{Value, json};
use tempfile::TempDir;
use test_client::{Connection, Request};
use test_postgres::{Place, Server, Settings};
use tokio_postgres::NoTls;

use crate::process::{Caller, Process};

/// No failure may keep a caller waiting for longer.
const ANSWERED_WITHIN: Duration = Duration::from_secs(30);

/// How long something that has to come by itself may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A database with a home for the copies that use it.
struct Given {
    home: TempDir,
    address: String,
    schema: String,
}

impl Given {
    fn on(address: &str, schema: &str) -> Self {
        Self { home: tempfile::tempdir().unwrap(), address: address.to_owned(), schema: schema.to_owned() }
    }

    fn copy(&self) -> Process {
        self.copy_with(&[])
    }

    fn copy_with(&self, options: &[&str]) -> Process {
        Process::start_on_database(self.home.path(), &self.address, &self.schema, options)
    }

    /// Runs a command on the database; what it prints.
    fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterthought"));
        command.args(arguments).env("AFTERTHOUGHT_STORE", &self.address).env("AFTERTHOUGHT_SCHEMA", &self.schema);
        command.env("HOME", self.home.path()).env_remove("XDG_DATA_HOME").env_remove("DISPLAY");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

fn captured(caller: &mut Caller, text: &str) -> String {
    let answer = caller.tool("capture_thought", &json!({"raw": text, "as_user": true})).unwrap();
    answer["thought"]["id"].as_str().unwrap().to_owned()
}

fn found(caller: &mut Caller, words: &str) -> Vec<String> {
    let answer = caller.tool("retrieve_thoughts", &json!({"query": words, "top_k": 5})).unwrap();
    answer["thoughts"].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect()
}

fn health(service: &Process) -> u16 {
    let mut connection = Connection::open(&service.address).unwrap().waiting_at_most(ANSWERED_WITHIN);
    connection.send(&Request::get("/healthz"));
    connection.answer().status
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what} did not come");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Changes something in a database past the program.
fn say(address: &str, sql: &str) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute(sql).await.unwrap();
    });
}

#[test]
fn what_one_copy_stores_the_other_finds_on_the_next_call() {
    let place = Place::fresh();
    let given = Given::on(place.address(), place.schema());
    let (one, other) = (given.copy(), given.copy());
    let key = one.first_key().expect("the first start prints a key");
    assert_eq!(other.first_key(), None, "the second start finds everything made");
    let (mut here, mut there) = (one.caller(&key), other.caller(&key));
    for number in 0..20 {
        let word = format!("pebble{number}x");
        let id = captured(&mut here, &format!("a {word} from the beach"));
        assert_eq!(found(&mut there, &word)[0], id, "{word}");
    }
    let id = captured(&mut there, "the lamp is green");
    let done = json!({"thought_id": id, "edit_request": "mark as done"});
    here.tool("edit_thought", &done).unwrap();
    let again = there.tool("edit_thought", &done).unwrap();
    assert_eq!((&again["previous_status"], &again["changed"]), (&json!("completed"), &json!([])));
}

#[test]
fn a_key_that_is_revoked_elsewhere_is_refused_within_a_second() {
    let place = Place::fresh();
    let given = Given::on(place.address(), place.schema());
    let (one, other) = (given.copy(), given.copy());
    let made = given.run(&["key", "create", "laptop"]);
    let key = made.split_whitespace().find(|word| word.starts_with("aft_") && word.len() > 30).unwrap();
    let asked = |status| {
        let begun = Instant::now();
        for copy in [&one, &other] {
            assert_eq!(copy.caller(key).answer("retrieve_thoughts", &json!({})).unwrap().status, status);
        }
        begun.elapsed()
    };
    let before = asked(200);
    given.run(&["key", "revoke", &key[..10]]);
    let took = asked(401);
    // Only a machine on which asking takes so long may need more.
    assert!(took < Duration::from_secs(1).max(5 * before), "{took:?}, and {before:?} before");
}

#[test]
fn commands_of_this_machine_find_a_copy_that_runs_here() {
    let place = Place::fresh();
    let given = Given::on(place.address(), place.schema());
    assert!(given.run(&["status"]).contains("0 open"));
    let copy = given.copy();
    captured(&mut copy.caller(&copy.first_key().unwrap()), "Ana likes tea");
    let doctor = given.run(&["doctor"]);
    assert!(doctor.contains("database: the schema") && doctor.contains(&copy.address), "{doctor}");
    assert!(given.run(&["open", "--print"]).contains(&copy.address));
    assert!(given.run(&["status"]).contains("1 open"));
    let told = given.run(&["hook", "session-start"]);
    assert!(told.contains("Ana likes tea"), "{told}");
    let mut backup = Command::new(env!("CARGO_BIN_EXE_afterthought"));
    backup.args(["backup", "copy"]).current_dir(given.home.path()).env("HOME", given.home.path());
    let refused =
        backup.env("AFTERTHOUGHT_STORE", &given.address).env("AFTERTHOUGHT_SCHEMA", &given.schema).output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(1) && said.contains("pg_dump"), "{said}");
}

#[test]
fn commands_that_need_no_service_do_on_a_database_what_they_do_in_a_folder() {
    let place = Place::fresh();
    let given = Given::on(place.address(), place.schema());
    let id = {
        let mut copy = given.copy();
        let id = captured(&mut copy.caller(&copy.first_key().unwrap()), "The invoice went to Dana Whitfield");
        assert_eq!(copy.terminate(), Some(0));
        id
    };
    given.run(&["account", "create", "rui"]);
    assert!(given.run(&["account", "list"]).contains("rui"));
    given.run(&["key", "create", "laptop", "--account", "rui"]);
    assert!(given.run(&["key", "list", "--account", "rui"]).contains("laptop"));
    let note = given.home.path().join("plan.md");
    std::fs::write(&note, "a note about pebbles").unwrap();
    given.run(&["note", "attach", &id, note.to_str().unwrap()]);
    assert!(given.run(&["note", "list", &id]).contains("plan.md"));
    assert_eq!(given.run(&["reindex"]), "reindexed 1 thought\n");
    let status: Value = serde_json::from_str(&given.run(&["status", "--json"])).unwrap();
    let counted = (&status["accounts"], &status["thoughts"]["open"], &status["pending_enrichment"]);
    assert_eq!(counted, (&json!(2), &json!(1), &json!(0)), "{status}");
}

#[test]
fn where_there_is_no_database_serve_ends_with_one_sentence() {
    let home = tempfile::tempdir().unwrap();
    let mut serve = Command::new(env!("CARGO_BIN_EXE_afterthought"));
    serve.args(["serve", "--listen", "127.0.0.1:0"]).env("HOME", home.path());
    serve.env("AFTERTHOUGHT_STORE", "postgres://ana:s3cret@127.0.0.1:1/notes");
    let output = serve.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("error: the database at postgres://127.0.0.1:1/notes cannot be used"), "{said}");
    assert!(said.trim_end().lines().count() == 1 && !said.contains("s3cret"), "{said}");
}

#[test]
fn everything_moves_from_one_store_to_the_other_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let embedded = |arguments: &[&str]| crate::process::command(&folder.path().join("data"), arguments);
    let id = {
        let service = Process::start(&folder.path().join("data"));
        let mut caller = service.caller(&service.first_key().unwrap());
        let id = captured(&mut caller, "Ana \u{0} likes tea");
        caller.tool("edit_thought", &json!({"thought_id": id, "edit_request": "mark as done"})).unwrap();
        (0..300).for_each(|number| drop(captured(&mut caller, &format!("pebble {number} from the beach"))));
        id
    };
    let note = folder.path().join("note.md");
    std::fs::write(&note, "a note about pebbles").unwrap();
    assert!(embedded(&["note", "attach", &id, note.to_str().unwrap()]).success);
    let place = Place::fresh();
    let given = Given::on(place.address(), place.schema());
    let files = ["first.jsonl", "second.jsonl", "third.jsonl"].map(|name| folder.path().join(name));
    let [first, second, third] = files.each_ref().map(|path| path.to_str().unwrap());
    assert!(embedded(&["export", first]).success);
    given.run(&["import", "--with-keys", first]);
    // Importing again stores nothing twice.
    given.run(&["import", "--with-keys", first]);
    given.run(&["export", second]);
    let back = |arguments: &[&str]| crate::process::command(&folder.path().join("back"), arguments);
    assert!(back(&["import", "--with-keys", second]).success);
    assert!(back(&["export", third]).success);
    let records = |path: &str| {
        let text = std::fs::read_to_string(path).unwrap();
        // The first line says when it was written.
        text.lines().skip(1).map(str::to_owned).collect::<Vec<String>>()
    };
    assert!(records(first).len() > 300);
    assert_eq!(records(first), records(second));
    assert_eq!(records(first), records(third));
}

/// What was acknowledged: id of the thought and the one word nobody else has.
type Acknowledged = Arc<Mutex<BTreeMap<String, String>>>;

/// Callers that capture, each through one of the copies, whatever becomes of that and of the database.
struct Load {
    acknowledged: Acknowledged,
    stop: Arc<AtomicBool>,
    callers: Vec<std::thread::JoinHandle<()>>,
}

impl Load {
    fn on(copies: &[&Process], key: &str) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let (acknowledged, stop) = (Acknowledged::default(), Arc::new(AtomicBool::new(false)));
        let capture = |copy: &&Process| {
            let (mut caller, acknowledged, stop) = (copy.caller(key), acknowledged.clone(), stop.clone());
            std::thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
                    let word = format!("pebble{number}x");
                    let raw = json!({"raw": format!("a {word} from the beach"), "as_user": true});
                    let begun = Instant::now();
                    let Some(answer) = caller.answer("capture_thought", &raw) else { return };
                    assert!(begun.elapsed() < ANSWERED_WITHIN, "answered after {:?}", begun.elapsed());
                    if let Some(id) = answer.json()["result"]["structuredContent"]["thought"]["id"].as_str() {
                        acknowledged.lock().insert(id.to_owned(), word);
                    } else {
                        assert_eq!((answer.status, answer.error_code()), (503, -32_001), "{}", answer.text());
                        assert_eq!(answer.header("retry-after"), Some("5"));
                        std::thread::sleep(Duration::from_millis(20));
                    }
                }
            })
        };
        let callers = copies.iter().cycle().take(4).map(capture).collect();
        Self { acknowledged, stop, callers }
    }

    fn acknowledged(&self) -> usize {
        self.acknowledged.lock().len()
    }

    /// Waits until so many more have been acknowledged.
    fn wait_for(&self, more: usize) {
        let goal = self.acknowledged() + more;
        wait_until("an acknowledgement", || self.acknowledged() >= goal);
    }

    fn end(self) -> BTreeMap<String, String> {
        self.stop.store(true, Ordering::Relaxed);
        self.callers.into_iter().for_each(|caller| caller.join().unwrap());
        std::mem::take(&mut *self.acknowledged.lock())
    }
}

/// Everything acknowledged is found, once.
fn assert_kept(copy: &Process, key: &str, acknowledged: &BTreeMap<String, String>) {
    let mut caller = copy.caller(key);
    for (id, word) in acknowledged {
        assert_eq!(found(&mut caller, word).iter().filter(|hit| *hit == id).count(), 1, "{word}");
    }
}

#[test]
fn a_copy_that_is_killed_under_load_loses_nothing() {
    let place = Place::fresh();
    let given = Given::on(place.address(), place.schema());
    let (mut one, other) = (given.copy(), given.copy());
    let key = one.first_key().unwrap();
    let load = Load::on(&[&one, &other], &key);
    load.wait_for(150);
    one.kill_9();
    load.wait_for(50);
    let acknowledged = load.end();
    assert_kept(&other, &key, &acknowledged);
}

#[test]
fn what_a_killed_copy_had_begun_is_taken_over() {
    let place = Place::fresh();
    let given = Given::on(place.address(), place.schema());
    let (mut one, _other) = (given.copy(), given.copy());
    let mut caller = one.caller(&one.first_key().unwrap());
    (0..4).for_each(|number| drop(captured(&mut caller, &format!("pebble {number} from the beach"))));
    one.kill_9();
    // Once its leases have ended.
    wait_until("the enrichment", || {
        let status: Value = serde_json::from_str(&given.run(&["status", "--json"])).unwrap();
        (&status["pending_enrichment"], &status["given_up"]) == (&json!(0), &json!(0))
    });
}

fn own_server() -> Server {
    Server::start(&Settings::default())
}

#[test]
fn a_database_that_is_killed_under_load_loses_nothing_and_the_service_recovers() {
    let mut server = own_server();
    let given = Given::on(&server.address(), "afterthought");
    let copy = given.copy();
    let key = copy.first_key().unwrap();
    let load = Load::on(&[&copy], &key);
    load.wait_for(100);
    server.kill();
    wait_until("ill health", || health(&copy) == 503);
    let refused = copy.caller(&key).answer("retrieve_thoughts", &json!({"query": "pebble"})).unwrap();
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("5")));
    server.launch();
    load.wait_for(50);
    wait_until("health", || health(&copy) == 200);
    let acknowledged = load.end();
    assert_kept(&copy, &key, &acknowledged);
}

#[test]
fn a_database_that_hangs_is_given_up_in_time_and_comes_back() {
    let server = own_server();
    let given = Given::on(&server.address(), "afterthought");
    let copy = given.copy();
    let key = copy.first_key().unwrap();
    let mut caller = copy.caller(&key);
    let id = captured(&mut caller, "Ana likes tea");
    server.freeze(true);
    let begun = Instant::now();
    let refused = copy.caller(&key).answer("retrieve_thoughts", &json!({"query": "tea"})).unwrap();
    let (status, took) = (refused.status, begun.elapsed());
    server.freeze(false);
    assert!(status == 503 && took < ANSWERED_WITHIN, "{status} after {took:?}");
    wait_until("health", || health(&copy) == 200);
    assert_eq!(found(&mut copy.caller(&key), "tea"), [id]);
}

#[test]
fn what_was_acknowledged_survives_the_death_of_the_primary() {
    let synchronous = ["synchronous_standby_names = '*'", "wal_level = replica", "hot_standby = on"];
    let mut primary =
        Server::start(&Settings { configuration: synchronous.map(str::to_owned).to_vec(), ..Settings::default() });
    let standby = Server::start_standby(&primary, "second");
    let (one, other) = (primary.port(), standby.port());
    let address =
        format!("postgres://postgres@127.0.0.1:{one},127.0.0.1:{other}/postgres?target_session_attrs=read-write");
    let given = Given::on(&address, "afterthought");
    let copy = given.copy();
    let key = copy.first_key().unwrap();
    let load = Load::on(&[&copy], &key);
    load.wait_for(100);
    primary.kill();
    standby.promote();
    load.wait_for(50);
    let acknowledged = load.end();
    assert_kept(&copy, &key, &acknowledged);
}
