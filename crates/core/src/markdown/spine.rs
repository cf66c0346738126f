//! The open containers at the end of a text, and where inside them parsing goes on.
//!
//! What `settle` does for the document is done here for what the document's last block holds: the children before
//! the last one that begins on a complete line are closed. They are *kept*; what follows them is parsed again, with
//! the containers opened anew in front of it. A table is opened by its header and some row, and only the incomplete
//! line is parsed; a fence by its first line, and as a rule nothing is (`code`).

use super::lines::Lines;
use super::node::{Kind, Node};
use super::region::Region;
use super::trace::{Container, Step};
use comrak::nodes::{ListDelimType, ListType, NodeList};
use std::borrow::Cow;
use std::iter::repeat_n;

/// An open container.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) container: Container,
    /// How many of its children are kept; of code, how many lines.
    pub(super) kept: usize,
    /// What is kept makes the list loose.
    pub(super) loose: bool,
    /// A task is among the kept items; only the first `noted` have been looked at.
    pub(super) tasks: bool,
    noted: usize,
}

impl Level {
    /// How many of its children are no more than what opens it again: a table's header, and a row if it has any.
    pub(super) fn opening(&self) -> usize {
        if self.container == Container::Table { self.kept.min(2) } else { 0 }
    }
}

/// The open containers, outermost first. None by default: then the whole tail is parsed.
#[derive(Clone, Debug, Default)]
pub(super) struct Spine {
    pub(super) levels: Vec<Level>,
    /// How many blocks of the tail are kept before the one that the first level is.
    pub(super) above: usize,
    /// What opens the containers.
    prefix: String,
    /// Where in the tail the text goes on that follows the prefix.
    pub(super) from: usize,
    /// The beginning of that line.
    pub(super) mark: usize,
    /// Only the place inside the innermost container is new.
    pub(super) same_levels: bool,
}

impl Spine {
    /// What has to be parsed of a tail.
    pub(super) fn source<'t>(&self, tail: &'t str) -> Cow<'t, str> {
        let rest = tail.get(self.from..).unwrap_or_default();
        if self.prefix.is_empty() {
            Cow::Borrowed(rest)
        } else {
            Cow::Owned(format!("{}{rest}", self.prefix))
        }
    }

    /// What lies before a place in the tail, as a piece that can be parsed alone. `settled` blocks are before the tail.
    pub(super) fn region(&self, settled: usize, tail: &str, end: usize) -> Region {
        let source = format!("{}{}", self.prefix, tail.get(self.from..end).unwrap_or_default());
        Region { first: settled + self.above, levels: self.levels.clone(), source }
    }

    /// The length of what has to be parsed.
    pub(super) fn source_len(&self, tail: &str) -> usize {
        self.prefix.len() + tail.len().saturating_sub(self.from)
    }

    /// The place in the tail of a place in the source.
    pub(super) fn place(&self, in_source: usize) -> usize {
        (in_source + self.from).saturating_sub(self.prefix.len())
    }

    /// Goes on at the last of `steps`, the way through what `lines` were parsed to.
    pub(super) fn further(&self, lines: &Lines<'_>, steps: &[Step]) -> Option<Self> {
        let last = steps.last()?;
        // Inside an open table or fence, or else where the last block begins.
        let (depth, line) = match last.lines {
            Some(_) => (steps.len(), lines.open()),
            None => {
                let line = last.above.unwrap_or(last.line);
                (steps.iter().position(|step| step.line >= line)?, line)
            }
        };
        let opened_on = if last.lines.is_some() { last.line } else { line };
        let (mut prefix, skipped) =
            opening(steps.get(..depth)?, lines.text(opened_on..opened_on + 1), opened_on)?;
        let mark = self.place(lines.start(line));
        let mut from = mark + skipped;
        if last.lines.is_some() {
            let height = if last.container == Some(Container::Table) { 2 } else { 1 };
            prefix.push_str(lines.text(opened_on..opened_on + height).get(skipped..)?);
            from = mark;
        }
        let (levels, same_levels) = self.levels_of(steps, depth)?;
        if levels.last().is_some_and(|level| level.opening() > 1) {
            write_row(&levels, &mut prefix);
        }
        let above = self.above + steps.first()?.index;
        Some(Self { levels, above, prefix, from, mark, same_levels })
    }

    /// The containers of the first steps, as far as possible those of `self` with more that is kept.
    fn levels_of(&self, steps: &[Step], depth: usize) -> Option<(Vec<Level>, bool)> {
        let mut levels = Vec::new();
        let mut known = steps.first()?.index == 0;
        for (at, step) in steps.iter().enumerate().take(depth) {
            let old = self.levels.get(at).filter(|_| known);
            let base = old.map_or(0, |level| level.kept);
            let kept = match steps.get(at + 1) {
                Some(next) => {
                    next.index - usize::from(next.above.is_some() && at + 1 == depth && next.lines.is_none())
                }
                // What opens a table again is not counted: the header is no line below itself, the row is one.
                None if step.container == Some(Container::Table) => {
                    (step.lines? + 1).checked_sub(old.map_or(0, Level::opening))?
                }
                None => step.lines?,
            };
            levels.push(Level {
                container: step.container.clone()?,
                kept: base + kept,
                loose: step.loose || old.is_some_and(|level| level.loose),
                tasks: old.is_some_and(|level| level.tasks),
                noted: old.map_or(0, |level| level.noted),
            });
            known &= kept == 0 || at + 1 == depth;
        }
        let same_levels = known && levels.len() == self.levels.len() && steps.len() == depth;
        (!levels.is_empty()).then_some((levels, same_levels))
    }

    /// Whether another way begins in the same containers.
    pub(super) fn is_opened_by(&self, steps: &[Step]) -> bool {
        steps.len() >= self.levels.len()
            && self
                .levels
                .iter()
                .zip(steps)
                .all(|(level, step)| step.index == 0 && step.container.as_ref() == Some(&level.container))
    }

    /// Whether a list on the way is loose that was not known to be.
    pub(super) fn may_loosen(&self, steps: &[Step]) -> bool {
        let known = |at: usize| self.levels.get(at).is_some_and(|level| level.loose);
        steps.iter().enumerate().any(|(at, step)| step.loose && !known(at))
    }

    /// Looks for tasks among the items that are newly kept.
    pub(super) fn note_tasks(&mut self, mut nodes: &[Node], mut kept: usize) {
        for level in &mut self.levels {
            let Some(node) = nodes.get(kept) else { return };
            (nodes, kept) = (&node.children, level.kept);
            if level.container == Container::List {
                let new = nodes.get(level.noted..kept).unwrap_or_default();
                level.tasks |= new.iter().any(|item| matches!(item.kind, Kind::Item(Some(_))));
                level.noted = kept;
            }
        }
    }
}

