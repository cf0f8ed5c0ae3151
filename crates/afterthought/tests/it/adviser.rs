//! A language model that is asked about edit requests: only where the rules do not understand, and never trusted blindly.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::process::{Caller, Process, command};

/// What the stand-in for a model does with a question.
#[derive(Clone)]
enum Habit {
    /// Replies with this.
    Says(String),
    /// Turns down what not every endpoint knows, then replies with this.
    IsPlain(String),
    /// Answers with this status.
    Fails(u16),
    /// Takes the question and never answers.
    IsSilent,
    /// Replies with the first of these, once the second is set.
    Waits(String, Arc<AtomicBool>),
}

/// An endpoint on this machine that keeps what it was asked.
struct Endpoint {
    url: String,
    questions: Arc<Mutex<Vec<Value>>>,
}

impl Endpoint {
    fn start(habit: Habit) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let questions = Arc::new(Mutex::new(Vec::new()));
        let asked = questions.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (habit, asked) = (habit.clone(), asked.clone());
                std::thread::spawn(move || answer(stream.unwrap(), &habit, &asked));
            }
        });
        Self { url, questions }
    }

    fn saying(answer: &Value) -> Self {
        Self::start(Habit::Says(answer.to_string()))
    }

    fn questions(&self) -> Vec<Value> {
        self.questions.lock().unwrap().clone()
    }
}

/// Answers the requests of one connection.
fn answer(stream: TcpStream, habit: &Habit, asked: &Mutex<Vec<Value>>) {
    let mut reader = BufReader::new(stream);
    loop {
        let (mut length, mut head, mut line) = (0, String::new(), String::new());
        while line != "\r\n" {
            line.clear();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            head.push_str(&line);
        }
        assert!(head.starts_with("POST /v1/chat/completions ") && head.contains("Bearer secret"), "{head}");
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let question: Value = serde_json::from_slice(&body).unwrap();
        let is_plain = question.get("response_format").is_none();
        asked.lock().unwrap().push(question);
        let (status, content) = match habit {
            Habit::Says(content) => (200, content.as_str()),
            Habit::IsPlain(content) if is_plain => (200, content.as_str()),
            Habit::IsPlain(_) => (400, ""),
            Habit::Fails(status) => (*status, ""),
            Habit::Waits(content, flag) => {
                while !flag.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                (200, content.as_str())
            }
            Habit::IsSilent => {
                // Ends when the other side gives up.
                let _ = reader.read_line(&mut line);
                return;
            }
        };
        let answer = json!({"choices": [{"message": {"role": "assistant", "content": content}}]}).to_string();
        let head = format!(
            "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            answer.len()
        );
        reader.get_mut().write_all((head + &answer).as_bytes()).unwrap();
    }
}

/// A service with one thought and perhaps a model.
struct Setting {
    folder: tempfile::TempDir,
    process: Process,
    key: String,
    caller: Caller,
    id: String,
}

impl Setting {
    fn with_model(text: &str, url: &str) -> Self {
        Self::with_patience(text, url, "20")
    }

    /// With a model that may take so many seconds.
    fn with_patience(text: &str, url: &str, seconds: &str) -> Self {
        let variables = [
            ("AFTERTHOUGHT_LLM_URL", url),
            ("AFTERTHOUGHT_LLM_MODEL", "small"),
            ("AFTERTHOUGHT_LLM_KEY", "secret"),
            ("AFTERTHOUGHT_LLM_TIMEOUT", seconds),
        ];
        Self::start(text, &variables)
    }

    fn start(text: &str, variables: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let process = Process::start_in(folder.path(), &[], variables);
        let key = process.first_key().unwrap();
        let mut caller = process.caller(&key);
        let captured = caller.tool("capture_thought", &json!({"raw": text})).unwrap();
        let id = captured["thought"]["id"].as_str().unwrap().to_owned();
        Self { folder, process, key, caller, id }
    }

    fn edit(&mut self, request: &str) -> Result<Value, String> {
        edit(&mut self.caller, &json!({"thought_id": self.id, "edit_request": request}))
    }

    /// What was changed so far, as an export tells it.
    fn revisions(&self) -> Vec<Value> {
        let export = command(self.folder.path(), &["export"]);
        let lines = export.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["type"] == "revision").map(|line| line["part"].clone()).collect()
    }
}

/// What the tool answers with, or the sentence it refuses with.
fn edit(caller: &mut Caller, arguments: &Value) -> Result<Value, String> {
    let mut result = caller.call("edit_thought", arguments).unwrap();
    match result["isError"] == json!(true) {
        true => Err(result["content"][0]["text"].as_str().unwrap().to_owned()),
        false => Ok(result["structuredContent"].take()),
    }
}

const TEXT: &str = "Dana will be so kind as to send us the invoice on Friday";
const VAGUE: &str = "make it shorter";

