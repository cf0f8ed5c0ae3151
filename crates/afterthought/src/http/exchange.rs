//! A request at the MCP endpoint and what became of it, for the answer, the log and the metrics.

use hyper::header::RETRY_AFTER;

use model::KeyId;

use super::refusal::{Refusal, STORE_RETRY_AFTER, status_of};
use super::reply::{self, Format, Reply};
use crate::mcp::{self, Answer};

/// A request at the MCP endpoint and what became of it.
#[derive(Debug)]
pub(super) struct Exchange {
    pub(super) reply: Reply,
    /// The key that was shown, if it was good.
    pub(super) key: Option<KeyId>,
    /// The method that was asked for, if the request got that far.
    pub(super) method: Option<mcp::Method>,
    /// One word of a fixed set.
    pub(super) outcome: &'static str,
}

impl Exchange {
    pub(super) fn refused(refusal: &Refusal, key: Option<KeyId>) -> Self {
        Self { reply: refusal.reply(), key, method: None, outcome: outcome_of(refusal) }
    }

    pub(super) fn answered(answer: Answer, format: Format, key: Option<KeyId>) -> Self {
        let status = status_of(answer.outcome);
        let mut reply = match answer.body {
            Some(body) => reply::message(status, format, body),
            None => reply::empty(status),
        };
        if answer.outcome == mcp::Outcome::Failed {
            reply.headers_mut().insert(RETRY_AFTER, STORE_RETRY_AFTER);
        }
        let outcome = match answer.outcome {
            mcp::Outcome::Done | mcp::Outcome::Noted => "ok",
            mcp::Outcome::Refused => "refused",
            mcp::Outcome::Failed => "failed",
            mcp::Outcome::Fault(..) => "invalid",
        };
        Self { reply, key, method: Some(answer.method), outcome }
    }
}

const fn outcome_of(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Host | Refusal::Origin | Refusal::KeyMissing | Refusal::KeyInvalid => "denied",
        Refusal::RateLimit { .. } => "limited",
        Refusal::KeyUnchecked | Refusal::Panic => "failed",
        Refusal::Method { .. }
        | Refusal::NotAcceptable
        | Refusal::ContentType
        | Refusal::ContentEncoding
        | Refusal::BodyTooLarge { .. }
        | Refusal::BodyTimeout
        | Refusal::BodyBroken => "invalid",
    }
}
