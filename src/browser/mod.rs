//! What the page takes from the browser, as values that clean up after themselves: listeners, timeouts, time,
//! randomness, its JSON and its requests.
//! Knows nothing of chats, signals or sockets.

pub mod http;
pub mod json;
mod listener;
pub mod modules;
mod random;
mod size_observer;
mod timeout;

pub use listener::Listener;
pub use random::{random_id, random_unit};
pub use size_observer::SizeObserver;
pub use timeout::{Interval, Timeout};

/// Milliseconds since the page opened; never goes back. The one clock of store and connection.
pub fn now_ms() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |performance| performance.now())
}

/// Whether the reader can see the page.
pub fn is_visible() -> bool {
    web_sys::window()
        .and_then(|window| window.document())
        .is_none_or(|document| document.visibility_state() != web_sys::VisibilityState::Hidden)
}

/// A line in the console for whoever looks into a problem. Never with the content of a message.
pub fn warn(text: &str) {
    web_sys::console::warn_1(&text.into());
}
