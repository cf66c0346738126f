//! Tells a Hermes that was packaged without its texts: whatever it would say about itself is then the bare name of the text
//! (`gateway.progress.tool_head`). Asked only about texts that are no answer: an answer may speak of such names.

use iris_core::protocol::frame::{Facts, Level};

use super::status::Status;

/// What the names of Hermes' texts begin with.
const ROOTS: [&str; 4] = ["gateway.", "display.", "approval.", "slash."];

/// How much of a text is names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keys {
    /// Each of its lines has one: nobody can read anything in it.
    All,
    /// Some lines: the others say something.
    Some,
}

/// Whether there are names of texts in a text.
pub(super) fn keys(content: &str) -> Option<Keys> {
    let mut lines = content.lines().filter(|line| !line.trim().is_empty()).map(has_key).peekable();
    lines.peek()?;
    let (with, without): (Vec<bool>, Vec<bool>) = lines.partition(|has| *has);
    match (with.is_empty(), without.is_empty()) {
        (true, _) => None,
        (false, true) => Some(Keys::All),
        (false, false) => Some(Keys::Some),
    }
}

/// A root that begins a word, then at least two more parts.
fn has_key(line: &str) -> bool {
    ROOTS.iter().any(|root| {
        line.match_indices(root).any(|(at, _)| {
            let starts = line.get(..at).is_some_and(|before| !before.ends_with(is_of_key));
            let rest = line.get(at..).and_then(|rest| rest.strip_prefix(root)).unwrap_or_default();
            let key = rest.find(|c| !is_of_key(c)).and_then(|end| rest.get(..end)).unwrap_or(rest);
            starts && key.split('.').filter(|part| !part.is_empty()).count() >= 2
        })
    })
}

fn is_of_key(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '.'
}

/// What to tell about it.
pub(super) fn notice() -> Status {
    Status {
        level: Level::Warning,
        code: "no_texts",
        text: "This Hermes was packaged without its texts: what it says about itself cannot be read, and is left out."
            .to_owned(),
        detail: Some(
            "Put `locales/en.yaml` from the sources of the same version of Hermes into the folder `locales` of its home \
             (`~/.hermes/locales/`), and restart its gateway."
                .to_owned(),
        ),
        facts: Facts::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_texts_are_told_from_texts() {
        for (text, expected) in [
            ("gateway.notify.no_home_channel", Some(Keys::All)),
            ("💻 display.verb.terminaldisplay.verb_connector.defaultls -la", Some(Keys::All)),
            ("💻 display.verb.terminal x\n\n📖 display.verb.read_file y", Some(Keys::All)),
            ("gateway.help.header\n`/start` -- Acknowledge", Some(Keys::Some)),
            ("(session)slash.shared.alias_note", Some(Keys::All)),
            ("⚡ Stopped. You can continue this session.", None),
            ("gateway.log says more", None),
            ("see my.gateway.notify.now", None),
            ("display.", None),
            ("", None),
        ] {
            assert_eq!(keys(text), expected, "{text}");
        }
    }
}
