//! [`Indexer`]: fed a file from its beginning to its end, it lets an [`Index`] grow. Its cost is that of what it is fed.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::checkpoint::{Checkpoint, SPACING};
use super::decoder::{Decoder, Input, Step};
use super::index::{Damage, Gap, Index, MAX_DAMAGE, MAX_SPANS, TextSpan, ToolSpan, Turn, Wait};
use super::kind::{self, BEGINNING};
use super::lines::{Line, Lines};
use super::open::text_of;
use super::summary::{Counter, Summary};
use super::time::Moment;
use crate::ids::{MessageId, ToolIndex};
use crate::jsonl::Problem;
use crate::protocol::frame::{Envelope, ServerFrame, TurnStatus};

/// A file that tells nothing about itself within so many bytes is no run.
const PATIENCE: u64 = 4 << 20;

/// So many names of tools are shared by their spans; a file has a few dozen.
const MAX_NAMES: usize = 1_000;

/// Reads a file into an index.
#[derive(Debug)]
pub struct Indexer {
    lines: Lines,
    work: Work,
}

/// Everything but the lines, so that those can be handed out while this changes.
#[derive(Debug)]
struct Work {
    index: Index,
    decoder: Decoder,
    beginning: Vec<u8>,
    /// Objects that were read while nobody knew the format.
    objects: u64,
    counter: Counter,
    kept: u64,
    /// The spans of the tools that run, in the order of their beginning; `None` for one without room.
    running: Vec<(ToolIndex, Arc<str>, Option<usize>, Moment)>,
    growing: Option<MessageId>,
    names: HashMap<String, Arc<str>>,
}

impl Default for Indexer {
    fn default() -> Self {
        Self::new()
    }
}

impl Indexer {
    /// An indexer of a file of which nothing was read.
    pub fn new() -> Self {
        Self::spaced(SPACING)
    }

    /// The same, with places to begin playing at that are at least so many bytes apart: the closer, the larger the index
    /// and the less there is to read when one goes to a time.
    pub fn spaced(bytes: u64) -> Self {
        let work = Work {
            index: Index::new(bytes),
            decoder: Decoder::new(),
            beginning: Vec::new(),
            objects: 0,
            counter: Counter::default(),
            kept: 0,
            running: Vec::new(),
            growing: None,
            names: HashMap::new(),
        };
        Self { lines: Lines::default(), work }
    }

    /// What is known so far.
    pub fn index(&self) -> &Index {
        &self.work.index
    }

    /// What it came to so far.
    pub fn summary(&self) -> Summary {
        self.work.counter.summary(&self.work.index)
    }

    /// Takes the next piece of the file, cut anywhere. Once the file is refused nothing more is read.
    pub fn push(&mut self, piece: &[u8]) {
        let work = &mut self.work;
        if work.index.refusal.is_some() || work.index.complete {
            return;
        }
        work.begin(piece);
        if work.index.refusal.is_some() {
            return;
        }
        self.lines.push(piece, |line| work.line(&line));
        work.index.bytes += piece.len() as u64;
        if work.index.bytes > PATIENCE {
            work.refuse();
        }
        work.settle();
    }

    /// The file ends.
    pub fn finish(&mut self) {
        let work = &mut self.work;
        if work.index.complete || work.index.refusal.is_some() {
            return;
        }
        self.lines.finish(|line| work.line(&line));
        work.index.complete = true;
        work.refuse();
        let step = work.decoder.finish();
        work.frames(&step);
        work.counter.finish(step.at.recorded_ms);
        work.settle();
    }
}

impl Work {
    /// Looks at the first bytes, which may tell that this is something else.
    fn begin(&mut self, piece: &[u8]) {
        let room = BEGINNING.saturating_sub(self.beginning.len());
        if room > 0 {
            self.beginning.extend_from_slice(piece.get(..room.min(piece.len())).unwrap_or_default());
            self.index.refusal = kind::refuse_by_magic(&self.beginning);
        }
    }

    /// A file that told nothing about itself is none of ours.
    fn refuse(&mut self) {
        if self.index.format.is_none() {
            self.index.refusal = Some(kind::refuse(&self.beginning, self.objects));
        }
    }

    fn line(&mut self, line: &Line<'_>) {
        self.index.lines = line.number;
        let mut decoder = std::mem::replace(&mut self.decoder, Decoder::new());
        let mut first = true;
        decoder.read(line, |decoder, input| {
            match input {
                Ok(input) => {
                    let point = (first && self.index.points.wants(line.range.start, decoder.seq()))
                        .then(|| decoder.cuts_before(&input).then(|| decoder.clone()))
                        .flatten();
                    let step = decoder.apply(&input);
                    if let Some(decoder) = point {
                        self.index.points.push(Checkpoint {
                            offset: line.range.start,
                            lines: line.number - 1,
                            played_ms: step.at.played_ms,
                            kept: self.kept,
                            decoder,
                        });
                    }
                    self.step(&input, &step, decoder.model());
                }
                Err(problem) => {
                    self.objects += u64::from(matches!(problem, Problem::Missing { .. }));
                    self.damage(line.number, problem);
                }
            }
            first = false;
        });
        self.decoder = decoder;
        self.index.format = self.decoder.format();
    }

    fn damage(&mut self, line: u64, problem: Problem) {
        self.index.damaged_count += 1;
        if self.index.damaged.len() < MAX_DAMAGE {
            self.index.damaged.push(Damage { line, problem });
        }
    }

