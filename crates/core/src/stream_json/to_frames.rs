//! [`ToFrames`]: the events of `stream-json` become the frames of the protocol. Owns the tools that are open and how the
//! turn ends (`segment.rs` the texts); knows nothing of files, processes or the pace at which the frames are shown.
//!
//! What the format makes us do:
//! * Text before a tool call is a segment of its own, and the first delta after the tool begins with blank lines.
//! * Hermes 0.22.2 writes no `tool_call_id`: a result belongs to the oldest open call of that name.
//! * When a stream breaks and is taken up again, the model's text comes again from its start. Deltas that repeat the
//!   segment are held back until they say something new; the final text is `result.text`, which has it once.
//! * `result.text` is the last answer only; on a failure it may be the part that came or the text of the error.
//! * After an interrupt `result.text` is empty and every count is 0: what was shown stays, the counts are unknown.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Map;

use super::clock::Clock;
use super::event::{Event, Outcome, TimedEvent};
use super::segment::Segment;
use super::tool_text::{args_preview, output_preview};
use crate::ids::{MessageId, ToolIndex, TurnId};
use crate::protocol::frame::{ServerFrame, Tokens, TurnStatus};
use crate::run::bound::MAX_TEXT_BYTES;

/// A frame and when it is due.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedFrame {
    /// Milliseconds since the first event.
    pub t_ms: u64,
    /// The frame.
    pub frame: ServerFrame,
}

/// How a text that grows is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// The full text so far, every time (`message.update`).
    Snapshots,
    /// What it grew by (`message.append`): the cost of a frame is that of its delta.
    Appends,
}

/// Turns events into frames, one turn after the other.
#[derive(Clone, Debug)]
pub struct ToFrames {
    prefix: String,
    growth: Growth,
    messages: u32,
    turns: u32,
    clock: Clock,
    turn: Option<Turn>,
}

impl ToFrames {
    /// A converter whose ids all begin with `prefix`, which must differ for any two sources of a chat.
    pub fn new(prefix: impl Into<String>) -> Self {
        let (prefix, growth, clock) = (prefix.into(), Growth::Snapshots, Clock::default());
        Self { prefix, growth, messages: 0, turns: 0, clock, turn: None }
    }

    /// The same for a recording: texts are told by what they grow by, and of one that is longer than a recording plays
    /// not much more than that is held.
    pub fn appending(prefix: impl Into<String>) -> Self {
        Self { growth: Growth::Appends, ..Self::new(prefix) }
    }

    /// The turn that is open.
    pub fn open_turn(&self) -> Option<&TurnId> {
        self.turn.as_ref().map(|turn| &turn.id)
    }

    /// The model of the turn that is open.
    pub fn open_model(&self) -> Option<&str> {
        self.turn.as_ref()?.model.as_deref()
    }

    /// Nothing is open but the turn itself: no text grows and no tool runs.
    pub fn is_quiet(&self) -> bool {
        self.turn.as_ref().is_none_or(|turn| turn.segment.is_none() && turn.open.is_empty())
    }

    /// Takes the next event.
    pub fn event(&mut self, event: &TimedEvent) -> Vec<TimedFrame> {
        self.clock.at(event.timestamp);
        let mut out = Vec::new();
        self.apply(&event.event, &mut out);
        self.timed(out)
    }

    /// Opens a turn before its process has said anything: it takes a second or two to start. An `init` then only names the
    /// model; the turn is over with its `result`, or with [`Self::end`].
    pub fn begin(&mut self) -> Vec<TimedFrame> {
        let mut out = Vec::new();
        self.start(None, &mut out);
        if let Some(turn) = &mut self.turn {
            turn.began_early = true;
        }
        self.timed(out)
    }

    /// The input ends. A turn without its `result` is lost: the process was killed.
    pub fn end(&mut self) -> Vec<TimedFrame> {
        let mut out = Vec::new();
        if let Some(turn) = self.turn.take() {
            turn.end(TurnStatus::Lost, None, &mut out);
        }
        self.timed(out)
    }

    fn timed(&self, frames: Vec<ServerFrame>) -> Vec<TimedFrame> {
        let t_ms = self.clock.now_ms();
        frames.into_iter().map(|frame| TimedFrame { t_ms, frame }).collect()
    }

