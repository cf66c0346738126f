//! The newest text stays in sight while the reader is at the end, and only then.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod view;

use std::cell::Cell;
use std::rc::Rc;

use iris::components::follow::Place;
use iris::store::{FileState, Intent, Older};
use iris_core::ids::MessageId;
use iris_core::protocol::frame::FileInfo;
use iris_core::timeline::{Change, FileItem, Item, ItemKey, ItemKind, Phase};
use leptos::prelude::*;
use view::{Page, answer, focused, pause, settle};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{HtmlElement, WheelEvent, WheelEventInit};

wasm_bindgen_test_configure!(run_in_browser);

const BELOW: &str = "[data-action=below]";

/// A page with more text than it can show, with a turn running, at its end.
async fn long_page() -> (Page, ItemKey) {
    let mut page = Page::open();
    // The style sheet is not part of this test: a scroller of a fixed height is all that following needs.
    let scroller = page.one("[data-scroller]");
    for (name, value) in
        [("display", "block"), ("height", "200px"), ("overflow-y", "scroll"), ("overflow-anchor", "none")]
    {
        scroller.style().set_property(name, value).unwrap();
    }
    page.store.running.set(true);
    let key = page.add(answer("", &lines(60), Phase::Streaming));
    page.until("the block", |page| !page.all(".reasoning-toggle").is_empty()).await;
    page.click(".reasoning-toggle").await;
    pause(50).await;
    scroller.set_scroll_top(scroller.scroll_height());
    page.until("following", |page| page.all(BELOW).is_empty()).await;
    (page, key)
}

fn lines(count: u32) -> String {
    (0..count).map(|n| format!("A line of thought, number {n}.\n")).collect()
}

async fn grow(page: &mut Page, key: ItemKey) {
    let scroller = page.one("[data-scroller]");
    let before = scroller.scroll_height();
    page.apply(Change::AppendReasoning { key, text: lines(5) });
    page.until("longer text", |_| scroller.scroll_height() > before).await;
    pause(60).await;
}

async fn end_in_sight(page: &Page) {
    let scroller = page.one("[data-scroller]");
    page.until("the end in sight", |page| to_end(&scroller) <= 1 && page.all(BELOW).is_empty()).await;
}

fn wheel(scroller: &HtmlElement, delta: f64) {
    let init = WheelEventInit::new();
    init.set_delta_y(delta);
    init.set_bubbles(true);
    scroller.dispatch_event(&WheelEvent::new_with_event_init_dict("wheel", &init).unwrap()).unwrap();
}

fn to_end(scroller: &HtmlElement) -> i32 {
    scroller.scroll_height() - scroller.client_height() - scroller.scroll_top()
}

#[wasm_bindgen_test]
async fn at_the_end_every_growth_is_followed() {
    let (mut page, key) = long_page().await;
    for _ in 0..5 {
        grow(&mut page, key).await;
        end_in_sight(&page).await;
    }
}

#[wasm_bindgen_test]
async fn the_gentlest_turn_of_the_wheel_detaches_and_the_place_holds() {
    let (mut page, key) = long_page().await;
    let scroller = page.one("[data-scroller]");
    wheel(&scroller, -4.0);
    scroller.set_scroll_top(scroller.scroll_top() - 4);
    let held = scroller.scroll_top();
    for _ in 0..5 {
        grow(&mut page, key).await;
        assert_eq!(scroller.scroll_top(), held);
    }
    assert_eq!(page.text(BELOW).as_deref(), Some("New text below"));
}

#[wasm_bindgen_test]
async fn a_scrollbar_dragged_up_detaches_and_coming_back_attaches() {
    let (mut page, key) = long_page().await;
    let scroller = page.one("[data-scroller]");
    scroller.set_scroll_top(scroller.scroll_top() - 500);
    pause(60).await;
    let held = scroller.scroll_top();
    grow(&mut page, key).await;
    assert_eq!(scroller.scroll_top(), held);
    scroller.set_scroll_top(scroller.scroll_height() - scroller.client_height() - 60);
    pause(60).await;
    grow(&mut page, key).await;
    end_in_sight(&page).await;
}

