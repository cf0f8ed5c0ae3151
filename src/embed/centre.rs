//! The middle of a model's vectors: what the vectors of texts with nothing in common have in common.
//!
//! Many models put all texts into a narrow cone. What lies in its middle says nothing about a text: subtracting it lets few
//! bits tell vectors apart, and comparing with it tells how close unrelated texts are.

use super::{EmbedError, Embedder};

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

/// The average of the vectors of unrelated texts.
pub(super) fn centre_of<E: Embedder + ?Sized>(embedder: &E) -> Result<Vec<f32>, EmbedError> {
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
