//! Footnotes: which reference leads to which note, by which number, and the notes in their order.
//!
//! comrak takes `[^name]` for a reference only if it knows a note of that name. It is told of all of them (`stubs`), so
//! that what a piece of text is parsed to never depends on notes elsewhere. Whether there is a note is decided here, for
//! the document: the first definition of a name wins, numbers follow the first references, and what leads nowhere is
//! the text that it is written as. Every definition is shown: the numbered ones first, then the others in their order.

use super::diff;
use super::node::{Kind, Node};
use super::references::{Label, normalise};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A name longer than this is none; bytes.
const MAX_NAME: usize = 200;

/// The numbers of the notes that references lead to.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// Which of `numbers` is that of a name.
    names: HashMap<Label, usize>,
    numbers: Vec<Option<u32>>,
}

impl Numbers {
    /// The number of the note that a reference leads to.
    pub(super) fn get(&self, written: &str) -> Option<u32> {
        let name = self.names.get(&normalise(written))?;
        self.numbers.get(*name).copied().flatten()
    }

    fn name(&mut self, written: &str) -> usize {
        let next = self.names.len();
        *self.names.entry(normalise(written)).or_insert(next)
    }
}

/// What a change of the blocks changes.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The path to the first of the blocks that may differ.
    pub(super) changed: Vec<usize>,
    /// The settled blocks that differ, in order.
    pub(super) redrawn: Vec<usize>,
    /// The path to the first of the notes that may differ.
    pub(super) notes: Vec<usize>,
}

/// A reference or a definition.
#[derive(Debug)]
struct Mark {
    /// Where it stands in the tree.
    path: Vec<usize>,
    name: usize,
    defines: bool,
    /// Which of the notes a definition is.
    note: usize,
}

/// The footnotes of a document.
#[derive(Debug, Default)]
pub(super) struct Footnotes {
    /// In reading order, which is that of their paths.
    marks: Vec<Mark>,
    /// The marks that define the notes, in the order of these.
    order: Vec<usize>,
    notes: Vec<Node>,
}

impl Footnotes {
    /// The notes: a [`Kind::Note`] each, which holds its blocks.
    pub(super) fn notes(&self) -> &[Node] {
        &self.notes
    }

    /// Brings numbers and notes up to date with `blocks`, of which the first `settled` ones were so before they changed.
    pub(super) fn update(
        &mut self,
        blocks: &mut [Node],
        numbers: &mut Numbers,
        settled: usize,
        mut changes: Changes,
    ) -> Changes {
        // The first note that may differ.
        let mut first = self.notes.len();
        let mut is_new = false;
        if !self.marks.is_empty() {
            for &block in &changes.redrawn {
                let marks = self.first_from(&[block])..self.first_from(&[block + 1]);
                let mut found = Scan { numbers, marks: Vec::new(), path: vec![block] };
                blocks.get(block).into_iter().for_each(|block| found.node(block));
                is_new |= self.replace(marks, found.marks, &mut first);
            }
        }
        if !changes.changed.is_empty() {
            let marks = self.first_from(&changes.changed)..self.marks.len();
            let mut found = Scan { numbers, marks: Vec::new(), path: Vec::new() };
            found.list(blocks, &changes.changed);
            is_new |= self.replace(marks, found.marks, &mut first);
            self.look_around(&changes.changed, &mut first);
        }
        if is_new {
            self.count(numbers);
            self.write_numbers(blocks, numbers, settled, &mut changes);
            first = 0;
        }
        self.collect(blocks, numbers, first, &mut changes);
        changes
    }

    fn first_from(&self, path: &[usize]) -> usize {
        self.marks.partition_point(|mark| mark.path.as_slice() < path)
    }

