//! The journal against the app's own timeline: wherever a device was cut off in any turn of the demo, what it gets on its
//! return makes the same picture as having been there all the time.

use iris_adapter::hub::journal::Journal;
use iris_core::{
    protocol::frame::{AppFrame, Envelope, ServerFrame},
    timeline::{Item, ItemKind, Phase, Timeline},
};

use crate::support::{Client, serve};

/// The frames of every offer of the demo, one after the other, as a device sees them that takes whole texts.
async fn everything() -> Vec<ServerFrame> {
    let server = serve().await;
    let mut client = Client::listening(&server, &[]).await;
    let ServerFrame::Hello { suggestions, .. } = client.hello.clone() else { panic!() };
    let mut frames = Vec::new();
    for offer in suggestions {
        client.say(&offer.label, &offer.text).await;
        loop {
            let Envelope { frame, .. } = client.next().await;
            if let ServerFrame::Ask { ask_id, choices, .. } = &frame {
                let choice = choices.first().map(|choice| choice.id.clone());
                client
                    .send(AppFrame::AskAnswer { chat: None, ask_id: ask_id.clone(), choice, text: None })
                    .await;
            }
            let ended = matches!(frame, ServerFrame::TurnEnd { .. });
            if !matches!(frame, ServerFrame::Ack { .. } | ServerFrame::Typing { .. }) {
                frames.push(frame);
            }
            if ended {
                break;
            }
        }
    }
    frames
}

/// Rows without what may differ: keys, and whether a text came live.
fn picture(timeline: &Timeline) -> Vec<ItemKind> {
    let plain = |item: &Item| match item.kind.clone() {
        ItemKind::Answer(mut answer) => {
            answer.generation = 0;
            if answer.phase == Phase::Stopped {
                answer.phase = Phase::Settled;
            }
            ItemKind::Answer(answer)
        }
        other => other,
    };
    timeline.items().iter().map(plain).collect()
}

fn apply(timeline: &mut Timeline, seq: Option<u64>, frame: ServerFrame) {
    timeline.apply(&Envelope { chat: None, seq, frame });
}

/// Brings the device up to date, as the fan-out does.
fn catch_up(timeline: &mut Timeline, journal: &Journal, after: Option<u64>) -> bool {
    let missing = journal.since(after);
    apply(timeline, None, ServerFrame::SyncBegin { reset: missing.reset, to_seq: missing.to_seq });
    for entry in missing.frames {
        apply(timeline, Some(entry.seq), entry.frame.clone());
    }
    apply(timeline, None, ServerFrame::SyncEnd);
    missing.reset
}

#[tokio::test]
async fn a_device_that_was_away_for_any_part_of_any_turn_ends_with_the_same_picture() {
    let frames = everything().await;
    assert!(frames.len() > 500, "{}", frames.len());
    let mut journal = Journal::new(1_000);
    let written: Vec<_> = frames.iter().filter_map(|frame| journal.write(frame.clone())).collect();
    assert_eq!(written.len(), frames.len(), "a repetition is not sent");

    let mut always = Timeline::new();
    for (frame, written) in frames.iter().zip(&written) {
        apply(&mut always, Some(written.seq), frame.clone());
    }
    let expected = picture(&always);
    assert!(expected.len() > 30 && journal.since(None).frames.len() < frames.len() / 3);

    let live: Vec<_> = frames
        .iter()
        .zip(written)
        .map(|(frame, written)| (written.seq, written.growth.unwrap_or_else(|| frame.clone())))
        .collect();
    for cut in 0..=live.len() {
        let mut device = Timeline::new();
        catch_up(&mut device, &Journal::new(1_000), None);
        for (seq, frame) in &live[..cut] {
            apply(&mut device, Some(*seq), frame.clone());
        }
        let after = device.after_seq();
        assert!(!catch_up(&mut device, &journal, after), "it need not start over");
        assert_eq!(picture(&device), expected, "cut off after {cut} frames");
    }
}

#[tokio::test]
async fn a_device_that_comes_in_at_any_time_sees_what_the_others_see() {
    let frames = everything().await;
    let mut journal = Journal::new(1_000);
    let mut present = Timeline::new();
    for frame in frames {
        let Some(written) = journal.write(frame.clone()) else { continue };
        apply(&mut present, Some(written.seq), frame.clone());
        let mut late = Timeline::new();
        assert!(catch_up(&mut late, &journal, None));
        assert_eq!(picture(&late), picture(&present), "after {frame:?}");
        assert_eq!(late.running(), present.running());
    }
}