#[wasm_bindgen_test]
async fn the_button_goes_to_the_end_and_follows_again() {
    let (mut page, key) = long_page().await;
    let scroller = page.one("[data-scroller]");
    scroller.set_scroll_top(10);
    page.until("a way to the end", |page| !page.all(BELOW).is_empty()).await;
    grow(&mut page, key).await;
    page.click(BELOW).await;
    end_in_sight(&page).await;
    grow(&mut page, key).await;
    end_in_sight(&page).await;
}

#[wasm_bindgen_test]
async fn a_view_that_shrinks_keeps_the_end_in_sight() {
    let (page, _) = long_page().await;
    let scroller = page.one("[data-scroller]");
    scroller.style().set_property("height", "120px").unwrap();
    end_in_sight(&page).await;
}

#[wasm_bindgen_test]
async fn what_the_reader_opens_does_not_move_under_the_pointer() {
    let (page, _) = long_page().await;
    page.click(".reasoning-toggle").await;
    pause(60).await;
    let place = || page.one(".reasoning-head").offset_top() - page.one("[data-scroller]").scroll_top();
    let before = place();
    page.click(".reasoning-toggle").await;
    pause(60).await;
    assert_eq!(place(), before);
}

/// A page whose chat has older history; its reader is at the upper end.
async fn page_that_loads_older() -> (Page, HtmlElement) {
    let (page, _) = long_page().await;
    page.store.older.set(Older::More);
    settle().await;
    assert!(page.intents().is_empty(), "nobody is near the beginning");
    let scroller = page.one("[data-scroller]");
    scroller.set_scroll_top(0);
    // As often as the scroller tells that it is there, until the answer is on its way.
    page.until("the question", |page| page.intents().contains(&Intent::OlderHistory)).await;
    page.store.older.set(Older::Loading);
    pause(60).await;
    (page, scroller)
}

#[wasm_bindgen_test]
async fn older_rows_come_without_moving_what_is_read() {
    let (mut page, scroller) = page_that_loads_older().await;
    // Not an edge case: exactly at the top no browser keeps the place by itself.
    assert_eq!(scroller.scroll_top(), 0);
    assert_eq!(page.text("[data-action=older]").as_deref(), Some("Loading older messages…"));
    let place = |page: &Page| page.one("[data-row=answer]").get_bounding_client_rect().top();
    let before = place(&page);
    for key in 100..103 {
        let text = lines(30);
        let item = Item { key: ItemKey(key), kind: ItemKind::Commentary { text } };
        page.apply(Change::Insert { at: 0, item });
    }
    page.store.older.set(Older::None);
    pause(60).await;
    assert!((place(&page) - before).abs() <= 1.0, "{before} became {}", place(&page));
    assert!(scroller.scroll_top() > 500);
    assert_eq!(page.text(".older").as_deref(), Some("Beginning of the chat"));
    assert_eq!(page.text(BELOW).as_deref(), Some("To the end"), "what is old is no news");
}

#[wasm_bindgen_test]
async fn older_history_that_did_not_come_is_asked_for_again_only_by_the_reader() {
    let (page, _) = page_that_loads_older().await;
    let asked = page.intents().len();
    page.click("[data-action=older]").await;
    page.store.older.set(Older::More);
    pause(60).await;
    assert_eq!(page.intents().len(), asked);
    page.click("[data-action=older]").await;
    assert_eq!(page.intents().len(), asked + 1);
}

#[wasm_bindgen_test]
async fn the_place_that_was_searched_for_is_shown_and_pointed_out() {
    let (mut page, _) = long_page().await;
    let scroller = page.one("[data-scroller]");
    let item = Item { key: ItemKey(77), kind: ItemKind::Commentary { text: "Here it is".to_owned() } };
    // The row may come in the same breath.
    page.apply(Change::Insert { at: 0, item });
    page.store.target.set(Some(ItemKey(77)));
    page.until("the row", |page| page.text(".found").is_some_and(|text| text.contains("Here it is"))).await;
    pause(60).await;
    let (top, row) = (scroller.get_bounding_client_rect(), page.one(".found").get_bounding_client_rect());
    assert!(row.top() >= top.top() && row.bottom() <= top.bottom(), "the row is out of sight");
    assert!(focused().is_same_node(Some(&page.one(".found"))));
    assert_eq!(page.store.target.get_untracked(), None);
    page.until("the end of it", |page| page.all(".found").is_empty()).await;
}

