//! Changing a thought: its text, its status, and taking changes back.
//!
//! A change is decided on the thought as it was read and stored only if it still is so; otherwise it is decided anew.

use edits::Change;
use model::{Caller, Revision, RevisionKind, Status, Thought, ThoughtId, ThoughtText, Timeline};
use store::{Update, Updated};

use super::difference::{self, Part};
use super::error::MemoryError;
use super::handle::Memory;
use super::refusal::Refusal;
use crate::adviser::{Advice, AdviceError, Question};

/// What to change. At least one of the two is needed.
#[derive(Debug, Clone, Default)]
pub struct Edit {
    /// A request in plain language.
    pub request: Option<String>,
    /// The new text, taken as it is.
    pub raw_text: Option<ThoughtText>,
    /// The revision the edit was made up for: if the thought has another by then, nothing is changed. Any if not given.
    pub based_on: Option<u32>,
}

/// Which ways there are through the changes of a thought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Travel {
    /// Whether there is a change to take back.
    pub undo: bool,
    /// Whether there is one to make again.
    pub redo: bool,
}

/// A change that was made.
#[derive(Debug, Clone)]
pub struct Edited {
    /// The thought after the change.
    pub thought: Thought,
    /// The status it had before.
    pub previous_status: Status,
    /// What really changed; empty if the thought already was as asked.
    pub changed: Vec<Changed>,
    /// Whether a language model worked out what to change.
    pub by_model: bool,
    /// The places where the text changed, in order, as many as are worth telling.
    pub changes: Vec<Excerpt>,
    /// The whole of what changed of the text; empty if it did not.
    pub difference: Vec<Part>,
}

/// A place where a text changed, with a few words around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// As it was.
    pub before: String,
    /// As it is.
    pub after: String,
}

/// A part of a thought that a change can touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// The text.
    Text,
    /// The status.
    Status,
}

/// The longest request, in bytes: a whole new text and the words around it.
const REQUEST_BYTES_MAX: usize = model::TEXT_BYTES_MAX + 4096;

/// How often a change is decided anew because others changed the thought meanwhile. Each round means that someone else's
/// change was stored, so running out of rounds takes as many writers of this one thought at once.
const ROUNDS_MAX: usize = 64;

/// How many places of a change are told.
const EXCERPTS_MAX: usize = 5;

/// How much of a place is told, in characters.
const EXCERPT_CHARS_MAX: usize = 120;

/// Changes no further apart than this are told as one: what stands between them helps nobody.
const GAP_BYTES: usize = 16;

/// What a caller wants of a thought; what that makes of it depends on the thought.
#[derive(Clone, Copy)]
enum Intent<'a> {
    SetStatus(Status),
    Travel(RevisionKind),
    Replace(&'a ThoughtText),
    Request { request: &'a str, raw_text: Option<&'a ThoughtText> },
}

/// The state a thought is to have, and how that came about.
struct Target {
    text: Option<ThoughtText>,
    status: Option<Status>,
    kind: RevisionKind,
}

impl Memory {
    /// Changes text and status as asked, both or neither.
    pub async fn edit(&self, caller: &Caller, id: ThoughtId, edit: Edit) -> Result<Edited, MemoryError> {
        let request = edit.request.as_deref().map(str::trim).filter(|request| !request.is_empty());
        if request.is_some_and(|request| request.len() > REQUEST_BYTES_MAX) {
            return Err(Refusal::RequestTooLong { bytes_max: REQUEST_BYTES_MAX }.into());
        }
        let intent = match (request, edit.raw_text.as_ref()) {
            (Some(request), raw_text) => Intent::Request { request, raw_text },
            (None, Some(raw_text)) => Intent::Replace(raw_text),
            (None, None) => return Err(Refusal::NothingToChange.into()),
        };
        self.change(caller, id, intent, edit.based_on).await
    }

    /// Archives a thought; archiving an archived one changes nothing.
    pub async fn delete(&self, caller: &Caller, id: ThoughtId) -> Result<Edited, MemoryError> {
        self.set_status(caller, id, Status::Archived).await
    }

    /// Gives a thought a status; asking for the one it has changes nothing.
    pub async fn set_status(&self, caller: &Caller, id: ThoughtId, status: Status) -> Result<Edited, MemoryError> {
        self.change(caller, id, Intent::SetStatus(status), None).await
    }

