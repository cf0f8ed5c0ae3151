//! The life of an embedding model in an account: built up beside the one that serves, serving, on its way out.
//!
//! - Vectors of different models cannot be compared, so one model's answer at a time.
//! - The first model of an account serves at once; a later one as soon as every text has its vectors.

/// A model as the account knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// What its vectors refer to it by; later models have higher numbers.
    pub number: i64,
    /// Its name.
    pub name: String,
    /// What the vectors of unrelated texts have in common; they are stored by their difference from it, and as long.
    pub centre: Vec<f32>,
    /// What is to become of it.
    pub state: ModelState,
}

/// Where a model is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelState {
    /// Its vectors are being made and do not answer yet.
    Building,
    /// Its vectors answer searches.
    Serving,
    /// Another model has taken its place, and its vectors are being removed.
    Retired,
}

impl ModelState {
    /// The number to store.
    pub const fn number(self) -> u8 {
        match self {
            Self::Building => 0,
            Self::Serving => 1,
            Self::Retired => 2,
        }
    }

    /// Reads back a stored number.
    pub fn from_number(number: u8) -> Option<Self> {
        [Self::Building, Self::Serving, Self::Retired].into_iter().find(|state| state.number() == number)
    }
}

/// The model whose vectors answer searches, if any.
pub(crate) fn serving(models: Vec<Model>) -> Option<Model> {
    models.into_iter().find(|model| model.state == ModelState::Serving)
}

/// The model of that name and length of vectors.
#[must_use]
pub fn named<'a>(models: &'a [Model], name: &str, dimensions: usize) -> Option<&'a Model> {
    models.iter().find(|model| model.name == name && model.centre.len() == dimensions)
}

/// The state a model has once it gets a vector: one that was on its way out is built up again.
#[must_use]
pub fn with_a_vector(models: &[Model], known: Option<&Model>) -> ModelState {
    match known.map(|model| model.state) {
        Some(ModelState::Retired) => ModelState::Building,
        Some(state) => state,
        // The first model of an account has nobody to wait for.
        None if models.iter().any(|model| model.state == ModelState::Serving) => ModelState::Building,
        None => ModelState::Serving,
    }
}

/// How far a model is that is being built up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// How many thoughts there are.
    pub thoughts: u64,
    /// How many of them have its vectors.
    pub with_vectors: u64,
    /// How many jobs were given up.
    pub given_up: u64,
}

impl Progress {
    /// Whether the model takes the place of the one that serves, which is retired then. Asked when no work is due or under way:
    /// what is missing now was given up or has never been queued.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.thoughts <= self.with_vectors + self.given_up
    }
}
