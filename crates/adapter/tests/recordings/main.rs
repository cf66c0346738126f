//! Every recording of the real Hermes through the code that turns it into frames: reviewed snapshots, invariants that hold
//! for all of them, and what may change on the way without changing what a person sees.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "a test may fail by panicking"
)]

mod cases;
mod compact;
mod exported;
mod invariants;
mod load;
mod model;
mod quiet;
mod resilience;
mod snapshots;
mod streams;
mod transcript;
mod tui;
