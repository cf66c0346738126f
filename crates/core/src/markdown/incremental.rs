//! The append-only Markdown document: text in by pieces, a typed tree out, settled blocks never made again.
//!
//! Only the tail, the text after the last settled block, is parsed when more text comes, and of an open list,
//! quotation, table or fence only what `spine` says, of one long paragraph what `paragraph` and `line` say. What settles is
//! decided in `settle`; definitions that reach back into settled blocks are `region`'s. The blocks are at every moment
//! those that [`parse`](super::parse) makes of the same text.

mod line;
mod paragraph;

use super::code::code;
use super::footnotes::{Changes, Footnotes};
use super::graft::{fits, graft, grow_code, redraw};
use super::intake::Intake;
use super::lines::Lines;
use super::node::{Kind, Node};
use super::parser::{self, Parsed};
use super::references::{Candidates, Definitions, Label, candidates, harvest};
use super::region::{Region, Regions};
use super::settle::{Cut, cut, pieces};
use super::spine::Spine;
use super::trace::{Container, Step};
use paragraph::Done;
use std::collections::HashSet;
use std::ops::Range;

/// At how many places to go on from is looked at, for one that was begun.
const MAX_TRIES: usize = 4;

/// What one `push` changed. Block numbers count the document's top-level blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// Settled blocks that a new definition, of a link or of a footnote, changed; patch them in place.
    pub redrawn: Vec<usize>,
    /// The path to the first of what may differ, apart from `redrawn`; empty when nothing does.
    ///
    /// The blocks before `changed[0]` are as they were. If there is a `changed[1]`, that block is still the same
    /// element (its kind may differ in attributes: a list's start, tasks and tightness, a code block's language and
    /// whether it is closed), and its children before `changed[1]` are as they were; and so on inward. Everything at
    /// or after each of these places may differ.
    pub changed: Vec<usize>,
    /// The path to the first of the [notes](Document::notes) that may differ, as in `changed`.
    pub notes: Vec<usize>,
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
    kept: Kept,
    /// How much of it need not be parsed again, if the tail is one paragraph.
    done: Done,
    footnotes: Footnotes,
    /// The last place in the tail at which it was tried to go on.
    tried: usize,
    parsed_bytes: usize,
}

