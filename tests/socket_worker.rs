//! Whom the shared worker of all tabs tells what: its script as it is, between ports and a socket that a test holds.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen(module = "/tests/worker/stage.js")]
extern "C" {
    type Stage;
    #[wasm_bindgen(constructor)]
    fn new(source: &str) -> Stage;
    #[wasm_bindgen(method)]
    fn join(this: &Stage) -> u32;
    #[wasm_bindgen(method)]
    fn post(this: &Stage, tab: u32, message: &str);
    #[wasm_bindgen(method)]
    fn hears(this: &Stage, tab: u32) -> Vec<String>;
    #[wasm_bindgen(method)]
    fn dies(this: &Stage, tab: u32);
    #[wasm_bindgen(method)]
    fn vanishes(this: &Stage, tab: u32);
    #[wasm_bindgen(method)]
    fn opens(this: &Stage);
    #[wasm_bindgen(method)]
    fn says(this: &Stage, text: &str);
    #[wasm_bindgen(method)]
    fn closes(this: &Stage, code: u16, reason: &str);
    #[wasm_bindgen(method)]
    fn sent(this: &Stage) -> Vec<String>;
    #[wasm_bindgen(method)]
    fn alive(this: &Stage) -> u32;
    #[wasm_bindgen(method)]
    fn opened(this: &Stage) -> u32;
    #[wasm_bindgen(method)]
    fn later(this: &Stage, ms: f64);
}

const HELLO: &str = r#"{"type":"hello","protocol":1,"device":"d"}"#;
const ANSWER: &str = r#"{"type":"hello","protocol":1,"chats":[{"id":"a","updated_ms":2},{"id":"b","updated_ms":1}],"commands":[{"name":"x"}]}"#;

impl Stage {
    fn empty() -> Self {
        Self::new(include_str!("../public/socket-worker.js"))
    }

    /// So many tabs that are connected and have heard hello.
    fn with_tabs(count: u32) -> Self {
        let stage = Self::empty();
        (0..count).for_each(|_| {
            stage.enter();
        });
        stage.opens();
        (0..count).for_each(|tab| stage.say(tab, HELLO));
        stage.says(ANSWER);
        (0..count).for_each(|tab| drop(stage.hears(tab)));
        stage.sent();
        stage
    }

    fn enter(&self) -> u32 {
        let tab = self.join();
        self.post(tab, &json!({"open": "ws://host/ws", "lock": format!("lock {tab}")}).to_string());
        tab
    }

    fn say(&self, tab: u32, text: &str) {
        self.post(tab, &json!({"send": text}).to_string());
    }

    fn ask(&self, tab: u32, frame: Value) {
        self.say(tab, &frame.to_string());
    }

    fn subscribe(&self, tab: u32, chat: &str) {
        self.ask(tab, json!({"type": "subscribe", "chat": chat}));
    }

