//! The typewriter: how much of a live text is shown at a moment. Pure: the time is a number that the caller passes in.
//!
//! Owns the pace (`clock`) and the cut (`boundary`, `hold_back`). It never parses Markdown, never changes the text and
//! never holds it.

mod boundary;
mod clock;
mod hold_back;
mod open;

pub use clock::{Reveal, Step};
pub use open::Open;
