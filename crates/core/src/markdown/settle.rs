//! The rule: how much of a tail no later text can change. It looks at shapes and lines only, never at content.
//!
//! comrak is a line machine. Everything before the last block that starts on a complete line is closed, and a
//! closed block is final; parsing from the line on which a block starts gives that block again. The incomplete
//! last line settles nothing: `***` is a rule until an `x` makes it text of the paragraph above.

use super::lines::Lines;
use std::ops::Range;

/// What the rule needs to know of a top-level block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A paragraph.
    Paragraph,
    /// A table; its header began as the text of a paragraph.
    Table,
    /// A heading, a rule, or a fence with its closing line.
    Complete,
    /// A quotation or an alert: a blank line ends it.
    Quote,
    /// HTML that a blank line ends.
    Html,
    /// A list.
    List,
    /// Whatever else only the next block ends: open fences, indented code, other HTML.
    Open,
}

/// The lines a top-level block takes, from 0, both inclusive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) shape: Shape,
    pub(super) first: usize,
    pub(super) last: usize,
}

/// Where the settled part of a tail ends; nothing is settled by default.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Cut {
    /// The first line that stays in the tail.
    pub(super) line: usize,
    /// How many blocks settle.
    pub(super) blocks: usize,
}

/// A settled piece that can be parsed alone.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) blocks: Range<usize>,
    pub(super) lines: Range<usize>,
}

/// How much of the tail is settled; `None` when nothing is.
pub(super) fn cut(blocks: &[Extent], lines: &Lines<'_>) -> Option<Cut> {
    let open = lines.open();
    let last_is_blank = open > 0 && lines.is_blank(open - 1);
    let started = blocks.iter().take_while(|block| block.first < open).count();
    let Some(last) = started.checked_sub(1) else {
        // Only blank lines and link definitions so far, and a blank line ends the last of these.
        return last_is_blank.then_some(Cut { line: open, blocks: 0 });
    };
    let block = blocks.get(last)?;
    if is_closed(block, open, last_is_blank) {
        return Some(Cut { line: open, blocks: started });
    }
    if block.shape == Shape::List
        && let Some(line) = definitions_below(block, lines)
    {
        return Some(Cut { line, blocks: started });
    }
    let first = if belongs_to_the_block_above(blocks, last) { last - 1 } else { last };
    let line = blocks.get(first)?.first;
    (line > 0).then_some(Cut { line, blocks: first })
}

/// Whether no later line can reach into a block, although no other block has started.
fn is_closed(block: &Extent, open: usize, last_is_blank: bool) -> bool {
    // A closing fence or an underline on the incomplete line may still turn out to be text.
    let ends_on_a_complete_line = block.last < open;
    ends_on_a_complete_line
        && match block.shape {
            Shape::Complete => last_is_blank || block.last + 1 == open,
            Shape::Paragraph | Shape::Table | Shape::Quote | Shape::Html => last_is_blank,
            Shape::List | Shape::Open => false,
        }
}

/// The first of the definitions below a list that the complete lines end in. They leave no block behind, but below a
/// blank line have closed the list as any other text there would.
fn definitions_below(list: &Extent, lines: &Lines<'_>) -> Option<usize> {
    let mut first = None;
    for line in (list.first + 1..lines.open()).rev() {
        let is_blank = lines.is_blank(line);
        if !is_blank && !lines.text(line..line + 1).starts_with('[') {
            break;
        }
        if !is_blank && lines.is_blank(line - 1) {
            first = Some(line);
        }
    }
    first
}

/// A table directly below a paragraph was cut out of it. Its header line alone may mean something else (indented
/// code, a list item), so the two restart together.
fn belongs_to_the_block_above(blocks: &[Extent], at: usize) -> bool {
    let (Some(table), Some(above)) = (blocks.get(at), at.checked_sub(1).and_then(|above| blocks.get(above)))
    else {
        return false;
    };
    table.shape == Shape::Table && above.shape == Shape::Paragraph && above.last + 1 == table.first
}

/// The settled part in pieces of one block (two for a table below its paragraph), with the lines between.
pub(super) fn pieces(blocks: &[Extent], cut: &Cut) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (at, block) in blocks.iter().enumerate().take(cut.blocks) {
        match pieces.last_mut() {
            Some(above) if belongs_to_the_block_above(blocks, at) => above.blocks.end = at + 1,
            above => {
                let first = above.map_or(0, |above| {
                    above.lines.end = block.first;
                    block.first
                });
                pieces.push(Piece { blocks: at..at + 1, lines: first..cut.line });
            }
        }
    }
    pieces
}
