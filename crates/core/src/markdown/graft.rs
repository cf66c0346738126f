//! New nodes in the place of old ones inside containers that go on: what is kept is neither copied nor compared.

use super::diff;
use super::node::{CHUNK_LINES, Kind, Node};
use super::spine::Level;
use super::trace::Container;
use super::tree::{may_be_refused, shown_rows};

/// Whether what was parsed anew opens the same containers, in which `levels` keep children.
pub(super) fn fits(mut nodes: &[Node], mut kept: usize, levels: &[Level], mut new: &[Node]) -> bool {
    for level in levels {
        let (Some(old), Some(first)) = (nodes.get(kept), new.first()) else { return false };
        let goes_on = match (&level.container, &old.kind, &first.kind) {
            (Container::Quote, Kind::BlockQuote | Kind::Alert(_), Kind::BlockQuote)
            | (Container::Item(_), Kind::Item(None), Kind::Item(None)) => true,
            (Container::List, Kind::List { start: old, .. }, Kind::List { start: new, .. }) => {
                old.is_some() == new.is_some()
            }
            (Container::Code(_), Kind::CodeBlock { lang: old, .. }, Kind::CodeBlock { lang: new, .. }) => {
                old == new
            }
            (Container::Table, Kind::Table, Kind::Table) => {
                old.children.first() == first.children.first()
                    && !may_be_refused(columns(&first.children), level.kept + first.children.len())
            }
            _ => false,
        };
        if !goes_on {
            return false;
        }
        (nodes, kept, new) = (&old.children, level.kept, &first.children);
    }
    true
}

/// Makes `nodes` what they are with `new`, which `fits`, after the kept ones. The path to the first difference.
///
/// Without `write` it only says where that would be.
pub(super) fn graft(
    nodes: &mut Vec<Node>,
    kept: usize,
    levels: &[Level],
    new: Vec<Node>,
    write: bool,
) -> Vec<usize> {
    let Some((level, inner)) = levels.split_first() else { return replace(nodes, kept, new, write) };
    let mut new = new.into_iter();
    let (Some(old), Some(first)) = (nodes.get_mut(kept), new.next()) else { return Vec::new() };
    let mut path = match level.container {
        Container::Code(_) => grow_code(&mut old.children, level.kept, &code(&first.children), write),
        Container::Table => {
            let (kept, rows) = rows(first.children, level);
            replace(&mut old.children, kept, rows, write)
        }
        _ => graft(&mut old.children, level.kept, inner, first.children, write),
    };
    let kind = kind(&old.kind, &first.kind, level);
    if old.kind != kind {
        if path.is_empty() {
            path.push(old.children.len());
        }
        if write {
            old.kind = kind;
        }
    }
    if !path.is_empty() {
        path.insert(0, kept);
    }
    let rest = replace(nodes, kept + 1, new.collect(), write);
    if path.is_empty() { rest } else { path }
}

/// What is shown of the rows of a table that was opened again, and how many of those that are kept.
fn rows(children: Vec<Node>, level: &Level) -> (usize, Vec<Node>) {
    let columns = columns(&children);
    shown_rows(columns, level.kept, children.into_iter().skip(level.opening()))
}

fn columns(rows: &[Node]) -> usize {
    rows.first().map_or(0, |header| header.children.len())
}

/// The kind of a container of which only the end was parsed.
fn kind(old: &Kind, new: &Kind, level: &Level) -> Kind {
    match (old, new) {
        (Kind::List { start, .. }, Kind::List { tasks, tight, .. }) => {
            Kind::List { start: *start, tasks: *tasks || level.tasks, tight: *tight && !level.loose }
        }
        (Kind::CodeBlock { .. }, Kind::CodeBlock { .. }) => new.clone(),
        _ => old.clone(),
    }
}

/// Brings a block in line with what a part of its text is parsed to now: the part inside of `levels` that comes after
/// what they keep. Definitions change inlines and make plain items of tasks; the shape of the blocks stays. Whether
/// anything has changed.
pub(super) fn redraw(old: &mut Node, new: Node, levels: &[Level]) -> bool {
    let holds_blocks = |kind: &Kind| {
        matches!(
            kind,
            Kind::BlockQuote
                | Kind::Alert(_)
                | Kind::List { .. }
                | Kind::Item(_)
                | Kind::Table
                | Kind::Definition(_)
        )
    };
    let is_whole = match (&old.kind, &new.kind) {
        // Text never goes on inside of a task, and comrak leaves out the paragraph of one without words.
        (Kind::Item(old), Kind::Item(new)) => old != new,
        (old, new) if holds_blocks(old) && holds_blocks(new) => false,
        // Code waits for nothing, and may be there in part only.
        (Kind::CodeBlock { .. }, _) | (_, Kind::CodeBlock { .. }) => return false,
        _ => true,
    };
    if is_whole {
        let differs = *old != new;
        *old = new;
        return differs;
    }
    let (kept, new, mut inner) = match levels.split_first() {
        Some((level, inner)) if level.container == Container::Table => {
            let (kept, rows) = rows(new.children, level);
            (kept, rows, inner)
        }
        Some((level, inner)) => (level.kept, new.children, inner),
        None => (0, new.children, levels),
    };
    let mut differs = false;
    for (old, new) in old.children.iter_mut().skip(kept).zip(new) {
        differs |= redraw(old, new, inner);
        inner = &[];
    }
    if differs && let Kind::List { tasks, .. } = &mut old.kind {
        *tasks = old.children.iter().any(|item| matches!(item.kind, Kind::Item(Some(_))));
    }
    differs
}

/// Replaces what comes after the first `kept` nodes. The path to the first difference.
pub(super) fn replace(nodes: &mut Vec<Node>, kept: usize, new: Vec<Node>, write: bool) -> Vec<usize> {
    let mut path = diff::path(nodes.get(kept..).unwrap_or_default(), &new);
    if let Some(first) = path.first_mut() {
        let same = *first;
        *first += kept;
        if write {
            nodes.truncate(kept + same);
            nodes.extend(new.into_iter().skip(same));
        }
    }
    path
}

/// Replaces what comes after the first `kept` lines of a code block's children.
pub(super) fn grow_code(chunks: &mut Vec<Node>, kept: usize, text: &str, write: bool) -> Vec<usize> {
    let chunk = kept / CHUNK_LINES;
    let mut grown = String::new();
    if let Some(Node { kind: Kind::Lines(lines), .. }) = chunks.get(chunk) {
        lines.split_inclusive('\n').take(kept % CHUNK_LINES).for_each(|line| grown.push_str(line));
    }
    grown.push_str(text);
    let new = Node::code_block(String::new(), &grown, false).children;
    replace(chunks, chunk, new, write)
}

fn code(chunks: &[Node]) -> String {
    let mut text = String::new();
    for chunk in chunks {
        if let Kind::Lines(lines) = &chunk.kind {
            text.push_str(lines);
        }
    }
    text
}
