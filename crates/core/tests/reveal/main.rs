//! The reveal, tested from outside on a virtual clock: what is shown at each frame, and what it looks like as Markdown.

// A test may panic; clippy knows that of `#[test]` functions only, not of what they call.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used
)]

mod flashes;
mod pace;
mod reader;
