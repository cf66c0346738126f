//! Very much of everything: long thoughts, many messages, many tools, huge outputs. What a step costs depends on what
//! came with it, and what nobody has opened is not drawn. The names begin with the complaints about other clients that
//! they answer.
//!
//! Times are compared with each other, as medians, and never with a clock.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod view;

use iris::browser::now_ms;
use iris_core::settings::ToolDetail;
use iris_core::timeline::{Change, ItemKind, Phase, ToolState};
use js_sys::{Function, Promise};
use leptos::prelude::*;
use serde_json::{Value, json};
use view::chat::{Chat, frame, lines, set_visibility, some_frames};
use view::{Page, answer, settle, tool};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{MutationObserver, MutationObserverInit};

wasm_bindgen_test_configure!(run_in_browser);

const ANSWER: &str = ".answer-row [data-text]";

/// How many times as long a step of the last third takes as one of the first.
fn slope(times: &[f64]) -> f64 {
    let third = times.len() / 3;
    let median = |part: &[f64]| {
        let mut sorted = part.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    };
    median(&times[times.len() - third..]) / median(&times[..third])
}

/// How long the page's part of the next frame takes, with its layout.
async fn frame_cost(page: &Page) -> f64 {
    let began = frame().await;
    page.host.offset_height();
    now_ms() - began
}

/// A style of the app's own, as far as what is tested here is laid out by it.
fn style(page: &Page) {
    let style = page.host.owner_document().unwrap().create_element("style").unwrap();
    let files = [
        include_str!("../style/tokens.css"),
        include_str!("../style/base.css"),
        include_str!("../style/markdown.css"),
        include_str!("../style/reasoning.css"),
    ];
    style.set_text_content(Some(&files.concat()));
    page.host.append_child(&style).unwrap();
}

/// Lets the effects run, which run in a microtask.
async fn microtask() {
    let turn = Promise::new(&mut |done: Function, _| {
        done.call0(&JsValue::NULL).unwrap();
    });
    JsFuture::from(turn).await.unwrap();
}

/// Elements in the page.
fn elements(page: &Page) -> usize {
    page.all("*").len()
}

fn feed(chat: &mut Chat, frame: &Value) {
    chat.feed(&frame.to_string());
}

#[wasm_bindgen_test]
async fn b006_a_long_thought_that_is_open_costs_the_same_at_its_end() {
    let mut page = Page::open();
    style(&page);
    let key = page.add(answer("", &"Thought.\n".repeat(60), Phase::Streaming));
    settle().await;
    page.click(".reasoning-toggle").await;
    let more = "A thought that goes on for a line, as they do. ".repeat(3) + "\n";
    let mut times = Vec::new();
    for _ in 0..300 {
        let change = Change::AppendReasoning { key, text: more.repeat(5) };
        let began = now_ms();
        page.rows.apply(vec![change], began);
        microtask().await;
        page.host.offset_height();
        times.push(now_ms() - began);
    }
    assert!(page.text("[data-reasoning]").unwrap().len() > 200_000);
    assert!(slope(&times) < 2.0, "{} times as long at the end: {times:?}", slope(&times));
}

#[wasm_bindgen_test]
async fn b009_what_follows_a_diagram_is_reached_and_the_diagram_is_code() {
    let mut chat = Chat::open();
    chat.start();
    let diagram = "sequenceDiagram\n  A->>B: ClientHello\n  B-->>A: ServerHello\n";
    let text = format!("So:\n\n```mermaid\n{diagram}```\n\nAnd after.");
    chat.update(&text);
    chat.stop();
    chat.page
        .until("the text after it", |page| page.text(ANSWER).unwrap_or_default().ends_with("And after."))
        .await;
    assert_eq!(chat.page.text(&format!("{ANSWER} pre")).as_deref(), Some(diagram));
    assert!(chat.page.all(&format!("{ANSWER} :is(svg, canvas, iframe)")).is_empty());
}

#[wasm_bindgen_test]
async fn b011_rounds_of_code_and_tables_cost_the_same_in_the_end() {
    let mut chat = Chat::open();
    style(&chat.page);
    chat.start();
    let code: String = (0..40).map(|n| format!("let value_{n} = \"{n}\"; // {n}\n")).collect();
    let row = |n| format!("| {n} | a | b | c | d | [e](https://example.org/{n}) |\n");
    let table: String = (0..30).map(row).collect();
    let round =
        format!("**Round**\n\n```js\n{code}```\n\n| n | a | b | c | d | e |\n|-|-|-|-|-|-|\n{table}\n");
    let text = round.repeat(8);
    let (mut times, mut at) = (Vec::new(), 0);
    for chunk in text.as_bytes().chunks(150) {
        let chunk = std::str::from_utf8(chunk).unwrap();
        chat.append(at, chunk);
        times.push(frame_cost(&chat.page).await);
        at += chunk.len();
    }
    chat.stop();
    chat.page.until("the last table", |page| page.all(&format!("{ANSWER} table")).len() == 8).await;
    assert!(slope(&times) < 2.0, "{} times as long at the end: {times:?}", slope(&times));
}

