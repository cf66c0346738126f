//! [`Clock`]: the time stamps of a recording as a time that only goes forward. Owns what is wrong with them: missing,
//! in seconds, set back; knows no event.

/// A clock that was set back by less than this was only read in another order.
const JITTER_MS: u64 = 1_000;

/// Below this a number cannot be milliseconds since 1970 of a time with computers in it, so it is seconds (until 5138).
const SECONDS_BELOW: f64 = 1e11;

/// Time stamps in, milliseconds since the first of them out.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// Where the time of the recording was when `stamp` was read.
    base_ms: u64,
    stamp: Option<u64>,
    now_ms: u64,
}

impl Clock {
    /// Takes the next time stamp (milliseconds since 1970) and says what time it is. An event without one happens at the
    /// time of the one before.
    ///
    /// A stamp that lies far before the last one begins a new count from here on: another run in the same file, or a
    /// clock that was set.
    pub fn at(&mut self, stamp: Option<u64>) -> u64 {
        let Some(stamp) = stamp else { return self.now_ms };
        let first = *self.stamp.get_or_insert(stamp);
        let newest = first.saturating_add(self.now_ms - self.base_ms);
        if stamp.saturating_add(JITTER_MS) < newest {
            (self.stamp, self.base_ms) = (Some(stamp), self.now_ms);
        } else {
            self.now_ms = self.now_ms.max(self.base_ms.saturating_add(stamp.saturating_sub(first)));
        }
        self.now_ms
    }

    /// The time of the last event, milliseconds since the first.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }
}

/// A time stamp as it stands in a file, as milliseconds since 1970. Programs that write seconds, with or without a
/// fraction, are understood; zero and what lies before it is no time.
pub fn stamp_ms(value: &serde_json::Value) -> Option<u64> {
    let number = value.as_f64().filter(|number| *number > 0.0 && number.is_finite())?;
    match value.as_u64() {
        Some(whole) if number >= SECONDS_BELOW => Some(whole),
        Some(whole) => whole.checked_mul(1_000),
        None if number >= SECONDS_BELOW => Some(number as u64),
        None => Some((number * 1_000.0).round() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(stamps: &[Option<u64>], expected: &[u64]) {
        let mut clock = Clock::default();
        let times: Vec<u64> = stamps.iter().map(|stamp| clock.at(*stamp)).collect();
        assert_eq!(times, expected, "{stamps:?}");
    }

    #[test]
    fn time_goes_forward_whatever_the_stamps_do() {
        check(&[Some(5_000), Some(5_010), None, Some(5_030)], &[0, 10, 10, 30]);
        check(&[None, Some(9_000), Some(9_001)], &[0, 0, 1]);
        // Two lines in another order are not a clock that was set.
        check(&[Some(5_000), Some(5_100), Some(5_090), Some(5_200)], &[0, 100, 100, 200]);
        // A run of the day before, behind this one in the same file.
        check(
            &[Some(500_000), Some(500_100), Some(1_000), Some(1_250), Some(1_300)],
            &[0, 100, 100, 350, 400],
        );
        check(&[Some(u64::MAX), Some(1), Some(u64::MAX)], &[0, 0, u64::MAX - 1]);
    }

    #[test]
    fn seconds_are_understood_and_nonsense_is_no_time() {
        assert_eq!(stamp_ms(&json!(1_796_040_000_123_u64)), Some(1_796_040_000_123));
        assert_eq!(stamp_ms(&json!(1_796_040_000)), Some(1_796_040_000_000));
        assert_eq!(stamp_ms(&json!(1_796_040_000.25)), Some(1_796_040_000_250));
        assert_eq!(stamp_ms(&json!(1_796_040_000_123.7)), Some(1_796_040_000_123));
        for nonsense in [json!(0), json!(-5), json!(null), json!("2026-11-30")] {
            assert_eq!(stamp_ms(&nonsense), None, "{nonsense}");
        }
    }
}
