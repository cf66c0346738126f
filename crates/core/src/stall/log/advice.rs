//! Which setting changes what happened.

use super::{LogEvent, LogKind};
use crate::stall::timers::{File, TimerId};
use serde::{Deserialize, Serialize};

/// A setting that decides it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The timer.
    pub timer: TimerId,
    /// The key or the variable.
    pub setting: String,
    /// The file it belongs in.
    pub file: File,
    /// What it does, as a sentence without its full stop.
    pub what: String,
}

/// The provider that the log names; `custom` is what Hermes calls an endpoint of one's own.
pub(super) fn provider(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("provider=")?;
    let name = rest.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).next()?;
    (!name.is_empty() && name.len() <= 40).then_some(name)
}

/// The settings behind the events, each once, in the order in which the timers acted.
pub(super) fn changes(events: &[LogEvent], provider: Option<&str>) -> Vec<Change> {
    let acted =
        events.iter().filter(|event| !matches!(event.kind, LogKind::TimerChanged | LogKind::Retrying));
    let mut timers: Vec<TimerId> = Vec::new();
    for timer in acted.filter_map(|event| event.timer) {
        if !timers.contains(&timer) {
            timers.push(timer);
        }
    }
    timers.into_iter().flat_map(|timer| settings(timer, provider.unwrap_or("<provider>"))).collect()
}

/// The settings that decide about a timer.
pub(in crate::stall) fn settings(timer: TimerId, provider: &str) -> Vec<Change> {
    let change = |file, setting: String, what: &str| Change { timer, setting, file, what: what.to_owned() };
    let key = |name: &str, what: &str| change(File::Config, name.to_owned(), what);
    let variable = |name: &str, what: &str| change(File::Env, name.to_owned(), what);
    let stale = || {
        change(
            File::Config,
            format!("providers.{provider}.stale_timeout_seconds"),
            "Seconds of silence before a cut, taken as they are",
        )
    };
    match timer {
        TimerId::StreamStale => vec![
            stale(),
            variable(
                "HERMES_STREAM_STALE_TIMEOUT",
                "The same for every provider; raised for large contexts and for models that think",
            ),
            key(
                "agent.local_stream_stale_timeout",
                "The same for a local endpoint where nothing else is set (900)",
            ),
        ],
        TimerId::NonStreamStale => vec![
            stale(),
            variable(
                "HERMES_API_CALL_STALE_TIMEOUT",
                "The same for calls without streaming; must be a number, or every such call fails",
            ),
        ],
        TimerId::CodexTtfb => vec![variable(
            "HERMES_CODEX_TTFB_TIMEOUT_SECONDS",
            "Seconds until the first event (120); 0 is off",
        )],
        TimerId::CodexIdle => vec![variable(
            "HERMES_CODEX_EVENT_STALE_TIMEOUT_SECONDS",
            "Seconds between two events (12, more for large contexts); 0 is off",
        )],
        TimerId::SocketRead | TimerId::SocketWrite | TimerId::SocketConnect => vec![
            variable("HERMES_STREAM_READ_TIMEOUT", "Seconds without a single byte; 120 counts as not set"),
            change(
                File::Config,
                format!("providers.{provider}.request_timeout_seconds"),
                "All three timeouts of the socket at once, connecting at most 60",
            ),
        ],
        TimerId::StreamMaxLifetime => {
            vec![key("agent.stream_max_lifetime", "The longest life of a stream; 0 is off")]
        }
        TimerId::StaleGiveup => vec![variable(
            "HERMES_STREAM_STALE_GIVEUP",
            "Stale attempts in a row before the breaker opens (5); 0 is off",
        )],
        TimerId::AutoRecoveryCycles => {
            vec![key("agent.auto_recovery_cycles", "How often Hermes waits and begins again (5); 0 is off")]
        }
        TimerId::ApiMaxRetries => vec![key("agent.api_max_retries", "How many calls are made (3)")],
        TimerId::TurnLiveness => vec![key(
            "agent.turn_liveness.timeout_s",
            "Seconds without progress before a turn is interrupted (600); 0 is off",
        )],
        TimerId::GatewayTimeout => {
            vec![key("agent.gateway_timeout", "Seconds of inactivity before a turn fails (1800); 0 is off")]
        }
        _ => Vec::new(),
    }
}