    fn step(&mut self, input: &Input, step: &Step, model: Option<&str>) {
        self.objects += u64::from(*input != Input::Stderr);
        match input {
            Input::Header(header) => self.header(header),
            Input::Event(timed) if self.index.began_ms.is_none() => self.index.began_ms = timed.timestamp,
            _ => {}
        }
        if let Some(from) = step.gap {
            let wait = match self.running.first() {
                Some((_, name, ..)) => Wait::Tool(name.clone()),
                None if self.index.turns.last().is_some_and(|turn| turn.to_ms.is_none()) => Wait::Model,
                None => Wait::Nobody,
            };
            let recorded_ms = step.at.recorded_ms - from.recorded_ms;
            let gap = Gap { from_ms: from.played_ms, recorded_ms, wait };
            keep(&mut self.index.gaps, gap, &mut self.index.left_out);
        }
        self.counter.step(input, step);
        self.frames(step);
        if let Some(turn) = self.index.turns.last_mut()
            && turn.to_ms.is_none()
            && turn.model.is_none()
        {
            turn.model = model.map(str::to_owned);
        }
    }

    fn header(&mut self, header: &Map<String, Value>) {
        self.index.title = header.get("title").and_then(Value::as_str).map(str::to_owned);
        self.index.began_ms = header.get("began_ms").and_then(Value::as_u64);
    }

    fn frames(&mut self, step: &Step) {
        for Envelope { frame, .. } in &step.frames {
            self.frame(frame, step.at);
        }
    }

    fn frame(&mut self, frame: &ServerFrame, at: Moment) {
        match text_of(frame) {
            Some(id) => return self.text(id, at),
            None => self.kept += 1,
        }
        match frame {
            ServerFrame::TurnStart { .. } => {
                self.close(at, TurnStatus::Lost, None);
                let turn = Turn { from_ms: at.played_ms, to_ms: None, status: None, model: None };
                keep(&mut self.index.turns, turn, &mut self.index.left_out);
            }
            ServerFrame::TurnEnd { status, model, .. } => self.close(at, *status, model.as_deref()),
            ServerFrame::ToolStart { index, name, .. } => self.tool_start(*index, name, at),
            ServerFrame::ToolEnd { index, ok, duration, .. } => self.tool_end(*index, *ok, *duration, at),
            ServerFrame::MessageStop { .. } | ServerFrame::Message { .. } => self.growing = None,
            _ => {}
        }
    }

    fn text(&mut self, id: &MessageId, at: Moment) {
        if self.growing.as_ref() == Some(id) {
            if let Some(text) = self.index.texts.last_mut() {
                text.to_ms = at.played_ms;
            }
            return;
        }
        self.growing = Some(id.clone());
        let text = TextSpan { from_ms: at.played_ms, to_ms: at.played_ms };
        keep(&mut self.index.texts, text, &mut self.index.left_out);
    }

    fn tool_start(&mut self, index: ToolIndex, name: &str, at: Moment) {
        let shared = self.names.get(name).cloned();
        let name = shared.unwrap_or_else(|| {
            let shared: Arc<str> = name.into();
            if self.names.len() < MAX_NAMES {
                self.names.insert(name.to_owned(), shared.clone());
            }
            shared
        });
        let turn = self.index.turns.len().saturating_sub(1);
        let span = ToolSpan {
            name: name.clone(),
            turn,
            index,
            from_ms: at.played_ms,
            to_ms: None,
            ok: None,
            duration_ms: None,
        };
        let place = keep(&mut self.index.tools, span, &mut self.index.left_out);
        self.running.push((index, name, place, at));
    }

    fn tool_end(&mut self, index: ToolIndex, ok: Option<bool>, seconds: Option<f64>, at: Moment) {
        let Some(place) = self.running.iter().position(|(running, ..)| *running == index) else { return };
        let (_, _, place, begun) = self.running.remove(place);
        let Some(span) = place.and_then(|place| self.index.tools.get_mut(place)) else { return };
        span.to_ms = Some(at.played_ms);
        span.ok = ok;
        let measured = seconds.map(|seconds| (seconds * 1_000.0).round() as u64);
        span.duration_ms = measured.or(Some(at.recorded_ms - begun.recorded_ms));
    }

    /// The turn ends, and with it what it left open.
    fn close(&mut self, at: Moment, status: TurnStatus, model: Option<&str>) {
        for (.., place, _) in self.running.drain(..) {
            if let Some(span) = place.and_then(|place| self.index.tools.get_mut(place)) {
                span.to_ms = Some(at.played_ms);
            }
        }
        self.growing = None;
        let Some(turn) = self.index.turns.last_mut().filter(|turn| turn.to_ms.is_none()) else { return };
        turn.to_ms = Some(at.played_ms);
        turn.status = Some(status);
        turn.model = model.map(str::to_owned).or_else(|| turn.model.take());
    }

    /// Brings what is read of the index up to date.
    fn settle(&mut self) {
        let now = self.decoder.now();
        self.index.end_ms = now.played_ms;
        self.index.recorded_ms = now.recorded_ms;
    }
}

/// Keeps it while there is room; its place.
fn keep<T>(list: &mut Vec<T>, item: T, left_out: &mut u64) -> Option<usize> {
    if list.len() >= MAX_SPANS {
        *left_out += 1;
        return None;
    }
    list.push(item);
    Some(list.len() - 1)
}
