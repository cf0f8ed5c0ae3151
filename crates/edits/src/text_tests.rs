//! Requests for other words, one a line: what the text becomes, and how people put it.

use model::Status;

use super::{Change, by_rules as interpret};

/// A line `@text|status` sets the thought that the lines after it are about. The new text may be followed by the new
/// status in brackets; a status alone leaves the text. `\n` is a line break.
const TABLE: &str = r#"
@The workshop is on Monday at 2pm|open
The workshop is on Tuesday at 2pm :: change Monday to Tuesday
The workshop is on Tuesday at 2pm :: Change monday to tuesday
The workshop is on Tuesday at 2pm :: please change "Monday" to "Tuesday"
The workshop is on Tuesday at 2pm :: replace Monday with Tuesday
The workshop is on Tuesday at 2pm :: replace Monday by Tuesday
The workshop is on Tuesday at 2pm :: swap Monday for Tuesday
The workshop is on Tuesday at 2pm :: can you change Monday to Tuesday?
The workshop is on Tuesday at 2pm :: Could you please update Monday to Tuesday, thanks!
The workshop is on Tuesday at 2pm :: Monday -> Tuesday
The workshop is on Tuesday at 2pm :: Monday → Tuesday
The workshop is on Tuesday at 2pm :: Monday should be Tuesday
The workshop is on Tuesday at 2pm :: it's Tuesday, not Monday
The workshop is on Tuesday at 2pm :: it’s Tuesday not Monday
The workshop is on Tuesday at 2pm :: Tuesday, not Monday
The workshop is on Tuesday at 2pm :: not Monday but Tuesday
The workshop is on Tuesday at 2pm :: it's not Monday, it's Tuesday
The workshop is on Tuesday at 2pm :: Tuesday instead of Monday
The workshop is on Tuesday at 2pm :: use Tuesday instead of Monday
The workshop is on Tuesday at 2pm :: say Tuesday rather than Monday
The workshop is on Tuesday at 2pm :: the workshop is on Tuesday, not Monday
The workshop is on Tuesday at 2pm :: actually it should be Tuesday instead of Monday
The workshop is on Tuesday at 2pm :: I meant Tuesday, not Monday
The workshop is on Tuesday at 2pm :: s/Monday/Tuesday/
The workshop is on Tuesday at 2pm :: change the day to Tuesday
The workshop is on Tuesday at 2pm :: move it to Tuesday
The workshop is on Tuesday at 2pm :: make it Tuesday
The workshop is on Tuesday at 2pm :: make that Tuesday
The workshop is on Tuesday at 2pm :: it should be Tuesday
The workshop is on Tuesday at 2pm :: change the day from Monday to Tuesday
The workshop is on Tuesday at 2pm :: change it from Monday to Tuesday
The workshop is on Tuesday at 2pm :: reschedule to Tuesday
The workshop is on Tuesday at 2pm :: change Monday to Tuesday because Sam is away
The workshop is on Tuesday at 2pm :: change the word Monday to Tuesday
The workshop is on Tuesday at 2pm :: it says Monday but it should say Tuesday
The workshop is on Tuesday at 2pm :: where it says Monday it should say Tuesday
The workshop is on Monday at 3pm :: change the time to 3pm
The workshop is on Monday at 3pm :: the time should be 3pm
The workshop is on Monday at 3pm :: make it 3pm
The workshop is on Monday at 3pm :: it's at 3pm now
The workshop is on Monday at 15:00 :: set the time to 15:00
The workshop is on Tuesday at 3pm :: move it to Tuesday at 3pm
The workshop is on Tuesday at 3pm :: change Monday to Tuesday and 2pm to 3pm
The workshop is on Tuesday at 3pm :: change Monday to Tuesday and change 2pm to 3pm
The workshop is on Tuesday at 2pm [completed] :: change Monday to Tuesday and mark it done
The workshop is on Tuesday at 2pm [archived] :: it's Tuesday, not Monday, and archive it
The workshop is on Tuesday at 2pm [completed] :: mark it done and change Monday to Tuesday
The training is on Monday at 2pm :: change workshop to training
The training is on Monday at 2pm :: change the workshop to the training
The workshop is on Monday at 2pm in room 4 :: append in room 4
The workshop is on Monday at 2pm in room 4 :: append "in room 4"
The workshop is on Monday at 2pm in room 4 :: add "in room 4" to the end
The workshop is on Monday at 2pm in room 4 :: add in room 4 at the end
The workshop is on Monday at 2pm in room 4 :: add at the end: in room 4
The workshop is on Monday at 2pm in room 4 :: put "in room 4" at the end
The workshop is on Monday at 2pm in room 4 :: add: in room 4
The workshop is on Monday at 2pm (bring laptops) :: add (bring laptops) at the end
The workshop is on Monday at 2pm, lunch included :: append ", lunch included"
The workshop is on Monday at 2pm! :: add an exclamation mark at the end
The workshop is on Monday at 2pm. :: add a period at the end
Reminder: The workshop is on Monday at 2pm :: prepend Reminder:
Reminder: The workshop is on Monday at 2pm :: add "Reminder:" at the beginning
Reminder: The workshop is on Monday at 2pm :: put "Reminder: " in front
Reminder: The workshop is on Monday at 2pm :: start with "Reminder:"
The Python workshop is on Monday at 2pm :: add Python before workshop
The workshop for beginners is on Monday at 2pm :: insert "for beginners" after workshop
The workshop is on Monday :: remove "at 2pm"
The workshop is on Monday :: remove at 2pm
The workshop is on Monday :: remove the time
The workshop is at 2pm :: delete the phrase 'on Monday'
The workshop is at 2pm :: take out "on Monday"
THE WORKSHOP IS ON MONDAY AT 2PM :: uppercase
THE WORKSHOP IS ON MONDAY AT 2PM :: make it all caps
the workshop is on monday at 2pm :: make it lowercase
the workshop is on monday at 2pm :: convert to lower case
The Workshop Is On Monday At 2pm :: title case please
Training moved to June :: reword to: Training moved to June
Training moved to June :: rewrite as "Training moved to June"
Training moved to June :: replace everything with "Training moved to June"
Training moved to June :: replace the whole text with: Training moved to June
Training moved to June :: it should just say "Training moved to June"
Training moved to June :: change the text to "Training moved to June"
Training moved to June :: set the text to: Training moved to June
Training moved to June [completed] :: reword to "Training moved to June" and mark it done
refuse :: change Friday to Saturday
refuse :: replace "lunch" with "dinner"
refuse :: should I change Monday to Tuesday?
refuse :: is it Monday or Tuesday?
refuse :: don't change Monday to Tuesday
refuse :: change Monday to Tuesday if Sam agrees
refuse :: make it shorter
refuse :: improve the wording
refuse :: fix it
refuse :: change it
refuse :: change Monday
refuse :: replace Monday
refuse :: rewrite this
refuse :: translate to French
refuse :: add something about lunch
refuse :: remove the sentence about lunch
refuse :: remove "lunch"
refuse :: change the price to 30
refuse :: summarize
refuse :: maybe change Monday to Tuesday
refuse :: change Monday to Tuesday and back to Monday
refuse :: change Monday to Tuesday, no, leave it
refuse :: is the workshop on Monday?
refuse :: the workshop was great
refuse :: change something
refuse :: add
archived :: remove
refuse :: s/Friday/Monday/
refuse :: undo and change Monday to Tuesday
@Tickets cost 25 EUR and dinner costs 40 EUR|open
Tickets cost 30 EUR and dinner costs 40 EUR :: change 25 to 30
Tickets cost 30 EUR and dinner costs 40 EUR :: tickets cost 30 EUR, not 25
Tickets cost 25 EUR and dinner costs 45 EUR :: dinner should be 45 EUR
Tickets cost 25 USD and dinner costs 40 USD :: change all EUR to USD
Tickets cost 25 USD and dinner costs 40 USD :: replace every EUR with USD
Tickets cost 25 USD and dinner costs 40 USD :: replace EUR with USD everywhere
Tickets cost 25 USD and dinner costs 40 EUR :: change the first EUR to USD
refuse :: change EUR to USD
refuse :: change the price to 50 EUR
refuse :: make it 50 EUR
@Meet Ana at the libary. Bring the signed contract. Ana likes jazz.|open
Meet Ana at the library. Bring the signed contract. Ana likes jazz. :: fix the typo: libary should be library
Meet Ana at the library. Bring the signed contract. Ana likes jazz. :: correct the spelling of libary to library
Meet Ana at the library. Bring the signed contract. Ana likes jazz. :: it's spelled library
Meet Ana at the library. Bring the signed contract. Ana likes jazz. :: fix typo libary -> library
Meet Ana at the library. Bring the signed contract. Ana likes jazz. :: fix the typo
Meet Ana at the library. Bring the signed contract. Ana likes jazz. :: libary is misspelled, it should be library
Meet Anna at the libary. Bring the signed contract. Anna likes jazz. :: it's Anna, not Ana
Meet Anna at the libary. Bring the signed contract. Anna likes jazz. :: rename Ana to Anna
Meet Anna at the libary. Bring the signed contract. Anna likes jazz. :: her name is Anna, not Ana
Meet Anna at the libary. Bring the signed contract. Ana likes jazz. :: change the first Ana to Anna
Meet Ana at the libary. Bring the signed contract. Anna likes jazz. :: change the last Ana to Anna
Meet Ana at the libary. Bring the signed contract. :: remove the last sentence
Meet Ana at the libary. Ana likes jazz. :: delete the second sentence
Bring the signed contract. Ana likes jazz. :: remove the first sentence
Meet Ana at the libary. Bring the signed contract. :: remove the sentence about jazz
Meet Ana at the libary. Ana likes jazz. :: drop the sentence about the contract
Meet Ana at the libary. Ana likes jazz. :: remove "Bring the signed contract."
Meet Ana at the libary. Bring the contract. Ana likes jazz. :: remove the word signed
Meet Ana at the libary. Bring the signed contract. Ana likes jazz. Call first. :: add a sentence: Call first.
Meet Ana at the libary. Bring the signed contract. Ana likes jazz. Call first. :: append "Call first."
Meet Ana at the libary. Bring the signed contract. Ana likes jazz and tea. :: append and tea
Meet Ana at the libary. Bring the signed contract. Ana likes jazz. She plays bass. :: add that she plays bass
refuse :: change Ana to Anna
refuse :: remove the sentence about Ana
refuse :: remove the fifth sentence
refuse :: remove Ana
@Buy milk, eggs and bread|open
Buy milk and bread :: remove eggs
Buy milk and eggs :: remove bread from the list
Buy eggs and bread :: delete milk
Buy milk, eggs, bread and butter :: add butter to the list
Buy milk, eggs, bread and butter :: add butter
Buy milk, eggs and rye bread :: change bread to rye bread
Buy oat milk, eggs and bread :: milk should be oat milk
Buy milk, tofu and bread :: tofu instead of eggs
Buy milk, eggs and bread tomorrow :: append tomorrow
Buy milk and bread [completed] :: remove eggs and mark it done
refuse :: remove butter
@Packing list:\n- passport\n- charger\n- socks|open
Packing list:\n- passport\n- socks :: remove charger
Packing list:\n- passport\n- charger\n- socks\n- hat :: add hat
Packing list:\n- passport\n- charger\n- socks\n- hat :: add hat to the list
Packing list:\n- passport\n- charger :: remove the last item
Packing list:\n- passport\n- phone charger\n- socks :: change charger to phone charger
@the wifi password is hunter2 (guest network)|open
the wifi password is swordfish (guest network) :: change hunter2 to swordfish
the wifi password is swordfish (guest network) :: replace 'hunter2' with 'swordfish'
the wifi password is hunter2 :: remove the parentheses and what's in them
the wifi password is hunter2 :: remove the part in parentheses
The wifi password is hunter2 (guest network) :: capitalize the first letter
The wifi password is hunter2 (guest network) :: start with a capital letter
the WiFi password is hunter2 (guest network) :: change wifi to WiFi
the wifi password is hunter2 (staff network) :: guest should be staff
the wifi password is hunter3 (guest network) :: change the password to hunter3
@Standup  at 9:30 with  Tom |open
Standup at 9:30 with Tom :: remove the extra spaces
Standup at 9:30 with Tom :: trim whitespace
Standup  at 9:45 with  Tom  :: change 9:30 to 9:45
Standup  at 9:45 with  Tom  :: move it to 9:45
Standup  at 9:30 with  Tim  :: change Tom to Tim
Standup  at 9:30 with  Tim  :: Tim, not Tom
"#;