#[test]
fn a_model_carries_out_what_the_rules_do_not_understand() {
    let short = "Dana sends the invoice on Friday";
    let endpoint = Endpoint::saying(&json!({"text": short, "status": null, "refusal": null}));
    let mut setting = Setting::with_model(TEXT, &endpoint.url);
    let edited = setting.edit(VAGUE).unwrap();
    assert_eq!((&edited["thought"]["raw_text"], &edited["by_model"]), (&json!(short), &json!(true)));
    assert_eq!(edited["changed"], json!(["text"]));
    let questions = endpoint.questions();
    assert_eq!((questions.len(), &questions[0]["model"]), (1, &json!("small")));
    let told: Value = serde_json::from_str(questions[0]["messages"][1]["content"].as_str().unwrap()).unwrap();
    assert_eq!(told, json!({"note": TEXT, "status": "open", "request": VAGUE}));
    let revisions = setting.revisions();
    assert_eq!((&revisions[0]["kind"], &revisions[0]["by"]), (&json!("model_change"), &json!("default")));
    let undone = setting.edit("undo").unwrap();
    assert_eq!((&undone["thought"]["raw_text"], undone.get("by_model")), (&json!(TEXT), None));
}

#[test]
fn a_model_is_asked_only_where_the_rules_lack_understanding() {
    let endpoint = Endpoint::saying(&json!({"text": "rewritten", "status": "archived"}));
    let mut setting = Setting::with_model(TEXT, &endpoint.url);
    for refused in [
        "what is this about?",
        "change Saturday to Sunday",
        "mark it done and reopen it",
        "do not change anything",
        "mark as done when she has sent it",
    ] {
        let refusal = setting.edit(refused).unwrap_err();
        assert!(!refusal.contains("language model"), "{refused}: {refusal}");
    }
    setting.edit("change Friday to Monday").unwrap();
    let arguments = json!({"thought_id": setting.id, "edit_request": VAGUE, "raw_text": "tea"});
    edit(&mut setting.caller, &arguments).unwrap_err();
    assert_eq!(endpoint.questions(), Vec::<Value>::new());
}

#[test]
fn without_a_model_the_refusal_is_the_rules_own() {
    let mut setting = Setting::start(TEXT, &[]);
    let refusal = setting.edit(VAGUE).unwrap_err();
    assert!(!refusal.contains("model"), "{refusal}");
    assert_eq!(setting.revisions(), Vec::<Value>::new());
}

#[test]
fn an_answer_that_cannot_be_trusted_changes_nothing() {
    let long = "word ".repeat(500);
    for (habit, reason) in [
        (Habit::Says(json!({"refusal": "No date is named."}).to_string()), "declined: No date is named"),
        (Habit::Says("Sure, I made it shorter!".into()), "not the JSON object"),
        (Habit::Says(json!({"text": "  "}).to_string()), "no text"),
        (Habit::Says(json!({"text": long}).to_string()), "far longer"),
        (Habit::Says(json!({"text": TEXT}).to_string()), "change nothing"),
        (Habit::Fails(500), "it answered 500"),
        (Habit::Fails(401), "it answered 401"),
    ] {
        let endpoint = Endpoint::start(habit);
        let mut setting = Setting::with_model(TEXT, &endpoint.url);
        let refusal = setting.edit(VAGUE).unwrap_err();
        assert!(refusal.contains("does not say what the text should become") && refusal.contains(reason), "{refusal}");
        assert!(!refusal.contains("secret"), "{refusal}");
        assert_eq!(setting.revisions(), Vec::<Value>::new(), "{reason}");
    }
}

#[test]
fn an_endpoint_without_json_mode_is_asked_plainly() {
    let reply = "<think>Shorter, then.</think>\n```json\n{\"text\": \"Dana sends the invoice on Friday\"}\n```";
    let endpoint = Endpoint::start(Habit::IsPlain(reply.into()));
    let mut setting = Setting::with_model(TEXT, &endpoint.url);
    setting.edit(VAGUE).unwrap();
    setting.edit("undo").unwrap();
    setting.edit(VAGUE).unwrap();
    assert_eq!(endpoint.questions().len(), 3, "what it does not know is tried once");
}

#[test]
fn a_dead_or_silent_endpoint_gives_the_rules_refusal_within_the_time_limit() {
    let dead = format!("http://{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    let silent = Endpoint::start(Habit::IsSilent);
    for url in [&dead, &silent.url] {
        let mut setting = Setting::with_patience(TEXT, url, "1");
        let begun = Instant::now();
        let refusal = setting.edit(VAGUE).unwrap_err();
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        assert!(refusal.contains("does not say") && refusal.contains("could not be asked"), "{refusal}");
        setting.edit("mark as done").unwrap();
    }
}

#[test]
fn a_change_meanwhile_is_not_overwritten_by_a_model() {
    let flag = Arc::new(AtomicBool::new(false));
    let endpoint = Endpoint::start(Habit::Waits(json!({"text": "Dana sends the invoice"}).to_string(), flag.clone()));
    let mut setting = Setting::with_model(TEXT, &endpoint.url);
    let mut other = setting.process.caller(&setting.key);
    let arguments = json!({"thought_id": setting.id, "edit_request": "change Friday to Monday"});
    let waiting = std::thread::spawn(move || {
        let refusal = setting.edit(VAGUE).unwrap_err();
        (refusal, setting.revisions())
    });
    while endpoint.questions().is_empty() {
        std::thread::yield_now();
    }
    edit(&mut other, &arguments).unwrap();
    flag.store(true, Ordering::Relaxed);
    let (refusal, revisions) = waiting.join().unwrap();
    assert!(refusal.contains("changed by others"), "{refusal}");
    assert_eq!((revisions.len(), &revisions[0]["kind"]), (1, &json!("change")));
}
