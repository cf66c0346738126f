//! Iris, the web client for Hermes Agent: the Leptos app.

pub mod app;
pub mod browser;
pub mod clock;
pub mod components;
pub mod hooks;
pub mod render;
pub mod storage;
pub mod store;
pub mod transport;
