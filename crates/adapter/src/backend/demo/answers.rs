//! What the user's answer changes in the rest of a recording: the recorded user said one thing, this user may say
//! another, and what Hermes then reports must be about this one. Only words change, never what happens.

use iris_core::protocol::frame::{AskKind, Choice};
use serde_json::{Value, json};

use super::recordings::{Step, What};
use crate::backend::gateway::{Call, Hook};

/// An answer to an open question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The command may run: `once`, for the `session`, or `always`.
    Approve(&'static str),
    /// The command may not run.
    Deny,
    /// What the agent wanted to know.
    Said(String),
}

impl Answer {
    /// Reads a button or a text as an answer; `None` if it is none (a new message, say).
    pub(super) fn read(
        kind: AskKind,
        choices: &[Choice],
        choice: Option<&str>,
        text: Option<&str>,
    ) -> Option<Self> {
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        match kind {
            AskKind::Approval | AskKind::Confirm => approval(choice.or(text)?),
            AskKind::Clarify => {
                let label = |id: &str| {
                    choices.iter().find(|choice| choice.id == id).map(|choice| choice.label.clone())
                };
                // A number or a name that is typed means the button that carries it.
                let said = choice.or(text)?;
                Some(Self::Said(label(said).unwrap_or_else(|| text.unwrap_or(said).to_owned())))
            }
        }
    }

    /// The answer as it would be typed.
    pub(super) fn typed(&self) -> String {
        match self {
            Self::Approve("once") => "/approve".to_owned(),
            Self::Approve(scope) => format!("/approve {scope}"),
            Self::Deny => "/deny".to_owned(),
            Self::Said(text) => text.clone(),
        }
    }

    /// The step as it would have been with this answer.
    pub(super) fn apply(&self, mut step: Step) -> Step {
        let What::Call(call) = &mut step.what else { return step };
        match (self, call) {
            (Self::Approve(scope), Call::Hook(hook)) => set_choice(hook, scope),
            (Self::Deny, Call::Hook(Hook::ToolEnd { result, ok, .. }))
                if result.contains("was approved by the user") =>
            {
                *result = json!({"output": "", "exit_code": -1, "error": "The user denied the command."})
                    .to_string();
                *ok = Some(false);
            }
            (Self::Deny, Call::Hook(hook)) => set_choice(hook, "deny"),
            (Self::Deny, Call::Send(send)) if send.content.starts_with("✅ Command approved") => {
                send.content = "❌ Command denied.".to_owned();
            }
            (Self::Said(text), Call::Hook(Hook::ToolEnd { call, result, .. })) if call.name == "clarify" => {
                if let Some(changed) = with_response(result, text) {
                    *result = changed;
                }
            }
            _ => {}
        }
        step
    }
}

fn approval(word: &str) -> Option<Answer> {
    let word = word.to_ascii_lowercase();
    let mut words = word.split_ascii_whitespace();
    let scope = |word: Option<&str>| match word {
        Some("session") => Answer::Approve("session"),
        Some("always") => Answer::Approve("always"),
        _ => Answer::Approve("once"),
    };
    match words.next()? {
        "/approve" => Some(scope(words.next())),
        word @ ("once" | "session" | "always") => Some(scope(Some(word))),
        "approve" | "yes" | "y" | "ok" => Some(Answer::Approve("once")),
        "/deny" | "/cancel" | "deny" | "cancel" | "no" | "n" => Some(Answer::Deny),
        _ => None,
    }
}

fn set_choice(hook: &mut Hook, word: &str) {
    match hook {
        Hook::ApprovalResponse { choice } => *choice = word.to_owned(),
        Hook::InputResolved { kind, outcome, .. } if kind == "approval" => *outcome = word.to_owned(),
        _ => {}
    }
}

/// The result of the `clarify` tool with another answer in it.
fn with_response(result: &str, text: &str) -> Option<String> {
    let mut result: Value = serde_json::from_str(result).ok()?;
    let response = result.get_mut("responses")?.get_mut(0)?.get_mut("user_response")?;
    *response = Value::String(text.to_owned());
    Some(result.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buttons_and_words_are_read_alike() {
        let check = |kind, choice: Option<&str>, text: Option<&str>, expected: Option<Answer>| {
            let choices = [Choice { id: "2".into(), label: "release".into() }];
            assert_eq!(Answer::read(kind, &choices, choice, text), expected, "{choice:?} {text:?}");
        };
        let approval = AskKind::Approval;
        check(approval, Some("once"), None, Some(Answer::Approve("once")));
        check(approval, Some("always"), None, Some(Answer::Approve("always")));
        check(approval, Some("deny"), None, Some(Answer::Deny));
        check(approval, None, Some("/approve"), Some(Answer::Approve("once")));
        check(approval, None, Some("/approve session"), Some(Answer::Approve("session")));
        check(approval, None, Some("/deny not now"), Some(Answer::Deny));
        check(approval, None, Some("no"), Some(Answer::Deny));
        check(approval, None, Some("what does it do?"), None);
        check(approval, None, Some("  "), None);
        check(approval, None, None, None);
        let said = |text: &str| Some(Answer::Said(text.into()));
        check(AskKind::Clarify, Some("2"), None, said("release"));
        check(AskKind::Clarify, None, Some("2"), said("release"));
        check(AskKind::Clarify, None, Some("neither"), said("neither"));
    }

    #[test]
    fn a_clarification_reports_what_was_said() {
        let recorded =
            r#"{"responses": [{"question": "Which?", "user_response": "release"}], "outcome": "submitted"}"#;
        let expected =
            r#"{"responses":[{"question":"Which?","user_response":"a \"b\""}],"outcome":"submitted"}"#;
        assert_eq!(with_response(recorded, "a \"b\"").as_deref(), Some(expected));
        assert_eq!(with_response("not JSON", "x"), None);
    }
}
