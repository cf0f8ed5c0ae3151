//! Why the app's API did not do what was asked: the one place where that becomes a status, a code and a sentence.

use hyper::StatusCode;
use hyper::header::{ALLOW, CONNECTION, HeaderValue, RETRY_AFTER};
use serde_json::json;
use tracing::error;

use edits::Refusal as EditRefusal;
use model::Invalid;
use service::memory::{MemoryError, Refusal};
use store::StoreError;

use crate::http::refusal::{Refusal as Denial, STORE_RETRY_AFTER};
use crate::http::reply::{self, Reply};

/// Why something was not done. Nothing has changed.
#[derive(Debug)]
pub(super) enum Fault {
    /// What every request of the service can be denied for.
    Denied(Denial),
    /// What was sent cannot be read; the sentence says what is wrong with it.
    Unreadable(String),
    /// There is no such path.
    NoSuchPath,
    /// The account has no such thing.
    Absent(&'static str),
    /// There is no session, or it has ended.
    SignedOut,
    /// Neither a link nor a key that opens anything.
    BadSignIn(&'static str),
    /// What only the owner of the account may do.
    OwnerOnly,
    /// The rules refuse.
    Refused(Box<Refusal>),
    /// A value that cannot be stored.
    Invalid(Invalid),
    /// The store failed.
    Store(StoreError),
}

impl Fault {
    /// The answer.
    pub(super) fn reply(self) -> Reply {
        if let Self::Store(error) = &self {
            error!(error = error as &dyn std::error::Error, "the store failed a request of the app");
        }
        let (status, code, message) = self.told();
        let body = json!({ "error": { "code": code, "message": message } });
        let mut reply = reply::json(status, body.to_string());
        let headers = reply.headers_mut();
        match self {
            Self::Denied(Denial::Method { allowed }) => {
                headers.insert(ALLOW, HeaderValue::from_static(allowed));
            }
            Self::Denied(Denial::RateLimit { retry_after_s }) => {
                headers.insert(RETRY_AFTER, HeaderValue::from(retry_after_s));
            }
            Self::Denied(Denial::BodyTimeout | Denial::BodyBroken) => {
                headers.insert(CONNECTION, HeaderValue::from_static("close"));
            }
            Self::Store(_) => {
                headers.insert(RETRY_AFTER, STORE_RETRY_AFTER);
            }
            _ => {}
        }
        reply
    }

    fn told(&self) -> (StatusCode, &'static str, String) {
        match self {
            Self::Denied(denial) => {
                let (code, message) = denied(denial);
                (denial.status(), code, message)
            }
            Self::Unreadable(message) => (StatusCode::BAD_REQUEST, "bad_request", message.clone()),
            Self::NoSuchPath => (StatusCode::NOT_FOUND, "not_found", "there is nothing at this address".into()),
            Self::Absent(thing) => {
                (StatusCode::NOT_FOUND, absent(thing), format!("there is no such {thing} in this account"))
            }
            Self::SignedOut => {
                (StatusCode::UNAUTHORIZED, "signed_out", "you are signed out: sign in with a link or a key".into())
            }
            Self::BadSignIn(message) => (StatusCode::UNAUTHORIZED, "bad_sign_in", (*message).into()),
            Self::OwnerOnly => (
                StatusCode::FORBIDDEN,
                "owner_only",
                "only the owner may do this: sign in with a link from `afterthought open`".into(),
            ),
            Self::Refused(refusal) => refused(refusal),
            Self::Invalid(invalid) => (StatusCode::UNPROCESSABLE_ENTITY, "refused", invalid.to_string()),
            Self::Store(unsure @ StoreError::Unsure { .. }) => {
                (StatusCode::SERVICE_UNAVAILABLE, "store_unsure", unsure.to_string())
            }
            Self::Store(error) => (
                StatusCode::SERVICE_UNAVAILABLE,
                "store_unavailable",
                format!("nothing was changed: {}", public(error)),
            ),
        }
    }
}

/// What may be told of a failure: names of files are not.
fn public(error: &StoreError) -> &'static str {
    match error {
        StoreError::Busy(_) => "the store is busy, try again in a moment",
        StoreError::Full(_) => "the disk of the service is full, free some space on it",
        StoreError::Newer { .. } | StoreError::Corrupt { .. } => "the store cannot be read, see the log of the service",
        StoreError::Backend(_) | StoreError::Unsure { .. } => "the store failed, see the log of the service",
    }
}

fn absent(thing: &str) -> &'static str {
    match thing {
        "thought" => "no_such_thought",
        "note" => "no_such_note",
        "entity" => "no_such_entity",
        "key" => "no_such_key",
        _ => "not_found",
    }
}

