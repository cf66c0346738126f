//! One long paragraph: the lines at its beginning that nothing after them can change are not parsed again.
//!
//! The tail is that paragraph alone. Its text is done with up to the beginning of a line when every mark before it has
//! found its partner, since an inline that is closed stays closed; what follows is parsed below a line that stands in
//! for the text before. Of definitions, which also are a paragraph until something follows, those are done with that
//! another bracket follows on the next line; but a table below makes text of them all again, so they stay open.
//! In any doubt the whole tail is parsed. Inside the line that is not complete `line` goes on.

use super::Document;
use super::line::Part;
use crate::markdown::graft::replace;
use crate::markdown::lines::Lines;
use crate::markdown::node::{Kind, Node};
use crate::markdown::parser::Parsed;
use crate::markdown::references::{Candidates, candidates, harvest};
use crate::markdown::settle::cut;

/// The line that stands in for those before.
const STAND_IN: &str = "x\n";
/// What may begin or end an inline that reaches further than its line.
pub(super) const MARKS: [char; 9] = ['`', '*', '_', '~', '[', ']', '<', '$', '\\'];
/// What begins a formula, and leaves no mark behind when it is none.
const FORMULAS: [&str; 2] = ["\\(", "\\["];
/// What an address begins with. A label that has been found may still get one, and then goes there instead.
const ADDRESS: &str = "](";

/// How much of the tail's one paragraph is done with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// So many bytes of the tail; none when it is not known to be one paragraph.
    pub(super) bytes: usize,
    /// So many of its inlines; none of definitions, which leave nothing behind.
    pub(super) inlines: usize,
    /// The line before which it was last looked whether there is more.
    tried: usize,
    /// How much of the incomplete line as well.
    pub(super) part: Part,
}

impl Document {
    /// Parses the lines of the paragraph that are not done with. The path to what changed; `None` in any doubt.
    pub(super) fn push_paragraph(&mut self, tail: &str, redrawn: &mut Vec<usize>) -> Option<Vec<usize>> {
        if self.done.bytes.max(self.done.part.bytes) == 0 {
            return None;
        }
        let changed = if begins_with_definition(tail) {
            self.push_definitions(tail, redrawn)
        } else {
            self.push_text(tail)
        };
        if changed.is_some() {
            self.pass_lines(tail);
        } else {
            self.done = Done::default();
            self.known.let_go();
        }
        changed
    }

    fn push_text(&mut self, tail: &str) -> Option<Vec<usize>> {
        if let Some(changed) = self.push_line(tail) {
            return Some(changed);
        }
        self.done.part = Part::default();
        let lines = tail.get(self.done.bytes..).filter(|_| self.done.bytes > 0)?;
        let inlines = self.inlines_below(lines)?;
        let paragraph = self.blocks.get_mut(self.settled)?;
        let mut path = replace(&mut paragraph.children, self.done.inlines, inlines, true);
        if !path.is_empty() {
            path.insert(0, self.settled);
        }
        Some(path)
    }

    fn push_definitions(&mut self, tail: &str, redrawn: &mut Vec<usize>) -> Option<Vec<usize>> {
        let rest = tail.get(self.done.bytes..)?;
        let labels = candidates(rest);
        let found = harvest(rest, &labels);
        self.parsed_bytes += if labels.is_empty() { 0 } else { rest.len() };
        let before = self.known.replace_open(found);
        let parsed = self.parse(rest, &labels);
        if !is_one_paragraph(&parsed, rest) && !parsed.nodes.is_empty()
            || cut(&parsed.extents, &Lines::new(rest)).is_some()
        {
            // What is asked next compares with what was open before.
            self.known.replace_open(before);
            return None;
        }
        let changed = replace(&mut self.blocks, self.settled, parsed.nodes, true);
        let redefined = self.known.settle(Default::default(), &before);
        *redrawn = self.redraw(&redefined);
        Some(changed)
    }

    /// Looks whether more lines of the paragraph are done with.
    pub(super) fn pass_lines(&mut self, tail: &str) {
        let is_text = !begins_with_definition(tail);
        if is_text && !self.known.has_open() {
            self.pass_words(tail);
        }
        let open = line_start(tail, tail.len());
        // A line of text may become the header of a table, when the next one is complete.
        let line = if is_text { line_start(tail, open.saturating_sub(1)) } else { open };
        let (Some(lines), Some(rest)) = (tail.get(self.done.bytes..line), tail.get(line..)) else { return };
        if line <= self.done.tried {
            return;
        }
        self.done.tried = line;
        if !is_text {
            self.pass_definitions(lines, rest);
        } else if !self.known.has_open() && !waits(lines) {
            self.pass_text(rest, line);
        }
    }

