//! Pictures of the app in every state that matters.

fn main() {}
