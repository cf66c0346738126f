use super::*;

fn start(id: &str) -> ServerFrame {
    ServerFrame::MessageStart { message_id: id.into(), role: None }
}

fn update(id: &str, text: &str) -> ServerFrame {
    ServerFrame::MessageUpdate { message_id: id.into(), text: text.into() }
}

fn user(id: &str) -> ServerFrame {
    ServerFrame::UserMessage {
        message_id: id.into(),
        client_id: None,
        text: "hi".into(),
        ts: None,
        attachments: Vec::new(),
    }
}

fn turn(id: &str) -> ServerFrame {
    ServerFrame::TurnStart { turn: id.into() }
}

fn end(id: &str) -> ServerFrame {
    ServerFrame::TurnEnd {
        turn: id.into(),
        status: iris_core::protocol::frame::TurnStatus::Complete,
        exit_code: None,
        error: None,
        model: None,
        tokens: None,
        duration_ms: None,
    }
}

fn written(frames: impl IntoIterator<Item = ServerFrame>) -> Transcript {
    let mut transcript = Transcript::new("c".into(), 100);
    for frame in frames {
        transcript.write(frame);
    }
    transcript
}

fn numbers(entries: &[Entry]) -> Vec<u64> {
    entries.iter().map(|entry| entry.seq).collect()
}

#[test]
fn a_device_gets_what_it_is_missing_and_starts_over_when_its_number_is_unknown() {
    let transcript = written([start("m"), update("m", "a"), update("m", "ab")]);
    let check = |after, known, seqs: &[u64]| {
        let Plan::Memory(found) = transcript.plan(after, None) else { panic!("{after:?}") };
        assert_eq!(found.is_some(), known, "{after:?}");
        assert_eq!(numbers(transcript.in_memory(found)), seqs, "{after:?}");
    };
    check(None, false, &[101, 103]);
    check(Some(101), true, &[103]);
    check(Some(102), true, &[103]);
    check(Some(103), true, &[]);
    check(Some(100), true, &[101, 103]);
    for unknown in [104, 99, 7, 0, u64::MAX] {
        check(Some(unknown), false, &[101, 103]);
    }
}

#[test]
fn a_turn_that_is_told_again_makes_every_number_within_it_unknown_and_keeps_what_users_said() {
    let mut transcript =
        written([user("u1"), turn("t"), start("m"), update("m", "a"), user("u2"), update("m", "ab")]);
    assert!(transcript.restart());
    assert_eq!(numbers(transcript.in_memory(None)), [101, 102, 105]);
    let known = |seq| transcript.plan(Some(seq), None) == Plan::Memory(Some(seq));
    for (seq, expected) in
        [(100, true), (102, true), (103, false), (105, false), (106, false), (107, true), (108, false)]
    {
        assert_eq!(known(seq), expected, "{seq}");
    }
    assert_eq!(transcript.last(), 107);
    assert_eq!(transcript.write(start("m")).unwrap().seq, 108);
    assert!(!written([user("u1")]).restart(), "no turn is open");
    assert!(!written([turn("t"), end("t")]).restart());
}

#[test]
fn what_has_to_be_written_is_what_came_changed_and_went() {
    let steps = |changes: Vec<Change>| -> Vec<String> {
        let step = |change: &Change| match change {
            Change::Put(row) => format!("put {}", row.seq),
            Change::Drop(seq) => format!("drop {seq}"),
            Change::Known(span) => format!("known {}-{}", span.base, span.last),
            Change::Unknown(after) => format!("unknown {after}"),
            other => panic!("{other:?}"),
        };
        changes.iter().map(step).collect()
    };
    let mut transcript = written([turn("t"), start("m"), update("m", "a")]);
    assert_eq!(steps(transcript.take_changes()), ["put 101", "put 102", "put 103", "known 100-103"]);
    assert_eq!(steps(transcript.take_changes()), [""; 0]);
    transcript.write(update("m", "ab"));
    transcript.write(update("m", "abc"));
    assert_eq!(
        steps(transcript.take_changes()),
        ["drop 103", "put 105", "known 100-105"],
        "what came and went in between is not written"
    );
    transcript.write(update("m", "abcd"));
    transcript.restart();
    assert_eq!(
        steps(transcript.take_changes()),
        ["unknown 101", "known 100-101", "drop 102", "drop 105", "known 107-107"]
    );
    transcript.write(user("u"));
    transcript.take_back();
    assert_eq!((steps(transcript.take_changes()), transcript.last()), (Vec::new(), 107));
}

#[test]
fn only_the_last_turn_stays_in_memory_once_the_others_are_on_disk() {
    let mut transcript = written([user("u1"), turn("t1"), end("t1"), user("u2"), turn("t2"), start("m")]);
    transcript.forget(104);
    assert_eq!(transcript.in_memory(None).len(), 6, "the new turn is not on disk yet");
    transcript.forget(105);
    assert_eq!(numbers(transcript.in_memory(None)), [105, 106]);
    assert_eq!(transcript.plan(Some(104), None), Plan::Memory(Some(104)));
    let disk = |after, limit| Plan::Disk(Range { after, upto: 104, limit });
    assert_eq!(transcript.plan(Some(103), Some(50)), disk(Some(103), Some(48)));
    assert_eq!(transcript.plan(None, Some(2)), disk(None, Some(1)));
    assert_eq!(transcript.plan(Some(5), None), disk(None, None));
}

#[test]
fn frames_without_a_turn_leave_memory_as_well() {
    let mut transcript = written((0..300).map(|nth| user(&nth.to_string())));
    transcript.take_changes();
    transcript.forget(399);
    assert_eq!(transcript.in_memory(None).len(), 300);
    transcript.forget(400);
    assert_eq!(transcript.in_memory(None).len(), 0);
    assert!(matches!(transcript.plan(None, None), Plan::Disk(_)));
    assert_eq!(transcript.plan(Some(400), None), Plan::Memory(Some(400)));
}

#[test]
fn what_was_said_is_found_and_what_was_thought_is_not() {
    let stop = |text: Option<&str>| ServerFrame::MessageStop {
        message_id: "m".into(),
        final_text: text.map(str::to_owned),
        reasoning: Some("hidden".into()),
        model: None,
        tokens: None,
    };
    let check = |frames: Vec<ServerFrame>, expected: &[&str]| {
        let mut transcript = written(frames);
        let found: Vec<_> = transcript
            .take_changes()
            .into_iter()
            .filter_map(|change| match change {
                Change::Put(row) => row.words,
                _ => None,
            })
            .collect();
        assert_eq!(found, expected);
    };
    let thought = ServerFrame::ReasoningUpdate { message_id: "m".into(), text: "hidden".into() };
    check(vec![user("u"), turn("t"), thought.clone(), update("m", "liv")], &["hi"]);
    check(vec![turn("t"), update("m", "live"), stop(Some("final"))], &["final"]);
    check(vec![turn("t"), update("m", "live"), stop(None), end("t")], &["live"]);
    check(vec![turn("t"), thought, update("m", "cut off"), end("t")], &["cut off"]);
}
