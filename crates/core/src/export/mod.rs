//! A chat, or a turn of it, to be kept or given to somebody: as a recording that plays again ([`recording`]), as Markdown
//! ([`markdown`]), as one HTML file that loads nothing ([`html`]), and as a diagnostic without a word of what was said
//! ([`diagnostic`]). *Pure*: frames or rows in, text out.
//!
//! What leaves the machine here carries no token, no id of a device and no address of an adapter: files are named, not
//! linked. What was said is said: paths that stand in a message or in a tool's arguments are a part of it.

pub mod diagnostic;
pub mod html;
pub mod markdown;
pub mod recording;
mod words;

use crate::protocol::frame::Envelope;
use crate::timeline::{Item, Timeline};

pub use diagnostic::{Diagnostic, Observer};
pub use recording::Recording;

/// What an export says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The chat's title; may be empty.
    pub title: String,
    /// When it was exported, milliseconds since 1970.
    pub exported_ms: Option<u64>,
}

impl About {
    fn title(&self) -> String {
        let title = crate::format::one_line(&self.title, 200);
        if title.is_empty() { "A chat with Hermes".to_owned() } else { title }
    }

    fn line(&self) -> String {
        match self.exported_ms {
            Some(ms) => format!("Exported from Iris on {} UTC", words::date(ms)),
            None => "Exported from Iris".to_owned(),
        }
    }
}

/// The rows that frames lead to: what [`markdown`] and [`html`] export.
pub fn rows<'f>(frames: impl IntoIterator<Item = &'f Envelope>) -> Vec<Item> {
    let mut timeline = Timeline::new();
    for envelope in frames {
        timeline.apply(envelope);
    }
    timeline.items().to_vec()
}
