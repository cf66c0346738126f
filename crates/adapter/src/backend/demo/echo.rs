//! The answer to a text that asks for no recording: the text itself, written as Hermes would write it, so that one can
//! see what any Markdown looks like while it arrives. It makes calls, not frames: the turn machine reads them like any.

use std::iter;

use super::recordings::Step;
use crate::backend::gateway::{Call, Edit, Hook, Inbound, Metadata, Outcome, Send};

/// The name under which the echo answers.
pub(super) const MODEL: &str = "demo echo";
/// Hermes edits a message about every so often.
const TICK_MS: u64 = 50;
/// Characters of an edit: 200 a second.
const CHARS: usize = 10;
/// Edits of one answer at most; a longer text comes in larger pieces.
const MAX_EDITS: usize = 800;
/// What Hermes does before the first piece.
const FIRST_MS: u64 = 400;
const CURSOR: &str = " ▉";
const USER: &str = "u0";
const ANSWER: &str = "m1";

/// The calls of a turn that answers `text` with itself.
pub(super) fn steps(text: String) -> impl Iterator<Item = Step> + std::marker::Send {
    let piece = CHARS.max(text.chars().count().div_ceil(MAX_EDITS));
    let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).step_by(piece).skip(1).collect();
    let end_ms = FIRST_MS + TICK_MS * (cuts.len() as u64 + 1);
    let begin = beginning(&text);
    let end = ending(&text, end_ms, cuts.is_empty());
    // A long text has many edits, each with all of the text so far: they are written out one at a time.
    let edits = cuts.into_iter().enumerate().filter_map(move |(nth, cut)| {
        let content = format!("{}{CURSOR}", text.get(..cut)?);
        let call = if nth == 0 { first(content) } else { edit(content, false) };
        Some(Step::call(FIRST_MS + TICK_MS * nth as u64, call))
    });
    begin.into_iter().chain(edits).chain(end)
}

fn beginning(text: &str) -> [Step; 4] {
    let inbound = Inbound { message_id: USER.to_owned(), client_id: None, text: text.to_owned() };
    [
        Step::call(0, Call::Inbound(inbound)),
        Step::call(0, Call::ProcessingStart { text: text.to_owned() }),
        Step::call(2, Call::SendTyping),
        Step::call(
            60,
            Call::Hook(Hook::StreamStart { iteration: 1, model: Some(MODEL.to_owned()), provider: None }),
        ),
    ]
}

fn ending(text: &str, t_ms: u64, short: bool) -> Vec<Step> {
    let stream = Hook::StreamEnd { iteration: 1, final_text: text.trim().to_owned(), error: None };
    let session = Hook::SessionEnd { failed: false, interrupted: false };
    let last = if short { whole(text.to_owned()) } else { edit(text.to_owned(), true) };
    iter::once(Call::Hook(stream))
        .chain([Call::Hook(session), last, Call::StopTyping])
        .chain([Call::ProcessingComplete { outcome: Outcome::Success }, Call::StopTyping])
        .map(|call| Step::call(t_ms, call))
        .collect()
}

/// The first piece of a text that is still being written.
fn first(content: String) -> Call {
    send(content, Metadata { expect_edits: true, ..about_the_question() })
}

/// A text that was complete before the first piece was due.
fn whole(content: String) -> Call {
    send(content, Metadata { notify: true, ..about_the_question() })
}

fn send(content: String, metadata: Metadata) -> Call {
    Call::Send(Send { content, reply_to: Some(USER.to_owned()), metadata, returns: Some(ANSWER.to_owned()) })
}

fn edit(content: String, finalize: bool) -> Call {
    Call::Edit(Edit { message_id: ANSWER.to_owned(), content, finalize })
}

fn about_the_question() -> Metadata {
    Metadata { reply_to_message_id: Some(USER.to_owned()), ..Metadata::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let content = |step: Step| match step.as_call() {
            Some(Call::Send(send)) => Some(send.content.clone()),
            Some(Call::Edit(edit)) => Some(edit.content.clone()),
            _ => None,
        };
        steps(text.to_owned()).filter_map(content).collect()
    }

    #[test]
    fn a_text_grows_to_its_end() {
        assert_eq!(texts("ola"), ["ola"]);
        assert_eq!(texts("äöü äöü äöü äöü äöü"), ["äöü äöü äö ▉", "äöü äöü äöü äöü äöü"]);
    }

    #[test]
    fn even_the_longest_text_has_a_bounded_number_of_edits() {
        let long = "x".repeat(64_000);
        let texts = texts(&long);
        assert!(texts.len() <= MAX_EDITS, "{}", texts.len());
        assert_eq!(texts.last(), Some(&long));
    }

    #[test]
    fn time_never_runs_backwards() {
        let times: Vec<_> = steps("x".repeat(999)).map(|step| step.t_ms).collect();
        assert!(times.is_sorted());
    }
}
