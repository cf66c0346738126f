//! Tells the lines that Hermes puts into a chat about itself: retries, stalls, acknowledgements, the runtime footer, the
//! error that takes an answer's place. What their words mean is `iris_core::stall::said`'s to know. Called only for texts that by their metadata are no answer (the footer and the
//! error excepted), so that an answer which *speaks* of such things stays an answer.

use iris_core::protocol::frame::{Facts, Level, ServerFrame};
use iris_core::stall::said::{Said, said};

/// A line about the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Status {
    /// How loud.
    pub(super) level: Level,
    /// The fixed word.
    pub(super) code: &'static str,
    /// The line, without the symbol in front.
    pub(super) text: String,
    /// What follows it.
    pub(super) detail: Option<String>,
    /// Its numbers.
    pub(super) facts: Facts,
}

impl Status {
    /// The frame.
    pub(super) fn notice(&self) -> ServerFrame {
        ServerFrame::Notice {
            level: self.level,
            code: self.code.to_owned(),
            text: self.text.clone(),
            detail: self.detail.clone(),
            facts: self.facts.clone(),
        }
    }
}

/// The symbols that Hermes puts in front of its own lines. Those of tools are others.
const SYMBOLS: [&str; 27] = [
    "", "⚠️", "⚠", "❌", "⏳", "⏱️", "⏱", "⌛", "↻", "↪", "⚡", "⏩", "📬", "🗜️", "🗜", "📦", "💤", "✓", "✅",
    "⚙", "ℹ️", "ℹ", "🔄", "🚫", "📈", "🔐", "🔌",
];
/// What stands before the news when a request fails because the breaker is open.
const BREAKER: &str = "Provider has been unresponsive";

/// What Hermes adds to the text of a failure.
const FAILURE_ENDINGS: [&str; 2] = [
    "Your request was not processed. Send it again if you still want me to carry it out.",
    "This turn did not complete. Some actions may already have run; verify their effects before resending.",
];
/// How the text of a turn begins that was given up for want of activity.
const INACTIVE: &str = "⏱️ Agent inactive for";

/// The status that a line of Hermes is, if it is a known one. What a line is, is decided by its first paragraph.
pub(super) fn known(content: &str) -> Option<Status> {
    let (symbol, text) = symbol(content);
    if !SYMBOLS.contains(&symbol) {
        return None;
    }
    let (first, _) = paragraphs(text);
    let Said { level, code, facts } = said(first)?;
    let text = match first.find(BREAKER) {
        Some(at) if code == "breaker" => text.get(at..).unwrap_or(text),
        _ => text,
    };
    Some(Status { facts, ..status(level, code, text) })
}

/// A line that nobody has met yet, by the symbol in front of it; `code` when it has none.
pub(super) fn guess(content: &str, code: &'static str) -> Status {
    let (symbol, text) = symbol(content);
    match symbol {
        "⚠️" | "⚠" => status(Level::Warning, "warning", text),
        "❌" => status(Level::Error, "error", text),
        _ => status(Level::Info, code, text),
    }
}

fn status(level: Level, code: &'static str, text: &str) -> Status {
    let (first, rest) = paragraphs(text);
    Status { level, code, text: first.to_owned(), detail: rest.map(str::to_owned), facts: Facts::default() }
}

/// A leading symbol and the text behind it.
fn symbol(content: &str) -> (&str, &str) {
    match content.split_once(' ') {
        Some((symbol, text))
            if !symbol.is_empty() && !symbol.chars().any(|c| c.is_ascii() || c.is_alphanumeric()) =>
        {
            (symbol, text.trim())
        }
        _ => ("", content.trim()),
    }
}

fn paragraphs(text: &str) -> (&str, Option<&str>) {
    match text.split_once("\n\n") {
        Some((first, rest)) => (first.trim(), Some(rest.trim()).filter(|rest| !rest.is_empty())),
        None => (text.trim(), None),
    }
}

/// Whether a text that stands where the answer should is the text of a failure. Hermes reports success even then.
pub(super) fn is_failure(text: &str) -> bool {
    text.starts_with(INACTIVE) || FAILURE_ENDINGS.iter().any(|ending| text.trim_end().ends_with(ending))
}

/// The runtime footer: what stands behind `display.runtime_footer`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Footer {
    /// The model, if the footer shows it.
    pub(super) model: Option<String>,
}

/// Reads a line like `demo-model · 1% · /home/demo/project`.
pub(super) fn footer(line: &str) -> Option<Footer> {
    let mut footer = Footer::default();
    let mut parts = 0;
    for part in line.split(" · ") {
        parts += 1;
        if !(is_share(part) || is_folder(part) || is_latency(part)) {
            let is_model = footer.model.is_none() && !part.is_empty() && !part.contains(char::is_whitespace);
            if !is_model {
                return None;
            }
            footer.model = Some(part.to_owned());
        }
    }
    // The model alone could be any word, and of two models one would be the folder.
    (parts > 1 && parts > usize::from(footer.model.is_some())).then_some(footer)
}

