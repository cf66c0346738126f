use crate::timeline::testing::check;
use crate::timeline::{Change, Phase};

/// The requirement's typical turn, from a peer that speaks nothing else.
const TYPICAL: &str = "
    typing on
    start m1
    update m1 Let me look…
    tool 1 terminal ls -la
    done 1 terminal
    remark m2 Found 12 files.
    start m3
    update m3 The repo
    update m3 The repo has
    stop m3 The repo has 12 files.
    typing off";

#[test]
fn plain_frames_are_enough_for_a_turn() {
    let test = check(
        TYPICAL,
        "m1: Let me look…
        [1 terminal ✓]
        * Found 12 files.
        m3: The repo has 12 files.",
    );
    assert!(!test.running && !test.typing);
    assert_eq!(test.answer("m1").phase, Phase::Stopped, "it ends when the next text begins");
    assert_eq!(test.answer("m1").cut, None);
}

#[test]
fn a_snapshot_that_extends_the_last_is_an_append() {
    let test = check("start m1\nupdate m1 Hello wor\nupdate m1 Hello world", "m1: Hello world…");
    assert!(matches!(&test.last[..], [Change::AppendText { text, .. }] if text == "ld"), "{:?}", test.last);
    assert_eq!(test.answer("m1").generation, 0);
}

/// B050, B077 of the complaints about other clients.
#[test]
fn a_snapshot_that_is_no_extension_starts_the_text_over() {
    let mut test = check("update m1 Hello world\nupdate m1 Goodbye", "m1: Goodbye…");
    assert_eq!(test.answer("m1").generation, 1);
    test.play("update m1 Goodbye all").shows("m1: Goodbye all…");
    assert_eq!(test.answer("m1").generation, 1);
    test.play("update m1 Good").shows("m1: Good…");
    assert_eq!(test.answer("m1").generation, 2, "a live text may shrink");
    test.play("update m1 Goon").shows("m1: Goon…");
    assert_eq!(test.answer("m1").generation, 3, "the same length, another text");
}

#[test]
fn an_identical_snapshot_changes_nothing() {
    let test = check("update m1 Hello\nupdate m1 Hello", "m1: Hello…");
    assert_eq!(test.last, []);
}

#[test]
fn an_update_before_its_start_starts_it() {
    let mut test = check("update m1 Hello", "m1: Hello…");
    assert!(test.running);
    test.play("start m1").shows("m1: Hello…");
    assert_eq!(test.last, []);
}

#[test]
fn a_stop_without_a_bubble_is_a_whole_message() {
    let test = check("stop m1 All of it", "m1: All of it");
    assert_eq!(test.answer("m1").phase, Phase::Settled);
    assert!(!test.running);
    check("typing on\nstart m1\nlost\nstop m1 All of it", "! Connection to the run was lost\nm1: All of it");
}

#[test]
fn an_update_after_the_stop_is_ignored() {
    let test =
        check("update m1 Hello\nstop m1 Hello!\nupdate m1 Hel\nupdate m1 Hello!!\nstart m1", "m1: Hello!");
    assert!(!test.running, "a late frame opens no turn");
}

#[test]
fn a_stop_keeps_the_text_when_it_brings_none() {
    check("update m1 Hello\nstop m1", "m1: Hello");
    check(
        r#"update m1 Hello
        {"type":"message.stop","message_id":"m1","final_text":""}"#,
        "m1: Hello",
    );
    check("update m1 Hello\nstop m1 Something else", "m1: Something else");
}

#[test]
fn a_bubble_that_never_says_anything_goes() {
    check("turn t\nstart m1\nend t complete", "");
    check("turn t\nstart m1\nstop m1\nend t complete", "");
    check("typing on\nstart m1\ntyping off", "");
}

#[test]
fn the_same_text_by_stop_and_by_message_is_one() {
    let mut test = check("update m1 Hello\nstop m1 Hello!\nmessage m1 Hello!", "m1: Hello!");
    assert_eq!(test.last, []);
    test.play("message m2 Hello!").shows("m1: Hello!\nm2: Hello!");
}

#[test]
fn hermes_cursor_is_no_part_of_a_text() {
    check("update m1 Hello ▉", "m1: Hello…");
    check("update m1 Hello▉\nstop m1 Hello world ▉", "m1: Hello world");
    check("message m1 ▉ stays inside", "m1: ▉ stays inside");
    check("remark m1 Looking ▉", "* Looking");
}

#[test]
fn an_append_belongs_at_its_place() {
    let mut test = check("append m1 0 Hé\nappend m1 3 llo", "m1: Héllo…");
    test.play("append m1 3 llo\nappend m1 5 o wörld").shows("m1: Héllo wörld…");
    assert_eq!(test.resyncs, 0, "what overlaps and agrees is no gap");
}

#[test]
fn an_append_with_a_gap_asks_for_a_sync_once() {
    for gap in ["append m1 9 x", "append m1 2 x", "append m1 1 xx", "append m2 4 x"] {
        let mut test = check(&format!("append m1 0 Hé\n{gap}\n{gap}"), "m1: Hé…");
        assert_eq!(test.resyncs, 1, "{gap}");
        assert_eq!(test.timeline.after_seq(), None);
        test.play("sync reset 3\n@2 update m1 Hé x\n@3 append m1 5 y\nsynced").shows("m1: Hé xy…");
        assert_eq!(test.timeline.after_seq(), Some(3));
    }
}

