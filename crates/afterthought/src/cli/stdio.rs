//! `afterthought stdio`: MCP over standard input and output, forwarded to the one service of the data folder.
//!
//! - It keeps nothing and opens no store while it runs: ten clients cost one service.
//! - A call is answered, or fails with a reason, and is never carried out twice: one whose answer was lost is sent again only if it
//!   changes nothing.
//! - Calls of tools are carried out in the order they come in; everything else does not wait for them.

mod message;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use serde_json::Value;

use model::{AccountName, KeyName};

use super::background;
use super::forward::{Answered, Forward, Unanswered, endpoint, key_of_environment};
use super::kept_key;
use super::place::Place;
use crate::mcp::Headers;
use message::{Message, failure};

/// Speak MCP over standard input and output, for clients that start a program
///
/// Forwards to the service of the data folder and starts one in the background where none runs; that one ends by itself when nobody has
/// called for an hour. Captures are attributed to a key named with `--as`, which is made once and kept in the data folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  afterthought stdio --as claude-desktop
  AFTERTHOUGHT_KEY=aft_… afterthought stdio --url https://memory.example.org")]
pub(super) struct Stdio {
    /// The name that captures are attributed to
    #[arg(long = "as", value_name = "NAME", default_value = "stdio")]
    name: KeyName,
    /// The account [default: the only one, or the one called `default`]
    #[arg(long, value_name = "ACCOUNT")]
    account: Option<AccountName>,
    /// Forward to this service instead, with the key in AFTERTHOUGHT_KEY
    #[arg(long, value_name = "URL", conflicts_with = "account")]
    url: Option<String>,
}

/// How long a service that goes away is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long to wait before the next try.
const TRY_EVERY: Duration = Duration::from_millis(50);

/// After so long without a call somebody else may have the port: the service is looked for anew.
const FRESH: Duration = Duration::from_secs(60);

/// The longest message, as over HTTP.
const LINE_BYTES_MAX: usize = 1_048_576;

/// How many messages may wait.
const WAITING_MAX: usize = 64;

impl Stdio {
    pub(super) async fn run(self, place: &Place) -> anyhow::Result<()> {
        let target = match self.url {
            Some(url) => Target::Elsewhere(Forward::new(endpoint(&url)?, key_of_environment()?)),
            None => {
                let deadline = Instant::now() + PATIENCE;
                let running = background::ensure(place, deadline)?;
                let key = kept_key::kept_or_made(place, &self.name, self.account.as_ref(), deadline).await?;
                let here = Here { place, key: key.secret, known: Mutex::new(None) };
                let forward = here.to(&running);
                *here.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) =
                    Some((forward.clone(), Instant::now()));
                if forward.post(PING, &Headers::default()).is_ok_and(|answered| answered.status == 401) {
                    bail!(
                        "the key `{}` was revoked, and is not replaced by itself: remove `{}` to have another made",
                        self.name,
                        key.path.display()
                    );
                }
                Target::Here(here)
            }
        };
        let refused = AtomicBool::new(false);
        let (calls, others) = (sync_channel(WAITING_MAX), sync_channel(WAITING_MAX));
        std::thread::scope(|scope| {
            let (target, refused) = (&target, &refused);
            scope.spawn(move || work(target, calls.1, refused));
            scope.spawn(move || work(target, others.1, refused));
            read(io::stdin().lock(), |line| match line.and_then(Message::read) {
                Ok(message) if message.is_call() => calls.0.send(message).is_ok(),
                Ok(message) => others.0.send(message).is_ok(),
                Err(answer) => say(&answer),
            });
            drop((calls.0, others.0));
        });
        if refused.into_inner() {
            bail!("the service refused the key: see `afterthought key list`");
        }
        Ok(())
    }
}

const PING: &str = r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#;

/// Tells each line that is not blank; an error is the answer it gets. Ends with the input, or when `each` says so.
fn read(input: impl Read, mut each: impl FnMut(Result<String, String>) -> bool) {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut input).take(LINE_BYTES_MAX as u64 + 2).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let is_long = line.trim_ascii_end().len() > LINE_BYTES_MAX;
        if is_long && line.last() != Some(&b'\n') && input.skip_until(b'\n').is_err() {
            return;
        }
        let told = match std::str::from_utf8(&line) {
            _ if is_long => {
                Err(failure(&Value::Null, -32600, "the line is longer than 1048576 bytes, the most there may be"))
            }
            Ok(text) if text.trim().is_empty() => continue,
            Ok(text) => Ok(text.trim().to_owned()),
            Err(_) => Err(failure(&Value::Null, -32700, "the line is not UTF-8")),
        };
        if !each(told) {
            return;
        }
    }
}