    /// Takes the last change back that has not been taken back.
    pub async fn undo(&self, caller: &Caller, id: ThoughtId) -> Result<Edited, MemoryError> {
        self.change(caller, id, Intent::Travel(RevisionKind::Undo), None).await
    }

    /// Makes the change again that was taken back last.
    pub async fn redo(&self, caller: &Caller, id: ThoughtId) -> Result<Edited, MemoryError> {
        self.change(caller, id, Intent::Travel(RevisionKind::Redo), None).await
    }

    /// The thought of that id.
    pub async fn thought(&self, caller: &Caller, id: ThoughtId) -> Result<Thought, MemoryError> {
        self.existing(caller, id).await
    }

    /// Whether there is anything to undo and to redo.
    pub async fn can_travel(&self, caller: &Caller, id: ThoughtId) -> Result<Travel, MemoryError> {
        let timeline = Timeline::of(self.store.revision_kinds(caller.account, id).await?);
        Ok(Travel { undo: timeline.to_undo().is_some(), redo: timeline.to_redo().is_some() })
    }

    /// Decides and stores, again and again while others change the thought in between.
    async fn change(
        &self,
        caller: &Caller,
        id: ThoughtId,
        intent: Intent<'_>,
        based_on: Option<u32>,
    ) -> Result<Edited, MemoryError> {
        for _ in 0..ROUNDS_MAX {
            let thought = self.existing(caller, id).await?;
            if based_on.is_some_and(|revision| revision != thought.revision) {
                break;
            }
            let target = self.target(caller, &thought, intent).await?;
            // A model is asked once: asking it anew would outlast its time limit.
            let is_last = target.kind == RevisionKind::ModelChange;
            if let Some(edited) = self.apply(caller, thought, target).await? {
                return Ok(edited);
            }
            if is_last {
                break;
            }
        }
        Err(Refusal::Contended.into())
    }

    /// The thought, or the one refusal for every thought the caller cannot reach.
    async fn existing(&self, caller: &Caller, id: ThoughtId) -> Result<Thought, MemoryError> {
        let thought = self.store.get(caller.account, id).await?;
        thought.ok_or_else(|| Refusal::NoSuchThought(id).into())
    }

    async fn target(&self, caller: &Caller, thought: &Thought, intent: Intent<'_>) -> Result<Target, MemoryError> {
        let (request, raw_text) = match intent {
            Intent::SetStatus(status) => return Ok(Target::new(None, Some(status))),
            Intent::Travel(kind) => return self.travel(caller, thought, kind).await,
            Intent::Replace(raw_text) => return Ok(Target::new(Some(raw_text.clone()), None)),
            Intent::Request { request, raw_text } => (request, raw_text),
        };
        let change = match interpret(thought, request).await {
            Ok(change) => change,
            Err(refusal) if raw_text.is_none() && refusal.is_lack_of_understanding() => {
                return self.advised(thought, request, refusal).await;
            }
            Err(refusal) => return Err(refused(thought, refusal, None)),
        };
        match (change, raw_text) {
            (Change::Edit { text: None, status }, Some(raw_text)) => Ok(Target::new(Some(raw_text.clone()), status)),
            (_, Some(_)) => Err(Refusal::TextChangedTwice.into()),
            (Change::Edit { text, status }, None) => Ok(Target::new(text.map(ThoughtText::new).transpose()?, status)),
            (Change::Undo, None) => self.travel(caller, thought, RevisionKind::Undo).await,
            (Change::Redo, None) => self.travel(caller, thought, RevisionKind::Redo).await,
        }
    }

    /// The state the language model makes of the request, if there is one to ask and it knows; else the refusal of the rules.
    async fn advised(&self, thought: &Thought, request: &str, refusal: edits::Refusal) -> Result<Target, MemoryError> {
        let Some(adviser) = &self.adviser else {
            return Err(refused(thought, refusal, None));
        };
        let question = Question { text: thought.raw_text.as_str(), status: thought.status, request };
        let advice = adviser.advise(question).await;
        let Advice { text, status } = advice.map_err(|reason| refused(thought, refusal, Some(reason)))?;
        let text = text.map(ThoughtText::new).transpose()?;
        Ok(Target { text, status, kind: RevisionKind::ModelChange })
    }

