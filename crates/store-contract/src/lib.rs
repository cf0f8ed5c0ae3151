//! The store's contract as a suite of cases, run by every back end on itself: [`contract!`] makes a test of each. Uses `store` and
//! what that uses, and is part of no program.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

mod accounts;
mod given;
mod jobs;
mod knowledge;
mod lexical;
mod notes;
mod overviews;
mod sessions;
mod sittings;
mod thoughts;
mod transfer;

pub use given::{Given, UnderTest};

/// Names every case once: [`run`] runs it, and [`contract!`] makes a test of it. A case that is not listed is dead code and does
/// not compile.
macro_rules! cases {
    ($dollar:tt $($module:ident: $($case:ident),+ $(,)?;)+) => {
        /// Runs the case of that name.
        pub async fn run(case: &str, given: &Given) {
            match case {
                $($(concat!(stringify!($module), "::", stringify!($case)) => $module::$case(given).await,)+)+
                other => panic!("there is no case `{other}`"),
            }
        }

        /// Makes a test of every case, each on a fresh store of the kind that the named function returns as a
        /// `Box<dyn UnderTest>`.
        #[macro_export]
        macro_rules! contract {
            ($dollar under_test:path) => {
                $(mod $module { $(
                    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                    async fn $case() {
                        let given = $dollar crate::Given::new($dollar under_test()).await;
                        $dollar crate::run(concat!(stringify!($module), "::", stringify!($case)), &given).await;
                    }
                )+ })+
            };
        }
    };
}

cases! { $
    accounts:
        an_account_name_is_taken_only_once,
        a_key_is_found_by_its_hash_alone,
        a_taken_prefix_is_reported,
        a_revoked_key_keeps_its_first_time,
        the_last_use_never_moves_back,
        a_failed_write_takes_nothing_else_with_it,
        another_process_sees_keys_at_once;
    sessions:
        a_link_starts_one_session_of_the_owner,
        of_many_who_use_a_link_at_once_one_gets_in,
        an_expired_link_lets_nobody_in,
        a_newer_link_leaves_older_ones_valid,
        a_keys_session_ends_with_the_key_in_every_process,
        signing_out_ends_that_session_alone,
        all_of_an_owners_sessions_and_links_end_at_once,
        a_use_is_noted_and_brings_nothing_back,
        what_is_out_of_date_is_forgotten,
        the_sessions_of_a_key_are_bounded;
    thoughts:
        a_stored_thought_is_read_back_whole,
        every_text_is_kept_verbatim,
        a_thought_survives_reopening,
        another_account_cannot_reach_it,
        creation_times_strictly_increase,
        browsing_pages_without_gaps_or_repeats_while_others_write,
        browsing_filters_by_author_and_status,
        a_cursor_without_id_is_strictly_older,
        a_change_leaves_a_revision,
        a_stale_change_is_refused_and_changes_nothing,
        a_change_of_nothing_that_exists_is_absent,
        a_changed_text_is_queued_again,
        many_writers_lose_nothing;
    lexical:
        a_thought_is_found_by_its_words_on_return,
        an_edited_text_is_found_by_its_new_words_only,
        only_the_asked_status_and_author_are_found,
        another_accounts_words_are_not_found,
        what_another_process_wrote_is_found,
        what_does_not_fit_into_memory_is_let_go_and_read_again,
        the_answer_is_the_same_after_reopening,
        a_typo_is_forgiven_where_only_others_make_it,
        a_search_as_of_a_moment_sees_what_was_stored_before_it,
        sealed_blocks_answer_like_growing_ones;
    notes:
        a_note_is_found_by_its_words,
        a_removed_note_is_not_found_and_not_listed,
        a_note_of_an_archived_thought_is_not_found,
        a_note_needs_its_thought,
        notes_are_listed_by_thought;
    jobs:
        a_new_text_is_queued_and_claimed_in_order,
        a_claim_ends_when_it_has_enough_text,
        a_leased_job_is_nobody_elses,
        the_jobs_of_a_dead_worker_are_taken_over_one_at_a_time,
        a_job_is_finished_once,
        enriching_leads_to_linking_and_linking_to_the_end,
        what_is_finished_after_an_edit_stores_nothing,
        a_stale_failure_does_not_touch_the_later_job,
        a_failed_job_waits_until_its_time,
        a_job_that_is_put_back_has_not_been_tried,
        a_job_that_is_given_up_is_counted_and_the_thought_untouched,
        many_workers_share_the_jobs,
        accounts_with_work_are_named_whoever_queued_it,
        work_is_known_to_whoever_queued_or_saw_it_until_it_is_done,
        archiving_keeps_what_was_derived,
        a_text_changed_before_its_claim_is_worked_on_once,
        a_long_queue_is_claimed_in_the_order_it_came,
        a_rebuild_queues_everything_once_behind_new_texts,
        a_rebuild_goes_on_where_it_was,
        a_rebuild_tries_again_what_was_given_up,
        what_a_model_has_not_seen_is_queued,
        thoughts_are_linked_in_the_order_of_storing,
        what_was_given_up_holds_up_nobody,
        thoughts_after_a_changed_one_are_linked_again,
        what_was_linked_by_an_earlier_text_is_linked_in_vain,
        a_new_thought_is_linked_at_once_and_again_after_a_rebuild,
        what_is_tried_again_has_later_thoughts_linked_again;
    knowledge:
        what_is_found_by_meaning_does_not_depend_on_who_searched_by_words_before,
        the_closest_thought_comes_first,
        a_thought_may_be_compared_however_far_it_is,
        a_long_text_is_found_by_its_closest_part_once,
        tokens_tell_how_much_of_a_query_a_text_holds,
        only_the_asked_status_and_author_are_compared,
        nothing_derived_survives_an_edit,
        a_short_name_is_joined_to_the_full_one,
        links_lead_to_the_thoughts_that_may_be_seen,
        links_are_seen_from_both_ends_and_bounded,
        what_replaces_a_thought_is_told_from_either_end,
        an_archived_thought_is_named_by_no_link,
        relatives_share_entities_or_meaning,
        relatives_are_what_was_stored_before_and_as_it_was,
        names_are_known_from_earlier_thoughts_alone,
        what_a_text_mentions_is_told_anew_while_its_job_is_there,
        another_model_answers_once_it_has_seen_every_thought,
        another_accounts_knowledge_is_not_reached;
    overviews:
        every_filter_admits_what_it_says,
        a_search_looks_among_those_a_filter_admits,
        filtered_pages_have_no_gaps_and_no_repeats,
        thoughts_are_filtered_by_what_they_mention,
        a_census_counts_everything,
        counts_and_duplicates_follow_every_change,
        entities_come_by_how_often_they_occur,
        a_graph_is_bounded_and_the_same_every_time,
        the_same_text_is_found_twice,
        changes_are_told_once_whoever_made_them,
        work_that_was_given_up_is_tried_again_when_asked;
    sittings:
        neighbours_of_one_sitting_are_told,
        neighbours_tell_how_much_of_the_query_they_hold,
        a_pause_another_source_and_another_state_end_a_sitting,
        thoughts_are_found_by_when_they_were_captured;
    transfer:
        what_is_exported_is_imported_the_same,
        importing_twice_stores_nothing_twice,
        an_export_goes_on_after_any_of_its_pieces,
        an_import_that_broke_off_anywhere_goes_on,
        an_import_adds_nothing_to_the_history_of_a_thought_that_is_here,
        a_long_history_is_exported_in_many_pages,
        keys_are_exported_with_what_stands_for_their_secrets,
        a_backup_is_a_store_of_its_own,
        counts_are_told;
}
