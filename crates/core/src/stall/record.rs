//! One line for every streamed reply: when, by which model, how long, what came first after how long, and whether it was
//! finished or cut, and by what. Pure: a turn's steps go in with their times, its records come out at its end, because
//! Hermes says only then what it did about a stream.
//!
//! "Finished" is Hermes' word for a stream that it closed itself, also when the user stopped it; here a stream that the
//! user stopped is cut by the user.

mod advice;
mod list;
mod recorder;

use serde::{Deserialize, Serialize};

pub use list::{Ends, Filter, Records, Summary};
pub use recorder::{Recorder, Step};

use super::said::said;

/// One streamed reply: one request to a model, as far as it was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamRecord {
    /// When the request began, milliseconds since 1970.
    pub started_ms: u64,
    /// The chat; whoever keeps the record fills it in.
    pub chat: String,
    /// The chat's title; whoever reads the record fills it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat_title: Option<String>,
    /// The turn.
    pub turn: String,
    /// Which request of the turn, from 1; 0 when nobody counted, and the record is about the whole turn.
    pub iteration: u32,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its provider, as Hermes calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// How long it took, milliseconds.
    pub duration_ms: u64,
    /// When the first text came, milliseconds after its beginning; absent: none came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_text_ms: Option<u64>,
    /// The same of reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_reasoning_ms: Option<u64>,
    /// How long nothing had come from the model when it ended, milliseconds; absent when that cannot be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silent_ms: Option<u64>,
    /// Characters of text.
    pub text_chars: u64,
    /// Characters of reasoning.
    pub reasoning_chars: u64,
    /// Tokens of the prompt that were not cached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens that the model wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Which connection for this request, from 1.
    pub attempt: u32,
    /// Whether it came to its end.
    pub end: End,
    /// What cut it; absent when it was finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_by: Option<CutBy>,
    /// Hermes' or the provider's words for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl StreamRecord {
    /// What cut it; `None`: it was finished.
    pub fn cause(&self) -> Option<CutBy> {
        match self.end {
            End::Finished => None,
            End::Cut => Some(self.cut_by.unwrap_or(CutBy::Unknown)),
        }
    }
}

/// Whether a reply came to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// It did.
    #[default]
    Finished,
    /// It did not.
    Cut,
}

/// What cuts a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutBy {
    /// The watchdog for silent streams.
    Stale,
    /// A watchdog of Responses streams: no first event, no progress, no events any more.
    Watchdog,
    /// `agent.stream_max_lifetime`.
    Cap,
    /// The circuit breaker, which lets no request out any more.
    Breaker,
    /// The socket waited too long for bytes.
    Timeout,
    /// The connection ended in the middle.
    Dropped,
    /// No connection came to be.
    Unreachable,
    /// The provider answered with an error.
    Provider,
    /// Its answers broke off, also when it was asked to go on.
    Truncated,
    /// What came was no stream that can be read: empty frames, no frames, broken ones.
    Malformed,
    /// The user stopped the turn.
    User,
    /// The user said something else meanwhile.
    Redirected,
    /// Hermes gave the turn up for want of activity.
    Inactive,
    /// The adapter lost sight of it: Hermes or its gateway went away.
    Lost,
    /// It failed, and nobody said of what.
    Unknown,
}

impl CutBy {
    /// Every cause.
    pub const ALL: [Self; 15] = [
        Self::Stale,
        Self::Watchdog,
        Self::Cap,
        Self::Breaker,
        Self::Timeout,
        Self::Dropped,
        Self::Unreachable,
        Self::Provider,
        Self::Truncated,
        Self::Malformed,
        Self::User,
        Self::Redirected,
        Self::Inactive,
        Self::Lost,
        Self::Unknown,
    ];

    /// In words, after "cut by".
    pub fn words(self) -> &'static str {
        match self {
            Self::Stale => "the stale watchdog",
            Self::Watchdog => "a watchdog",
            Self::Cap => "agent.stream_max_lifetime",
            Self::Breaker => "the breaker",
            Self::Timeout => "a socket timeout",
            Self::Dropped => "a dropped connection",
            Self::Unreachable => "no connection",
            Self::Provider => "a provider error",
            Self::Truncated => "breaking off again and again",
            Self::Malformed => "an unreadable stream",
            Self::User => "the user",
            Self::Redirected => "a new message",
            Self::Inactive => "inactivity",
            Self::Lost => "Hermes going away",
            Self::Unknown => "an unknown cause",
        }
    }
}

/// What a text says about what cut a stream: the error that Hermes reports with a stream's end, or a line that it says about
/// itself. `None`: it is about something else.
pub fn cut_by(text: &str) -> Option<CutBy> {
    if let Some(said) = said(text) {
        let known = by_code(said.code, said.facts.watchdog.as_deref());
        if known.is_some() {
            return known;
        }
    }
    let lower = text.to_ascii_lowercase();
    let has = |marks: &[&str]| marks.iter().any(|mark| lower.contains(mark));
    if has(&["remained truncated"]) {
        Some(CutBy::Truncated)
    } else if has(&["error code: ", "http 4", "http 5", "status code", "api error"]) {
        Some(CutBy::Provider)
    } else if has(&["connecterror", "connection refused", "name or service not known", "connection error"]) {
        Some(CutBy::Unreachable)
    } else if has(&["timed out", "timeout"]) {
        Some(CutBy::Timeout)
    } else if has(&DROPPED) {
        Some(CutBy::Dropped)
    } else if has(&["jsondecodeerror", "expecting value", "malformed", "empty stream", "emptystream"]) {
        Some(CutBy::Malformed)
    } else {
        None
    }
}

/// How HTTP clients say that a connection ended in the middle; `superseded` is Hermes' word for one that it ended itself.
const DROPPED: [&str; 9] = [
    "remoteprotocolerror",
    "superseded",
    "readerror",
    "peer closed",
    "incomplete chunked",
    "incomplete message",
    "connection reset",
    "server disconnected",
    "broken pipe",
];

/// What a code of Hermes' own words says about it.
fn by_code(code: &str, watchdog: Option<&str>) -> Option<CutBy> {
    Some(match code {
        "stale" if matches!(watchdog, Some("first_event" | "progress" | "idle")) => CutBy::Watchdog,
        "stale" => CutBy::Stale,
        "capped" => CutBy::Cap,
        "breaker" => CutBy::Breaker,
        "reconnecting" | "tool_cut" | "tool_lost" | "partial" => CutBy::Dropped,
        "unreachable" => CutBy::Unreachable,
        "keepalive" | "malformed" | "empty_stream" => CutBy::Malformed,
        "rate_limited" | "no_credit" | "rejected" | "gave_up" | "recovery_over" => CutBy::Provider,
        "inactive" => CutBy::Inactive,
        "redirected" | "interrupting" => CutBy::Redirected,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
