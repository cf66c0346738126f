//! What Hermes says while it waits, and when it says so.
//!
//! The command line and the TUI show these; a chat platform never gets them.

use super::chain::Chain;
use super::{Inputs, Timer, TimerId, Value};
use crate::stall::{Evidence, Versions};
use serde::{Deserialize, Serialize};

/// The silence after which the first notice comes. Hermes looks every 30 s.
pub const FIRST_AFTER: f64 = 60.0;
/// So close to a watchdog's deadline the notice is said once more.
pub const NEAR: f64 = 15.0;

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// A stream's first part.
    FirstChunk,
    /// A stream's next part.
    PostChunk,
    /// The first event of a Responses stream.
    FirstEvent,
    /// The same, after it was opened again.
    Reconnect,
    /// Progress of the model in a Responses stream.
    PreProgress,
    /// The next event of a Responses stream.
    PostEvent,
}

impl Phase {
    fn text(self, seconds: i64) -> String {
        match self {
            Self::FirstEvent => format!("{seconds}s waiting for the first provider event"),
            Self::Reconnect => format!("{seconds}s waiting for the first provider event after reconnect"),
            Self::PreProgress => {
                format!("provider stream open; {seconds}s without substantive model progress")
            }
            Self::PostEvent => format!("provider stream active; {seconds}s without stream events"),
            Self::FirstChunk => format!("{seconds}s waiting for the first stream chunk"),
            Self::PostChunk => format!("stream open; {seconds}s without stream output"),
        }
    }
}

/// A watchdog by its name in Hermes' words, and the seconds until it acts.
pub type Watchdog<'a> = (&'a str, f64);

fn is_near(watchdog: Option<Watchdog<'_>>) -> bool {
    watchdog.is_some_and(|(_, remaining)| remaining <= NEAR)
}

/// The notice, word by word.
pub fn text(model: &str, silence: f64, phase: Phase, watchdog: Option<Watchdog<'_>>) -> String {
    let lead = if is_near(watchdog) { "still waiting on" } else { "waiting on" };
    let wait = phase.text(silence as i64);
    let end = watchdog.map(|(label, remaining)| {
        format!(" (auto-reconnect: {label} watchdog in {}s)", (remaining as i64).max(0))
    });
    format!("⏳ {lead} {model} — {wait}{}", end.unwrap_or_default())
}

/// What was said last in one silence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    phase: Option<Phase>,
    label: Option<String>,
    near: bool,
}

impl Said {
    /// Whether the notice is said now: first, when what is waited for or the watchdog changes, and once near the deadline.
    pub fn should_say(&mut self, phase: Phase, watchdog: Option<Watchdog<'_>>) -> bool {
        let label = watchdog.map(|(label, _)| label.to_owned());
        let near = is_near(watchdog);
        let say = self.phase != Some(phase) || self.label != label || (near && !self.near);
        self.phase = Some(phase);
        self.label = label;
        self.near |= near;
        say
    }
}

/// The two numbers as timers of a report. Nobody can set them.
pub(super) fn timers(_: &Inputs) -> [Timer; 2] {
    let fixed = |value, id, name, what| {
        Chain::new(Value::Seconds(value), "fixed").done(id, name, what, Versions::of(Evidence::Executed))
    };
    [
        fixed(
            FIRST_AFTER,
            TimerId::WaitNotice,
            "Wait notice",
            "After this silence Hermes says what it waits for: on the command line and in the TUI, never in a chat",
        ),
        fixed(
            NEAR,
            TimerId::WaitNoticeNear,
            "Wait notice, again",
            "So close to a watchdog's deadline it is said once more",
        ),
    ]
}
