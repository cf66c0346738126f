//! [`ToFrames`]: the events of `stream-json` become the frames of the protocol. Owns the segments of text, the tools that
//! are open and how the turn ends; knows nothing of files, processes or the pace at which the frames are shown.
//!
//! What the format makes us do:
//! * Text before a tool call is a segment of its own, and the first delta after the tool begins with blank lines.
//! * Hermes 0.22.2 writes no `tool_call_id`: a result belongs to the oldest open call of that name.
//! * When a stream breaks and is taken up again, the model's text comes again from its start. Deltas that repeat the
//!   segment are held back until they say something new; the final text is `result.text`, which has it once.
//! * `result.text` is the last answer only; on a failure it may be the part that came or the text of the error.
//! * After an interrupt `result.text` is empty and every count is 0: what was shown stays, the counts are unknown.

use serde_json::Map;

use super::event::{Event, Outcome, TimedEvent};
use super::tool_text::{args_preview, output_preview};
use crate::ids::{MessageId, ToolIndex, TurnId};
use crate::protocol::frame::{ServerFrame, Tokens, TurnStatus};

/// How many deltas a repetition must share with the segment's beginning before it counts as one.
const REPEAT_MIN: usize = 3;

/// How long a repetition must be before it is left out of a text that nothing else confirms.
const REPEAT_BYTES: usize = 16;

/// A frame and when it is due.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedFrame {
    /// Milliseconds since the first event.
    pub t_ms: u64,
    /// The frame.
    pub frame: ServerFrame,
}

/// Turns events into frames, one turn after the other.
#[derive(Debug)]
pub struct ToFrames {
    prefix: String,
    messages: u32,
    turns: u32,
    first_ms: Option<u64>,
    now_ms: u64,
    turn: Option<Turn>,
}

impl ToFrames {
    /// A converter whose ids all begin with `prefix`, which must differ for any two sources of a chat.
    pub fn new(prefix: impl Into<String>) -> Self {
        Self { prefix: prefix.into(), messages: 0, turns: 0, first_ms: None, now_ms: 0, turn: None }
    }

    /// Takes the next event.
    pub fn event(&mut self, event: &TimedEvent) -> Vec<TimedFrame> {
        if let Some(timestamp) = event.timestamp {
            let first = *self.first_ms.get_or_insert(timestamp);
            // A clock that was set back must not send the replay back.
            self.now_ms = self.now_ms.max(timestamp.saturating_sub(first));
        }
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
        frames.into_iter().map(|frame| TimedFrame { t_ms: self.now_ms, frame }).collect()
    }

    fn apply(&mut self, event: &Event, out: &mut Vec<ServerFrame>) {
        match event {
            Event::Init { model, .. } => match self.turn.as_mut().filter(|turn| turn.began_early) {
                Some(turn) => turn.model = model.clone().or_else(|| turn.model.take()),
                None => self.start(model.clone(), out),
            },
            Event::Text { text } => {
                let id = self.next_message();
                if self.turn(out).text(text, id, out) {
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

#[derive(Debug)]
struct Turn {
    id: TurnId,
    model: Option<String>,
    /// It was opened by [`ToFrames::begin`].
    began_early: bool,
    segment: Option<Segment>,
    last_text: String,
    tools: u32,
    open: Vec<Open>,
}

/// A tool that runs.
#[derive(Debug)]
struct Open {
    index: ToolIndex,
    id: Option<String>,
    name: String,
}

impl Turn {
    fn new(id: TurnId, model: Option<String>) -> Self {
        let (last_text, open) = (String::new(), Vec::new());
        Self { id, model, began_early: false, segment: None, last_text, tools: 0, open }
    }

    /// Whether the id was used.
    fn text(&mut self, delta: &str, id: MessageId, out: &mut Vec<ServerFrame>) -> bool {
        if let Some(segment) = &mut self.segment {
            segment.push(delta);
            segment.update(out);
            return false;
        }
        // Blank lines alone open no bubble: they only lead a segment in.
        if delta.trim().is_empty() {
            return false;
        }
        let mut segment = Segment::new(id.clone());
        segment.push(delta);
        out.push(ServerFrame::MessageStart { message_id: id, role: Some("assistant".to_owned()) });
        segment.update(out);
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
            self.last_text = segment.everything();
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
                let told_already = self.last_text.trim() == outcome.text.trim();
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

/// A run of text between tools: one live message.
#[derive(Debug)]
struct Segment {
    id: MessageId,
    deltas: Vec<String>,
    /// What is on the screen.
    shown: String,
    /// How many of the newest deltas repeat the oldest.
    repeated: usize,
}

impl Segment {
    fn new(id: MessageId) -> Self {
        Self { id, deltas: Vec::new(), shown: String::new(), repeated: 0 }
    }

    fn push(&mut self, delta: &str) {
        let own = self.deltas.len() - self.repeated;
        let repeats =
            own >= REPEAT_MIN && self.deltas.get(self.repeated % own).map(String::as_str) == Some(delta);
        self.deltas.push(delta.to_owned());
        self.repeated = if repeats { self.repeated + 1 } else { 0 };
    }

    /// Everything that came, with no repetition taken out.
    fn everything(&self) -> String {
        self.deltas.concat().trim_start_matches('\n').to_owned()
    }

    /// What came, without a repetition that is still under way.
    fn once(&self) -> String {
        let own = self.deltas.len() - self.repeated;
        self.deltas
            .iter()
            .take(own)
            .map(String::as_str)
            .collect::<String>()
            .trim_start_matches('\n')
            .to_owned()
    }

    fn update(&mut self, out: &mut Vec<ServerFrame>) {
        // Blank space at the end waits for what it separates: Hermes takes it off the final text, and a text that becomes
        // shorter would have to be drawn anew.
        let text = self.once().trim_end().to_owned();
        if text != self.shown {
            self.shown.clone_from(&text);
            out.push(ServerFrame::MessageUpdate { message_id: self.id.clone(), text });
        }
    }

    /// The text that stays, given what `result` says.
    fn settled(&self, result: &str, status: TurnStatus) -> String {
        // Only so much repeated text is surely a repetition; less may be the model's own.
        let repeated: usize = self.deltas.iter().rev().take(self.repeated).map(String::len).sum();
        let is_repetition = self.repeated >= REPEAT_MIN && repeated >= REPEAT_BYTES;
        let shown = if is_repetition { self.once() } else { self.everything() };
        match status {
            TurnStatus::Complete if !result.trim().is_empty() => result.to_owned(),
            // The part that came, in the model's own words once.
            TurnStatus::Error if !result.is_empty() && self.everything().starts_with(result.trim()) => {
                result.to_owned()
            }
            TurnStatus::Interrupted | TurnStatus::Error => shown,
            _ => self.everything(),
        }
    }

    fn stop(self, text: Option<String>, model: Option<String>, tokens: Option<Tokens>) -> ServerFrame {
        let text = text.unwrap_or_else(|| self.everything());
        ServerFrame::MessageStop {
            message_id: self.id,
            final_text: Some(text),
            reasoning: None,
            model,
            tokens,
        }
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
