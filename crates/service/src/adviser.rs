//! The adviser: a language model that is asked what an edit request means where the rules do not know.
//!
//! - There is one only if an address is configured; without it nothing ever leaves the machine.
//! - What it answers is checked before anybody acts on it, and it is given a limited time.
//! - Neither texts nor requests nor answers are logged.

mod answer;
mod chat;
mod check;
#[cfg(test)]
mod fuzz;
mod question;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tracing::warn;

pub use answer::Answer;
pub use chat::{Chat, ChatError, RemoteChat};
pub use check::Advice;
pub use question::Question;

/// How many requests are with the model at once; more would only take longer each.
const AT_ONCE: usize = 2;

/// The longest text and request that are sent, in bytes: small models lose their way in more, and the whole text comes back.
const QUESTION_BYTES_MAX: usize = 8_192;

/// Asks a language model, a few requests at a time.
#[derive(Clone)]
pub struct Adviser {
    chat: Arc<dyn Chat>,
    permits: Arc<Semaphore>,
    time_limit: Duration,
}

/// Why there is no advice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdviceError {
    /// The model sees no definite change either.
    #[error("the language model was asked and declined: {0}")]
    Declined(String),
    /// What it answered is not safe to use.
    #[error("the language model was asked, and its answer was not used: {0}")]
    Unusable(&'static str),
    /// It could not be asked, or did not answer in time.
    #[error("the language model could not be asked: {0}")]
    Unavailable(String),
}

impl Adviser {
    /// Makes the model behind `chat` available; each question takes `time_limit` at most.
    pub fn new(chat: Arc<dyn Chat>, time_limit: Duration) -> Self {
        Self { chat, permits: Arc::new(Semaphore::new(AT_ONCE)), time_limit }
    }

    /// What the request means, checked; within the time limit.
    pub async fn advise(&self, question: Question<'_>) -> Result<Advice, AdviceError> {
        if question.text.len() + question.request.len() > QUESTION_BYTES_MAX {
            return Err(AdviceError::Unavailable("the thought is too long for it".into()));
        }
        let reply = match tokio::time::timeout(self.time_limit, self.ask(question)).await {
            Ok(reply) => reply,
            Err(_) => Err(format!("it did not answer within {} seconds", self.time_limit.as_secs_f32())),
        };
        let reply = reply.map_err(|reason| {
            warn!(%reason, "the language model could not be asked");
            AdviceError::Unavailable(reason)
        })?;
        match answer::read(&reply).map_err(AdviceError::Unusable)? {
            Answer::Refusal(reason) => Err(AdviceError::Declined(reason)),
            Answer::Change { text, status } => {
                check::checked(question, Advice { text, status }).map_err(AdviceError::Unusable)
            }
        }
    }

    async fn ask(&self, question: Question<'_>) -> Result<String, String> {
        let permit = self.permits.clone().acquire_owned().await.map_err(|error| error.to_string())?;
        let (chat, messages, time_limit) = (self.chat.clone(), chat::messages(question), self.time_limit);
        let asked = tokio::task::spawn_blocking(move || {
            // Held until the model is free again, also when nobody waits for it any more.
            let _permit = permit;
            chat.reply(&messages, time_limit)
        });
        asked.await.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
    }
}
