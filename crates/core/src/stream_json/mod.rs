//! `hermes chat --format stream-json`: its lines ([`event`]) and the frames they mean ([`to_frames`]). *Pure*: it reads
//! no file and starts no process.

pub mod clock;
pub mod event;
mod segment;
pub mod to_frames;
pub mod tool_text;

pub use event::{Event, TimedEvent, parse, parse_line};
pub use to_frames::{Growth, TimedFrame, ToFrames};
