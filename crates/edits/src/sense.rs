//! Puts the words of one clause together.

use model::Status;

use super::{
    clause::Unit,
    deed,
    lexicon::Class,
    reading::{Goal, Reading, Subject},
    refusal::Refusal,
};

/// A clause without its politeness, and questions about it.
pub(super) struct View<'a> {
    pub(super) units: &'a [Unit],
    pub(super) subject: &'a Subject<'a>,
}

impl View<'_> {
    pub(super) fn head(&self) -> Option<Option<Class>> {
        self.units.first().map(|unit| unit.class)
    }

    pub(super) fn has(&self, class: Class) -> bool {
        self.units.iter().any(|unit| unit.class == Some(class))
    }

    fn has_any(&self, classes: &[Class]) -> bool {
        classes.iter().any(|class| self.has(*class))
    }

    fn position(&self, fits: impl Fn(Class) -> bool) -> Option<usize> {
        self.units.iter().position(|unit| unit.class.is_some_and(&fits))
    }

    /// The states the clause names or acts towards, without the one it says to leave.
    pub(super) fn goals(&self) -> impl Iterator<Item = (usize, Status)> {
        self.units.iter().enumerate().filter_map(|(at, unit)| match unit.class {
            Some(Class::State(_)) if at > 0 && self.units[at - 1].class == Some(Class::From) => None,
            Some(Class::State(status) | Class::Verb(status)) => Some((at, status)),
            _ => None,
        })
    }

    pub(super) fn is_command(&self) -> bool {
        matches!(
            self.head(),
            Some(Some(
                Class::Mark | Class::Change | Class::Verb(_) | Class::Undo | Class::Redo | Class::Keep | Class::DoNot
            ))
        )
    }

    /// Whether a clause with unknown words tells how things are, rather than asking for something.
    pub(super) fn is_statement(&self) -> bool {
        let verb = |unit: &Unit| {
            matches!(unit.class, Some(Class::Be | Class::Have | Class::Did | Class::Will | Class::Must))
                || deed::is_past(&unit.word)
        };
        let speaker = matches!(self.head(), Some(Some(Class::We | Class::They | Class::It)));
        let quoted = self.units.iter().any(|unit| unit.quoted);
        let corrects = matches!(self.head(), Some(Some(Class::It))) && self.has(Class::Not) || self.has(Class::Should);
        !self.is_command() && !quoted && !corrects && (speaker || self.units.iter().any(verb))
    }

    /// Whether the clause is about the words of the thought.
    pub(super) fn changes_text(&self) -> bool {
        let unknown = self.units.iter().any(|unit| unit.class.is_none());
        let quoted = self.units.iter().any(|unit| unit.quoted);
        match self.head() {
            Some(Some(Class::Rewrite)) => true,
            Some(Some(Class::Change)) => {
                let about_thought = self.has(Class::Status) || self.has(Class::It) || self.has(Class::Thing);
                let leads = self.units.get(1).is_some_and(|unit| unit.class == Some(Class::Link));
                let acts = self.position(|class| matches!(class, Class::Verb(_))).is_some();
                unknown
                    || quoted && !self.has(Class::Status)
                    || !about_thought && !leads && !acts && !self.has(Class::Still)
            }
            Some(Some(Class::Verb(Status::Archived))) => {
                // `remove the day` is about a word, `archive it today` about the thought.
                let takes_out = matches!(self.units[0].word.as_str(), "remove" | "delete" | "drop" | "erase" | "clear");
                let named = self.has_any(&[Class::It, Class::Thing]) || self.units.len() == 1;
                let asides = |unit: &Unit| {
                    matches!(unit.class, Some(Class::Verb(_) | Class::Now | Class::From | Class::Aside | Class::Hedge))
                };
                unknown && !self.has(Class::Thing)
                    || takes_out && self.names_information()
                    || quoted
                    || self.has(Class::Edit)
                    || takes_out && !named && !self.units.iter().all(asides)
            }
            _ => false,
        }
    }

    /// `the gate info` is something the thought says, not the thought.
    fn names_information(&self) -> bool {
        let about =
            |unit: &Unit| matches!(unit.word.as_str(), "info" | "information" | "stuff" | "details" | "part" | "bit");
        self.units.windows(2).any(|pair| pair[0].class.is_none() && pair[0].in_text && about(&pair[1]))
    }

    /// What the clause says, provided that its unknown words can be explained.
    pub(super) fn reading(&self) -> Reading {
        let refused = |refusal| Reading::Refused(refusal);
        let negations =
            self.units.iter().filter(|unit| matches!(unit.class, Some(Class::Not | Class::NoLonger))).count();
        if negations > 1 {
            return Reading::Unknown;
        }
        // One request is about one thought.
        if self.has(Class::All) && (self.is_command() || self.goals().any(|(_, status)| status != Status::Completed)) {
            return match self.has(Class::DoNot) {
                true => Reading::Prohibited(None),
                false => Reading::Unknown,
            };
        }
        if self.has(Class::Maybe) || self.has(Class::Hedge) && negations == 0 && !self.hedge_is_harmless() {
            return refused(Refusal::Partly);
        }
        if self.has(Class::Mistake) {
            return self.mistake();
        }
        if self.has(Class::Undo) || self.has(Class::Redo) || self.has(Class::Version) {
            return self.undoing();
        }
        if self.has(Class::DoNot) {
            return Reading::Prohibited(self.goals().next().map(|(_, status)| Goal::To(status)));
        }
        if self.is_useless(negations) {
            return self.wish(Status::Archived);
        }
        if self.is_later() {
            return match self.head() {
                Some(Some(Class::We | Class::They)) if !self.has(Class::By) => Reading::Promise,
                _ => refused(Refusal::Later),
            };
        }
        self.state(negations == 1)
    }

    /// `for now` softens `done`, but not `archive`.
    fn hedge_is_harmless(&self) -> bool {
        self.units.iter().all(|unit| unit.class != Some(Class::Hedge) || unit.word == "for")
            && self.goals().all(|(_, status)| status != Status::Completed)
    }

    fn mistake(&self) -> Reading {
        match self.goals().next() {
            Some((_, Status::Completed | Status::Archived)) => self.wish(Status::Open),
            Some((_, Status::Open)) => Reading::Unknown,
            None => Reading::Background { state: None },
        }
    }

    fn undoing(&self) -> Reading {
        let command = |goal| Reading::Wish { goal, command: true, sentence: true };
        if self.has(Class::DoNot) || self.has(Class::Not) {
            return Reading::Prohibited(Some(Goal::Undo));
        }
        if self.has(Class::All) || self.has(Class::Day) || self.has(Class::Past) || self.has(Class::Future) {
            return Reading::Unknown;
        }
        let states: Vec<(usize, Status)> = self.goals().collect();
        match states.as_slice() {
            [] if self.has(Class::Undo) && self.has(Class::Redo) => Reading::Unknown,
            [] if self.has(Class::Version) && !self.has(Class::Undo) && !self.is_command() => Reading::Unknown,
            [] if self.has(Class::Redo) => command(Goal::Redo),
            [] => command(Goal::Undo),
            [(_, Status::Open)] if self.has(Class::Version) => command(Goal::Undo),
            // `revert to done` goes there, `undo the done` leaves it.
            [(at, status)] if *at > 0 && self.units[at - 1].word == "to" => command(Goal::To(*status)),
            [(_, Status::Completed | Status::Archived)] if self.has(Class::Undo) => command(Goal::To(Status::Open)),
            _ => Reading::Unknown,
        }
    }

    /// `not relevant`, `no longer true`, `no need for this`.
    fn is_useless(&self, negations: usize) -> bool {
        if negations == 0 {
            return self.has(Class::No) && self.has(Class::Useful) || self.has(Class::Need) && self.has(Class::No);
        }
        let lost = self.has(Class::NoLonger) || self.has(Class::AnyMore);
        let unneeded = self.has(Class::Need) || self.has(Class::Must) && self.has(Class::Do);
        self.goals().next().is_none()
            && (self.has(Class::Useful)
                || unneeded && !self.has(Class::Did)
                || lost && (self.has(Class::True) || self.has(Class::Want) || self.has(Class::Do)))
    }

    fn is_later(&self) -> bool {
        let timed = self.has(Class::Day);
        let last = self.goals().last();
        let command =
            self.is_command() || matches!(last, Some((at, _)) if matches!(self.units[at].class, Some(Class::Verb(_))));
        self.has(Class::Future) || self.has(Class::Will) || timed && (command || self.has(Class::By))
    }

    /// A clause that names a state, or the lack of one.
    fn state(&self, negated: bool) -> Reading {
        let unfinished =
            (self.has(Class::Must) || self.has(Class::Need) || self.has(Class::Want)) && self.has(Class::Still);
        let statuses: Vec<(usize, Status)> = self.goals().collect();
        if (negated || !unfinished) && statuses.windows(2).any(|pair| pair[0].1 != pair[1].1) {
            return Reading::Refused(Refusal::Contradiction);
        }
        let Some(&(at, status)) = statuses.first() else {
            return self.stateless(negated, unfinished);
        };
        if negated {
            return self.negated(at, status);
        }
        if !self.is_obliged() || status != Status::Completed || self.has(Class::Mark) || self.has(Class::Status) {
            return self.wish(status);
        }
        if unfinished {
            return self.wish(Status::Open);
        }
        // `this can be closed` permits, `this can be done` and `I have to finish this` do not.
        let closed = matches!(
            self.units[at].word.as_str(),
            "closed" | "close" | "checked" | "check" | "ticked" | "tick" | "crossed" | "cross"
        );
        match closed && !self.has(Class::Must) {
            true => self.wish(status),
            false => Reading::Refused(Refusal::Later),
        }
    }

    fn stateless(&self, negated: bool, unfinished: bool) -> Reading {
        if self.has(Class::Useful) || self.has(Class::True) {
            // `mark as important` is no wish about the state.
            let marked = |unit: &Unit| {
                matches!(unit.word.as_str(), "relevant" | "valid" | "needed" | "applicable" | "useful" | "current")
            };
            let marks = (self.has(Class::Mark) || self.has(Class::Keep)) && self.units.iter().any(marked);
            return match self.has(Class::Still) || marks {
                true => self.wish(Status::Open),
                false => Reading::Unknown,
            };
        }
        if unfinished && !negated || negated && (self.has(Class::Did) || self.has(Class::Have) && self.has(Class::Do)) {
            return self.wish(Status::Open);
        }
        let repeats = self.units.iter().any(|unit| unit.word == "again");
        if self.has(Class::Did) && !self.has(Class::Do) && !self.is_obliged() && !repeats {
            return self.wish(Status::Completed);
        }
        let put_back = self.has(Class::Change) && self.units.iter().any(|unit| unit.word == "back");
        if put_back && !negated && self.subject.status != Status::Open {
            return self.wish(Status::Open);
        }
        match self.has(Class::Keep) {
            true => Reading::Prohibited(None),
            false => Reading::Unknown,
        }
    }

    fn is_obliged(&self) -> bool {
        self.has_any(&[Class::Must, Class::Should, Class::Can, Class::Need, Class::Want])
    }

    /// A clause that denies a state, or forbids it.
    fn negated(&self, at: usize, status: Status) -> Reading {
        let not = self.position(|class| matches!(class, Class::Not | Class::NoLonger)).unwrap_or(0);
        let marks = self.units[not..]
            .iter()
            .any(|unit| unit.class == Some(Class::Mark) || unit.word == "as" || unit.word == "als");
        let forbids = marks || matches!(self.units[at].class, Some(Class::Verb(_)));
        if self.has(Class::Should) || self.has(Class::Can) || self.has(Class::Must) || self.has(Class::Want) {
            return match status == self.subject.status && status != Status::Open && self.has(Class::Should) {
                true => self.wish(Status::Open),
                false => Reading::Prohibited(Some(Goal::To(status))),
            };
        }
        match status {
            Status::Open => Reading::Unknown,
            Status::Completed if self.has(Class::Did) || self.has(Class::Have) => self.wish(Status::Open),
            _ if self.has(Class::Did) || self.has(Class::Have) => Reading::Unknown,
            _ if forbids && not < at => Reading::Prohibited(Some(Goal::To(status))),
            _ => self.wish(Status::Open),
        }
    }

    fn wish(&self, status: Status) -> Reading {
        let spoken = self.position(|class| matches!(class, Class::We | Class::They | Class::It | Class::Thing));
        let atom = self.goals().next().map_or(usize::MAX, |(at, _)| at);
        let named = self.units.iter().take(atom).any(|unit| unit.class.is_none());
        let told = self.has(Class::Be) || named || spoken.is_some_and(|at| at < atom);
        let command = self.has(Class::Mark)
            || self.has(Class::Change)
            || self.has(Class::Keep)
            || self.is_command()
            || self.is_obliged();
        Reading::Wish { goal: Goal::To(status), command: command && !self.has(Class::Mistake), sentence: told }
    }

    /// Whether no word stays unexplained if the clause is read as `reading`.
    pub(super) fn is_explained(&self, reading: &Reading) -> bool {
        let unknown: Vec<usize> =
            (0..self.units.len()).filter(|&at| self.units[at].class.is_none() && !self.units[at].in_text).collect();
        let aside_at = self.position(|class| matches!(class, Class::Aside | Class::By)).unwrap_or(usize::MAX);
        // `interview done` of `Interview with Ana, Friday` is about all of it.
        let head = self.subject.text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let is_head = |unit: &Unit| unit.word.eq_ignore_ascii_case(head) && !self.subject.is_list;
        let named =
            |(at, unit): (usize, &Unit)| unit.class.is_none() && unit.in_text && at < aside_at && !is_head(unit);
        let names_part =
            self.units.iter().enumerate().any(named) && !self.has(Class::Thing) && is_list(self.subject.text);
        if names_part || self.describes_part() {
            return false;
        }
        // `We have to redo the tiles` and `I took the books back` are about what the text is about.
        let names_something = self.units.iter().any(|unit| unit.class.is_none());
        match reading {
            Reading::Wish { goal: Goal::Redo, .. } if names_something => return false,
            Reading::Wish { goal: Goal::Undo, .. } if names_something && !self.is_command() => return false,
            _ => {}
        }
        let (Some(&first), Some(&last)) = (unknown.first(), unknown.last()) else {
            return true;
        };
        let &Reading::Wish { goal: Goal::To(status), command: false, .. } = reading else {
            return false;
        };
        let Some(atom) = self.position(|class| {
            matches!(class, Class::State(_) | Class::Verb(_) | Class::Did | Class::Useful | Class::True | Class::Need)
        }) else {
            return false;
        };
        let aside = self.units[atom..]
            .iter()
            .position(|unit| matches!(unit.class, Some(Class::Aside | Class::By | Class::From | Class::After)));
        let by = self.units[atom].word == "replaced" && atom < first;
        if by || aside.is_some_and(|offset| atom + offset < first) {
            return true;
        }
        // `Sam finished it`: whoever did it, it is done.
        let object = self.units.get(atom + 1).is_some_and(|unit| matches!(unit.class, Some(Class::It | Class::Thing)));
        let told = !matches!(self.units[atom].class, Some(Class::Verb(_)));
        status == Status::Completed && told && last < atom && unknown.len() <= 3 && object && !self.has(Class::Be)
    }

    /// The state that a clause tells of something other than the thought.
    pub(super) fn state_of_aside(&self) -> Option<Status> {
        let (_, status) = self.goals().next().filter(|_| !self.describes_part())?;
        let negated = self.has_any(&[Class::Not, Class::NoLonger, Class::DoNot]);
        Some(if negated { Status::Open } else { status })
    }

    /// `the gym is closed` is about the gym, not about the thought that mentions it.
    pub(super) fn describes_part(&self) -> bool {
        // `open the docs` asks for the docs.
        let told = self.has(Class::Thing) || self.has(Class::It);
        let opens = self.units.first().is_some_and(|unit| unit.word == "open") && !told;
        if opens && self.units.iter().skip(1).any(|unit| unit.class.is_none()) {
            return true;
        }
        let Some(atom) = self.position(|class| matches!(class, Class::State(_))) else {
            return false;
        };
        let named = self.units[..atom].iter().any(|unit| unit.class.is_none()) && !self.has(Class::Thing);
        let ambiguous = matches!(
            self.units[atom].word.as_str(),
            "closed" | "open" | "active" | "pending" | "ongoing" | "outstanding"
        );
        named && ambiguous && !self.has(Class::Mark) && !self.has(Class::Status) && !self.has(Class::Keep)
    }
}

/// Whether a text names several things, of which a request may mean one.
fn is_list(text: &str) -> bool {
    text.contains([',', '\n', ';']) || text.contains(" and ")
}
