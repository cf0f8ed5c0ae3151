//! Any embedding model behind an OpenAI-compatible endpoint.
//!
//! - A text too long for the model is cut rather than refused.
//! - What the texts are not to blame for, such as a wrong key or a full queue, is told apart from what they are.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use model::Invalid;

use super::{EmbedError, Embedder};
use crate::remote::{CallError, Endpoint, RemoteSettings};

/// How long an answer may take: a model on a small machine needs its time for a full call.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How many texts a call carries.
const TEXTS_AT_ONCE: usize = 32;

/// How much of a text is sent: what follows is sent as parts of its own, and many models read no more.
const TEXT_BYTES_MAX: usize = 2_000;

/// A refused text is not made shorter than this.
const TEXT_BYTES_MIN: usize = 250;

/// Before the names of models of endpoints, so that none is mistaken for the built-in one.
const ID_PREFIX: &str = "remote:";

/// An embedding model behind an endpoint.
pub struct Remote {
    endpoint: Endpoint,
    settings: RemoteSettings,
    id: String,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [&'a str],
}

#[derive(Deserialize)]
struct Response {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: usize,
    embedding: Vec<f32>,
}

impl Remote {
    /// Prepares the calls; nothing is sent yet.
    pub fn new(settings: RemoteSettings) -> Result<Self, Invalid> {
        let endpoint = Endpoint::new(&settings, "embeddings", "an embedding model")?;
        let id = format!("{ID_PREFIX}{}", settings.model);
        Ok(Self { endpoint, settings, id })
    }

    fn ask(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let request = Request { model: &self.settings.model, input: texts };
        let response: Response = self.endpoint.call(&request, TIMEOUT).map_err(refusal)?;
        let unreadable = || EmbedError::Unavailable("its answer is not a list of embeddings".to_owned());
        vectors(response.data, texts.len()).ok_or_else(unreadable)
    }

    /// The vector of one text, of as much of it as the model takes.
    fn ask_alone(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        let mut bytes = text.len();
        loop {
            let cut = &text[..text.floor_char_boundary(bytes)];
            match self.ask(&[cut]) {
                Err(EmbedError::Refused(_)) if bytes / 2 >= TEXT_BYTES_MIN => bytes /= 2,
                answer => return answer.map(|mut vectors| vectors.remove(0)),
            }
        }
    }
}

/// Whether the texts are to blame.
fn refusal(error: CallError) -> EmbedError {
    match error {
        // Bad request, too large, cannot be processed.
        CallError::Status(400 | 413 | 422) => EmbedError::Refused(error.to_string()),
        _ => EmbedError::Unavailable(error.to_string()),
    }
}

/// The vectors in the order of the texts, made to have length 1; `None` unless there is one for each.
fn vectors(mut items: Vec<Item>, count: usize) -> Option<Vec<Vec<f32>>> {
    items.sort_by_key(|item| item.index);
    let is_complete = items.len() == count && items.iter().enumerate().all(|(index, item)| item.index == index);
    if !is_complete {
        return None;
    }
    items.into_iter().map(|item| normalised(item.embedding)).collect()
}

fn normalised(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if !length.is_normal() {
        return None;
    }
    vector.iter_mut().for_each(|value| *value /= length);
    Some(vector)
}

impl Embedder for Remote {
    fn model_id(&self) -> &str {
        &self.id
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let cut: Vec<&str> = texts.iter().map(|text| &text[..text.floor_char_boundary(TEXT_BYTES_MAX)]).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for texts in cut.chunks(TEXTS_AT_ONCE) {
            match (self.ask(texts), texts) {
                (Ok(answer), _) => vectors.extend(answer),
                (Err(EmbedError::Refused(_)), [text]) => vectors.push(self.ask_alone(text)?),
                (Err(error), _) => return Err(error),
            }
        }
        Ok(vectors)
    }

    fn texts_at_once(&self) -> usize {
        TEXTS_AT_ONCE
    }

    fn sibling(&self, model_id: &str) -> Option<Arc<dyn Embedder>> {
        let model = model_id.strip_prefix(ID_PREFIX)?.to_owned();
        let settings = RemoteSettings { model, ..self.settings.clone() };
        Remote::new(settings).ok().map(|remote| Arc::new(remote) as Arc<dyn Embedder>)
    }

    fn is_remote(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_come_in_the_order_of_their_numbers() {
        let item = |index, value| Item { index, embedding: vec![value, 0.0] };
        assert_eq!(vectors(vec![item(1, -3.0), item(0, 2.0)], 2), Some(vec![vec![1.0, 0.0], vec![-1.0, 0.0]]));
        assert_eq!(vectors(vec![item(0, 1.0), item(0, 1.0)], 2), None);
        assert_eq!(vectors(vec![item(0, 1.0)], 2), None);
        assert_eq!(vectors(vec![item(0, f32::NAN)], 1), None);
    }

    #[test]
    fn only_what_the_texts_are_to_blame_for_is_held_against_them() {
        for (status, is_refusal) in
            [(400, true), (413, true), (422, true), (401, false), (404, false), (429, false), (500, false)]
        {
            let error = refusal(CallError::Status(status));
            assert_eq!(matches!(error, EmbedError::Refused(_)), is_refusal, "{status}");
        }
    }
}
