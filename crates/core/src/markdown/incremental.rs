//! The append-only Markdown document: text in by pieces, a typed tree out, settled blocks never made again.
//!
//! Only the tail, the text after the last settled block, is parsed when more text comes. What settles is decided
//! in `settle`; definitions that reach back into settled blocks are `region`'s. The blocks are at every moment
//! those that [`parse`](super::parse) makes of the same text.

use super::diff;
use super::intake::Intake;
use super::lines::Lines;
use super::node::Node;
use super::parser::{self, Block};
use super::references::{Definitions, candidates, harvest};
use super::region::{Region, Regions};
use super::settle::{Cut, Extent, cut, pieces};
use std::collections::BTreeSet;
use std::ops::Range;

/// What one `push` changed. Block numbers count the document's top-level blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// Settled blocks that a new link definition changed; patch them in place.
    pub redrawn: Vec<usize>,
    /// The path to the first of what may differ, apart from `redrawn`; empty when nothing does.
    ///
    /// The blocks before `changed[0]` are as they were. If there is a `changed[1]`, that block is still the same
    /// element (its kind may differ in attributes: a list's start, tasks and tightness, a code block's language and
    /// whether it is closed), and its children before `changed[1]` are as they were; and so on inward. Everything at or after
    /// each of these places may differ.
    pub changed: Vec<usize>,
    /// The blocks before this one are settled: no later text changes them, save through `redrawn`.
    pub settled: usize,
    /// How many blocks there are now.
    pub len: usize,
}

/// A document that grows at its end.
#[derive(Debug, Default)]
pub struct Document {
    text: String,
    intake: Intake,
    /// The unsettled end of the text, as `intake` leaves it.
    tail: String,
    blocks: Vec<Node>,
    /// How many of `blocks` are settled.
    settled: usize,
    known: Definitions,
    regions: Regions,
}

impl Document {
    /// An empty document.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds text at the end and brings the blocks up to date.
    ///
    /// Line ends may be LF, CRLF or CR. A CR at the very end of the text waits for the next character before it
    /// counts. NUL reads as U+FFFD, and a byte order mark at the start is ignored.
    pub fn push(&mut self, chunk: &str) -> Update {
        self.text.push_str(chunk);
        let before = self.tail.len();
        self.intake.feed(chunk, &mut self.tail);
        if self.tail.len() == before {
            return self.update(Vec::new(), Vec::new());
        }
        let (redrawn, changed) = self.parse_tail();
        self.update(redrawn, changed)
    }

    /// All text so far, byte for byte as it was pushed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The top-level blocks, equal to those of a one-shot parse of `text()`.
    pub fn blocks(&self) -> &[Node] {
        &self.blocks
    }

    /// The end of the text that is not settled, with its line ends made LF: what the next push parses again.
    pub fn tail(&self) -> &str {
        &self.tail
    }

    /// Some blocks.
    pub fn range(&self, range: Range<usize>) -> &[Node] {
        self.blocks.get(range).unwrap_or_default()
    }

    fn update(&self, redrawn: Vec<usize>, changed: Vec<usize>) -> Update {
        Update { redrawn, changed, settled: self.settled, len: self.blocks.len() }
    }

    /// Parses the tail, settles what can be settled. Returns the settled blocks that changed and the path to what else did.
    fn parse_tail(&mut self) -> (Vec<usize>, Vec<usize>) {
        let tail = std::mem::take(&mut self.tail);
        let labels = candidates(&tail);
        // In the tail comrak itself knows these; it will ask for them when its budget is spent.
        let before = self.known.replace_open(harvest(&tail, &labels));
        let parsed = parser::parse(&tail, &labels, &self.known);

        let lines = Lines::new(&tail);
        let extents: Vec<Extent> = parsed.blocks.iter().map(|block| block.extent).collect();
        let cut = cut(&extents, &lines).unwrap_or_default();
        let head = lines.text(0..cut.line);
        let redefined = self.known.settle(harvest(head, &candidates(head)), &before);

        let changed = self.replace_tail(parsed.blocks);
        let redrawn = self.redraw(&redefined);
        let may_change = !parsed.asked.is_empty() || self.known.has_open();
        if may_change {
            self.keep_regions(&extents, &cut, &lines);
        }
        self.settled += cut.blocks;
        self.tail = if cut.line == 0 { tail } else { lines.text(cut.line..usize::MAX).to_owned() };
        (redrawn, changed)
    }

    /// Puts the tail's blocks in the place of what was there; the path to the first difference.
    fn replace_tail(&mut self, blocks: Vec<Block>) -> Vec<usize> {
        let new: Vec<Node> = blocks.into_iter().map(|block| block.node).collect();
        let mut changed = diff::path(self.blocks.get(self.settled..).unwrap_or_default(), &new);
        if let Some(first) = changed.first_mut() {
            *first += self.settled;
            self.blocks.truncate(self.settled);
            self.blocks.extend(new);
        }
        changed
    }

    /// Brings settled blocks in line with the labels whose definition changed; those that look different now.
    fn redraw(&mut self, changed: &BTreeSet<String>) -> Vec<usize> {
        let mut redrawn = Vec::new();
        if changed.is_empty() {
            return redrawn;
        }
        for (range, nodes) in self.regions.redraw(changed, &self.known) {
            let blocks = self.blocks.get_mut(range.clone()).unwrap_or_default();
            for ((number, block), node) in range.zip(blocks).zip(nodes) {
                if *block != node {
                    *block = node;
                    redrawn.push(number);
                }
            }
        }
        redrawn
    }

    /// Keeps the source of newly settled blocks that a later definition may change.
    fn keep_regions(&mut self, extents: &[Extent], cut: &Cut, lines: &Lines<'_>) {
        for piece in pieces(extents, cut) {
            let region = Region {
                blocks: self.settled + piece.blocks.start..self.settled + piece.blocks.end,
                source: lines.text(piece.lines).to_owned(),
            };
            self.regions.add(region, &self.known);
        }
    }
}
