//! `LiveText`: a container that shows a growing text as Markdown. One renderer for live and for settled text.

use iris_core::markdown::{Document, Update};
use iris_core::reveal::Open;
use wasm_bindgen::JsValue;
use web_sys::Element;

use super::canvas::Canvas;
use super::report::report;

/// Text that grows at its end, drawn as Markdown. At any time the page equals a one-shot drawing of what is shown.
#[derive(Debug)]
pub struct LiveText {
    canvas: Canvas,
    document: Document,
    settled: bool,
}

impl LiveText {
    /// Takes over an element.
    pub fn new(container: Element) -> Result<Self, JsValue> {
        let mut canvas = Canvas::new(container)?;
        canvas.clear();
        Ok(Self { canvas, document: Document::new(), settled: false })
    }

    /// The element.
    pub fn container(&self) -> &Element {
        self.canvas.container()
    }

    /// Shows this much, with the cursor at its end. What does not extend what is shown starts over.
    pub fn reveal_to(&mut self, prefix: &str) {
        let shown = if self.settled { None } else { prefix.strip_prefix(self.document.text()) };
        let added = shown.unwrap_or_else(|| {
            self.start_over();
            prefix
        });
        let update = if added.is_empty() { None } else { Some(self.document.push(added)) };
        self.draw(update.as_ref());
    }

    /// What is open at the end of what is shown.
    pub fn open(&self) -> Open {
        Open::at_end(self.document.blocks())
    }

    /// How many bytes the next growth has parsed again, besides its own.
    pub fn pending_cost(&self) -> usize {
        self.document.pending_cost()
    }

    /// What is shown is all there is: the cursor goes, and what only finished text has appears.
    pub fn settle(&mut self) {
        if self.settled {
            return;
        }
        if let Err(error) = self.canvas.settle() {
            report("an answer could not offer its previews", &error);
        }
        // Its text lives on in the store, its blocks on the page; a settled answer needs neither here.
        self.document = Document::new();
        self.settled = true;
    }

    fn start_over(&mut self) {
        self.canvas.clear();
        self.document = Document::new();
        self.settled = false;
    }

    fn draw(&mut self, update: Option<&Update>) {
        let blocks = self.document.blocks();
        let drawn = update
            .map_or(Ok(()), |update| self.canvas.update(blocks, update))
            .and_then(|()| self.canvas.place_cursor())
            .or_else(|_| self.canvas.redraw(blocks).and_then(|()| self.canvas.place_cursor()));
        if let Err(error) = drawn {
            report("an answer is shown as plain text", &error);
            self.canvas.show_plain(self.document.text());
        }
    }
}
