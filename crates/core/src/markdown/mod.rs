//! Markdown, parsed append-only into a typed tree. No HTML string is ever made.
//!
//! `parse` is the one-shot reading of a whole text; a `Document` gives the same blocks for a text that grows.
//! Drawing the tree, and deciding how much of a text to show, are not done here.

mod address;
mod code;
mod diff;
mod footnotes;
mod graft;
mod host;
mod inline;
mod intake;
mod lines;
mod math;
mod meter;
mod options;
mod parser;
mod references;
mod region;
mod settle;
mod spine;
mod trace;
mod tree;

pub mod incremental;
pub mod node;
pub mod text;
pub mod url;

pub use incremental::{Document, Update};
pub use math::fenced_formula;
pub use node::{AlertKind, Align, CHUNK_LINES, Kind, Limit, Node};
pub use text::plain_text;
pub use url::SafeUrl;

use footnotes::{Changes, Footnotes};
use references::Definitions;

/// The blocks of a whole text, parsed at once.
///
/// This is what a [`Document`] must always agree with. Line ends are read as [`Document::push`] reads them.
pub fn parse(text: &str) -> Vec<Node> {
    parse_with_notes(text).0
}

/// The blocks of a whole text, and its footnotes: a [`Kind::Note`] each.
pub fn parse_with_notes(text: &str) -> (Vec<Node>, Vec<Node>) {
    let mut source = String::with_capacity(text.len());
    let mut intake = intake::Intake::default();
    intake.feed(text, &mut source);
    let labels = references::candidates(&source);
    let mut known = Definitions::default();
    known.replace_open(references::harvest(&source, &labels));
    let mut nodes = parser::parse(&source, &labels, &known).nodes;
    nodes.extend(intake.over().map(|limit| Node::leaf(Kind::Shortened(limit))));
    let mut footnotes = Footnotes::default();
    let all = Changes { changed: vec![0], ..Changes::default() };
    footnotes.update(&mut nodes, &mut known.notes, 0, all);
    (nodes, footnotes.notes().to_vec())
}
