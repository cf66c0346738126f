//! [`Counter`]: counts a summary's figures line by line. Costs what a line costs; holds no text.

use super::{Call, Counts, DamagedLine, Ended, MAX_LISTED, Run, Summary, Tool, Total, tool_named};
use crate::ids::{MessageId, ToolIndex};
use crate::protocol::frame::{ServerFrame, TurnStatus};
use crate::run::GAP_MS;
use crate::run::decoder::{Input, Step};
use crate::run::index::Index;
use crate::stream_json::event::{Event, Outcome};

/// Counts what goes by.
#[derive(Clone, Debug, Default)]
pub(in crate::run) struct Counter {
    total: Total,
    exit_code: Option<i32>,
    runs: Vec<Run>,
    live: Option<Live>,
}

/// A run that goes on.
#[derive(Clone, Debug)]
struct Live {
    run: Run,
    /// It is a turn with an id, whose end is said.
    named: bool,
    from_ms: u64,
    last_ms: u64,
    /// The last line was text.
    wrote: bool,
    open: Vec<Open>,
    /// How long the growing text of frames is.
    shown: Option<(MessageId, usize)>,
}

/// A call that runs.
#[derive(Clone, Debug)]
struct Open {
    key: Key,
    name: String,
    from_ms: u64,
    call: Option<usize>,
}

/// What joins a call's end to its beginning.
#[derive(Clone, Debug, PartialEq)]
enum Key {
    Id(String),
    Index(ToolIndex),
    Name,
}

/// How a call ended.
struct End {
    duration_ms: Option<u64>,
    ok: Option<bool>,
}

impl Counter {
    /// Takes the next object of the file.
    pub(in crate::run) fn step(&mut self, input: &Input, step: &Step) {
        let at = step.at.recorded_ms;
        match input {
            Input::Event(timed) => self.event(&timed.event, timed.timestamp, at),
            Input::Frame(_, frame) => self.frame(frame, at),
            Input::Header(_) | Input::Nothing | Input::Stderr => {}
        }
    }

    /// The file ends; a run that goes on was cut off.
    pub(in crate::run) fn finish(&mut self, at: u64) {
        if let Some(live) = &mut self.live {
            live.pass(at, false);
        }
        self.end(Ended::CutOff);
    }

    /// What was counted so far, the run that goes on included.
    pub(in crate::run) fn summary(&self, index: &Index) -> Summary {
        let mut so_far = self.clone();
        so_far.end(Ended::CutOff);
        let listed = |damage: &crate::run::Damage| DamagedLine {
            line: damage.line,
            problem: damage.problem.to_string(),
        };
        Summary {
            format: index.format,
            lines: index.lines,
            damaged_count: index.damaged_count,
            damaged: index.damaged.iter().map(listed).collect(),
            exit_code: so_far.exit_code,
            total: so_far.total,
            runs: so_far.runs,
        }
    }

    fn event(&mut self, event: &Event, stamp: Option<u64>, at: u64) {
        match event {
            Event::Init { model, session_id } => {
                self.end(Ended::CutOff);
                let live = self.live(at, stamp);
                live.run.model.clone_from(model);
                live.run.session.clone_from(session_id);
            }
            Event::Text { text } => self.live(at, stamp).text(text.len(), !text.trim().is_empty(), at),
            Event::ToolUse { name, id, .. } => {
                let key = id.clone().map_or(Key::Name, Key::Id);
                self.live(at, stamp).tool_start(key, name, at);
            }
            Event::ToolResult { name, id, duration_ms, is_error, .. } => {
                let key = id.clone().map_or(Key::Name, Key::Id);
                let end = End { duration_ms: *duration_ms, ok: is_error.map(|failed| !failed) };
                self.live(at, stamp).tool_end(&key, name, end, at);
            }
            // A second `result` has no run to end.
            Event::Result(_) if self.live.is_none() && self.total.runs > 0 => {}
            Event::Result(outcome) => self.result(outcome, stamp, at),
            Event::Unknown { .. } => {}
        }
    }