/// Writes an answer; whether somebody still reads.
fn say(line: &str) -> bool {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}").and_then(|()| output.flush()).is_ok()
}

fn work(target: &Target<'_>, messages: Receiver<Message>, refused: &AtomicBool) {
    for message in messages {
        let answer = target.answer(&message, refused);
        if answer.is_some_and(|answer| !say(&answer)) {
            return;
        }
    }
}

/// Where messages go.
enum Target<'a> {
    Elsewhere(Forward),
    Here(Here<'a>),
}

/// The service of the data folder, wherever it is at the moment.
struct Here<'a> {
    place: &'a Place,
    key: String,
    /// Where it was, and when that was last known.
    known: Mutex<Option<(Forward, Instant)>>,
}

impl Here<'_> {
    fn to(&self, running: &crate::running::Running) -> Forward {
        Forward::new(running.endpoint(), self.key.clone())
    }

    /// The way to the service, which is started if none runs.
    fn forward(&self, deadline: Instant) -> anyhow::Result<Forward> {
        let mut known = self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((forward, at)) = known.as_mut().filter(|(_, at)| at.elapsed() < FRESH) {
            *at = Instant::now();
            return Ok(forward.clone());
        }
        let forward = self.to(&background::ensure(self.place, deadline)?);
        *known = Some((forward.clone(), Instant::now()));
        Ok(forward)
    }

    fn forget(&self) {
        *self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = None;
    }
}

impl Target<'_> {
    /// What a message is answered with; `None` for a notification.
    fn answer(&self, message: &Message, refused: &AtomicBool) -> Option<String> {
        match self.send(message) {
            Ok(answered) => {
                if answered.status == 401 {
                    refused.store(true, Ordering::Relaxed);
                }
                worded(message, answered)
            }
            Err(said) => message.failure(-32001, &said),
        }
    }

    fn send(&self, message: &Message) -> Result<Answered, String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let forward = match self {
                Self::Elsewhere(forward) => forward.clone(),
                Self::Here(here) => here.forward(deadline).map_err(|error| error.to_string())?,
            };
            let error = match forward.post(&message.line, &message.headers()) {
                Ok(answered) => return Ok(answered),
                Err(error) => error,
            };
            if let Self::Here(here) = self {
                here.forget();
            }
            match error {
                Unanswered::Lost(_) if !message.changes_nothing() => {
                    return Err(format!(
                        "{error}; whether it took effect is not known: look for it before you try again"
                    ));
                }
                error if Instant::now() > deadline => return Err(format!("{error}; try again later")),
                _ => std::thread::sleep(TRY_EVERY),
            }
        }
    }
}

/// The answer of a service as a line with the id of the message.
fn worded(message: &Message, answered: Answered) -> Option<String> {
    let id = message.id.as_ref()?;
    let Answered { status, body } = answered;
    let is_whole = |value: &Value| value.get("result").is_some() || value.get("error").is_some();
    match serde_json::from_str::<Value>(&body) {
        Ok(_) if status == 200 && !body.contains('\n') => Some(body),
        // What is refused before the body is read carries no id, and a client would wait for its own for ever.
        Ok(mut value) if is_whole(&value) => {
            if value.get("id").is_none_or(Value::is_null) {
                value["id"] = id.clone();
            }
            Some(value.to_string())
        }
        _ => message.failure(-32001, &format!("the service answered {status} and nothing that can be read")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded_and_blank_ones_passed_over() {
        let long = "x".repeat(LINE_BYTES_MAX + 1);
        let longest = "y".repeat(LINE_BYTES_MAX);
        let input = format!("one\n\n{long}\n{longest}\r\n{long}{long}\ntwo");
        let mut told = Vec::new();
        read(input.as_bytes(), |line| {
            told.push(line);
            true
        });
        let lengths: Vec<Option<usize>> = told.iter().map(|line| line.as_ref().ok().map(String::len)).collect();
        assert_eq!(lengths, [Some(3), None, Some(LINE_BYTES_MAX), None, Some(3)]);
        assert!(told[1].as_ref().unwrap_err().contains(r#""id":null"#));
    }

    #[test]
    fn an_answer_without_an_id_gets_that_of_the_message() {
        let message = Message::read(r#"{"id":7,"method":"ping"}"#.into()).ok().unwrap();
        let answered = |status: u16, body: &str| worded(&message, Answered { status, body: body.into() }).unwrap();
        let refused = answered(429, r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"slow down"}}"#);
        assert!(refused.contains(r#""id":7"#) && refused.contains("slow down"), "{refused}");
        assert!(answered(502, "<html>").contains("answered 502"));
        assert_eq!(answered(200, r#"{"id":7,"result":{}}"#), r#"{"id":7,"result":{}}"#);
    }
}
