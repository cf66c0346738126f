//! From comrak's inlines to ours: text runs are joined, HTML is text, an unsafe link is what stands in it.

use super::footnotes::{self, Numbers};
use super::host::claims_other_host;
use super::math;
use super::meter;
use super::node::{Kind, Node};
use super::url::SafeUrl;
use comrak::nodes::{AstNode, NodeFootnoteReference, NodeLink, NodeMath, NodeValue};

/// Emphasis and links nested deeper than this are dropped, and what stands in them is kept.
const MAX_DEPTH: usize = 40;

/// The inlines of a paragraph, a heading or a table cell.
pub(super) fn inlines<'a>(block: &'a AstNode<'a>, notes: &Numbers) -> Vec<Node> {
    let in_cell = matches!(block.data().value, NodeValue::TableCell);
    children(block, Place { in_cell, depth: 0, notes })
}

#[derive(Clone, Copy)]
struct Place<'n> {
    in_cell: bool,
    depth: usize,
    notes: &'n Numbers,
}

fn children<'a>(parent: &'a AstNode<'a>, place: Place<'_>) -> Vec<Node> {
    let mut out = Vec::new();
    for child in parent.children() {
        push(child, place, &mut out);
    }
    meter::shorten_words(&mut out);
    out
}

fn push<'a>(inline: &'a AstNode<'a>, place: Place<'_>, out: &mut Vec<Node>) {
    match &inline.data().value {
        NodeValue::Text(text) => push_text(text, out),
        // A cell has one line, so this is the only way to break it, and models use it.
        NodeValue::HtmlInline(html) if place.in_cell && is_line_break(html) => {
            out.push(Node::leaf(Kind::Break))
        }
        NodeValue::HtmlInline(html) => push_text(html, out),
        NodeValue::SoftBreak | NodeValue::LineBreak => out.push(Node::leaf(Kind::Break)),
        NodeValue::Code(code) => out.push(Node::leaf(Kind::Code(code.literal.clone()))),
        NodeValue::Math(math) => push_math(inline, math, out),
        NodeValue::Image(image) => out.push(self::image(inline, image)),
        NodeValue::FootnoteReference(reference) => push_note_ref(reference, place.notes, out),
        _ if place.depth >= MAX_DEPTH => push_text(&flat_text(inline), out),
        NodeValue::Emph => push_span(Kind::Emphasis, inline, place, out),
        NodeValue::Strong => push_span(Kind::Strong, inline, place, out),
        NodeValue::Strikethrough => push_span(Kind::Strikethrough, inline, place, out),
        NodeValue::Link(link) => push_link(inline, link, place, out),
        _ => splice(children(inline, deeper(place)), out),
    }
}

fn deeper(place: Place<'_>) -> Place<'_> {
    Place { depth: place.depth + 1, ..place }
}

fn push_span<'a>(kind: Kind, inline: &'a AstNode<'a>, place: Place<'_>, out: &mut Vec<Node>) {
    out.push(Node { kind, children: children(inline, deeper(place)) });
}

fn push_link<'a>(inline: &'a AstNode<'a>, link: &NodeLink, place: Place<'_>, out: &mut Vec<Node>) {
    let children = children(inline, deeper(place));
    let Some(url) = SafeUrl::parse(&link.url) else { return splice(children, out) };
    let claims_other_host = claims_other_host(&super::plain_text(&children), &url);
    out.push(Node { kind: Kind::Link { url, title: link.title.clone(), claims_other_host }, children });
}

/// A formula, or the text it turned out to be.
fn push_math<'a>(inline: &'a AstNode<'a>, math: &NodeMath, out: &mut Vec<Node>) {
    if math::is_formula(inline, math) {
        out.push(Node::leaf(Kind::Math { tex: math.literal.clone(), display: math.display_math }));
    } else {
        push_text(&format!("${}$", math.literal), out);
    }
}

/// A reference to a footnote, or what looks like one and is text.
fn push_note_ref(reference: &NodeFootnoteReference, notes: &Numbers, out: &mut Vec<Node>) {
    match footnotes::name(&reference.texts) {
        Some(name) => {
            let number = notes.get(&name);
            out.push(Node::leaf(Kind::NoteRef { name, number }));
        }
        None => push_text(&note_ref_text(reference), out),
    }
}

fn note_ref_text(reference: &NodeFootnoteReference) -> String {
    let inside: String = reference.texts.iter().map(|(text, _)| text.as_str()).collect();
    format!("[{inside}]")
}

fn image<'a>(inline: &'a AstNode<'a>, image: &NodeLink) -> Node {
    let source = SafeUrl::parse(&image.url).filter(SafeUrl::is_web);
    Node::leaf(Kind::Image { source, alt: flat_text(inline), title: image.title.clone() })
}

/// Adds nodes, joining the text where they meet.
fn splice(nodes: Vec<Node>, out: &mut Vec<Node>) {
    for node in nodes {
        match node.kind {
            Kind::Text(text) => push_text(&text, out),
            _ => out.push(node),
        }
    }
}

fn push_text(more: &str, out: &mut Vec<Node>) {
    meter::runs(more, |run, note| {
        push_run(run, out);
        out.extend(note);
    });
}

fn push_run(more: &str, out: &mut Vec<Node>) {
    match out.last_mut() {
        _ if more.is_empty() => {}
        Some(Node { kind: Kind::Text(text), .. }) => text.push_str(more),
        _ => out.push(Node::leaf(Kind::Text(more.to_owned()))),
    }
}

fn is_line_break(html: &str) -> bool {
    ["<br>", "<br/>", "<br />"].iter().any(|tag| html.eq_ignore_ascii_case(tag))
}

/// What stands in an inline, without marks. Does not recurse.
fn flat_text<'a>(inline: &'a AstNode<'a>) -> String {
    let mut text = String::new();
    for node in inline.descendants() {
        match &node.data().value {
            NodeValue::Text(run) => text.push_str(run),
            NodeValue::Code(code) => text.push_str(&code.literal),
            NodeValue::HtmlInline(html) => text.push_str(html),
            NodeValue::Math(math) => text.push_str(&math.literal),
            NodeValue::FootnoteReference(reference) => text.push_str(&note_ref_text(reference)),
            NodeValue::SoftBreak | NodeValue::LineBreak => text.push(' '),
            _ => {}
        }
    }
    text
}
