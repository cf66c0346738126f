//! [`Checkpoint`]: a place of a file from which decoding can begin, and the list of them. Owns how far apart they are and
//! which one to begin with.

use super::decoder::Decoder;

/// Checkpoints are usually at least so far apart in the file, bytes: 1,600 of them in 100 MB, which take about half a megabyte.
pub(super) const SPACING: u64 = 64 * 1024;

#[derive(Clone, Debug)]
pub(super) struct Checkpoint {
    /// Where in the file its line begins.
    pub(super) offset: u64,
    /// How many lines stand before it.
    pub(super) lines: u64,
    /// When what stands there happens, played milliseconds.
    pub(super) played_ms: u64,
    /// How many frames of a transcript stand before it, as few as they can be.
    pub(super) kept: u64,
    /// The decoder before that line.
    pub(super) decoder: Decoder,
}

impl Checkpoint {
    /// The number of the first frame after it.
    pub(super) fn first_seq(&self) -> u64 {
        self.decoder.seq() + 1
    }
}

/// In the order of the file; the first stands at its beginning.
#[derive(Clone, Debug)]
pub(super) struct Checkpoints {
    spacing: u64,
    list: Vec<Checkpoint>,
}

impl Checkpoints {
    pub(super) fn new(spacing: u64) -> Self {
        let decoder = Decoder::new();
        Self { spacing, list: vec![Checkpoint { offset: 0, lines: 0, played_ms: 0, kept: 0, decoder }] }
    }

    /// Whether a place this far into the file is far enough from the last one.
    pub(super) fn wants(&self, offset: u64, seq: u64) -> bool {
        self.list.last().is_none_or(|last| offset >= last.offset + self.spacing && seq > last.decoder.seq())
    }

    pub(super) fn push(&mut self, checkpoint: Checkpoint) {
        self.list.push(checkpoint);
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, nth: usize) -> Option<&Checkpoint> {
        self.list.get(nth)
    }

    /// The last one at or before this time.
    pub(super) fn at_time(&self, played_ms: u64) -> usize {
        self.list.partition_point(|point| point.played_ms <= played_ms).saturating_sub(1)
    }

    /// The last one whose frames have this number or higher ones.
    pub(super) fn at_seq(&self, seq: u64) -> usize {
        self.list.partition_point(|point| point.first_seq() <= seq).saturating_sub(1)
    }

    /// The last one with at least so many frames between it and this one; the first if there are not so many.
    pub(super) fn back(&self, from: usize, frames: u64) -> usize {
        let Some(kept) = self.list.get(from).map(|point| point.kept.saturating_sub(frames)) else { return 0 };
        let before = self.list.get(..from).unwrap_or_default();
        before.partition_point(|point| point.kept <= kept).saturating_sub(1)
    }
}
