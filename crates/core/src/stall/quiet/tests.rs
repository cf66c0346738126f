use super::*;
use crate::timeline::testing::frame;

/// A chat that is watched while its script is played: `5 tool 1 terminal` is a frame at second 5.
#[derive(Default)]
struct Watched {
    timeline: crate::timeline::Timeline,
    watch: Watch,
}

impl Watched {
    fn play(script: &str) -> Self {
        let mut it = Self::default();
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            it.line(line);
        }
        it
    }

    /// Whether something else may have to be said at once.
    fn line(&mut self, line: &str) -> bool {
        let (second, line) = line.split_once(' ').unwrap();
        let envelope = frame(line);
        self.timeline.apply(&envelope);
        self.watch.frame(&envelope.frame, self.timeline.running(), second.parse::<u64>().unwrap() * 1_000)
    }

    fn at(&self, second: u64) -> Line {
        let activity = Activity::of(self.timeline.items(), self.timeline.running());
        self.watch.line(&activity, second * 1_000)
    }
}

/// Plays a script and compares what the line says at these seconds: `12: Hermes is working · silent for 12 s`, with `~` in
/// front when something moves.
#[track_caller]
fn check(script: &str, expected: &str) {
    let it = Watched::play(script);
    for line in expected.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (second, words) = line.split_once(':').unwrap();
        let said = it.at(second.parse().unwrap());
        let moves = if said.moves { "~ " } else { "" };
        assert_eq!(format!("{moves}{}{}", said.what, said.how_long), words.trim(), "at {second} s");
    }
}

const WAITS: &str = "notice - waiting on demo — 60s waiting for the first stream chunk (auto-reconnect: stream stale watchdog in 120s)";

#[test]
fn a_short_silence_is_nothing_to_speak_of_and_a_longer_one_is_counted() {
    check(
        "0 turn t",
        "0: ~ Hermes is working
         1: ~ Hermes is working · 1 s
         9: ~ Hermes is working · 9 s
         10: Hermes is working · silent for 10 s
         29: Hermes is working · silent for 29 s
         30: Hermes is working · silent for 30 s · you can wait or stop
         75: Hermes is working · silent for 1 min 15 s · you can wait or stop",
    );
    check(
        "0 turn t\n40 update m1 Well",
        "49: ~ Hermes is answering · 49 s\n50: Hermes is answering · silent for 10 s",
    );
}

#[test]
fn typing_and_what_comes_from_elsewhere_is_no_sign_of_life() {
    check(
        "0 turn t\n4 typing on\n8 user u - Well?\n9 notice queued Queued\n11 ack c m",
        "12: Hermes is working · silent for 12 s · your message is next",
    );
}

#[test]
fn every_word_of_the_agent_is_a_sign_of_life() {
    for line in [
        "start m1",
        "update m1 Well",
        "reason m1 Hm",
        "remark c1 Let me see",
        "tool 1 terminal",
        "notice working 3 min",
        "notice steered Told",
        "file f x.png",
    ] {
        let mut it = Watched::play("0 turn t");
        assert!(it.line(&format!("20 {line}")), "{line}: what was said of the silence goes at once");
        let said = it.at(21);
        assert!(!said.how_long.contains("silent"), "{line}: {}", said.how_long);
    }
}

#[test]
fn a_frame_that_changes_nothing_on_screen_wakes_nobody() {
    let mut it = Watched::play("0 turn t\n1 update m1 A");
    assert!(!it.line("2 update m1 A b") && !it.line("5 update m1 A b c"));
    assert!(it.line("15 update m1 A b c d"));
    assert!(it.line("16 end t complete"));
}

#[test]
fn a_tool_may_be_silent_for_a_minute_and_moves_all_the_while() {
    check(
        "0 turn t\n5 tool 1 terminal",
        "64: ~ Running terminal · 1 min 4 s
         65: ~ Running terminal · silent for 1 min
         95: ~ Running terminal · silent for 1 min 30 s",
    );
}

#[test]
fn the_time_of_a_tool_and_of_its_last_word() {
    for (running, noted, words) in [
        (Some(900), None, ""),
        (Some(1_000), None, "1 s"),
        (Some(90_000), None, "1 min 30 s"),
        (Some(90_000), Some(29_999), "1 min 30 s"),
        (Some(90_000), Some(30_000), "1 min 30 s · silent for 30 s"),
        (None, Some(90_000), "silent for 1 min 30 s"),
        (None, None, ""),
    ] {
        assert_eq!(tool(running, noted), words);
    }
}

