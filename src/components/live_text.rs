//! Plain text that grows: what is new is appended to the last text node, so that the reader's selection stays.
//!
//! It stands in pieces of whole lines, each a block of its own: a browser lays out a text node anew as a whole, and that
//! of 200 kB would take longer than a frame has. What is cut where depends on the text alone.

use iris_core::format::visible;
use leptos::prelude::*;
use web_sys::Element;

use crate::fixed::fixed;
use crate::held::Held;
use crate::reactive::effect;

/// A piece of this many bytes ends with its line.
const PIECE: usize = 2_048;

/// Monospace text as it is, hostile characters made visible; grows in place.
#[component]
pub fn LiveText(
    /// All of it so far.
    text: RwSignal<String>,
) -> impl IntoView {
    let body = Held::new();
    let mut drawn = None;
    effect(move || {
        if let Some(element) = body.get::<Element>() {
            let drawn = drawn.get_or_insert_with(|| Drawn::new(element));
            text.with(|now| drawn.bring_to(now));
        }
    });
    view! { <pre {..fixed(&[("class", "live-text"), ("data-reasoning", "")])} node_ref=body></pre> }
}

struct Drawn {
    body: Element,
    /// All that is drawn, as it came.
    text: String,
    /// Where in it the last piece begins.
    from: usize,
    last: Piece,
}

/// A piece, and what it shows.
struct Piece {
    node: web_sys::Text,
    shown: String,
}

impl Drawn {
    fn new(body: Element) -> Self {
        let last = Piece::add_to(&body);
        Self { body, text: String::new(), from: 0, last }
    }

    /// The whole last piece is looked at, not what is new of it: an escape sequence may come in two parts. None goes
    /// beyond its line.
    fn bring_to(&mut self, now: &str) {
        let Some(new) = now.strip_prefix(self.text.as_str()) else {
            while let Some(piece) = self.body.last_element_child() {
                piece.remove();
            }
            *self = Self::new(self.body.clone());
            return self.bring_to(now);
        };
        self.text.push_str(new);
        loop {
            let rest = now.get(self.from..).unwrap_or_default();
            match piece_end(rest) {
                Some(end) if end < rest.len() => {
                    self.last.show(rest.get(..end).unwrap_or(rest));
                    self.from += end;
                    self.last = Piece::add_to(&self.body);
                }
                _ => return self.last.show(rest),
            }
        }
    }
}

impl Piece {
    fn add_to(body: &Element) -> Self {
        let node = document().create_text_node("");
        // Elements that were just made take any child.
        if let Ok(block) = document().create_element("span") {
            let _ = block.append_child(&node);
            let _ = body.append_child(&block);
        }
        Self { node, shown: String::new() }
    }

    fn show(&mut self, text: &str) {
        let now = visible(text);
        match now.strip_prefix(self.shown.as_str()) {
            Some("") => {}
            Some(new) => {
                let _ = self.node.append_data(new);
                self.shown.push_str(new);
            }
            None => {
                self.node.set_data(&now);
                self.shown = now.into_owned();
            }
        }
    }
}

/// Behind the line with which a piece at the beginning of `text` ends, if it does.
fn piece_end(text: &str) -> Option<usize> {
    let line = text.bytes().skip(PIECE).position(|byte| byte == b'\n')?;
    Some(PIECE + line + 1)
}
