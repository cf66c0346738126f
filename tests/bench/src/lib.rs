//! Markdown as it streams: Iris' renderer and others on the same texts, in the same page, in a real browser.
//!
//! Owns the texts, the order of the runs and the report. The page in `page/` has the clock; xtask builds it and Iris' renderer.

pub mod browser;
pub mod figures;
pub mod peers;
pub mod plan;
pub mod report;
pub mod site;
pub mod table;
pub mod targets;
pub mod traces;
pub mod words;
