//! How a line begins: marks of lists, quotes, headings, fences and tables, which are nothing to show by themselves.

use super::super::open::{fence, is_delimiter_row, may_be_delimiter_row, skip};
use super::inline::{self, Piece};

/// A line and what has arrived after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'t> {
    /// From the beginning of the line on.
    pub known: &'t str,
    /// It ends where the text so far ends, and more will come.
    pub grows: bool,
    /// A table is open.
    pub table: bool,
}

/// What stands at a place of the beginning of a line.
enum Mark {
    /// A mark of so many bytes.
    Bytes(usize),
    /// What it is depends on what follows; if nothing does, it is what the whole line is.
    Unsure,
    /// The text that the marks are for; so many bytes of it would be a mark by themselves.
    Content(usize),
    /// What more lines than this one may belong to.
    Lines(Piece),
}

impl<'t> View<'t> {
    /// The line, without its end.
    pub(super) fn line(&self) -> &'t str {
        self.known.split_once('\n').map_or(self.known, |(line, _)| line)
    }

    /// More of the line may come.
    pub(super) fn line_grows(&self) -> bool {
        self.grows && !self.known.contains('\n')
    }

    /// The line after this one, if there is one.
    fn next_line(&self) -> Option<View<'t>> {
        self.known.split_once('\n').map(|(_, known)| View { known, ..*self })
    }

    /// In code that is open: a line that may be its last, or has only blanks so far.
    pub(super) fn fence_end(&self) -> Piece {
        let line = self.line();
        let rest = skip(line, " \t>");
        let after = skip(rest, if rest.starts_with('`') { "`" } else { "~" });
        if after.trim_ascii().is_empty() { self.whole_line() } else { Piece::Text(line.len()) }
    }

    /// Where the marks of this line begin, and the marks with the first of their content; none is a text of no length.
    pub(super) fn beginning(&self) -> (usize, Piece) {
        let known = skip(self.known, " \t");
        (self.known.len() - known.len(), View { known, ..*self }.marks())
    }

    fn marks(&self) -> Piece {
        let line = self.line();
        let mut at = 0;
        loop {
            let rest = line.get(at..).unwrap_or_default();
            let trimmed = skip(rest, " \t");
            at += rest.len() - trimmed.len();
            match self.mark(at, trimmed) {
                Mark::Bytes(length) => at += length,
                Mark::Unsure => return self.whole_line(),
                Mark::Lines(Piece::Open) => return Piece::Open,
                Mark::Lines(Piece::Whole(length)) => return Piece::Whole(at + length),
                Mark::Content(0) | Mark::Lines(Piece::Text(_)) if at == 0 => return self.head_without_pipe(),
                Mark::Content(looks) => return self.with_content(at, looks),
                Mark::Lines(Piece::Text(_)) => return self.with_content(at, 0),
            }
        }
    }

    fn whole_line(&self) -> Piece {
        if self.line_grows() { Piece::Open } else { Piece::Whole(self.line().len()) }
    }

    /// Marks are shown together with the first thing that they are for.
    fn with_content(&self, at: usize, looks: usize) -> Piece {
        match inline::piece(self.line(), at, self.line_grows()) {
            Piece::Whole(length) => Piece::Whole(at + length),
            Piece::Text(_) => Piece::Whole(at + looks + 1),
            Piece::Open => Piece::Open,
        }
    }

    fn mark(&self, at: usize, rest: &str) -> Mark {
        let marked = at > 0;
        let Some(first) = rest.chars().next() else {
            return if marked { Mark::Unsure } else { Mark::Content(0) };
        };
        let run = inline::run(rest);
        let after = rest.get(run..).unwrap_or_default();
        let (ends, spaced) = (after.is_empty(), is_spaced(after));
        match first {
            '>' => Mark::Bytes(1),
            '|' if self.table => Mark::Bytes(1),
            '|' | ':' | '-' if is_delimiter_row(rest) || (first == ':' && may_be_delimiter_row(rest)) => {
                Mark::Unsure
            }
            '|' => Mark::Lines(self.head(at)),
            '$' | '\\' => Mark::Lines(self.formula(at)),
            '-' | '+' | '*' | '_' | '=' if is_rule(rest, first) => Mark::Unsure,
            '-' | '+' | '*' if run == 1 && spaced => Mark::Bytes(1),
            '#' if run <= 6 && ends => Mark::Unsure,
            '#' if run <= 6 && spaced => Mark::Bytes(run),
            '`' | '~' if fence(rest).is_some() || (run < 3 && ends) => Mark::Unsure,
            '0'..='9' => number(rest),
            '[' => bracket(rest, marked),
            '-' | '+' | '*' | '_' | '=' | '#' => Mark::Content(rest.len() - skip(after, " \t").len()),
            _ => Mark::Content(0),
        }
    }

    /// The header row of a table, or what may be one, with the row below it.
    fn head(&self, at: usize) -> Piece {
        let Some(below) = self.next_line() else {
            return if self.grows { Piece::Open } else { Piece::Text(0) };
        };
        let (line, row) = (self.line(), below.line());
        if below.line_grows() && may_be_delimiter_row(row) {
            Piece::Open
        } else if is_delimiter_row(row) {
            Piece::Whole(line.len() + 1 + row.len() - at)
        } else {
            Piece::Text(0)
        }
    }

    /// A formula on lines of its own, to the end of the paragraph at most.
    fn formula(&self, at: usize) -> Piece {
        let rest = self.known.get(at..).unwrap_or_default();
        let (body, end) = match rest.split_at_checked(2) {
            Some(("$$", body)) => (body, "$$"),
            Some(("\\[", body)) => (body, "\\]"),
            _ => return Piece::Text(0),
        };
        let paragraph = body.split_once("\n\n").map_or(body, |(paragraph, _)| paragraph);
        match paragraph.find(end) {
            Some(found) => Piece::Whole(found + 4),
            None if self.grows && paragraph.len() == body.len() => Piece::Open,
            None => Piece::Text(0),
        }
    }

    /// A header row that begins with a word can be told only once the row below it is there.
    fn head_without_pipe(&self) -> Piece {
        let is_head = !self.table
            && self.line().contains('|')
            && self.next_line().is_some_and(|below| !below.line_grows() && is_delimiter_row(below.line()));
        if is_head { self.head(0) } else { Piece::Text(0) }
    }
}

