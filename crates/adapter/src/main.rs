//! The adapter.

fn main() {}
