//! The wire's end in the page: runs what `iris_core::connection` decides. Knows no component.

mod driver;
mod faults;
mod incoming;
mod link;
mod outgoing;
mod page_events;
mod place;
mod send_guard;
mod socket;
mod timers;

pub use link::Link;
