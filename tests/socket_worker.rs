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

#[wasm_bindgen_test]
fn a_history_goes_to_the_tab_that_asked_and_what_happens_to_all_that_are_there() {
    let stage = Stage::with_tabs(3);
    stage.subscribe(0, "a");
    stage.subscribe(1, "a");
    stage.subscribe(2, "b");
    let check =
        |frame: Value, expected: &[u32]| assert_eq!(stage.hearers(3, frame.clone()), expected, "{frame}");
    let begin = json!({"type": "sync.begin", "chat": "a", "reset": true, "to_seq": 2});
    let (said, end) =
        (json!({"type": "message", "chat": "a", "seq": 2}), json!({"type": "sync.end", "chat": "a"}));
    for tab in [0, 1] {
        check(begin.clone(), &[tab]);
        check(json!({"type": "chat.updated", "chat": "a", "updated_ms": 1}), &[0, 1, 2]);
        check(said.clone(), &[tab]);
        check(json!({"type": "typing", "chat": "b", "on": true}), &[2]);
        check(end.clone(), &[tab]);
    }
    check(json!({"type": "message", "chat": "a", "seq": 3}), &[0, 1]);
    // The adapter has noticed that something was missed.
    for frame in [begin, said, end] {
        check(frame, &[0, 1]);
    }
    stage.subscribe(0, "b");
    check(json!({"type": "message", "chat": "a", "seq": 4}), &[1]);
    check(json!({"type": "chat.removed", "chat": "a"}), &[0, 1, 2]);
    check(json!({"type": "typing", "on": false}), &[0, 1, 2]);
}

#[wasm_bindgen_test]
fn an_answer_goes_to_the_tab_that_asked() {
    let stage = Stage::with_tabs(3);
    (0..3).for_each(|tab| stage.subscribe(tab, "a"));
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
    for text in ["", "{", "null", "[]", "7"] {
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