#[wasm_bindgen_test]
async fn b015_and_b027_a_huge_question_slows_and_hides_no_answer() {
    let (mut chat, scroller) = Chat::long().await;
    let question = "word ".repeat(32_000);
    feed(&mut chat, &json!({"type": "message.user", "message_id": "u1", "text": question}));
    let text = "A short answer that everybody can see.";
    feed(&mut chat, &json!({"type": "message.start", "message_id": "m9"}));
    feed(&mut chat, &json!({"type": "message.update", "message_id": "m9", "text": text}));
    chat.page
        .until("the answer", |page| page.all(ANSWER).last().unwrap().inner_text().contains("can see."))
        .await;
    chat.end_in_sight(&scroller).await;
    let (view, seen) = (scroller.get_bounding_client_rect(), chat.page.all(ANSWER).pop().unwrap());
    let seen = seen.get_bounding_client_rect();
    assert!(seen.top() >= view.top() && seen.bottom() <= view.bottom() + 1.0, "the answer is out of sight");
}

#[wasm_bindgen_test]
async fn b021_a_turn_of_thirty_tools_may_come_in_one_breath() {
    let mut chat = Chat::open();
    for n in 1..=30 {
        feed(
            &mut chat,
            &json!({"type": "tool.start", "index": n, "name": "terminal", "args": {"command": format!("ls {n}")}}),
        );
        feed(
            &mut chat,
            &json!({"type": "tool.end", "index": n, "name": "terminal", "ok": n % 2 == 0, "duration": 0.1, "output_preview": format!("out {n}")}),
        );
    }
    feed(&mut chat, &json!({"type": "message", "message_id": "m1", "text": "All done."}));
    some_frames().await;
    let count = |state: &str| chat.page.all(&format!("[data-tool][data-state={state}]")).len();
    assert_eq!((count("ok"), count("failed"), count("running")), (15, 15, 0));
    assert_eq!(chat.shown(), "All done.");
}

#[wasm_bindgen_test]
async fn b008_and_b029_a_thousand_messages_cost_a_thousand_times_one() {
    let open = async |count: usize| {
        let mut chat = Chat::open();
        let began = now_ms();
        feed(&mut chat, &json!({"type": "sync.begin", "reset": true, "to_seq": count}));
        for n in 0..count {
            feed(
                &mut chat,
                &json!({"type": "message", "message_id": format!("m{n}"), "text": format!("An answer, *number* {n}:\n\n- one\n- two `{n}`")}),
            );
        }
        feed(&mut chat, &json!({"type": "sync.end"}));
        chat.page.until("the messages", |page| page.all(ANSWER).len() == count).await;
        chat.page.host.offset_height();
        now_ms() - began
    };
    open(50).await;
    let (few, many) = (open(250).await, open(1_000).await);
    assert!(many < few * 4.0 * 2.0, "{few} ms for 250, {many} ms for 1,000");
}

/// A card with an output and an argument of so many characters.
fn huge(index: u32, size: usize) -> iris_core::timeline::Tool {
    let mut huge = tool(index, ToolState::Done { ok: Some(true), duration: Some(0.1) });
    huge.output = Some("iVBORw0KGgo=".repeat(size / 12));
    huge.args =
        json!({"value": "x".repeat(size), "list": vec!["y"; size / 10]}).as_object().cloned().unwrap();
    huge
}

#[wasm_bindgen_test]
async fn b017_b030_and_b191_of_a_huge_result_the_beginning_is_drawn() {
    let mut page = Page::open();
    let before = elements(&page);
    page.add(ItemKind::Tools((0..5).map(|n| huge(n, 500_000)).collect()));
    settle().await;
    assert!(page.host.text_content().unwrap().len() < 20_000, "closed cards show a line");
    page.store.settings.update(|settings| settings.tool_detail = ToolDetail::Everything);
    settle().await;
    let drawn = page.all(".tool-body .long-text");
    assert_eq!(drawn.len(), 15);
    assert!(drawn.iter().all(|text| text.text_content().unwrap().len() < 5_000));
    assert!(elements(&page) - before < 1_000);
}

