//! A configuration as a tree of values that know their place.
//!
//! `granit-parser` finds the events; this module builds the tree, reads scalars as Hermes does ([`Scalar`]) and sets limits:
//! the text is a stranger's. An alias is copied while the whole stays below [`MAX_NODES`], so that no bomb goes off.

use super::scalar::Scalar;
use granit_parser::{Event, Parser, ScalarStyle, Span};
use std::collections::HashMap;

/// The longest configuration that is read, in bytes.
pub(super) const MAX_BYTES: usize = 1 << 20;
/// The most values in one.
pub(super) const MAX_NODES: usize = 50_000;
/// The deepest nesting.
pub(super) const MAX_DEPTH: usize = 64;

/// A position, both numbers from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A value and where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// What it is.
    pub kind: Kind,
    /// Where it begins.
    pub at: Position,
    size: usize,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// One value.
    Scalar(Scalar),
    /// Keys and values, in order.
    Map(Vec<Entry>),
    /// Values, in order.
    Seq(Vec<Node>),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// The key as text; a key that is no scalar is empty.
    pub key: String,
    /// Where it begins.
    pub at: Position,
    /// Its value.
    pub value: Node,
}

/// Why Hermes cannot read the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct YamlError {
    /// What is wrong, as a sentence without its full stop.
    pub problem: String,
    /// Where.
    pub at: Position,
}

impl Node {
    /// The value of `key`; a merge (`<<`) is looked into last.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The key and the value.
    pub(super) fn entry(&self, key: &str) -> Option<&Entry> {
        let entries = self.entries();
        entries.iter().find(|entry| entry.key == key).or_else(|| {
            let merge = &entries.iter().find(|entry| entry.key == "<<")?.value;
            match &merge.kind {
                Kind::Seq(maps) => maps.iter().find_map(|map| map.entry(key)),
                _ => merge.entry(key),
            }
        })
    }

    /// The entries of a mapping; nothing of anything else.
    pub(super) fn entries(&self) -> &[Entry] {
        match &self.kind {
            Kind::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The scalar, if it is one.
    pub(super) fn scalar(&self) -> Option<&Scalar> {
        match &self.kind {
            Kind::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Follows a path of keys.
    pub(super) fn at_path(&self, path: &[&str]) -> Option<&Entry> {
        let (last, before) = path.split_last()?;
        before.iter().try_fold(self, |node, key| node.get(key))?.entry(last)
    }
}

/// Reads `text`; `Ok(None)` when there is nothing in it.
///
/// # Errors
/// What Hermes' own parser refuses (bad syntax, a key twice, two documents), and what passes the limits.
pub(super) fn parse(text: &str) -> Result<Option<Node>, YamlError> {
    if text.len() > MAX_BYTES {
        return Err(YamlError {
            problem: format!("{} bytes are more than the {MAX_BYTES} that are read here", text.len()),
            at: Position { line: 1, column: 1 },
        });
    }
    let mut builder = Builder::default();
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| scan_error(&error, text))?;
        builder.take(event, span)?;
    }
    Ok(builder.root)
}

fn position(span: Span) -> Position {
    marker(&span.start)
}

fn marker(mark: &granit_parser::Marker) -> Position {
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    Position { line: number(mark.line()), column: number(mark.col()).saturating_add(1) }
}

/// The parser's error, said plainly where it is the commonest one.
fn scan_error(error: &granit_parser::ScanError, text: &str) -> YamlError {
    let at = marker(error.marker());
    let line = usize::try_from(at.line).unwrap_or(1).saturating_sub(1);
    // The error may be found a line after the tab that caused it.
    let tab = [line, line.saturating_sub(1)].into_iter().find(|line| {
        text.lines()
            .nth(*line)
            .is_some_and(|text| text.chars().take_while(|c| c.is_whitespace()).any(|c| c == '\t'))
    });
    if let Some(line) = tab {
        let column =
            text.lines().nth(line).and_then(|text| text.chars().position(|c| c == '\t')).unwrap_or(0);
        let number = |value: usize| u32::try_from(value.saturating_add(1)).unwrap_or(u32::MAX);
        return YamlError {
            problem: "a tab in the indentation: YAML takes blanks only".to_owned(),
            at: Position { line: number(line), column: number(column) },
        };
    }
    YamlError { problem: error.info().to_owned(), at }
}

/// A collection that is still open.
struct Open {
    kind: Kind,
    at: Position,
    anchor: usize,
    key: Option<(String, Position)>,
    size: usize,
}

#[derive(Default)]
struct Builder {
    root: Option<Node>,
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    nodes: usize,
    documents: usize,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), YamlError> {
        let at = position(span);
        match event {
            Event::DocumentStart(..) => self.document(at),
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain && tag.is_none();
                let node = Node { kind: Kind::Scalar(Scalar::new(&text, plain)), at, size: 1 };
                self.add(node, anchor)
            }
            Event::Alias(id) => self.alias(id, at),
            Event::MappingStart(_, anchor, _) => self.start(Kind::Map(Vec::new()), anchor, at),
            Event::SequenceStart(_, anchor, _) => self.start(Kind::Seq(Vec::new()), anchor, at),
            Event::MappingEnd | Event::SequenceEnd => self.end(),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentEnd
            | Event::Comment(..) => Ok(()),
        }
    }

    fn document(&mut self, at: Position) -> Result<(), YamlError> {
        self.documents = self.documents.saturating_add(1);
        if self.documents > 1 {
            return Err(YamlError {
                problem: "a second document begins here (`---`), and Hermes takes one only".to_owned(),
                at,
            });
        }
        Ok(())
    }

    fn start(&mut self, kind: Kind, anchor: usize, at: Position) -> Result<(), YamlError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(YamlError { problem: format!("nested deeper than {MAX_DEPTH} levels"), at });
        }
        self.open.push(Open { kind, at, anchor, key: None, size: 1 });
        Ok(())
    }

    fn end(&mut self) -> Result<(), YamlError> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        self.add(Node { kind: open.kind, at: open.at, size: open.size }, open.anchor)
    }

    fn alias(&mut self, id: usize, at: Position) -> Result<(), YamlError> {
        let Some(target) = self.anchors.get(&id) else {
            return Err(YamlError { problem: "an alias that refers to what it stands in".to_owned(), at });
        };
        // Before the copy: it could be as large as the limit, once more.
        if self.nodes.saturating_add(target.size) > MAX_NODES {
            return Err(YamlError { problem: format!("its aliases make more than {MAX_NODES} values"), at });
        }
        let mut copy = target.clone();
        copy.at = at;
        self.add(copy, 0)
    }

    fn add(&mut self, node: Node, anchor: usize) -> Result<(), YamlError> {
        self.nodes = self.nodes.saturating_add(node.size);
        if self.nodes > MAX_NODES.saturating_mul(2) {
            return Err(YamlError { problem: format!("more than {MAX_NODES} values"), at: node.at });
        }
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        open.size = open.size.saturating_add(node.size);
        match &mut open.kind {
            Kind::Seq(items) => items.push(node),
            Kind::Scalar(_) => {}
            Kind::Map(entries) => match open.key.take() {
                None => {
                    let key = node.scalar().map(|scalar| scalar.text.clone()).unwrap_or_default();
                    if let Some(first) = entries.iter().find(|entry| entry.key == key && key != "<<") {
                        return Err(YamlError {
                            problem: format!("`{key}` stands twice, first in line {}", first.at.line),
                            at: node.at,
                        });
                    }
                    open.key = Some((key, node.at));
                }
                Some((key, at)) => entries.push(Entry { key, at, value: node }),
            },
        }
        Ok(())
    }
}
