//! What comes in, made uniform before it is parsed: line ends, a byte order mark, NUL, endless runs of `>` and of `\(`.
//! Nothing else is changed; what is too much is `meter`'s.
//!
//! The treatment of a prefix is a prefix of the treatment of the whole, however the text was cut into chunks.

use super::meter::Meter;
use super::node::Limit;

const BYTE_ORDER_MARK: char = '\u{feff}';
/// For each quote that opens, comrak's alert scanner reads to the end of the run of `>`: 100,000 of them take half a
/// minute. A space in between starts a new run, and is part of the marker where they are markers.
const MAX_QUOTE_RUN: usize = 200;

/// For each formula that opens with `\(` or `\[`, comrak looks for its end in all that follows. Where this many wait for
/// theirs in one paragraph, no more begin: a second backslash makes the first one visible.
const MAX_OPEN_FORMULAS: u16 = 50;
/// What `copy` looks at.
const NOTED: [char; 6] = ['>', '\n', '(', ')', '[', ']'];

/// The state between two chunks.
#[derive(Clone, Debug, Default)]
pub(super) struct Intake {
    started: bool,
    /// The last chunk ended in a carriage return; whether it is half of a CRLF is not known yet.
    held_return: bool,
    /// How many `>` the text ends in.
    quote_run: usize,
    /// The last byte.
    last: u8,
    /// How many `\(` and `\[` wait for their end, since the last blank line.
    open: [u16; 2],
    /// What of it all is too much.
    meter: Meter,
}

impl Intake {
    /// Appends `chunk` to `out`: CRLF and a lone CR become LF, NUL becomes U+FFFD, one leading BOM is dropped.
    /// A CR at the very end is held back until the character after it is known.
    ///
    /// What is beyond the limits does not come out.
    pub(super) fn feed(&mut self, chunk: &str, out: &mut String) {
        if self.over().is_none() {
            let mut uniform = String::with_capacity(chunk.len());
            self.make_uniform(chunk, &mut uniform);
            self.meter.pass(&uniform, out);
        }
    }

    /// The limit after which nothing more comes out, once there is more.
    pub(super) fn over(&self) -> Option<Limit> {
        self.meter.over()
    }

    fn make_uniform(&mut self, chunk: &str, out: &mut String) {
        let mut rest = chunk;
        if !self.started && !rest.is_empty() {
            self.started = true;
            rest = rest.strip_prefix(BYTE_ORDER_MARK).unwrap_or(rest);
        }
        if self.held_return && !rest.is_empty() {
            self.held_return = false;
            self.note(b'\n', out);
            rest = rest.strip_prefix('\n').unwrap_or(rest);
        }
        if let Some(body) = rest.strip_suffix('\r') {
            self.held_return = true;
            rest = body;
        }
        self.normalise(rest, out);
    }

    fn normalise(&mut self, text: &str, out: &mut String) {
        let mut rest = text;
        while let Some((plain, tail)) = rest.split_once(['\r', '\0']) {
            self.copy(plain, out);
            let was_return = rest.as_bytes().get(plain.len()) == Some(&b'\r');
            if was_return {
                self.note(b'\n', out)
            } else {
                self.copy("\u{fffd}", out)
            }
            rest = if was_return { tail.strip_prefix('\n').unwrap_or(tail) } else { tail };
        }
        self.copy(rest, out);
    }

    fn copy(&mut self, text: &str, out: &mut String) {
        let mut copied = 0;
        for (at, noted) in text.match_indices(NOTED) {
            self.copy_plain(text.get(copied..at).unwrap_or_default(), out);
            self.note(noted.bytes().next().unwrap_or_default(), out);
            copied = at + noted.len();
        }
        self.copy_plain(text.get(copied..).unwrap_or_default(), out);
    }

    fn copy_plain(&mut self, text: &str, out: &mut String) {
        if let Some(last) = text.bytes().next_back() {
            self.last = last;
            self.quote_run = 0;
            out.push_str(text);
        }
    }

    /// Appends a byte that is ASCII, after what it needs before it.
    fn note(&mut self, byte: u8, out: &mut String) {
        if byte != b'>' {
            self.quote_run = 0;
        }
        match byte {
            b'>' if self.quote_run == MAX_QUOTE_RUN => {
                out.push(' ');
                self.quote_run = 1;
            }
            b'>' => self.quote_run += 1,
            b'\n' if self.last == b'\n' => self.open = [0; 2],
            b'(' | b'[' | b')' | b']' if self.last == b'\\' => self.note_formula(byte, out),
            _ => {}
        }
        self.last = byte;
        out.push(char::from(byte));
    }

    fn note_formula(&mut self, bracket: u8, out: &mut String) {
        let [round, square] = &mut self.open;
        let open = if matches!(bracket, b'(' | b')') { round } else { square };
        match bracket {
            b')' | b']' => *open = open.saturating_sub(1),
            _ if *open == MAX_OPEN_FORMULAS => out.push('\\'),
            _ => *open += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(chunks: &[&str], expected: &str) {
        let (mut intake, mut out) = (Intake::default(), String::new());
        for chunk in chunks {
            intake.feed(chunk, &mut out);
        }
        assert_eq!(out, expected, "{chunks:?}");
    }

    #[test]
    fn line_ends_become_line_feeds() {
        check(&["a\r\nb\rc\nd"], "a\nb\nc\nd");
        check(&["a\r\r\n\r\rb"], "a\n\n\n\nb");
    }

    #[test]
    fn a_return_at_the_end_waits_for_what_follows() {
        check(&["a\r"], "a");
        check(&["a\r", "", "\nb"], "a\nb");
        check(&["a\r", "b"], "a\nb");
        check(&["a\r", "\r", "\n"], "a\n\n");
        check(&["a\r", "\n", "\nb"], "a\n\nb");
    }

    #[test]
    fn one_byte_order_mark_is_dropped_at_the_start_only() {
        check(&["", "\u{feff}\u{feff}a", "\u{feff}b"], "\u{feff}a\u{feff}b");
        check(&["\u{feff}", "\r", "\nb"], "\nb");
    }

    #[test]
    fn a_run_of_quote_marks_gets_a_space_wherever_the_chunks_end() {
        let quotes = |count: usize| ">".repeat(count);
        check(&[&quotes(200), "a", &quotes(200)], &format!("{0}a{0}", quotes(200)));
        let expected = format!("{0} {0} {1}a>\n{0} >", quotes(200), quotes(1));
        let whole = format!("{}a>\r{}", quotes(401), quotes(201));
        check(&[&whole], &expected);
        let chars: Vec<String> = whole.chars().map(String::from).collect();
        check(&chars.iter().map(String::as_str).collect::<Vec<_>>(), &expected);
    }

    #[test]
    fn more_formulas_than_can_be_meant_do_not_begin() {
        let open = |count: usize| "\\(".repeat(count);
        check(&[&open(50), "a\\", "(b\\[c"], &format!("{}a\\\\(b\\[c", open(50)));
        check(&[&open(51), "\r\n\r", &open(1)], &format!("{}\\\\(\n\n{}", open(50), open(1)));
        let closed = "\\(a\\)".repeat(2_000);
        check(&[&closed], &closed);
    }

    #[test]
    fn nul_becomes_the_replacement_character() {
        check(&["\0a\0\r\n\0"], "\u{fffd}a\u{fffd}\n\u{fffd}");
    }
}
