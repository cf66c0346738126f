//! A conversation as lines, in whichever of its forms it is: what Hermes remembers, what the app's timeline holds, what
//! stands on the screen. Owns what counts as the same; a turn that was cut off or failed leaves nothing in Hermes' memory
//! but what the user said, so such an answer is no line.

use e2e::page::Row;
use iris_core::{
    markdown::{self, Kind, Node},
    timeline::{Item, ItemKind},
};

use crate::store::Message;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// What the user said.
    User(String),
    /// What the agent said, as Markdown: an answer or a remark.
    Agent(String),
    /// A tool that the agent called.
    Tool(String),
}

/// Hermes asks with this tool; the question is a row of its own.
const QUESTION: &str = "clarify";

/// What the button above a block of code says.
const COPY: &str = "Copy";

/// What Hermes remembers.
pub fn remembered(messages: &[Message]) -> Vec<Line> {
    let mut lines = Vec::new();
    for message in messages {
        match message {
            Message::User(text) => lines.push(Line::User(text.trim().to_owned())),
            Message::Assistant { text, calls, .. } => {
                lines.extend(agent(text));
                let shown = calls.iter().filter(|name| *name != QUESTION);
                lines.extend(shown.cloned().map(Line::Tool));
            }
            Message::Failed(_) | Message::Tool { .. } => {}
        }
    }
    lines
}

/// What the timeline of a device holds.
pub fn held(items: &[Item]) -> Vec<Line> {
    let mut lines = Vec::new();
    for item in items {
        match &item.kind {
            ItemKind::User(user) => lines.push(Line::User(user.text.trim().to_owned())),
            ItemKind::Answer(answer) if answer.cut.is_none() => lines.extend(agent(&answer.text)),
            ItemKind::Commentary { text } => lines.extend(agent(text)),
            ItemKind::Tools(tools) => lines.extend(tools.iter().map(|tool| Line::Tool(tool.name.clone()))),
            _ => {}
        }
    }
    lines
}

fn agent(text: &str) -> Option<Line> {
    let text = text.trim();
    (!text.is_empty()).then(|| Line::Agent(text.to_owned()))
}

/// Whether the screen shows these lines, and no others. Errors name the first place where it does not.
///
/// # Errors
/// When it does not.
pub fn on_screen(lines: &[Line], rows: &[Row]) -> anyhow::Result<()> {
    let shown = shown(rows);
    for (nth, line) in lines.iter().enumerate() {
        let row = shown.get(nth).map(|(kind, text)| (*kind, text.as_str()));
        let same = match (line, row) {
            (Line::User(text), Some(("user", shown))) => text == shown.trim(),
            (Line::Agent(text), Some(("agent", shown))) => reads_as(shown, text),
            (Line::Tool(name), Some(("tool", shown))) => name == shown,
            _ => false,
        };
        anyhow::ensure!(same, "line {nth} is {line:?}, but the screen shows {row:?}; all of it: {rows:#?}");
    }
    anyhow::ensure!(shown.len() == lines.len(), "the screen shows more than {lines:#?}: {rows:#?}");
    Ok(())
}

fn shown(rows: &[Row]) -> Vec<(&'static str, String)> {
    let mut shown = Vec::new();
    for row in rows {
        match row.kind.as_str() {
            "user" => shown.push(("user", row.text.clone())),
            "answer" if !row.cut && !row.text.trim().is_empty() => shown.push(("agent", row.text.clone())),
            "commentary" => shown.push(("agent", row.text.clone())),
            "tools" => shown.extend(row.tools.iter().map(|tool| ("tool", tool.name.clone()))),
            _ => {}
        }
    }
    shown
}

/// Whether a reader of `shown` reads the words of the Markdown, in their order. A block of code has a line above it: its
/// language and a button.
fn reads_as(shown: &str, text: &str) -> bool {
    let tree = markdown::parse(text);
    let plain = markdown::plain_text(&tree);
    let mut extras = Vec::new();
    find_extras(&tree, &mut extras);
    let mut expected = plain.split_whitespace().peekable();
    for word in shown.split_whitespace() {
        if expected.peek() == Some(&word) {
            expected.next();
        } else if !extras.contains(&word) {
            return false;
        }
    }
    expected.peek().is_none()
}

fn find_extras<'a>(nodes: &'a [Node], out: &mut Vec<&'a str>) {
    for node in nodes {
        if let Kind::CodeBlock { lang, .. } = &node.kind {
            out.extend([lang, COPY]);
        }
        find_extras(&node.children, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_screen_shows_the_words_of_the_markdown() {
        let check =
            |shown: &str, text: &str, same: bool| assert_eq!(reads_as(shown, text), same, "{shown:?}");
        check("Title\none two", "# Title\n\none **two**", true);
        check("Title\none", "# Title\n\none **two**", false);
        check("Title\none two three", "# Title\n\none **two**", false);
        check("rust\nCopy\nfn main() {}", "```rust\nfn main() {}\n```", true);
        check("rust\nCopy\nfn main() {}", "fn main() {}", false);
    }

    #[test]
    fn a_failed_turn_is_not_remembered() {
        let messages = [
            Message::User("go ".to_owned()),
            Message::Assistant {
                text: "Looking.".to_owned(),
                reasoning: None,
                calls: vec!["terminal".to_owned(), "clarify".to_owned()],
            },
            Message::Tool { name: "terminal".to_owned(), output: "x".to_owned() },
            Message::Failed("Your request was not processed.".to_owned()),
        ];
        let expected = [
            Line::User("go".to_owned()),
            Line::Agent("Looking.".to_owned()),
            Line::Tool("terminal".to_owned()),
        ];
        assert_eq!(remembered(&messages), expected);
    }
}
