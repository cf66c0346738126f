//! A piece of Hermes' `agent.log`, or a line of it: what happened, in order, by which timer, and which setting changes that.
//!
//! [`read`] takes any text. Lines that say nothing about a model call are counted and passed over;
//! what Hermes said to a user (a terminal's output, a notice) is understood as well.

mod advice;
mod follow;
mod line;
mod patterns;

pub use advice::Change;
pub(super) use advice::settings;

use super::timers::TimerId;
use line::Line;
use serde::{Deserialize, Serialize};

/// The most lines that are looked at.
pub const MAX_LINES: usize = 200_000;
/// The most events that are kept; a log with more has said what it has to say.
pub const MAX_EVENTS: usize = 2_000;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogKind {
    /// A turn began.
    TurnStarted,
    /// A turn ended with an answer.
    TurnEnded,
    /// A timer cut a call.
    Cut,
    /// The connection broke, and the stream is opened again.
    Dropped,
    /// The last attempt of a call failed.
    AttemptsSpent,
    /// Text had come already, so that the attempt is not repeated.
    PartialText,
    /// A tool call was lost with its stream.
    ToolLost,
    /// A call failed.
    CallFailed,
    /// Hermes waits and calls again.
    Retrying,
    /// Hermes waits longer and begins again.
    Recovering,
    /// The turn failed.
    TurnFailed,
    /// The breaker stopped a call before it was made.
    Breaker,
    /// A wait that a user ended counts for the breaker.
    Counted,
    /// Streaming was switched off for the session.
    StreamingOff,
    /// A timer was changed for this call.
    TimerChanged,
    /// A setting was not used.
    SettingIgnored,
    /// Time in which the computer slept was left out.
    Slept,
    /// What Hermes told a user.
    Notice,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// What goes on.
    Info,
    /// It delays the answer.
    Warning,
    /// It costs the answer.
    Error,
}

/// The numbers of an event, as the line has them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Numbers {
    /// Seconds: of silence, or until the connection broke.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The timer's value in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// Which attempt, call, cycle or streak.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u64>,
    /// Of how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// Seconds until Hermes goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait: Option<f64>,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogEvent {
    /// The line, from 1.
    pub line: usize,
    /// The time as it is written; absent where the line has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Hermes' session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// What.
    pub kind: LogKind,
    /// How bad.
    pub weight: Weight,
    /// What happened, as a sentence without its full stop.
    pub title: String,
    /// What it means; empty where the title says all.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The timer that did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timer: Option<TimerId>,
    /// Its numbers.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// How often it stands there in a row, word for word.
    pub times: u32,
}

/// What a log says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LogReading {
    /// What it comes to, in sentences; empty when nothing was understood.
    pub summary: Vec<String>,
    /// What happened, in order.
    pub events: Vec<LogEvent>,
    /// The settings that decide what cut the streams, the most effective first.
    pub changes: Vec<Change>,
    /// The lines there were.
    pub lines: usize,
    /// Those that belong to the line before them: tracebacks.
    pub continued: usize,
    /// Those that say nothing about a model call.
    pub passed_over: usize,
    /// Whether there was more than is kept.
    pub cut: bool,
}

/// Reads a log, or a piece of one.
pub fn read(text: &str) -> LogReading {
    let mut reading = LogReading::default();
    let mut in_record = false;
    for (index, raw) in text.lines().enumerate() {
        if index >= MAX_LINES || reading.events.len() >= MAX_EVENTS {
            reading.cut = true;
            break;
        }
        reading.lines = reading.lines.saturating_add(1);
        let line = Line::parse(raw);
        let begins = line.at.is_some();
        // The lines of a traceback quote code, which may name anything.
        let event =
            (begins || !in_record || !line.is_inside_traceback()).then(|| patterns::event(&line)).flatten();
        match event {
            Some(event) => push(&mut reading.events, LogEvent { line: index.saturating_add(1), ..event }),
            None if !begins && in_record && !line.text.trim().is_empty() => {
                reading.continued = reading.continued.saturating_add(1)
            }
            None => reading.passed_over = reading.passed_over.saturating_add(1),
        }
        in_record |= begins;
    }
    follow::consequences(&mut reading.events);
    reading.changes = advice::changes(&reading.events, advice::provider(text));
    reading.summary = follow::summary(&reading.events);
    reading
}

/// Adds an event, or counts it where it repeats the one before.
fn push(events: &mut Vec<LogEvent>, event: LogEvent) {
    if let Some(last) = events.last_mut() {
        // The breaker's sentence is logged by the call and again by the turn.
        let same = last.kind == event.kind && last.title == event.title && last.session == event.session;
        let again =
            same && (event.kind == LogKind::Breaker || last.numbers == event.numbers && last.at == event.at);
        if again {
            last.times = last.times.saturating_add(1);
            return;
        }
    }
    events.push(event);
}