#[test]
fn reasoning_shows_before_its_text_begins() {
    let mut test = check("typing on\nreason m1 The user\nreason m1 The user wants", "m1: (The user wants)…");
    assert!(matches!(&test.last[..], [Change::AppendReasoning { text, .. }] if text == " wants"));
    assert!(test.answer("m1").reasoning_live);
    test.play("start m1\nupdate m1 Yes").shows("m1: (The user wants) Yes…");
    assert!(!test.answer("m1").reasoning_live, "the text is what is live now");
    test.play(
        r#"{"type":"message.stop","message_id":"m1","final_text":"Yes.","reasoning":"The user wants it"}"#,
    )
    .shows("m1: (The user wants it) Yes.");
}

#[test]
fn reasoning_appends_like_text() {
    let mut test = check(
        r#"{"type":"reasoning.append","message_id":"m1","at":0,"text":"Hm"}
        {"type":"reasoning.append","message_id":"m1","at":2,"text":", so"}"#,
        "m1: (Hm, so)…",
    );
    test.line(r#"{"type":"reasoning.append","message_id":"m1","at":9,"text":"?"}"#);
    assert_eq!(test.resyncs, 1);
}

#[test]
fn reasoning_that_leads_to_a_tool_first_stays_above_it() {
    check(
        "reason m1 Look first\ntool 1 ls\ndone 1\nupdate m1 Found it",
        "m1: (Look first)
        [1 ls ✓]
        m1: Found it…",
    );
    check(
        r#"reason m1 Look first
        tool 1 ls
        done 1
        {"type":"message.stop","message_id":"m1","final_text":"Found it","reasoning":"Look first"}"#,
        "m1: (Look first)
        [1 ls ✓]
        m1: Found it",
    );
}

#[test]
fn a_text_that_begins_after_a_tool_stands_below_it() {
    check("start m1\ntool 1 ls\nupdate m1 Found it", "[1 ls …]\nm1: Found it…");
}

#[test]
fn a_remark_is_not_said_twice() {
    check("remark m1 The repo has\nstop m2 The repo has 12 files.", "m2: The repo has 12 files.");
    check("remark m1 The repo has\nupdate m2 The\nupdate m2 The repo has 12", "m2: The repo has 12…");
    check(
        "remark m1 Let me look\ntool 1 ls\nstop m2 Let me look no further",
        "* Let me look\n[1 ls ∅]\nm2: Let me look no further",
    );
    check("remark m1 One\nremark m1 One\nremark m1 Two", "* Two");
}

#[test]
fn what_streamed_as_an_answer_may_turn_out_a_remark() {
    check("update m1 Let me look\nremark m1 Let me look\nupdate m1 Let me look at", "* Let me look");
}

#[test]
fn without_streaming_a_reply_appears_once_and_complete() {
    let mut test = check("streaming off\ntyping on\nstart m1\nupdate m1 Hel\nupdate m1 Hello", "");
    assert!(test.typing, "something is still to come");
    test.play("stop m1 Hello world").shows("m1: Hello world");
    assert_eq!(test.answer("m1").phase, Phase::Settled);
    assert!(!test.typing);
}

#[test]
fn without_streaming_the_typical_turn_ends_the_same() {
    let on =
        check(TYPICAL, "m1: Let me look…\n[1 terminal ✓]\n* Found 12 files.\nm3: The repo has 12 files.");
    check(&format!("streaming off\n{TYPICAL}"), &on.transcript());
}

#[test]
fn without_streaming_nothing_is_lost_when_the_stop_is_missing_or_empty() {
    check(
        "streaming off\nturn t\nreason m1 Hm\nupdate m1 Hel\nappend m1 3 lo\nend t interrupted",
        "m1: (Hm) Hello ✂",
    );
    check("streaming off\nreason m1 Hm\nupdate m1 Hello\nstop m1", "m1: (Hm) Hello");
}

#[test]
fn streaming_can_be_switched_in_the_middle_of_a_text() {
    let mut test = check("update m1 Hel\nstreaming off\nupdate m1 Hello\nappend m1 5 wor", "m1: Hel…");
    test.play("streaming on").shows("m1: Hellowor…");
    test.play("streaming off\nupdate m1 Hello world\nstop m1 Hello world").shows("m1: Hello world");
}

#[test]
fn a_long_turn_whose_end_repeats_its_beginning_is_shown_once_each() {
    check(
        "turn t\nupdate m1 Let me look\nstop m1\ntool 1 a\ndone 1\ntool 2 b\ndone 2\ntool 3 c\ndone 3\ntool 4 d\ndone 4
        update m2 Let me look\nstop m2 Let me look. All done.\nmessage m2 Let me look. All done.\nend t complete",
        "m1: Let me look
        [1 a ✓ | 2 b ✓ | 3 c ✓ | 4 d ✓]
        m2: Let me look. All done.",
    );
}
