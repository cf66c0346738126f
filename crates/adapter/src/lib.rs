//! The native server between Hermes Agent and the Iris app, as a library so that tests and tools can use its parts.
//! `main.rs` only reads the command line and starts it.

pub mod backend;
pub mod cli;
pub mod config;
pub mod config_file;
pub mod data;
pub mod devices;
mod embedded;
pub mod files;
pub mod guard;
pub mod hub;
pub mod install_plugin;
pub mod journal;
mod names;
pub mod public_url;
mod qr;
pub mod reports;
pub mod server;
pub mod shutdown;
pub mod static_files;
pub mod summary;
pub mod terminal;
