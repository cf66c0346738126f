//! [`Cursor`]: decodes a file forward from a checkpoint. Owns which bytes are needed next and what they say, in order; the
//! bytes come from outside, in answer to what was asked.

use std::collections::VecDeque;
use std::ops::Range;

use super::checkpoint::Checkpoint;
use super::decoder::{Decoder, Step};
use super::index::Index;
use super::lines::{Line, Lines};
use super::time::Moment;
use crate::protocol::frame::Envelope;

/// How much is asked for first, bytes: usually it is enough.
const PIECE: u64 = 256 * 1024;

/// How much is asked for at most: where more and more is needed, fewer questions are quicker.
const MAX_PIECE: u64 = 2 << 20;

/// Frames and when they are due.
#[derive(Clone, Debug)]
pub(super) struct Due {
    pub(super) at: Moment,
    pub(super) frames: Vec<Envelope>,
}

#[derive(Clone, Debug)]
pub(super) struct Cursor {
    decoder: Decoder,
    lines: Lines,
    /// Up to here the file is decoded.
    read_to: u64,
    /// So much is asked for next.
    piece: u64,
    due: VecDeque<Due>,
    ended: bool,
}

impl Cursor {
    pub(super) fn at(point: &Checkpoint) -> Self {
        Self {
            decoder: point.decoder.clone(),
            lines: Lines::at(point.offset, point.lines),
            read_to: point.offset,
            piece: PIECE,
            due: VecDeque::new(),
            ended: false,
        }
    }

    /// The bytes that come next, of those that stand before `upto`.
    pub(super) fn wants(&self, upto: u64) -> Option<Range<u64>> {
        (self.read_to < upto).then(|| self.read_to..upto.min(self.read_to.saturating_add(self.piece)))
    }

    /// Takes bytes that begin at `start`; others than those that come next are not taken.
    pub(super) fn give(&mut self, start: u64, bytes: &[u8]) {
        if start != self.read_to {
            return;
        }
        self.read_to += bytes.len() as u64;
        self.piece = if self.due.is_empty() { (self.piece * 2).min(MAX_PIECE) } else { PIECE };
        let (decoder, due) = (&mut self.decoder, &mut self.due);
        self.lines.push(bytes, |line| take(decoder, due, &line));
    }

    /// Everything was decoded that there is: then what is open ends. Whether that was news.
    pub(super) fn end(&mut self, index: &Index) -> bool {
        if self.ended || !index.complete || self.read_to < index.bytes {
            return false;
        }
        self.ended = true;
        let (decoder, due) = (&mut self.decoder, &mut self.due);
        self.lines.finish(|line| take(decoder, due, &line));
        push(due, decoder.finish());
        true
    }

    /// Everything was handed out.
    pub(super) fn is_over(&self) -> bool {
        self.ended && self.due.is_empty()
    }

    /// Up to here the file is decoded.
    pub(super) fn read_to(&self) -> u64 {
        self.read_to
    }

    /// When the next frames are due.
    pub(super) fn next_ms(&self) -> Option<u64> {
        self.due.front().map(|due| due.at.played_ms)
    }

    /// The next frames, if they are due by then.
    pub(super) fn take(&mut self, upto_ms: u64) -> Option<Due> {
        self.due.front().filter(|due| due.at.played_ms <= upto_ms)?;
        self.due.pop_front()
    }
}

fn take(decoder: &mut Decoder, due: &mut VecDeque<Due>, line: &Line<'_>) {
    decoder.read(line, |decoder, input| {
        if let Ok(input) = input {
            push(due, decoder.apply(&input));
        }
    });
}

fn push(due: &mut VecDeque<Due>, step: Step) {
    if !step.frames.is_empty() {
        due.push_back(Due { at: step.at, frames: step.frames });
    }
}
