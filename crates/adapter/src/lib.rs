//! The native server between Hermes Agent and the Iris app, as a library so that tests and tools can use its parts.
//! `main.rs` only reads the command line and starts it.

pub mod backend;
