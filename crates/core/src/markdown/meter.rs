//! The limits of what is parsed: how long a line, how many lines, how long a message. What is beyond is left out here,
//! before it costs anything, and a node says so; the whole text stays in the document.
//!
//! Limits of shapes (nesting, columns, rows) are where the tree is made. As with `intake`, what becomes of a prefix is
//! a prefix of what becomes of the whole, however the text was cut into chunks.

use super::node::{Kind, Limit, Node};

/// The longest line: a browser lays out a line as a whole whenever something is added to it.
pub(super) const MAX_LINE: usize = 256 * 1024;
/// The most lines. Each block, item and row takes a line at least, so there are no more of these either.
pub(super) const MAX_LINES: usize = 50_000;
/// The longest message: ten times what a model writes in one go.
pub(super) const MAX_MESSAGE: usize = 1024 * 1024;
/// The longest run of letters, digits and marks without a space that is shown as text. Beyond it are walls of base64,
/// and languages that are written without spaces are not in ASCII.
const MAX_WORD: usize = 4_096;

/// What stands where a line was cut: an ellipsis for every construct that shows text, and a character that is
/// assigned to nothing and never drawn, for those that can hold a note.
const ELLIPSIS: &str = "…\u{fff8}";
/// The second of the two.
const CUT: char = '\u{fff8}';

/// Counts what comes, and lets through what is within the limits.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter {
    /// Bytes let through.
    bytes: usize,
    /// Complete lines let through.
    lines: usize,
    /// Bytes of the line that is not complete.
    line: usize,
    /// The rest of this line is left out.
    line_is_cut: bool,
    over: Option<Limit>,
}

impl Meter {
    /// Appends to `out` what may pass of `text`, whose lines end in LF.
    pub(super) fn pass(&mut self, text: &str, out: &mut String) {
        for piece in text.split_inclusive('\n') {
            if self.over.is_some() {
                return;
            }
            let content = piece.strip_suffix('\n').unwrap_or(piece);
            if self.lines == MAX_LINES {
                self.over = Some(Limit::Lines);
            } else if !self.line_is_cut {
                self.content(content, out);
            }
            if content.len() < piece.len() && self.over.is_none() {
                self.end_of_line(out);
            }
        }
    }

    /// The limit after which nothing more is shown, once there is more.
    pub(super) fn over(&self) -> Option<Limit> {
        self.over
    }

    fn content(&mut self, content: &str, out: &mut String) {
        let (in_line, in_message) = (MAX_LINE - self.line, MAX_MESSAGE - self.bytes);
        let kept = floor(content, in_line.min(in_message));
        out.push_str(kept);
        self.line += kept.len();
        self.bytes += kept.len();
        if kept.len() == content.len() {
            return;
        }
        if in_message < in_line {
            self.over = Some(Limit::Message);
        } else {
            self.line_is_cut = true;
            out.push_str(ELLIPSIS);
        }
    }

    fn end_of_line(&mut self, out: &mut String) {
        if self.bytes == MAX_MESSAGE {
            self.over = Some(Limit::Message);
            return;
        }
        out.push('\n');
        self.bytes += 1;
        self.lines += 1;
        self.line = 0;
        self.line_is_cut = false;
    }
}

/// The longest beginning of a text that has at most `len` bytes.
fn floor(text: &str, len: usize) -> &str {
    let mut end = len.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}

fn line_note() -> Node {
    Node::leaf(Kind::Shortened(Limit::Line))
}

/// Hands over a text in runs, with a note wherever its line was cut.
pub(super) fn runs(text: &str, mut take: impl FnMut(&str, Option<Node>)) {
    let mut rest = text;
    while let Some((run, after)) = rest.split_once(CUT) {
        take(run, Some(line_note()));
        rest = after;
    }
    take(rest, None);
}

