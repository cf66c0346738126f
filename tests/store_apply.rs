//! Changes of a timeline reach the signals that they concern, and no others.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use iris::store::{AnswerRow, Body, Rows, Store, ToolRow};
use iris_core::ids::{ClientId, MessageId, ToolIndex};
use iris_core::timeline::item::Pending;
use iris_core::timeline::{
    Answer, Change, Item, ItemKey, ItemKind, Phase, Tool, ToolState, TurnFooter, UserMessage,
};
use leptos::mount::mount_to;
use leptos::prelude::*;
use support::{all, host, rows, settle, store};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn answer(key: u64, text: &str) -> Item {
    let kind = ItemKind::Answer(Answer {
        message_id: MessageId(format!("m{key}")),
        text: text.to_owned(),
        generation: 0,
        reasoning: String::new(),
        reasoning_live: false,
        phase: Phase::Streaming,
        cut: None,
        footer: TurnFooter::default(),
    });
    Item { key: ItemKey(key), kind }
}

fn user(key: u64, text: &str, pending: Option<Pending>) -> Item {
    let client_id = Some(ClientId::from("c1"));
    Item {
        key: ItemKey(key),
        kind: ItemKind::User(UserMessage {
            text: text.to_owned(),
            client_id,
            pending,
            attachments: Vec::new(),
        }),
    }
}

fn tool(index: u32, state: ToolState) -> Tool {
    Tool {
        index: ToolIndex(index),
        name: format!("tool{index}"),
        preview: None,
        args: serde_json::Map::new(),
        note: None,
        output: None,
        state,
    }
}

fn tools(key: u64, tools: Vec<Tool>) -> Item {
    Item { key: ItemKey(key), kind: ItemKind::Tools(tools) }
}

fn insert(at: usize, item: Item) -> Change {
    Change::Insert { at, item }
}

fn append(key: u64, text: &str) -> Change {
    Change::AppendText { key: ItemKey(key), text: text.to_owned() }
}

fn answer_row(store: &Store, at: usize) -> AnswerRow {
    match rows(store)[at].body.clone() {
        Body::Answer(row) => row,
        _ => panic!("no answer at {at}"),
    }
}

fn tool_rows(store: &Store, at: usize) -> Vec<ToolRow> {
    match &rows(store)[at].body {
        Body::Tools(row) => row.get_untracked(),
        _ => panic!("no tools at {at}"),
    }
}

fn keys(store: &Store) -> Vec<u64> {
    rows(store).iter().map(|row| row.key.0).collect()
}

/// Mounts the list as the app does; counts how often it is drawn.
fn mounted(store: &Store) -> (web_sys::HtmlElement, Arc<AtomicUsize>) {
    let (host, runs) = (host(), Arc::new(AtomicUsize::new(0)));
    let (list, counted) = (store.rows.clone(), runs.clone());
    let each = move || {
        counted.fetch_add(1, Ordering::Relaxed);
        list.get()
    };
    let text = |row: &iris::store::Row| match &row.body {
        Body::Answer(answer) => answer.text.clone(),
        Body::User(user) => user.text.clone(),
        _ => ArcRwSignal::new(String::new()),
    };
    mount_to(host.clone(), move || {
        view! {
            <For each=each.clone() key=|row| row.key let:row>
                <p class="row">{let text = text(&row); move || text.get()}</p>
            </For>
        }
    })
    .forget();
    (host, runs)
}

#[wasm_bindgen_test]
async fn sixty_updates_of_a_text_never_wake_the_list() {
    let store = store();
    let mut target = Rows::new(store.clone());
    let (host, runs) = mounted(&store);
    target.apply(vec![insert(0, user(1, "hi", None)), insert(1, answer(2, ""))], 0.0);
    settle().await;
    let before = runs.load(Ordering::Relaxed);
    for _ in 0..30 {
        target.apply(vec![append(2, "ab")], 0.0);
        settle().await;
    }
    for n in 1..=30 {
        target.apply(vec![Change::Set { item: answer(2, &"x".repeat(n)) }], 0.0);
        settle().await;
    }
    assert_eq!(runs.load(Ordering::Relaxed), before);
    assert_eq!(all(&host, "p")[1].text_content().unwrap(), "x".repeat(30));
}

#[wasm_bindgen_test]
async fn a_batch_of_rows_wakes_the_list_once() {
    let store = store();
    let mut target = Rows::new(store.clone());
    let (_host, runs) = mounted(&store);
    settle().await;
    let before = runs.load(Ordering::Relaxed);
    target.apply((0..50).map(|n| insert(n, answer(n as u64, "a"))).collect(), 0.0);
    settle().await;
    assert_eq!(runs.load(Ordering::Relaxed), before + 1);
    assert_eq!(rows(&store).len(), 50);
}