    fn bye(&self, tab: u32) {
        self.post(tab, r#"{"bye":true}"#);
    }

    /// The adapter says this: which tabs hear it?
    fn hearers(&self, tabs: u32, frame: Value) -> Vec<u32> {
        let text = frame.to_string();
        self.says(&text);
        (0..tabs).filter(|tab| self.hears(*tab).contains(&text)).collect()
    }
}

#[wasm_bindgen_test]
fn many_tabs_are_one_socket_and_one_hello() {
    let stage = Stage::empty();
    let (first, second) = (stage.enter(), stage.enter());
    assert!(stage.hears(first).is_empty());
    stage.opens();
    stage.say(first, HELLO);
    stage.say(second, HELLO);
    assert_eq!(stage.sent(), [HELLO]);
    stage.says(ANSWER);
    for tab in [first, second] {
        assert_eq!(stage.hears(tab), ["opened", ANSWER]);
    }
    let third = stage.enter();
    stage.say(third, HELLO);
    assert_eq!(stage.hears(third), ["opened", ANSWER]);
    assert_eq!((stage.opened(), stage.sent()), (1, vec![]));
}

#[wasm_bindgen_test]
fn who_comes_later_is_told_how_things_stand_now() {
    let stage = Stage::with_tabs(1);
    for frame in [
        json!({"type": "chat.updated", "chat": "b", "title": "B", "updated_ms": 9, "running": true}),
        json!({"type": "chat.updated", "chat": "c", "updated_ms": 0}),
        json!({"type": "chat.removed", "chat": "a"}),
        json!({"type": "backend.updated", "backend": {"kind": "cli"}, "capabilities": ["files"]}),
    ] {
        assert_eq!(stage.hearers(1, frame), [0]);
    }
    let late = stage.enter();
    stage.say(late, HELLO);
    let told: Value = serde_json::from_str(&stage.hears(late)[1]).unwrap();
    let chats =
        json!([{"id": "b", "title": "B", "updated_ms": 9, "running": true}, {"id": "c", "updated_ms": 0}]);
    let expected = json!({"type": "hello", "protocol": 1, "chats": chats, "commands": [], "backend": {"kind": "cli"}, "capabilities": ["files"]});
    assert_eq!(told, expected);
}

fn begin(reset: bool, to_seq: u64) -> Value {
    json!({"type": "sync.begin", "chat": "a", "reset": reset, "to_seq": to_seq})
}

fn end() -> Value {
    json!({"type": "sync.end", "chat": "a"})
}

fn said(seq: u64) -> Value {
    json!({"type": "message", "chat": "a", "seq": seq})
}

/// One tab after the other shows the chat, whose last number is 2.
fn in_one_chat(count: u32) -> Stage {
    let stage = Stage::with_tabs(count);
    for tab in 0..count {
        stage.subscribe(tab, "a");
        for frame in [begin(true, 2), said(1), said(2), end()] {
            assert_eq!(stage.hearers(count, frame), [tab]);
        }
    }
    stage.sent();
    stage
}

fn types(texts: &[String]) -> Vec<String> {
    let word = |text: &String| {
        let frame: Value = serde_json::from_str(text).unwrap();
        let seq = frame["seq"].as_u64().map_or(String::new(), |seq| format!(" {seq}"));
        let reset = if frame["reset"] == true { " all" } else { "" };
        format!("{}{reset}{seq}", frame["type"].as_str().unwrap())
    };
    texts.iter().map(word).collect()
}

#[wasm_bindgen_test]
fn a_history_goes_to_the_tab_that_asked_and_what_happens_to_all_that_are_there() {
    let stage = in_one_chat(3);
    stage.subscribe(2, "b");
    let check =
        |frame: Value, expected: &[u32]| assert_eq!(stage.hearers(3, frame.clone()), expected, "{frame}");
    check(said(3), &[0, 1]);
    check(json!({"type": "chat.updated", "chat": "a", "updated_ms": 1}), &[0, 1, 2]);
    // The adapter has noticed that something was missed.
    for frame in [said(4), end()] {
        if frame == said(4) {
            stage.says(&begin(false, 4).to_string());
        }
        check(frame, &[0, 1]);
    }
    stage.subscribe(0, "b");
    check(said(5), &[1]);
    check(json!({"type": "chat.removed", "chat": "a"}), &[0, 1, 2]);
    check(json!({"type": "typing", "on": false}), &[0, 1, 2]);
}

#[wasm_bindgen_test]
fn a_continuation_goes_to_those_who_were_told_of_the_append_before_it() {
    let stage = in_one_chat(3);
    stage.subscribe(2, "b");
    let more = Value::from("more");
    let check =
        |frame: &Value, expected: &[u32]| assert_eq!(stage.hearers(3, frame.clone()), expected, "{frame}");
    check(&json!({"type": "message.append", "chat": "a", "seq": 3, "message_id": "m", "at": 0}), &[0, 1]);
    check(&more, &[0, 1]);
    check(&more, &[0, 1]);
    // Who comes back has the number of the last one, too.
    stage.subscribe(1, "b");
    check(&more, &[0]);
    for frame in [begin(false, 7), said(5), said(6), said(7), end()] {
        stage.says(&frame.to_string());
    }
    assert_eq!(types(&stage.hears(0))[..2], ["sync.begin", "message 7"], "0 has it up to 6");
    // After anything else it is nobody's, and everybody counts it.
    check(&json!({"type": "reasoning.append", "chat": "a", "seq": 8, "message_id": "m", "at": 0}), &[0]);
    check(&more, &[0]);
    check(&said(10), &[0]);
    check(&more, &[0, 1, 2]);
}

#[wasm_bindgen_test]
fn what_others_miss_while_a_tab_is_brought_up_to_date_they_hear_with_it() {
    let stage = in_one_chat(2);
    let late = stage.enter();
    stage.say(late, HELLO);
    (0..3).for_each(|tab| drop(stage.hears(tab)));
    stage.subscribe(late, "a");
    // Three came while the adapter read its disk; nobody was told.
    for frame in [begin(true, 3), said(1), said(2), said(3), end()] {
        stage.says(&frame.to_string());
    }
    assert_eq!(
        types(&stage.hears(late)),
        ["sync.begin all", "message 1", "message 2", "message 3", "sync.end"]
    );
    for tab in [0, 1] {
        assert_eq!(types(&stage.hears(tab)), ["sync.begin", "message 3", "sync.end"]);
    }
    assert_eq!(stage.hearers(3, said(4)), [0, 1, 2]);
    // Too much was missed: what there is of the chat begins after what they have.
    stage.subscribe(late, "a");
    stage.says(
        &json!({"type": "sync.begin", "chat": "a", "reset": true, "to_seq": 400, "before_seq": 100})
            .to_string(),
    );
    assert_eq!(types(&stage.hears(0)), ["sync.begin all"]);
}

#[wasm_bindgen_test]
fn tabs_that_subscribe_at_once_are_answered_one_by_one_or_together() {
    let stage = Stage::with_tabs(3);
    for tab in 0..3 {
        stage.ask(tab, json!({"type": "subscribe", "chat": "a", "limit": 300}));
    }
    assert_eq!(types(&stage.sent()), ["subscribe"], "one at a time: the adapter takes them for one device's");
    for frame in [begin(true, 2), said(1), said(2), end()] {
        assert_eq!(stage.hearers(3, frame), [0, 1, 2], "a whole history is an answer for all of them");
    }
    assert!(stage.sent().is_empty());
}

#[wasm_bindgen_test]
fn after_a_reconnect_each_tab_hears_what_it_lacks() {
    let stage = Stage::with_tabs(3);
    for (tab, after) in [(0, Some(5)), (1, Some(7)), (2, Some(3))] {
        stage.ask(tab, json!({"type": "subscribe", "chat": "a", "after_seq": after}));
    }
    assert_eq!(stage.sent(), [r#"{"type":"subscribe","chat":"a","after_seq":5}"#]);
    for frame in [begin(false, 8), said(6), said(8), end()] {
        stage.says(&frame.to_string());
    }
    assert_eq!(types(&stage.hears(0)), ["sync.begin", "message 6", "message 8", "sync.end"]);
    assert_eq!(types(&stage.hears(1)), ["sync.begin", "message 8", "sync.end"]);
    assert!(stage.hears(2).is_empty(), "it lacks more than that");
    assert_eq!(stage.hearers(3, said(9)), [0, 1], "and hears nothing until it is there");
    assert_eq!(stage.sent(), [r#"{"type":"subscribe","chat":"a"}"#]);
    // The adapter brings us up to date by itself: that is no answer.
    for frame in [begin(false, 9), end()] {
        stage.says(&frame.to_string());
    }
    for frame in [begin(true, 9), said(2), said(4), said(8), said(9), end()] {
        stage.says(&frame.to_string());
    }
    assert_eq!([stage.hears(0), stage.hears(1)], [Vec::<String>::new(), Vec::new()]);
    assert_eq!(types(&stage.hears(2)), ["sync.begin", "message 4", "message 8", "message 9", "sync.end"]);
    assert_eq!(stage.hearers(3, said(10)), [0, 1, 2]);
}

#[wasm_bindgen_test]
fn when_what_was_told_is_not_true_any_more_all_start_over() {
    let stage = in_one_chat(2);
    for frame in [begin(true, 1), said(1), end()] {
        assert_eq!(stage.hearers(2, frame), [0, 1]);
    }
}

#[wasm_bindgen_test]
fn a_chat_that_cannot_be_had_keeps_nobody_waiting() {
    let stage = Stage::with_tabs(2);
    stage.subscribe(0, "gone");
    stage.subscribe(1, "a");
    stage.sent();
    assert_eq!(stage.hearers(2, json!({"type": "error", "code": "unknown_chat", "re": "subscribe"})), [0]);
    stage.subscribe(0, "a");
    for frame in [begin(true, 2), said(2), end()] {
        assert_eq!(stage.hearers(2, frame), [0, 1]);
    }
}

#[wasm_bindgen_test]
fn an_answer_goes_to_the_tab_that_asked() {
    let stage = in_one_chat(3);
    for tab in [1, 0] {
        stage.ask(tab, json!({"type": "history", "chat": "a", "before_seq": 9}));
        stage.ask(tab, json!({"type": "ping", "t": tab}));
        stage.ask(tab, json!({"type": "message.send", "client_id": format!("m{tab}"), "chat": "a"}));
        stage.ask(tab, json!({"type": "chat.create", "client_id": format!("c{tab}")}));
        stage.ask(tab, json!({"type": "search", "client_id": format!("s{tab}"), "query": "x"}));
        stage.ask(tab, json!({"type": "chat.rename", "chat": "a", "title": "A"}));
    }
    stage.ask(2, json!({"type": "chat.rename", "chat": "b", "title": "B"}));
    let check =
        |frame: Value, expected: &[u32]| assert_eq!(stage.hearers(3, frame.clone()), expected, "{frame}");
    for tab in [1, 0] {
        check(json!({"type": "history.page", "chat": "a"}), &[tab]);
        check(json!({"type": "pong", "t": tab}), &[tab]);
        check(json!({"type": "ack", "client_id": format!("c{tab}"), "chat": "new"}), &[tab]);
        check(json!({"type": "search.result", "client_id": format!("s{tab}")}), &[tab]);
    }
    check(json!({"type": "error", "chat": "b", "re": "chat.rename"}), &[2]);
    check(json!({"type": "ack", "client_id": "m0", "chat": "a"}), &[0]);
    check(json!({"type": "error", "re": "m1", "text": "No"}), &[1]);
    check(json!({"type": "error", "chat": "a", "text": "The turn has failed"}), &[0, 1, 2]);
    check(json!({"type": "ack", "client_id": "of an earlier page", "chat": "a"}), &[0, 1, 2]);
}

#[wasm_bindgen_test]
fn what_cannot_be_read_is_for_every_tab_to_count() {
    let stage = Stage::with_tabs(2);
    for text in ["", "{", "null", "[]", "7", "\"x\""] {
        stage.says(text);
        assert_eq!(
            [stage.hears(0), stage.hears(1)],
            [vec![text.to_owned()], vec![text.to_owned()]],
            "{text}"
        );
    }
    stage.say(0, "not json");
    assert_eq!(stage.sent(), ["not json"]);
}

#[wasm_bindgen_test]
fn the_socket_goes_with_the_last_tab_however_that_goes() {
    let goes: [fn(&Stage, u32); 3] =
        [|stage, tab| stage.bye(tab), |stage, tab| stage.dies(tab), |stage, tab| stage.vanishes(tab)];
    for leave in goes {
        let stage = Stage::with_tabs(2);
        leave(&stage, 0);
        assert_eq!((stage.alive(), stage.hearers(2, json!({"type": "typing", "on": true}))), (1, vec![1]));
        stage.say(0, HELLO);
        assert!(stage.sent().is_empty(), "who has gone says nothing any more");
        leave(&stage, 1);
        leave(&stage, 1);
        assert_eq!(stage.alive(), 0);
        let next = stage.enter();
        stage.opens();
        stage.say(next, HELLO);
        assert_eq!((stage.sent(), stage.opened()), (vec![HELLO.to_owned()], 2));
    }
}

#[wasm_bindgen_test]
fn every_tab_hears_of_the_end_and_one_that_comes_again_opens_anew() {
    let stage = Stage::with_tabs(2);
    stage.closes(1008, "not paired: revoked");
    for tab in [0, 1] {
        assert_eq!(stage.hears(tab), ["closed 1008 not paired: revoked"]);
    }
    let again = stage.enter();
    assert_eq!((stage.opened(), stage.hears(again)), (2, vec![]));
    stage.opens();
    assert_eq!(stage.hears(again), ["opened"]);
}

#[wasm_bindgen_test]
fn a_tab_that_gave_the_socket_up_gets_another_one_only_if_it_is_dead() {
    let stage = Stage::with_tabs(2);
    stage.ask(0, json!({"type": "ping", "t": 1}));
    stage.later(2_000.0);
    stage.says(r#"{"type":"typing","on":true}"#);
    stage.bye(0);
    stage.enter();
    assert_eq!(stage.opened(), 1, "something was heard since");
    stage.ask(1, json!({"type": "ping", "t": 2}));
    stage.later(2_000.0);
    stage.hears(1);
    stage.enter();
    assert_eq!((stage.opened(), stage.alive()), (2, 1));
    assert_eq!(stage.hears(1), ["closed 1006"]);
}
