//! One socket that listens to several chats, with everything else that is said on it: what arrives is what was told,
//! however short it was said.

use iris_core::{
    ids::ChatId,
    protocol::{
        codec::ServerReader,
        frame::{Envelope, ServerFrame},
    },
    timeline::{Change, ItemKind, Timeline},
};
use proptest::prelude::*;

use super::*;
use crate::hub::{
    fanout::{CatchUp, Fanout, Peer, spell_plain},
    queue::{Outgoing, Waiting, queue},
    transcript::Transcript,
};

/// A socket and the device at its other end.
#[derive(Debug)]
pub(in crate::hub) struct Ear {
    speech: Speech,
    reader: ServerReader,
    /// The messages as they went over the wire.
    pub(in crate::hub) messages: Vec<String>,
}

impl Ear {
    /// A device that takes continuations, or does not.
    pub(in crate::hub) fn new(continues: bool) -> Self {
        Self { speech: Speech::new(continues), reader: ServerReader::default(), messages: Vec::new() }
    }

    /// Writes what waited, and reads it.
    pub(in crate::hub) fn hear(&mut self, outgoing: Outgoing) -> Vec<Envelope> {
        let texts = match outgoing {
            Outgoing::Growth(growth) => vec![self.speech.grows(&growth).into()],
            Outgoing::One(text) => {
                self.speech.says_else();
                vec![text]
            }
            Outgoing::Many(texts) => {
                self.speech.says_else();
                texts
            }
        };
        self.messages.extend(texts.iter().map(ToString::to_string));
        texts.iter().map(|text| self.reader.read(text).unwrap()).collect()
    }
}

/// What can happen.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A text of a chat grows, or its reasoning.
    Grow { chat: usize, reasoning: bool },
    /// It becomes another.
    Change { chat: usize },
    /// It is complete.
    Stop { chat: usize },
    /// Something about the list of chats, or an answer.
    News,
    /// The device takes so much of what waits.
    Read(usize),
    /// Whoever is behind is brought up to date.
    CatchUp,
}

fn step() -> impl Strategy<Value = Step> {
    let chat = || prop_oneof![3 => Just(0usize), 1 => Just(1)];
    prop_oneof![
        12 => (chat(), prop::bool::weighted(0.2)).prop_map(|(chat, reasoning)| Step::Grow { chat, reasoning }),
        1 => chat().prop_map(|chat| Step::Change { chat }),
        1 => chat().prop_map(|chat| Step::Stop { chat }),
        1 => Just(Step::News),
        4 => (1usize..9).prop_map(Step::Read),
        2 => Just(Step::CatchUp),
    ]
}

/// A chat of the adapter, and the same one on the device.
struct Room {
    id: ChatId,
    transcript: Transcript,
    fanout: Fanout,
    message: u32,
    text: String,
    reasoning: String,
    /// Somebody who was there all the time and was told everything whole.
    witness: Timeline,
    device: Timeline,
}

impl Room {
    fn new(id: &str, peer: &Peer) -> Self {
        let mut fanout = Fanout::new(id.into());
        fanout.join(peer.clone(), None, None);
        let transcript = Transcript::new(id.into(), 10);
        let (message, text, reasoning) = (0, String::new(), String::new());
        let (witness, device) = (Timeline::new(), Timeline::new());
        Self { id: id.into(), transcript, fanout, message, text, reasoning, witness, device }
    }

    fn step(&mut self, step: Step) {
        let message_id = format!("m{}", self.message).into();
        let frame = match step {
            Step::Grow { reasoning: true, .. } => {
                self.reasoning.push_str("hm\n");
                ServerFrame::ReasoningUpdate { message_id, text: self.reasoning.clone() }
            }
            Step::Change { .. } => {
                self.text.insert(0, 'x');
                ServerFrame::MessageUpdate { message_id, text: self.text.clone() }
            }
            Step::Stop { .. } => {
                self.message += 1;
                let final_text = Some(std::mem::take(&mut self.text));
                self.reasoning.clear();
                ServerFrame::MessageStop {
                    message_id,
                    final_text,
                    reasoning: None,
                    model: None,
                    tokens: None,
                }
            }
            _ => {
                self.text.push_str("ä\"");
                ServerFrame::MessageUpdate { message_id, text: self.text.clone() }
            }
        };
        let Some(written) = self.transcript.write(frame.clone()) else { return };
        self.fanout.publish(&frame, Some(&written), &self.transcript);
        self.witness.apply(&Envelope { chat: None, seq: Some(written.seq), frame });
    }

