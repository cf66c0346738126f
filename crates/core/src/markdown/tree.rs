//! From comrak's blocks to ours. This is where HTML becomes text, and where hostile shapes are flattened.
//!
//! The result depends on the parsed text alone, never on how it was cut into chunks. Inlines are in `inline`.

use super::footnotes::Numbers;
use super::inline::inlines;
use super::lines::Lines;
use super::node::{AlertKind, Align, Kind, Limit, Node};
use super::references::normalise;
use comrak::nodes::{AlertType, AstNode, ListType, NodeAlert, NodeCodeBlock, NodeList, NodeTable};
use comrak::nodes::{NodeValue, TableAlignment};

/// Quotes and lists nested deeper than this are shown as their source: no page can draw them, and neither this
/// module nor the destructor of the tree may recurse as deep as a hostile text likes.
const MAX_DEPTH: usize = 40;
/// Tables wider than this are shown as their source.
const MAX_COLUMNS: usize = 100;
/// The rows of a table with more cells than this are left out.
const MAX_CELLS: usize = 20_000;
/// The number of cells that comrak adds to the rows of a table; the next row that is too short is text.
const COMRAK_MAX_CELLS: usize = 500_000;
/// No language has a longer name.
const MAX_LANG: usize = 32;

/// Builds nodes from the AST of one text.
pub(super) struct Builder<'s> {
    lines: Lines<'s>,
    notes: &'s Numbers,
}

impl<'s> Builder<'s> {
    /// For the AST of `text`, which source positions refer to.
    pub(super) fn new(text: &'s str, notes: &'s Numbers) -> Self {
        Self { lines: Lines::new(text), notes }
    }

    /// The lines of the text.
    pub(super) fn lines(&self) -> &Lines<'s> {
        &self.lines
    }

    /// The node for a top-level block.
    pub(super) fn block<'a>(&self, block: &'a AstNode<'a>) -> Node {
        self.nested(block, 0)
    }

    fn nested<'a>(&self, block: &'a AstNode<'a>, depth: usize) -> Node {
        match &block.data().value {
            NodeValue::Paragraph => Node { kind: Kind::Paragraph, children: self.inlines(block) },
            NodeValue::Heading(heading) => {
                Node { kind: Kind::Heading(heading.level.clamp(1, 6)), children: self.inlines(block) }
            }
            NodeValue::ThematicBreak => Node::leaf(Kind::Rule),
            NodeValue::CodeBlock(code) => code_block(code),
            NodeValue::HtmlBlock(html) => {
                Node::leaf(Kind::HtmlSource(html.literal.trim_end_matches('\n').to_owned()))
            }
            NodeValue::BlockQuote
            | NodeValue::Alert(_)
            | NodeValue::List(_)
            | NodeValue::FootnoteDefinition(_)
                if depth >= MAX_DEPTH =>
            {
                self.shortened(Limit::Nesting, block)
            }
            NodeValue::FootnoteDefinition(definition) => {
                let kind = Kind::Definition(normalise(&definition.name));
                Node { kind, children: self.children(block, depth).collect() }
            }
            NodeValue::BlockQuote => {
                Node { kind: Kind::BlockQuote, children: self.children(block, depth).collect() }
            }
            NodeValue::Alert(alert) => self.alert(block, alert, depth),
            NodeValue::List(list) => self.list(block, list, depth),
            NodeValue::Table(table) => self.table(block, table),
            // Nothing else is enabled; what comes all the same stays visible.
            _ => self.source(block),
        }
    }

    fn inlines<'a>(&self, block: &'a AstNode<'a>) -> Vec<Node> {
        inlines(block, self.notes)
    }

    fn children<'a>(&self, block: &'a AstNode<'a>, depth: usize) -> impl Iterator<Item = Node> {
        block.children().map(move |child| self.nested(child, depth + 1))
    }

    fn alert<'a>(&self, block: &'a AstNode<'a>, alert: &NodeAlert, depth: usize) -> Node {
        let kind = match alert.alert_type {
            AlertType::Note => AlertKind::Note,
            AlertType::Tip => AlertKind::Tip,
            AlertType::Important => AlertKind::Important,
            AlertType::Warning => AlertKind::Warning,
            AlertType::Caution => AlertKind::Caution,
        };
        let title = alert.title.as_ref().map(|title| {
            let text = Node::leaf(Kind::Text(title.clone()));
            let strong = Node { kind: Kind::Strong, children: vec![text] };
            Node { kind: Kind::Paragraph, children: vec![strong] }
        });
        Node {
            kind: Kind::Alert(kind),
            children: title.into_iter().chain(self.children(block, depth)).collect(),
        }
    }

    fn list<'a>(&self, block: &'a AstNode<'a>, list: &NodeList, depth: usize) -> Node {
        let start =
            (list.list_type == ListType::Ordered).then(|| u64::try_from(list.start).unwrap_or(u64::MAX));
        let children: Vec<Node> = block.children().map(|item| self.item(item, depth + 1)).collect();
        let tasks = children.iter().any(|item| matches!(item.kind, Kind::Item(Some(_))));
        Node { kind: Kind::List { start, tasks, tight: list.tight }, children }
    }

    fn item<'a>(&self, item: &'a AstNode<'a>, depth: usize) -> Node {
        let done = match &item.data().value {
            NodeValue::TaskItem(task) => Some(task.symbol.is_some()),
            _ => None,
        };
        Node { kind: Kind::Item(done), children: self.children(item, depth).collect() }
    }

    fn table<'a>(&self, block: &'a AstNode<'a>, table: &NodeTable) -> Node {
        let columns = table.alignments.len();
        if columns > MAX_COLUMNS {
            return self.shortened(Limit::Columns, block);
        }
        let rows = block.children().map(|row| self.table_row(row, &table.alignments));
        let (_, children) = shown_rows(columns, 0, rows);
        Node { kind: Kind::Table, children }
    }

    fn table_row<'a>(&self, row: &'a AstNode<'a>, alignments: &[TableAlignment]) -> Node {
        let header = matches!(row.data().value, NodeValue::TableRow(true));
        let alignments = alignments.iter().chain(std::iter::repeat(&TableAlignment::None));
        let cells = row.children().zip(alignments).map(|(cell, alignment)| {
            let align = match alignment {
                TableAlignment::None => Align::Default,
                TableAlignment::Left => Align::Left,
                TableAlignment::Center => Align::Center,
                TableAlignment::Right => Align::Right,
            };
            Node { kind: Kind::Cell(align), children: self.inlines(cell) }
        });
        Node { kind: Kind::Row { header }, children: cells.collect() }
    }

    fn shortened<'a>(&self, limit: Limit, block: &'a AstNode<'a>) -> Node {
        Node { kind: Kind::Shortened(limit), children: vec![self.source(block)] }
    }

    /// A block as the lines it was written in, from where it begins on the first of them.
    fn source<'a>(&self, block: &'a AstNode<'a>) -> Node {
        let position = block.data().sourcepos;
        let first = position.start.line.saturating_sub(1);
        let lines = self.lines.text(first..position.end.line.max(position.start.line));
        let text = lines.get(position.start.column.saturating_sub(1)..).unwrap_or(lines);
        Node::code_block(String::new(), text, true)
    }
}

