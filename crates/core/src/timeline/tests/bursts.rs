use crate::timeline::ItemKind;
use crate::timeline::testing::{TestTimeline, check};

const STALE: &str =
    "notice - No response from provider for 6s (model: m, context: ~10 tokens). Reconnecting...";

fn drop(n: u32) -> String {
    format!(
        "notice - custom stream drop (RemoteProtocolError) after 6.3s — attempt {n}/3 dropped, reconnecting"
    )
}

fn summary(test: &TestTimeline) -> (Option<String>, u32) {
    let rows = test.timeline.items().iter().rev();
    let mut notices = rows.filter_map(|item| match &item.kind {
        ItemKind::Notice(notice) => Some((notice.summary(), notice.messages())),
        _ => None,
    });
    notices.next().expect("a notice")
}

#[test]
fn the_same_notice_again_is_counted_in_its_row() {
    let test = check("turn t\nnotice x Careful\nnotice x Careful\nnotice x Careful", "! Careful ×3");
    assert_eq!(summary(&test), (None, 3));
    check("turn t\nnotice x Careful\nnotice y Careful", "! Careful\n! Careful");
    check("turn t\nnotice x A\nnotice x B\nnotice x A", "! A\n! B\n! A");
}

#[test]
fn a_burst_about_one_trouble_is_one_row_with_the_newest_state_in_front() {
    let script = format!("turn t\n{STALE}\n{}\n{STALE}\n{}\n{STALE}", drop(1), drop(2));
    let mut test = TestTimeline::default();
    test.play(&script);
    assert_eq!(test.timeline.items().len(), 1);
    assert_eq!(summary(&test), (None, 5), "the newest line says how it stands while it goes on");
    test.line("end t error The provider did not answer. Pick another model with /model.");
    assert_eq!(test.timeline.items().len(), 1);
    assert_eq!(summary(&test), (Some("Hermes tried 3 times, then gave up".to_owned()), 6));
    assert!(test.transcript().starts_with("!! The provider did not answer."), "{}", test.transcript());
}

#[test]
fn what_is_said_between_parts_a_burst_and_the_users_words_do_too() {
    check("turn t\nnotice retrying A\nupdate m1 Well\nnotice retrying B", "! A\nm1: Well…\n! B");
    check(
        "turn t\nnotice retrying A\nend t complete\nuser u - Hi\nturn u\nnotice retrying B",
        "! A\n> Hi\n! B",
    );
    check("turn t\nnotice retrying A\nnotice steered Told\nnotice retrying B", "! A\n! Told\n! B");
}

#[test]
fn an_error_that_stands_alone_is_no_burst() {
    let test = check("turn t\nnotice x Careful\nend t error Broken", "! Careful\n!! Broken");
    assert_eq!(summary(&test), (None, 1));
}

#[test]
fn tries_are_counted_as_hermes_tells_them() {
    let check = |script: &str, expected: Option<&str>| {
        let mut test = TestTimeline::default();
        test.play(&format!("turn t\n{script}\nend t error Broken"));
        assert_eq!(summary(&test).0.as_deref(), expected, "{script}");
    };
    let (twice, thrice) =
        (Some("Hermes tried 2 times, then gave up"), Some("Hermes tried 3 times, then gave up"));
    check(STALE, None);
    check(&format!("{STALE}\n{STALE}"), twice);
    check(&drop(1), twice);
    check(&format!("{STALE}\n{}\n{STALE}\n{}\n{STALE}", drop(1), drop(2)), thrice);
    check("notice - API failed after 3 retries — HTTP 500: oops", thrice);
    check("notice - Could not open a stream to x after 3 attempts; the end", thrice);
    check("notice - unresponsive for 3 consecutive stale attempts", None);
    check("notice - Automatic recovery gave up after 5 cycles", None);
}

#[test]
fn a_storm_of_notices_keeps_the_newest_and_counts_all() {
    let mut test = TestTimeline::default();
    test.line("turn t");
    for n in 0..1_000 {
        test.line(&format!("notice retrying Line {n}"));
    }
    assert_eq!(summary(&test).1, 1_000);
    assert_eq!(test.timeline.items().len(), 1);
    let ItemKind::Notice(notice) = &test.timeline.items()[0].kind else { panic!("a notice") };
    assert_eq!((notice.text.as_str(), notice.before.len()), ("Line 999", 40));
}

#[test]
fn what_hermes_says_takes_the_place_of_what_was_told_for_it_and_only_that_is_counted() {
    let again = |n: u32| format!("notice asked_again Broke off, attempt {n}");
    let mut test = TestTimeline::default();
    test.play(&format!("turn t\n{}\n{}", again(2), again(3)));
    assert_eq!(test.transcript(), "! Broke off, attempt 3");
    assert_eq!(summary(&test), (None, 0), "none of it is Hermes' own");
    test.play(&format!("{STALE}\n{}\n{STALE}", drop(1)));
    assert_eq!(summary(&test), (None, 3));
    assert!(!test.transcript().contains("attempt 3"), "it is said once: {}", test.transcript());
    test.line("end t error The provider did not answer.");
    assert_eq!(summary(&test), (Some("Hermes tried 2 times, then gave up".to_owned()), 4));

    check(&format!("turn t\n{}\nend t error Broken", again(2)), "!! Broken (Broke off, attempt 2)");
    check(
        &format!("turn t\n{}\nupdate m1 Well\nstop m1\nend t complete", again(2)),
        "! Broke off, attempt 2\nm1: Well",
    );
}
