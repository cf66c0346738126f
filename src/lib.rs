//! Iris, the web client for Hermes Agent: the Leptos app.

#![allow(
    clippy::redundant_closure,
    reason = "the view macro boxes a closure that it sees, and compiles one kind of attribute for each that has a name"
)]

pub mod app;
pub mod browser;
pub mod clock;
pub mod components;
pub mod fixed;
pub mod held;
pub mod hooks;
pub mod reactive;
pub mod render;
pub mod storage;
pub mod store;
pub mod transport;

// wasm-pack skips the tests inside the modules otherwise.
#[cfg(all(test, target_arch = "wasm32"))]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
