//! Reads the questions that Hermes asks as plain text: may this command run, which of these, confirm this command. Owns
//! the shapes of the texts; which question is open and how it closes is `asks.rs`.

use iris_core::protocol::frame::{AskKind, Choice};

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Prompt {
    /// Its kind.
    pub(super) kind: AskKind,
    /// What is asked.
    pub(super) text: String,
    /// The command that waits.
    pub(super) command: Option<String>,
    /// The buttons.
    pub(super) choices: Vec<Choice>,
}

/// The answers to an approval: ids that a live gateway can turn into the command that gives them.
const APPROVAL: [(&str, &str); 4] = [
    ("once", "Run once"),
    ("session", "Allow for this session"),
    ("always", "Always allow"),
    ("deny", "Deny"),
];
const APPROVAL_HEADER: &str = "Hermes wants to run a command that needs your OK";
const APPROVAL_REASON: &str = "Why it was flagged";

/// An approval that a hook announces.
pub(super) fn approval(command: &str, description: &str) -> Prompt {
    let reason = format!("{APPROVAL_REASON}: {description}");
    let text = if description.is_empty() {
        APPROVAL_HEADER.to_owned()
    } else {
        format!("{APPROVAL_HEADER}\n{reason}")
    };
    Prompt { kind: AskKind::Approval, text, command: Some(command.to_owned()), choices: choices(&APPROVAL) }
}

/// An approval as text: a header in bold, the command in a fence, the reason, then how to answer by typing.
pub(super) fn approval_text(content: &str) -> Prompt {
    let fenced = content.split_once("\n```\n").and_then(|(header, rest)| {
        let (command, rest) = rest.split_once("\n```\n")?;
        Some((header, command, rest))
    });
    let Some((header, command, rest)) = fenced else {
        // Nothing is known about its shape: show it whole, it can be answered all the same.
        let text = content.trim().to_owned();
        return Prompt { kind: AskKind::Approval, text, command: None, choices: choices(&APPROVAL) };
    };
    let reason = rest.split_once("\n\n").map_or(rest, |(reason, _)| reason).trim();
    let header = bold(header).unwrap_or(APPROVAL_HEADER);
    let text = if reason.is_empty() { header.to_owned() } else { format!("{header}\n{reason}") };
    Prompt { kind: AskKind::Approval, text, command: Some(command.to_owned()), choices: choices(&APPROVAL) }
}

/// A clarification: `❓` and the question, perhaps how to skip it, perhaps numbered options.
pub(super) fn clarify_text(content: &str) -> Prompt {
    let content = content.strip_prefix("❓").unwrap_or(content).trim();
    let mut question = Vec::new();
    let mut choices = Vec::new();
    let mut skip = false;
    let mut asking = true;
    for line in content.lines() {
        if let Some((number, label)) = option(line) {
            asking = false;
            choices.push(Choice { id: number.to_owned(), label: label.to_owned() });
        } else if line.contains("\"skip\"") {
            (skip, asking) = (true, false);
        } else if asking {
            question.push(line);
        }
    }
    if choices.is_empty() {
        // Without options what follows the question says how to answer in one's own words.
        question.retain(|line| !line.starts_with("Reply "));
    }
    if skip {
        choices.push(Choice { id: "skip".to_owned(), label: "Skip".to_owned() });
    }
    let text = question.join("\n").trim().to_owned();
    Prompt { kind: AskKind::Clarify, text, command: None, choices }
}

/// `  2. release`
fn option(line: &str) -> Option<(&str, &str)> {
    let (number, label) = line.strip_prefix(' ')?.trim_start().split_once(". ")?;
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    is_number.then_some((number, label.trim()))
}

