//! A growing text on the page: always what a one-shot drawing shows, its settled blocks and the reader's selection untouched.

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
use drawing::{
    Watch, before_cursor, children, document, find, live, one_shot, picture, prefixes, select, selection,
};
use iris::browser::Listener;
use iris::render::{LiveText, actions};
use iris_core::markdown::Document;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{HtmlElement, Range};

wasm_bindgen_test_configure!(run_in_browser);

/// The text cut into pieces of so many characters.
fn steps(text: &str, characters: usize) -> Vec<&str> {
    let all: Vec<_> = prefixes(text).collect();
    let mut some: Vec<_> = all.iter().copied().skip(characters - 1).step_by(characters).collect();
    some.extend(all.last());
    some
}

#[wasm_bindgen_test]
fn at_every_prefix_the_page_equals_a_one_shot_drawing() {
    for text in DOCUMENTS {
        let mut live = live("");
        for prefix in prefixes(text) {
            live.reveal_to(prefix);
            assert_eq!(picture(live.container()), one_shot(prefix), "{prefix:?}");
        }
        live.container().remove();
    }
}

#[wasm_bindgen_test]
fn the_steps_of_the_reveal_leave_no_trace() {
    for text in DOCUMENTS {
        let whole = one_shot(text);
        for characters in [2, 3, 7, 24, 1_000] {
            let mut live = live("");
            steps(text, characters).into_iter().for_each(|prefix| live.reveal_to(prefix));
            assert_eq!(picture(live.container()), whole, "{text:?} by {characters}");
            live.container().remove();
        }
    }
}

/// Grows a text on the page and watches each block from the moment when it settles.
fn check_settled_blocks(text: &str) {
    let mut live = live("");
    let mut blocks = Document::new();
    let watch = Watch::new();
    let mut settled = Vec::new();
    let mut pushed = 0;
    for prefix in prefixes(text) {
        live.reveal_to(prefix);
        let update = blocks.push(&prefix[pushed..]);
        pushed = prefix.len();
        // A later definition may change a settled block, and then nothing but that block.
        for change in watch.changes() {
            let target = change.target();
            let meant = update.redrawn.iter().any(|&block| {
                settled.get(block).is_some_and(|block: &web_sys::Node| block.contains(target.as_ref()))
            });
            assert!(meant, "{} at {prefix:?}", change.type_());
        }
        let now = children(live.container());
        for block in now.iter().take(update.settled).skip(settled.len()) {
            watch.add(block);
            settled.push(block.clone());
        }
        assert_eq!(now[..settled.len()], settled, "{prefix:?}");
    }
    live.settle();
    assert_eq!(children(live.container())[..settled.len()], settled);
    live.container().remove();
}

#[wasm_bindgen_test]
fn settled_blocks_keep_their_nodes_and_see_no_change() {
    DOCUMENTS.iter().for_each(|text| check_settled_blocks(text));
}

#[wasm_bindgen_test]
fn the_cursor_stands_after_the_last_visible_letter_and_splits_no_text() {
    for text in DOCUMENTS {
        let mut live = live("");
        for prefix in prefixes(text) {
            live.reveal_to(prefix);
            let root = live.container();
            let cursor = find(root, ".cursor");
            assert_eq!(root.query_selector_all(".cursor").unwrap().length(), 1);
            assert_eq!(cursor.get_attribute("aria-hidden").as_deref(), Some("true"));
            let after = Range::new().unwrap();
            after.set_start_after(&cursor).unwrap();
            // The footnotes stand below text that goes on above them.
            match root.query_selector(":scope > section").unwrap() {
                Some(notes) if !notes.contains(Some(&cursor)) => after.set_end_before(&notes).unwrap(),
                _ => after.set_end_after(&root.last_child().unwrap()).unwrap(),
            }
            let after = String::from(after.to_string());
            // The host behind a link is ours, not the text's.
            assert!(after.trim().is_empty() || after.contains(".example"), "{after:?} at {prefix:?}");
            let next = cursor.next_sibling().and_then(|next| next.node_value()).unwrap_or_default();
            assert!(next.trim().is_empty(), "a text goes on after the cursor: {next:?} at {prefix:?}");
        }
        live.settle();
        assert!(live.container().query_selector(".cursor").unwrap().is_none());
        live.container().remove();
    }
}

#[wasm_bindgen_test]
fn the_cursor_is_inside_the_last_text_leaf() {
    let check = |text: &str, parent: &str, before: &str| {
        let live = live(text);
        let cursor = find(live.container(), ".cursor");
        assert_eq!(cursor.parent_element().unwrap().local_name(), parent, "{text:?}");
        assert_eq!(before_cursor(live.container()).as_deref(), Some(before), "{text:?}");
    };
    check("Hello", "p", "Hello");
    check("Hello **wor**", "strong", "wor");
    check("a\n\n- b\n  - c `d`", "code", "d");
    check("```rust\nlet x;\n", "span", "let x;\n");
    check("| a | b |\n|---|---|\n| 1 | 2", "td", "2");
    check("> quoted\n\n", "p", "quoted");
    check("[link](https://example.com)", "a", "link");
    check("text\n\n---\n", "p", "text");
}

