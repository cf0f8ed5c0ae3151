//! English words for the life of a thought.

use model::Status::{Archived, Completed, Open};

use super::lexicon::{
    Class::{
        After, All, And, AnyMore, Aside, Ask, Be, Because, Believed, But, By, Can, Change, Did, Do, DoNot, Edit,
        Filler, From, Future, Have, Hedge, If, It, Keep, Link, Mark, Maybe, Mistake, Must, Need, No, NoLonger, Not,
        Now, Past, Redo, Retract, Rewrite, Should, State, Status as StatusWord, Still, They, Thing, True, Undo, Useful,
        Verb, Version, Want, We, Will, You,
    },
    Table,
};

/// Words, and phrases joined by `_` with `*` for the thought they may enclose.
pub(super) const TABLE: Table = &[
    (
        State(Completed),
        "done complete completed finished closed resolved solved fixed accomplished achieved handled settled sorted \
         concluded fulfilled finalized finalised executed checked_off ticked_off crossed_off checked_*_off ticked_*_off crossed_*_off marked_*_off struck_off ticked crossed_out \
         taken_care_of took_care_of dealt_with all_done all_set all_finished all_sorted all_taken_care_of \
         wrapped_up wrapped_*_up got_*_done got_done gotten_done done_and_dusted over_and_done_with done_with \
         finished_with in_the_bag mission_accomplished consider_*_done completion completing finishing closing \
         resolution call_*_done call_*_finished considered_done considered_finished considered_completed job_done task_done nothing_left_to_do nothing_more_to_do nothing_else_to_do got_around_to got_to_it sorted_out sorted_*_out",
    ),
    (
        Verb(Completed),
        "finish close resolve mark_*_off mark_off finalize finalise check_*_off check_off tick_*_off tick_off cross_*_off cross_off \
         cross_*_out strike_*_off checking_*_off ticking_*_off crossing_*_off wrap_*_up close_*_out close_*_off tick",
    ),
    (
        State(Open),
        "open incomplete unfinished undone uncompleted unresolved unsolved outstanding pending active todo to_do \
         in_progress unchecked unticked ongoing uncomplete not_started underway under_way reopening restoring \
         back_on_the_list back_on_my_list still_working_on working_on_*_again to_be_done restored reopened",
    ),
    (
        Verb(Open),
        "reopen unarchive dearchive undelete restore recover revive reinstate resurrect reactivate uncheck untick unmark uncross \
         bring_*_back_from_the_archive get_*_back_from_the_archive restore_from_archive restore_*_from_the_archive open_*_up_again \
         undismiss unclose untrash unremove unfinish bring_*_back get_*_back take_*_out_of_the_archive \
         take_*_out_of_archive take_*_out_of_the_trash pull_*_out_of_the_archive move_*_out_of_the_archive \
         out_of_the_archive out_of_archive out_of_the_trash bringing_*_back",
    ),
    (
        State(Archived),
        "archived irrelevant outdated obsolete stale superseded deprecated expired cancelled canceled dismissed \
         deleted removed discarded scrapped dropped abandoned trashed moot duplicate duplicated redundant unneeded \
         unnecessary unimportant inapplicable defunct invalid invalidated void pointless useless retired shelved nixed \
         out_of_date out_dated past_its_date old_news called_off ruled_out wontfix will_not_do overtaken replaced_by \
         been_replaced been_superseded was_replaced not_happening not_going_to_happen will_not_happen never_happening \
         decided_against not_doing_*_anymore not_doing_*_any_more no_longer_doing not_doing not_pursuing \
         deletion removal archival archiving deleting removing dismissing dismissal trash archives the_archive bin \
         the_bin a_duplicate a_dupe dupe junk spam noise garbage rubbish not_worth_keeping obsoleted",
    ),
    (
        Verb(Archived),
        "archive go_into_the_archive go_to_the_archive move_to_the_archive put_*_in_the_archive put_*_into_the_archive pop_*_into_the_archive \
         stash_*_in_the_archive stash_*_away put_*_aside_as_archived put_*_to_rest put_*_to_rest_in_the_archive put_*_away_in_the_archive \
         belongs_in_the_archive off_to_the_archive_with file_*_away_as_archived be_archived soft_delete file_*_away wipe dump clear stop_showing stop_showing_me get_*_out_of_here dismiss delete remove discard scrap drop ditch nuke bin erase purge hide retire shelve toss \
         do_not_need_this_any_more do_not_need_this_anymore do_not_need_it_any_more do_not_need_it_anymore get_rid_of getting_rid_of throw_*_away throw_*_out toss_*_out put_*_away forget_this forget_that_thought \
         forget_the_thought forget_about_this let_*_go clear_*_away cancel_this_task cancel_the_task cancel_this_thought \
         cancel_this_one cancel_this_item cancel_this_reminder do_not_keep stop_keeping do_not_remember no_need_to_keep do_not_need_to_keep need_not_keep no_point_in_keeping",
    ),
    (
        Did,
        "did managed_to shipped launched released delivered happened nailed took_place done_did pulled_*_off knocked_*_out",
    ),
    (Do, "do doing get_to get_around_to get_to_it get_it_done"),
    (
        Useful,
        "relevant needed valid applicable applies apply useful important necessary required interesting interested \
         matters matter useable usable in_use in_force up_to_date of_use of_interest worth_keeping a_thing current \
         pertinent care_about care use_for use using used",
    ),
    (True, "true correct accurate right the_case holds hold stands works work"),
    (
        Undo,
        "undo revert reverse rollback undoing reverting unsend take_*_back took_*_back roll_*_back rolling_*_back \
         step_back one_step_back a_step_back back_one_step go_back_one_step go_back_a_step go_back_one go_back \
         put_*_back_the_way_it_was put_*_back_how_it_was put_*_back_as_it_was put_*_back_to_the_way_it_was \
         put_*_back_to_how_it_was make_*_the_way_it_was make_*_like_before put_*_back_like_before \
         put_*_back_like_it_was as_it_was_before the_way_it_was how_it_was_before the_way_it_was_before \
         put_*_back_as_it_was_before put_*_back_the_way_it_was_before change_*_back",
    ),
    (
        Redo,
        "redo reapply redoing undo_the_undo undo_that_undo undo_my_undo undo_the_last_undo revert_the_undo revert_the_revert",
    ),
    (Mark, "mark set flag tag label treat consider count declare marked marking setting flagged flagging log_as"),
    (Change, "change update switch turn move make put changed moved shift send transition return"),
    (
        Rewrite,
        "append prepend insert add rename reword rephrase rewrite replace fix edit capitalize capitalise \
         uppercase lowercase shorten expand summarize summarise translate swap substitute spell touch modify alter \
         improve format reformat clarify simplify extend",
    ),
    (Keep, "keep leave keeping leaving stay remain stays remains"),
    (StatusWord, "status state progress_status status_field"),
    (
        Edit,
        "last previous latest recent most_recent preceding prior change edit changes edits modification action step operation last_one last_thing update",
    ),
    (
        Version,
        "previous_version last_version old_version earlier_version prior_version previous_text previous_state \
         previous_wording previous_one old_text prior_state previous_status the_version_before version_before",
    ),
    (It, "it this that them these those"),
    (
        Thing,
        "thought note task item memory entry reminder one thing record ticket to_do_item action_item issue idea \
         fact observation card post list checklist stuff info information todo_item steps items tasks points",
    ),
    (
        All,
        "all_three all_four all_five all_of_them all_of_it all_of_those all everything anything something any every nothing both",
    ),
    (Link, "as to into"),
    (From, "from"),
    (
        Aside,
        "with at on in for via through during about under over of due_to because_of owing_to thanks_to per without",
    ),
    (By, "by"),
    (
        Filler,
        "please thanks thank_you thank_you_very_much thanks_a_lot thank_you_so_much many_thanks kindly just ok okay hey \
         hi hello dear well so oh ah yes yep yeah yup sure great good nice actually simply really also too already \
         finally now_then all_good all_fine for_me for_us for_good for_real for_sure go_ahead_and go_ahead a an the my our your \
         his her their of_the on_the_list on_my_list off_the_list off_my_list from_the_list off_list myself ourselves \
         totally completely fully entirely officially successfully quite very much that_is_all cheers as_well \
         here there us me ha yay woohoo hooray alright right_then indeed apparently whole definitely certainly \
         absolutely clearly basically again_please right_away immediately asap at_once straight_away right_now ahead \
         user user_says user_said says said confirmed confirms told reports reported indicated indicates mentioned mentions stated noted requested requests asked asks \
         me_know assistant bot ai quickly guys folks sir thankyou tyvm great_news good_news update_on_this \
         i_can_confirm i_confirm can_confirm confirming in_the_end at_last long_ago everyone's hereby instead otherwise feel_free_to feel_free sorry would_you_mind do_you_mind if_you_could if_you_would if_you_can if_possible if_you_please \
         if_you_do_not_mind when_you_get_a_chance when_you_can when_you_have_a_moment when_possible mind i_need_you_to \
         i_want_you_to i_would_like_you_to you_can_now \
         apologies oops whoops ooops my_bad ugh argh hmm_ok as_requested as_discussed as_agreed fyi btw by_the_way",
    ),
    (Be, "is are was were be been being am gets get got getting become became goes went"),
    (Have, "has have had having"),
    (We, "i we"),
    (You, "you u"),
    (They, "he him she they someone somebody everybody everyone"),
    (Not, "not never nobody none no_one does_not neither nor without_being non"),
    (DoNot, "do_not stop please_do_not no_need_to never_ever refrain_from avoid"),
    (No, "no nope nah"),
    (NoLonger, "no_longer no_more nolonger not_anymore not_any_more not_any_longer"),
    (AnyMore, "anymore any_more any_longer"),
    (Still, "still again back yet once_more once_again after_all"),
    (
        Will,
        "will would going_to about_to plan_to planning_to intend_to shall aim_to hope_to hoping_to promise_to trying_to try_to",
    ),
    (Should, "should ought_to supposed_to meant_to_be"),
    (Can, "can could may"),
    (Must, "must need_to needs_to have_to has_to had_to needing_to yet_to"),
    (Need, "need needs no_need"),
    (Want, "want wants wanted would_like like let wish prefer would_prefer would_love"),
    (
        Hedge,
        "almost nearly half partly partially mostly halfway barely hardly practically virtually semi largely part_way \
         for_now for_today for_the_moment except apart_from other_than somewhat kind_of sort_of kinda more_or_less only_half",
    ),
    (
        Maybe,
        "maybe perhaps probably possibly might think guess believe suppose assume seems seem likely presumably hopefully \
         feels not_sure unsure wonder wondering appears looks ideally theoretically i_would_say",
    ),
    (
        If,
        "if when once until till unless whenever while as_soon_as as_long_as provided assuming in_case pending_on \
         before in_the_event otherwise_if so_long_as only_if even_if make_sure ensure",
    ),
    (After, "after following"),
    (Ask, "what why how who whom whose which where whether does"),
    (
        Past,
        "yesterday today earlier recently last_night this_morning this_afternoon this_evening last_week last_month \
         last_year this_week this_month this_year ago just_now a_while_ago a_minute_ago some_time_ago days weeks hours \
         minutes months years day week month a_few few couple a_couple_of last_weekend the_other_day previously \
         weekend afternoon morning evening night noon lunch ages as_of lately some_time long_time hour minute year",
    ),
    (Now, "now today's by_now right_this_minute"),
    (
        Future,
        "tomorrow later soon tonight next_week next_month next_year next_time eventually someday some_day in_the_future \
         later_today next afterwards shortly the_day_after_tomorrow upcoming",
    ),
    (
        Because,
        "because since cuz coz cause as_it as_we as_i as_they as_this as_there now_that given_that seeing_that seeing_as reason",
    ),
    (And, "and then & so_please and_then so_you so_that so_we"),
    (But, "but however though although"),
    (
        Mistake,
        "by_mistake by_accident accidentally mistakenly wrongly incorrectly in_error by_error prematurely too_early \
         too_soon a_mistake my_mistake mistake an_accident an_error unintentionally erroneously did_not_mean_to \
         did_not_want_to not_mean_to inadvertently wrong_one wrong_thought wrong_note wrong_memory wrong_entry wrong_record did_not_intend_to",
    ),
    (Believed, "i_thought we_thought i_assumed i_believed thought_it_was thought_this_was i_figured"),
    (
        Retract,
        "cancel abort wait never_mind nevermind nvm forget_it forget_about_it scratch_that scratch_it hold_on hang_on no_wait \
         leave_*_as_is leave_*_as_it_is leave_*_alone leave_*_be leave_*_unchanged keep_*_as_is keep_*_as_it_is as_is \
         do_nothing no_change no_changes disregard on_second_thought on_second_thoughts cancel_that ignore_that \
         leave_*_the_way_it_is leave_*_how_it_is keep_*_the_way_it_is keep_*_unchanged",
    ),
];