#[test]
fn what_hermes_says_it_waits_for_is_shown_with_its_watchdog_and_goes_with_the_first_sign_of_work() {
    check(
        &format!("0 turn t\n62 {WAITS}"),
        "62: Waiting for the first words of demo · silent for 1 min · reconnects in 2 min · you can wait or stop
         63: Waiting for the first words of demo · silent for 1 min 1 s · reconnects in 1 min 59 s · you can wait or stop
         181: Waiting for the first words of demo · silent for 2 min 59 s · reconnects in 1 s · you can wait or stop
         182: Waiting for the first words of demo · silent for 3 min · you can wait or stop",
    );
    check(&format!("0 turn t\n62 {WAITS}\n70 update m1 Well"), "71: ~ Hermes is answering · 1 min 11 s");
    check(
        &format!("0 turn t\n62 {WAITS}\n70 notice working 3 min"),
        "75: Waiting for the first words of demo · silent for 1 min 13 s · reconnects in 1 min 47 s · you can wait or stop",
    );
}

#[test]
fn every_kind_of_trouble_has_its_sentence() {
    for (notice, expected) in [
        (
            "- waiting on m — stream open; 60s without stream output (auto-reconnect: stream stale watchdog in 120s)",
            "Waiting for m to go on · silent for 1 min 5 s · reconnects in 1 min 55 s · you can wait or stop",
        ),
        (
            "- no output from provider for 6s — reconnecting...",
            "~ The provider fell silent, Hermes reconnects · 5 s",
        ),
        (
            "- custom stream drop after 6.3s — attempt 1/3 dropped, reconnecting",
            "~ The stream was dropped, Hermes reconnects (1 of 3) · 5 s",
        ),
        (
            "- Provider temporarily unavailable — retrying automatically in 15s (cycle 2/5)",
            "~ The provider does not answer, Hermes tries again (2 of 5) · in about 10 s",
        ),
        (
            "- Provider temporarily unavailable — retrying automatically in 4s (cycle 2/5)",
            "~ The provider does not answer, Hermes tries again (2 of 5) · 5 s",
        ),
        (
            "- Response still streaming after 600s, cut by agent.stream_max_lifetime",
            "~ The stream was cut at its longest time · 5 s",
        ),
        (
            "- Provider stream returned an empty keepalive frame — retrying this turn without streaming",
            "~ Hermes tries again without streaming · 5 s",
        ),
        (
            "- Connection dropped mid tool-call; reconnecting…",
            "~ The connection dropped in a tool call, Hermes reconnects · 5 s",
        ),
        (
            "- I seem to be stuck (no activity for 15 min). If nothing happens in the next 15 min I'll give up",
            "Hermes sees no activity and may be stuck · silent for 15 min 5 s · gives up in 14 min 55 s · you can wait or stop",
        ),
        (
            "retrying Provider overloaded. Retrying in 8s (attempt 2/3)",
            "~ The call failed, Hermes tries again (2 of 3) · in about 3 s",
        ),
        ("asked_again Broke off", "The stream broke off, Hermes asked again · silent for 5 s"),
        ("- ⏳ processing prompt", "~ The model reads the prompt · 5 s"),
        ("fallback Switched", "~ Hermes turns to another model · 5 s"),
        ("continuing Go on", "~ Hermes asks the model to go on · 5 s"),
        ("compacting Compacting context", "~ Hermes shortens the conversation · 5 s"),
        ("session_busy Wait", "~ Another Hermes uses this session · 5 s"),
        ("breaker Nothing goes", "~ Hermes is working · 6 s"),
        ("silent Nichts", "Waiting for the model to go on · silent for 5 s"),
    ] {
        check(&format!("0 turn t\n1 notice {notice}"), &format!("6: {expected}"));
    }
}

#[test]
fn what_hermes_does_next_takes_the_place_of_what_it_did_at_once_but_a_late_burst_is_no_news() {
    const STALE: &str = "notice - no output from provider for 6s — reconnecting...";
    check(&format!("0 turn t\n7 {STALE}\n14 {STALE}"), "14: ~ The provider fell silent, Hermes reconnects");
    check(
        &format!("0 turn t\n7 {STALE}"),
        "7: ~ Hermes is working · 7 s\n8: ~ The provider fell silent, Hermes reconnects · 1 s",
    );
    check(&format!("0 turn t\n26 {STALE}\n26 {STALE}\n26 {STALE}"), "26: ~ Hermes is working · 26 s");
}

