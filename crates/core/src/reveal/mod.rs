//! The typewriter: how much of a live text is shown at a moment. Pure: the time is a number that the caller passes in.
//!
//! Owns the pace and the cut. It never looks at Markdown and never holds the text.

mod boundary;
mod clock;

pub use clock::{Reveal, Step};
