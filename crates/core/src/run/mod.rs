//! A recorded run: a file read piece by piece, what is in it, and the player that serves it as an adapter serves a chat.
//! Owns everything about such a file but the reading of its bytes: it says which it needs and is given them. *Pure*: no
//! file, no clock, no timer.
//!
//! Two formats, told apart by their lines: what `hermes chat --format stream-json` writes, and the frames that Iris
//! exports (`export/`). One file is one chat; several runs in it are several turns.
//!
//! How a page uses it:
//!
//! 1. An [`Indexer`] is fed the file from its beginning to its end, in pieces of any size. Its [`Index`] grows with it: the
//!    turns, the tools as spans, the gaps, the damaged lines, and places from which playing can start. It holds no text,
//!    so that it takes a few megabytes for a file of a hundred.
//! 2. A [`Player`] plays from the index, while it still grows. [`Player::poll`] says what comes next: frames to send, a
//!    range of the file to read (given back with [`Player::give`]), or how long to wait.
//!
//! Two times: *recorded* milliseconds are those of the run; *played* milliseconds are those of the player, with gaps over
//! [`GAP_MS`] shortened to [`GAP_PLAYED_MS`]. Everything that has a place on the strip has both.

pub mod bound;
mod checkpoint;
mod compact;
mod cursor;
mod decoder;
mod fast;
pub mod index;
mod indexer;
pub mod kind;
pub mod lines;
mod open;
pub mod player;
pub mod summary;
mod time;

pub use index::{Damage, Gap, Index, TextSpan, ToolSpan, Turn, Wait};
pub use indexer::Indexer;
pub use kind::{Format, Refusal};
pub use player::{Played, Player, Poll, Speed};
pub use summary::Summary;
pub use time::{GAP_MS, GAP_PLAYED_MS};
