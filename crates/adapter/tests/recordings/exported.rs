//! Every recording of the real Hermes, exported and opened again: the same rows; and what a person may be given of it.

use iris_core::export::{self, About, Observer, Recording};
use iris_core::protocol::frame::Envelope;
use iris_core::run::{Indexer, Player, Poll};
use iris_core::timeline::{ItemKind, Phase, Timeline};

use crate::load::{Timed, convert, gateway, play, stream_json};

fn all() -> Vec<(String, Vec<Timed>)> {
    let gateway = gateway().into_iter().map(|recording| (recording.name.clone(), play(&recording.calls)));
    gateway.chain(stream_json().into_iter().map(|(name, text)| (name, convert(&text)))).collect()
}

fn envelopes(frames: &[Timed]) -> Vec<Envelope> {
    frames.iter().map(|(_, frame)| Envelope { chat: None, seq: None, frame: frame.clone() }).collect()
}

fn picture(timeline: &Timeline) -> Vec<String> {
    let row = |kind: &ItemKind| match kind.clone() {
        ItemKind::Answer(mut answer) => {
            (answer.phase, answer.generation) = (Phase::Settled, 0);
            format!("{answer:?}")
        }
        other => format!("{other:?}"),
    };
    timeline.items().iter().map(|item| row(&item.kind)).collect()
}

/// What the file shows when it is played to its end, at once or frame by frame.
fn replayed(file: &[u8], to_end: bool) -> Timeline {
    let mut indexer = Indexer::spaced(0);
    indexer.push(file);
    indexer.finish();
    let index = indexer.index();
    assert_eq!((index.damaged.len(), &index.refusal), (0, &None));
    let (mut player, mut timeline, mut now_ms) = (Player::new("c1".into()), Timeline::new(), 0);
    player.subscribe(None, index, 0);
    match to_end {
        true => player.seek_time(u64::MAX, index, 0),
        false => player.play(index, 0),
    }
    loop {
        match player.poll(index, now_ms) {
            Poll::Send(frames) => frames.iter().for_each(|played| drop(timeline.apply(&played.frame))),
            Poll::Read(range) => player.give(range.start, &file[range.start as usize..range.end as usize]),
            Poll::Wait(ms) => now_ms += ms,
            Poll::Idle => break,
        }
        if let Some(before) = timeline.before_seq() {
            player.history(before, 1_000);
        }
    }
    timeline
}

#[test]
fn export_and_replay_give_the_same_transcript() {
    for (name, frames) in all() {
        let mut recording = Recording::new(&About::default(), None);
        frames.iter().for_each(|(t_ms, frame)| recording.push(Some(*t_ms), frame));
        let file = recording.take().into_bytes();
        let mut direct = Timeline::new();
        envelopes(&frames).iter().for_each(|frame| drop(direct.apply(frame)));
        for to_end in [false, true] {
            let replayed = replayed(&file, to_end);
            if !direct.running() {
                assert_eq!(picture(&replayed), picture(&direct), "{name}, at once: {to_end}");
            }
            assert!(!replayed.running(), "{name}: nothing runs after the end");
        }
    }
}

/// The answers are there, and nothing that a browser would fetch or run.
#[test]
fn every_recording_becomes_a_page_that_loads_nothing_and_a_text() {
    for (name, frames) in all() {
        let rows = export::rows(&envelopes(&frames));
        let about = About { title: name.clone(), exported_ms: None };
        let html = export::html::export(&about, &rows);
        let tags: Vec<&str> = html.split('<').skip(1).filter_map(|tag| tag.split('>').next()).collect();
        for tag in tags {
            let word = tag.split([' ', '/']).next().unwrap_or_default();
            assert!(
                !["script", "img", "link", "iframe", "object", "form", "base"].contains(&word),
                "{name}: <{tag}>"
            );
            assert!(!tag.contains(" src=") && !tag.contains(" style="), "{name}: <{tag}>");
        }
        let markdown = export::markdown::export(&about, &rows);
        for row in &rows {
            if let ItemKind::Answer(answer) = &row.kind {
                assert!(markdown.contains(answer.text.trim_end()), "{name}: {markdown}");
            }
        }
    }
}

#[test]
fn a_diagnostic_has_nothing_of_what_was_said() {
    for (name, frames) in all() {
        let mut observer = Observer::default();
        frames.iter().for_each(|(t_ms, frame)| observer.frame(*t_ms, frame));
        let text = observer.diagnostic().to_string();
        for row in export::rows(&envelopes(&frames)) {
            let said = match row.kind {
                ItemKind::Answer(answer) => answer.text,
                ItemKind::Commentary { text } => text,
                ItemKind::Notice(notice) => notice.text,
                ItemKind::User(message) => message.text,
                _ => continue,
            };
            let longest = said.split_whitespace().max_by_key(|word| word.len()).unwrap_or_default();
            assert!(longest.len() < 12 || !text.contains(longest), "{name}: {longest:?} in {text}");
        }
    }
}
