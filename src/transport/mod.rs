//! The wire's end in the page: runs what `iris_core::connection` decides. Knows no component.

mod chats;
mod driver;
mod faults;
mod files;
mod history;
mod incoming;
mod link;
mod outgoing;
mod page_events;
mod pairing;
mod place;
mod search;
mod send_guard;
mod socket;
mod timers;

pub use link::Link;