/// What is kept of the tail's last block while it grows.
#[derive(Debug, Default)]
struct Kept {
    /// Where in the tail parsing goes on.
    spine: Spine,
    /// The pieces that asked for labels. A definition can change them once they are settled.
    asking: Vec<(Region, HashSet<Label>)>,
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
        let (before, was_over, settled) = (self.tail.len(), self.intake.over(), self.settled);
        self.intake.feed(chunk, &mut self.tail);
        let mut redrawn = Vec::new();
        let mut changed = if self.tail.len() == before {
            Vec::new()
        } else if let Some(changed) = self.push_code() {
            changed
        } else {
            self.parse_tail(&mut redrawn)
        };
        if let (None, Some(limit)) = (was_over, self.intake.over()) {
            // Nothing is parsed any more: this block stays the last.
            if changed.is_empty() {
                changed.push(self.blocks.len());
            }
            self.blocks.push(Node::leaf(Kind::Shortened(limit)));
        }
        let changes = Changes { changed, redrawn, ..Changes::default() };
        let changes = self.footnotes.update(&mut self.blocks, &mut self.known.notes, settled, changes);
        let Changes { changed, redrawn, notes } = changes;
        Update { redrawn, changed, notes, settled: self.settled, len: self.blocks.len() }
    }

    /// All text so far, byte for byte as it was pushed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The top-level blocks, equal to those of a one-shot parse of `text()`.
    pub fn blocks(&self) -> &[Node] {
        &self.blocks
    }

    /// The footnotes, to be shown below all blocks; a [`Kind::Note`] each.
    pub fn notes(&self) -> &[Node] {
        self.footnotes.notes()
    }

    /// The end of the text that is not settled, with its line ends made LF.
    pub fn tail(&self) -> &str {
        &self.tail
    }

    /// Some blocks.
    pub fn range(&self, range: Range<usize>) -> &[Node] {
        self.blocks.get(range).unwrap_or_default()
    }

    /// How many bytes the next push will have parsed again, besides its own. It is large only where one line of
    /// a paragraph is (or a block without an inside to go on in): who draws a huge one may push less often.
    pub fn pending_cost(&self) -> usize {
        self.kept.spine.source_len(&self.tail).saturating_sub(self.done.bytes.max(self.done.part.bytes))
    }

    /// How many bytes have been given to the parser so far: what the document has cost.
    pub fn parsed_bytes(&self) -> usize {
        self.parsed_bytes + self.regions.parsed_bytes
    }

    /// The kinds of the open containers inside which the next push goes on, outermost first.
    pub fn open_containers(&self) -> impl Iterator<Item = &'static str> {
        self.kept.spine.levels.iter().map(|level| match level.container {
            Container::Quote => "quote",
            Container::List => "list",
            Container::Item(_) => "item",
            Container::Table => "table",
            Container::Code(_) => "code",
        })
    }

    /// Takes in lines of an open fence; `None` if anything else may have come.
    fn push_code(&mut self) -> Option<Vec<usize>> {
        let code = code(&self.kept.spine.levels, self.tail.get(self.kept.spine.from..)?)?;
        let (mut nodes, mut kept) = (&mut self.blocks, self.settled + self.kept.spine.above);
        let mut path = Vec::new();
        for level in &mut self.kept.spine.levels {
            path.push(kept);
            nodes = &mut nodes.get_mut(kept)?.children;
            kept = level.kept;
            if matches!(level.container, Container::Code(_)) {
                level.kept += code.lines;
            }
        }
        self.kept.spine.from += code.bytes;
        self.kept.spine.mark = self.kept.spine.from;
        let inside = grow_code(nodes, kept, &code.text, true);
        if inside.is_empty() {
            return Some(inside);
        }
        path.extend(inside);
        Some(path)
    }

    /// Parses the tail, settles what can be settled. Returns the path to what changed.
    fn parse_tail(&mut self, redrawn: &mut Vec<usize>) -> Vec<usize> {
        let tail = std::mem::take(&mut self.tail);
        if let Some(changed) = self.push_paragraph(&tail, redrawn) {
            self.tail = tail;
            return changed;
        }
        let resumed = self.resume(&tail);
        // Or else all of the tail is parsed, and later perhaps the end again.
        let parked = if resumed.is_some() { Kept::default() } else { std::mem::take(&mut self.kept) };
        let source = self.kept.spine.source(&tail);
        let labels = if resumed.is_some() { Candidates::new() } else { candidates(&source) };
        // In the tail comrak itself knows these; it will ask for them when its budget is spent.
        let found = harvest(&source, &labels);
        self.parsed_bytes += if labels.is_empty() { 0 } else { source.len() };
        let defines = !found.is_empty();
        let before = self.known.replace_open(found);
        let mut parsed = resumed.unwrap_or_else(|| self.parse(&source, &labels));

        let lines = Lines::new(&source);
        let cut = cut(&parsed.extents, &lines).unwrap_or_default();
        let head = lines.text(0..cut.line);
        let redefined = self.known.settle(harvest(head, &candidates(head)), &before);

        let spine = &self.kept.spine;
        let nodes = std::mem::take(&mut parsed.nodes);
        let changed = graft(&mut self.blocks, self.settled + spine.above, &spine.levels, nodes, true);
        *redrawn = self.redraw(&redefined);
        if defines {
            parsed.steps.clear();
        }
        if cut.line > 0 {
            self.settle(&tail, &lines, &cut, parsed, parked);
            return changed;
        }
        self.go_on_inside(&lines, parsed.steps, &parsed.asked, &tail);
        if self.kept.spine.levels.is_empty() {
            self.kept = parked;
        }
        if self.kept.spine.levels.is_empty() {
            self.pass_lines(&tail);
        }
        self.tail = tail;
        changed
    }

    /// Parses the end of the tail inside the containers in which it goes on. `None` if there are none, in any doubt,
    /// and as long as definitions are about, which can take away blocks and change what is kept.
    fn resume(&mut self, tail: &str) -> Option<Parsed> {
        let source = self.kept.spine.source(tail);
        if self.kept.spine.levels.is_empty() || !candidates(&source).is_empty() {
            return None;
        }
        let parsed = self.parse(&source, &Candidates::new());
        if self.fits(&self.kept.spine, &parsed) {
            return Some(parsed);
        }
        self.kept = Kept::default();
        None
    }

    /// Settles the blocks before a cut, and begins anew behind them.
    fn settle(&mut self, tail: &str, lines: &Lines<'_>, cut: &Cut, parsed: Parsed, parked: Kept) {
        let Kept { spine: parsed_at, asking } = std::mem::take(&mut self.kept);
        let place = |line| parsed_at.place(lines.start(line));
        for (region, asked) in asking.into_iter().chain(parked.asking) {
            self.regions.add_waiting(region, asked);
        }
        if !parsed.asked.is_empty() || self.known.has_open() {
            let spine = if parked.spine.levels.is_empty() { &parsed_at } else { &parked.spine };
            for piece in pieces(&parsed.extents, cut) {
                // Of the first block only the end may have been parsed.
                let region = if piece.blocks.start == 0 {
                    spine.region(self.settled, tail, place(piece.lines.end))
                } else {
                    let first = self.settled + parsed_at.above + piece.blocks.start;
                    Region { first, levels: Vec::new(), source: lines.text(piece.lines).to_owned() }
                };
                self.regions.add(region, &self.known);
            }
        }
        self.settled += parsed_at.above + cut.blocks;
        self.tried = 0;
        self.done = Done::default();
        let rest = tail.get(place(cut.line)..).unwrap_or_default().to_owned();
        let mut steps = parsed.steps;
        drop_settled(&mut steps, cut);
        self.go_on_inside(&Lines::new(&rest), steps, &parsed.asked, &rest);
        self.tail = rest;
    }

    fn parse(&mut self, source: &str, labels: &Candidates) -> Parsed {
        self.parsed_bytes += source.len();
        parser::parse(source, labels, &self.known)
    }

    fn fits(&self, spine: &Spine, parsed: &Parsed) -> bool {
        fits(&self.blocks, self.settled + spine.above, &spine.levels, &parsed.nodes)
    }

    /// Looks for a place inside the last block at which parsing can go on from now on.
    fn go_on_inside(&mut self, lines: &Lines<'_>, steps: Vec<Step>, asked: &HashSet<Label>, tail: &str) {
        let mut steps = steps;
        let tried = self.tried.max(self.kept.spine.mark);
        let complete = lines.text(0..lines.open());
        let mut is_complete = complete.len() == lines.source().len();
        for _ in 0..MAX_TRIES {
            if let Some(mut next) = self.kept.spine.further(lines, &steps) {
                if next.mark <= tried {
                    return;
                }
                self.tried = self.tried.max(next.mark);
                // The incomplete line can make a list loose that it will leave in the end.
                if !is_complete && self.kept.spine.may_loosen(&steps) {
                    steps = self.parse(complete, &Candidates::new()).steps;
                    is_complete = true;
                    continue;
                }
                next.note_tasks(&self.blocks, self.settled + next.above);
                if next.same_levels || self.agrees(&next, tail) {
                    if !asked.is_empty() {
                        let region = self.kept.spine.region(self.settled, tail, next.mark);
                        self.kept.asking.push((region, asked.clone()));
                    }
                    self.kept.spine = next;
                    return;
                }
            }
            match steps.last_mut() {
                Some(step) if step.lines.is_some() => step.lines = None,
                Some(step) => {
                    let line = step.line;
                    steps.truncate(steps.iter().take_while(|step| step.line < line).count());
                }
                None => return,
            }
        }
    }

    /// Whether going on there gives what has been parsed otherwise.
    fn agrees(&mut self, next: &Spine, tail: &str) -> bool {
        let source = next.source(tail);
        if !candidates(&source).is_empty() {
            return false;
        }
        let parsed = self.parse(&source, &Candidates::new());
        next.is_opened_by(&parsed.steps) && self.fits(next, &parsed) && {
            let kept = self.settled + next.above;
            graft(&mut self.blocks, kept, &next.levels, parsed.nodes, false).is_empty()
        }
    }

    /// Brings settled blocks in line with the labels whose definition changed; those that look different now.
    fn redraw(&mut self, changed: &HashSet<Label>) -> Vec<usize> {
        let mut redrawn = Vec::new();
        if changed.is_empty() {
            return redrawn;
        }
        let blocks = &mut self.blocks;
        self.regions.redraw(changed, &self.known, |region, nodes| {
            let mut levels = region.levels.as_slice();
            for (number, node) in (region.first..).zip(nodes) {
                let differs = blocks.get_mut(number).is_some_and(|block| redraw(block, node, levels));
                if differs && redrawn.last() != Some(&number) {
                    redrawn.push(number);
                }
                levels = &[];
            }
        });
        redrawn
    }
}

/// The way through what is left after a cut; none when nothing is left that it leads through.
fn drop_settled(steps: &mut Vec<Step>, cut: &Cut) {
    match steps.first_mut() {
        Some(first) if first.index >= cut.blocks => first.index -= cut.blocks,
        _ => steps.clear(),
    }
    for step in steps {
        step.line = step.line.saturating_sub(cut.line);
        step.above = step.above.map(|line| line.saturating_sub(cut.line));
    }
}
