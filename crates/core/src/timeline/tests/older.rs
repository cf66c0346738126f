use proptest::prelude::*;

use crate::protocol::frame::{Envelope, ServerFrame};
use crate::timeline::testing::{TestTimeline, frame};
use crate::timeline::{ItemKind, Phase};

/// What a turn may hold; `#` is its number.
const TURNS: [&[&str]; 6] = [
    &["user u# c# Hello #", "turn t#", "start m#", "update m# Hi", "stop m# Hi there #.", "end t# complete"],
    &[
        "user u# - From elsewhere",
        "turn t#",
        "reason m# Hm",
        "tool 1 terminal ls",
        "done 1 terminal",
        "remark r# So:",
        "tool 2 read a",
        "ask q# May I?",
        "closed q# Yes",
        "message m# Done #",
        "end t# complete",
    ],
    &["turn t#", "tool 1 terminal ls", "notice working 3 min", "end t# interrupted"],
    &["user u# c# Queued #"],
    &["user u# c# Break", "turn t#", "start m#", "update m# Half", "end t# error Broken"],
    &["user u# c# Draw", "turn t#", "file f# chart.png", "message m# There", "end t# complete"],
];

/// What goes on at the end meanwhile.
const LIVE: [&str; 6] =
    ["user u c Go on", "turn t", "start m", "append m 0 One", "append m 3  two", "tool 1 terminal x"];

fn begin(to_seq: u64, before_seq: Option<u64>) -> Envelope {
    Envelope { chat: None, seq: None, frame: ServerFrame::SyncBegin { reset: true, to_seq, before_seq } }
}

fn page(before_seq: Option<u64>, frames: &[Envelope]) -> Envelope {
    let frame = ServerFrame::HistoryPage { before_seq, frames: frames.to_vec() };
    Envelope { chat: None, seq: None, frame }
}

/// Frames with numbers from 10 on, so that a page's border is one; each turn by itself.
fn numbered(kinds: &[usize]) -> Vec<Vec<Envelope>> {
    let mut seq = 9;
    let turn = |(n, kind): (usize, &usize)| {
        let line = |line: &&str| {
            seq += 1;
            frame(&format!("@{seq} {}", line.replace('#', &n.to_string())))
        };
        TURNS[*kind].iter().map(line).collect()
    };
    kinds.iter().enumerate().map(turn).collect()
}

fn apply(test: &mut TestTimeline, frames: &[Envelope]) {
    for frame in frames {
        let changes = test.timeline.apply(frame);
        test.take(changes);
    }
}

fn synced(turns: &[Vec<Envelope>], before_seq: Option<u64>) -> TestTimeline {
    let mut test = TestTimeline::default();
    let to_seq = turns.last().and_then(|turn| turn.last()?.seq).unwrap_or(9);
    apply(&mut test, &[begin(to_seq, before_seq)]);
    apply(&mut test, &turns.concat());
    test.play("synced");
    test
}

proptest! {
    #[test]
    fn a_chat_in_pages_is_the_chat_as_a_whole(
        kinds in prop::collection::vec(0..TURNS.len(), 1..12),
        cuts in prop::collection::btree_set(0_usize..12, 0..5),
        twice in any::<bool>(),
    ) {
        let turns = numbered(&kinds);
        let mut borders: Vec<usize> = cuts.into_iter().filter(|cut| *cut < turns.len()).collect();
        let tail = borders.pop().unwrap_or(0);
        borders.insert(0, 0);
        let first = |at: usize| (at > 0).then(|| turns[at][0].seq.unwrap());
        let mut paged = synced(&turns[tail..], first(tail));
        let mut whole = synced(&turns, None);
        let last = turns.concat().last().unwrap().seq.unwrap();
        let mut live = LIVE.iter().zip(last + 1..).map(|(line, seq)| frame(&format!("@{seq} {line}")));
        let mut end = tail;
        for begin in borders.into_iter().rev() {
            apply(&mut paged, &live.next().into_iter().collect::<Vec<_>>());
            let older = page(first(begin), &turns[begin..end].concat());
            apply(&mut paged, std::slice::from_ref(&older));
            if twice {
                apply(&mut paged, &[older]);
            }
            end = begin;
        }
        apply(&mut paged, &live.collect::<Vec<_>>());
        whole.play(&LIVE.iter().zip(last + 1..).map(|(line, seq)| format!("@{seq} {line}\n")).collect::<String>());
        prop_assert_eq!(paged.transcript(), whole.transcript());
        prop_assert_eq!(paged.timeline.before_seq(), None);
        prop_assert!(paged.running);
        let growing = paged.timeline.items().iter().filter(|item| {
            matches!(&item.kind, ItemKind::Answer(answer) if answer.phase == Phase::Streaming)
        });
        prop_assert_eq!(growing.count(), 1);
        for seq in turns.concat().iter().filter_map(|envelope| envelope.seq) {
            let at = |test: &TestTimeline| {
                let key = test.timeline.row_of(seq).unwrap();
                test.keys().iter().position(|other| *other == key)
            };
            prop_assert_eq!(at(&paged), at(&whole), "{}", seq);
        }
    }
}