#[wasm_bindgen_test]
async fn b032_of_long_runs_of_tools_the_end_is_drawn_and_the_rest_on_demand() {
    let mut page = Page::open();
    let done = ToolState::Done { ok: Some(true), duration: Some(0.1) };
    let run = |count: u32| ItemKind::Tools((1..=count).map(|n| tool(n, done)).collect());
    for _ in 0..5 {
        page.add(run(500));
    }
    settle().await;
    assert_eq!(page.all("[data-tool]").len(), 5 * 40);
    assert_eq!(page.text(".more").as_deref(), Some("Show 460 earlier tools"));
    page.click(".more").await;
    assert_eq!(page.all("[data-tool]").len(), 500 + 4 * 40);
    // One that grows while it is seen keeps all that it has shown.
    let key = page.add(run(30));
    settle().await;
    let (cards, first) = (page.all("[data-tool]").len(), page.all("[data-tool]").remove(500 + 4 * 40));
    page.set(key, run(90));
    settle().await;
    assert_eq!(page.all("[data-tool]").len(), cards + 60);
    assert!(first.is_connected());
}

#[wasm_bindgen_test]
async fn b033_while_the_page_is_hidden_nothing_is_drawn_and_then_all_at_once() {
    let mut chat = Chat::open();
    chat.start();
    chat.update("Some words.\n\n");
    chat.page.until("the first words", |page| page.text(ANSWER).is_some_and(|t| t.contains("words."))).await;
    let callback = Closure::<dyn Fn()>::new(|| {});
    let observer = MutationObserver::new(callback.as_ref().unchecked_ref()).unwrap();
    let what = MutationObserverInit::new();
    what.set_subtree(true);
    what.set_child_list(true);
    what.set_character_data(true);
    observer.observe_with_options(&chat.page.one(ANSWER), &what).unwrap();
    set_visibility("hidden");
    let mut at = "Some words.\n\n".len();
    for n in 0..5_000 {
        let more = format!("w{n} ");
        chat.append(at, &more);
        at += more.len();
        if n % 1_000 == 0 {
            frame().await;
        }
    }
    settle().await;
    assert_eq!(observer.take_records().length(), 0, "drawn for nobody");
    set_visibility("visible");
    assert!(chat.shown().ends_with("w4999"), "{:?}", chat.shown().len());
    let done = observer.take_records().length();
    assert!(done < 20, "{done} changes for one picture");
}

#[wasm_bindgen_test]
async fn b179_a_message_that_is_drawn_again_and_again_looks_the_same() {
    let text = "Text\n```sh\na\n  b\n\nc\n```\n- one\n- two\n\n| a | b |\n|---|---|\n| `1` | 2 |\n";
    let mut chat = Chat::open();
    let mut pictures = Vec::new();
    for n in 0..200 {
        if n % 4 == 0 {
            chat.session.leave(now_ms());
            feed(&mut chat, &json!({"type": "message", "message_id": "m1", "text": text}));
        }
        chat.page.store.settings.update(|settings| {
            settings.tool_detail = if n % 2 == 0 { ToolDetail::Nothing } else { ToolDetail::Everything };
        });
        chat.page.host.style().set_property("width", &format!("{}px", 300 + n)).unwrap();
        settle().await;
        pictures.push(chat.page.one(ANSWER).inner_html());
    }
    assert!(pictures[0].contains("<table>") && pictures[0].contains("a\n  b\n\nc\n"), "{}", pictures[0]);
    assert!(pictures.iter().all(|picture| *picture == pictures[0]));
}

#[wasm_bindgen_test]
async fn b192_an_image_in_a_data_address_is_never_a_wall_of_letters() {
    let mut chat = Chat::open();
    chat.start();
    let image = format!("![chart](data:image/png;base64,{})", "iVBORw0KGgoAAAANSUhEUg".repeat(1_000));
    let (mut at, mut longest) = (0, 0);
    for chunk in image.as_bytes().chunks(400) {
        let chunk = std::str::from_utf8(chunk).unwrap();
        chat.append(at, chunk);
        at += chunk.len();
        frame().await;
        longest = longest.max(chat.shown().len());
    }
    chat.stop();
    chat.page.until("its words", |page| page.text(ANSWER).as_deref() == Some("chart")).await;
    assert!(longest <= 4_500, "{longest} letters of it were shown");
}

#[wasm_bindgen_test]
async fn b095_what_stands_far_above_is_in_the_page_and_found() {
    let mut chat = Chat::open();
    for n in 0..300 {
        feed(
            &mut chat,
            &json!({"type": "message", "message_id": format!("m{n}"), "text": format!("Message number{n}x.\n\n{}", lines(2))}),
        );
    }
    chat.page.until("the last", |page| page.all(ANSWER).len() == 300).await;
    let found = js_sys::eval("getSelection().removeAllRanges(); window.find('number5x')").unwrap();
    assert_eq!(found.as_bool(), Some(true));
}
