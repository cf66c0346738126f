//! How often a text that is costly to parse is drawn: seldom enough that the page stays quick, often enough to look smooth.
//!
//! Only one huge line of a paragraph is costly, because its inlines depend on all of it. Time is passed in.

/// Below this many bytes to parse again, a frame has time for all of it, and every frame draws.
const COSTLY_BYTES: usize = 4_096;

/// A drawing is followed by a rest of so many times what it took, itself included: at most a quarter of the time goes
/// into drawing.
const REST: f64 = 4.0;

/// When the next drawing may come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cadence {
    not_before_ms: f64,
}

impl Cadence {
    /// Whether a drawing may come now.
    pub fn is_due(self, now_ms: f64) -> bool {
        now_ms >= self.not_before_ms
    }

    /// A drawing of `took_ms` began at `now_ms`; the next one parses `cost` bytes again.
    pub fn drew(&mut self, now_ms: f64, took_ms: f64, cost: usize) {
        self.not_before_ms = if cost < COSTLY_BYTES { 0.0 } else { now_ms + REST * took_ms };
    }
}
