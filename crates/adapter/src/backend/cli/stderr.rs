//! The last lines that Hermes wrote beside its answer: a bounded ring, for the explanation of a turn that failed. They
//! are shown to the user with their secrets hidden, and never logged.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::io::AsyncRead;

use super::{
    lines::{Line, Lines},
    mask::mask,
};

/// Lines that are kept.
const LINES: usize = 40;
/// Lines that are shown.
const SHOWN: usize = 6;
/// Characters of a line that are kept.
const LINE_CHARS: usize = 400;
/// A longer line is thrown away.
const MAX_LINE: usize = 64 * 1024;

/// The ring. Cheap to clone; every clone is the same ring.
#[derive(Clone, Debug, Default)]
pub(super) struct Ring {
    lines: Arc<Mutex<VecDeque<String>>>,
    secrets: Arc<Vec<String>>,
}

impl Ring {
    /// An empty ring that hides these values too.
    pub(super) fn new(secrets: Vec<String>) -> Self {
        Self { lines: Arc::default(), secrets: Arc::new(secrets) }
    }

    /// Keeps what a pipe says until it ends.
    pub(super) async fn fill(self, pipe: impl AsyncRead + Unpin) {
        let mut lines = Lines::new(pipe, MAX_LINE);
        while let Ok(Some(line)) = lines.next().await {
            match line {
                Line::Text(line) => self.push(&line),
                Line::TooLong(bytes) => self.push(&format!("(a line of {bytes} bytes)")),
            }
        }
    }

    /// Keeps a line.
    pub(super) fn push(&self, line: &str) {
        let line = plain(line);
        let line = mask(line.trim(), &self.secrets);
        // The session's id is for programs.
        if line.is_empty() || line.starts_with("session_id:") {
            return;
        }
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() >= LINES {
            lines.pop_front();
        }
        lines.push_back(shortened(line));
    }

    /// The last lines, for people.
    pub(super) fn tail(&self) -> String {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let last: Vec<&str> =
            lines.iter().skip(lines.len().saturating_sub(SHOWN)).map(String::as_str).collect();
        last.join("\n")
    }

    /// Whether a line says one of these words.
    pub(super) fn says(&self, words: &[&str]) -> bool {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().any(|line| words.iter().any(|word| line.contains(word)))
    }
}

fn shortened(mut line: String) -> String {
    if let Some((end, _)) = line.char_indices().nth(LINE_CHARS) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// Without the escape sequences of a terminal and other control characters.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' if chars.as_str().starts_with('[') => {
                chars.next();
                // A control sequence ends with its first letter (or one of `@[\]^_`{|}~`).
                chars.by_ref().find(|c| matches!(c, '@'..='~'));
            }
            '\u{1b}' if chars.as_str().starts_with(']') => {
                chars.by_ref().find(|c| matches!(c, '\u{7}' | '\\'));
            }
            '\t' => out.push(' '),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_kept_and_shown() {
        let ring = Ring::default();
        for number in 0..1_000 {
            ring.push(&format!("line {number}"));
        }
        assert_eq!(ring.tail(), "line 994\nline 995\nline 996\nline 997\nline 998\nline 999");
        assert!(ring.says(&["line 960"]) && !ring.says(&["line 959"]));
    }

    #[test]
    fn a_line_is_bounded_without_secrets_and_without_colours() {
        let ring = Ring::default();
        ring.push(
            "\x1b[33m⚠ key\x1b[0m: sk-1234567890abcdef \x1b]8;;javascript:alert(1)\x1b\\click\x1b]8;;\x1b\\",
        );
        ring.push("session_id: 20261130_152739_41351b");
        ring.push("   ");
        ring.push(&"é".repeat(10_000));
        let tail = ring.tail();
        let lines: Vec<_> = tail.lines().collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0], "⚠ key: [hidden] click");
        assert_eq!(lines[1].chars().count(), LINE_CHARS + 1);
    }

    #[tokio::test]
    async fn a_pipe_fills_it_however_long_its_lines_are() {
        let ring = Ring::default();
        let mut text = "x".repeat(MAX_LINE + 1);
        text.push_str("\nthe end");
        ring.clone().fill(text.as_bytes()).await;
        assert_eq!(ring.tail(), format!("(a line of {} bytes)\nthe end", MAX_LINE + 1));
    }
}
