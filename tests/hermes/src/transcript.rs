//! A conversation as lines, in whichever of its forms it is: what Hermes remembers, what the app's timeline holds, what
//! stands on the screen. Owns what counts as the same: every line that Hermes remembers is shown, in order, and nothing
//! else is but what Hermes does not remember. That is an answer that was cut off, which its gateway remembers and its
//! command line does not, and a command to Hermes itself.

use e2e::page::Row;
use iris_core::{
    markdown::{self, Kind, Node},
    timeline::{Item, ItemKind},
};

use crate::store::Message;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Line {
    /// What the user said.
    User(String),
    /// What the agent said: an answer or a remark.
    Agent(String),
    /// An answer that was cut off.
    Cut(String),
    /// A tool that the agent called.
    Tool(String),
}

/// Hermes asks with this tool; the question is a row of its own.
const QUESTION: &str = "clarify";

/// What the buttons above a block of code say.
const BUTTONS: [&str; 2] = ["Wrap", "Copy"];

/// What Hermes remembers.
fn remembered(messages: &[Message]) -> Vec<Line> {
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

/// Whether the timeline of a device agrees with what Hermes remembers.
///
/// # Errors
/// With the first line at which it does not.
pub fn device_agrees(items: &[Item], memory: &[Message]) -> anyhow::Result<()> {
    agree(&held(items), &remembered(memory), |shown, text| shown == text)
}

/// Whether the screen agrees with what Hermes remembers.
///
/// # Errors
/// With the first line at which it does not.
pub fn screen_agrees(rows: &[Row], memory: &[Message]) -> anyhow::Result<()> {
    agree(&on_screen(rows), &remembered(memory), reads_as)
}

fn agree(shown: &[Line], remembered: &[Line], same: impl Fn(&str, &str) -> bool) -> anyhow::Result<()> {
    let mut rest = remembered.iter().peekable();
    for line in shown {
        let found = match (line, rest.peek()) {
            (Line::User(shown), Some(Line::User(text))) => shown == text,
            (Line::Agent(shown) | Line::Cut(shown), Some(Line::Agent(text))) => same(shown, text),
            (Line::Tool(shown), Some(Line::Tool(name))) => shown == name,
            _ => false,
        };
        if found {
            rest.next();
        } else {
            let forgotten = match line {
                Line::Cut(_) => true,
                Line::User(text) => text.starts_with('/'),
                _ => false,
            };
            let next = rest.peek();
            anyhow::ensure!(
                forgotten,
                "{line:?} is shown, but Hermes remembers {next:?}; shown is {shown:#?}"
            );
        }
    }
    anyhow::ensure!(rest.peek().is_none(), "{:?} is not shown, only {shown:#?}", rest.peek());
    Ok(())
}

fn held(items: &[Item]) -> Vec<Line> {
    let mut lines = Vec::new();
    for item in items {
        match &item.kind {
            ItemKind::User(user) => lines.push(Line::User(user.text.trim().to_owned())),
            ItemKind::Answer(answer) if answer.cut.is_none() => lines.extend(agent(&answer.text)),
            ItemKind::Answer(answer) => lines.push(Line::Cut(answer.text.trim().to_owned())),
            ItemKind::Commentary { text } => lines.extend(agent(text)),
            ItemKind::Tools(tools) => lines.extend(tools.iter().map(|tool| Line::Tool(tool.name.clone()))),
            _ => {}
        }
    }
    lines
}

fn on_screen(rows: &[Row]) -> Vec<Line> {
    let mut lines = Vec::new();
    for row in rows {
        match row.kind.as_str() {
            "user" => lines.push(Line::User(row.text.trim().to_owned())),
            "answer" if row.cut => lines.push(Line::Cut(row.text.clone())),
            "answer" | "commentary" => lines.extend(agent(&row.text)),
            "tools" => lines.extend(row.tools.iter().map(|tool| Line::Tool(tool.name.clone()))),
            _ => {}
        }
    }
    lines
}

fn agent(text: &str) -> Option<Line> {
    let text = text.trim();
    (!text.is_empty()).then(|| Line::Agent(text.to_owned()))
}

/// Whether a reader of `shown` reads the words of the Markdown, in their order. A block of code has a line above it: its
/// language and buttons.
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
            out.push(lang);
            out.extend(BUTTONS);
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
        check("rust\nWrap\nCopy\nfn main() {}", "```rust\nfn main() {}\n```", true);
        check("rust\nWrap\nCopy\nfn main() {}", "fn main() {}", false);
    }

    #[test]
    fn only_what_hermes_does_not_remember_may_be_shown_besides() {
        let user = |text: &str| Line::User(text.to_owned());
        let agent = |text: &str| Line::Agent(text.to_owned());
        let cut = |text: &str| Line::Cut(text.to_owned());
        let check = |shown: &[Line], remembered: &[Line], same: bool| {
            let agreed = agree(shown, remembered, |shown, text| shown == text);
            assert_eq!(agreed.is_ok(), same, "{shown:?} {remembered:?}");
        };
        check(&[user("a"), agent("b")], &[user("a"), agent("b")], true);
        check(&[user("a")], &[user("a"), agent("b")], false);
        check(&[user("a"), agent("b")], &[user("a")], false);
        check(&[user("a"), cut("b")], &[user("a")], true);
        check(&[user("a"), cut("b")], &[user("a"), agent("b")], true);
        check(&[user("a"), user("/stop")], &[user("a")], true);
        check(&[user("b"), user("a")], &[user("a"), user("b")], false);
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