    /// Puts new marks in the place of old ones. Whether they are others; if not, only their places change.
    fn replace(&mut self, range: Range<usize>, found: Vec<Mark>, first: &mut usize) -> bool {
        let old = self.marks.get_mut(range.clone()).unwrap_or_default();
        let same = old.len() == found.len()
            && old.iter().zip(&found).all(|(old, new)| (old.name, old.defines) == (new.name, new.defines));
        if !same {
            self.marks.splice(range, found);
            return true;
        }
        for (old, new) in old.iter_mut().zip(found) {
            old.path = new.path;
            if old.defines {
                *first = old.note.min(*first);
            }
        }
        false
    }

    /// Looks for definitions around a place.
    fn look_around(&self, place: &[usize], first: &mut usize) {
        for length in 1..place.len() {
            let around = place.get(..length).unwrap_or_default();
            if let Some(mark) = self.marks.get(self.first_from(around))
                && mark.defines
                && mark.path == around
            {
                *first = mark.note.min(*first);
            }
        }
    }

    /// Gives the notes their order and their numbers.
    fn count(&mut self, numbers: &mut Numbers) {
        let names = numbers.names.len();
        let (mut defined, mut given) = (vec![None; names], vec![None; names]);
        for (at, mark) in self.marks.iter().enumerate().filter(|(_, mark)| mark.defines) {
            if let Some(first @ None) = defined.get_mut(mark.name) {
                *first = Some(at);
            }
        }
        self.order.clear();
        for mark in self.marks.iter().filter(|mark| !mark.defines) {
            if let (Some(Some(at)), Some(number @ None)) = (defined.get(mark.name), given.get_mut(mark.name))
            {
                self.order.push(*at);
                *number = u32::try_from(self.order.len()).ok();
            }
        }
        for (at, mark) in self.marks.iter().enumerate().filter(|(_, mark)| mark.defines) {
            let is_numbered = given.get(mark.name).is_some_and(Option::is_some)
                && defined.get(mark.name) == Some(&Some(at));
            if !is_numbered {
                self.order.push(at);
            }
        }
        for (note, at) in self.order.iter().enumerate() {
            if let Some(mark) = self.marks.get_mut(*at) {
                mark.note = note;
            }
        }
        numbers.numbers = given;
    }

    /// Writes the numbers into the references.
    fn write_numbers(&self, blocks: &mut [Node], numbers: &Numbers, settled: usize, changes: &mut Changes) {
        for mark in self.marks.iter().filter(|mark| !mark.defines) {
            let now = numbers.numbers.get(mark.name).copied().flatten();
            let Some(Kind::NoteRef { number, .. }) = kind_at(blocks, &mark.path) else { continue };
            if *number == now {
                continue;
            }
            *number = now;
            let block = mark.path.first().copied().unwrap_or_default();
            if block < settled {
                if let Err(place) = changes.redrawn.binary_search(&block) {
                    changes.redrawn.insert(place, block);
                }
            } else if changes.changed.is_empty() || mark.path < changes.changed {
                changes.changed.clone_from(&mark.path);
            }
        }
    }

    /// Takes the notes from number `first` on out of the blocks anew.
    fn collect(&mut self, blocks: &[Node], numbers: &Numbers, first: usize, changes: &mut Changes) {
        let mut new = Vec::new();
        for at in self.order.iter().skip(first) {
            let Some(mark) = self.marks.get(*at) else { continue };
            let numbered = numbers.numbers.get(mark.name).copied().flatten();
            let own = u32::try_from(mark.note + 1).ok();
            let children = node_at(blocks, &mark.path).map(|node| node.children.clone()).unwrap_or_default();
            new.push(Node { kind: Kind::Note(numbered.filter(|_| numbered == own)), children });
        }
        let mut path = diff::path(self.notes.get(first..).unwrap_or_default(), &new);
        if let Some(same) = path.first_mut() {
            self.notes.truncate(first + *same);
            self.notes.extend(new.into_iter().skip(*same));
            *same += first;
        }
        changes.notes = path;
    }
}