/// The text and the status that a request leads to, `None` if it is refused.
fn outcome(text: &str, status: Status, request: &str) -> Option<(String, Status)> {
    match interpret(text, status, request) {
        Ok(Change::Edit { text: changed, status: wanted }) => {
            Some((changed.unwrap_or_else(|| text.to_owned()), wanted.unwrap_or(status)))
        }
        Ok(Change::Undo | Change::Redo) | Err(_) => None,
    }
}

fn status(name: &str) -> Option<Status> {
    match name {
        "open" => Some(Status::Open),
        "completed" => Some(Status::Completed),
        "archived" => Some(Status::Archived),
        _ => None,
    }
}

fn expected(line: &str, text: &str, current: Status) -> Option<(String, Status)> {
    if line == "refuse" {
        return None;
    }
    if let Some(status) = status(line) {
        return Some((text.to_owned(), status));
    }
    let marked = line
        .strip_suffix(']')
        .and_then(|line| line.rsplit_once(" ["))
        .and_then(|(text, name)| Some((text, status(name)?)));
    let (changed, status) = marked.unwrap_or((line, current));
    Some((changed.replace("\\n", "\n"), status))
}

/// Checks every line of a table of this kind.
pub(super) fn check(table: &str) {
    let mut thought = (String::new(), Status::Open);
    let mut wrong = Vec::new();
    for line in table.lines().filter(|line| !line.is_empty()) {
        if let Some((text, name)) = line.strip_prefix('@').and_then(|line| line.rsplit_once('|')) {
            thought = (text.replace("\\n", "\n"), status(name).unwrap());
            continue;
        }
        let (becomes, request) = line.split_once(" :: ").unwrap();
        let actual = outcome(&thought.0, thought.1, &request.replace("\\n", "\n"));
        if actual != expected(becomes, &thought.0, thought.1) {
            wrong.push(format!("{request:?} makes {:?} {actual:?}", thought.0));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_text_changes_as_asked_and_nowhere_else() {
    check(TABLE);
}

#[test]
fn words_may_be_set_apart_by_any_space() {
    for space in ["\u{a0}", "\u{202f}", "\u{3000}", "\u{85}"] {
        let changed = outcome(&format!("Loyer :{space}900 €, charges 40 €"), Status::Open, "change 900 to 950");
        assert_eq!(changed, Some((format!("Loyer :{space}950 €, charges 40 €"), Status::Open)), "{space:?}");
    }
}

#[test]
fn a_long_thought_is_changed_at_once() {
    let long = "lorem ipsum dolor sit amet, and 12:30 on Friday. ".repeat(1_300);
    for request in
        ["change every dolor to Sara", "remove the last sentence", "fix the typo", "add x to the list", "make it 3pm"]
    {
        let start = crate::work_clock::WorkClock::start();
        let _ = interpret(&long, Status::Open, request);
        // Far more than an optimised build needs, far less than anything quadratic would take.
        assert!(start.elapsed().as_millis() < 1_000, "{request}");
    }
}

/// Words that the rules turn on, to be thrown together at random.
const WORDS: &[&str] = &[
    "change",
    "replace",
    "add",
    "remove",
    "append",
    "make",
    "it",
    "it's",
    "not",
    "to",
    "with",
    "the",
    "first",
    "last",
    "sentence",
    "word",
    "every",
    "and",
    ",",
    ":",
    "'",
    "\"",
    "milk",
    "eggs",
    "Friday",
    "3pm",
    "12",
    "->",
    "instead",
    "of",
    "should",
    "be",
    "should be",
    "before",
    "after",
    "list",
    "uppercase",
    "mark",
    "done",
    "typo",
    "é",
    "s/",
    "/",
    "because",
    "if",
    "?",
    "(",
    ")",
    ".",
    "end",
    "at",
];

proptest::proptest! {
    #[test]
    fn no_mix_of_words_that_matter_panics(picks in proptest::collection::vec(0..WORDS.len(), 0..14), text in ".{0,40}") {
        let request: Vec<&str> = picks.into_iter().map(|pick| WORDS[pick]).collect();
        let _ = interpret(&text, Status::Open, &request.join(" "));
        let _ = interpret("Buy milk, 6 eggs and (rye) bread by Friday at 3pm.", Status::Open, &request.join(" "));
    }

    #[test]
    fn only_the_named_word_changes(before in "([b-y]{3,8} ){0,6}", after in "( [b-y]{3,8}){0,6}[.!]?", new in "Q[b-y]{3,9}") {
        let text = format!("{before}Zanzibar{after}");
        for request in [format!("change Zanzibar to {new}"), format!("it's {new}, not Zanzibar"), format!("replace 'Zanzibar' with '{new}'")] {
            let changed = outcome(&text, Status::Open, &request);
            proptest::prop_assert_eq!(changed, Some((format!("{before}{new}{after}"), Status::Open)));
        }
    }

    #[test]
    fn a_change_and_its_reverse_restore_every_byte(before in "[b-y ]{0,20}", after in "[b-y ]{0,20}") {
        let text = format!("{before} Zanzibar {after}");
        let there = outcome(&text, Status::Open, "change 'Zanzibar' to 'Quito'").unwrap();
        let back = outcome(&there.0, Status::Open, "change 'Quito' to 'Zanzibar'").unwrap();
        proptest::prop_assert_eq!(back.0, text);
    }
}