/// An image that came at the end of the page, or at its beginning, and is not loaded yet.
fn add_image(page: &mut Page, at: usize) {
    let file =
        FileInfo { id: "f1".into(), name: "a.png".to_owned(), media_type: "image/png".to_owned(), size: 9 };
    let item = FileItem { message_id: MessageId::from("f"), file, caption: None };
    page.apply(Change::Insert { at, item: Item { key: ItemKey(90), kind: ItemKind::File(item) } });
}

/// It is loaded, and higher than the view.
async fn load_image(page: &Page) {
    let svg = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='100' height='600'/>";
    page.store.files.update(|files| {
        files.insert("f1".into(), FileState::Ready(svg.to_owned()));
    });
    page.until("the image", |page| page.all("img").iter().any(|image| image.offset_height() == 600)).await;
}

#[wasm_bindgen_test]
async fn b092_an_image_that_comes_late_leaves_the_end_in_sight_after_one_step() {
    let (mut page, _) = long_page().await;
    let scroller = page.one("[data-scroller]");
    add_image(&mut page, 1);
    end_in_sight(&page).await;
    pause(60).await;
    let scrolls = Rc::new(Cell::new(0));
    let count = Rc::clone(&scrolls);
    let heard = Closure::<dyn Fn()>::new(move || count.set(count.get() + 1));
    scroller.add_event_listener_with_callback("scroll", heard.as_ref().unchecked_ref()).unwrap();
    load_image(&page).await;
    end_in_sight(&page).await;
    pause(100).await;
    scroller.remove_event_listener_with_callback("scroll", heard.as_ref().unchecked_ref()).unwrap();
    // Its place goes, then it comes.
    assert!(scrolls.get() <= 2, "{} adjustments", scrolls.get());
    assert!(to_end(&scroller) <= 1);
}

#[wasm_bindgen_test]
async fn an_image_that_comes_late_above_moves_nobody_who_reads() {
    let (mut page, _) = long_page().await;
    let scroller = page.one("[data-scroller]");
    add_image(&mut page, 0);
    end_in_sight(&page).await;
    scroller.set_scroll_top(scroller.scroll_top() - 300);
    pause(60).await;
    let place = || page.one("[data-row=answer]").get_bounding_client_rect().top();
    let before = place();
    load_image(&page).await;
    pause(60).await;
    assert!((place() - before).abs() <= 1.0, "{before} became {}", place());
}

#[wasm_bindgen_test]
async fn another_chat_begins_at_its_end() {
    let (page, _) = long_page().await;
    let scroller = page.one("[data-scroller]");
    scroller.set_scroll_top(10);
    page.until("a way to the end", |page| !page.all(BELOW).is_empty()).await;
    page.store.chat.set(Some("b".into()));
    end_in_sight(&page).await;
}

#[wasm_bindgen_test]
fn a_scroll_tells_whether_the_end_is_followed() {
    let boxed = |top, height, view| Place { top, height, view };
    let place = |top, height| boxed(top, height, 200);
    let cases = [
        ("up detaches", place(800, 1000), place(796, 1000), true, false),
        ("a text that shrinks at the end does not", place(800, 1000), place(700, 900), true, true),
        ("down to near the end attaches", place(500, 1000), place(730, 1000), false, true),
        ("down to further away does not", place(500, 1000), place(700, 1000), false, false),
        ("up to near the end does not", place(800, 1000), place(790, 1000), false, false),
        ("a text that grows does not detach", place(800, 1000), place(800, 1400), true, true),
        (
            "a box that grows while text comes does not",
            boxed(900, 1000, 100),
            boxed(800, 1100, 200),
            true,
            true,
        ),
        ("nor does it attach", boxed(700, 1000, 100), boxed(600, 1100, 200), false, false),
    ];
    for (what, before, now, following, follows) in cases {
        assert_eq!(now.follows(before, following), follows, "{what}");
    }
}