fn is_share(part: &str) -> bool {
    part.strip_suffix('%')
        .is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()))
}

fn is_folder(part: &str) -> bool {
    part.starts_with('/') || part.starts_with('~') || part.get(1..3) == Some(":\\")
}

/// `<1s`, `22s`, `1m05s`.
fn is_latency(part: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    part == "<1s"
        || part.strip_suffix('s').is_some_and(|rest| {
            digits(rest) || rest.split_once('m').is_some_and(|(m, s)| digits(m) && digits(s))
        })
}

/// Takes the footer off a whole reply: it is the last paragraph, or the last but one of a failure's text.
pub(super) fn split_footer(reply: &str) -> (String, Option<Footer>) {
    if let Some((text, last)) = reply.rsplit_once("\n\n") {
        if let Some(footer) = footer(last.trim_end()) {
            return (text.to_owned(), Some(footer));
        }
        if is_failure(last)
            && let Some((text, line)) = text.rsplit_once("\n\n")
            && let Some(footer) = footer(line)
        {
            return (format!("{text}\n\n{last}"), Some(footer));
        }
    }
    (reply.to_owned(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_line_is_told_with_its_numbers() {
        let status = known(
            "❌ custom rejected the request and retrying won't help: Provider has been unresponsive (no response received) for 3 consecutive stale attempts — aborting this call.",
        );
        let status = status.unwrap();
        assert_eq!((status.level, status.code, status.facts.attempt), (Level::Error, "breaker", Some(3)));
        assert!(status.text.starts_with("Provider has been unresponsive"), "what is new: {}", status.text);
        assert_eq!(
            known("first\n\nNo response from provider for 6s"),
            None,
            "only the first paragraph counts"
        );
        assert_eq!(
            known("💻 Running grep 'retrying in 5' log"),
            None,
            "a tool's line is none of Hermes' own"
        );
    }

    #[test]
    fn the_symbol_goes_and_the_rest_becomes_the_detail() {
        let status = known("📬 No home channel is set for Iris.\n\nType /sethome to set it.").unwrap();
        assert_eq!(status.text, "No home channel is set for Iris.");
        assert_eq!(status.detail.as_deref(), Some("Type /sethome to set it."));
    }

    #[test]
    fn an_unknown_line_is_judged_by_its_symbol() {
        assert_eq!((guess("⚠️ new", "x").level, guess("⚠️ new", "x").code), (Level::Warning, "warning"));
        assert_eq!((guess("❌ new", "x").level, guess("❌ new", "x").code), (Level::Error, "error"));
        assert_eq!(guess("still on it", "working").code, "working");
        assert_eq!(guess("still on it", "working").text, "still on it");
    }

    fn model(line: &str) -> Option<Option<String>> {
        footer(line).map(|footer| footer.model)
    }

    #[test]
    fn a_footer_is_told_from_text() {
        let named = |model: &str| Some(Some(model.to_owned()));
        assert_eq!(model("demo-model · 1% · /home/demo/project"), named("demo-model"));
        assert_eq!(model("anthropic/claude-opus-5 · 37%"), named("anthropic/claude-opus-5"));
        assert_eq!(model("demo-model · 1m05s"), named("demo-model"));
        assert_eq!(model("12% · ~/project · <1s"), Some(None));
        for line in
            ["demo-model", "1%", "a · b", "one thing · another thing · /x", "", "· ·", "10% off · today"]
        {
            assert_eq!(model(line), None, "{line:?}");
        }
    }

    #[test]
    fn the_footer_comes_off_a_whole_reply() {
        let check = |reply: &str, text: &str, found: bool| {
            let (rest, footer) = split_footer(reply);
            assert_eq!((rest.as_str(), footer.is_some()), (text, found), "{reply:?}");
        };
        check("ola\n\ndemo-model · 1% · /home/demo", "ola", true);
        check("ola", "ola", false);
        check("ola\n\nadeus", "ola\n\nadeus", false);
        let ending = FAILURE_ENDINGS[0];
        check(&format!("failed\n\ndemo-model · 1% · /h\n\n{ending}"), &format!("failed\n\n{ending}"), true);
    }

    #[test]
    fn a_failure_is_told_by_its_ending() {
        assert!(is_failure(&format!("custom returned a server error\n\n{}", FAILURE_ENDINGS[0])));
        assert!(is_failure(FAILURE_ENDINGS[1]));
        assert!(is_failure("⏱️ Agent inactive for 30 min — no tool calls or API responses."));
        assert!(!is_failure("Your request was not processed. Just kidding."));
    }
}
