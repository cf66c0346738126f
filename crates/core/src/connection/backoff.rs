//! How long to wait before the next try: full jitter, so that a thousand apps do not come back in the same moment.

/// The longest wait before the first try, milliseconds; it doubles with each.
const FIRST_MS: f64 = 500.0;
/// No wait is longer.
const LONGEST_MS: f64 = 30_000.0;
/// No wait is shorter.
const SHORTEST_MS: f64 = 50.0;

/// A source of numbers in [0, 1) that starts from a random seed, which the caller has.
#[derive(Clone, Debug)]
pub(super) struct Backoff(u64);

impl Backoff {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The wait after so many tries have failed, milliseconds.
    pub(super) fn delay_ms(&mut self, failed: u32) -> f64 {
        let longest = (FIRST_MS * 2f64.powi(failed.saturating_sub(1).min(16) as i32)).min(LONGEST_MS);
        (self.random() * longest).max(SHORTEST_MS)
    }

    /// SplitMix64: small, and good enough to spread tries.
    fn random(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_half_a_minute_and_are_spread_over_all_of_it() {
        let mut backoff = Backoff::new(7);
        for (failed, longest) in [(1, 500.0), (2, 1_000.0), (4, 4_000.0), (7, 30_000.0), (u32::MAX, 30_000.0)]
        {
            let waits: Vec<f64> = (0..1_000).map(|_| backoff.delay_ms(failed)).collect();
            assert!(waits.iter().all(|wait| (SHORTEST_MS..longest).contains(wait)), "{failed}");
            let mean = waits.iter().sum::<f64>() / 1_000.0;
            assert!((mean / longest - 0.5).abs() < 0.05, "{failed}: {mean}");
        }
    }
}