/// A slash command that wants to be confirmed; `None` when the text is something else.
pub(super) fn confirm_text(content: &str) -> Option<Prompt> {
    let (body, _) = content.split_once("_Text fallback: reply `/approve`")?;
    let (question, options) = body.split_once("\n\nChoose:\n").unwrap_or((body, ""));
    let (header, rest) = question.split_once("\n\n").unwrap_or((question, ""));
    let title = bold(header).unwrap_or(header).trim();
    let text = if rest.trim().is_empty() { title.to_owned() } else { format!("{title}\n{}", rest.trim()) };
    let ids = ["approve", "always", "cancel"];
    let labels = options.lines().filter_map(|line| line.strip_prefix('•').and_then(bold));
    let mut choices: Vec<Choice> = ids
        .iter()
        .zip(labels)
        .map(|(id, label)| Choice { id: (*id).to_owned(), label: label.to_owned() })
        .collect();
    if choices.len() < ids.len() {
        choices =
            self::choices(&[("approve", "Approve once"), ("always", "Always approve"), ("cancel", "Cancel")]);
    }
    Some(Prompt { kind: AskKind::Confirm, text, command: None, choices })
}

/// The first text between `**` and `**`.
fn bold(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("**")?;
    rest.split_once("**").map(|(bold, _)| bold)
}

fn choices(pairs: &[(&str, &str)]) -> Vec<Choice> {
    pairs.iter().map(|(id, label)| Choice { id: (*id).to_owned(), label: (*label).to_owned() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(prompt: &Prompt) -> Vec<String> {
        prompt.choices.iter().map(|choice| format!("{}={}", choice.id, choice.label)).collect()
    }

    #[test]
    fn an_approval_says_the_same_as_its_hook() {
        let text = "⚠️ **Hermes wants to run a command that needs your OK**\n```\nrm -rf ./build-output\n```\nWhy it was flagged: recursive delete\n\nReply `/approve` to run it once.";
        let prompt = approval_text(text);
        assert_eq!(prompt, approval("rm -rf ./build-output", "recursive delete"));
        assert_eq!(
            labels(&prompt),
            ["once=Run once", "session=Allow for this session", "always=Always allow", "deny=Deny"]
        );
    }

    #[test]
    fn a_command_of_several_lines_stays_whole() {
        let prompt = approval_text("⚠️ **H**\n```\nfor i in 1 2\ndo rm $i\ndone\n```\nWhy: loop\n\nReply");
        assert_eq!(prompt.command.as_deref(), Some("for i in 1 2\ndo rm $i\ndone"));
        assert_eq!(prompt.text, "H\nWhy: loop");
    }

    #[test]
    fn an_approval_of_unknown_shape_is_shown_whole() {
        let prompt = approval_text("May I? Reply /approve.");
        assert_eq!((prompt.text.as_str(), prompt.command), ("May I? Reply /approve.", None));
        assert_eq!(prompt.choices.len(), 4);
    }

    #[test]
    fn a_clarification_has_its_options() {
        let prompt = clarify_text(
            "❓ Which target?\nReply \"skip\" to skip this question.\n\n  1. debug (Recommended)\n  2. release\n\nReply with the number, the option text, or your own answer.",
        );
        assert_eq!(prompt.text, "Which target?");
        assert_eq!(labels(&prompt), ["1=debug (Recommended)", "2=release", "skip=Skip"]);
    }

    #[test]
    fn a_clarification_without_options_is_free_text() {
        let prompt = clarify_text("❓ What is it called?\nOn two lines.\n\nReply with your own answer.");
        assert_eq!(prompt.text, "What is it called?\nOn two lines.");
        assert!(prompt.choices.is_empty());
    }

    #[test]
    fn a_confirmation_has_its_buttons() {
        let prompt = confirm_text("⚠️ **Confirm /new**\n\nThis starts a fresh session.\n\nChoose:\n• **Approve Once** — proceed\n• **Always Approve** — silence\n• **Cancel** — keep\n\n_Text fallback: reply `/approve`, `/always`, or `/cancel`._").unwrap();
        assert_eq!(prompt.text, "Confirm /new\nThis starts a fresh session.");
        assert_eq!(labels(&prompt), ["approve=Approve Once", "always=Always Approve", "cancel=Cancel"]);
        assert_eq!(confirm_text("An answer about /approve."), None);
    }
}
