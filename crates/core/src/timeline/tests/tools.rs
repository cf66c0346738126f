use crate::timeline::testing::check;
use crate::timeline::{ItemKind, ToolState};

#[test]
fn tools_between_two_texts_share_a_row() {
    check(
        "turn t\nupdate m1 Look\nstop m1\ntool 1 a\ndone 1\ntool 2 b\nbad 2\nupdate m2 And\nstop m2\ntool 3 c\ndone 3",
        "m1: Look
        [1 a ✓ | 2 b ✗]
        m2: And
        [3 c ✓]",
    );
}

#[test]
fn a_heartbeat_does_not_part_a_row_of_tools() {
    check("turn t\ntool 1 a\nnotice working 3 min\ntool 2 b", "[1 a … | 2 b …]\n! 3 min");
    check("turn t\ntool 1 a\nask q May I?\ntool 2 b", "[1 a …]\n? May I?\n[2 b …]");
}

#[test]
fn ends_find_their_start_in_any_order() {
    check("turn t\ntool 1 x\ntool 2 x\ntool 3 x\ndone 3\nbad 1\ndone 2", "[1 x ✗ | 2 x ✓ | 3 x ✓]");
}

#[test]
fn a_second_end_changes_nothing() {
    let test = check("turn t\ntool 1 x\ndone 1\nbad 1", "[1 x ✓]");
    assert_eq!(test.last, []);
}

#[test]
fn an_end_for_an_unknown_call_is_a_call_of_its_own() {
    check("turn t\ntool 1 x\ndone 9 y", "[1 x … | 9 y ✓]");
}

#[test]
fn an_end_before_its_start_waits_for_it() {
    let test = check("turn t\ndone 1 x\ntool 1 x ls -la", "[1 x ✓]");
    let ItemKind::Tools(tools) = &test.timeline.items()[0].kind else { panic!() };
    assert_eq!(tools[0].preview.as_deref(), Some("ls -la"));
}

#[test]
fn an_end_that_belongs_to_no_turn_is_ignored() {
    let test = check("done 1 x", "");
    assert!(!test.running);
}

#[test]
fn numbers_begin_anew_in_the_next_turn() {
    check("turn t\ntool 1 x\ndone 1\nturn u\ntool 1 y\ndone 1", "[1 x ✓]\n[1 y ✓]");
    check("tool 1 x\ndone 1\ntool 1 y\nbad 1", "[1 x ✓]\n[1 y ✗]");
    check("tool 1 x a\ntool 1 x b", "[1 x ∅]\n[1 x …]");
}

#[test]
fn a_start_that_is_said_twice_is_one_call() {
    check("turn t\ntool 1 x\ntool 1 x\ndone 1\ntool 1 x ls", "[1 x ✓]");
    check("tool 1 x a\ntool 1 x a", "[1 x …]");
}

#[test]
fn progress_is_the_last_note_of_a_running_call() {
    let mut test = check(
        "turn t\ntool 1 x\nprogress 1 half\nprogress 1 most\ndone 1\nprogress 1 late\nprogress 7 no",
        "[1 x ✓]",
    );
    assert_eq!(test.last, []);
    let ItemKind::Tools(tools) = &test.timeline.items()[0].kind else { panic!() };
    assert_eq!(tools[0].note.as_deref(), Some("most"));
    test.line("end t complete");
}

#[test]
fn a_call_never_outlives_its_turn() {
    for end in [
        "end t complete",
        "end t error Broken",
        "end t interrupted",
        "end t lost",
        "error - Broken",
        "turn u",
        "idle",
        "sync reset 1\nturn t\ntool 1 x\nend t complete\nsynced",
    ] {
        let test = check_tools(&format!("turn t\ntool 1 x\n{end}"));
        assert_eq!(test, [ToolState::NoResult], "{end}");
    }
    for end in
        ["stop m1 Done.", "typing off", "error - Broken", "user u1 - next", "lost", "turn t", "tool 1 y"]
    {
        let test = check_tools(&format!("typing on\ntool 1 x\n{end}"));
        assert_eq!(test[0], ToolState::NoResult, "plain: {end}");
    }
}

fn check_tools(script: &str) -> Vec<ToolState> {
    let mut test = crate::timeline::testing::TestTimeline::default();
    test.play(script);
    let tools = test.timeline.items().iter().filter_map(|item| match &item.kind {
        ItemKind::Tools(tools) => Some(tools.iter().map(|tool| tool.state)),
        _ => None,
    });
    tools.flatten().collect()
}

#[test]
fn a_result_that_comes_after_its_turn_is_still_shown() {
    check("turn t\ntool 1 x\nend t complete\ndone 1", "[1 x ✓]");
    check("typing on\ntool 1 x\nstop m1 Hm\ndone 1", "[1 x ✓]\nm1: Hm");
}
