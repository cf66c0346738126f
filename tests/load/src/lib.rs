//! Measurements of the adapter under load. The adapter is the real one, with its hub, its journal and its sockets, in a
//! process of its own; only what Hermes says is made up, and it is made of the calls that Hermes makes.
//!
//! Owns how it is measured. Figures that must hold are asserted in `tests/`; the others are printed by `bench`.

pub mod bytes;
pub mod crowd;
pub mod history;
pub mod play;
pub mod process;
pub mod report;
pub mod script;
pub mod socket;
