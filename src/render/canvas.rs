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
use super::slot::Slot;
use super::text::Leaf;

/// The letter that stands for the text to come.
pub const CURSOR: &str = "▉";

/// The class of the cursor's element.
pub const CURSOR_CLASS: &str = "cursor";

/// How many nodes are looked at for the last visible letter. A thousand rules in a row show none, on every frame.
const CURSOR_BUDGET: usize = 200;

/// A container that shows a list of blocks. Nobody else may change what is inside.
#[derive(Debug)]
pub struct Canvas {
    container: Element,
    slot: Slot,
    pen: Pen,
    drawn: Vec<Drawn>,
    notes: Option<Notes>,
}

/// The footnotes, below all blocks.
#[derive(Debug)]
struct Notes {
    section: Element,
    slot: Slot,
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
        let pen = Pen { document, cursor, columns: Vec::new() };
        Ok(Self { slot: Slot::Plain(container.clone()), container, pen, drawn: Vec::new(), notes: None })
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
                self.pen.patch(old, node, ALL, context)?;
            }
        }
        self.pen.patch_list(&mut self.slot, &mut self.drawn, blocks, &update.changed, context)
    }

    /// Brings the footnotes from the last ones to these; `changed` is the path to what may differ.
    pub fn update_notes(&mut self, nodes: &[Node], changed: &[usize]) -> Result<(), JsValue> {
        if changed.is_empty() {
            return Ok(());
        }
        if nodes.is_empty() {
            if let Some(notes) = self.notes.take() {
                notes.section.remove();
                self.slot = Slot::Plain(self.container.clone());
            }
            return Ok(());
        }
        let mut notes = match self.notes.take() {
            Some(notes) => notes,
            None => self.begin_notes()?,
        };
        let done = self.pen.patch_list(&mut notes.slot, &mut notes.drawn, nodes, changed, Context::default());
        self.notes = Some(notes);
        done
    }

    fn begin_notes(&mut self) -> Result<Notes, JsValue> {
        let section = self.pen.element("section", "")?;
        section.set_attribute("aria-label", "Footnotes")?;
        let list = self.pen.element("ol", "notes")?;
        section.append_child(&list)?;
        self.container.append_child(&section)?;
        self.slot = Slot::Above(self.container.clone(), section.clone().into());
        Ok(Notes { section, slot: Slot::Plain(list), drawn: Vec::new() })
    }

    /// Throws everything away and draws blocks and footnotes afresh.
    pub fn redraw(&mut self, blocks: &[Node], notes: &[Node]) -> Result<(), JsValue> {
        self.clear();
        self.pen.patch_list(&mut self.slot, &mut self.drawn, blocks, ALL, Context::default())?;
        self.update_notes(notes, ALL)
    }

    /// Empties the container.
    pub fn clear(&mut self) {
        self.drawn.clear();
        self.notes = None;
        self.slot = Slot::Plain(self.container.clone());
        self.pen.columns.clear();
        self.container.set_text_content(None);
    }

    /// Shows text as it is: the last resort, so that an answer is never lost.
    pub fn show_plain(&mut self, text: &str) {
        self.clear();
        self.container.set_text_content(Some(text));
    }

    /// Puts the cursor after the last visible letter, unless it stands there already.
    pub fn place_cursor(&self) -> Result<(), JsValue> {
        let cursor = &self.pen.cursor;
        let mut budget = CURSOR_BUDGET;
        // What stands last may be a footnote.
        let drawn = match (self.drawn.last(), &self.notes) {
            (Some(Drawn { kind: Kind::Definition(_), .. }), Some(notes)) => &notes.drawn,
            _ => &self.drawn,
        };
        let place = last_visible(drawn, &mut budget).unwrap_or_else(|| Place::EndOf(self.container.clone()));
        let (parent, next) = match place {
            Place::EndOf(element) if element.last_child().as_ref() == Some(cursor) => return Ok(()),
            Place::EndOf(element) => (element.into(), None),
            Place::After(leaf) => {
                let next = leaf.next_sibling();
                if next.as_ref() == Some(cursor) {
                    return Ok(());
                }
                (leaf.parent_node().ok_or("the last leaf has left the page")?, next)
            }
        };
        parent.insert_before(cursor, next.as_ref()).map(drop)
    }

    /// The text is complete: the cursor goes, finished HTML offers its preview, and what was needed to patch is let go.
    pub fn settle(&mut self) -> Result<(), JsValue> {
        self.pen.cursor.remove();
        let mut drawn = std::mem::take(&mut self.drawn);
        drawn.extend(self.notes.take().into_iter().flat_map(|notes| notes.drawn));
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

/// Where the cursor stands.
enum Place {
    /// After this node.
    After(web_sys::Node),
    /// At the end of this element.
    EndOf(Element),
}

/// The place after the last thing to be seen. Most of the time that is in the last node of the last node of the last.
fn last_visible(list: &[Drawn], budget: &mut usize) -> Option<Place> {
    for drawn in list.iter().rev() {
        *budget = budget.checked_sub(1)?;
        let after = |leaf: &Leaf| Place::After(leaf.node().clone().into());
        let place = match (&drawn.kind, &drawn.inside) {
            (Kind::Image { .. } | Kind::Math { .. } | Kind::NoteRef { .. }, _) => {
                Some(Place::After(drawn.outer.clone()))
            }
            (Kind::Lines(_), Inside::Text(leaf)) => Some(after(leaf)),
            (_, Inside::Text(leaf)) => leaf.is_visible().then(|| after(leaf)),
            (kind, Inside::Children { slot, list }) => {
                last_visible(list, budget).or_else(|| frame(kind, slot.element()))
            }
            (_, Inside::Nothing) => None,
        };
        if place.is_some() {
            return place;
        }
    }
    None
}

/// The place in what shows something although there is nothing in it yet.
fn frame(kind: &Kind, slot: &Element) -> Option<Place> {
    match kind {
        Kind::CodeBlock { .. } => Some(Place::EndOf(slot.clone())),
        // Its title.
        Kind::Alert(_) => slot.first_element_child().map(Place::EndOf),
        _ => None,
    }
}