    fn apply(&mut self, event: &Event, out: &mut Vec<ServerFrame>) {
        match event {
            Event::Init { model, .. } => match self.turn.as_mut().filter(|turn| turn.began_early) {
                Some(turn) => turn.model = model.clone().or_else(|| turn.model.take()),
                None => self.start(model.clone(), out),
            },
            Event::Text { text } => {
                let id = self.next_message();
                let growth = self.growth;
                if self.turn(out).text(text, id, growth, out) {
                    self.messages += 1;
                }
            }
            Event::ToolUse { name, id, input } => {
                self.turn(out).tool_use(name, id.as_deref(), input, out);
            }
            Event::ToolResult { name, id, output, duration_ms, is_error } => {
                let turn = self.turn(out);
                let open = turn.take_open(name, id.as_deref(), out);
                out.push(ServerFrame::ToolEnd {
                    index: open.index,
                    name: open.name,
                    ok: is_error.map(|failed| !failed),
                    duration: duration_ms.map(|ms| ms as f64 / 1000.0),
                    output_preview: output_preview(output),
                });
            }
            Event::Result(outcome) => self.result(outcome, out),
            Event::Unknown { .. } => {}
        }
    }

    /// A new `init` while a turn is open: two outputs in one file, the first without its end.
    fn start(&mut self, model: Option<String>, out: &mut Vec<ServerFrame>) {
        if let Some(turn) = self.turn.take() {
            turn.end(TurnStatus::Lost, None, out);
        }
        self.turns += 1;
        let id = TurnId(format!("{}-t{}", self.prefix, self.turns));
        out.push(ServerFrame::TurnStart { turn: id.clone() });
        out.push(ServerFrame::Typing { on: true });
        self.turn = Some(Turn::new(id, model));
    }

    /// The open turn; an output without `init` (its beginning was lost) has one all the same.
    fn turn(&mut self, out: &mut Vec<ServerFrame>) -> &mut Turn {
        if self.turn.is_none() {
            self.start(None, out);
        }
        self.turn.get_or_insert_with(|| Turn::new(TurnId(String::new()), None))
    }

    fn next_message(&self) -> MessageId {
        MessageId(format!("{}-m{}", self.prefix, self.messages + 1))
    }

    fn result(&mut self, outcome: &Outcome, out: &mut Vec<ServerFrame>) {
        // A second `result` has no turn to end.
        if self.turn.is_none() && self.turns > 0 {
            return;
        }
        let id = self.next_message();
        self.turn(out);
        if let Some(turn) = self.turn.take() {
            self.messages += 1;
            turn.result(outcome, id, out);
        }
    }
}

#[derive(Clone, Debug)]
struct Turn {
    id: TurnId,
    model: Option<String>,
    /// It was opened by [`ToFrames::begin`].
    began_early: bool,
    segment: Option<Segment>,
    /// The last text that was told whole.
    last_text: Option<Print>,
    tools: u32,
    open: Vec<Open>,
}

/// A tool that runs.
#[derive(Clone, Debug)]
struct Open {
    index: ToolIndex,
    id: Option<String>,
    name: String,
}

impl Turn {
    fn new(id: TurnId, model: Option<String>) -> Self {
        Self { id, model, began_early: false, segment: None, last_text: None, tools: 0, open: Vec::new() }
    }

    /// Whether the id was used.
    fn text(&mut self, delta: &str, id: MessageId, growth: Growth, out: &mut Vec<ServerFrame>) -> bool {
        if let Some(segment) = &mut self.segment {
            if growth == Growth::Appends && segment.everything().len() > MAX_TEXT_BYTES {
                return false;
            }
            segment.push(delta);
            segment.update(growth, out);
            return false;
        }
        // Blank lines alone open no bubble: they only lead a segment in.
        if delta.trim().is_empty() {
            return false;
        }
        let mut segment = Segment::new(id.clone());
        segment.push(delta);
        out.push(ServerFrame::MessageStart { message_id: id, role: Some("assistant".to_owned()) });
        segment.update(growth, out);
        self.segment = Some(segment);
        true
    }

    fn tool_use(
        &mut self,
        name: &str,
        id: Option<&str>,
        input: &Map<String, serde_json::Value>,
        out: &mut Vec<ServerFrame>,
    ) {
        self.close_segment(out);
        let index = self.next_tool();
        out.push(ServerFrame::ToolStart {
            index,
            name: name.to_owned(),
            preview: args_preview(input),
            args: input.clone(),
        });
        self.open.push(Open { index, id: id.map(str::to_owned), name: name.to_owned() });
    }

