//! The append-only Markdown document: text in by pieces, a typed tree out, settled blocks never made again.

use super::node::Node;
use std::ops::Range;

/// What one `push` changed. Block numbers count the document's top-level blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// Settled blocks that a new link definition changed; patch them in place.
    pub redrawn: Vec<usize>,
    /// Blocks from here on may differ from what was there before; everything before is as it was.
    pub changed_from: usize,
    /// The blocks before this one are settled: no later text changes them, save through `redrawn`.
    pub settled: usize,
    /// How many blocks there are now.
    pub len: usize,
}

/// A document that grows at its end.
#[derive(Debug, Default)]
pub struct Document {
    text: String,
    blocks: Vec<Node>,
}

impl Document {
    /// An empty document.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds text at the end and brings the blocks up to date.
    pub fn push(&mut self, chunk: &str) -> Update {
        self.text.push_str(chunk);
        Update::default()
    }

    /// All text so far, as it was pushed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The top-level blocks, equal to those of a one-shot parse of `text()`.
    pub fn blocks(&self) -> &[Node] {
        &self.blocks
    }

    /// Some blocks.
    pub fn range(&self, range: Range<usize>) -> &[Node] {
        self.blocks.get(range).unwrap_or_default()
    }
}
