//! One long line of a paragraph: its beginning that nothing after it can change is not parsed again.
//!
//! What `paragraph` does between lines is done here between words of the line that is not complete: text is done with
//! up to a space when every mark before it has found its partner, and what follows is parsed behind a letter that
//! stands in for it. That holds as long as the line goes on: when it is complete, the next one can make a table of it,
//! and `paragraph` reads all of it once more.

use super::Document;
use super::paragraph::{MARKS, is_closed, line_start, waits};
use crate::markdown::graft::replace;
use crate::markdown::node::{Kind, Node};

/// The letter that stands in for the text before.
const STAND_IN: char = 'x';
/// At least so many bytes are parsed again before it is looked whether they have to be.
const LONG: usize = 64;
/// What the second line of a table is made of, apart from spaces. A line with anything else in it will never be one.
const DELIMITERS: [char; 3] = ['|', '-', ':'];

/// How much of the incomplete line is done with, and of all lines before it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    /// So many bytes of the tail; none when all of the line is parsed.
    pub(super) bytes: usize,
    /// So many inlines, and
    inlines: usize,
    /// so many bytes of the text that is the next one.
    text: usize,
    /// The length of the tail at which it was last looked whether there is more.
    tried: usize,
}

impl Document {
    /// Parses the part of the line that is not done with. The path to what changed; `None` if the line is complete, and in
    /// any doubt.
    pub(super) fn push_line(&mut self, tail: &str) -> Option<Vec<usize>> {
        let part = self.done.part;
        let rest = tail.get(part.bytes..).filter(|rest| part.bytes > 0 && !rest.contains('\n'))?;
        let (more, others) = self.inlines_behind(rest)?;
        let inlines = &mut self.blocks.get_mut(self.settled)?.children;
        let Kind::Text(text) = &inlines.get(part.inlines)?.kind else { return None };
        let text = format!("{}{more}", text.get(..part.text)?);
        let new = std::iter::once(Node::leaf(Kind::Text(text))).chain(others).collect();
        let mut path = replace(inlines, part.inlines, new, true);
        if !path.is_empty() {
            path.insert(0, self.settled);
        }
        Some(path)
    }

    /// Looks whether more of the incomplete line is done with.
    pub(super) fn pass_words(&mut self, tail: &str) {
        let (part, line) = (self.done.part, line_start(tail, tail.len()));
        let from = part.bytes.max(self.done.bytes);
        if tail.len() < from.max(line).max(part.tried) + LONG {
            return;
        }
        self.done.part.tried = tail.len();
        // The space itself is parsed again, and those before it: at the end of a line there are none.
        let before = tail.rfind(' ').and_then(|space| tail.get(..space)).unwrap_or_default();
        let place = before.trim_end().len();
        let (Some(words), Some(passed), Some(rest)) =
            (tail.get(line..place), tail.get(from..place), tail.get(place..))
        else {
            return;
        };
        if goes_on(words) && !waits(passed) {
            self.pass_to(place, rest);
        }
    }

    /// Passes over the text before a place in the line, if what follows it gives the last of the inlines there are.
    fn pass_to(&mut self, place: usize, rest: &str) {
        let Some((more, others)) = self.inlines_behind(rest) else { return };
        let [Node { kind: Kind::Paragraph, children }] = self.range(self.settled..self.blocks.len()) else {
            return;
        };
        let at = children.len().checked_sub(others.len() + 1);
        let Some((before, [Node { kind: Kind::Text(text), .. }, last @ ..])) =
            at.and_then(|at| children.split_at_checked(at))
        else {
            return;
        };
        let Some(kept) = text.strip_suffix(&*more).filter(|_| last == others) else { return };
        let Part { inlines, text: known, tried, .. } = self.done.part;
        let from = if before.len() == inlines { known } else { 0 };
        let is_closed =
            before.get(inlines.max(self.done.inlines)..).is_some_and(|new| new.iter().all(is_closed));
        if is_closed && kept.get(from..).is_some_and(|text| !text.contains(MARKS)) {
            self.done.part = Part { bytes: place, inlines: before.len(), text: kept.len(), tried };
        }
    }

    /// The text that a line goes on with, and what comes after it; `None` if it does anything else.
    fn inlines_behind(&mut self, words: &str) -> Option<(String, Vec<Node>)> {
        let mut inlines = self.inlines_of(&format!("{STAND_IN}{words}"))?.into_iter();
        let Kind::Text(text) = inlines.next()?.kind else { return None };
        Some((text.strip_prefix(STAND_IN)?.to_owned(), inlines.collect()))
    }
}

/// Whether a line that begins with these words will be no more than text of its paragraph: nothing that could still become
/// an item, which takes a second word, or the second line of a table.
fn goes_on(words: &str) -> bool {
    words.trim_start().contains(' ')
        && words.contains(|c: char| !c.is_whitespace() && !DELIMITERS.contains(&c))
}
