//! Iris, the web client for Hermes Agent: the Leptos app.

pub mod browser;
pub mod hooks;
pub mod storage;
pub mod store;
