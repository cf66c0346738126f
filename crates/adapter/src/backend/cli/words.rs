//! How a turn ended, in words: exit codes, and what stands behind a turn that failed.

use iris_core::protocol::frame::{ServerFrame, TurnStatus};

/// Hermes says this when it has no key, or its agent did not start.
const NO_START: &str = "credentials or agent init failed";

/// What an exit code of Hermes means; `None` when the code alone says nothing wrong.
pub(super) fn exit_code(code: i32) -> Option<String> {
    let words = match code {
        0 => return None,
        1 => "Hermes could not finish this turn.",
        2 => {
            "Hermes did not understand how it was called. It may be too old for Iris, or an extra argument of the \
             configuration may be wrong."
        }
        75 => "The model's provider is overloaded, or has had enough requests for now. Try again later.",
        78 => "The model's provider refuses to answer. Check the key and the model: `hermes doctor`.",
        126 | 127 => "Hermes could not be started. Check the path that Iris was given with --hermes.",
        130 => "Hermes was interrupted.",
        137 => "Hermes was killed. The machine may be short of memory.",
        _ if code > 128 => return Some(format!("Hermes was ended by signal {}.", code - 128)),
        _ => return Some(format!("Hermes ended with the exit code {code}.")),
    };
    Some(words.to_owned())
}

/// Puts what is known of a failure into the frame that ends the turn: the meaning of the exit code first, then what
/// Hermes said of it, then the last lines that it wrote beside its answer.
pub(super) fn explain(frame: ServerFrame, exit: Option<i32>, tail: &str) -> ServerFrame {
    let ServerFrame::TurnEnd { turn, status, exit_code: told, error, model, tokens, duration_ms } = frame
    else {
        return frame;
    };
    let code = told.or(exit);
    let error = match status {
        TurnStatus::Error => Some(paragraphs(&[&failure(code, error), tail])),
        TurnStatus::Lost => {
            let lost = "Hermes ended without saying how the turn ended. Parts of it may be missing.";
            Some(paragraphs(&[error.as_deref().unwrap_or(lost), tail]))
        }
        TurnStatus::Complete | TurnStatus::Interrupted => error,
    };
    ServerFrame::TurnEnd { turn, status, exit_code: code, error, model, tokens, duration_ms }
}

/// The end of a turn that was never run: there was no program to have an exit code.
pub(super) fn without_code(frame: ServerFrame) -> ServerFrame {
    match frame {
        ServerFrame::TurnEnd { turn, status, exit_code: _, error, model, tokens, duration_ms } => {
            ServerFrame::TurnEnd { turn, status, exit_code: None, error, model, tokens, duration_ms }
        }
        other => other,
    }
}

fn failure(code: Option<i32>, error: Option<String>) -> String {
    let meaning = code.and_then(exit_code).unwrap_or_else(|| "Hermes could not finish this turn.".to_owned());
    match error {
        Some(error) if error == NO_START => {
            "Hermes could not begin: it has no usable key for its model, or its agent did not start. Try \
             `hermes doctor` in a terminal."
                .to_owned()
        }
        // What Hermes says is better than what 1 means.
        Some(error) if code.is_none_or(|code| code == 1) || error == meaning => error,
        Some(error) => paragraphs(&[&meaning, &error]),
        None => meaning,
    }
}

fn paragraphs(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(status: TurnStatus, code: Option<i32>, error: Option<&str>) -> ServerFrame {
        ServerFrame::TurnEnd {
            turn: "t".into(),
            status,
            exit_code: code,
            error: error.map(str::to_owned),
            model: None,
            tokens: None,
            duration_ms: None,
        }
    }

    fn check(frame: ServerFrame, exit: Option<i32>, tail: &str, expected: Option<&str>) {
        let ServerFrame::TurnEnd { error, .. } = explain(frame, exit, tail) else { panic!("another frame") };
        assert_eq!(error.as_deref(), expected);
    }

    #[test]
    fn a_failure_says_what_the_code_means_what_hermes_said_and_what_it_wrote_beside() {
        use TurnStatus::{Complete, Error, Interrupted, Lost};
        check(end(Complete, Some(0), None), Some(0), "noise", None);
        check(end(Interrupted, Some(130), None), Some(130), "noise", None);
        check(end(Error, Some(1), Some("HTTP 500")), Some(1), "", Some("HTTP 500"));
        check(
            end(Error, Some(75), Some("HTTP 429")),
            None,
            "slow down",
            Some(
                "The model's provider is overloaded, or has had enough requests for now. Try again later.\n\n\
                 HTTP 429\n\nslow down",
            ),
        );
        check(
            end(Lost, None, None),
            Some(0),
            "last words",
            Some("Hermes ended without saying how the turn ended. Parts of it may be missing.\n\nlast words"),
        );
        check(end(Error, Some(139), None), None, "", Some("Hermes was ended by signal 11."));
    }

    #[test]
    fn every_code_that_hermes_uses_has_words() {
        assert_eq!(exit_code(0), None);
        for code in [1, 2, 75, 78, 126, 127, 130, 137, 143, 3] {
            assert!(exit_code(code).is_some_and(|words| words.ends_with(['.', '`'])), "{code}");
        }
    }
}