const OLD: [&str; 4] = ["@10 user u1 c1 Hello", "@11 turn t1", "@12 message m1 Hi", "@13 end t1 complete"];

fn old() -> Vec<Envelope> {
    OLD.map(frame).to_vec()
}

#[test]
fn a_page_that_nobody_asked_for_is_nothing_new() {
    let mut test = TestTimeline::default();
    test.play("message m9 Hi");
    apply(&mut test, &[page(Some(5), &old())]);
    test.shows("m9: Hi");
    assert_eq!(test.timeline.before_seq(), None);
}

#[test]
fn pages_lead_downwards_and_hold_nothing_that_is_shown() {
    let mut test = synced(&[vec![frame("@14 user u2 - Next")]], Some(14));
    let mut frames = old();
    frames.push(frame("@14 user u2 - Next"));
    apply(&mut test, &[page(Some(14), &frames), page(Some(20), &frames)]);
    test.shows("> Next");
    apply(&mut test, &[page(Some(10), &frames)]);
    test.shows("> Hello\nm1: Hi\n> Next");
    assert_eq!(test.timeline.before_seq(), Some(10));
}

#[test]
fn a_page_that_breaks_its_word_leaves_nothing_open() {
    let mut test = synced(&[vec![frame("@14 user u2 - Next")]], Some(14));
    let open = ["@10 turn t1", "@11 tool 1 terminal ls", "@12 update m1 Half"].map(frame);
    apply(&mut test, &[page(None, &open)]);
    test.shows("[1 terminal ∅]\nm1: Half ✂\n> Next");
    assert!(!test.running);
    assert_eq!(test.answer("m1").phase, Phase::Settled);
}

#[test]
fn a_message_that_stands_in_the_page_stands_nowhere_else() {
    for here in ["echo c1 Hello", "echo c1 Hello\nack c1 u1", "@15 user u1 c1 Hello"] {
        let mut test = synced(&[vec![frame("@14 user u2 - Next")]], Some(14));
        test.play(here);
        apply(&mut test, &[page(None, &old())]);
        test.play("ack c1 u1").shows("> Hello\nm1: Hi\n> Next");
    }
}

#[test]
fn a_frame_is_found_in_its_row() {
    let mut test = synced(&[vec![frame("@14 user u2 - Next")]], Some(14));
    test.play("@15 turn t2\n@16 update m2 A\n@17 append m2 1 B\n@18 notice working 1 min\n@20 stop m2 AB.");
    let at = |test: &TestTimeline, seq| {
        let key = test.timeline.row_of(seq)?;
        test.keys().iter().position(|other| *other == key)
    };
    let found: Vec<_> = [9, 12, 14, 16, 17, 20, 21].map(|seq| at(&test, seq)).to_vec();
    assert_eq!(found, [None, None, Some(0), Some(1), Some(1), Some(1), None]);
    apply(&mut test, &[page(None, &old())]);
    assert_eq!([9, 10, 12, 14].map(|seq| at(&test, seq)), [Some(0), Some(0), Some(1), Some(2)]);
}
