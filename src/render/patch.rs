//! Patches what was drawn into what the tree is now, in place: a node of the same kind at the same place keeps its
//! element, a text keeps the prefix that it had, and nothing is ever moved.

use iris_core::markdown::{Kind, Node};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use super::build::{Drawn, Inside, Pen, set_checked, set_link, set_start, trim_newlines};
use super::code;
use super::element::{self, Context};
use super::text::patch_text;

/// The path that says: anything may differ.
pub(super) const ALL: &[usize] = &[0];

impl Pen {
    /// Makes the nodes in `slot`, drawn as `list`, show `nodes`; `changed` is the path to what may differ.
    pub(super) fn patch_list(
        &self,
        slot: &Element,
        list: &mut Vec<Drawn>,
        nodes: &[Node],
        changed: &[usize],
        context: Context,
    ) -> Result<(), JsValue> {
        let Some((&first, inward)) = changed.split_first() else { return Ok(()) };
        for (index, node) in nodes.iter().enumerate().skip(first.min(list.len())) {
            match list.get_mut(index) {
                Some(old) => {
                    let inward = if index == first && !inward.is_empty() { inward } else { ALL };
                    self.patch(slot, old, node, inward, context)?;
                }
                None => {
                    let new = self.build(node, context)?;
                    self.cursor.remove();
                    slot.append_child(&new.outer)?;
                    list.push(new);
                }
            }
        }
        while list.len() > nodes.len() {
            if let Some(gone) = list.pop() {
                slot.remove_child(&gone.outer)?;
            }
        }
        Ok(())
    }

    /// Makes one drawn node, a child of `slot`, show `node`; `changed` is the path to what may differ inside.
    pub(super) fn patch(
        &self,
        slot: &Element,
        old: &mut Drawn,
        node: &Node,
        changed: &[usize],
        context: Context,
    ) -> Result<(), JsValue> {
        if !element::same_element(&old.kind, &node.kind) {
            let new = self.build(node, context)?;
            slot.replace_child(&new.outer, &old.outer)?;
            *old = new;
            return Ok(());
        }
        if old.kind != node.kind {
            patch_kind(old, &node.kind)?;
            old.kind = node.kind.clone();
        }
        match &mut old.inside {
            Inside::Children { slot, list } => {
                self.patch_list(slot, list, &node.children, changed, context.inside(&node.kind))
            }
            _ => Ok(()),
        }
    }
}

/// Patches what a node itself shows: its text or its attributes.
fn patch_kind(old: &Drawn, new: &Kind) -> Result<(), JsValue> {
    match (&old.kind, new, &old.inside) {
        (Kind::Text(was), Kind::Text(now), Inside::Text { text, .. })
        | (Kind::Code(was), Kind::Code(now), Inside::Text { text, .. }) => patch_text(text, was, now),
        (Kind::HtmlSource(was), Kind::HtmlSource(now), Inside::Text { text, .. }) => {
            patch_text(text, trim_newlines(was).0, trim_newlines(now).0)
        }
        (Kind::Lines(was), Kind::Lines(now), Inside::Text { text, newlines: Some(newlines) }) => {
            patch_text(text, trim_newlines(was).0, trim_newlines(now).0)?;
            patch_text(newlines, trim_newlines(was).1, trim_newlines(now).1)
        }
        (Kind::CodeBlock { lang: was_lang, .. }, Kind::CodeBlock { lang, .. }, _) => {
            if let Some(block) = old.outer.dyn_ref().filter(|_| was_lang != lang) {
                code::colour(block, lang);
            }
            patch_label(&old.outer, ".lang", code::label(was_lang), code::label(lang))
        }
        (_, _, Inside::Children { slot, .. }) => patch_attributes(old, new, slot),
        _ => Ok(()),
    }
}

/// Patches the attributes of a node that holds children.
fn patch_attributes(old: &Drawn, new: &Kind, slot: &Element) -> Result<(), JsValue> {
    match new {
        Kind::List { start, .. } => {
            set_start(slot, *start)?;
            set_class(slot, element::class(new))
        }
        Kind::Cell(_) => set_class(slot, element::class(new)),
        Kind::Item(Some(done)) => match slot.first_element_child() {
            Some(checkbox) => set_checked(&checkbox, *done),
            None => Ok(()),
        },
        // A link inside a link, or to a fragment, is drawn as words and has no address to set.
        Kind::Link { url, title, .. } if slot.has_attribute("href") => {
            set_link(slot, url, &element::link_title(url, title))?;
            match &old.kind {
                Kind::Link { url: was, .. } => {
                    patch_label(&old.outer, ".host", element::host(was), element::host(url))
                }
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

fn set_class(element: &Element, class: &'static str) -> Result<(), JsValue> {
    if class.is_empty() { element.remove_attribute("class") } else { element.set_attribute("class", class) }
}

/// Patches the one text of a label that stands beside the content, if the node has such a label.
fn patch_label(outer: &web_sys::Node, label: &str, was: &str, now: &str) -> Result<(), JsValue> {
    let label = match outer.dyn_ref::<Element>() {
        Some(outer) if was != now => outer.query_selector(label)?,
        _ => return Ok(()),
    };
    match label.and_then(|label| label.first_child()).and_then(|text| text.dyn_into::<web_sys::Text>().ok()) {
        Some(text) => patch_text(&text, was, now),
        None => Ok(()),
    }
}
