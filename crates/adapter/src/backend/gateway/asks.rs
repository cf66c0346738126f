//! The questions that wait for the user: opened once however many calls announce them, closed by the answer, by a hook or
//! by the end of the turn. Owns what an inbound text means while one waits.

use iris_core::ids::AskId;
use iris_core::protocol::frame::{AskKind, ServerFrame};

use super::ids::Ids;
use super::prompt::Prompt;

/// The questions of a chat.
#[derive(Debug, Default)]
pub(super) struct Asks {
    open: Vec<Open>,
}

#[derive(Debug)]
struct Open {
    id: AskId,
    prompt: Prompt,
    /// The text in the chat that asks it has been seen; a hook may announce it before.
    told: bool,
    /// The user answered and Hermes has not said yet that it took the answer.
    given: Option<String>,
}

/// What an inbound text is to the open questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Nothing to do with them.
    None,
    /// The answer to an approval; Hermes acknowledges it.
    Approval,
    /// One of the offered answers: a button in words.
    Choice,
    /// An answer in the user's own words.
    Words,
}

const TIMED_OUT: &str = "Timed out";
const GONE: &str = "No longer waiting";

impl Asks {
    /// Opens a question, unless the other of its two announcements, a hook and a text, has opened it already.
    pub(super) fn open(&mut self, prompt: Prompt, by_text: bool, ids: &mut Ids, out: &mut Vec<ServerFrame>) {
        let twin = self.open.iter_mut().find(|open| {
            let same = open.prompt.command == prompt.command && open.prompt.text == prompt.text;
            // Text may show a command in a shorter form than the hook did.
            open.prompt.kind == prompt.kind && (same || (by_text && !open.told))
        });
        if let Some(twin) = twin {
            twin.told |= by_text;
            return;
        }
        let id = ids.ask();
        out.push(ServerFrame::Ask {
            ask_id: id.clone(),
            kind: prompt.kind,
            text: prompt.text.clone(),
            command: prompt.command.clone(),
            choices: prompt.choices.clone(),
        });
        self.open.push(Open { id, prompt, told: by_text, given: None });
    }

    /// The user said `text`.
    pub(super) fn inbound(&mut self, text: &str, out: &mut Vec<ServerFrame>) -> Answer {
        let text = text.trim();
        if let Some((choice, reason)) = approval_answer(text)
            && let Some(open) = self.waiting(AskKind::Approval)
        {
            open.given = Some(outcome(choice, reason));
            return Answer::Approval;
        }
        if let Some(choice) = confirm_answer(text)
            && let Some(open) = self.waiting(AskKind::Confirm)
        {
            let label = open.prompt.choices.iter().find(|c| c.id == choice).map(|c| c.label.clone());
            self.close(AskKind::Confirm, &label.unwrap_or_else(|| choice.to_owned()), out);
            return Answer::Choice;
        }
        if text.starts_with('/') {
            return Answer::None;
        }
        let Some(open) = self.waiting(AskKind::Clarify) else { return Answer::None };
        let (answer, outcome) = clarify_answer(&open.prompt, text);
        self.close(AskKind::Clarify, &outcome, out);
        answer
    }

    /// Hermes acknowledged an answer to an approval.
    pub(super) fn acknowledged(&mut self, out: &mut Vec<ServerFrame>) {
        if self.waiting(AskKind::Approval).is_some_and(|open| open.given.is_some()) {
            self.close(AskKind::Approval, GONE, out);
        }
    }

    /// A hook says what became of a question of this kind.
    pub(super) fn resolved(&mut self, kind: AskKind, word: &str, out: &mut Vec<ServerFrame>) {
        self.close(kind, &outcome(word, ""), out);
    }

    /// Nobody answered an approval in time.
    pub(super) fn timed_out(&mut self, out: &mut Vec<ServerFrame>) {
        self.close(AskKind::Approval, TIMED_OUT, out);
    }

    /// The turn is over: what its tools asked waits no more. A confirmation belongs to no turn.
    pub(super) fn turn_over(&mut self, out: &mut Vec<ServerFrame>) {
        while self.close_first(|kind| kind != AskKind::Confirm, GONE, out) {}
    }

    /// Nothing waits any more.
    pub(super) fn all_over(&mut self, out: &mut Vec<ServerFrame>) {
        while self.close_first(|_| true, GONE, out) {}
    }

    fn waiting(&mut self, kind: AskKind) -> Option<&mut Open> {
        self.open.iter_mut().find(|open| open.prompt.kind == kind)
    }

    fn close(&mut self, kind: AskKind, outcome: &str, out: &mut Vec<ServerFrame>) {
        self.close_first(|open| open == kind, outcome, out);
    }

    /// Closes the oldest such question; the user's own answer says best what became of it.
    fn close_first(
        &mut self,
        is: impl Fn(AskKind) -> bool,
        outcome: &str,
        out: &mut Vec<ServerFrame>,
    ) -> bool {
        let Some(at) = self.open.iter().position(|open| is(open.prompt.kind)) else { return false };
        let open = self.open.remove(at);
        let outcome = open.given.unwrap_or_else(|| outcome.to_owned());
        out.push(ServerFrame::AskClosed { ask_id: open.id, outcome });
        true
    }
}

/// `/approve session` → `session`; `/deny not now` → `deny` and the reason.
fn approval_answer(text: &str) -> Option<(&str, &str)> {
    let (command, rest) = text.split_once(' ').unwrap_or((text, ""));
    match (command, rest.trim()) {
        ("/approve", "") => Some(("once", "")),
        ("/approve", scope) => Some((scope, "")),
        ("/deny", reason) => Some(("deny", reason)),
        _ => None,
    }
}

fn confirm_answer(text: &str) -> Option<&'static str> {
    ["approve", "always", "cancel"].into_iter().find(|word| text.strip_prefix('/') == Some(*word))
}

fn clarify_answer(prompt: &Prompt, text: &str) -> (Answer, String) {
    let chosen = prompt.choices.iter().find(|choice| {
        let label = choice.label.strip_suffix(" (Recommended)").unwrap_or(&choice.label);
        [choice.id.as_str(), choice.label.as_str(), label].iter().any(|name| name.eq_ignore_ascii_case(text))
    });
    match chosen {
        Some(choice) if choice.id == "skip" => (Answer::Choice, "Skipped".to_owned()),
        Some(choice) => (Answer::Choice, choice.label.clone()),
        None => (Answer::Words, text.to_owned()),
    }
}

/// What became of a question, for people.
fn outcome(word: &str, reason: &str) -> String {
    let text = match word {
        "once" => "Approved once",
        "session" => "Approved for this session",
        "always" => "Always approved",
        "deny" | "denied" => "Denied",
        "timeout" | "timed_out" | "expired" => TIMED_OUT,
        "submitted" | "answered" => "Answered",
        "skipped" => "Skipped",
        "" => GONE,
        other => other,
    };
    if reason.is_empty() { text.to_owned() } else { format!("{text}: {reason}") }
}
