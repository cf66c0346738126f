//! The root of the page: makes the store and the link to the adapter, keeps the device's memory, shows the shell.

use std::cell::RefCell;
use std::panic::PanicHookInfo;
use std::rc::Rc;

use iris_core::connection::State;
use iris_core::settings::Settings;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::CustomEvent;

use crate::browser::Listener;
use crate::components::{later, shell::Shell};
use crate::hooks::{
    provide_now, provide_time, use_stored_draft, use_stored_settings, use_theme, use_title,
    use_visual_viewport,
};
use crate::reactive::{effect, memo, optional};
use crate::storage::load_settings;
use crate::store::Store;
use crate::transport::Link;

/// The whole app.
#[component]
pub fn App() -> impl IntoView {
    let link = Link::start(load_settings());
    let store = link.store();
    let shell = show(&link);
    // The link lives as long as the page.
    StoredValue::new_local(link);

    prefetch_later(&store);
    use_stored_settings(store.settings.clone());
    use_stored_draft(store.draft.clone(), store.chat.clone());
    use_theme(store.settings.clone());
    use_title(store.clone());
    use_visual_viewport();

    view! {
        {shell}
        {replay(store.settings)}
    }
}

/// The shell over this link, which must live as long.
fn show(link: &Rc<Link>) -> AnyView {
    let store = link.store();
    provide_context(store.clone());
    follow_streaming(link, store.settings.clone());
    if store.replay {
        provide_time(store.recorded_ms.read_only());
    } else {
        provide_now(move || counts_seconds(&store));
    }
    view! { <Shell /> }.into_any()
}

/// What the desk tells the page: the function that makes a socket to its player, or nothing when the replay ends.
const REPLAY: &str = "iris-replay";

/// A recorded run over the chat, which goes on behind it: the same page again, over a link of its own.
fn replay(settings: ArcRwSignal<Settings>) -> AnyView {
    let (open, link) = (RwSignal::new(false), SendWrapper::new(Rc::new(RefCell::new(None::<Rc<Link>>))));
    let opened = link.clone();
    StoredValue::new_local(Listener::on_window(REPLAY, move |event| {
        let told = event.dyn_ref::<CustomEvent>().and_then(|event| event.detail().dyn_into().ok());
        open.set(told.is_some());
        opened.replace(told.map(|dial| Link::replay(settings.clone(), dial)));
    }));
    optional(move || {
        let link = if open.get() { link.borrow().clone() } else { None };
        link.as_ref().map(show)
    })
}

/// The "Streaming" switch acts at once.
fn follow_streaming(link: &Rc<Link>, settings: ArcRwSignal<Settings>) {
    let streaming = memo(move || settings.with(|settings| settings.streaming));
    let link = Rc::downgrade(link);
    effect(move || {
        let on = streaming.get();
        if let Some(link) = link.upgrade() {
            link.set_streaming(on);
        }
    });
}

/// Seconds run while the agent works and while the connection is away.
fn counts_seconds(store: &Store) -> bool {
    store.running.get() || store.connection.with(|state| *state != State::Online)
}

/// The second part of the app is fetched when the chat has come, and not before: it must not be in its way.
fn prefetch_later(store: &Store) {
    let connection = store.connection.clone();
    let online = memo(move || connection.with(|state| *state == State::Online));
    effect(move || {
        if online.get() {
            later::prefetch();
        }
    });
}

/// A panic leaves the page dead: tells the reader through `boot.js`, and whoever opens the console.
pub fn report_panic(panic: &PanicHookInfo<'_>) {
    let words = JsValue::from_str(&panic.to_string());
    // The console adds the stack.
    web_sys::console::error_1(&words);
    let global = js_sys::global();
    let failed = js_sys::Reflect::get(&global, &JsValue::from_str("irisFailed")).ok();
    if let Some(failed) = failed.as_ref().and_then(|value| value.dyn_ref::<js_sys::Function>()) {
        // Nothing is left to do about a failure to show a failure.
        let _ = failed.call1(&global, &words);
    }
}