/// What opens the containers of `steps` in front of what begins on a line, and how many bytes of that line it stands
/// for. An item that began further up is on that line no more than a column of spaces, and gets its marker back.
fn opening(steps: &[Step], text: &str, line: usize) -> Option<(String, usize)> {
    let is_item_above = |step: &Step| step.line < line && matches!(step.container, Some(Container::Item(_)));
    let mut out = String::new();
    let Some(last) = steps.iter().rposition(is_item_above) else { return Some((out, 0)) };
    let mut rest = text;
    for step in steps.get(..=last)? {
        match step.container.as_ref()? {
            Container::Quote => {
                let inside = after_quote_mark(rest)?;
                out.push_str(rest.get(..rest.len() - inside.len())?);
                rest = inside;
            }
            Container::Item(list) => {
                rest = after_spaces(rest, list.marker_offset + list.padding)?;
                write_marker(list, &mut out);
            }
            _ => {}
        }
    }
    Some((out, text.len() - rest.len()))
}

/// What follows the `>` of a line and the space after it. A tab there is two columns of what follows or three, and has
/// to be refused by what reads that.
pub(super) fn after_quote_mark(line: &str) -> Option<&str> {
    let marked = line.trim_start_matches(' ');
    let inside = marked.strip_prefix('>').filter(|_| line.len() - marked.len() <= 3)?;
    Some(inside.strip_prefix(' ').unwrap_or(inside))
}

/// What follows that many spaces.
pub(super) fn after_spaces(line: &str, count: usize) -> Option<&str> {
    let (spaces, rest) = line.split_at_checked(count)?;
    spaces.bytes().all(|byte| byte == b' ').then_some(rest)
}

/// A row for a table that has some: after one, comrak sees no blank line at its end.
fn write_row(levels: &[Level], out: &mut String) {
    for level in levels {
        match &level.container {
            Container::Quote => out.push_str("> "),
            Container::Item(list) => out.extend(repeat_n(' ', list.marker_offset + list.padding)),
            _ => {}
        }
    }
    out.push_str("|x|\n");
}

fn write_marker(list: &NodeList, out: &mut String) {
    out.extend(repeat_n(' ', list.marker_offset));
    let begin = out.len();
    if list.list_type == ListType::Bullet {
        out.push(char::from(list.bullet_char));
    } else {
        out.push_str(&list.start.to_string());
        out.push(if list.delimiter == ListDelimType::Period { '.' } else { ')' });
    }
    out.extend(repeat_n(' ', (begin + list.padding).saturating_sub(out.len())));
}
