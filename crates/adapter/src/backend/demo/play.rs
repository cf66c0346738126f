//! One turn being played: what comes next and when, what it means, and how a stop or an answer changes it.
//! Time is passed in (milliseconds of the turn); the clock is the player's.

use std::iter::Peekable;

use iris_core::{
    ids::AskId,
    protocol::frame::{AskKind, Choice, ServerFrame, Tokens},
    stall::record::StreamRecord,
    stream_json::{Event, TimedEvent, ToFrames, event::Outcome},
};

use super::{
    answers::Answer,
    recordings::{self, Step, What},
};
use crate::backend::{
    cli,
    gateway::{Call, Hook, Machine, Streams},
};

/// The recording whose end shows how Hermes stops.
const STOP: &str = "gateway-calls/with-hooks/stop.jsonl";

type Steps = Box<dyn Iterator<Item = Step> + Send>;

/// A turn being played.
pub(super) struct Play {
    prefix: String,
    /// When it began, milliseconds since 1970.
    began_ms: u64,
    /// How its streams went, not told yet.
    records: Vec<StreamRecord>,
    reader: Reader,
    steps: Peekable<Steps>,
    /// Added to the time of every step that is still to come.
    shift: i64,
    begun: bool,
    stopping: bool,
    running: bool,
    asking: Option<Asking>,
}

/// What makes frames of the steps, and what makes records of its streams: the same machines that serve the real Hermes.
enum Reader {
    Gateway(Box<Machine>, Streams),
    StreamJson(Box<ToFrames>, cli::Streams),
}

/// A question that waits.
struct Asking {
    ask_id: AskId,
    kind: AskKind,
    choices: Vec<Choice>,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A step, at this time of the turn.
    At(u64),
    /// The user's answer.
    Answer,
    /// Nothing: it is over.
    End,
}

impl Play {
    /// A turn that begins at `began_ms`, milliseconds since 1970, and whose ids begin with `prefix`.
    pub(super) fn new(
        prefix: String,
        began_ms: u64,
        steps: impl Iterator<Item = Step> + Send + 'static,
    ) -> Self {
        let mut steps = (Box::new(steps) as Steps).peekable();
        let reader = match steps.peek() {
            Some(Step { what: What::Event(_), .. }) => {
                Reader::StreamJson(Box::new(ToFrames::new(prefix.as_str())), cli::Streams::new(began_ms))
            }
            _ => Reader::Gateway(Box::new(Machine::new(prefix.as_str())), Streams::default()),
        };
        Self {
            prefix,
            began_ms,
            records: Vec::new(),
            reader,
            steps,
            shift: 0,
            begun: false,
            stopping: false,
            running: false,
            asking: None,
        }
    }

    /// What comes next.
    pub(super) fn next(&mut self) -> Next {
        if self.waits() {
            return Next::Answer;
        }
        match self.steps.peek() {
            Some(step) => Next::At(shifted(step.t_ms, self.shift)),
            None => Next::End,
        }
    }

    /// The recorded user would answer now.
    fn waits(&mut self) -> bool {
        let answers = self.asking.is_some() && self.begun && !self.stopping;
        answers && matches!(self.steps.peek().and_then(Step::as_call), Some(Call::Inbound(_)))
    }

    /// Plays the next step.
    pub(super) fn step(&mut self) -> Vec<ServerFrame> {
        let Some(step) = self.steps.next() else { return Vec::new() };
        let t_ms = shifted(step.t_ms, self.shift);
        let mut out = Vec::new();
        match (&mut self.reader, &step.what) {
            (Reader::Gateway(machine, streams), What::Call(call)) => {
                // What this user said stands in the transcript already; what the recorded one says later does not.
                if let Call::Inbound(inbound) = call
                    && self.begun
                    && !self.stopping
                {
                    out.push(ServerFrame::UserMessage {
                        message_id: format!("{}-{}", self.prefix, inbound.message_id).into(),
                        client_id: None,
                        text: without_marker(&inbound.text).to_owned(),
                        ts: None,
                        attachments: Vec::new(),
                    });
                }
                self.begun |= matches!(call, Call::Inbound(_));
                let frames = machine.call(t_ms, call);
                let at_ms = self.began_ms.saturating_add(t_ms);
                self.records.extend(streams.hear(at_ms, call, &frames));
                out.extend(frames.into_iter().filter(|frame| !is_users(frame)));
            }
            (Reader::StreamJson(frames, streams), What::Event(event)) => {
                let at_ms = self.began_ms.saturating_add(t_ms);
                streams.hear(at_ms, &event.event);
                out.extend(frames.event(event).into_iter().map(|timed| timed.frame));
                self.records.extend(out.iter().flat_map(|frame| streams.over(at_ms, frame)));
            }
            _ => {}
        }
        self.watch(&out);
        out
    }

