//! The reader's place: the first row in sight, and how far below the upper edge it begins.
//!
//! What comes or grows above it (older messages, an image) pushes the text down; the place is found again and the
//! scroller moved by as much. Chromium and Firefox do so themselves, but not at the very top, and Safari never.

use web_sys::Element;

/// A row, and its distance from the upper edge of what is seen.
#[derive(Clone, Debug)]
pub struct Anchor {
    row: Element,
    below: f64,
}

impl Anchor {
    /// The place of a reader who sees `scroller`, whose rows are the children of `content` with `data-row`. Goes on from
    /// `last`, which is seldom far away.
    pub fn find(scroller: &Element, content: &Element, last: Option<Self>) -> Option<Self> {
        let known = last.map(|last| last.row).filter(|row| row.is_connected());
        let mut row = known.or_else(|| next(content.first_element_child(), Element::next_element_sibling))?;
        while below(&row, scroller).1 > 0.0 {
            match next(row.previous_element_sibling(), Element::previous_element_sibling) {
                Some(before) => row = before,
                None => break,
            }
        }
        while below(&row, scroller).1 <= 0.0 {
            row = next(row.next_element_sibling(), Element::next_element_sibling)?;
        }
        Some(Self { below: below(&row, scroller).0, row })
    }

    /// How far the row has moved down since; nothing if it is gone.
    pub fn moved(&self, scroller: &Element) -> f64 {
        if self.row.is_connected() { below(&self.row, scroller).0 - self.below } else { 0.0 }
    }
}

/// How far below the upper edge of the scroller an element begins and ends.
pub(super) fn below(element: &Element, scroller: &Element) -> (f64, f64) {
    let (element, edge) = (element.get_bounding_client_rect(), scroller.get_bounding_client_rect().top());
    (element.top() - edge, element.bottom() - edge)
}

/// The next row from here on.
fn next(mut at: Option<Element>, step: fn(&Element) -> Option<Element>) -> Option<Element> {
    while let Some(element) = at {
        if element.has_attribute("data-row") {
            return Some(element);
        }
        at = step(&element);
    }
    None
}