    /// Passes over `lines` if they are definitions to their last.
    fn pass_definitions(&mut self, lines: &str, open: &str) {
        if !begins_with_definition(open) {
            return;
        }
        let labels = candidates(lines);
        if labels.is_empty() || !self.parse(lines, &labels).nodes.is_empty() {
            return;
        }
        self.known.keep(harvest(lines, &labels));
        self.done.bytes += lines.len();
    }

    /// Passes over the text before a line, if what is there from that line on gives the last of the inlines there are.
    fn pass_text(&mut self, rest: &str, line: usize) {
        let Some(inlines) = self.inlines_below(rest) else { return };
        let [Node { kind: Kind::Paragraph, children }] = self.range(self.settled..self.blocks.len()) else {
            return;
        };
        let Some((before, last)) =
            children.len().checked_sub(inlines.len()).and_then(|at| children.split_at_checked(at))
        else {
            return;
        };
        let passed = before.get(self.done.inlines..);
        if last == inlines && passed.is_some_and(|passed| passed.iter().all(is_closed)) {
            self.done = Done { bytes: line, inlines: before.len(), tried: line, part: self.done.part };
        }
    }

    /// The inlines of lines that continue a paragraph; `None` if they do anything else.
    fn inlines_below(&mut self, lines: &str) -> Option<Vec<Node>> {
        let mut inlines = self.inlines_of(&format!("{STAND_IN}{lines}"))?;
        (!inlines.is_empty()).then(|| inlines.remove(0))?;
        Some(inlines)
    }

    /// The inlines of one paragraph; `None` if it is anything else.
    pub(super) fn inlines_of(&mut self, source: &str) -> Option<Vec<Node>> {
        let parsed = self.parse(source, &Candidates::new());
        let goes_on = is_one_paragraph(&parsed, source);
        Some(parsed.nodes.into_iter().next().filter(|_| goes_on)?.children)
    }
}

/// Where the line begins that a place is in.
pub(super) fn line_start(text: &str, place: usize) -> usize {
    text.get(..place).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}

/// Whether a text begins with what may be a definition, indented or not.
fn begins_with_definition(text: &str) -> bool {
    text.trim_start_matches(' ').starts_with('[')
}

/// Whether all of a text is one paragraph, and may go on as that.
fn is_one_paragraph(parsed: &Parsed, source: &str) -> bool {
    let lines = Lines::new(source);
    matches!(&*parsed.nodes, [Node { kind: Kind::Paragraph, .. }])
        && cut(&parsed.extents, &lines).is_none()
        // Below a blank line there may be a definition, which is no node.
        && matches!(&*parsed.extents, [block] if lines.text(block.last + 1..lines.open() + 1).trim().is_empty())
}

/// Whether something in a text that leaves no mark behind waits for what follows.
pub(super) fn waits(text: &str) -> bool {
    FORMULAS.iter().any(|mark| text.contains(mark)) || text.split(ADDRESS).skip(1).any(may_be_address)
}

/// Whether text that follows can decide if this is an address with its title, up to a parenthesis. In doubt it can.
fn may_be_address(text: &str) -> bool {
    let is_space = |c| c <= ' ';
    let text = text.trim_start_matches(is_space);
    let (word, rest) = text.split_once(is_space).unwrap_or((text, ""));
    if word.starts_with('<') {
        return true;
    }
    let count = |mark| word.matches(mark).count();
    if !word.contains('\\') && count(')') > count('(') {
        return false;
    }
    let rest = rest.trim_start_matches(is_space);
    let title = rest.get(1..).unwrap_or_default();
    let end = match rest.chars().next() {
        Some('(') => ')',
        Some(quote @ ('"' | '\'')) => quote,
        begins => return begins.is_none(),
    };
    !title.split_once(end).is_some_and(|(title, rest)| {
        !title.contains('\\') && rest.trim_start_matches(is_space).starts_with(')')
    })
}

/// Whether every mark in an inline has found its partner.
pub(super) fn is_closed(inline: &Node) -> bool {
    let text = match &inline.kind {
        Kind::Text(text) | Kind::Image { alt: text, .. } => text,
        _ => return inline.children.iter().all(is_closed),
    };
    !text.contains(MARKS)
}
