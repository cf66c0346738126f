use proptest::prelude::*;

use crate::timeline::testing::{TestTimeline, check, frame};

/// A numbered chat with everything in it.
const CHAT: &str = "
    @1 user u1 c1 Summarize the repo
    @2 turn t1
    @3 reason m1 The user wants
    @4 start m1
    @5 update m1 Let me
    @6 append m1 6  look
    @7 stop m1 Let me look.
    @8 tool 1 terminal ls
    @9 tool 2 read_file a
    @10 bad 2 read_file
    @11 notice working 3 min
    @12 done 1 terminal
    @13 remark m2 Found it:
    @14 ask q1 May I?
    @15 closed q1 Approved
    @16 tool 3 terminal rm
    @17 notice retrying Again
    @18 update m3 Gone
    @19 update m3 Gone for
    @20 update m3 Went
    @21 stop m3 Went for good.
    @22 end t1 complete
    @23 user u2 - And then?
    @24 turn t2
    @25 update m4 Then
    @26 tool 1 terminal x
    @27 end t2 interrupted
    @28 user u3 - ok
    @29 user u4 - ok
    @30 turn t3
    @31 start m5
    @32 end t3 error Broken";

const SHOWN: &str = "
    > Summarize the repo
    m1: (The user wants) Let me look.
    [1 terminal ✓ | 2 read_file ✗]
    * Found it:
    ? May I? -> Approved
    [3 terminal ∅]
    ! Again
    m3: Went for good.
    > And then?
    m4: Then ✂
    [1 terminal ∅]
    ! Stopped
    > ok
    > ok
    !! Broken";

#[test]
fn the_order_is_the_order_of_what_happened() {
    check(CHAT, SHOWN);
}

#[test]
fn a_replay_of_the_history_doubles_nothing() {
    let mut test = check(CHAT, SHOWN);
    for _ in 0..20 {
        test.play(&format!("lost\nsync none 32\n{CHAT}\nsynced")).shows(SHOWN);
    }
    for _ in 0..20 {
        test.play(&format!("lost\nsync reset 32\n{CHAT}\nsynced")).shows(SHOWN);
    }
    assert_eq!(test.timeline.after_seq(), Some(32));
}

#[test]
fn a_peer_without_numbers_may_repeat_its_messages() {
    let history = "user u1 - Hello\nmessage m1 Hi\nremark m2 So\nmessage m3 Bye";
    let mut test = check(history, "> Hello\nm1: Hi\n* So\nm3: Bye");
    for _ in 0..20 {
        test.play("lost").play(history).shows("> Hello\nm1: Hi\n* So\nm3: Bye");
    }
}

#[test]
fn only_the_missing_frames_are_asked_for() {
    let mut test = check("@1 turn t\n@2 update m1 Hel\nlost", "m1: Hel…");
    assert_eq!(test.timeline.after_seq(), Some(2));
    assert!(test.running, "the turn may still run");
    test.play("sync none 9\n@7 update m1 Hello\n@9 end t complete\nsynced").shows("m1: Hello");
    assert_eq!(test.resyncs, 0, "what was compacted away has no number");
}

#[test]
fn an_older_snapshot_after_a_reconnect_does_not_shrink_the_text() {
    let mut test = check("@1 turn t\n@2 update m1 Hello world\nlost\n@3 update m1 Hello", "m1: Hello world…");
    test.play("@4 update m1 Hello worl").shows("m1: Hello world…");
    test.play("@5 update m1 Hello world!\n@6 update m1 Hello").shows("m1: Hello…");
    let mut test = check("@1 turn t\n@2 update m1 Hello world\nlost\n@3 update m1 Help", "m1: Help…");
    test.play("@4 stop m1 Hel").shows("m1: Hel");
}

#[test]
fn a_gap_in_the_numbers_asks_for_everything() {
    let mut test =
        check("@1 turn t\n@2 update m1 Hel\n@4 update m1 Hello\n@9 update m1 Hello w", "m1: Hello w…");
    assert_eq!(test.resyncs, 1);
    assert_eq!(test.timeline.after_seq(), None);
    test.play("sync reset 9\n@1 turn t\n@9 update m1 Hello w\nsynced\n@10 update m1 Hello wo")
        .shows("m1: Hello wo…");
    assert_eq!((test.resyncs, test.timeline.after_seq()), (1, Some(10)));
}

