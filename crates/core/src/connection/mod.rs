//! The connection to the adapter as a pure machine. Timers, sockets and words on screen are effects and data.
//!
//! Owns when to open, to greet, to probe, to give up and to try again. Which chat is subscribed and what its frames mean
//! is the caller's business.

mod backoff;
mod machine;
mod outbox;
mod words;

pub use machine::{Device, Effect, Event, Machine, TimerId};
pub use outbox::{Kept, Message, Outbox};
pub use words::words;

/// How the connection stands, for the machine and for the eye. Times are milliseconds of the caller's clock.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// A socket is being opened, or `hello` has not been answered yet.
    Connecting {
        /// 1 for the first try since the page opened or the connection was last good.
        attempt: u32,
        /// When the connection was lost, if it ever was good.
        since_ms: Option<f64>,
    },
    /// Live.
    Online,
    /// Waiting for the next try.
    Offline {
        /// Since when.
        since_ms: f64,
        /// When the next try starts.
        retry_at_ms: f64,
        /// How many tries have failed.
        attempt: u32,
    },
    /// The adapter refused us for good; trying again would not help.
    Refused {
        /// Why and what to do, for people.
        reason: String,
    },
}