    fn result(&mut self, outcome: &Outcome, stamp: Option<u64>, at: u64) {
        let live = self.live(at, stamp);
        live.pass(at, false);
        let run = &mut live.run;
        run.exit_code = Some(outcome.exit_code);
        run.error.clone_from(&outcome.error);
        run.reported_ms = outcome.duration_ms;
        run.final_bytes = outcome.text.len() as u64;
        run.tokens = Counts::of(outcome.tokens);
        run.session = run.session.take().or_else(|| outcome.session_id.clone());
        let ended = match outcome.exit_code {
            0 => Ended::Complete,
            130 => Ended::Interrupted,
            _ => Ended::Error,
        };
        self.end(ended);
    }

    fn frame(&mut self, frame: &ServerFrame, at: u64) {
        match frame {
            ServerFrame::TurnStart { .. } => {
                self.end(Ended::CutOff);
                self.live(at, None).named = true;
            }
            ServerFrame::MessageStart { .. } => self.live(at, None).pass(at, false),
            ServerFrame::MessageUpdate { message_id, text } => {
                self.live(at, None).grow(message_id, text.len(), !text.trim().is_empty(), at);
            }
            ServerFrame::MessageAppend { message_id, at: place, text } => {
                let length = usize::try_from(*place).unwrap_or(usize::MAX).saturating_add(text.len());
                self.live(at, None).grow(message_id, length, !text.trim().is_empty(), at);
            }
            ServerFrame::MessageStop { message_id, final_text: Some(text), .. }
            | ServerFrame::Message { message_id, text, .. } => {
                let live = self.live(at, None);
                live.grow(message_id, text.len(), !text.trim().is_empty(), at);
                live.run.final_bytes = text.len() as u64;
            }
            ServerFrame::ToolStart { index, name, .. } => {
                self.live(at, None).tool_start(Key::Index(*index), name, at);
            }
            ServerFrame::ToolEnd { index, name, ok, duration, .. } => {
                let duration_ms = duration.map(|seconds| (seconds * 1_000.0).round() as u64);
                let end = End { duration_ms, ok: *ok };
                self.live(at, None).tool_end(&Key::Index(*index), name, end, at);
            }
            ServerFrame::TurnEnd { .. } => self.turn_end(frame, at),
            // A turn that nobody gave an id ends when the agent rests.
            ServerFrame::Typing { on: false } => self.rest(at),
            _ => {}
        }
    }

    fn turn_end(&mut self, frame: &ServerFrame, at: u64) {
        let ServerFrame::TurnEnd { status, exit_code, error, model, tokens, duration_ms, .. } = frame else {
            return;
        };
        let live = self.live(at, None);
        live.pass(at, false);
        live.run.exit_code = exit_code.or(match status {
            TurnStatus::Complete => Some(0),
            TurnStatus::Error => Some(1),
            TurnStatus::Interrupted => Some(130),
            TurnStatus::Lost => None,
        });
        live.run.error.clone_from(error);
        live.run.model.clone_from(model);
        live.run.reported_ms = *duration_ms;
        live.run.tokens = tokens.and_then(Counts::of);
        self.end(match status {
            TurnStatus::Complete => Ended::Complete,
            TurnStatus::Error => Ended::Error,
            TurnStatus::Interrupted => Ended::Interrupted,
            TurnStatus::Lost => Ended::CutOff,
        });
    }

    /// Typing went off. Within a turn that has an id this is only a sign that its end is near.
    fn rest(&mut self, at: u64) {
        if let Some(live) = &mut self.live {
            live.pass(at, false);
            if !live.named {
                live.run.exit_code = Some(0);
                self.end(Ended::Complete);
            }
        }
    }

    /// The run that goes on; a recording whose beginning was lost has one all the same.
    fn live(&mut self, at: u64, stamp: Option<u64>) -> &mut Live {
        self.live.get_or_insert_with(|| Live::new(at, stamp))
    }

    fn end(&mut self, ended: Ended) {
        let Some(mut live) = self.live.take() else { return };
        for open in std::mem::take(&mut live.open) {
            tool_named(&mut live.run.tools, &open.name).unfinished += 1;
        }
        let mut run = live.run;
        run.ended = ended;
        run.duration_ms = live.last_ms - live.from_ms;
        self.exit_code = self.exit_code.max(run.exit_code.or(Some(1)));
        self.total.add(&run);
        if self.runs.len() < MAX_LISTED {
            self.runs.push(run);
        }
    }
}

