//! Streams that stall, as far as it can be said without a clock: what Hermes says about a stream, and how one ended.

pub mod said;
