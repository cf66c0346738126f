//! Which numbers a device may know the transcript by. A number is known if what the chat looked like under it is something
//! that the frames after it still lead on from; any other makes the device start over.
//!
//! Three things make a number unknown: it belongs to no life of the adapter, it was given out but never reached the disk
//! before that life ended, or what it stands for was taken back.

use crate::journal::Span;

/// The known numbers, in their order.
#[derive(Debug)]
pub(super) struct Spans(Vec<Span>);

impl Spans {
    pub(super) fn new(spans: Vec<Span>) -> Self {
        Self(spans)
    }

    pub(super) fn knows(&self, seq: u64) -> bool {
        self.0.iter().any(|span| (span.base..=span.last).contains(&seq))
    }

    /// The newest numbers.
    pub(super) fn newest(&self) -> Option<Span> {
        self.0.last().copied()
    }

    /// The newest span goes up to here.
    pub(super) fn reach(&mut self, seq: u64) {
        if let Some(span) = self.0.last_mut() {
            span.last = seq;
        }
    }

    /// Nothing after this number is known any more.
    pub(super) fn cut(&mut self, after: u64) {
        self.0.retain(|span| span.base <= after);
        for span in &mut self.0 {
            span.last = span.last.min(after);
        }
    }

    /// From here on numbers are known again.
    pub(super) fn begin(&mut self, base: u64) {
        self.0.push(Span { base, last: base });
    }
}