fn check_selection(shown: &str, words: &str, whole: &str) {
    let mut live = live(shown);
    select(live.container(), words);
    for prefix in prefixes(whole).skip(shown.chars().count()) {
        live.reveal_to(prefix);
        assert_eq!(String::from(selection().to_string()), words, "at {prefix:?}");
    }
    live.settle();
    assert_eq!(String::from(selection().to_string()), words, "settled");
    live.container().remove();
}

#[wasm_bindgen_test]
fn a_selection_in_settled_text_survives() {
    let whole = "The quick brown fox.\n\nIt *jumps*.\n\n```\nover\n```\n\n| the | lazy |\n|-|-|\n| dog | . |\n\n- [ref]\n\n[ref]: https://a.example\n";
    check_selection("The quick brown fox.\n\nIt", "quick brown", whole);
}

#[wasm_bindgen_test]
fn a_selection_in_the_part_of_the_tail_that_stays_survives() {
    let whole = "The quick brown fox **jumps** over the `lazy` dog\nand [on](https://a.example).";
    check_selection("The quick brown fox *", "quick brown", whole);
    let code = "```rust\nlet quick = 1;\nlet brown = 2;\n\n// fox\n```\n\nafter";
    check_selection("```rust\nlet quick = 1;\nlet", "let quick", code);
    let list = "- the quick\n- brown fox\n  - jumps **over**\n- the lazy dog\n\nafter";
    check_selection("- the quick\n-", "quick", list);
}

#[wasm_bindgen_test]
fn what_is_no_extension_starts_over() {
    let mut live = live("Hello, *wor");
    live.reveal_to("Help me");
    assert_eq!(picture(live.container()), one_shot("Help me"));
    live.reveal_to("Help");
    assert_eq!(picture(live.container()), one_shot("Help"));
    live.reveal_to("");
    assert_eq!(picture(live.container()), "");
    assert_eq!(live.container().text_content().as_deref(), Some("▉"));
}

#[wasm_bindgen_test]
fn a_text_that_is_known_to_grow_looks_the_same() {
    for text in DOCUMENTS {
        let mut live = live("");
        steps(text, 7).into_iter().for_each(|prefix| live.grow_to(prefix));
        assert_eq!(picture(live.container()), one_shot(text), "{text:?}");
        live.grow_to("less");
        assert_eq!(picture(live.container()), one_shot("less"));
        live.settle();
        live.grow_to("less is more");
        assert_eq!(picture(live.container()), one_shot("less is more"));
        live.container().remove();
    }
}

#[wasm_bindgen_test]
fn a_settled_text_may_be_drawn_again() {
    let mut live = live("One");
    live.settle();
    live.settle();
    live.reveal_to("One\n\nand two");
    assert_eq!(picture(live.container()), one_shot("One\n\nand two"));
    live.settle();
    assert!(live.container().query_selector(".cursor").unwrap().is_none());
}

#[wasm_bindgen_test]
fn a_page_that_a_translator_rewrote_is_put_right() {
    let mut live = live("One\n\nTwo");
    let paragraph = find(live.container(), "p + p");
    // What translators do: the text moves into an element of theirs.
    let theirs = document().create_element("font").unwrap();
    theirs.set_text_content(Some("Zwei"));
    paragraph.replace_child(&theirs, &paragraph.first_child().unwrap()).unwrap();
    live.reveal_to("One\n\nTwo and three");
    assert_eq!(picture(live.container()), one_shot("One\n\nTwo and three"));
    // Or the whole block goes.
    find(live.container(), "p + p").remove();
    live.reveal_to("One\n\nTwo and three\n===");
    assert_eq!(picture(live.container()), one_shot("One\n\nTwo and three\n==="));
}

#[wasm_bindgen_test]
fn live_and_settled_look_the_same() {
    for text in DOCUMENTS {
        let mut live = live(text);
        let before = picture(live.container());
        live.settle();
        let preview =
            r#"<button data-action="preview" type="button"><span aria-live="polite">"Run preview"</></>"#;
        assert_eq!(picture(live.container()).replace(preview, ""), before, "{text:?}");
        live.container().remove();
    }
}

#[wasm_bindgen_test]
fn a_container_that_held_something_is_taken_over() {
    let container = document().create_element("div").unwrap();
    container.set_text_content(Some("old"));
    let mut live = LiveText::new(container).unwrap();
    live.reveal_to("new");
    assert_eq!(picture(live.container()), r#"<p>"new"</>"#);
}

#[wasm_bindgen_test]
fn a_footnote_is_one_click_away_and_so_is_the_way_back() {
    let text = "One[^b] and two[^a].\n\n[^a]: A\n\n[^b]: B\n";
    // Another answer with notes of the same names.
    let other = live(text);
    let mut live = live(text);
    let _clicks = Listener::new(live.container(), "click", actions::clicked);
    live.container().set_class_name("markdown");
    live.settle();
    for (reference, note) in [(".to-1", ".notes > :first-child"), (".to-2", ".notes > :last-child")] {
        let [reference, note] = [reference, note]
            .map(|selector| find(live.container(), selector).unchecked_into::<HtmlElement>());
        reference.click();
        assert!(document().active_element().as_ref() == Some(note.as_ref()));
        find(&note, "button").unchecked_into::<HtmlElement>().click();
        assert!(document().active_element().as_ref() == Some(reference.as_ref()));
    }
    other.container().remove();
    live.container().remove();
}
