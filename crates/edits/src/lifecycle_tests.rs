//! Lifecycle requests as people make them, by the state they ask for or the reason they are refused.

use model::Status;

use super::{Change, Refusal, by_rules as interpret};

const TEXT: &str = "Renew the gym membership";

/// What a request comes to, short enough to be a column of a table.
fn outcome(text: &str, status: Status, request: &str) -> &'static str {
    match interpret(text, status, request) {
        Ok(Change::Undo) => "undo",
        Ok(Change::Redo) => "redo",
        Ok(Change::Edit { text: Some(_), .. }) => "text",
        Ok(Change::Edit { status: None, .. }) => "nothing",
        Ok(Change::Edit { status: Some(Status::Open), .. }) => "open",
        Ok(Change::Edit { status: Some(Status::Completed), .. }) => "completed",
        Ok(Change::Edit { status: Some(Status::Archived), .. }) => "archived",
        Err(Refusal::Empty) => "empty",
        Err(Refusal::Question) => "question",
        Err(Refusal::Contradiction) => "contradiction",
        Err(Refusal::Later) => "later",
        Err(Refusal::Partly) => "partly",
        Err(Refusal::Prohibition) => "prohibition",
        Err(Refusal::Unclear) => "unclear",
        Err(_) => "other",
    }
}

