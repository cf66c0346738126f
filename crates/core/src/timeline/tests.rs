//! The timeline, by sentence. Scripts and transcripts are lines of text; `testing.rs` has the grammar.

mod bursts;
mod messages;
mod older;
mod resume;
mod tools;
mod turns;
mod user;
