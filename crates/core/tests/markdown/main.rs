//! The Markdown document, tested from outside: exact at every prefix, truthful about changes, safe with any text.

// A test may panic; clippy knows that of `#[test]` functions only, not of what they call.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used
)]

mod cases;
mod conformance;
mod corpus;
mod costs;
mod exactness;
mod footnotes;
mod hostile;
mod limits;
mod links;
mod references;
mod tree;
mod updates;
