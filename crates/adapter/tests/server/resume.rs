//! The transcript against the app's own timeline: wherever a device was cut off in any turn of the demo, what it gets on its
//! return makes the same picture as having been there all the time.

use iris_adapter::hub::transcript::{Plan, Transcript};
use iris_core::{
    ids::{MessageId, ToolIndex},
    protocol::frame::{AppFrame, Envelope, ServerFrame, TurnStatus},
    timeline::Timeline,
};

use proptest::prelude::*;

use crate::{
    picture::picture,
    support::{Client, serve},
};

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

pub fn apply(timeline: &mut Timeline, seq: Option<u64>, frame: ServerFrame) {
    timeline.apply(&Envelope { chat: None, seq, frame });
}

fn transcript() -> Transcript {
    Transcript::new("c".into(), 1_000)
}

/// Brings the device up to date, as the fan-out does. All of the chat is in memory.
fn catch_up(timeline: &mut Timeline, transcript: &Transcript, after: Option<u64>) -> bool {
    let Plan::Memory(known) = transcript.plan(after, None) else { panic!("nothing is on disk") };
    let (reset, to_seq) = (known.is_none(), transcript.last());
    apply(timeline, None, ServerFrame::SyncBegin { reset, to_seq, before_seq: None });
    for entry in transcript.in_memory(known) {
        apply(timeline, Some(entry.seq), entry.frame.clone());
    }
    apply(timeline, None, ServerFrame::SyncEnd);
    reset
}

/// Everything that can go wrong with these frames: a device that is away from any moment to the end, and one that
/// comes in at any moment.
fn check(frames: &[ServerFrame]) {
    let mut journal = transcript();
    let (mut present, mut live) = (Timeline::new(), Vec::new());
    for frame in frames {
        let Some(written) = journal.write(frame.clone()) else { continue };
        apply(&mut present, Some(written.seq), frame.clone());
        live.push((written.seq, written.growth.unwrap_or_else(|| frame.clone())));
        let mut late = Timeline::new();
        assert!(catch_up(&mut late, &journal, None));
        assert_eq!(picture(&late), picture(&present), "after {frame:?}");
        assert_eq!(late.running(), present.running());
    }
    let expected = picture(&present);
    for cut in 0..=live.len() {
        let mut device = Timeline::new();
        catch_up(&mut device, &transcript(), None);
        for (seq, frame) in &live[..cut] {
            apply(&mut device, Some(*seq), frame.clone());
        }
        let after = device.after_seq();
        assert!(!catch_up(&mut device, &journal, after), "it need not start over");
        assert_eq!(picture(&device), expected, "cut off after {cut} frames");
    }
}

#[tokio::test]
async fn a_device_that_was_away_for_any_part_of_the_demo_ends_with_the_same_picture() {
    let frames = everything().await;
    assert!(frames.len() > 500, "{}", frames.len());
    check(&frames);
    let mut journal = transcript();
    for frame in &frames {
        assert!(journal.write(frame.clone()).is_some(), "a repetition is not sent: {frame:?}");
    }
    let left = journal.in_memory(None).len();
    assert!(left < frames.len() / 3, "{left}");
}

/// Turns as the machines make them: one live message at a time, reasoning before or beside it, tools, remarks.
#[derive(Default)]
pub struct Script {
    frames: Vec<ServerFrame>,
    turn: u32,
    message: u32,
    tools: u32,
    open_tools: Vec<u32>,
    text: Option<String>,
    reasoning: String,
}

impl Script {
    pub fn play(steps: &[(u8, bool)]) -> Vec<ServerFrame> {
        let mut script = Self::default();
        script.begin();
        for (what, choice) in steps {
            script.step(*what, *choice);
        }
        script.frames
    }

    fn step(&mut self, what: u8, choice: bool) {
        match what {
            0..=3 => self.write(choice),
            4 | 5 => {
                self.reasoning.push_str(if choice { "ü" } else { "\n" });
                let (message_id, text) = (self.id(), self.reasoning.clone());
                self.frames.push(ServerFrame::ReasoningUpdate { message_id, text });
            }
            6 => self.stop(choice),
            7 => {
                self.tools += 1;
                self.open_tools.push(self.tools);
                let (index, name) = (ToolIndex(self.tools), "terminal".into());
                self.frames.push(ServerFrame::ToolStart {
                    index,
                    name,
                    preview: None,
                    args: serde_json::Map::new(),
                });
            }
            8 => {
                let Some(&index) = self.open_tools.last() else { return };
                let (index, name, note) = (ToolIndex(index), "terminal".into(), format!("{choice}"));
                self.frames.push(ServerFrame::ToolProgress { index, name, note });
            }
            9 => {
                let Some(index) = self.open_tools.pop() else { return };
                let (index, name) = (ToolIndex(index), "terminal".into());
                self.frames.push(ServerFrame::ToolEnd {
                    index,
                    name,
                    ok: Some(choice),
                    duration: None,
                    output_preview: None,
                });
            }
            10 => {
                self.message += 1;
                let message_id = format!("remark{}", self.message).into();
                self.frames.push(ServerFrame::Commentary { message_id, text: "remark".into() });
            }
            _ => {
                self.stop(choice);
                // It also ends a message of which only reasoning came: an id is unique in its chat.
                if !std::mem::take(&mut self.reasoning).is_empty() {
                    self.message += 1;
                }
                self.frames.push(ServerFrame::TurnEnd {
                    turn: format!("t{}", self.turn).into(),
                    status: TurnStatus::Complete,
                    exit_code: None,
                    error: None,
                    model: None,
                    tokens: None,
                    duration_ms: None,
                });
                self.begin();
            }
        }
    }

    fn begin(&mut self) {
        self.turn += 1;
        (self.tools, self.open_tools) = (0, Vec::new());
        self.frames.push(ServerFrame::TurnStart { turn: format!("t{}", self.turn).into() });
    }

    /// The text grows or, now and then, is another.
    fn write(&mut self, grow: bool) {
        let message_id = self.id();
        if self.text.is_none() {
            self.frames.push(ServerFrame::MessageStart { message_id: message_id.clone(), role: None });
        }
        let text = self.text.get_or_insert_default();
        if !grow {
            text.pop();
        }
        text.push_str(if grow { "ä " } else { "b" });
        let text = text.clone();
        self.frames.push(ServerFrame::MessageUpdate { message_id, text });
    }

    fn stop(&mut self, with_reasoning: bool) {
        let Some(text) = self.text.take() else { return };
        let reasoning =
            Some(std::mem::take(&mut self.reasoning)).filter(|text| with_reasoning && !text.is_empty());
        let (message_id, final_text) = (self.id(), Some(text));
        self.frames.push(ServerFrame::MessageStop {
            message_id,
            final_text,
            reasoning,
            model: None,
            tokens: None,
        });
        self.message += 1;
    }

    fn id(&self) -> MessageId {
        format!("m{}", self.message).into()
    }
}

proptest! {
    #[test]
    fn a_device_that_was_away_for_any_part_of_any_turn_ends_with_the_same_picture(
        steps in proptest::collection::vec((0u8..12, any::<bool>()), 1..30)
    ) {
        check(&Script::play(&steps));
    }
}
