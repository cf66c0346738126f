//! Hermes' gateway. The turn machine turns the calls that Hermes makes on a platform adapter into frames; it is *pure* (no
//! clock, no I/O, no randomness) and does not know who delivers the calls. The live backend around it is `live/` (chats),
//! `bridge/` (the line to the plugin inside Hermes) and `plugin.rs` (that plugin on disk).

mod asks;
mod bridge;
mod broken;
mod calls;
mod classify;
mod fields;
mod hooks;
mod ids;
mod keys;
mod live;
mod observe;
pub mod plugin;
mod prompt;
mod reasoning;
mod replies;
mod sends;
mod snapshot;
mod status;
mod streams;
mod thinking;
mod tool_line;
mod tools;
mod turn;

pub use calls::{Attachment, Call, Edit, Inbound, Metadata, Outcome, Send, TimedCall, parse, parse_line};
pub use hooks::{Hook, ToolCall};
pub use live::{Gateway, GatewayConfig, GatewayError};
pub use streams::Streams;
pub use turn::Machine;
