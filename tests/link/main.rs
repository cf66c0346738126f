//! The link between page and adapter, with a test at the other end of its socket and of its requests.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod chats;
mod files;
mod history;
mod outbox;
mod pairing;
mod search;

use std::rc::Rc;

use iris::store::{Body, Intent, Row, Store};
use iris::transport::Link;
use iris_core::settings::Settings;
use iris_core::timeline::item::Pending;
use leptos::prelude::GetUntracked;
use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen(module = "/tests/link/peer.js")]
extern "C" {
    fn install();
    fn addresses() -> Vec<String>;
    fn take_sent() -> Vec<String>;
    fn take_asked() -> Vec<String>;
    fn will_answer(status: u16, media_type: &str, body: &str);
    fn opens();
    fn says(text: &str);
    fn closes(code: u16, reason: &str);
    fn stored_elsewhere(key: &str, value: Option<String>);
    fn is_there(url: &str) -> js_sys::Promise;
}

/// A page and the other end of its wires.
struct Page {
    link: Rc<Link>,
    store: Store,
}

impl Page {
    /// A page in a browser that remembers nothing, at this address.
    fn open(hash: &str) -> Self {
        storage().clear().unwrap();
        Self::again(hash)
    }

    /// A page in a browser that was here before.
    fn again(hash: &str) -> Self {
        install();
        let history = web_sys::window().unwrap().history().unwrap();
        let path = web_sys::window().unwrap().location().pathname().unwrap();
        history.replace_state_with_url(&"".into(), "", Some(&format!("{path}{hash}"))).unwrap();
        let link = Link::start(Settings::default());
        Self { store: link.store(), link }
    }

    /// A page that is connected to an adapter with these chats, and whose first words are said.
    fn online(chats: &[&str]) -> Self {
        let page = Self::open("");
        page.greet(chats);
        page.sent();
        page
    }

    /// The page goes away as a reload makes it go.
    fn close(self) {
        drop(self.link);
    }

    /// The socket opens and the adapter says hello.
    fn greet(&self, chats: &[&str]) {
        opens();
        let summary = |(n, id): (usize, &&str)| json!({"id": id, "title": id, "updated_ms": 1_000 - n});
        let chats: Vec<Value> = chats.iter().enumerate().map(summary).collect();
        self.hear(
            json!({"type": "hello", "protocol": 1, "chats": chats, "capabilities": ["files", "search"]}),
        );
    }

    fn hear(&self, frame: Value) {
        says(&frame.to_string());
    }

    /// A chat's history comes: texts of the user with their numbers.
    fn sync(&self, chat: &str, texts: &[(u64, &str)], before_seq: Option<u64>) {
        let to_seq = texts.last().map_or(0, |(seq, _)| *seq);
        self.hear(json!({"type": "sync.begin", "chat": chat, "reset": true, "to_seq": to_seq, "before_seq": before_seq}));
        for (seq, text) in texts {
            self.hear(said(chat, *seq, text));
        }
        self.hear(json!({"type": "sync.end", "chat": chat}));
    }

    /// What the page has said since the last time.
    fn sent(&self) -> Vec<Value> {
        take_sent().iter().map(|text| serde_json::from_str(text).unwrap()).collect()
    }

    /// The types of what it has said, and the one frame of this type.
    #[track_caller]
    fn one_sent(&self, kind: &str) -> Value {
        let sent = self.sent();
        let mut of_kind = sent.iter().filter(|frame| frame["type"] == kind);
        let one = of_kind.next().unwrap_or_else(|| panic!("no {kind} in {sent:?}")).clone();
        assert!(of_kind.next().is_none(), "more than one {kind}: {sent:?}");
        one
    }

    fn ask_for(&self, intent: Intent) {
        self.store.ask_for(intent);
    }

    fn write(&self, text: &str) {
        self.ask_for(Intent::Send { text: text.to_owned(), mode: None });
    }

    /// The user's messages on screen; a mark behind those that are not with the adapter.
    fn shows(&self) -> Vec<String> {
        let said = |row: &Row| match &row.body {
            Body::User(user) => Some(match user.pending.get_untracked() {
                None => user.text.get_untracked(),
                Some(Pending::Sending) => format!("{} …", user.text.get_untracked()),
                Some(Pending::Failed(why)) => format!("{} ✗ {why}", user.text.get_untracked()),
            }),
            Body::Notice(notice) => Some(format!("! {}", notice.get_untracked().text)),
            _ => None,
        };
        self.store.rows.get_untracked().iter().filter_map(said).collect()
    }

    /// Waits until this holds.
    async fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        for _ in 0..500 {
            if holds(self) {
                return;
            }
            pause(10).await;
        }
        panic!("{what} did not happen; the page shows {:?}", self.shows());
    }
}

fn said(chat: &str, seq: u64, text: &str) -> Value {
    json!({"type": "user.message", "chat": chat, "seq": seq, "message_id": format!("u{seq}"), "text": text})
}

fn storage() -> web_sys::Storage {
    web_sys::window().unwrap().local_storage().unwrap().unwrap()
}

fn hash() -> String {
    web_sys::window().unwrap().location().hash().unwrap()
}

async fn pause(ms: i32) {
    let turn = js_sys::Promise::new(&mut |done, _| {
        web_sys::window().unwrap().set_timeout_with_callback_and_timeout_and_arguments_0(&done, ms).unwrap();
    });
    wasm_bindgen_futures::JsFuture::from(turn).await.unwrap();
}
