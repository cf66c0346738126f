//! [`Writer`]: HTML, tag by tag. Owns the escaping; names of tags and attributes are ours, texts and values may be anybody's.

use crate::format::visible;

/// HTML that is being written.
#[derive(Debug, Default)]
pub(super) struct Writer {
    out: String,
}

impl Writer {
    pub(super) fn doctype(&mut self) {
        self.out.push_str("<!DOCTYPE html>\n");
    }

    /// A style sheet of our own.
    pub(super) fn style(&mut self, css: &'static str) {
        self.out.push_str("<style>\n");
        self.out.push_str(css);
        self.out.push_str("</style>\n");
    }

    pub(super) fn open(&mut self, tag: &'static str, attributes: &[(&'static str, &str)]) {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            self.escaped(value);
            self.out.push('"');
        }
        self.out.push('>');
        // A line break that HTML throws away, so that one which begins the text is kept.
        if tag == "pre" {
            self.out.push('\n');
        }
    }

    pub(super) fn close(&mut self, tag: &'static str) {
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
        if matches!(
            tag,
            "article"
                | "body"
                | "details"
                | "footer"
                | "h1"
                | "head"
                | "header"
                | "html"
                | "main"
                | "p"
                | "pre"
                | "section"
                | "title"
        ) {
            self.out.push('\n');
        }
    }

    /// An element that can hold nothing.
    pub(super) fn void(&mut self, tag: &'static str, attributes: &[(&'static str, &str)]) {
        self.open(tag, attributes);
        if tag == "meta" {
            self.out.push('\n');
        }
    }

    /// An element that holds a text.
    pub(super) fn element(&mut self, tag: &'static str, attributes: &[(&'static str, &str)], text: &str) {
        self.open(tag, attributes);
        self.text(text);
        self.close(tag);
    }

    /// A text of anybody: what would act unseen can be seen, as in the app.
    pub(super) fn text(&mut self, text: &str) {
        self.escaped(&visible(text));
    }

    /// A text, or the value of an attribute. Controls, which no HTML may hold, become U+FFFD.
    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                '\n' | '\t' => self.out.push(c),
                c if c.is_control() => self.out.push('\u{fffd}'),
                c => self.out.push(c),
            }
        }
    }

    pub(super) fn end(self) -> String {
        self.out
    }
}
