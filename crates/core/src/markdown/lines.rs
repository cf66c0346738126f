//! Where the lines of a source begin. Sources have passed `intake`, so a line ends in LF and in nothing else.

use std::ops::Range;

/// The lines of a text, counted from 0. The last one is open: it has no line end yet, and may be empty.
#[derive(Debug)]
pub(super) struct Lines<'s> {
    source: &'s str,
    starts: Vec<usize>,
}

impl<'s> Lines<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        let starts = std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { source, starts }
    }

    /// The number of the open last line, which is also how many lines are complete.
    pub(super) fn open(&self) -> usize {
        self.starts.len() - 1
    }

    /// The byte at which a line begins; past the last line, the end of the text.
    pub(super) fn start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.source.len())
    }

    /// The text they are the lines of.
    pub(super) fn source(&self) -> &'s str {
        self.source
    }

    /// The text of some lines, line ends included.
    pub(super) fn text(&self, lines: Range<usize>) -> &'s str {
        self.source.get(self.start(lines.start)..self.start(lines.end)).unwrap_or_default()
    }

    /// Whether a complete line holds only spaces and tabs.
    pub(super) fn is_blank(&self, line: usize) -> bool {
        line < self.open() && self.text(line..line + 1).trim_matches([' ', '\t', '\n']).is_empty()
    }
}