fn check(status: Status, expected: &str, requests: &[&str]) {
    let wrong: Vec<String> = requests
        .iter()
        .map(|request| (request, outcome(TEXT, status, request)))
        .filter(|(_, actual)| *actual != expected)
        .map(|(request, actual)| format!("{request:?} is {actual}, not {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check_refused(status: Status, requests: &[&str]) {
    let wrong: Vec<String> = requests
        .iter()
        .map(|request| (request, interpret(TEXT, status, request)))
        .filter(|(_, reading)| reading.is_ok())
        .map(|(request, reading)| format!("{request:?} is {reading:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn words_for_done_complete_a_thought() {
    check(
        Status::Open,
        "completed",
        &[
            "mark as done",
            "Mark this as done.",
            "mark it completed",
            "mark complete",
            "done",
            "Done!",
            "done ✅",
            "✅",
            "☑️",
            "✔",
            "[x]",
            "DONE",
            "all done",
            "that's finished",
            "this is complete",
            "it’s done",
            "its done",
            "I already did it",
            "did it",
            "did this already",
            "I've done this",
            "Ive finished it",
            "we have completed this",
            "I took care of it yesterday",
            "taken care of",
            "it has been dealt with",
            "completed on Monday",
            "finished last week",
            "got it done",
            "check it off",
            "check this one off the list",
            "cross it off",
            "tick this off my list please",
            "close this",
            "you can close this one",
            "this can be closed",
            "resolved",
            "we shipped it",
            "set status = completed",
            "status: done",
            "status -> done",
            "set the status to complete",
            "change the status to completed",
            "change status from open to done",
            "update status: completed",
            "please mark this thought as complete, thanks",
            "can you mark this as done?",
            "Could you please set this to done?",
            "would you mind marking this as done",
            "hey, mark it done for me, thank you!",
            "I'd like to mark this as done",
            "let's mark this one as completed",
            "this should be marked as done",
            "mark as \"done\"",
            "mark done, I paid it this morning",
            "I'm done with this",
            "makr as doen",
            "compelted",
            "mark as compleet",
            "**done**",
            "\"done\"",
            "finally finished this one today",
            "mission accomplished",
            "consider it done",
            "wrapped up",
            "mark the gym membership as done",
            "renewed it this morning",
            "I renewed the membership",
            "sorted",
            "that one is handled",
            "complete",
            "move to done",
            "move it to completed",
            "The user says this is done, so mark it as completed.",
            "The user has finished this task.",
        ],
    );
}

#[test]
fn words_for_unfinished_reopen_a_thought() {
    check(
        Status::Completed,
        "open",
        &[
            "reopen",
            "re-open this",
            "please reopen it",
            "not done",
            "isn't done yet",
            "isnt done",
            "this is not finished",
            "I haven't finished this",
            "I have not done it yet",
            "I didn't do it",
            "still to do",
            "still need to do this",
            "I still have to do it",
            "undone",
            "mark as not done",
            "mark as incomplete",
            "mark it undone",
            "unmark as done",
            "uncheck it",
            "set it back to open",
            "set status to open",
            "status: open",
            "make it active again",
            "back to todo",
            "move it back to to-do",
            "keep it open",
            "leave it open",
            "it's still open",
            "this is still pending",
            "actually this isn't finished",
            "no, it's not done",
            "undo the completion",
            "undo the completion, I still need to get to it",
            "undo marking it as done",
            "I marked it done by mistake",
            "accidentally completed this",
            "this shouldn't be marked as done",
            "not completely finished",
            "still working on it",
            "can you reopen this?",
            "mark as unfinished",
            "open it again",
            "reopn",
        ],
    );
}

#[test]
fn words_for_useless_archive_a_thought() {
    check(
        Status::Open,
        "archived",
        &[
            "archive",
            "archive this",
            "Please archive it.",
            "archive this thought, thanks",
            "archvie",
            "dismiss",
            "dismiss this one",
            "not relevant",
            "not relevant anymore",
            "no longer relevant",
            "isn't relevant any more",
            "irrelevant",
            "this is irrelevant now",
            "outdated",
            "this is out of date",
            "obsolete",
            "stale",
            "no longer true",
            "no longer applies",
            "this doesn't apply anymore",
            "not valid any longer",
            "no longer needed",
            "I don't need this anymore",
            "we don't need it",
            "superseded",
            "superseded by the new plan",
            "forget this",
            "delete it",
            "delete",
            "remove this thought",
            "remove it",
            "get rid of it",
            "drop it",
            "trash",
            "move it to the trash",
            "throw it away",
            "cancelled",
            "we cancelled this",
            "this was canceled",
            "mark as irrelevant",
            "mark as outdated",
            "mark it as no longer relevant",
            "flag this as obsolete",
            "set status to archived",
            "status: archived",
            "move to archive",
            "archive this, we moved to a new office",
            "no longer relevant since we switched vendors",
            "can you archive this?",
            "this should be archived",
            "this can be deleted",
            "you can delete this",
            "archive it, I already did it",
            "duplicate",
            "doesn't matter anymore",
            "🗑️",
        ],
    );
}

#[test]
fn words_for_restoring_reopen_an_archived_thought() {
    check(
        Status::Archived,
        "open",
        &[
            "restore",
            "restore it",
            "unarchive",
            "un-archive this",
            "bring it back",
            "un-delete",
            "undelete this",
            "it's relevant again",
            "still relevant",
            "this is still valid",
            "not outdated",
            "it isn't irrelevant",
            "undo the archive",
            "undo the delete",
            "undo the deletion",
            "I archived this by accident",
            "I didn't mean to archive this",
            "this shouldn't be archived",
            "I need this again",
            "recover this thought",
            "take it out of the archive",
            "make it open again",
            "please bring this thought back",
        ],
    );
}

#[test]
fn what_is_said_of_things_in_the_text_is_no_undo() {
    for (text, request) in [
        ("Return the library books by Friday.", "I took the library books back."),
        ("Tom borrowed the drill.", "Tom took the drill back."),
        ("The bathroom tiles are cracked.", "We have to redo the bathroom tiles."),
        ("Waiting for the landlord's draft lease.", "The landlord will revert with the draft."),
    ] {
        assert!(!["undo", "redo"].contains(&outcome(text, Status::Open, request)), "{request}");
    }
    assert_eq!(outcome("The tiles are blue.", Status::Open, "undo the change of the tiles"), "undo");
}

#[test]
fn taking_back_is_undo() {
    check(
        Status::Open,
        "undo",
        &[
            "undo",
            "Undo!",
            "undo that",
            "undo the last change",
            "undo my last edit",
            "please undo",
            "revert",
            "revert the last change",
            "revert that edit",
            "take that back",
            "oops, put it back the way it was",
            "go back one step",
            "roll back the last change",
            "rollback",
            "can you undo that?",
            "undo it please",
            "restore the previous version",
            "go back to the previous version",
            "↩️",
            "unod",
        ],
    );
    check(Status::Open, "redo", &["redo", "redo that", "redo the change", "undo the undo", "please redo it"]);
}

#[test]
fn questions_are_refused() {
    check(
        Status::Open,
        "question",
        &[
            "is this done?",
            "is this done",
            "did I finish it?",
            "should I archive this?",
            "should I archive this",
            "done?",
            "have we completed this?",
            "what is the status?",
            "when was this completed",
            "why is this archived?",
            "how do I mark it as done?",
            "is it still relevant?",
            "isn't this outdated?",
            "do we still need this?",
            "can this be archived?",
        ],
    );
}

#[test]
fn promises_and_conditions_are_refused() {
    check(
        Status::Open,
        "later",
        &[
            "mark it done when Sam answers",
            "archive next week",
            "archive this tomorrow",
            "I will finish this tomorrow",
            "I'll do it later",
            "once this is done, archive it",
            "if Sam agrees, mark it done",
            "this will be done soon",
            "I'm going to finish this",
            "mark as done after the meeting",
            "archive it on Friday",
            "done by Friday",
            "keep it open until Monday",
        ],
    );
    check(
        Status::Open,
        "partly",
        &[
            "almost done",
            "half done",
            "nearly finished",
            "mostly complete",
            "I think it's done",
            "probably outdated",
            "maybe archive it",
            "partially completed",
            "80% done",
        ],
    );
}

#[test]
fn prohibitions_change_nothing() {
    check(
        Status::Open,
        "prohibition",
        &[
            "don't mark it done",
            "do not archive this",
            "dont delete it",
            "never archive this",
            "leave it as it is",
            "never mind",
            "nevermind",
            "do not change anything",
            "leave it alone",
            "please don't touch this",
        ],
    );
    check(Status::Open, "completed", &["don't archive it, mark it done"]);
}

#[test]
fn contradictions_are_refused() {
    check(
        Status::Open,
        "contradiction",
        &[
            "mark done and reopen",
            "archive it, no wait, keep it",
            "done. Actually not done.",
            "complete and archive",
            "archive and restore it",
            "mark it as done but keep it open",
            "done, no wait",
        ],
    );
}

#[test]
fn what_is_not_understood_is_refused() {
    check(Status::Open, "empty", &["", "   ", "\n\t"]);
    check_refused(
        Status::Open,
        &[
            "hmm",
            "ok",
            "thanks",
            "it",
            "please",
            "mark",
            "status",
            "set the status",
            "mark it as purple",
            "not open",
            "do it",
            "call Sam",
            "mark done and call Sam",
            "snooze",
            "make it better",
            "👍",
            "asdf qwer",
            "the quick brown fox",
            "undo the last three changes",
            "cancel",
            "undo everything",
            "Finnish",
            "that was a mistake",
        ],
    );
}

#[test]
fn other_languages_have_words_for_it() {
    check(
        Status::Open,
        "completed",
        &[
            "erledigt",
            "fertig",
            "als erledigt markieren",
            "Das ist erledigt.",
            "bitte als fertig markieren",
            "abgeschlossen",
            "abhaken",
            "terminé",
            "c'est fait",
            "c’est terminé",
            "marquer comme terminé",
            "marque-le comme fait",
            "hecho",
            "ya está hecho",
            "marcar como hecho",
            "terminado",
            "completada",
            "feito",
            "concluído",
            "já está feito",
            "marcar como concluído",
            "完了",
            "完了しました",
            "完了にしてください",
            "終わりました",
            "済み",
        ],
    );
    check(
        Status::Completed,
        "open",
        &[
            "nicht erledigt",
            "noch nicht fertig",
            "wieder öffnen",
            "wiederherstellen",
            "pas fini",
            "ce n'est pas encore fait",
            "rouvrir",
            "restaurer",
            "no está hecho",
            "reabrir",
            "todavía no está terminado",
            "restaurar",
            "não está feito",
            "ainda não terminei",
            "未完了",
            "再開",
            "まだ終わっていません",
            "復元",
        ],
    );
    check(
        Status::Open,
        "archived",
        &[
            "archivieren",
            "veraltet",
            "nicht mehr relevant",
            "bitte löschen",
            "archiver",
            "obsolète",
            "plus d'actualité",
            "supprimer",
            "archivar",
            "obsoleto",
            "ya no es relevante",
            "borrar",
            "arquivar",
            "não é mais relevante",
            "desatualizado",
            "アーカイブ",
            "不要",
            "もう必要ない",
            "古い",
            "アーカイブしてください",
        ],
    );
    check(
        Status::Open,
        "undo",
        &[
            "rückgängig",
            "rückgängig machen",
            "annuler la dernière modification",
            "deshacer",
            "desfazer",
            "元に戻す",
            "元に戻してください",
        ],
    );
    check_refused(
        Status::Open,
        &[
            "nicht archivieren",
            "ist das erledigt?",
            "ne pas archiver",
            "no archivar",
            "não arquivar",
            "アーカイブしないでください",
            "完了しましたか",
            "morgen erledigen",
            "fast fertig",
        ],
    );
}

#[test]
fn a_request_made_to_be_slow_is_answered_at_once() {
    let text = "Rent: 900 EUR, due on Friday. Owner: Ana.\n- call Sam\n- pay".repeat(20);
    for part in [
        ":",
        "(",
        "\"",
        "'",
        ", and ",
        "is ",
        "change a to b and ",
        "- ",
        "1 ",
        "Friday not ",
        "a: b ",
        "remove x; ",
        ". ",
    ] {
        for text in [TEXT, &text] {
            let request = part.repeat(32_000 / part.len());
            let start = crate::work_clock::WorkClock::start();
            let _ = interpret(text, Status::Open, &request);
            let _ = interpret(text, Status::Open, &format!("add: {request}"));
            // Far more than an optimised build needs, far less than anything quadratic would take.
            let took = start.elapsed();
            assert!(took.as_millis() < 2_000, "{part:?} took {took:?}");
        }
    }
}

#[test]
fn a_long_request_or_text_is_answered_at_once() {
    let long = "archive because x and y, not done if ".repeat(2_000);
    for (text, request) in [(TEXT, long.as_str()), (long.as_str(), "mark as done"), (TEXT, "a".repeat(65_536).as_str())]
    {
        let start = crate::work_clock::WorkClock::start();
        let _ = interpret(text, Status::Open, request);
        // Far more than an optimised build needs, far less than anything quadratic would take.
        assert!(start.elapsed().as_millis() < 1_000, "{} bytes", request.len());
    }
}

/// Words that the rules turn on, to be thrown together at random.
const WORDS: &[&str] = &[
    "mark",
    "as",
    "done",
    "not",
    "archive",
    "it",
    "undo",
    "no",
    "longer",
    "relevant",
    "if",
    "will",
    "?",
    ",",
    "and",
    "I",
    "still",
    "need",
    "to",
    "do",
    "don't",
    "keep",
    "open",
    "you",
    "can",
    "'",
    "\"",
    "by",
    "Friday",
    "already",
    "完了",
    "ない",
    "nicht",
    "erledigt",
    "status",
    ":",
    "->",
    "✅",
    "the",
    "membership",
    "mistake",
    "reopen",
    "change",
    "so",
    "back",
];

#[test]
fn letters_that_grow_when_their_case_changes_do_not_panic() {
    // Found by the property below.
    let _ = interpret("", Status::Open, "Aࠀƀ");
}

proptest::proptest! {
    #[test]
    fn no_request_panics(text in ".{0,60}", request in ".{0,120}") {
        let _ = interpret(&text, Status::Open, &request);
    }

    #[test]
    fn no_mix_of_words_that_matter_panics_or_changes_nothing(picks in proptest::collection::vec(0..WORDS.len(), 0..14)) {
        let request: Vec<&str> = picks.into_iter().map(|pick| WORDS[pick]).collect();
        let reading = interpret(TEXT, Status::Completed, &request.join(" "));
        let nothing = Ok(Change::Edit { text: None, status: None });
        proptest::prop_assert_ne!(reading, nothing);
    }

    #[test]
    fn case_and_closing_marks_do_not_matter(at in 0..4_usize, shout: bool, mark in "[.! ]{0,3}") {
        let request = ["mark as done", "it's no longer relevant", "i didn't do it", "undo the last change"][at];
        let spoken = if shout { request.to_uppercase() } else { request.to_owned() };
        proptest::prop_assert_eq!(
            interpret(TEXT, Status::Open, request),
            interpret(TEXT, Status::Open, &format!("{spoken}{mark}"))
        );
    }
}
