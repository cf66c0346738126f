//! The real Hermes Agent for tests: a provider whose answers the test chooses, homes made from templates, processes that
//! never outlive their test, a client of the protocol, and what Hermes' own session store says.
//!
//! Owns how these are started and read. It does not know what is right; the tests do. The browser is `e2e`'s.

pub mod client;
pub mod gateway;
pub mod lab;
pub mod process;
pub mod product;
pub mod provider;
pub mod store;
pub mod transcript;

pub use client::Client;
pub use gateway::Gateway;
pub use lab::{Home, Lab};
pub use provider::Provider;
