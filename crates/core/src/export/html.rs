//! A chat as one HTML file that loads nothing from anywhere: its style stands in it, it has no script, and its policy
//! (`default-src 'none'`) forbids what nobody wrote. Pictures are links.
//!
//! This is a file and never a part of our own page: there no string becomes HTML. Everything that was said goes through
//! [`Writer::text`], which is the only way for foreign text into it, and links through `SafeUrl`.

mod tree;
mod writer;

use super::{About, words};
use crate::format::{bytes, one_line};
use crate::protocol::frame::FileInfo;
use crate::timeline::{Answer, Ask, Item, ItemKind, Notice, Tool, ToolState};
use writer::Writer;

/// What the file may do: look as it looks.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Writes the rows.
pub fn export(about: &About, rows: &[Item]) -> String {
    let mut out = Writer::default();
    head(&mut out, &about.title());
    out.open("body", &[]);
    out.open("header", &[]);
    out.element("h1", &[], &about.title());
    out.element("p", &[], &about.line());
    out.close("header");
    out.open("main", &[]);
    rows.iter().for_each(|row| one_row(&mut out, &row.kind));
    out.close("main");
    out.close("body");
    out.close("html");
    out.end()
}

fn head(out: &mut Writer, title: &str) {
    out.doctype();
    out.open("html", &[("lang", "en")]);
    out.open("head", &[]);
    out.void("meta", &[("charset", "utf-8")]);
    out.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", POLICY)]);
    // On a server, Chromium would look up the hosts of links before anybody clicks.
    out.void("meta", &[("http-equiv", "x-dns-prefetch-control"), ("content", "off")]);
    out.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
    out.void("meta", &[("name", "referrer"), ("content", "no-referrer")]);
    out.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
    out.element("title", &[], title);
    out.style(include_str!("html/style.css"));
    out.close("head");
}

fn one_row(out: &mut Writer, kind: &ItemKind) {
    match kind {
        ItemKind::User(message) => {
            out.open("article", &[("class", "user"), ("aria-label", "You")]);
            out.text(&message.text);
            message.attachments.iter().for_each(|attached| file(out, attached));
            out.close("article");
        }
        ItemKind::Answer(message) => answer(out, message),
        ItemKind::Commentary { text } => {
            out.open("article", &[("class", "remark")]);
            tree::document(out, text);
            out.close("article");
        }
        ItemKind::Tools(tools) => tools.iter().for_each(|call| tool(out, call)),
        ItemKind::Notice(told) => notices(out, told),
        ItemKind::Ask(asked) => ask(out, asked),
        ItemKind::File(sent) => {
            out.open("article", &[("class", "answer")]);
            file(out, &sent.file);
            sent.caption.iter().for_each(|caption| tree::document(out, caption));
            out.close("article");
        }
    }
}

fn answer(out: &mut Writer, answer: &Answer) {
    out.open("article", &[("class", "answer"), ("aria-label", "Hermes")]);
    if !answer.reasoning.is_empty() {
        out.open("details", &[]);
        out.element("summary", &[], "💭 Reasoning");
        out.element("pre", &[], &answer.reasoning);
        out.close("details");
    }
    tree::document(out, &answer.text);
    if let Some(footer) = words::footer(&answer.footer, answer.cut) {
        out.element("footer", &[], &footer);
    }
    out.close("article");
}

fn tool(out: &mut Writer, tool: &Tool) {
    let failed = matches!(tool.state, ToolState::Done { ok: Some(false), .. });
    out.open("details", &[("class", if failed { "tool failed" } else { "tool" })]);
    out.element("summary", &[], &words::tool(tool));
    for part in [words::arguments(tool).as_ref(), tool.output.as_ref()].into_iter().flatten() {
        out.element("pre", &[], part);
    }
    out.close("details");
}

fn notices(out: &mut Writer, row: &Notice) {
    words::left_out(row).iter().for_each(|words| out.element("p", &[("class", "notice")], words));
    for (notice, text) in words::said(row) {
        let level = words::level(notice);
        out.open("p", &[("class", if level == "Error" { "notice error" } else { "notice" })]);
        out.element("strong", &[], level);
        out.text(": ");
        out.text(&text);
        if let Some(detail) = &notice.detail {
            out.text(&format!(" ({detail})"));
        }
        out.close("p");
    }
}

fn ask(out: &mut Writer, ask: &Ask) {
    out.open("section", &[("class", "ask")]);
    tree::document(out, &ask.text);
    ask.command.iter().for_each(|command| out.element("pre", &[], command));
    let outcome = ask.outcome.as_deref().unwrap_or("not answered");
    out.element("footer", &[], &format!("Answer: {outcome}"));
    out.close("section");
}

/// A file by its name: where it is kept is nobody's business.
fn file(out: &mut Writer, file: &FileInfo) {
    out.element(
        "p",
        &[("class", "file")],
        &format!("📎 {} ({})", one_line(&file.name, 200), bytes(file.size)),
    );
}

#[cfg(test)]
mod tests;
