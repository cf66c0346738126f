//! [`Time`]: recorded time and played time side by side. Owns how a gap is shortened.

use crate::stream_json::clock::Clock;

/// A silence longer than this is shortened, milliseconds.
pub const GAP_MS: u64 = 5_000;

/// How long a shortened silence takes in the player, milliseconds.
pub const GAP_PLAYED_MS: u64 = 2_000;

/// A moment of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moment {
    /// Milliseconds of the run.
    pub(super) recorded_ms: u64,
    /// Milliseconds of the player.
    pub(super) played_ms: u64,
}

/// The clock of a recording.
#[derive(Clone, Debug, Default)]
pub(super) struct Time {
    clock: Clock,
    now: Moment,
}

impl Time {
    /// Takes a time stamp of the file; says what time it is now, and what time it was before if a silence was shortened.
    pub(super) fn at(&mut self, stamp: Option<u64>) -> (Moment, Option<Moment>) {
        let before = self.now;
        let recorded_ms = self.clock.at(stamp);
        let silence = recorded_ms - before.recorded_ms;
        let gap = silence > GAP_MS;
        let played = if gap { GAP_PLAYED_MS } else { silence };
        self.now = Moment { recorded_ms, played_ms: before.played_ms.saturating_add(played) };
        (self.now, gap.then_some(before))
    }

    pub(super) fn now(&self) -> Moment {
        self.now
    }
}
