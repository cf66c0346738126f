//! What comes in, made uniform before it is parsed: line ends, a byte order mark, NUL. Nothing else is changed.
//!
//! The treatment of a prefix is a prefix of the treatment of the whole, however the text was cut into chunks.

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The state between two chunks.
#[derive(Clone, Debug, Default)]
pub(super) struct Intake {
    started: bool,
    /// The last chunk ended in a carriage return; whether it is half of a CRLF is not known yet.
    held_return: bool,
}

impl Intake {
    /// Appends `chunk` to `out`: CRLF and a lone CR become LF, NUL becomes U+FFFD, one leading BOM is dropped.
    /// A CR at the very end is held back until the character after it is known.
    pub(super) fn feed(&mut self, chunk: &str, out: &mut String) {
        let mut rest = chunk;
        if !self.started && !rest.is_empty() {
            self.started = true;
            rest = rest.strip_prefix(BYTE_ORDER_MARK).unwrap_or(rest);
        }
        if self.held_return && !rest.is_empty() {
            self.held_return = false;
            out.push('\n');
            rest = rest.strip_prefix('\n').unwrap_or(rest);
        }
        if let Some(body) = rest.strip_suffix('\r') {
            self.held_return = true;
            rest = body;
        }
        normalise(rest, out);
    }
}

fn normalise(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some((plain, tail)) = rest.split_once(['\r', '\0']) {
        out.push_str(plain);
        let was_return = rest.as_bytes().get(plain.len()) == Some(&b'\r');
        out.push(if was_return { '\n' } else { '\u{fffd}' });
        rest = if was_return { tail.strip_prefix('\n').unwrap_or(tail) } else { tail };
    }
    out.push_str(rest);
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
    fn nul_becomes_the_replacement_character() {
        check(&["\0a\0\r\n\0"], "\u{fffd}a\u{fffd}\n\u{fffd}");
    }
}