    /// Takes an answer to the open question. `None`: there is no question, or this is no answer to it.
    pub(super) fn answer(
        &mut self,
        ask_id: Option<&AskId>,
        choice: Option<&str>,
        text: Option<&str>,
        now_ms: u64,
    ) -> Option<Vec<ServerFrame>> {
        let asking = self.asking.as_ref().filter(|asking| ask_id.is_none_or(|id| *id == asking.ask_id))?;
        if self.stopping {
            return None;
        }
        let answer = Answer::read(asking.kind, &asking.choices, choice, text)?;
        let mut out = Vec::new();
        // The user may be quicker than the recorded one: what comes before the answer comes at once.
        while !matches!(self.next(), Next::Answer | Next::End) {
            out.extend(self.step());
        }
        if let Some(Step { what: What::Call(Call::Inbound(inbound)), t_ms }) = self.steps.next_if(|_| true) {
            let recorded = t_ms;
            self.shift = signed(now_ms) - signed(recorded);
            let inbound = crate::backend::gateway::Inbound { text: answer.typed(), ..inbound };
            out.extend(self.feed(now_ms, &Call::Inbound(inbound)));
        }
        let rest = std::mem::replace(&mut self.steps, nothing());
        self.steps = (Box::new(rest.map(move |step| answer.apply(step))) as Steps).peekable();
        Some(out)
    }

    /// Stops the turn as Hermes stops one.
    pub(super) fn stop(&mut self, now_ms: u64) {
        if std::mem::replace(&mut self.stopping, true) {
            return;
        }
        let steps: Vec<_> = match self.reader {
            Reader::Gateway(..) => gateway_stop(now_ms),
            Reader::StreamJson(..) => vec![stream_json_stop(now_ms)],
        };
        self.shift = 0;
        self.steps = (Box::new(steps.into_iter()) as Steps).peekable();
    }

    /// Closes what the recording left open.
    pub(super) fn finish(&mut self, now_ms: u64) -> Vec<ServerFrame> {
        if !self.running {
            return Vec::new();
        }
        let at_ms = self.began_ms.saturating_add(now_ms);
        let out = match &mut self.reader {
            Reader::Gateway(machine, streams) => {
                let out = machine.lost(now_ms);
                self.records.extend(streams.frames(at_ms, &out));
                out
            }
            Reader::StreamJson(frames, streams) => {
                let out: Vec<_> = frames.end().into_iter().map(|timed| timed.frame).collect();
                self.records.extend(out.iter().flat_map(|frame| streams.over(at_ms, frame)));
                out
            }
        };
        self.watch(&out);
        out
    }

    /// How streams went that are over.
    pub(super) fn take_records(&mut self) -> Vec<StreamRecord> {
        std::mem::take(&mut self.records)
    }

    fn feed(&mut self, t_ms: u64, call: &Call) -> Vec<ServerFrame> {
        let Reader::Gateway(machine, streams) = &mut self.reader else { return Vec::new() };
        let frames = machine.call(t_ms, call);
        self.records.extend(streams.hear(self.began_ms.saturating_add(t_ms), call, &frames));
        let out: Vec<_> = frames.into_iter().filter(|frame| !is_users(frame)).collect();
        self.watch(&out);
        out
    }

    /// Remembers what the frames opened and closed.
    fn watch(&mut self, frames: &[ServerFrame]) {
        for frame in frames {
            match frame {
                ServerFrame::TurnStart { .. } => self.running = true,
                ServerFrame::TurnEnd { .. } => (self.running, self.asking) = (false, None),
                ServerFrame::Ask { ask_id, kind, choices, .. } => {
                    self.asking =
                        Some(Asking { ask_id: ask_id.clone(), kind: *kind, choices: choices.clone() });
                }
                ServerFrame::AskClosed { .. } => self.asking = None,
                _ => {}
            }
        }
    }
}

/// What Hermes does on `/stop`, as recorded, beginning now. The recorded stream's text belongs to another answer.
fn gateway_stop(now_ms: u64) -> Vec<Step> {
    let is_stop =
        |step: &Step| matches!(step.as_call(), Some(Call::Inbound(inbound)) if inbound.text == "/stop");
    let rest: Vec<_> = recordings::steps(STOP).into_iter().skip_while(|step| !is_stop(step)).collect();
    let first = rest.first().map_or(0, |step| step.t_ms);
    let belongs = |step: &Step| !matches!(step.as_call(), Some(Call::Hook(Hook::StreamEnd { .. })));
    rest.into_iter()
        .filter(belongs)
        .map(|mut step| {
            step.t_ms = now_ms + step.t_ms.saturating_sub(first);
            if let What::Call(Call::Send(send)) = &mut step.what {
                send.returns = send.returns.take().map(|id| format!("stop-{id}"));
            }
            step
        })
        .collect()
}

/// What `hermes chat` writes on Ctrl-C: its last line, with nothing counted.
fn stream_json_stop(now_ms: u64) -> Step {
    let outcome = Outcome {
        exit_code: 130,
        tokens: Tokens { input: Some(0), output: Some(0), total: Some(0), ..Tokens::default() },
        error: Some("Interrupted".to_owned()),
        ..Outcome::default()
    };
    let event = TimedEvent { timestamp: None, event: Event::Result(outcome) };
    Step { t_ms: now_ms, what: What::Event(event) }
}

fn nothing() -> Peekable<Steps> {
    (Box::new(std::iter::empty()) as Steps).peekable()
}

fn is_users(frame: &ServerFrame) -> bool {
    matches!(frame, ServerFrame::UserMessage { .. })
}

/// The recorded texts begin with a word that told the laboratory's model what to say (`@@slow count`).
fn without_marker(text: &str) -> &str {
    match text.strip_prefix("@@") {
        Some(marked) => marked.split_once(' ').map_or("", |(_, rest)| rest),
        None => text,
    }
}

fn shifted(t_ms: u64, shift: i64) -> u64 {
    t_ms.saturating_add_signed(shift)
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}
