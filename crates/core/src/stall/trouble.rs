//! What a notice means for the turn that runs, by its code: what Hermes waits for, or that it waits no longer. The codes
//! are those of `docs/protocol.md`; the words for them are in `quiet.rs`.

use crate::protocol::frame::Facts;

/// The code of the adapter's own notice of a stream that broke off and that Hermes asks for again: Hermes' lines about that
/// come only if the turn fails, and then say it better.
pub const ASKED_AGAIN: &str = "asked_again";

/// What a silent turn waits for when Hermes said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The provider is silent, and its watchdog counts.
    Silent,
    /// A local model reads the prompt.
    Loading,
    /// The watchdog has cut a silent stream; another is being opened.
    Reconnecting,
    /// A stream was dropped; another is being opened.
    Dropped,
    /// The connection went while a tool call was being written.
    ToolCut,
    /// A stream broke off; another was asked for.
    AskedAgain,
    /// The call failed and is made again in a while.
    Retrying,
    /// Every try failed; the turn goes on waiting for the provider.
    Recovering,
    /// The stream was cut at its longest time.
    Capped,
    /// The provider sent frames with nothing in them; the call is made again without streaming.
    KeepAlive,
    /// Another model is asked.
    Fallback,
    /// The model is asked to go on with a text that broke off.
    Continuing,
    /// The conversation is being shortened.
    Compacting,
    /// Another process of Hermes has the session.
    SessionBusy,
    /// Hermes sees no activity at all, and will give the turn up.
    Stuck,
    /// It failed: nothing is waited for any more.
    Over,
}

/// A notice's code and what it means.
const KINDS: [(&str, Kind); 26] = [
    ("silent", Kind::Silent),
    ("loading", Kind::Loading),
    ("stale", Kind::Reconnecting),
    ("reconnecting", Kind::Dropped),
    ("tool_cut", Kind::ToolCut),
    (ASKED_AGAIN, Kind::AskedAgain),
    ("retrying", Kind::Retrying),
    ("recovering", Kind::Recovering),
    ("capped", Kind::Capped),
    ("keepalive", Kind::KeepAlive),
    ("fallback", Kind::Fallback),
    ("continuing", Kind::Continuing),
    ("compacting", Kind::Compacting),
    ("session_busy", Kind::SessionBusy),
    ("stuck", Kind::Stuck),
    ("breaker", Kind::Over),
    ("gave_up", Kind::Over),
    ("unreachable", Kind::Over),
    ("malformed", Kind::Over),
    ("empty_stream", Kind::Over),
    ("recovery_over", Kind::Over),
    ("rejected", Kind::Over),
    ("rate_limited", Kind::Over),
    ("no_credit", Kind::Over),
    ("tool_lost", Kind::Over),
    ("failed", Kind::Over),
];

impl Kind {
    /// What a notice with this code means; `None` when it is about something else.
    pub fn of(code: &str) -> Option<Self> {
        KINDS.iter().find(|(known, _)| *known == code).map(|(_, kind)| *kind)
    }

    /// Whether it counts how long nothing has come; otherwise something is being done about it.
    pub fn is_wait(self) -> bool {
        matches!(self, Self::Silent | Self::Stuck | Self::AskedAgain)
    }

    /// Whether it is the adapter's own notice, or Hermes' word for what that tells of.
    pub fn is_asked_again(self) -> bool {
        matches!(
            self,
            Self::AskedAgain
                | Self::Reconnecting
                | Self::Dropped
                | Self::ToolCut
                | Self::Retrying
                | Self::KeepAlive
        )
    }

    /// Whether it tells of a failure: such notices stand in one row.
    pub fn is_trouble(self) -> bool {
        !matches!(self, Self::Loading | Self::Compacting | Self::SessionBusy)
    }
}

/// How many tries of a call there were, as far as a notice counts them. The breaker's count goes over many turns.
pub fn tries(code: &str, facts: &Facts) -> Option<u32> {
    let counts = ["unreachable", "malformed", "empty_stream", "gave_up", "rate_limited", "retrying"];
    facts.attempt.filter(|_| counts.contains(&code))
}
