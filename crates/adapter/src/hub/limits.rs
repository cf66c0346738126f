//! How much one socket may say. Pure: the time is passed in.

use std::time::Instant;

/// A bucket of tokens: so many at once, and so many a second in the long run.
#[derive(Debug)]
pub struct Bucket {
    tokens: f64,
    size: f64,
    per_second: f64,
    filled: Instant,
}

impl Bucket {
    /// A full bucket.
    pub fn new(size: u32, per_second: u32, now: Instant) -> Self {
        Self { tokens: size.into(), size: size.into(), per_second: per_second.into(), filled: now }
    }

    /// Takes a token, if there is one.
    pub fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.filled);
        self.tokens = (self.tokens + passed.as_secs_f64() * self.per_second).min(self.size);
        self.filled = now;
        let enough = self.tokens >= 1.0;
        if enough {
            self.tokens -= 1.0;
        }
        enough
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_burst_is_fine_and_a_flood_is_not() {
        let begin = Instant::now();
        let mut bucket = Bucket::new(3, 2, begin);
        let mut take = |after_ms| bucket.take(begin + Duration::from_millis(after_ms));
        assert_eq!([take(0), take(0), take(0), take(0)], [true, true, true, false]);
        assert_eq!([take(500), take(500)], [true, false]);
        assert_eq!([take(60_000), take(60_000), take(60_000), take(60_000)], [true, true, true, false]);
    }
}