/// Finds the marks of some nodes.
struct Scan<'n> {
    numbers: &'n mut Numbers,
    marks: Vec<Mark>,
    path: Vec<usize>,
}

impl Scan<'_> {
    /// Those of a list of nodes, at a place and after it.
    fn list(&mut self, nodes: &[Node], place: &[usize]) {
        let (first, inward) = place.split_first().map_or((0, place), |(first, inward)| (*first, inward));
        for (at, node) in nodes.iter().enumerate().skip(first) {
            self.path.push(at);
            if at == first && !inward.is_empty() {
                self.list(&node.children, inward);
            } else {
                self.node(node);
            }
            self.path.pop();
        }
    }

    fn node(&mut self, node: &Node) {
        let found = match &node.kind {
            Kind::NoteRef { name, .. } => Some((name, false)),
            Kind::Definition(name) => Some((name, true)),
            _ => None,
        };
        if let Some((name, defines)) = found {
            let name = self.numbers.name(name);
            self.marks.push(Mark { path: self.path.clone(), name, defines, note: 0 });
        }
        self.list(&node.children, &[]);
    }
}

fn node_at<'b>(blocks: &'b [Node], path: &[usize]) -> Option<&'b Node> {
    let (first, inward) = path.split_first()?;
    inward.iter().try_fold(blocks.get(*first)?, |node, at| node.children.get(*at))
}

fn kind_at<'b>(blocks: &'b mut [Node], path: &[usize]) -> Option<&'b mut Kind> {
    let (first, inward) = path.split_first()?;
    let found = inward.iter().try_fold(blocks.get_mut(*first)?, |node, at| node.children.get_mut(*at));
    found.map(|node| &mut node.kind)
}

/// Empty notes of all names that `source` may refer to, to stand before it. Names too many are harmless.
pub(super) fn stubs(source: &str) -> String {
    let (mut out, mut written) = (String::new(), HashSet::new());
    for (at, mark) in source.match_indices("[^") {
        let rest = source.get(at + mark.len()..).unwrap_or_default();
        // A bar in the cell of a table stands behind a backslash.
        let end = rest.bytes().take(2 * MAX_NAME + 1).position(|byte| matches!(byte, b']' | b'\n'));
        let Some((name, after)) = end.and_then(|end| rest.split_at_checked(end)) else { continue };
        if after.starts_with(']') && !name.is_empty() && written.insert(name) {
            // A definition's name has no blanks, but one is equal to another.
            let name = name.trim_matches([' ', '\t']).replace([' ', '\t'], "\u{a0}");
            let in_cell = name.replace("\\|", "|");
            if in_cell != name {
                write_stub(&in_cell, &mut out);
            }
            write_stub(&name, &mut out);
        }
    }
    if !out.is_empty() {
        // Indented text would go on inside the last of them.
        out.push_str("***\n");
    }
    out
}

fn write_stub(name: &str, out: &mut String) {
    out.push_str("[^");
    out.push_str(name);
    out.push_str("]:\n");
}

/// The name in `text`, which comrak found between the brackets of a reference in pieces, each with its length in the
/// source. One that is written with escapes or entities is none: `stubs` reads no such.
pub(super) fn name(pieces: &[(String, usize)]) -> Option<String> {
    let text: String = pieces.iter().map(|(text, _)| text.as_str()).collect();
    let as_written = pieces.iter().all(|(text, length)| text.len() == *length);
    let name = text.strip_prefix('^').filter(|name| as_written && name.len() <= MAX_NAME)?;
    Some(name.to_owned())
}

/// Whether a line that begins like this, after at most three spaces, certainly begins a note.
pub(super) fn begins_note(line: &str) -> bool {
    let name = line.strip_prefix("[^").and_then(|rest| rest.split_once(']'));
    name.is_some_and(|(name, after)| {
        !name.is_empty() && !name.contains([' ', '\t', '\n', '\r']) && after.starts_with(':')
    })
}
