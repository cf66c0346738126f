//! Frames as text, through codec, timeline and store, to the rows that components read.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod support;

use iris::store::{AnswerRow, Body, Row, Session, Store, ToolRow};
use iris_core::connection::Message;
use iris_core::ids::ClientId;
use iris_core::protocol::decode_server;
use iris_core::timeline::item::Pending;
use iris_core::timeline::{Phase, ToolState};
use leptos::prelude::*;
use support::{rows, store};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// A page that is fed text, as the socket feeds it.
struct Page {
    store: Store,
    session: Session,
}

impl Page {
    fn new() -> Self {
        let store = store();
        Self { session: Session::new(store.clone()), store }
    }

    /// Feeds each line; what is no frame is skipped, as the link skips it.
    fn feed(&mut self, lines: &[&str]) -> &mut Self {
        for line in lines {
            if let Ok(envelope) = decode_server(line) {
                self.session.frame(envelope, 0.0);
            }
        }
        self
    }

    fn rows(&self) -> Vec<Row> {
        rows(&self.store)
    }

    fn kinds(&self) -> Vec<&'static str> {
        self.rows().iter().map(|row| kind(&row.body)).collect()
    }

    fn answer(&self, at: usize) -> AnswerRow {
        match self.rows()[at].body.clone() {
            Body::Answer(answer) => answer,
            other => panic!("{} is no answer", kind(&other)),
        }
    }

    fn text(&self, at: usize) -> String {
        self.answer(at).text.get_untracked()
    }

    fn tools(&self, at: usize) -> Vec<ToolRow> {
        match &self.rows()[at].body {
            Body::Tools(tools) => tools.get_untracked(),
            other => panic!("{} is no run of tools", kind(other)),
        }
    }

    fn pending(&self, at: usize) -> Option<Pending> {
        match &self.rows()[at].body {
            Body::User(user) => user.pending.get_untracked(),
            other => panic!("{} is not the user's", kind(other)),
        }
    }
}

fn kind(body: &Body) -> &'static str {
    match body {
        Body::User(_) => "user",
        Body::Answer(_) => "answer",
        Body::Commentary(_) => "commentary",
        Body::Tools(_) => "tools",
        Body::Notice(_) => "notice",
        Body::Ask(_) => "ask",
        Body::File(_) => "file",
    }
}

#[wasm_bindgen_test]
fn a_typical_turn_of_plain_frames_becomes_rows() {
    let mut page = Page::new();
    page.feed(&[
        r#"{"type":"typing","on":true}"#,
        r#"{"type":"message.start","message_id":"m1","role":"assistant"}"#,
        r#"{"type":"message.update","message_id":"m1","text":"Let me"}"#,
        r#"{"type":"message.update","message_id":"m1","text":"Let me look…"}"#,
    ]);
    assert_eq!(
        (page.text(0).as_str(), page.answer(0).phase.get_untracked()),
        ("Let me look…", Phase::Streaming)
    );

    page.feed(&[
        r#"{"type":"tool.start","index":1,"name":"terminal","preview":"ls -la","args":{"command":"ls -la"}}"#,
    ]);
    assert_eq!(page.tools(1)[0].state.get_untracked(), ToolState::Running);
    page.feed(&[
        r#"{"type":"tool.end","index":1,"name":"terminal","ok":true,"duration":0.4,"output_preview":"12 files"}"#,
        r#"{"type":"commentary","message_id":"m2","text":"Found 12 files."}"#,
        r#"{"type":"message.start","message_id":"m3"}"#,
        r#"{"type":"message.update","message_id":"m3","text":"The repo"}"#,
        r#"{"type":"message.stop","message_id":"m3","final_text":"The repo is small.","reasoning":"Twelve.","model":"hermes-4","tokens":42}"#,
        r#"{"type":"typing","on":false}"#,
    ]);
    assert_eq!(page.kinds(), ["answer", "tools", "commentary", "answer"]);
    assert_eq!(
        page.tools(1)[0].state.get_untracked(),
        ToolState::Done { ok: Some(true), duration: Some(0.4) }
    );
    let last = page.answer(3);
    assert_eq!(last.text.get_untracked(), "The repo is small.");
    assert_eq!(last.reasoning.get_untracked(), "Twelve.");
    assert_eq!(last.phase.get_untracked(), Phase::Stopped);
    let footer = last.footer.get_untracked();
    assert_eq!(
        (footer.model.as_deref(), footer.tokens.and_then(|tokens| tokens.total)),
        (Some("hermes-4"), Some(42))
    );
    assert!(!page.store.typing.get_untracked());
}