fn denied(denial: &Denial) -> (&'static str, String) {
    match denial {
        Denial::Method { .. } => ("method", "this address takes another method".into()),
        Denial::Host => {
            ("other_host", "the service does not answer to this host name: see `serve --allow-host`".into())
        }
        Denial::Origin => ("other_origin", "only the app's own page may do this".into()),
        Denial::RateLimit { retry_after_s } => {
            ("too_fast", format!("too many requests: try again in {retry_after_s} s"))
        }
        Denial::ContentType | Denial::ContentEncoding | Denial::NotAcceptable => {
            ("content_type", "send `Content-Type: application/json`, uncompressed".into())
        }
        Denial::BodyTooLarge { bytes_max } => ("too_large", format!("at most {bytes_max} bytes may be sent here")),
        Denial::BodyTimeout | Denial::BodyBroken => {
            ("bad_request", "what was sent did not arrive whole: try again".into())
        }
        Denial::KeyMissing | Denial::KeyInvalid => ("signed_out", "you are signed out: sign in again".into()),
        Denial::KeyUnchecked => ("store_unavailable", "the store cannot be reached: try again in a moment".into()),
        Denial::Panic => ("bug", "something went wrong in the service: see its log".into()),
    }
}

/// The words for what the rules refuse, for a person at a page.
fn refused(refusal: &Refusal) -> (StatusCode, &'static str, String) {
    let unprocessable = |message: String| (StatusCode::UNPROCESSABLE_ENTITY, "refused", message);
    match refusal {
        Refusal::NoSuchThought(_) => {
            (StatusCode::NOT_FOUND, "no_such_thought", "there is no such thought in this account".into())
        }
        Refusal::Contended => (
            StatusCode::CONFLICT,
            "changed_meanwhile",
            "the thought has been changed meanwhile: load it again and decide anew".into(),
        ),
        Refusal::RequestRefused { by_rules, by_adviser: None, .. } => unprocessable(edit_refused(by_rules)),
        Refusal::RequestRefused { by_rules, by_adviser: Some(advice), .. } => {
            unprocessable(format!("{}; {advice}", edit_refused(by_rules)))
        }
        Refusal::NothingToUndo => unprocessable("there is nothing to undo".into()),
        Refusal::NothingToRedo => unprocessable("there is nothing to redo".into()),
        Refusal::NothingToChange => unprocessable("say what should change".into()),
        Refusal::QueryTooLong { bytes_max } | Refusal::RequestTooLong { bytes_max } => {
            unprocessable(format!("that is too long: at most {bytes_max} bytes are read"))
        }
        Refusal::CursorWithSearch => unprocessable("the `cursor` is of another list: begin with its first page".into()),
        Refusal::TextChangedTwice => unprocessable("change the text by hand or by a request, not both at once".into()),
        Refusal::KeyPrefixTooShort { .. } | Refusal::KeyPrefixAmbiguous { .. } | Refusal::KeyPrefixUnknown { .. } => {
            unprocessable("there is no such key in this account".into())
        }
        Refusal::Invalid(invalid) => unprocessable(invalid.to_string()),
    }
}

fn edit_refused(refusal: &EditRefusal) -> String {
    format!("{refusal}; or change the text by hand")
}

impl From<Denial> for Fault {
    fn from(denial: Denial) -> Self {
        Self::Denied(denial)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Invalid> for Fault {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(invalid)
    }
}

impl From<MemoryError> for Fault {
    fn from(error: MemoryError) -> Self {
        match error {
            MemoryError::Refused(refusal) => Self::Refused(Box::new(refusal)),
            MemoryError::Store(error) => Self::Store(error),
        }
    }
}
