//! What the tests of the components share: the page mounted on a store of its own, rows, and a way to wait.

#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod chat;

use std::cell::Cell;
use std::sync::{Arc, Mutex};

use iris::components::shell::Shell;
use iris::hooks::provide_time;
use iris::store::{Intent, Rows, Store};
use iris_core::connection::State;
use iris_core::ids::{MessageId, ToolIndex};
use iris_core::settings::Settings;
use iris_core::timeline::{Answer, Change, Item, ItemKey, ItemKind, Phase, Tool, ToolState, TurnFooter};
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, EventInit, HtmlElement, KeyboardEvent, KeyboardEventInit};

/// The page, a store behind it, and what was asked of it.
pub(crate) struct Page {
    pub(crate) store: Store,
    pub(crate) rows: Rows,
    pub(crate) host: HtmlElement,
    intents: Arc<Mutex<SendWrapper<Vec<Intent>>>>,
    next: Cell<u64>,
}

impl Page {
    /// A live page without rows.
    pub(crate) fn open() -> Self {
        Self::open_at(ArcRwSignal::new(iris::browser::now_ms()))
    }

    /// The same with a clock of the test's own.
    pub(crate) fn open_at(now: ArcRwSignal<f64>) -> Self {
        // Files are no values for other threads; there is only this one.
        let intents = Arc::new(Mutex::new(SendWrapper::new(Vec::new())));
        let asked = Arc::clone(&intents);
        let store = Store::new(Settings::default(), move |intent| asked.lock().unwrap().push(intent));
        store.connection.set(State::Online);
        let document = web_sys::window().unwrap().document().unwrap();
        let host: HtmlElement = document.create_element("div").unwrap().unchecked_into();
        document.body().unwrap().append_child(&host).unwrap();
        let shown = store.clone();
        leptos::mount::mount_to(host.clone(), move || {
            provide_context(shown);
            provide_time(now.read_only());
            view! { <Shell /> }
        })
        .forget();
        Self { rows: Rows::new(store.clone()), store, host, intents, next: Cell::new(0) }
    }

    /// Adds a row at the end.
    pub(crate) fn add(&mut self, kind: ItemKind) -> ItemKey {
        let key = self.next.replace(self.next.get() + 1);
        let item = Item { key: ItemKey(key), kind };
        self.apply(Change::Insert { at: usize::try_from(key).unwrap(), item });
        ItemKey(key)
    }

    /// Replaces a row's content.
    pub(crate) fn set(&mut self, key: ItemKey, kind: ItemKind) {
        self.apply(Change::Set { item: Item { key, kind } });
    }

    /// Applies a change.
    pub(crate) fn apply(&mut self, change: Change) {
        self.rows.apply(vec![change], iris::browser::now_ms());
    }

    /// What was asked of the store so far.
    pub(crate) fn intents(&self) -> Vec<Intent> {
        self.intents.lock().unwrap().to_vec()
    }

    /// The elements that match.
    pub(crate) fn all(&self, selector: &str) -> Vec<HtmlElement> {
        let found = self.host.query_selector_all(selector).unwrap();
        (0..found.length()).map(|at| found.get(at).unwrap().unchecked_into()).collect()
    }

    /// The first element that matches.
    #[track_caller]
    pub(crate) fn one(&self, selector: &str) -> HtmlElement {
        self.all(selector).into_iter().next().unwrap_or_else(|| panic!("nothing matches {selector}"))
    }

    /// The text of the first element that matches; `None` when nothing does.
    pub(crate) fn text(&self, selector: &str) -> Option<String> {
        self.all(selector).first().and_then(|element| element.text_content())
    }

    /// Clicks the first element that matches and lets what follows happen.
    pub(crate) async fn click(&self, selector: &str) {
        self.one(selector).click();
        settle().await;
    }

    /// Waits until this holds.
    pub(crate) async fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        for _ in 0..400 {
            if holds(self) {
                return;
            }
            pause(10).await;
        }
        panic!("{what} did not happen; the page says:\n{}", self.host.inner_text());
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.host.remove();
    }
}

/// Lets every effect run that waits.
pub(crate) async fn settle() {
    pause(0).await;
}

/// Waits so many milliseconds.
pub(crate) async fn pause(ms: i32) {
    let turn = js_sys::Promise::new(&mut |done, _| {
        web_sys::window().unwrap().set_timeout_with_callback_and_timeout_and_arguments_0(&done, ms).unwrap();
    });
    wasm_bindgen_futures::JsFuture::from(turn).await.unwrap();
}

/// What has the focus.
pub(crate) fn focused() -> HtmlElement {
    web_sys::window().unwrap().document().unwrap().active_element().unwrap().unchecked_into()
}

/// Says that something was written into a field.
pub(crate) async fn input(element: &Element) {
    let init = EventInit::new();
    init.set_bubbles(true);
    element.dispatch_event(&Event::new_with_event_init_dict("input", &init).unwrap()).unwrap();
    settle().await;
}

/// Presses a key; whether the browser may do its own part.
pub(crate) async fn key(element: &Element, key: &str) -> bool {
    let init = KeyboardEventInit::new();
    init.set_key(key);
    init.set_bubbles(true);
    init.set_cancelable(true);
    let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &init).unwrap();
    let allowed = element.dispatch_event(&event).unwrap();
    settle().await;
    allowed
}

/// Whether a button says that what it opens is open.
pub(crate) fn expanded(button: &Element) -> bool {
    button.get_attribute("aria-expanded").as_deref() == Some("true")
}

/// An answer.
pub(crate) fn answer(text: &str, reasoning: &str, phase: Phase) -> ItemKind {
    ItemKind::Answer(Answer {
        message_id: MessageId::from("m"),
        text: text.to_owned(),
        generation: 0,
        reasoning: reasoning.to_owned(),
        reasoning_live: phase == Phase::Streaming,
        phase,
        cut: None,
        footer: TurnFooter::default(),
    })
}

/// A tool call with one argument.
pub(crate) fn tool(index: u32, state: ToolState) -> Tool {
    let args = serde_json::json!({ "command": format!("cat file{index}.txt --all") });
    Tool {
        index: ToolIndex(index),
        name: "terminal".to_owned(),
        preview: Some(format!("cat file{index}.txt")),
        args: args.as_object().cloned().unwrap(),
        note: None,
        output: Some(format!("output number {index}")),
        state,
    }
}
