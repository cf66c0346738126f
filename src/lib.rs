//! Iris, the web client for Hermes Agent: the Leptos app.

pub mod store;
