//! A turn's steps become its records: which stream was open when, and what ended it.

use super::{CutBy, End, StreamRecord, by_code, cut_by};
use crate::protocol::frame::TurnStatus;
use crate::stall::said::said;

/// Characters of `why` that are kept.
const WHY_CHARS: usize = 300;

/// Something that happened to the streams of a turn.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A request goes out. The same number again: it is tried again.
    Begin {
        /// Its number within the turn.
        iteration: u32,
        /// The model.
        model: Option<&'a str>,
        /// The provider.
        provider: Option<&'a str>,
    },
    /// Text came: so many characters more, 0 when they are counted otherwise.
    Text(u64),
    /// Reasoning came: so many characters more.
    Reasoning(u64),
    /// Something came, of which it is not known what it belongs to.
    Alive,
    /// The stream is closed.
    End {
        /// Its request.
        iteration: u32,
        /// Characters of all its text.
        text_chars: u64,
        /// Why it broke off.
        error: Option<&'a str>,
    },
    /// What the last request used.
    Used {
        /// The model that answered.
        model: Option<&'a str>,
        /// Tokens of the prompt that were not cached.
        input: Option<u64>,
        /// Tokens that it wrote.
        output: Option<u64>,
    },
    /// A request failed, perhaps before there was any stream.
    Failed {
        /// Its number.
        iteration: u32,
        /// What is known of why.
        why: Option<&'a str>,
    },
    /// A line that Hermes said about itself.
    Said(&'a str),
    /// The user wants the turn to stop.
    Stop,
}

/// The records of one turn, while it runs.
#[derive(Debug)]
pub struct Recorder {
    turn: String,
    began_ms: u64,
    streams: Vec<Stream>,
    /// Text or reasoning came for which no request was announced.
    loose: Stream,
    /// When the user stopped the turn, or said something else.
    broken_off: Vec<(u64, CutBy)>,
    /// What Hermes said that cut a stream, in order.
    said: Vec<(CutBy, String)>,
}

/// A record in the making.
#[derive(Debug, Default)]
struct Stream {
    record: StreamRecord,
    /// When the last sign of life came.
    sign_ms: u64,
    ended_ms: Option<u64>,
    error: Option<String>,
    /// A failed request has been laid to it.
    failed: bool,
}

impl Stream {
    fn sign(&mut self, at_ms: u64) {
        self.sign_ms = at_ms;
    }

    fn since(&self, at_ms: u64) -> u64 {
        at_ms.saturating_sub(self.record.started_ms)
    }

    fn text(&mut self, at_ms: u64, chars: u64) {
        self.sign(at_ms);
        let after = self.since(at_ms);
        self.record.first_text_ms.get_or_insert(after);
        self.record.text_chars = self.record.text_chars.saturating_add(chars);
    }

    fn reasoning(&mut self, at_ms: u64, chars: u64) {
        self.sign(at_ms);
        let after = self.since(at_ms);
        self.record.first_reasoning_ms.get_or_insert(after);
        self.record.reasoning_chars = self.record.reasoning_chars.saturating_add(chars);
    }

    fn end(&mut self, at_ms: u64) {
        let (began, sign) = (self.record.started_ms, self.sign_ms);
        self.ended_ms = Some(at_ms);
        self.record.duration_ms = at_ms.saturating_sub(began);
        self.record.silent_ms = Some(at_ms.saturating_sub(sign.max(began)));
    }
}

impl Recorder {
    /// A turn that begins now, milliseconds since 1970.
    pub fn new(turn: &str, began_ms: u64) -> Self {
        let mut recorder = Self {
            turn: turn.to_owned(),
            began_ms,
            streams: Vec::new(),
            loose: Stream::default(),
            broken_off: Vec::new(),
            said: Vec::new(),
        };
        recorder.loose = recorder.stream(began_ms, 0);
        recorder
    }

    /// The turn has another name than was thought.
    pub fn rename(&mut self, turn: &str) {
        turn.clone_into(&mut self.turn);
    }

    fn stream(&self, at_ms: u64, iteration: u32) -> Stream {
        let attempt = self.streams.iter().filter(|stream| stream.record.iteration == iteration).count();
        let record = StreamRecord {
            started_ms: at_ms,
            iteration,
            attempt: u32::try_from(attempt).unwrap_or(u32::MAX).saturating_add(1),
            ..StreamRecord::default()
        };
        Stream { record, sign_ms: at_ms, ..Stream::default() }
    }

    /// Takes a step, at milliseconds since 1970.
    pub fn step(&mut self, at_ms: u64, step: Step<'_>) {
        match step {
            Step::Begin { iteration, model, provider } => {
                if let Some(open) = self.open() {
                    open.end(at_ms);
                    open.error.get_or_insert_default();
                }
                let mut stream = self.stream(at_ms, iteration);
                stream.record.model = model.map(str::to_owned);
                stream.record.provider = provider.map(str::to_owned);
                self.streams.push(stream);
            }
            Step::Text(chars) => self.current().text(at_ms, chars),
            Step::Alive => self.current().sign(at_ms),
            Step::Reasoning(chars) => self.current().reasoning(at_ms, chars),
            Step::End { iteration, text_chars, error } => self.end(at_ms, iteration, text_chars, error),
            Step::Used { model, input, output } => self.used(model, input, output),
            Step::Failed { iteration, why } => self.failed(at_ms, iteration, why),
            Step::Said(line) => self.said(at_ms, line),
            Step::Stop => self.broken_off.push((at_ms, CutBy::User)),
        }
    }

    /// The stream that is open.
    fn open(&mut self) -> Option<&mut Stream> {
        self.streams.last_mut().filter(|stream| stream.ended_ms.is_none())
    }