#[test]
fn a_peer_that_numbers_with_jumps_is_not_asked_for_ever() {
    let mut test = check("@1 turn t", "");
    for round in 1..50 {
        test.play(&format!("@{} notice x y\nsync none {}\nsynced", round * 10, round * 10));
    }
    assert_eq!(test.resyncs, 3);
}

#[test]
fn a_reset_keeps_what_only_this_device_has() {
    let mut test = check(
        "@1 user u1 - Hi\necho c1 Mine\necho c2 Lost\nfailed c2 No",
        "> Hi\n> Mine (sending)\n> Lost (failed: No)",
    );
    test.play("sync reset 2\n@1 user u1 - Hi\n@2 user u2 c1 Mine\nsynced")
        .shows("> Hi\n> Mine\n> Lost (failed: No)");
}

#[test]
fn a_turn_whose_end_was_missed_is_lost() {
    let mut test =
        check("@1 turn t\n@2 update m1 Hal\n@3 tool 1 x\nlost\nsync none 3\nsynced", "m1: Hal…\n[1 x …]");
    test.play("idle").shows("m1: Hal ✂\n[1 x ∅]\n! Connection to the run was lost");
    assert!(!test.running);
    assert_eq!(test.play("idle").last, []);
}

#[test]
fn a_plain_peers_turn_ends_with_its_socket() {
    check("typing on\nupdate m1 Hal\nlost", "m1: Hal ✂\n! Connection to the run was lost");
}

#[test]
fn synced_texts_are_shown_at_once() {
    let test = check("sync reset 3\n@1 update m1 Hi\n@2 stop m1 Hi!\nsynced", "m1: Hi!");
    assert_eq!(test.answer("m1").phase, crate::timeline::Phase::Settled);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn after_a_reset_and_a_replay_it_is_as_if_nothing_had_happened(cuts in prop::collection::vec(0usize..40, 1..4)) {
        let lines: Vec<&str> = CHAT.trim().lines().map(str::trim).collect();
        let mut test = TestTimeline::default();
        for cut in cuts {
            for line in lines.iter().take(cut) {
                test.line(line);
            }
            test.play("lost\nsync reset 32");
        }
        test.play(CHAT).play("synced").shows(SHOWN);
    }

    #[test]
    fn a_resumed_chat_is_the_uninterrupted_one(cut in 0usize..40) {
        let lines: Vec<&str> = CHAT.trim().lines().map(str::trim).collect();
        let mut test = TestTimeline::default();
        lines.iter().take(cut).for_each(|line| test.line(line));
        test.play("lost\nsync none 32");
        lines.iter().skip(cut).for_each(|line| test.line(line));
        test.play("synced").shows(SHOWN);
    }

    #[test]
    fn no_order_of_frames_breaks_it(picks in prop::collection::vec((0usize..60, 0u64..50), 0..120)) {
        const EXTRA: &str = "typing on\ntyping off\nlost\nidle\nstreaming off\nstreaming on\nsync none 9\nsync reset 9\nsynced
            echo c1 x\necho c2 y\nfailed c1 no\ndiscard c2\nack c2 u2\nerror - E\nerror c1 E\nremark m1 Let\nend t2 lost\ndone 4 z
            append m5 0 abc\nappend m5 2 cd\nreason m5 Hm\nstart m6\nmessage m6 Six\nstop m5\nask q2 ?\ntool 1 terminal";
        let chat = CHAT.lines().map(|line| line.trim().split_once(' ').map_or("", |(_, line)| line));
        let lines: Vec<&str> = chat.filter(|line| !line.is_empty()).chain(EXTRA.lines().map(str::trim)).collect();
        let mut test = TestTimeline::default();
        for (pick, seq) in picks {
            let line = lines[pick % lines.len()];
            let control = ["echo", "failed", "discard", "lost", "idle", "streaming", "sync"];
            if seq < 25 || control.iter().any(|word| line.starts_with(word)) {
                test.line(line);
            } else {
                let envelope = frame(&format!("@{seq} {line}"));
                let changes = test.timeline.apply(&envelope);
                test.take(changes);
            }
        }
        test.play("sync none 60\nsynced\nend t1 complete\nend t2 complete\nend t3 complete\nidle\nlost\ntyping off");
        prop_assert!(!test.running && !test.typing);
        prop_assert!(!test.transcript().contains(" …"), "{}", test.transcript());
    }
}