    fn catch_up(&mut self) {
        for want in self.fanout.wants() {
            let frames = self.transcript.in_memory(want.after).iter().map(|entry| entry.text(&self.id));
            let catch_up = CatchUp {
                reset: want.after.is_none(),
                before: None,
                frames: frames.collect(),
                to_seq: self.transcript.last(),
                typing: true,
            };
            self.fanout.catch_up(want.peer, &catch_up);
        }
    }
}

fn texts(timeline: &Timeline) -> Vec<(String, String)> {
    let kinds = timeline.items().iter().filter_map(|item| match &item.kind {
        ItemKind::Answer(answer) => Some((answer.text.clone(), answer.reasoning.clone())),
        _ => None,
    });
    kinds.collect()
}

fn read(rooms: &mut [Room; 2], ear: &mut Ear, waiting: &mut Waiting, upto: usize) {
    for _ in 0..upto {
        let Some(outgoing) = waiting.try_next() else { return };
        for envelope in ear.hear(outgoing) {
            if let Some(room) = rooms.iter_mut().find(|room| Some(&room.id) == envelope.chat.as_ref()) {
                let changes = room.device.apply(&envelope);
                assert!(!changes.contains(&Change::Resync), "nothing is missing on the way: {envelope:?}");
            }
        }
    }
}

fn run(steps: &[Step], append: bool, continues: bool, places: usize) -> Vec<String> {
    let (line, mut waiting) = queue(places);
    let peer = Peer { id: 1, device: "d".into(), append, line };
    let mut rooms = ["a", "b"].map(|id| Room::new(id, &peer));
    let mut ear = Ear::new(continues);
    let settle = |rooms: &mut [Room; 2], ear: &mut Ear, waiting: &mut Waiting| {
        while rooms.iter().any(|room| room.fanout.is_behind()) {
            rooms.iter_mut().for_each(Room::catch_up);
            read(rooms, ear, waiting, usize::MAX);
        }
        read(rooms, ear, waiting, usize::MAX);
    };
    settle(&mut rooms, &mut ear, &mut waiting);
    for step in steps {
        match *step {
            Step::Grow { chat, .. } | Step::Change { chat } | Step::Stop { chat } => rooms[chat].step(*step),
            // What finds no place is asked for again by the device.
            Step::News => drop(peer.line.offer(Outgoing::One(spell_plain(&ServerFrame::Pong { t: 1 })))),
            Step::Read(upto) => read(&mut rooms, &mut ear, &mut waiting, upto),
            Step::CatchUp => rooms.iter_mut().for_each(Room::catch_up),
        }
    }
    settle(&mut rooms, &mut ear, &mut waiting);
    for room in &rooms {
        assert_eq!(texts(&room.device), texts(&room.witness));
    }
    ear.messages
}

fn is_string(message: &str) -> bool {
    message.starts_with('"')
}

fn is_append(message: &str) -> bool {
    message.contains(r#".append""#) || is_string(message)
}

#[test]
fn a_text_that_grows_undisturbed_is_said_in_continuations() {
    let grow = Step::Grow { chat: 0, reasoning: false };
    let messages = run(&[grow; 9], true, true, 64);
    assert_eq!(messages.iter().filter(|message| is_string(message)).count(), 8, "{messages:?}");
    let messages = run(&[grow, grow, Step::News, grow, grow], true, true, 64);
    assert_eq!(messages.iter().filter(|message| is_string(message)).count(), 2, "{messages:?}");
}

proptest! {
    #[test]
    fn what_arrives_is_what_was_told_however_short_it_was_said(
        steps in prop::collection::vec(step(), 1..80), places in 2usize..20,
    ) {
        run(&steps, true, true, places);
        let modest = run(&steps, true, false, places);
        prop_assert!(!modest.iter().any(|message| is_string(message)), "who does not take continuations gets none");
        let plain = run(&steps, false, false, places);
        prop_assert!(!plain.iter().any(|message| is_append(message)), "who does not take appends gets none");
    }
}