    /// The state before the change that would be undone, or after the one that would be redone.
    async fn travel(&self, caller: &Caller, thought: &Thought, kind: RevisionKind) -> Result<Target, MemoryError> {
        let timeline = Timeline::of(self.store.revision_kinds(caller.account, thought.id).await?);
        let back = kind == RevisionKind::Undo;
        let (number, nothing) = match back {
            true => (timeline.to_undo(), Refusal::NothingToUndo),
            false => (timeline.to_redo(), Refusal::NothingToRedo),
        };
        let Some(number) = number else { return Err(nothing.into()) };
        let revision = self.store.get_revision(caller.account, thought.id, number).await?;
        let Revision { text, status, .. } = revision.ok_or(nothing)?;
        let text = text.map(|(before, after)| if back { before } else { after });
        let status = status.map(|(before, after)| if back { before } else { after });
        Ok(Target { text: text.map(ThoughtText::new).transpose()?, status, kind })
    }

    /// Stores the target state; `None` if the thought has changed since it was read.
    async fn apply(&self, caller: &Caller, thought: Thought, target: Target) -> Result<Option<Edited>, MemoryError> {
        let previous_status = thought.status;
        let text = target.text.filter(|text| *text != thought.raw_text);
        let status = target.status.filter(|status| *status != thought.status);
        let touched = [(Changed::Text, text.is_some()), (Changed::Status, status.is_some())];
        let changed: Vec<Changed> = touched.into_iter().filter(|(_, touched)| *touched).map(|(part, _)| part).collect();
        if changed.is_empty() {
            return Ok(Some(Edited {
                thought,
                previous_status,
                changed,
                by_model: false,
                changes: Vec::new(),
                difference: Vec::new(),
            }));
        }
        let (changes, difference) = match &text {
            Some(text) => compare(&thought.raw_text, text).await,
            None => (Vec::new(), Vec::new()),
        };
        let by_model = target.kind == RevisionKind::ModelChange;
        let update =
            Update { based_on: thought.revision, text, status, kind: target.kind, by: caller.key_name.to_string() };
        match self.store.update(caller.account, thought.id, update).await? {
            Updated::Done(thought) => {
                Ok(Some(Edited { thought: *thought, previous_status, changed, by_model, changes, difference }))
            }
            // An absent thought was there a moment ago; reading it again says so to the caller.
            Updated::Stale | Updated::Absent => Ok(None),
        }
    }
}

/// What the rules make of a request. They may take their time over a long one, which no other request has.
async fn interpret(thought: &Thought, request: &str) -> Result<Change, edits::Refusal> {
    let (text, status, request) = (thought.raw_text.clone(), thought.status, request.to_owned());
    let interpreted = tokio::task::spawn_blocking(move || edits::interpret(text.as_str(), status, &request));
    interpreted.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

/// A refusal with the text as it is, so that the caller can send the whole new one without asking for it.
fn refused(thought: &Thought, by_rules: edits::Refusal, by_adviser: Option<AdviceError>) -> MemoryError {
    Refusal::RequestRefused { by_rules, by_adviser, text: thought.raw_text.clone() }.into()
}

impl Target {
    fn new(text: Option<ThoughtText>, status: Option<Status>) -> Self {
        Self { text, status, kind: RevisionKind::Change }
    }
}

/// Where two versions of a text differ: to tell a model, and to show a person.
async fn compare(before: &ThoughtText, after: &ThoughtText) -> (Vec<Excerpt>, Vec<Part>) {
    let (before, after) = (before.clone(), after.clone());
    let compared = tokio::task::spawn_blocking(move || {
        let (before, after) = (before.as_str(), after.as_str());
        (excerpts(before, after), difference::parts(before, after))
    });
    compared.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

/// The places where two versions of a text differ, to tell the caller.
fn excerpts(before: &str, after: &str) -> Vec<Excerpt> {
    let shown = |text: &str, stretch| text::excerpt(text, stretch, EXCERPT_CHARS_MAX);
    let places = text::differences(before, after, GAP_BYTES).into_iter().take(EXCERPTS_MAX);
    places.map(|place| Excerpt { before: shown(before, place.before), after: shown(after, place.after) }).collect()
}
