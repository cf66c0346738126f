//! The reasoning block opens, closes, and stays as the reader set it while more of it arrives.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod view;

use iris_core::timeline::{Change, ItemKey, Phase};
use view::{Page, answer, expanded, settle};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const TOGGLE: &str = ".reasoning-toggle";
const BODY: &str = "[data-reasoning]";

fn long() -> String {
    (1..=40).map(|n| format!("Thought number {n}, and why it matters.\n")).collect()
}

fn more(key: ItemKey, text: &str) -> Change {
    Change::AppendReasoning { key, text: text.to_owned() }
}

fn is_drawn(page: &Page) -> bool {
    page.one(BODY).offset_height() > 0
}

#[wasm_bindgen_test]
async fn short_reasoning_is_open_and_long_reasoning_is_closed() {
    for (reasoning, open) in [("Look at the files first.".to_owned(), true), (long(), false)] {
        let mut page = Page::open();
        page.add(answer("Done.", &reasoning, Phase::Settled));
        settle().await;
        assert_eq!(expanded(&page.one(TOGGLE)), open);
        assert_eq!(is_drawn(&page), open);
        assert_eq!(page.text(BODY), Some(reasoning));
    }
}

#[wasm_bindgen_test]
async fn without_reasoning_there_is_no_block() {
    let mut page = Page::open();
    page.add(answer("Done.", " \n", Phase::Settled));
    settle().await;
    assert!(page.all(".reasoning").is_empty());
}

#[wasm_bindgen_test]
async fn what_the_reader_opened_stays_open_while_text_arrives() {
    let mut page = Page::open();
    let key = page.add(answer("", &long(), Phase::Streaming));
    settle().await;
    assert!(!expanded(&page.one(TOGGLE)));
    page.click(TOGGLE).await;
    assert!(is_drawn(&page));
    for n in 0..50 {
        page.apply(more(key, &format!("More of it: {n}.\n")));
        settle().await;
        assert!(expanded(&page.one(TOGGLE)) && is_drawn(&page), "closed itself at step {n}");
    }
}

#[wasm_bindgen_test]
async fn what_the_reader_closed_stays_closed_while_text_arrives_and_after() {
    let mut page = Page::open();
    let key = page.add(answer("", "Short.", Phase::Streaming));
    settle().await;
    page.click(TOGGLE).await;
    assert!(!is_drawn(&page));
    page.apply(more(key, " And a little more."));
    settle().await;
    page.set(key, answer("The answer.", "Short. And a little more.", Phase::Stopped));
    page.until("the answer", |page| page.text(".foot").is_some()).await;
    assert!(!expanded(&page.one(TOGGLE)));
}

#[wasm_bindgen_test]
async fn reasoning_that_becomes_long_closes_once_and_a_choice_outlives_it() {
    let mut page = Page::open();
    let key = page.add(answer("", "Short.", Phase::Streaming));
    settle().await;
    assert!(expanded(&page.one(TOGGLE)));
    page.apply(more(key, &long()));
    settle().await;
    assert!(!expanded(&page.one(TOGGLE)));
    assert_eq!(page.text(".reasoning-line").as_deref(), Some("Thought number 40, and why it matters."));
}

#[wasm_bindgen_test]
async fn growing_reasoning_keeps_its_text_node() {
    let mut page = Page::open();
    let key = page.add(answer("", "One.", Phase::Streaming));
    settle().await;
    let text_node = |page: &Page| page.one("[data-reasoning] > span").first_child().unwrap();
    let node = text_node(&page);
    page.apply(more(key, " Two."));
    settle().await;
    assert_eq!(page.text(BODY).as_deref(), Some("One. Two."));
    assert!(text_node(&page).is_same_node(Some(&node)));
}

#[wasm_bindgen_test]
async fn markup_in_reasoning_is_text() {
    let mut page = Page::open();
    let hostile = "<img src=x onerror=alert(1)> **not bold** <think>";
    page.add(answer("Done.", hostile, Phase::Settled));
    settle().await;
    assert_eq!(page.text(BODY).as_deref(), Some(hostile));
    assert_eq!(pieces(&page).matches('<').count(), 2, "one piece of text and nothing else");
}

/// The pieces in which a reasoning stands: what `innerHTML` says of them.
fn pieces(page: &Page) -> String {
    page.one(BODY).inner_html().replace("<!---->", "")
}

#[wasm_bindgen_test]
async fn however_it_comes_reasoning_stands_in_the_same_pieces_of_whole_lines() {
    let text: String = (0..300)
        .map(|n| match n % 7 {
            0 => "\n".to_owned(),
            3 => format!("A \u{1b}[1mbold\u{1b}[0m thought {n}\r\n"),
            5 => format!("{}\n", "a long line ".repeat(n % 40)),
            _ => format!("Thought {n}\u{202e} — für sich 🤔.\n"),
        })
        .collect();
    let mut page = Page::open();
    page.add(answer("", &text, Phase::Streaming));
    settle().await;
    let expected = pieces(&page);
    assert!(expected.matches("<span>").count() > 3, "{expected}");
    // Most of them part a line, some an escape sequence.
    for step in [13, 900, 5_000] {
        let mut page = Page::open();
        let key = page.add(answer("", "", Phase::Streaming));
        for chunk in text.chars().collect::<Vec<_>>().chunks(step) {
            page.apply(more(key, &chunk.iter().collect::<String>()));
            settle().await;
        }
        assert_eq!(pieces(&page), expected, "{step}");
    }
    let mut page = Page::open();
    let key = page.add(answer("", &text, Phase::Streaming));
    settle().await;
    page.set(key, answer("", "Other thoughts.", Phase::Streaming));
    settle().await;
    assert_eq!(pieces(&page), "<span>Other thoughts.</span>");
}
