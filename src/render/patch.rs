//! Patches what was drawn into what the tree is now, in place: a node of the same kind at the same place keeps its
//! element, a text keeps the prefix that it had, and nothing is ever moved.

use iris_core::markdown::{Kind, Node, fenced_formula};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use super::build::{Drawn, Inside, Pen, leaf_text, set_checked, set_link, set_start};
use super::code;
use super::element::{self, Context};
use super::slot::Slot;
use super::text::patch_text;

/// The path that says: anything may differ.
pub(super) const ALL: &[usize] = &[0];

impl Pen {
    /// Makes the nodes in `slot`, drawn as `list`, show `nodes`; `changed` is the path to what may differ, and what
    /// is before it is not looked at.
    pub(super) fn patch_list(
        &mut self,
        slot: &mut Slot,
        list: &mut Vec<Drawn>,
        nodes: &[Node],
        changed: &[usize],
        context: Context,
    ) -> Result<(), JsValue> {
        let Some((&first, inward)) = changed.split_first() else { return Ok(()) };
        for (index, node) in nodes.iter().enumerate().skip(first.min(list.len())) {
            let Some(old) = list.get_mut(index) else {
                self.add(slot, list, node, context)?;
                continue;
            };
            let inward = if index == first && !inward.is_empty() { inward } else { ALL };
            self.patch(old, node, inward, context)?;
            if index + 1 < nodes.len() {
                old.release();
            }
        }
        while list.len() > nodes.len() {
            if let Some(gone) = list.pop() {
                slot.remove(list.len(), &gone.outer)?;
            }
        }
        Ok(())
    }

    /// Makes one drawn node show `node`; `changed` is the path to what may differ inside.
    pub(super) fn patch(
        &mut self,
        old: &mut Drawn,
        node: &Node,
        changed: &[usize],
        context: Context,
    ) -> Result<(), JsValue> {
        let formula = fenced_formula(node);
        let (node, changed) = formula.as_ref().map_or((node, changed), |formula| (formula, ALL));
        if !element::same_element(&old.kind, &node.kind) {
            let new = self.build(node, context)?;
            let parent = old.outer.parent_node().ok_or("a part of the answer has left the page")?;
            parent.replace_child(&new.outer, &old.outer)?;
            *old = new;
            return Ok(());
        }
        if let (Inside::Text(leaf), Some(text)) = (&mut old.inside, leaf_text(&node.kind)) {
            return leaf.show(text);
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

/// Patches the attributes and labels of a node that holds children.
fn patch_kind(old: &Drawn, new: &Kind) -> Result<(), JsValue> {
    match (&old.kind, new, &old.inside) {
        (Kind::CodeBlock { lang: was, .. }, Kind::CodeBlock { lang, .. }, _) => {
            if let Some(block) = old.outer.dyn_ref().filter(|_| was != lang) {
                code::colour(block, lang);
            }
            patch_label(&old.outer, ".lang", code::label(was), code::label(lang))
        }
        (_, _, Inside::Children { slot, .. }) => patch_attributes(old, new, slot.element()),
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
        Some(text) => patch_text(&text, was, now).map(drop),
        None => Ok(()),
    }
}
