//! Where the children of a drawn node stand: one after the other in an element, or, the rows of a table, in sections.
//!
//! A browser lays out a table anew, all its rows, whenever one of them changes: 4 ms a frame at 500 rows, where one in
//! sections takes 0.2 ms. So only the header and the first rows are a table, whose columns fit what is in them. Later
//! sections are blocks that take over the widths of its columns; nothing that comes there moves what stands.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element, HtmlElement};

use crate::browser::SizeObserver;
use iris_core::format::decimal;

/// How many rows stand in a section, the header apart.
pub const SECTION_ROWS: usize = 64;

/// The class of a table of more than one section.
const LONG: &str = "long";

/// Where children stand.
#[derive(Debug)]
pub(super) enum Slot {
    /// In this element, after anything that it put there itself.
    Plain(Element),
    /// In this element, before that child of it.
    Above(Element, web_sys::Node),
    /// In sections of this table.
    Rows(Rows),
}

/// A table's sections.
#[derive(Debug)]
pub(super) struct Rows {
    table: Element,
    sections: Vec<Element>,
}

impl Slot {
    /// The slot of an empty table.
    pub(super) fn rows(table: Element) -> Self {
        Self::Rows(Rows { table, sections: Vec::new() })
    }

    /// The element itself.
    pub(super) fn element(&self) -> &Element {
        match self {
            Self::Plain(element) | Self::Above(element, _) => element,
            Self::Rows(rows) => &rows.table,
        }
    }

    /// Adds child number `index`, which is the last one.
    ///
    /// What comes back keeps a long table's columns in line for as long as it lives.
    pub(super) fn append(
        &mut self,
        index: usize,
        child: &web_sys::Node,
    ) -> Result<Option<SizeObserver>, JsValue> {
        match self {
            Self::Plain(element) => element.append_child(child).map(|_| None),
            Self::Above(element, end) => element.insert_before(child, Some(end)).map(|_| None),
            Self::Rows(rows) => rows.append(index, child),
        }
    }

    /// Takes child number `index` away, which is the last one.
    pub(super) fn remove(&mut self, index: usize, child: &web_sys::Node) -> Result<(), JsValue> {
        match self {
            Self::Plain(element) | Self::Above(element, _) => element.remove_child(child).map(drop),
            Self::Rows(rows) => rows.remove(index, child),
        }
    }
}

impl Rows {
    fn append(&mut self, index: usize, row: &web_sys::Node) -> Result<Option<SizeObserver>, JsValue> {
        let number = section(index);
        let mut columns = None;
        if number == self.sections.len() {
            let document = self.table.owner_document().ok_or("a table without a page")?;
            self.add_section(&document)?;
            columns = if number == 1 { self.follow_columns() } else { None };
        }
        let section = self.sections.get(number).ok_or("a row without a section")?;
        section.append_child(row)?;
        Ok(columns)
    }

    fn add_section(&mut self, document: &Document) -> Result<(), JsValue> {
        let section = document.create_element("tbody")?;
        self.table.append_child(&section)?;
        self.sections.push(section);
        if self.sections.len() == 2 {
            self.table.set_class_name(LONG);
        }
        Ok(())
    }

    fn remove(&mut self, index: usize, row: &web_sys::Node) -> Result<(), JsValue> {
        let last = self.sections.last().ok_or("a row without a section")?;
        last.remove_child(row)?;
        if index == 0 || section(index) != section(index - 1) {
            self.table.remove_child(last)?;
            self.sections.pop();
        }
        if self.sections.len() == 1 {
            self.table.remove_attribute("class")?;
        }
        Ok(())
    }

    /// Gives later sections the columns of the first, now and whenever these change.
    fn follow_columns(&self) -> Option<SizeObserver> {
        let header = self.sections.first()?.first_element_child()?;
        let (table, cells) = (self.table.clone(), header.clone());
        let observer = SizeObserver::new(move || set_columns(&table, &cells))?;
        each_child(&header, |cell| observer.observe(cell));
        Some(observer)
    }
}

/// The section of a row; the header is row 0.
fn section(index: usize) -> usize {
    index.saturating_sub(1) / SECTION_ROWS
}

fn set_columns(table: &Element, header: &Element) {
    let mut columns = String::new();
    each_child(header, |cell| {
        let width = cell.get_bounding_client_rect().width();
        // What is not on display has no widths, and keeps those that it had.
        if width > 0.0 {
            columns.push_str(&decimal(width, 2));
            columns.push_str("px ");
        }
    });
    if let Some(table) = table.dyn_ref::<HtmlElement>().filter(|_| !columns.is_empty()) {
        // A page that refuses still shows the table, with columns of one width.
        let _ = table.style().set_property("--columns", &columns);
    }
}

fn each_child(parent: &Element, mut see: impl FnMut(&Element)) {
    let mut next = parent.first_element_child();
    while let Some(child) = next {
        see(&child);
        next = child.next_element_sibling();
    }
}
