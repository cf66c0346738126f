//! One run of comrak over a piece of text: its top-level blocks as nodes, and the labels it asked for in vain.

use super::footnotes;
use super::lines::Lines;
use super::node::Node;
use super::options::options;
use super::references::{Candidates, Definitions, Label, Resolver};
use super::settle::{Extent, Shape};
use super::trace::{Step, trace};
use super::tree::Builder;
use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, parse_document};
use std::collections::HashSet;

/// What a run found.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    /// The top-level blocks.
    pub(super) nodes: Vec<Node>,
    /// Their lines, counted in the source.
    pub(super) extents: Vec<Extent>,
    /// The labels whose definition, or new definition, would change the blocks.
    pub(super) asked: HashSet<Label>,
    /// The way to the block that was begun last.
    pub(super) steps: Vec<Step>,
}

/// Parses `source` as what follows text that defines `known`. `candidates` are those of `source`.
pub(super) fn parse(source: &str, candidates: &Candidates, known: &Definitions) -> Parsed {
    let mut preface = known.overriding(candidates);
    preface.push_str(&footnotes::stubs(source));
    if preface.is_empty() && source.starts_with('\u{feff}') {
        // comrak would take it for the mark at the start of a file; `intake` has dropped that one.
        preface.push('\n');
    }
    if preface.is_empty() {
        return run(source, 0, known);
    }
    let skipped = Lines::new(&preface).open();
    preface.push_str(source);
    run(&preface, skipped, known)
}

fn run(text: &str, skipped: usize, known: &Definitions) -> Parsed {
    let resolver = Resolver::new(known);
    let options = options(resolver.clone());
    let arena = Arena::new();
    let root = parse_document(&arena, text, &options);
    let builder = Builder::new(text, &known.notes);
    let (mut nodes, mut extents) = (Vec::new(), Vec::new());
    for child in root.children() {
        let Some(extent) = extent(child, skipped) else { continue };
        nodes.push(builder.block(child));
        extents.push(extent);
    }
    let steps = trace(root, skipped, builder.lines().open() - skipped);
    Parsed { nodes, extents, asked: resolver.asked(), steps }
}

/// The lines of a block; `None` for what is not of the source.
fn extent<'a>(node: &'a AstNode<'a>, skipped: usize) -> Option<Extent> {
    let data = node.data();
    let first = data.sourcepos.start.line.checked_sub(skipped + 1)?;
    let last = data.sourcepos.end.line.saturating_sub(skipped + 1);
    Some(Extent { shape: shape(&data.value), first, last })
}

fn shape(value: &NodeValue) -> Shape {
    match value {
        NodeValue::Paragraph => Shape::Paragraph,
        NodeValue::Table(_) => Shape::Table,
        NodeValue::List(_) => Shape::List,
        NodeValue::Heading(_) | NodeValue::ThematicBreak => Shape::Complete,
        NodeValue::CodeBlock(code) if code.fenced && code.closed => Shape::Complete,
        NodeValue::BlockQuote => Shape::Quote,
        NodeValue::Alert(alert) if !alert.multiline => Shape::Quote,
        NodeValue::HtmlBlock(html) if html.block_type >= 6 => Shape::Html,
        _ => Shape::Open,
    }
}
