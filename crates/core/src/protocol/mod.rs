//! The language between adapter and app. Pure: text in, frames out.

pub mod frame;

pub use frame::{AppFrame, Envelope, PROTOCOL, ServerFrame};
