//! The pure core of Iris. *No browser, no socket, no clock, no randomness, no I/O*: data in, data out.

#![forbid(unsafe_code)]

pub mod chats;
pub mod connection;
pub mod export;
pub mod format;
mod graphemes;
pub mod ids;
pub mod jsonl;
pub mod markdown;
pub mod protocol;
pub mod reveal;
pub mod run;
pub mod settings;
pub mod stall;
pub mod stream_json;
pub mod timeline;