/// A run of one mark and blanks to the end of what is known: a rule, the line below a heading, or the first of a list.
fn is_rule(rest: &str, mark: char) -> bool {
    rest.chars().all(|c| c == mark || matches!(c, ' ' | '\t' | '\r'))
}

/// Whether a blank comes first.
fn is_spaced(text: &str) -> bool {
    matches!(text.as_bytes().first(), Some(b' ' | b'\t'))
}

/// `1.` and `1)`.
fn number(rest: &str) -> Mark {
    let after = skip(rest, "0123456789");
    let digits = rest.len() - after.len();
    let (delimiter, text) = after.split_at_checked(1).unwrap_or_default();
    match delimiter {
        _ if digits > 9 => Mark::Content(0),
        "" if after.is_empty() => Mark::Unsure,
        "." | ")" if text.is_empty() => Mark::Unsure,
        "." | ")" if is_spaced(text) => Mark::Bytes(digits + 1),
        "." | ")" => Mark::Content(digits + 1),
        _ => Mark::Content(0),
    }
}

/// The box of a task, and the label of a definition.
fn bracket(rest: &str, marked: bool) -> Mark {
    const BOX: usize = "[ ]".len();
    let is_box = marked && ["[ ]", "[x]", "[X]"].iter().any(|task| rest.starts_with(task));
    if is_box {
        return match rest.as_bytes().get(BOX) {
            None => Mark::Unsure,
            Some(b' ' | b'\t') => Mark::Bytes(BOX),
            Some(_) => Mark::Content(0),
        };
    }
    let Some((label, after)) = rest.split_once(']') else { return Mark::Content(0) };
    match after.strip_prefix(':') {
        // A definition vanishes when it is complete; the text of a footnote is to be read.
        Some(_) if !label.starts_with("[^") => Mark::Unsure,
        Some(_) => Mark::Bytes(label.len() + 2),
        None => Mark::Content(0),
    }
}