    /// What text belongs to: bubbles come a moment behind the stream that they show.
    fn current(&mut self) -> &mut Stream {
        self.streams.last_mut().unwrap_or(&mut self.loose)
    }

    fn end(&mut self, at_ms: u64, iteration: u32, text_chars: u64, error: Option<&str>) {
        let known = self.streams.iter_mut().rfind(|stream| stream.record.iteration == iteration);
        let Some(stream) = known.filter(|stream| stream.ended_ms.is_none()) else { return };
        stream.record.text_chars = stream.record.text_chars.max(text_chars);
        stream.end(at_ms);
        stream.error = error.map(str::to_owned);
    }

    fn used(&mut self, model: Option<&str>, input: Option<u64>, output: Option<u64>) {
        let record = &mut self.current().record;
        record.model = model.map(str::to_owned).or(record.model.take());
        record.input_tokens = input.or(record.input_tokens);
        record.output_tokens = output.or(record.output_tokens);
    }

    /// A failure is that of the stream that broke off last, or of a request that never became one.
    fn failed(&mut self, at_ms: u64, iteration: u32, why: Option<&str>) {
        let broken = self.streams.last_mut().filter(|stream| {
            !stream.failed && stream.record.iteration == iteration && stream.error.is_some()
        });
        if let Some(stream) = broken {
            stream.failed = true;
            return;
        }
        let mut stream = self.stream(at_ms, iteration);
        stream.end(at_ms);
        (stream.error, stream.failed) = (Some(why.unwrap_or_default().to_owned()), true);
        self.streams.push(stream);
    }

    fn said(&mut self, at_ms: u64, line: &str) {
        let Some(said) = said(line) else { return };
        match by_code(said.code, said.facts.watchdog.as_deref()) {
            Some(CutBy::Redirected) => self.broken_off.push((at_ms, CutBy::Redirected)),
            Some(cause) => self.said.push((cause, line.to_owned())),
            None => {}
        }
    }

    /// The turn is over: its records, in their order. `error`: the text with which it failed.
    pub fn over(mut self, at_ms: u64, status: TurnStatus, error: Option<&str>) -> Vec<StreamRecord> {
        if self.streams.is_empty() {
            let came = self.loose.record.first_text_ms.or(self.loose.record.first_reasoning_ms).is_some();
            if !came && self.said.is_empty() && !matches!(status, TurnStatus::Error | TurnStatus::Lost) {
                return Vec::new();
            }
            let loose = std::mem::take(&mut self.loose);
            self.streams.push(loose);
        }
        let mut records = Vec::new();
        for mut stream in std::mem::take(&mut self.streams) {
            let seen = stream.ended_ms.is_some();
            if !seen {
                stream.end(at_ms);
            }
            let cut = if seen { self.seen_end(&stream) } else { self.unseen_end(status, error) };
            let mut record = StreamRecord { turn: self.turn.clone(), ..stream.record };
            if let Some((cause, why)) = cut {
                (record.end, record.cut_by) = (End::Cut, Some(cause));
                let why: String = why.trim().chars().take(WHY_CHARS).collect();
                record.why = Some(why).filter(|why| !why.is_empty());
            } else {
                record.silent_ms = None;
            }
            records.push(record);
        }
        records
    }

    /// What cut a stream whose end was seen; `None`: nothing.
    fn seen_end(&self, stream: &Stream) -> Option<(CutBy, String)> {
        let began = stream.record.started_ms;
        let during = |at: u64| at >= began && stream.ended_ms.is_some_and(|ended| at <= ended);
        let by_user = self.broken_off.iter().find(|(at, _)| during(*at)).map(|(_, cause)| *cause);
        let Some(error) = &stream.error else { return by_user.map(|cause| (cause, String::new())) };
        // Hermes closed it itself: for the user, or because one of its watchdogs wanted it.
        if error.contains("superseded") {
            let cause = by_user.unwrap_or_else(|| self.watchdog());
            return Some((cause, error.clone()));
        }
        let cause = cut_by(error).or(by_user).unwrap_or(CutBy::Unknown);
        Some((cause, error.clone()))
    }

    /// The watchdog that this turn's lines name. Hermes keeps them to itself when the turn recovers; then it was the one for
    /// silence, which every stream has.
    fn watchdog(&self) -> CutBy {
        let mut named = self.said.iter().map(|(cause, _)| *cause);
        named
            .rfind(|cause| matches!(cause, CutBy::Cap | CutBy::Watchdog | CutBy::Stale))
            .unwrap_or(CutBy::Stale)
    }

    /// What cut a stream that the turn ended with.
    fn unseen_end(&self, status: TurnStatus, error: Option<&str>) -> Option<(CutBy, String)> {
        let text = error.unwrap_or_default();
        match status {
            TurnStatus::Complete => None,
            TurnStatus::Interrupted => Some((CutBy::User, String::new())),
            TurnStatus::Lost => Some((CutBy::Lost, text.to_owned())),
            TurnStatus::Error => {
                // The last line that Hermes said comes closest to the end; its own error may only say that it gave up.
                let said = self.said.iter().rfind(|(cause, _)| *cause != CutBy::Provider);
                let cause = said.map(|(cause, line)| (*cause, line.clone()));
                let from_text = cut_by(text).map(|cause| (cause, text.to_owned()));
                let given_up = self.said.last().cloned();
                Some(cause.or(from_text).or(given_up).unwrap_or((CutBy::Unknown, text.to_owned())))
            }
        }
    }

    /// When the turn began, milliseconds since 1970.
    pub fn began_ms(&self) -> u64 {
        self.began_ms
    }
}
