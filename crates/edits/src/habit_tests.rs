//! Lifecycle requests in people's own words, one a line: what they ask for, and how they put it.

use model::Status;

use super::{Change, by_rules as interpret};

/// A line `@text|status` sets the thought that the lines after it are about.
const TABLE: &str = r#"
@Renew the gym membership|open
completed :: That's been taken care of already
completed :: The user completed this task today
completed :: User confirmed they finished this.
completed :: mark thought as completed
completed :: mark this one off
completed :: please close this out
completed :: close it, it's been resolved
completed :: I've just finished with this one!
completed :: Yep, done
completed :: done, thank you so much 🙏
completed :: finished!!
completed :: Task complete.
completed :: This task is complete
completed :: set to complete
completed :: set this thought's status to done
completed :: Update the status to "completed"
completed :: change this to done
completed :: status completed
completed :: mark it as finished please
completed :: we're done here
completed :: got this one done last night
completed :: I did this on Tuesday
completed :: My wife already did it
completed :: it's all taken care of now
completed :: Mark as done because I already renewed it
completed :: renewed yesterday
completed :: Would you please mark it complete for me?
completed :: Can you check this off?
completed :: could you tick that off my list?
completed :: makred as doen pls
completed :: mark as completd
completed :: finised
completed :: mark resolved
completed :: This has been resolved, so close it.
completed :: crossed it off
completed :: I can confirm this is done
completed :: consider this completed
completed :: I managed to finish this
completed :: this was completed a week ago
completed :: ✔️ done
completed :: wrapped this up this morning
completed :: fertig, danke
completed :: Aufgabe erledigt
completed :: c'est bon, c'est fait
completed :: ya lo hice
completed :: já fiz isso
completed :: これは完了です
@Renew the gym membership|completed
open :: Reopen this task please
open :: this isn't actually done
open :: it is not complete yet, please reopen
open :: I never finished this
open :: mark this as open
open :: mark as to-do
open :: put it back on my list
open :: move back to open
open :: I thought this was done but it's not
open :: not finished yet
open :: this still needs to be done
open :: I still need to do this
open :: uncomplete
open :: un-complete this
open :: set as active
open :: change it back to open
open :: make this open again please
open :: sorry, I marked this as done by accident
open :: I was wrong, it isn't finished
open :: it's not done, reopen it
open :: noch offen
open :: das ist noch nicht erledigt
open :: ce n'est pas terminé
open :: aún no está hecho
open :: ainda não está concluído
open :: まだ完了していません
@Renew the gym membership|open
archived :: this isn't relevant to me anymore
archived :: No longer relevant, please archive.
archived :: this info is outdated
archived :: That's old news
archived :: this is no longer accurate
archived :: not needed anymore
archived :: we don't need that any longer
archived :: no need to keep this
archived :: please remove this from my memory
archived :: please delete this thought
archived :: just delete it
archived :: bin it
archived :: you can throw this away
archived :: it's obsolete now that we moved
archived :: outdated - we use a different provider now
archived :: mark as obsolete please
archived :: mark it irrelevant
archived :: mark this as not relevant
archived :: mark as no longer needed
archived :: archive please
archived :: archived
archived :: move to the archive
archived :: put it in the archive
archived :: let's archive this one
archived :: I'd like this archived
archived :: this got cancelled
archived :: The gym closed, so archive this
archived :: archive this because the gym closed down
archived :: it's a duplicate
archived :: duplicate of another thought, archive it
archived :: dismiss as irrelevant
archived :: dismiss it as outdated
archived :: this doesn't apply to us anymore
archived :: this has expired
archived :: won't be needed anymore
archived :: ist nicht mehr aktuell
archived :: kann gelöscht werden
archived :: ce n'est plus valable
archived :: ya no hace falta
archived :: elimina esto
archived :: pode arquivar
archived :: もう不要です
archived :: 削除してください
@Renew the gym membership|archived
open :: please restore this thought
open :: bring back
open :: can you restore this for me?
open :: unarchive it please, I need it again
open :: undelete
open :: I want this back
open :: it's valid again
open :: this is relevant after all
open :: actually it still applies
open :: I deleted this by mistake, bring it back
open :: this should not have been archived
open :: make it active
open :: reactivate
open :: don't archive this, it's still relevant
open :: put it back
@Renew the gym membership|open
undo :: undo last edit
undo :: undo your last change
undo :: revert this change
undo :: revert to the previous version
undo :: take back the last edit
undo :: could you revert that please
undo :: undo what you just did
undo :: please roll that back
undo :: go back to how it was before
undo :: undo the most recent change
undo :: revert my last edit please
undo :: letzte Änderung rückgängig machen
undo :: annule la dernière modification
undo :: deshacer el último cambio
undo :: desfazer a última alteração
undo :: 直前の変更を取り消して
redo :: redo the last change
redo :: redo it
refuse :: was this completed?
refuse :: Has this been done?
refuse :: who finished this?
refuse :: do I need to archive this?
refuse :: Is this still relevant
refuse :: what happens if I archive this?
refuse :: can I delete this?
refuse :: is it ok to archive this?
refuse :: what's the status of this
refuse :: remind me when this is done
refuse :: mark as done tomorrow
refuse :: archive this in two weeks
refuse :: will be done by Monday
refuse :: I'm about to finish this
refuse :: I plan to finish it next week
refuse :: should be done soon
refuse :: nearly there
refuse :: it's 90% complete
refuse :: half of it is done
refuse :: I think this is outdated
refuse :: might be obsolete
refuse :: not sure if this is done
refuse :: please don't archive it
refuse :: don't do anything
refuse :: leave it
refuse :: ignore my last message
refuse :: delete it... actually keep it
refuse :: archive and mark as done
refuse :: mark it complete, then reopen it
refuse :: it's done, it's not done
refuse :: reopen and archive
refuse :: make it pop
refuse :: snooze until Monday
refuse :: assign to Sam
refuse :: mark as important
refuse :: set priority to high
refuse :: pin this
refuse :: yes
refuse :: ???
refuse :: lorem ipsum dolor
refuse :: share this with Ana
refuse :: remind me tomorrow
refuse :: mark as
refuse :: status
refuse :: the first part is done
refuse :: mark half of it done
refuse :: done with the first step
refuse :: unless it's done, archive it
refuse :: wenn Sam antwortet, archivieren
refuse :: ist das noch aktuell?
refuse :: bitte nicht löschen
refuse :: est-ce terminé ?
refuse :: ¿está hecho?
refuse :: no lo borres
refuse :: まだですか？
refuse :: 明日完了します
@Call the plumber about the boiler|open
completed :: called them this morning
completed :: I called the plumber
completed :: I already called, so this is done
completed :: Called. You can close this now.
completed :: the plumber call is done
completed :: Just got off the phone with them, so mark this as done
completed :: this task has been completed successfully
completed :: marking this as done
completed :: Mark "Call the plumber about the boiler" as done
completed :: mark the plumber thing as complete
completed :: set state: completed
completed :: {"status": "completed"}
completed :: status=done
completed :: mark thought as done since the user said they already called
completed :: The user indicated this is complete
completed :: The user has already completed this
completed :: user finished this on March 3
completed :: Completed 2026-03-04
completed :: finished at 5pm
completed :: Finally got around to it yesterday
completed :: Taken care of by my wife
completed :: It is finished.
completed :: yay done 🎉
completed :: Done and dusted
completed :: mark as closed
completed :: I've sorted this out
completed :: it's sorted
completed :: solved
completed :: issue resolved, thanks
completed :: we got this done
completed :: I have completed the task
completed :: just finished!
completed :: already done
completed :: done already
completed :: this was done ages ago
completed :: this one's done
completed :: This one is now complete, thank you.
completed :: This thought is completed.
completed :: kindly mark completed
completed :: mark this todo as done
completed :: mark this to-do item as complete
completed :: flag as done
completed :: move to completed
completed :: I want to mark this as complete
completed :: go ahead and mark it as done
completed :: you can mark this as completed now
completed :: make it done
completed :: mark completed 👍
completed :: Erledigt!
completed :: habe ich schon erledigt
completed :: ist erledigt, danke
completed :: kannst du das als erledigt markieren?
completed :: j'ai fini
completed :: je l'ai fait hier
completed :: tarea completada
completed :: marca esto como completado
completed :: tarefa concluída
completed :: もう終わりました
completed :: 完了にマークして
refuse :: call them again
refuse :: I called but they didn't answer
refuse :: called them, no answer yet
refuse :: tried calling, will retry
refuse :: done for today
refuse :: not done and done
refuse :: I wish this was done
refuse :: let me know when it's done
refuse :: is done a status?
refuse :: make sure it's done by Friday
refuse :: needs to be done by Friday
refuse :: this has to be done
refuse :: get it done
refuse :: do this first
refuse :: I'm not sure this is done
refuse :: don't forget this
refuse :: never delete this
refuse :: please do not mark this as done
refuse :: nothing to change
refuse :: leave as is
refuse :: what does done mean
refuse :: why did you archive this
refuse :: how about archiving this?
refuse :: should this be archived
refuse :: could this be outdated?
refuse :: we'll archive it after the release
refuse :: archive unless Sam objects
refuse :: as soon as I'm back, mark it done
refuse :: half finished
refuse :: mostly done, one thing left
refuse :: partially outdated
refuse :: only the first half is outdated
refuse :: the second part is obsolete
refuse :: mark done or archive
refuse :: done or not done
refuse :: either archive or delete it
refuse :: archive all my thoughts
refuse :: delete everything
refuse :: mark all as done
refuse :: undo all changes
refuse :: undo the last 3 edits
refuse :: undo yesterday's change
refuse :: it's complicated
refuse :: complete nonsense
refuse :: open the window
refuse :: close the door
refuse :: drop the table users
refuse :: finish the sentence
refuse :: forget it
refuse :: blah blah done blah
refuse :: prioritize this
refuse :: merge with the other one
@Call the plumber about the boiler|completed
open :: they want me to call again, reopen this
open :: reopen it, they didn't pick up
open :: this was marked complete by mistake
open :: Marked as done too early, please reopen
open :: no it isn't done
open :: it's not done
open :: wait, this isn't done yet
open :: Actually, I still need to call them
open :: I haven't called them yet
open :: haven't done this yet
open :: still not done
open :: mark as pending
open :: mark as in progress
open :: set status back to open
open :: return it to open
open :: revert to open
open :: un-mark this as done
open :: uncheck this
open :: it's open again
open :: make it open
open :: status should be open
open :: change status to open
open :: I didn't finish this
open :: didn't do it
open :: bring this back to my list
open :: wieder öffnen bitte
open :: rouvre cette tâche
open :: no terminado
open :: não terminei ainda
@Garage door code is on the red card|open
archived :: the garage closed, so this is outdated
archived :: we moved houses, this is no longer valid
archived :: this is old, archive it
archived :: this is stale info
archived :: This memory is outdated.
archived :: This is no longer the case
archived :: not true anymore
archived :: this isn't true any more
archived :: this information is not current anymore
archived :: no longer correct
archived :: mark this thought as outdated and archive it
archived :: irrelevant, please dismiss
archived :: the code changed, so this is outdated
archived :: archive the door code thought
archived :: soft delete this
archived :: remove from memory
archived :: remove this memory
archived :: delete this note please
archived :: I don't need this any more, delete it
archived :: we no longer use this
archived :: no longer in use
archived :: it's useless now
archived :: get this out of here
archived :: clear this
archived :: dump it
archived :: trash it
archived :: send it to the archive
archived :: hide this from my list
archived :: stop showing me this
archived :: this has been superseded by a newer thought
archived :: replaced by the new policy
archived :: user no longer needs this
archived :: user says this is not relevant anymore
archived :: The user asked to archive this thought.
archived :: not applicable
archived :: expired
archived :: veraltet, bitte archivieren
archived :: brauche ich nicht mehr
archived :: je n'en ai plus besoin
archived :: ya no lo necesito
archived :: não preciso mais disso
archived :: もういらない
refuse :: this is wrong
refuse :: that's not true
refuse :: is the code still valid?
refuse :: relevant
refuse :: the card is gone
refuse :: remove the red card from the wall
refuse :: mark it as private
@Garage door code is on the red card|archived
open :: still valid, restore
open :: this is not outdated, bring it back
open :: oops, didn't mean to delete that
open :: I need this thought back
open :: undo delete
open :: undo archiving
open :: un-archive
open :: move out of archive
open :: it's still true
open :: this still applies, restore it please
open :: archived by mistake
open :: mark as relevant again
open :: not irrelevant after all
open :: I changed my mind, restore it
open :: désarchiver
open :: restaurar por favor
"#;