/// Whether a row further down may be text although it is a row when it is parsed alone: comrak stops adding cells to
/// rows that are too short at some number of them.
pub(super) fn may_be_refused(columns: usize, rows: usize) -> bool {
    columns * rows > COMRAK_MAX_CELLS
}

/// Of the `rows` of a table that follow `kept` ones: the place where those that are shown begin, and these.
pub(super) fn shown_rows(
    columns: usize,
    kept: usize,
    rows: impl Iterator<Item = Node>,
) -> (usize, Vec<Node>) {
    let (most, mut rows) = (MAX_CELLS / columns.max(1), rows);
    let mut shown: Vec<Node> = rows.by_ref().take(most.saturating_sub(kept)).collect();
    if kept > most || rows.next().is_some() {
        shown.push(rows_left_out());
    }
    (kept.min(most), shown)
}

/// The row that stands for all further ones.
fn rows_left_out() -> Node {
    let note = Node::leaf(Kind::Shortened(Limit::Rows));
    let cell = Node { kind: Kind::Cell(Align::Default), children: vec![note] };
    Node { kind: Kind::Row { header: false }, children: vec![cell] }
}

fn code_block(code: &NodeCodeBlock) -> Node {
    Node::code_block(language(&code.info), &code.literal, code.closed || !code.fenced)
}

/// The language an info string names: the letters of its first word up to the first that no name has.
fn language(info: &str) -> String {
    let allowed = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '#' | '.' | '_');
    let name: String = info.trim_start().chars().take_while(allowed).take(MAX_LANG + 1).collect();
    if name.len() > MAX_LANG { String::new() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_made_of_the_letters_of_language_names() {
        for (info, expected) in [
            ("rust", "rust"),
            ("  c++ numbered", "c++"),
            ("rust,ignore", "rust"),
            ("F#", "F#"),
            ("objective-c", "objective-c"),
            ("js\" onload=\"alert(1)", "js"),
            ("\"><img src=x onerror=alert(1)>", ""),
            ("{.python}", ""),
            ("日本", ""),
            (&"x".repeat(32), &"x".repeat(32)),
            (&"x".repeat(33), ""),
        ] {
            assert_eq!(language(info), expected, "{info:?}");
        }
    }
}
