//! The questions that wait on the user's screen, and the words that answer them. Hermes gives an answer to the oldest
//! approval that waits, so an answer to a newer one waits until it is the oldest. Pure.

use iris_core::{
    ids::AskId,
    protocol::frame::{AskKind, ServerFrame},
};

/// The open questions, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Asked {
    open: Vec<Open>,
}

#[derive(Debug)]
struct Open {
    id: AskId,
    kind: AskKind,
    answer: Answer,
}

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    None,
    Waits(String),
    Given,
}

impl Asked {
    /// A frame goes to the screen.
    pub(super) fn see(&mut self, frame: &ServerFrame) {
        match frame {
            ServerFrame::Ask { ask_id, kind, .. } => {
                self.open.push(Open { id: ask_id.clone(), kind: *kind, answer: Answer::None });
            }
            ServerFrame::AskClosed { ask_id, .. } => self.open.retain(|open| open.id != *ask_id),
            _ => {}
        }
    }

    /// The user answers; `false`: the question waits no more, or has its answer.
    pub(super) fn answer(&mut self, id: &AskId, choice: Option<&str>, text: Option<&str>) -> bool {
        let Some(open) = self.open.iter_mut().find(|open| open.id == *id && open.answer == Answer::None)
        else {
            return false;
        };
        let Some(words) = words(open.kind, choice, text) else { return false };
        open.answer = Answer::Waits(words);
        true
    }

    /// The answers that can be given to Hermes now.
    pub(super) fn due(&mut self) -> Vec<String> {
        let mut due = Vec::new();
        for kind in [AskKind::Approval, AskKind::Clarify, AskKind::Confirm] {
            let Some(open) = self.open.iter_mut().find(|open| open.kind == kind) else { continue };
            if matches!(open.answer, Answer::Waits(_))
                && let Answer::Waits(words) = std::mem::replace(&mut open.answer, Answer::Given)
            {
                due.push(words);
            }
        }
        due
    }
}

/// The words that Hermes understands as this answer.
fn words(kind: AskKind, choice: Option<&str>, text: Option<&str>) -> Option<String> {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    match (kind, choice) {
        (AskKind::Approval, Some("once")) => Some("/approve".to_owned()),
        (AskKind::Approval, Some(scope @ ("session" | "always"))) => Some(format!("/approve {scope}")),
        (AskKind::Approval, Some("deny")) => {
            Some(text.map_or("/deny".to_owned(), |reason| format!("/deny {reason}")))
        }
        (AskKind::Confirm, Some(word @ ("approve" | "always" | "cancel"))) => Some(format!("/{word}")),
        (AskKind::Clarify, Some(choice)) => Some(choice.to_owned()),
        (AskKind::Clarify, None) => text.map(str::to_owned),
        (AskKind::Approval | AskKind::Confirm, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(kinds: &[AskKind]) -> Asked {
        let mut asked = Asked::default();
        for (at, kind) in kinds.iter().enumerate() {
            asked.see(&ServerFrame::Ask {
                ask_id: AskId(format!("a{at}")),
                kind: *kind,
                text: String::new(),
                command: None,
                choices: Vec::new(),
            });
        }
        asked
    }

    #[test]
    fn buttons_become_the_words_that_hermes_knows() {
        use AskKind::{Approval, Clarify, Confirm};
        for (kind, choice, text, expected) in [
            (Approval, Some("once"), None, Some("/approve")),
            (Approval, Some("session"), None, Some("/approve session")),
            (Approval, Some("always"), None, Some("/approve always")),
            (Approval, Some("deny"), None, Some("/deny")),
            (Approval, Some("deny"), Some(" not now "), Some("/deny not now")),
            (Approval, Some("rm -rf"), None, None),
            (Approval, None, Some("yes"), None),
            (Confirm, Some("always"), None, Some("/always")),
            (Confirm, Some("stop"), None, None),
            (Clarify, Some("2"), None, Some("2")),
            (Clarify, Some("skip"), None, Some("skip")),
            (Clarify, None, Some("neither"), Some("neither")),
            (Clarify, None, Some("  "), None),
        ] {
            let mut asked = asks(&[kind]);
            assert_eq!(asked.answer(&"a0".into(), choice, text), expected.is_some(), "{choice:?}");
            assert_eq!(asked.due(), expected.map(str::to_owned).into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_question_is_answered_once() {
        let mut asked = asks(&[AskKind::Approval]);
        assert!(asked.answer(&"a0".into(), Some("once"), None));
        assert!(!asked.answer(&"a0".into(), Some("deny"), None));
        assert_eq!(asked.due(), ["/approve"]);
        assert!(!asked.answer(&"a0".into(), Some("deny"), None));
        assert_eq!(asked.due(), [""; 0]);
        assert!(!asked.answer(&"a7".into(), Some("once"), None));
    }

    #[test]
    fn an_answer_to_a_newer_approval_waits_for_the_older() {
        let mut asked = asks(&[AskKind::Approval, AskKind::Approval]);
        assert!(asked.answer(&"a1".into(), Some("deny"), None));
        assert_eq!(asked.due(), [""; 0]);
        assert!(asked.answer(&"a0".into(), Some("once"), None));
        assert_eq!(asked.due(), ["/approve"]);
        asked.see(&ServerFrame::AskClosed { ask_id: "a0".into(), outcome: String::new() });
        assert_eq!(asked.due(), ["/deny"]);
    }
}
