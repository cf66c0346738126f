//! The server as others meet it: real sockets, a free port, the demo behind it.

#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test stops where it is wrong, in its helpers too"
)]

mod demo;
mod files;
mod guard;
mod hub;
mod limits;
mod lives;
mod pairing;
mod picture;
mod reports;
mod resume;
mod start;
mod summary;
mod support;
mod terminal;
mod uploads;