impl Live {
    fn new(at: u64, began_ms: Option<u64>) -> Self {
        let run = Run {
            model: None,
            session: None,
            ended: Ended::CutOff,
            error: None,
            exit_code: None,
            began_ms,
            duration_ms: 0,
            reported_ms: None,
            first_text_ms: None,
            waiting_ms: 0,
            writing_ms: 0,
            tools_ms: 0,
            streamed_bytes: 0,
            final_bytes: 0,
            tokens: None,
            tools: Vec::new(),
            calls: Vec::new(),
        };
        Self { run, named: false, from_ms: at, last_ms: at, wrote: false, open: Vec::new(), shown: None }
    }

    /// Time passes until a line that is text, or is none.
    fn pass(&mut self, at: u64, text: bool) {
        let passed = at.saturating_sub(self.last_ms);
        let of = match (self.open.is_empty(), self.wrote && text && passed <= GAP_MS) {
            (false, _) => &mut self.run.tools_ms,
            (true, true) => &mut self.run.writing_ms,
            (true, false) => &mut self.run.waiting_ms,
        };
        *of += passed;
        self.last_ms = self.last_ms.max(at);
        self.wrote = text;
    }

    fn text(&mut self, bytes: usize, visible: bool, at: u64) {
        self.pass(at, true);
        self.run.streamed_bytes += bytes as u64;
        if visible && self.run.first_text_ms.is_none() {
            self.run.first_text_ms = Some(at - self.from_ms);
        }
    }

    /// A text of frames is this long now.
    fn grow(&mut self, id: &MessageId, length: usize, visible: bool, at: u64) {
        let before = self.shown.take().filter(|(shown, _)| shown == id).map_or(0, |(_, length)| length);
        self.shown = Some((id.clone(), length));
        self.text(length.saturating_sub(before), visible, at);
    }

    fn tool_start(&mut self, key: Key, name: &str, at: u64) {
        self.pass(at, false);
        tool_named(&mut self.run.tools, name).count += 1;
        let from_ms = at - self.from_ms;
        let call = (self.run.calls.len() < MAX_LISTED).then_some(self.run.calls.len());
        if call.is_some() {
            let name = name.to_owned();
            self.run.calls.push(Call { name, from_ms, duration_ms: None, ok: None });
        }
        self.open.push(Open { key, name: name.to_owned(), from_ms: at, call });
    }

    fn tool_end(&mut self, key: &Key, name: &str, end: End, at: u64) {
        let by_key = || self.open.iter().position(|open| *key != Key::Name && open.key == *key);
        let by_name = || self.open.iter().position(|open| open.name == name);
        let Some(place) = by_key().or_else(by_name) else { return self.tool_end_alone(key, name, end, at) };
        self.pass(at, false);
        let open = self.open.remove(place);
        self.ended(&open, &end, at);
    }

    /// The end of a call whose beginning is not in the file: it ran for as long as it says, if there was so much time.
    fn tool_end_alone(&mut self, key: &Key, name: &str, end: End, at: u64) {
        let passed = at.saturating_sub(self.last_ms);
        let ran = if self.open.is_empty() { end.duration_ms.unwrap_or(0).min(passed) } else { 0 };
        self.pass(at - ran, false);
        self.tool_start(key.clone(), name, at - ran);
        self.pass(at, false);
        if let Some(open) = self.open.pop() {
            self.ended(&open, &end, at);
        }
    }

    fn ended(&mut self, open: &Open, end: &End, at: u64) {
        let took = end.duration_ms.unwrap_or(at - open.from_ms);
        let tool: &mut Tool = tool_named(&mut self.run.tools, &open.name);
        tool.failed += u64::from(end.ok == Some(false));
        tool.total_ms = tool.total_ms.saturating_add(took);
        tool.longest_ms = tool.longest_ms.max(took);
        if let Some(call) = open.call.and_then(|call| self.run.calls.get_mut(call)) {
            (call.duration_ms, call.ok) = (Some(took), end.ok);
        }
    }
}
