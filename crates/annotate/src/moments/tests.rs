//! What queries say about time.

use proptest::prelude::*;

use super::*;

/// The spans of a query asked on Wednesday, 15 July 2026, as `first..last day`.
fn read(query: &str) -> Vec<String> {
    let now: Time = "2026-07-15T10:00:00Z".parse().unwrap();
    let day = |time: Time| time.to_string()[..10].to_owned();
    moments(query, now)
        .into_iter()
        .map(|moments| {
            let last = Time::from_micros(moments.end.as_micros() - 1);
            format!("{}..{}", day(moments.start), day(last))
        })
        .collect()
}

#[test]
fn a_full_date_is_its_day_in_each_order() {
    for query in
        ["on 25 December 2024", "December 25th, 2024", "2024-12-25", "on Christmas day 2024", "25th of Dec 2024"]
    {
        assert_eq!(read(query), ["2024-12-25..2024-12-25"], "{query}");
    }
}

#[test]
fn months_and_years_are_whole() {
    assert_eq!(read("what did we decide in May 2023?"), ["2023-05-01..2023-05-31"]);
    assert_eq!(read("trips in 2023"), ["2023-01-01..2023-12-31"]);
    assert_eq!(read("summer of 2022"), ["2022-06-01..2022-08-31"]);
}

#[test]
fn last_counts_from_now() {
    assert_eq!(read("what happened last March?"), ["2026-03-01..2026-03-31"]);
    assert_eq!(read("last September"), ["2025-09-01..2025-09-30"]);
    assert_eq!(read("last week"), ["2026-07-06..2026-07-12"]);
    assert_eq!(read("last Wednesday"), ["2026-07-08..2026-07-08"]);
    assert_eq!(read("last summer"), ["2025-06-01..2025-08-31"]);
    assert_eq!(read("last year"), ["2025-01-01..2025-12-31"]);
    assert_eq!(read("in the last 3 days"), ["2026-07-12..2026-07-15"]);
    assert_eq!(read("yesterday"), ["2026-07-14..2026-07-14"]);
}

#[test]
fn ago_is_as_exact_as_its_unit() {
    assert_eq!(read("two days ago"), ["2026-07-13..2026-07-13"]);
    assert_eq!(read("two weeks ago"), ["2026-06-28..2026-07-04"]);
    assert_eq!(read("a month ago"), ["2026-06-01..2026-06-30"]);
    assert_eq!(read("3 years ago"), ["2023-01-01..2023-12-31"]);
}

#[test]
fn between_is_one_stretch() {
    assert_eq!(read("between May 2024 and July 2024"), ["2024-05-01..2024-07-31"]);
    assert_eq!(read("from 3 March 2025 to 10 March 2025"), ["2025-03-03..2025-03-10"]);
    assert_eq!(read("between May and July")[0], "2026-05-01..2026-07-31");
}

#[test]
fn without_a_year_each_of_the_last_is_meant_and_the_coming_one() {
    let june = read("what did Ana buy in June?");
    assert_eq!(june.len(), 7);
    assert_eq!((june[0].as_str(), june[6].as_str()), ("2026-06-01..2026-06-30", "2027-06-01..2027-06-30"));
    let october = read("what is on in October?");
    assert_eq!((october[0].as_str(), october[5].as_str()), ("2025-10-01..2025-10-31", "2026-10-01..2026-10-31"));
}

#[test]
fn next_counts_from_now() {
    assert_eq!(read("tomorrow"), ["2026-07-16..2026-07-16"]);
    assert_eq!(read("next week"), ["2026-07-20..2026-07-26"]);
    assert_eq!(read("appointments next month"), ["2026-08-01..2026-08-31"]);
    assert_eq!(read("next Wednesday"), ["2026-07-22..2026-07-22"]);
    assert_eq!(read("next September"), ["2026-09-01..2026-09-30"]);
    assert_eq!(read("next March"), ["2027-03-01..2027-03-31"]);
    assert_eq!(read("the house next to the church"), Vec::<String>::new());
}

#[test]
fn words_that_only_look_like_times_name_none() {
    for query in
        ["may I ask", "they march on", "the last one", "a second thought", "3 apples", "fall in love", "room 2500"]
    {
        assert_eq!(read(query), Vec::<String>::new(), "{query}");
    }
}

#[test]
fn parts_of_a_month_are_less_than_it() {
    for (query, days) in [
        ("at the end of May", "2026-05-21..2026-05-31"),
        ("in mid-April", "2026-04-11..2026-04-20"),
        ("from early May", "2026-05-01..2026-05-10"),
        ("late March 2024", "2024-03-21..2024-03-31"),
        ("the second half of June", "2026-06-16..2026-06-30"),
        ("on the second Sunday of June", "2026-06-14..2026-06-14"),
        ("the last Friday of May 2025", "2025-05-30..2025-05-30"),
        ("around 20 May", "2026-05-17..2026-05-23"),
        ("fin mai", "2026-05-21..2026-05-31"),
        ("from 3 to 5 February", "2026-02-03..2026-02-05"),
    ] {
        assert_eq!(read(query)[0], days, "{query}");
    }
}

#[test]
fn what_is_told_is_the_nearest_before_or_after() {
    let told = |text: &str| -> Vec<String> {
        let day = |time: Time| time.to_string()[..10].to_owned();
        let moments = moments_told(text, "2026-10-10T09:00:00Z".parse().unwrap());
        moments.into_iter().map(|moments| day(moments.start)).collect()
    };
    assert_eq!(told("ID card expires on 3 December"), ["2026-12-03"]);
    assert_eq!(told("the panto is on 9 January"), ["2027-01-09"]);
    assert_eq!(told("Born in August"), ["2026-08-01"]);
    assert_eq!(told("On site from 20 to 22 October"), ["2026-10-20"]);
    assert_eq!(told("no time at all"), Vec::<String>::new());
}

proptest! {
    #[test]
    fn any_query_is_read_and_no_stretch_is_empty(query in "\\PC{0,60}|((last|this|two|weeks|ago|may|5|2024|between|and) ?){0,8}", now in any::<i64>()) {
        for moments in moments(&query, Time::from_micros(now)) {
            prop_assert!(moments.start < moments.end);
        }
    }
}