fn outcome(text: &str, status: Status, request: &str) -> &'static str {
    match interpret(text, status, request) {
        Ok(Change::Undo) => "undo",
        Ok(Change::Redo) => "redo",
        Ok(Change::Edit { text: Some(_), .. }) => "text",
        Ok(Change::Edit { status, .. }) => status.map_or("nothing", name),
        Err(_) => "refuse",
    }
}

fn name(status: Status) -> &'static str {
    match status {
        Status::Open => "open",
        Status::Completed => "completed",
        Status::Archived => "archived",
    }
}

fn status(named: &str) -> Status {
    [Status::Open, Status::Completed, Status::Archived].into_iter().find(|status| name(*status) == named).unwrap()
}

#[test]
fn people_are_understood_in_their_own_words() {
    let mut thought = ("", Status::Open);
    let mut wrong = Vec::new();
    for line in TABLE.lines().filter(|line| !line.is_empty()) {
        if let Some((text, named)) = line.strip_prefix('@').and_then(|line| line.rsplit_once('|')) {
            thought = (text, status(named));
            continue;
        }
        let (expected, request) = line.split_once(" :: ").unwrap();
        let actual = outcome(thought.0, thought.1, request);
        if actual != expected {
            wrong.push(format!("{request:?} is {actual}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
