//! A text node on the page, patched so that the reader's selection in what stays survives.

use wasm_bindgen::JsValue;
use web_sys::{Document, Text};

/// A text node and what it shows.
#[derive(Debug)]
pub(super) struct Leaf {
    node: Text,
    /// What it shows; `None` when that is kept by the page alone.
    shown: Option<String>,
}

impl Leaf {
    /// A new text node, outside the page.
    pub(super) fn new(document: &Document, text: &str) -> Self {
        Self { node: document.create_text_node(text), shown: Some(text.to_owned()) }
    }

    /// The node.
    pub(super) fn node(&self) -> &Text {
        &self.node
    }

    /// Shows `now` instead: growth is appended, anything else replaces what differs at the end.
    pub(super) fn show(&mut self, now: &str) -> Result<(), JsValue> {
        let mut was = self.shown.take().unwrap_or_else(|| self.on_the_page());
        let kept = patch_text(&self.node, &was, now)?;
        was.truncate(kept);
        was.push_str(now.get(kept..).unwrap_or_default());
        self.shown = Some(was);
        Ok(())
    }

    /// Whether there is a letter to be seen.
    pub(super) fn is_visible(&self) -> bool {
        let is_visible = |text: &str| !text.trim_start().is_empty();
        self.shown.as_deref().map_or_else(|| is_visible(&self.on_the_page()), is_visible)
    }

    /// It will hardly change again: its text need not be kept twice.
    pub(super) fn release(&mut self) {
        self.shown = None;
    }

    fn on_the_page(&self) -> String {
        self.node.node_value().unwrap_or_default()
    }
}

/// Makes `node`, which shows `old`, show `new`; how many bytes of it stayed.
///
/// Never `nodeValue =`: the browser would drop a selection inside.
pub(super) fn patch_text(node: &Text, old: &str, new: &str) -> Result<usize, JsValue> {
    let kept = common_prefix(old, new);
    let added = new.get(kept..).unwrap_or_default();
    if kept < old.len() {
        let gone = utf16_len(old.get(kept..).unwrap_or_default());
        let at = node.length().checked_sub(gone).ok_or("somebody else changed a text node of the answer")?;
        node.replace_data(at, gone, added)?;
    } else if !added.is_empty() {
        node.append_data(added)?;
    }
    Ok(kept)
}

/// The length in bytes of the longest common prefix that ends between characters.
fn common_prefix(a: &str, b: &str) -> usize {
    // Growth is by far the most frequent change, and one comparison of memory tells it.
    if b.starts_with(a) {
        return a.len();
    }
    let mut kept = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    while !(a.is_char_boundary(kept) && b.is_char_boundary(kept)) {
        kept -= 1;
    }
    kept
}

/// The length in the page's unit.
fn utf16_len(text: &str) -> u32 {
    text.chars().map(|c| c.len_utf16() as u32).sum()
}
