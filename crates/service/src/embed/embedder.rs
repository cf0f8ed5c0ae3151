//! The door to whatever makes vectors of texts.

use std::sync::Arc;

use vectors::WeightedToken;

/// Turns texts into vectors. Calls block and may take a while; they belong on a thread of their own.
pub trait Embedder: Send + Sync {
    /// Names the model. Vectors of different models cannot be compared.
    fn model_id(&self) -> &str;

    /// One vector of length 1 for each text, all with the same number of components. A text too long for the model is
    /// cut. The same text has the same vector, whatever stands beside it.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// The same with the tokens of each text, for a model that tells them.
    fn read(&self, texts: &[&str]) -> Result<Vec<Embedded>, EmbedError> {
        let vectors = self.embed(texts)?;
        Ok(vectors.into_iter().map(|vector| Embedded { vector, tokens: Vec::new() }).collect())
    }

    /// The middle of its vectors: what the vectors of texts with nothing in common have in common. Always the same.
    fn centre(&self) -> Result<Vec<f32>, EmbedError> {
        centre_of(self)
    }

    /// How many texts one call best carries.
    fn texts_at_once(&self) -> usize;

    /// The same embedder with another of its models, if it may have it.
    fn sibling(&self, _model_id: &str) -> Option<Arc<dyn Embedder>> {
        None
    }

    /// Whether it is reached over a network, and may be out of reach.
    fn is_remote(&self) -> bool {
        false
    }
}

/// A text as a model sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// Its vector, of length 1.
    pub vector: Vec<f32>,
    /// Those of its tokens that say something, each with how rare it is in the language; none if the model does not tell them.
    pub tokens: Vec<WeightedToken>,
}

/// Why texts have no vectors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmbedError {
    /// Nothing is wrong with the texts: the same call may succeed later.
    #[error("the embedding model cannot be reached: {0}")]
    Unavailable(String),
    /// These texts are not taken; others may be.
    #[error("the embedding model refused: {0}")]
    Refused(String),
}

/// Short texts on as many subjects as there are texts, in the manners people take notes in. Changing them changes stored
/// vectors.
const PROBES: [&str; 24] = [
    "Water the tomatoes before the weekend",
    "the parser drops the last line if it has no newline",
    "Grandmother's birthday is in early spring",
    "We could rent out the attic to students",
    "Glaciers in the valley lost a third of their ice",
    "meeting moved to three, room upstairs",
    "The invoice was paid twice by mistake",
    "He prefers window seats on long flights",
    "remember to renew the passport",
    "Add a pinch of salt to the caramel",
    "Revenue grew faster than costs last quarter",
    "She plays the cello in a small orchestra",
    "The dog limps after running on gravel",
    "login fails when the cookie has expired",
    "What if the story began with the ending?",
    "The museum is closed on public holidays",
    "Knee still hurts when going downstairs",
    "New tyres for the bicycle, the wide ones",
    "Parliament voted on the housing bill",
    "The wifi password is on the fridge",
    "A good night's sleep beats another coffee",
    "Send the contract to the landlord",
    "Their second album is louder than the first",
    "Chess club meets at the library",
];

/// The average of the vectors of unrelated texts. Many models put all texts into a narrow cone. What lies in its middle says
/// nothing about a text: subtracting it lets few bits tell vectors apart, and comparing with it tells how close unrelated
/// texts are.
fn centre_of<E: Embedder + ?Sized>(embedder: &E) -> Result<Vec<f32>, EmbedError> {
    let mut centre: Vec<f32> = Vec::new();
    for probes in PROBES.chunks(embedder.texts_at_once().clamp(1, PROBES.len())) {
        for vector in embedder.embed(probes)? {
            centre.resize(vector.len(), 0.0);
            centre.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value / PROBES.len() as f32);
        }
    }
    match centre.is_empty() {
        true => Err(EmbedError::Refused("it returned no vectors".to_owned())),
        false => Ok(centre),
    }
}
