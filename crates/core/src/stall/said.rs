//! Tells a line that Hermes says about itself: a fixed word for it, how loud it is, and its numbers. Owns the texts of
//! Hermes 0.22.2 and nothing else; who may be asked about a line (never an answer, which may *speak* of such things) is
//! the caller's to know.
//!
//! The words are those of the protocol's `notice`; `docs/protocol.md` lists them, and a test holds the two together.

mod lines;
mod numbers;

use crate::protocol::frame::{Facts, Level};
use lines::{LINES, Line};

/// What a line of Hermes is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// How loud.
    pub level: Level,
    /// The fixed word.
    pub code: &'static str,
    /// Its numbers.
    pub facts: Facts,
}

/// What stands in the middle of an answer although the model did not write it: Hermes lost the connection while the model
/// called a tool, and goes on or gives up.
const INSIDE: [(&str, &str); 2] = [
    ("⚠ Connection dropped mid tool-call; reconnecting…", ""),
    (
        "⚠ Stream stalled mid tool-call (",
        "); the action was not executed. Ask me to retry if you want to continue.",
    ),
];

/// What a line is, if it is one of those that Hermes 0.22.2 is known to say. Only the first that fits counts, so that a
/// line with two marks is what matters more.
pub fn said(line: &str) -> Option<Said> {
    let Line { level, code, watchdog, numbers, .. } =
        LINES.iter().find(|known| known.marks.iter().all(|mark| line.contains(mark)))?;
    let mut facts = numbers::read(line, numbers);
    facts.watchdog = watchdog.map_or_else(|| numbers::watchdog(line), |name| Some(name.to_owned()));
    Some(Said { level: *level, code, facts })
}

/// Whether a paragraph inside a text of the agent is Hermes' own.
pub fn is_inside(paragraph: &str) -> bool {
    let paragraph = paragraph.trim();
    INSIDE.iter().any(|(begin, end)| {
        paragraph.strip_prefix(begin).is_some_and(|rest| {
            rest.len() >= end.len() && rest.ends_with(end) && (rest == *end || !end.is_empty())
        })
    })
}

/// A text of the agent without the paragraphs that are Hermes' own, and those. `None` when there are none, which costs one
/// search.
pub fn take_inside(text: &str) -> Option<(String, Vec<String>)> {
    if !text.contains("mid tool-call") {
        return None;
    }
    let (own, said): (Vec<&str>, Vec<&str>) = text.split("\n\n").partition(|part| !is_inside(part));
    let said: Vec<String> = said.into_iter().map(|part| part.trim().to_owned()).collect();
    (!said.is_empty()).then(|| (own.join("\n\n"), said))
}

/// Every word that [`said`] knows, each once, in no order.
pub fn codes() -> impl Iterator<Item = &'static str> {
    let first = |at: usize| {
        let (code, before) = (LINES.get(at)?.code, LINES.get(..at)?);
        (!before.iter().any(|known| known.code == code)).then_some(code)
    };
    (0..LINES.len()).filter_map(first)
}

#[cfg(test)]
mod tests;