#[test]
fn an_end_of_the_trouble_is_waited_for_no_longer() {
    for line in
        ["notice breaker Nothing goes", "notice session_free Free", "notice compacted Done", "update m1 On"]
    {
        let script = format!("0 turn t\n1 notice compacting Compacting\n4 {line}");
        let said = Watched::play(&script).at(6).what;
        assert!(!said.contains("shortens"), "{line}: {said}");
    }
}

#[test]
fn a_question_waits_for_the_user_and_its_silence_is_not_counted() {
    check("0 turn t\n1 ask q May I?", "300: Hermes waits for your answer");
    check(
        "0 turn t\n1 ask q May I?\n300 closed q Yes",
        "301: ~ Hermes is working · 5 min 1 s\n310: Hermes is working · silent for 10 s",
    );
    assert_eq!(can(&Activity::Asking), [Can::Answer, Can::Stop]);
    assert_eq!(can(&Activity::Working), [Can::Wait, Can::Stop]);
    assert_eq!(can(&Activity::OutOfSight), [Can::Reconnect]);
    assert_eq!(can(&Activity::Idle), []);
}

#[test]
fn of_a_history_no_times_are_told_but_what_comes_after_it_is_counted() {
    let script = format!("100 sync reset 9\n100 turn t\n100 {WAITS}\n101 synced");
    check(
        &script,
        "101: Waiting for the first words of demo
         103: Waiting for the first words of demo · silent for 2 s",
    );
    check(
        "100 sync reset 9\n100 turn t\n101 synced",
        "105: ~ Hermes is working\n111: Hermes is working · silent for 10 s",
    );
}

#[test]
fn a_recording_has_times_in_its_history_and_nothing_to_advise() {
    let mut it = Watched { watch: Watch::of_recording(), ..Watched::default() };
    for line in ["40 sync reset 9", "5 turn t", "9 update m1 A", "50 synced"] {
        let wakes = it.line(line);
        assert_eq!(wakes, line != "9 update m1 A" && line != "40 sync reset 9", "{line}");
    }
    let told = |second| {
        let Line { what, how_long, aloud, .. } = it.at(second);
        (format!("{what}{how_long}"), aloud)
    };
    let said = |line: &str, aloud: &str| (line.to_owned(), aloud.to_owned());
    let works = "Recorded: Hermes is answering";
    assert_eq!(told(12), said("Recorded: Hermes is answering · 7 s", works));
    let silent = said("Recorded: Hermes is answering · silent for 41 s", "Recorded: Hermes is silent");
    assert_eq!(told(50), silent, "and no advice to wait or to stop");
    it.line("51 end t complete");
    assert_eq!(it.at(60), Line::default());
}

#[test]
fn a_sync_that_brings_what_was_missed_keeps_the_turns_beginning() {
    check("0 turn t\n20 sync more 9\n20 update m1 A\n20 synced", "25: ~ Hermes is answering · 25 s");
}

#[test]
fn nothing_is_said_after_the_end_however_late_a_frame_comes() {
    for end in ["end t complete", "end t error Broken", "end t interrupted", "error - Broken"] {
        let mut it = Watched::play(&format!("0 turn t\n5 {WAITS}\n9 {end}"));
        assert_eq!(it.at(10), Line::default(), "{end}");
        it.line(&format!("11 {WAITS}"));
        it.line("11 typing off");
        assert_eq!(it.at(300), Line::default(), "{end}");
    }
}

#[test]
fn a_plain_peer_that_dies_in_a_turn_is_told_as_silent_and_its_error_ends_it() {
    check("0 typing on\n1 update m1 Well", "20: Hermes is answering · silent for 19 s");
    check("0 typing on\n1 update m1 Well\n2 error - Broken", "20: ");
}

#[test]
fn the_next_turn_begins_with_nothing_of_the_last() {
    let script = format!("0 turn t\n2 {WAITS}\n2 notice queued Queued\n3 end t complete\n50 turn u");
    check(&script, "52: ~ Hermes is working · 2 s\n60: Hermes is working · silent for 10 s");
}

#[test]
fn a_screen_reader_is_told_the_kind_and_no_seconds() {
    let it = Watched::play("0 turn t");
    assert_eq!(it.at(5).aloud, "Hermes is working");
    assert_eq!(
        (it.at(10).aloud, it.at(99).aloud),
        ("Hermes is silent".to_owned(), "Hermes is silent".to_owned())
    );
    let it = Watched::play(&format!("0 turn t\n60 {WAITS}"));
    assert_eq!(it.at(62).aloud, it.at(162).aloud);
}

#[test]
fn a_clock_that_goes_back_is_survived() {
    let it = Watched::play("100 turn t\n50 update m1 A");
    assert_eq!(it.at(0).how_long, "");
}
