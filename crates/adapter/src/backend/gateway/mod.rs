//! A turn inside Hermes' gateway: the calls that Hermes makes on a platform adapter, and the frames they mean.
//! *Pure*: no clock, no I/O, no randomness. Who delivers the calls (a recording, the live plugin) is not known here.

mod asks;
mod calls;
mod classify;
mod fields;
mod hooks;
mod ids;
mod observe;
mod prompt;
mod reasoning;
mod replies;
mod sends;
mod snapshot;
mod status;
mod thinking;
mod tool_line;
mod tools;
mod turn;

pub use calls::{Attachment, Call, Edit, Inbound, Metadata, Outcome, Send, TimedCall, parse, parse_line};
pub use hooks::{Hook, ToolCall};
pub use turn::Machine;
