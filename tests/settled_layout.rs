//! Where things stand on the page, with the app's own style: nothing moves when an answer settles, and the sections of a
//! long table have the columns of its header.

#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

mod drawing;

use drawing::corpus::DOCUMENTS;
use drawing::texts::{fence, list, table};
use drawing::{children, elements, find, frame, live, prefixes, styled, until};
use iris::render::LiveText;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement};

wasm_bindgen_test_configure!(run_in_browser);

/// A live text in the width of a phone.
fn on_a_phone(text: &str) -> LiveText {
    let live = live(text);
    live.container().set_class_name("markdown");
    set_width(&live, "330px");
    live
}

fn set_width(live: &LiveText, width: &str) {
    live.container().unchecked_ref::<HtmlElement>().style().set_property("width", width).unwrap();
}

/// Left, top, right and bottom.
fn place(element: &Element) -> [f64; 4] {
    let place = element.get_bounding_client_rect();
    [place.left(), place.top(), place.right(), place.bottom()]
}

/// The places of what a reader looks at: all but the buttons of code, of which there are more when it is finished.
fn places(live: &LiveText) -> Vec<(String, [f64; 4])> {
    let all = elements(live.container()).into_iter();
    let seen = all.filter(|element| element.closest("header, .cursor").unwrap().is_none());
    let root = ("container".to_owned(), place(live.container()));
    [root].into_iter().chain(seen.map(|element| (element.local_name(), place(&element)))).collect()
}

/// How far what scrolls could be scrolled.
fn scrolls(live: &LiveText) -> Vec<(i32, i32)> {
    let all = elements(live.container()).into_iter();
    all.filter(|element| element.matches("pre, .wide").unwrap())
        .map(|element| (element.scroll_width(), element.scroll_height()))
        .collect()
}

fn check_settle(text: &str) {
    let mut live = on_a_phone(text);
    let (before, scrolled) = (places(&live), scrolls(&live));
    live.settle();
    assert_eq!(places(&live), before, "{text:?}");
    assert_eq!(scrolls(&live), scrolled, "{text:?}");
    live.container().remove();
}

#[wasm_bindgen_test]
fn nothing_moves_when_an_answer_settles() {
    let style = styled();
    for text in DOCUMENTS {
        // Wherever it ends: after a line that is just full, after a line end in code, in a cell.
        prefixes(text).filter(|text| !text.trim().is_empty()).for_each(check_settle);
    }
    [fence(9_000), table(150), list(70)].iter().for_each(|text| check_settle(text));
    style.remove();
}

#[wasm_bindgen_test]
fn the_first_letter_stands_where_the_cursor_was() {
    let style = styled();
    let mut live = on_a_phone("");
    let before = place(live.container());
    live.reveal_to("A");
    assert_eq!(place(live.container()), before);
    live.container().remove();
    style.remove();
}

/// Left and right of each cell of a row.
fn cells(row: &web_sys::Node) -> Vec<(i32, i32)> {
    let edges = |cell: web_sys::Node| {
        let [left, _, right, _] = place(cell.unchecked_ref());
        ((left * 10.0).round() as i32, (right * 10.0).round() as i32)
    };
    children(row).into_iter().map(edges).collect()
}

/// Whether the rows of all sections have the columns of the header, to a tenth of a pixel.
fn columns_line_up(live: &LiveText) -> bool {
    let sections = children(&find(live.container(), "table"));
    let header = cells(&sections[0].first_child().unwrap());
    sections.iter().all(|section| cells(&section.last_child().unwrap()) == header)
}

#[wasm_bindgen_test]
async fn the_sections_of_a_long_table_have_the_columns_of_its_header() {
    let style = styled();
    let text = table(200);
    let mut live = on_a_phone(&text[..text.len() / 4]);
    frame().await;
    live.reveal_to(&text);
    assert_eq!(children(&find(live.container(), "table")).len(), 4);
    until("the columns line up", || columns_line_up(&live)).await;
    live.settle();
    set_width(&live, "700px");
    assert!(!columns_line_up(&live), "the first section is wider at once");
    until("they line up in the new width", || columns_line_up(&live)).await;
    live.container().remove();
    style.remove();
}

#[wasm_bindgen_test]
async fn code_that_is_far_away_is_as_high_as_when_it_is_near() {
    let style = styled();
    let live = on_a_phone(&fence(40_000));
    frame().await;
    frame().await;
    let far = place(live.container());
    let near = drawing::document().create_element("style").unwrap();
    near.set_text_content(Some(".markdown .code .lines.lines { content-visibility: visible !important; }"));
    drawing::document().head().unwrap().append_child(&near).unwrap();
    let chunks = live.container().query_selector_all(".lines").unwrap().length();
    assert!(chunks > 10, "{chunks} pieces");
    assert_eq!(place(live.container()), far);
    near.remove();
    live.container().remove();
    style.remove();
}