    fn next_tool(&mut self) -> ToolIndex {
        self.tools += 1;
        ToolIndex(self.tools)
    }

    /// The call that a result belongs to; a result without a call gets one, so that it is seen.
    fn take_open(&mut self, name: &str, id: Option<&str>, out: &mut Vec<ServerFrame>) -> Open {
        let by_id = id.and_then(|id| self.open.iter().position(|open| open.id.as_deref() == Some(id)));
        let found = by_id.or_else(|| self.open.iter().position(|open| open.name == name));
        if let Some(at) = found {
            return self.open.remove(at);
        }
        self.tool_use(name, id, &Map::new(), out);
        self.open.pop().unwrap_or_else(|| Open {
            index: ToolIndex(self.tools),
            id: None,
            name: name.to_owned(),
        })
    }

    fn close_segment(&mut self, out: &mut Vec<ServerFrame>) {
        if let Some(segment) = self.segment.take() {
            self.last_text = Some(Print::of(segment.everything()));
            out.push(segment.stop(None, None, None));
        }
    }

    fn result(mut self, outcome: &Outcome, id: MessageId, out: &mut Vec<ServerFrame>) {
        let status = status(outcome.exit_code);
        let tokens = known(outcome.tokens);
        let mut error = (status == TurnStatus::Error).then(|| outcome.error.clone()).flatten();
        match self.segment.take() {
            Some(segment) => {
                let text = segment.settled(&outcome.text, status);
                if status == TurnStatus::Error && !outcome.text.is_empty() && text != outcome.text {
                    error = Some(outcome.text.clone());
                }
                out.push(segment.stop(Some(text), self.model.clone(), tokens));
            }
            None if status == TurnStatus::Complete => {
                let told_already = self.last_text == Some(Print::of(&outcome.text));
                if !told_already && !outcome.text.trim().is_empty() {
                    out.push(ServerFrame::Message {
                        message_id: id,
                        text: outcome.text.clone(),
                        reasoning: None,
                        model: self.model.clone(),
                        tokens,
                    });
                }
            }
            // No text came: what `result` says is the error's, written for people.
            None if status == TurnStatus::Error && !outcome.text.is_empty() => {
                error = Some(outcome.text.clone());
            }
            None => {}
        }
        self.end(status, Some((outcome, tokens, error)), out);
    }

    fn end(
        mut self,
        status: TurnStatus,
        result: Option<(&Outcome, Option<Tokens>, Option<String>)>,
        out: &mut Vec<ServerFrame>,
    ) {
        self.close_segment(out);
        for open in self.open {
            out.push(ServerFrame::ToolEnd {
                index: open.index,
                name: open.name,
                ok: None,
                duration: None,
                output_preview: None,
            });
        }
        out.push(ServerFrame::Typing { on: false });
        let (outcome, tokens, error) = match result {
            Some((outcome, tokens, error)) => (Some(outcome), tokens, error),
            None => (None, None, None),
        };
        out.push(ServerFrame::TurnEnd {
            turn: self.id,
            status,
            exit_code: outcome.map(|outcome| outcome.exit_code),
            error,
            model: self.model,
            tokens,
            duration_ms: outcome.and_then(|outcome| outcome.duration_ms),
        });
    }
}

/// A text's fingerprint: enough to know it again, and a state of this machine stays small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Print(usize, u64);

impl Print {
    fn of(text: &str) -> Self {
        let (text, mut hasher) = (text.trim(), DefaultHasher::new());
        text.hash(&mut hasher);
        Self(text.len(), hasher.finish())
    }
}

fn status(exit_code: i32) -> TurnStatus {
    match exit_code {
        0 => TurnStatus::Complete,
        130 => TurnStatus::Interrupted,
        _ => TurnStatus::Error,
    }
}

/// A failed turn reports zeros: that is no knowledge.
fn known(tokens: Tokens) -> Option<Tokens> {
    let counts = [tokens.input, tokens.output, tokens.total, tokens.cache_read, tokens.cache_write];
    counts.iter().flatten().any(|count| *count > 0).then_some(tokens)
}