#[wasm_bindgen_test]
fn a_stop_without_a_bubble_is_a_whole_answer() {
    let mut page = Page::new();
    page.feed(&[r#"{"type":"message.stop","message_id":"m1","final_text":"All of it."}"#]);
    assert_eq!((page.text(0).as_str(), page.answer(0).phase.get_untracked()), ("All of it.", Phase::Settled));
}

#[wasm_bindgen_test]
fn without_streaming_an_answer_appears_once_and_complete() {
    let mut page = Page::new();
    page.session.set_streaming(false, 0.0);
    page.feed(&[
        r#"{"type":"message.start","message_id":"m1"}"#,
        r#"{"type":"message.update","message_id":"m1","text":"Half"}"#,
    ]);
    assert!(page.kinds().is_empty());
    page.feed(&[r#"{"type":"message.stop","message_id":"m1","final_text":"Half and half."}"#]);
    assert_eq!((page.kinds(), page.text(0).as_str()), (vec!["answer"], "Half and half."));
}

#[wasm_bindgen_test]
fn a_rewrite_counts_a_generation_and_an_extension_does_not() {
    let mut page = Page::new();
    page.feed(&[
        r#"{"type":"message.start","message_id":"m1"}"#,
        r#"{"type":"message.update","message_id":"m1","text":"One"}"#,
        r#"{"type":"message.update","message_id":"m1","text":"One two"}"#,
    ]);
    let before = page.answer(0).generation.get_untracked();
    page.feed(&[r#"{"type":"message.update","message_id":"m1","text":"Three"}"#]);
    assert_eq!((page.text(0).as_str(), page.answer(0).generation.get_untracked()), ("Three", before + 1));
}

fn hello(client_id: &ClientId) -> Message {
    Message { client_id: client_id.clone(), text: "hello".to_owned(), ..Message::default() }
}

#[wasm_bindgen_test]
fn a_confirmed_echo_is_the_same_row() {
    let mut page = Page::new();
    let client_id = ClientId::from("c1");
    page.session.echo(&hello(&client_id), 0.0);
    let key = page.rows()[0].key;
    assert_eq!(page.pending(0), Some(Pending::Sending));
    page.feed(&[
        r#"{"type":"ack","client_id":"c1","message_id":"u1","seq":1}"#,
        r#"{"type":"user.message","message_id":"u1","client_id":"c1","text":"hello","seq":1}"#,
    ]);
    assert_eq!((page.kinds(), page.rows()[0].key, page.pending(0)), (vec!["user"], key, None));
}

#[wasm_bindgen_test]
fn a_failed_message_says_why_and_goes_when_discarded() {
    let mut page = Page::new();
    let client_id = ClientId::from("c1");
    page.session.echo(&hello(&client_id), 0.0);
    page.session.fail(&client_id, "No connection", 0.0);
    assert_eq!(page.pending(0), Some(Pending::Failed("No connection".to_owned())));
    assert_eq!(page.session.discard(&client_id, 0.0).as_deref(), Some("hello"));
    assert!(page.kinds().is_empty());
    assert_eq!(page.session.discard(&client_id, 0.0), None);
}

#[wasm_bindgen_test]
fn an_ended_turn_leaves_nothing_running() {
    let mut page = Page::new();
    page.feed(&[
        r#"{"type":"turn.start","turn":"t1"}"#,
        r#"{"type":"message.start","message_id":"m1"}"#,
        r#"{"type":"message.update","message_id":"m1","text":"Half"}"#,
        r#"{"type":"tool.start","index":1,"name":"terminal"}"#,
    ]);
    assert!(page.store.running.get_untracked());
    page.feed(&[r#"{"type":"turn.end","turn":"t1","status":"interrupted"}"#]);
    assert!(!page.store.running.get_untracked());
    assert_eq!(page.tools(1)[0].state.get_untracked(), ToolState::NoResult);
    assert_ne!(page.answer(0).phase.get_untracked(), Phase::Streaming);
}

#[wasm_bindgen_test]
fn a_synced_history_appears_at_its_end() {
    let mut page = Page::new();
    page.feed(&[
        r#"{"type":"sync.begin","chat":"a","reset":true,"to_seq":2}"#,
        r#"{"type":"user.message","chat":"a","seq":1,"message_id":"u1","text":"hi"}"#,
        r#"{"type":"message","chat":"a","seq":2,"message_id":"m1","text":"hello"}"#,
    ]);
    assert!(page.kinds().is_empty());
    page.feed(&[r#"{"type":"sync.end","chat":"a"}"#]);
    assert_eq!(page.kinds(), ["user", "answer"]);
}

#[wasm_bindgen_test]
fn a_history_that_breaks_off_is_shown_as_far_as_it_came() {
    let mut page = Page::new();
    page.feed(&[
        r#"{"type":"sync.begin","chat":"a","reset":true,"to_seq":9}"#,
        r#"{"type":"user.message","chat":"a","seq":1,"message_id":"u1","text":"hi"}"#,
    ]);
    page.session.disconnected(0.0);
    assert_eq!(page.kinds(), ["user"]);
}

#[wasm_bindgen_test]
fn what_an_adapter_says_of_itself_is_shown() {
    let mut page = Page::new();
    page.feed(&[
        r#"{"type":"hello","protocol":1,"server":{"name":"iris-adapter","version":"0","build":"b"},"backend":{"kind":"demo","label":"Demo"},"capabilities":[],"chats":[],"suggestions":[{"label":"Try it","text":"demo"}]}"#,
    ]);
    assert_eq!(page.store.backend.get_untracked().unwrap().label, "Demo");
    assert_eq!(page.store.suggestions.get_untracked().len(), 1);
}

#[wasm_bindgen_test]
fn hostile_frames_leave_the_page_alive() {
    let mut page = Page::new();
    let long = format!(
        r#"{{"type":"message.update","message_id":"m1","text":"{}"}}"#,
        "\\u202e<script>".repeat(20_000)
    );
    let deep = format!(
        "{{\"type\":\"tool.start\",\"index\":1,\"name\":\"x\",\"args\":{}1{}}}",
        "{\"a\":".repeat(5_000),
        "}".repeat(5_000)
    );
    page.feed(&[
        "",
        "null",
        "[]",
        "{",
        r#"{"type":7}"#,
        r#"{"type":"from the future","x":1}"#,
        r#"{"type":"message.update","message_id":"","text":""}"#,
        r#"{"type":"message.append","message_id":"nobody","at":18446744073709551615,"text":"x"}"#,
        r#"{"type":"message.start","message_id":"m1"}"#,
        r#"{"type":"message.append","message_id":"m1","at":1,"text":"\ud83d"}"#,
        r#"{"type":"tool.end","index":4294967295,"name":"never started","duration":-1e308}"#,
        r#"{"type":"tool.progress","index":0,"name":"","note":""}"#,
        r#"{"type":"turn.end","turn":"never started","status":"lost","duration_ms":18446744073709551615}"#,
        r#"{"type":"ask.closed","ask_id":"nobody","outcome":"x"}"#,
        r#"{"type":"ask","ask_id":"a","kind":"approval","text":"","choices":[{"id":"","label":""},{"id":"","label":""}]}"#,
        r#"{"type":"sync.end"}"#,
        r#"{"type":"sync.begin","reset":true,"to_seq":18446744073709551615}"#,
        &long,
        &deep,
        r#"{"type":"sync.end"}"#,
        r#"{"type":"message.stop","message_id":"m9","final_text":"Still here."}"#,
    ]);
    let last = page.rows().len() - 1;
    assert_eq!(page.text(last), "Still here.");
}
