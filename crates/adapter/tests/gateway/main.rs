//! The backend `gateway` over a real socket: the tests play the plugin's side of the bridge, with recordings of the real
//! Hermes as lines. What a call means is tested with the recordings; here it is what becomes of it when lines come in
//! pieces, twice, late or not at all, and when either side dies.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test stops at what it did not expect"
)]

mod bench;
mod bridge;
mod install;
mod lives;
mod messages;
mod plugin;
mod python;
mod recordings;