/// Shortens the words of these nodes that are walls.
pub(super) fn shorten_words(nodes: &mut Vec<Node>) {
    let mut at = 0;
    while let Some(node) = nodes.get_mut(at) {
        at += 1;
        let Kind::Text(text) = &mut node.kind else { continue };
        let Some((start, end)) = wall(text) else { continue };
        let rest = text.split_off(end);
        text.truncate(start + MAX_WORD);
        text.push('…');
        let rest = (!rest.is_empty()).then(|| Node::leaf(Kind::Text(rest)));
        nodes.splice(at..at, std::iter::once(line_note()).chain(rest));
        at += 1;
    }
}

/// Where the first word that is too long begins and ends.
fn wall(text: &str) -> Option<(usize, usize)> {
    if text.len() <= MAX_WORD {
        return None;
    }
    let mut start = 0;
    for word in text.split_inclusive(|c: char| !c.is_ascii_graphic()) {
        let end = start + word.trim_end_matches(|c: char| !c.is_ascii_graphic()).len();
        if end - start > MAX_WORD {
            return Some((start, end));
        }
        start += word.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Passes a text whole and in chunks of every length given; both must be the same.
    fn passed(text: &str, lengths: &[usize]) -> (String, Option<Limit>) {
        let (mut meter, mut whole) = (Meter::default(), String::new());
        meter.pass(text, &mut whole);
        for &length in lengths {
            let (mut meter, mut out) = (Meter::default(), String::new());
            let mut rest = text;
            while !rest.is_empty() {
                let (chunk, after) = rest.split_at(floor(rest, length.max(4)).len());
                meter.pass(chunk, &mut out);
                rest = after;
            }
            assert!(out == whole, "in chunks of {length}");
        }
        (whole, meter.over())
    }

    #[test]
    fn a_line_is_cut_between_characters_and_the_next_one_is_whole_again() {
        for (letter, kept) in [("a", MAX_LINE), ("é", MAX_LINE), ("日", MAX_LINE - 1)] {
            let line = letter.repeat(MAX_LINE / letter.len());
            let (out, over) = passed(&format!("{line}\nb\n{line}{letter}{letter}\nc"), &[4, 1_000, 262_147]);
            assert!(out == format!("{line}\nb\n{line}{ELLIPSIS}\nc"));
            assert_eq!((line.len(), over), (kept, None));
        }
    }

    #[test]
    fn nothing_passes_after_the_last_line() {
        let lines = "a\n".repeat(MAX_LINES);
        assert_eq!(passed(&lines, &[4, 9]), (lines.clone(), None));
        assert_eq!(passed(&format!("{lines}b\nc"), &[4, 9, 50_001]), (lines, Some(Limit::Lines)));
    }

    #[test]
    fn nothing_passes_after_the_last_byte_of_a_message() {
        let line = format!("{}\n", "é".repeat(511));
        let text = line.repeat(MAX_MESSAGE / 1_023 + 1);
        let (out, over) = passed(&text, &[7, 1_023, 70_000]);
        assert_eq!((out.len(), over), (MAX_MESSAGE - 1, Some(Limit::Message)));
        assert!(text.starts_with(&out));
    }

    #[test]
    fn a_wall_of_letters_is_cut_and_what_stands_around_it_is_not() {
        let check = |text: &str, expected: &[&str]| {
            let mut nodes = vec![Node::leaf(Kind::Text(text.to_owned()))];
            shorten_words(&mut nodes);
            let shown = nodes.iter().map(|node| match &node.kind {
                Kind::Text(text) => text.as_str(),
                _ => "!",
            });
            assert_eq!(shown.collect::<Vec<_>>(), expected);
        };
        let (word, more) = ("a".repeat(MAX_WORD), "b".repeat(2 * MAX_WORD));
        check(&word, &[&word]);
        check(&format!("é {word} {word}"), &[&format!("é {word} {word}")]);
        check(&format!("x {word}{more} y"), &[&format!("x {word}…"), "!", " y"]);
        check(&format!("{word}{more}é{word}c"), &[&format!("{word}…"), "!", &format!("é{word}…"), "!"]);
        let chinese = "日".repeat(MAX_WORD);
        check(&chinese, &[&chinese]);
    }
}
