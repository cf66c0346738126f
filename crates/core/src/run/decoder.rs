//! [`Decoder`]: the lines of either format as frames with their times and numbers. Its whole state is small and can be
//! copied, so that decoding can begin anew at many places of a file. Knows nothing of where in the file it is.

use serde_json::{Map, Value};

use super::bound::Bound;
use super::fast;
use super::kind::{EXPORT, EXPORT_FIELD, Format};
use super::lines::Line;
use super::open::Open;
use super::time::{Moment, Time};
use crate::ids::TurnId;
use crate::jsonl::Problem;
use crate::protocol::codec::decode_server_object;
use crate::protocol::frame::{Envelope, ServerFrame, TurnStatus};
use crate::stream_json::ToFrames;
use crate::stream_json::event::{self, Event, TimedEvent};

/// What one object of a file is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Input {
    /// An event of `stream-json`.
    Event(TimedEvent),
    /// A frame, and its time in milliseconds since the recording began.
    Frame(Option<u64>, ServerFrame),
    /// The first line of an export.
    Header(Map<String, Value>),
    /// Something that means nothing to a transcript.
    Nothing,
    /// A line of standard error that Hermes always writes.
    Stderr,
}

/// What an object changes.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// When.
    pub(super) at: Moment,
    /// When the silence began that was shortened.
    pub(super) gap: Option<Moment>,
    /// What happens then; without a chat.
    pub(super) frames: Vec<Envelope>,
}

#[derive(Clone, Debug)]
pub(super) struct Decoder {
    format: Option<Format>,
    time: Time,
    events: ToFrames,
    open: Open,
    bound: Bound,
    seq: u64,
}

impl Decoder {
    /// A decoder at the beginning of a file.
    pub(super) fn new() -> Self {
        Self {
            format: None,
            time: Time::default(),
            events: ToFrames::appending("r"),
            open: Open::default(),
            bound: Bound::default(),
            seq: 0,
        }
    }

    /// The format, once a line has told.
    pub(super) fn format(&self) -> Option<Format> {
        self.format
    }

    /// The number of the last frame.
    pub(super) fn seq(&self) -> u64 {
        self.seq
    }

    /// What time it is.
    pub(super) fn now(&self) -> Moment {
        self.time.now()
    }

    /// The turn that is open.
    pub(super) fn turn(&self) -> Option<&TurnId> {
        match self.format {
            Some(Format::Frames) => self.open.turn(),
            _ => self.events.open_turn(),
        }
    }

    /// The model of the turn that is open, where the format says it at its beginning.
    pub(super) fn model(&self) -> Option<&str> {
        self.events.open_model()
    }

    /// Reads what stands in a line. Standard error's own `session_id: …` is not damaged, only no part of the run.
    pub(super) fn read(&mut self, line: &Line<'_>, mut each: impl FnMut(&mut Self, Result<Input, Problem>)) {
        if self.format == Some(Format::StreamJson)
            && let Some(input) = fast::delta(line.bytes)
        {
            return each(self, Ok(input));
        }
        line.objects(|object| {
            let input = match object {
                Ok(map) => self.input(map),
                Err(Problem::NotJson(_)) if line.text().starts_with("session_id:") => Ok(Input::Stderr),
                Err(problem) => Err(problem),
            };
            each(self, input);
        });
    }

    fn input(&mut self, map: Map<String, Value>) -> Result<Input, Problem> {
        if self.format.is_none() {
            self.format = Format::of(&map);
        }
        match self.format {
            Some(Format::StreamJson) => event::read(&map).map(Input::Event),
            Some(Format::Frames) if map.get(EXPORT_FIELD).and_then(Value::as_str) == Some(EXPORT) => {
                Ok(Input::Header(map))
            }
            Some(Format::Frames) => frame(map),
            None if map.contains_key("type") => Ok(Input::Nothing),
            None => Err(Problem::missing("?", "type")),
        }
    }

    /// Whether the chat may be cut before this.
    pub(super) fn cuts_before(&self, input: &Input) -> bool {
        match input {
            Input::Event(TimedEvent { event: Event::Init { .. }, .. }) => self.events.open_turn().is_none(),
            Input::Event(TimedEvent { event: Event::Text { text }, .. }) => {
                self.events.is_quiet() && !text.trim().is_empty()
            }
            Input::Frame(_, frame) => self.open.cuts_before(frame),
            _ => false,
        }
    }

    /// Takes what was read.
    pub(super) fn apply(&mut self, input: &Input) -> Step {
        let frames: Vec<ServerFrame> = match input {
            Input::Event(timed) => self.events.event(timed).into_iter().map(|timed| timed.frame).collect(),
            Input::Frame(_, frame) => vec![frame.clone()],
            Input::Header(_) | Input::Nothing | Input::Stderr => Vec::new(),
        };
        let (at, gap) = match input {
            Input::Event(timed) => self.time.at(timed.timestamp),
            Input::Frame(t_ms, _) => self.time.at(*t_ms),
            Input::Header(_) | Input::Nothing | Input::Stderr => (self.time.now(), None),
        };
        Step { at, gap, frames: self.number(frames) }
    }

    /// The file ends. What is open then was cut off.
    pub(super) fn finish(&mut self) -> Step {
        let mut frames: Vec<ServerFrame> = self.events.end().into_iter().map(|timed| timed.frame).collect();
        if self.open.any() {
            frames.push(ServerFrame::Typing { on: false });
            frames.extend(self.open.turn().cloned().map(lost));
        }
        Step { at: self.time.now(), gap: None, frames: self.number(frames) }
    }

    fn number(&mut self, frames: Vec<ServerFrame>) -> Vec<Envelope> {
        let frames = self.bound.take(frames);
        let mut number = |frame| {
            let numbered = !matches!(frame, ServerFrame::Typing { .. } | ServerFrame::Error { .. });
            self.seq += u64::from(numbered);
            if self.format == Some(Format::Frames) {
                self.open.apply(&frame);
            }
            Envelope { chat: None, seq: numbered.then_some(self.seq), frame }
        };
        frames.into_iter().map(&mut number).collect()
    }
}

fn lost(turn: TurnId) -> ServerFrame {
    ServerFrame::TurnEnd {
        turn,
        status: TurnStatus::Lost,
        exit_code: None,
        error: None,
        model: None,
        tokens: None,
        duration_ms: None,
    }
}

/// A line of an export. What is about a connection and not about a chat means nothing here.
fn frame(map: Map<String, Value>) -> Result<Input, Problem> {
    let t_ms = map.get("t").and_then(Value::as_u64);
    let envelope = decode_server_object(map).map_err(|error| Problem::NotAFrame(error.to_string()))?;
    if !envelope.frame.is_of_a_chat() {
        return Ok(Input::Nothing);
    }
    Ok(match envelope.frame {
        ServerFrame::UserMessage { message_id, text, ts, attachments, .. } => Input::Frame(
            t_ms,
            ServerFrame::UserMessage { message_id, client_id: None, text, ts, attachments },
        ),
        frame => Input::Frame(t_ms, frame),
    })
}
