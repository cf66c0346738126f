//! Starts the app in the page.

fn main() {}
