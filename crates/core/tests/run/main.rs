//! Recorded runs through the index and the player: every recording of the real Hermes, and runs made up at random.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "a test may fail by panicking"
)]

mod cases;
mod desk;
mod exported;
mod figures;
mod files;
mod large;
mod made_up;
mod playing;
mod silence;
