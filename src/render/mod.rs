//! The typed Markdown tree on the page: fresh nodes, the tail patched in place, settled nodes left alone.
//!
//! Owns every node below an answer's container. *Invariants*: no string becomes HTML; tags, classes and attribute
//! names are constants; content reaches the page as text nodes, as `SafeUrl`s and as `title`, `alt` and `start`
//! only; a drawn node is never moved; a settled node is never touched again.
//! It does not parse (that is `iris_core::markdown`) and does not decide how much is shown (`iris_core::reveal`).

pub mod actions;
pub mod answer;
pub mod artifact;
mod build;
pub mod cadence;
pub mod canvas;
pub mod clipboard;
mod code;
mod element;
pub mod live;
mod patch;
pub mod report;
pub mod slot;
mod text;
pub mod typewriter;

pub use answer::{AnswerText, MarkdownText};
pub use live::LiveText;
