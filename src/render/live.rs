//! `LiveText`: a container that shows a growing text as Markdown. One renderer for live and for settled text.

use iris_core::markdown::{Document, Update};
use iris_core::reveal::Open;
use wasm_bindgen::JsValue;
use web_sys::Element;

use super::canvas::Canvas;
use super::report::report;

/// How many bytes at the end of what is shown a growing text is compared with.
const LOOK_BACK: usize = 4096;

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
        self.show(added);
    }

    /// The same for a text that should begin with what is shown: of that only the end is compared, so that a frame
    /// costs what is new and not what is there. Whoever shows the last of a text uses `reveal_to`.
    pub fn grow_to(&mut self, text: &str) {
        let shown = self.document.text().len();
        match text.get(shown..) {
            Some(added) if !self.settled && ends_alike(text, self.document.text()) => self.show(added),
            _ => self.reveal_to(text),
        }
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

    fn show(&mut self, added: &str) {
        let update = if added.is_empty() { None } else { Some(self.document.push(added)) };
        self.draw(update.as_ref());
    }

    fn draw(&mut self, update: Option<&Update>) {
        let (blocks, notes) = (self.document.blocks(), self.document.notes());
        let canvas = &mut self.canvas;
        let mut follow = |update: &Update| {
            canvas.update(blocks, update)?;
            canvas.update_notes(notes, &update.notes)
        };
        let drawn = update
            .map_or(Ok(()), &mut follow)
            .and_then(|()| self.canvas.place_cursor())
            .or_else(|_| self.canvas.redraw(blocks, notes).and_then(|()| self.canvas.place_cursor()));
        if let Err(error) = drawn {
            report("an answer is shown as plain text", &error);
            self.canvas.show_plain(self.document.text());
        }
    }
}

/// Whether the end of `shown` stands at the same place in `text`.
fn ends_alike(text: &str, shown: &str) -> bool {
    let end = shown.len().saturating_sub(LOOK_BACK)..shown.len();
    text.as_bytes().get(end.clone()) == shown.as_bytes().get(end)
}
