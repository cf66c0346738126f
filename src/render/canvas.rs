//! A container and what was drawn into it: blocks in one flat list, the cursor after the last visible letter.
//!
//! Settling a block is bookkeeping of the document; here nothing happens to it, which is the point.

use iris_core::markdown::{Kind, Node, Update};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use super::actions;
use super::build::{Drawn, Inside, Pen};
use super::element::Context;
use super::patch::ALL;

/// The letter that stands for the text to come.
pub const CURSOR: &str = "▉";

/// The class of the cursor's element.
pub const CURSOR_CLASS: &str = "cursor";

/// A container that shows a list of blocks. Nobody else may change what is inside.
#[derive(Debug)]
pub struct Canvas {
    container: Element,
    pen: Pen,
    drawn: Vec<Drawn>,
}

impl Canvas {
    /// Takes over an element; it must be empty, or `clear` comes first.
    pub fn new(container: Element) -> Result<Self, JsValue> {
        let document = container.owner_document().ok_or("an element without a page")?;
        let cursor = document.create_element("span")?;
        cursor.set_class_name(CURSOR_CLASS);
        cursor.set_attribute("aria-hidden", "true")?;
        cursor.append_child(&document.create_text_node(CURSOR))?;
        Ok(Self { container, pen: Pen { document, cursor }, drawn: Vec::new() })
    }

    /// The element.
    pub fn container(&self) -> &Element {
        &self.container
    }

    /// Brings the page from the last `blocks` to these; `update` says where to look.
    ///
    /// An error means that the page is not what was drawn (a translator, an extension): `redraw` then.
    pub fn update(&mut self, blocks: &[Node], update: &Update) -> Result<(), JsValue> {
        let context = Context::default();
        for &index in &update.redrawn {
            if let (Some(old), Some(node)) = (self.drawn.get_mut(index), blocks.get(index)) {
                self.pen.patch(&self.container, old, node, ALL, context)?;
            }
        }
        self.pen.patch_list(&self.container, &mut self.drawn, blocks, &update.changed, context)
    }

    /// Throws everything away and draws the blocks afresh.
    pub fn redraw(&mut self, blocks: &[Node]) -> Result<(), JsValue> {
        self.clear();
        self.pen.patch_list(&self.container, &mut self.drawn, blocks, ALL, Context::default())
    }

    /// Empties the container.
    pub fn clear(&mut self) {
        self.drawn.clear();
        self.container.set_text_content(None);
    }

    /// Shows text as it is: the last resort, so that an answer is never lost.
    pub fn show_plain(&mut self, text: &str) {
        self.drawn.clear();
        self.container.set_text_content(Some(text));
    }

    /// Puts the cursor after the last visible letter, unless it stands there already.
    pub fn place_cursor(&self) -> Result<(), JsValue> {
        let cursor = &self.pen.cursor;
        let Some(leaf) = last_leaf(&self.drawn) else {
            cursor.remove();
            return self.container.append_child(cursor).map(drop);
        };
        let next = leaf.next_sibling();
        if next.as_ref() == Some(cursor) {
            return Ok(());
        }
        let parent = leaf.parent_node().ok_or("the last leaf has left the page")?;
        parent.insert_before(cursor, next.as_ref()).map(drop)
    }

    /// The text is complete: the cursor goes, finished HTML offers its preview, and what was needed to patch is let go.
    pub fn settle(&mut self) -> Result<(), JsValue> {
        self.pen.cursor.remove();
        let drawn = std::mem::take(&mut self.drawn);
        drawn.iter().try_for_each(|block| self.offer_previews(block))
    }

    fn offer_previews(&self, drawn: &Drawn) -> Result<(), JsValue> {
        match (&drawn.kind, &drawn.inside) {
            (Kind::CodeBlock { lang, closed: true, .. }, _) if lang.eq_ignore_ascii_case("html") => {
                let header = drawn.outer.first_child().and_then(|header| header.dyn_into::<Element>().ok());
                let Some(header) = header else { return Ok(()) };
                let button = actions::button(&self.pen.document, actions::PREVIEW)?;
                // Behind the language: the buttons at the other end stay where they are.
                let others = header.first_child().and_then(|language| language.next_sibling());
                header.insert_before(&button, others.as_ref()).map(drop)
            }
            (_, Inside::Children { list, .. }) => {
                list.iter().try_for_each(|child| self.offer_previews(child))
            }
            _ => Ok(()),
        }
    }
}

/// The last node that shows something; the cursor stands after it.
fn last_leaf(list: &[Drawn]) -> Option<web_sys::Node> {
    list.iter().rev().find_map(|drawn| match (&drawn.kind, &drawn.inside) {
        (Kind::Image { .. } | Kind::Math { .. }, _) => Some(drawn.outer.clone()),
        (Kind::Lines(_), Inside::Text { text, .. }) => Some(text.clone().into()),
        (Kind::CodeBlock { .. }, Inside::Children { slot, list }) => {
            last_leaf(list).or_else(|| slot.first_child())
        }
        (Kind::Text(shown) | Kind::Code(shown) | Kind::HtmlSource(shown), Inside::Text { text, .. }) => {
            (!shown.trim().is_empty()).then(|| text.clone().into())
        }
        // An alert that has just begun shows its title.
        (Kind::Alert(_), Inside::Children { slot, list }) => {
            last_leaf(list).or_else(|| slot.first_child()?.first_child())
        }
        (_, Inside::Children { list, .. }) => last_leaf(list),
        _ => None,
    })
}
