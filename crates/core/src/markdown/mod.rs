//! Markdown, parsed append-only into a typed tree. No HTML string is ever made.

pub mod incremental;
pub mod node;
pub mod url;

pub use incremental::{Document, Update};
pub use node::{AlertKind, Align, Kind, Node};
pub use url::SafeUrl;
