//! A turn that streams into the mounted page, frame by frame: what is shown stays, whatever happens beside it.
//! The names begin with the complaints about other clients that they answer.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod view;

use iris::browser::now_ms;
use iris_core::settings::{Theme, ToolDetail};
use leptos::prelude::*;
use view::chat::{Chat, frame, lines, set_visibility, some_frames};
use view::settle;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{WheelEvent, WheelEventInit};

wasm_bindgen_test_configure!(run_in_browser);

/// Each frame shows what the one before it showed, and more.
#[track_caller]
fn assert_nothing_taken_back(seen: &[String]) {
    for pair in seen.windows(2) {
        assert!(pair[1].starts_with(pair[0].as_str()), "{:?} became {:?}", pair[0], pair[1]);
    }
}

const WORDS: &str = "Some words that take a moment to be shown, since they are many. ";

#[wasm_bindgen_test]
async fn b051_the_last_letter_before_a_tool_is_shown() {
    let mut chat = Chat::open();
    chat.start();
    chat.update("Let me look");
    chat.feed(r#"{"type":"tool.start","index":1,"name":"terminal","args":{}}"#);
    assert_nothing_taken_back(&chat.watch("Let me look", |_, _| {}).await);
}

#[wasm_bindgen_test]
async fn b053_other_frames_leave_the_text_alone() {
    let mut chat = Chat::open();
    chat.start();
    let text = WORDS.repeat(2);
    chat.update(&text);
    let seen = chat
        .watch(text.trim_end(), |chat, n| {
            let on = n % 2 == 0;
            chat.feed(&format!(r#"{{"type":"typing","on":{on}}}"#));
            chat.feed(r#"{"type":"ping","t":1}"#);
        })
        .await;
    assert_nothing_taken_back(&seen);
}

#[wasm_bindgen_test]
async fn b054_and_b057_at_the_stop_no_frame_shows_less() {
    for (stop, all) in [
        (r#"{"type":"message.stop","message_id":"m1","final_text":""}"#, WORDS.to_owned()),
        (r#"{"type":"message.stop","message_id":"m1"}"#, WORDS.to_owned()),
        (
            r#"{"type":"message.stop","message_id":"m1","final_text":"Some words, and other ones."}"#,
            "Some words, and other ones.".to_owned(),
        ),
    ] {
        let mut chat = Chat::open();
        chat.start();
        chat.update(WORDS);
        let seen = chat
            .watch(all.trim_end(), |chat, n| {
                if n == 8 {
                    chat.feed(stop);
                }
            })
            .await;
        let first = seen.iter().position(|shown| !shown.is_empty()).unwrap();
        assert!(seen.iter().skip(first).all(|shown| !shown.is_empty()), "the bubble was empty: {seen:?}");
        // Other words are no less, but shown as they are, at once.
        let seen: Vec<String> =
            seen.into_iter().filter(|shown| *shown != "Some words, and other ones.").collect();
        assert_nothing_taken_back(&seen);
    }
}

#[wasm_bindgen_test]
async fn b056_what_happens_beside_a_text_leaves_it_alone() {
    let mut chat = Chat::open();
    chat.start();
    let text = WORDS.repeat(3);
    chat.update(&text);
    settle().await;
    let bubble = chat.page.one(".answer-row [data-text]");
    let seen = chat
        .watch(text.trim_end(), |chat, n| match n {
            4 => chat.page.store.settings.update(|settings| settings.tool_detail = ToolDetail::Everything),
            8 => chat.page.store.settings.update(|settings| settings.theme = Theme::Dark),
            12 => chat.feed(r#"{"type":"commentary","message_id":"m2","text":"A remark."}"#),
            16 => chat.feed(r#"{"type":"tool.start","index":1,"name":"terminal","args":{}}"#),
            20 => chat.page.store.settings.update(|settings| settings.theme = Theme::Light),
            _ => {}
        })
        .await;
    assert_nothing_taken_back(&seen);
    assert!(bubble.is_connected(), "the bubble is still the same element");
}

#[wasm_bindgen_test]
async fn b072_a_turn_on_a_hidden_page_is_there_at_once_when_it_is_back() {
    let mut chat = Chat::open();
    set_visibility("hidden");
    chat.start();
    let text = WORDS.repeat(20);
    chat.update(&text);
    chat.feed(r#"{"type":"message.stop","message_id":"m1"}"#);
    settle().await;
    frame().await;
    set_visibility("visible");
    assert_eq!(chat.shown(), text.trim_end());
}

#[wasm_bindgen_test]
async fn b072_a_page_that_is_hidden_in_the_middle_types_no_old_text() {
    let mut chat = Chat::open();
    chat.start();
    let text = WORDS.repeat(4);
    chat.update(&text);
    while chat.shown().is_empty() {
        frame().await;
    }
    set_visibility("hidden");
    chat.feed(r#"{"type":"message.stop","message_id":"m1"}"#);
    settle().await;
    frame().await;
    set_visibility("visible");
    assert_eq!(chat.shown(), text.trim_end());
}

#[wasm_bindgen_test]
async fn b074_another_chat_shows_nothing_of_this_one() {
    let mut chat = Chat::open();
    chat.start();
    chat.update(&WORDS.repeat(4));
    while chat.shown().is_empty() {
        frame().await;
    }
    assert!(chat.shown().starts_with('S'));
    chat.session.leave(now_ms());
    chat.start();
    chat.update("Entirely different: this is the other chat");
    let seen = chat.watch("Entirely different: this is the other chat", |_, _| {}).await;
    assert_nothing_taken_back(&seen);
    assert!(seen.iter().all(|shown| !shown.contains("Some")), "{seen:?}");
}

#[wasm_bindgen_test]
async fn b012_updates_between_two_frames_are_drawn_once() {
    let mut chat = Chat::open();
    chat.start();
    chat.update(WORDS);
    chat.page
        .until("the first words", |page| page.text(".answer-row [data-text]").is_some_and(|t| t.len() > 5))
        .await;
    let (before, mut text) = (chat.shown(), WORDS.to_owned());
    for n in 0..200 {
        text.push_str(&format!("Update {n}\n\n"));
        chat.update(&text);
    }
    assert_eq!(chat.shown(), before, "nothing is drawn before the frame");
    let all: String = text.split("\n\n").collect();
    chat.feed(r#"{"type":"message.stop","message_id":"m1"}"#);
    chat.page.until("all", |page| page.text(".answer-row [data-text]").is_some_and(|t| t == all)).await;
}

#[wasm_bindgen_test]
async fn b081_the_gentlest_turn_of_the_wheel_is_heard_right_after_the_page_scrolled_itself() {
    let (mut chat, scroller) = Chat::long().await;
    let mut count = 20;
    for _ in 0..5 {
        count += 20;
        let height = scroller.scroll_height();
        chat.update(&lines(count));
        chat.page.until("longer text", |_| scroller.scroll_height() > height).await;
        let init = WheelEventInit::new();
        init.set_delta_y(-10.0);
        init.set_bubbles(true);
        scroller.dispatch_event(&WheelEvent::new_with_event_init_dict("wheel", &init).unwrap()).unwrap();
        scroller.set_scroll_top(scroller.scroll_top() - 10);
        let held = scroller.scroll_top();
        count += 20;
        let height = scroller.scroll_height();
        chat.update(&lines(count));
        chat.page.until("still longer text", |_| scroller.scroll_height() > height).await;
        some_frames().await;
        assert_eq!(scroller.scroll_top(), held, "the reader was pulled away");
        scroller.set_scroll_top(scroller.scroll_height());
        chat.end_in_sight(&scroller).await;
    }
}

#[wasm_bindgen_test]
async fn b084_what_is_read_does_not_move_when_tools_come_and_go_and_the_turn_ends() {
    let (mut chat, scroller) = Chat::long().await;
    scroller.set_scroll_top(scroller.scroll_height() / 3);
    some_frames().await;
    let read = chat.page.all(".answer-row").into_iter().nth(8).unwrap();
    let place = || read.get_bounding_client_rect().top();
    let before = place();
    for frame in [
        r#"{"type":"tool.start","index":1,"name":"terminal","args":{"command":"ls"}}"#,
        r#"{"type":"tool.progress","index":1,"name":"terminal","note":"half"}"#,
        r#"{"type":"tool.end","index":1,"name":"terminal","ok":true,"duration":1,"output_preview":"a\nb\nc"}"#,
        r#"{"type":"commentary","message_id":"m2","text":"A remark."}"#,
        r#"{"type":"message.stop","message_id":"m1","model":"hermes-4","tokens":42}"#,
        r#"{"type":"typing","on":false}"#,
    ] {
        chat.feed(frame);
        some_frames().await;
        assert_eq!(place(), before, "after {frame}");
    }
}

#[wasm_bindgen_test]
async fn b087_at_the_end_the_view_only_moves_down() {
    let (mut chat, scroller) = Chat::long().await;
    let text = format!(
        "{}And now:\n\n- **one** with [a link](https://example.org)\n- `two`\n\n| a | b |\n|---|---|\n| c | d |\n\n\
        ```\nlet x;\nlet y;\n```\n\nTitle\n---\n\nThe end.",
        lines(20)
    );
    chat.update(&text);
    chat.feed(r#"{"type":"message.stop","message_id":"m1"}"#);
    let mut tops = vec![scroller.scroll_top()];
    while !chat.page.all(".answer-row").last().unwrap().text_content().unwrap().contains("The end.") {
        frame().await;
        tops.push(scroller.scroll_top());
    }
    assert!(tops.is_sorted(), "{tops:?}");
    chat.end_in_sight(&scroller).await;
}
