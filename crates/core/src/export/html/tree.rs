//! The typed tree of an answer as HTML. What the set of kinds does not have cannot come out of it.

use super::writer::Writer;
use crate::markdown::{AlertKind, Align, Kind, Limit, Node, SafeUrl, parse_with_notes};

/// Writes a Markdown text, its footnotes below it.
pub(super) fn document(out: &mut Writer, text: &str) {
    let (nodes, notes) = parse_with_notes(text);
    blocks(out, &nodes);
    blocks(out, &notes);
}

/// Writes nodes, blocks or inlines.
fn blocks(out: &mut Writer, nodes: &[Node]) {
    nodes.iter().for_each(|node| one(out, node));
}

fn one(out: &mut Writer, node: &Node) {
    let inside = &node.children;
    match &node.kind {
        Kind::Paragraph => wrap(out, "p", &[], inside),
        Kind::Heading(level) => wrap(out, heading(*level), &[], inside),
        Kind::BlockQuote => wrap(out, "blockquote", &[], inside),
        Kind::Alert(kind) => {
            out.open("blockquote", &[]);
            out.open("p", &[]);
            out.element("strong", &[], alert(*kind));
            out.close("p");
            blocks(out, inside);
            out.close("blockquote");
        }
        Kind::List { start, tight, .. } => list(out, *start, *tight, inside),
        Kind::Item(done) => item(out, *done, inside),
        Kind::CodeBlock { lang, .. } => {
            let class = format!("language-{lang}");
            let named = [("class", class.as_str())];
            out.open("pre", &[]);
            out.open("code", if lang.is_empty() { &[] } else { &named });
            blocks(out, inside);
            out.close("code");
            out.close("pre");
        }
        Kind::Lines(text) | Kind::Text(text) => out.text(text),
        Kind::Rule => out.void("hr", &[]),
        Kind::Table => {
            out.open("div", &[("class", "table")]);
            wrap(out, "table", &[], inside);
            out.close("div");
        }
        Kind::Row { header } => row(out, *header, inside),
        Kind::Cell(align) => cell(out, "td", *align, inside),
        // What it holds is in its note.
        Kind::Definition(_) => {}
        Kind::Note(number) => {
            out.open("div", &[("class", "note")]);
            number.iter().for_each(|number| out.element("sup", &[], &number.to_string()));
            blocks(out, inside);
            out.close("div");
        }
        Kind::NoteRef { name, number } => match number {
            Some(number) => out.element("sup", &[], &number.to_string()),
            None => out.text(&format!("[^{name}]")),
        },
        Kind::HtmlSource(source) => out.element("pre", &[("class", "source")], source),
        Kind::Break => out.void("br", &[]),
        Kind::Code(text) => out.element("code", &[], text),
        Kind::Math { tex, .. } => out.element("code", &[("class", "math")], tex),
        Kind::Emphasis => wrap(out, "em", &[], inside),
        Kind::Strong => wrap(out, "strong", &[], inside),
        Kind::Strikethrough => wrap(out, "s", &[], inside),
        Kind::Link { url, title, claims_other_host } => {
            link(out, url, title, |out| blocks(out, inside));
            if let Some(host) = url.host().filter(|_| *claims_other_host) {
                out.text(&format!(" ({host})"));
            }
        }
        Kind::Image { source, alt, title } => image(out, source.as_ref(), alt, title),
        Kind::Shortened(limit) => {
            blocks(out, inside);
            out.element("em", &[], shortened(*limit));
        }
    }
}

fn wrap(out: &mut Writer, tag: &'static str, attributes: &[(&'static str, &str)], inside: &[Node]) {
    out.open(tag, attributes);
    blocks(out, inside);
    out.close(tag);
}

/// One level down: the file's own title is the first.
fn heading(level: u8) -> &'static str {
    match level {
        0 | 1 => "h2",
        2 => "h3",
        3 => "h4",
        4 => "h5",
        _ => "h6",
    }
}

fn list(out: &mut Writer, start: Option<u64>, tight: bool, items: &[Node]) {
    let class: &[(&str, &str)] = if tight { &[("class", "tight")] } else { &[] };
    match start {
        None => wrap(out, "ul", class, items),
        Some(first) => {
            let first = first.to_string();
            let mut attributes = class.to_vec();
            attributes.push(("start", &first));
            wrap(out, "ol", &attributes, items);
        }
    }
}

fn item(out: &mut Writer, done: Option<bool>, inside: &[Node]) {
    let Some(done) = done else { return wrap(out, "li", &[], inside) };
    out.open("li", &[("class", "task")]);
    out.text(if done { "☑ " } else { "☐ " });
    blocks(out, inside);
    out.close("li");
}

fn row(out: &mut Writer, header: bool, cells: &[Node]) {
    out.open("tr", &[]);
    for node in cells {
        match &node.kind {
            Kind::Cell(align) => cell(out, if header { "th" } else { "td" }, *align, &node.children),
            _ => one(out, node),
        }
    }
    out.close("tr");
}

fn cell(out: &mut Writer, tag: &'static str, align: Align, inside: &[Node]) {
    let class: &[(&str, &str)] = match align {
        Align::Default => &[],
        Align::Left => &[("class", "left")],
        Align::Center => &[("class", "center")],
        Align::Right => &[("class", "right")],
    };
    wrap(out, tag, class, inside);
}

/// A link that tells its target nothing. An anchor has nothing to point at here, and is its text.
fn link(out: &mut Writer, url: &SafeUrl, title: &str, inside: impl FnOnce(&mut Writer)) {
    if url.as_str().starts_with('#') {
        return inside(out);
    }
    let mut attributes = vec![("href", url.as_str()), ("rel", "noopener noreferrer nofollow")];
    if !title.is_empty() {
        attributes.push(("title", title));
    }
    out.open("a", &attributes);
    inside(out);
    out.close("a");
}

/// A picture as a link: this file loads nothing.
fn image(out: &mut Writer, source: Option<&SafeUrl>, alt: &str, title: &str) {
    let words = if alt.is_empty() { "picture" } else { alt };
    let text = format!("🖼 {words}");
    match source {
        Some(url) => link(out, url, title, |out| out.text(&text)),
        None => out.text(&text),
    }
}

fn alert(kind: AlertKind) -> &'static str {
    match kind {
        AlertKind::Note => "Note",
        AlertKind::Tip => "Tip",
        AlertKind::Important => "Important",
        AlertKind::Warning => "Warning",
        AlertKind::Caution => "Caution",
    }
}

fn shortened(limit: Limit) -> &'static str {
    match limit {
        Limit::Nesting => "nested too deep to be drawn",
        Limit::Columns => "a table with too many columns to be drawn",
        Limit::Rows => "further rows are left out",
        Limit::Line => "the rest of this line is left out",
        Limit::Lines => "further lines are left out",
        Limit::Message => "the rest of this message is left out",
    }
}
