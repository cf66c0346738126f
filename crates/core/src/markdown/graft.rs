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
                    && !may_be_refused(columns(first), level.kept + first.children.len())
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
            let opening = 1 + usize::from(level.has_rows());
            let columns = columns(&first);
            let rows = first.children.into_iter().skip(opening);
            let (kept, rows) = shown_rows(columns, level.kept, rows);
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

fn columns(table: &Node) -> usize {
    table.children.first().map_or(0, |header| header.children.len())
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

/// Replaces what comes after the first `kept` nodes. The path to the first difference.
fn replace(nodes: &mut Vec<Node>, kept: usize, new: Vec<Node>, write: bool) -> Vec<usize> {
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
