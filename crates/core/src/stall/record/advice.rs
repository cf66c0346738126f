//! What each cause is, what can be done, and which timers and settings of Hermes decide it.

use super::{CutBy, StreamRecord};
use crate::stall::log::{self, Change};
use crate::stall::timers::TimerId;

impl CutBy {
    /// The timers that do this.
    pub fn timers(self) -> &'static [TimerId] {
        match self {
            Self::Stale => &[TimerId::StreamStale],
            Self::Watchdog => &[TimerId::CodexTtfb, TimerId::CodexIdle],
            Self::Cap => &[TimerId::StreamMaxLifetime],
            Self::Breaker => &[TimerId::StaleGiveup],
            Self::Timeout => &[TimerId::SocketRead],
            Self::Inactive => &[TimerId::GatewayTimeout],
            _ => &[],
        }
    }

    /// What happened, and what can be done where Hermes' settings decide nothing.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Stale => "Nothing came from the model for so long that Hermes cut the connection.",
            Self::Watchdog => {
                "The model sent no first event, or none any more, and a watchdog for Responses streams cut it."
            }
            Self::Cap => "It took longer than a stream may take in all, even though text was coming.",
            Self::Breaker => "So many attempts in a row had gone stale that Hermes let no request out.",
            Self::Timeout => "The socket waited for bytes longer than it may.",
            Self::Dropped => "The other side, or something on the way, ended the connection in the middle.",
            Self::Unreachable => {
                "No connection to the provider came to be. Look at its address, and whether it runs."
            }
            Self::Provider => {
                "The provider answered with an error. Its words say whether trying again helps."
            }
            Self::Truncated => "The answers broke off, also when Hermes asked for the rest.",
            Self::Malformed => {
                "What came was no stream that can be read. A proxy on the way is a likely cause."
            }
            Self::User => "It was stopped here.",
            Self::Redirected => "A new message took its place.",
            Self::Inactive => "Nothing happened in the turn for so long that Hermes gave it up.",
            Self::Lost => "Hermes or its gateway went away while it ran.",
            Self::Unknown => "It failed, and nothing said of what. Hermes' agent.log may.",
        }
    }
}

impl StreamRecord {
    /// The settings that decide about what cut it.
    pub fn settings(&self) -> Vec<Change> {
        let timers = self.cause().map_or(&[][..], CutBy::timers);
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let provider = self.provider.as_deref().filter(|name| !name.is_empty() && name.chars().all(plain));
        timers.iter().flat_map(|timer| log::settings(*timer, provider.unwrap_or("<provider>"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stall::record::End;

    #[test]
    fn a_cut_one_names_the_settings_that_decide() {
        let check = |cut_by, provider: Option<&str>, expected: &[&str]| {
            let provider = provider.map(str::to_owned);
            let record = StreamRecord { end: End::Cut, cut_by, provider, ..StreamRecord::default() };
            let found: Vec<String> = record.settings().into_iter().map(|change| change.setting).collect();
            assert_eq!(found, expected);
        };
        let stale = ["HERMES_STREAM_STALE_TIMEOUT", "agent.local_stream_stale_timeout"];
        let with = |first| [first, stale[0], stale[1]];
        check(Some(CutBy::Stale), Some("my-own_1"), &with("providers.my-own_1.stale_timeout_seconds"));
        check(Some(CutBy::Stale), Some("a: b\nc"), &with("providers.<provider>.stale_timeout_seconds"));
        check(Some(CutBy::Stale), None, &with("providers.<provider>.stale_timeout_seconds"));
        check(Some(CutBy::Cap), None, &["agent.stream_max_lifetime"]);
        check(Some(CutBy::Breaker), None, &["HERMES_STREAM_STALE_GIVEUP"]);
        check(Some(CutBy::User), None, &[]);
        check(None, None, &[]);
    }

    #[test]
    fn every_cause_with_a_timer_has_a_setting() {
        for cause in CutBy::ALL.into_iter().filter(|cause| !cause.timers().is_empty()) {
            let cut_by = Some(cause);
            assert!(
                !StreamRecord { end: End::Cut, cut_by, ..StreamRecord::default() }.settings().is_empty(),
                "{cause:?}"
            );
        }
    }
}