#[wasm_bindgen_test]
async fn a_confirmed_echo_keeps_its_node() {
    let store = store();
    let mut target = Rows::new(store.clone());
    let (host, _runs) = mounted(&store);
    target.apply(vec![insert(0, user(7, "hello", Some(Pending::Sending)))], 0.0);
    settle().await;
    let before = all(&host, "p")[0].clone();
    target.apply(vec![Change::Set { item: user(7, "hello", None) }, insert(1, answer(8, "hi"))], 0.0);
    settle().await;
    assert!(all(&host, "p")[0].is_same_node(Some(&before)));
    assert_eq!(all(&host, "p").len(), 2);
}

#[wasm_bindgen_test]
async fn an_equal_value_wakes_nobody() {
    let store = store();
    let mut target = Rows::new(store.clone());
    mounted(&store).0.remove();
    target.apply(vec![insert(0, answer(1, "same"))], 0.0);
    let row = answer_row(&store, 0);
    let runs = Arc::new(AtomicUsize::new(0));
    let owner = Owner::new();
    owner.with(|| {
        let (row, runs) = (row.clone(), runs.clone());
        Effect::new(move |_| {
            row.text.track();
            row.phase.track();
            row.footer.track();
            row.generation.track();
            runs.fetch_add(1, Ordering::Relaxed);
        });
    });
    settle().await;
    target.apply(vec![Change::Set { item: answer(1, "same") }, append(1, "")], 0.0);
    target.apply(vec![Change::Typing(false), Change::Running(false)], 0.0);
    settle().await;
    assert_eq!(runs.load(Ordering::Relaxed), 1);
}

#[wasm_bindgen_test]
fn rows_stand_where_the_changes_put_them() {
    let store = store();
    let mut target = Rows::new(store.clone());
    let check = |target: &mut Rows, changes: Vec<Change>, expected: &[u64]| {
        target.apply(changes, 0.0);
        assert_eq!(keys(&store), expected);
    };
    check(
        &mut target,
        vec![insert(0, answer(1, "")), insert(1, answer(2, "")), insert(0, answer(3, ""))],
        &[3, 1, 2],
    );
    check(&mut target, vec![Change::Remove { key: ItemKey(1) }, insert(1, answer(4, ""))], &[3, 4, 2]);
    check(&mut target, vec![insert(99, answer(5, ""))], &[3, 4, 2, 5]);
    check(&mut target, vec![Change::Remove { key: ItemKey(77) }, append(77, "x")], &[3, 4, 2, 5]);
    check(&mut target, vec![Change::Clear, insert(0, answer(6, ""))], &[6]);
    check(&mut target, vec![append(3, "gone"), Change::Set { item: answer(3, "gone") }], &[6]);
}

#[wasm_bindgen_test]
fn a_held_history_appears_at_once() {
    let store = store();
    let mut target = Rows::new(store.clone());
    target.apply(vec![insert(0, answer(1, "old"))], 0.0);
    target.hold(true);
    target.apply(vec![Change::Clear], 0.0);
    target.apply(vec![insert(0, answer(2, "a"))], 0.0);
    target.apply(vec![append(2, "b"), insert(1, answer(3, "c"))], 0.0);
    assert_eq!(keys(&store), [1]);
    target.hold(false);
    assert_eq!(keys(&store), [2, 3]);
    assert_eq!(answer_row(&store, 0).text.get_untracked(), "ab");
}

#[wasm_bindgen_test]
fn a_running_card_keeps_its_signals_when_others_come_and_go() {
    let store = store();
    let mut target = Rows::new(store.clone());
    target.apply(vec![insert(0, tools(1, vec![tool(1, ToolState::Running)]))], 10.0);
    let first = tool_rows(&store, 0)[0].clone();
    let both = vec![tool(1, ToolState::Running), tool(2, ToolState::Running)];
    target.apply(vec![Change::Set { item: tools(1, both) }], 20.0);
    let done = ToolState::Done { ok: Some(true), duration: Some(0.4) };
    target
        .apply(vec![Change::Set { item: tools(1, vec![tool(1, done), tool(2, ToolState::NoResult)]) }], 30.0);
    assert_eq!(first.state.get_untracked(), done, "the old handle sees the new state");
    assert_eq!(
        tool_rows(&store, 0).iter().map(|row| row.seen_ms).collect::<Vec<_>>(),
        [Some(10.0), Some(20.0)]
    );
}

#[wasm_bindgen_test]
async fn a_cards_end_does_not_wake_the_list_of_cards() {
    let store = store();
    let mut target = Rows::new(store.clone());
    mounted(&store).0.remove();
    target.apply(vec![insert(0, tools(1, vec![tool(1, ToolState::Running)]))], 0.0);
    let Body::Tools(cards) = rows(&store)[0].body.clone() else { panic!("no tools") };
    let runs = Arc::new(AtomicUsize::new(0));
    let owner = Owner::new();
    owner.with(|| {
        let runs = runs.clone();
        Effect::new(move |_| {
            cards.track();
            runs.fetch_add(1, Ordering::Relaxed);
        });
    });
    settle().await;
    target.apply(vec![Change::Set { item: tools(1, vec![tool(1, ToolState::NoResult)]) }], 0.0);
    settle().await;
    assert_eq!(runs.load(Ordering::Relaxed), 1);
}
