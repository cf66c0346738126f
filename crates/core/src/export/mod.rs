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

/// Characters of a title in a file's name.
const NAME: usize = 60;

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

    /// What a file of it is called without its extension, in letters that every disk takes: `iris-TITLE-2026-11-30`.
    /// `turn`: there is one turn in it.
    pub fn file_name(&self, turn: bool) -> String {
        let title: String =
            self.title.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).take(NAME).collect();
        let date = self.exported_ms.map(words::date);
        let day = date.as_deref().and_then(|date| date.split(' ').next());
        let words = title.split_whitespace().chain(turn.then_some("turn")).chain(day);
        std::iter::once("iris").chain(words).collect::<Vec<_>>().join("-")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_called_after_its_chat_and_the_day() {
        let check = |title: &str, exported_ms, turn, expected: &str| {
            assert_eq!(About { title: title.to_owned(), exported_ms }.file_name(turn), expected);
        };
        check("Summarize the repo", Some(1_796_040_000_000), false, "iris-Summarize-the-repo-2026-11-30");
        check("Summarize the repo", Some(1_796_040_000_000), true, "iris-Summarize-the-repo-turn-2026-11-30");
        check("../../etc/passwd\0 \u{202e}x", None, false, "iris-etc-passwd-x");
        check("", None, true, "iris-turn");
        check("Привет, 世界!", None, false, "iris-Привет-世界");
        check(&"x".repeat(500), None, false, &format!("iris-{}", "x".repeat(60)));
    }
}
