//! A line of a log: its time, its session, and what it says. Colours and carriage returns are left out.

use std::borrow::Cow;

/// So much of a line is looked at, in bytes.
const MAX_LINE: usize = 16 << 10;
/// So far into a line its time may stand, in bytes: a service manager may have written something before it.
const TIME_WITHIN: usize = 80;

/// A line, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// The time, as it is written.
    pub(super) at: Option<String>,
    /// The session.
    pub(super) session: Option<String>,
    /// The whole line without colours.
    pub(super) text: Cow<'a, str>,
}

impl<'a> Line<'a> {
    /// Takes `raw` apart. Any text is a line.
    pub(super) fn parse(raw: &'a str) -> Self {
        let end = (0..=MAX_LINE.min(raw.len())).rev().find(|end| raw.is_char_boundary(*end)).unwrap_or(0);
        let text = without_colours(raw.get(..end).unwrap_or_default().trim_end());
        Self { at: time(&text), session: session(&text), text }
    }

    /// Whether it looks like a line of a traceback.
    pub(super) fn is_inside_traceback(&self) -> bool {
        self.text.starts_with([' ', '\t', '^'])
            || self.text.starts_with("Traceback (")
            || self.text.starts_with("During handling")
    }
}

/// The text without escape sequences.
fn without_colours(text: &str) -> Cow<'_, str> {
    if !text.contains(['\u{1b}', '\u{9b}', '\r']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            // A control sequence goes to its final letter.
            '\u{1b}' | '\u{9b}' => {
                for inside in characters.by_ref() {
                    if inside.is_ascii_alphabetic() || matches!(inside, '~' | '\u{7}') {
                        break;
                    }
                }
            }
            '\r' => {}
            other => out.push(other),
        }
    }
    Cow::Owned(out)
}

/// The first clock time near the beginning, with the date before it if there is one, and its fraction.
fn time(text: &str) -> Option<String> {
    let head: Vec<char> = text.chars().take(TIME_WITHIN).collect();
    let digit = |at: usize| head.get(at).is_some_and(char::is_ascii_digit);
    let is = |at: usize, expected: char| head.get(at) == Some(&expected);
    let clock = |at: usize| {
        digit(at)
            && digit(at + 1)
            && is(at + 2, ':')
            && digit(at + 3)
            && digit(at + 4)
            && is(at + 5, ':')
            && digit(at + 6)
            && digit(at + 7)
    };
    let begin = (0..head.len()).find(|at| clock(*at) && !(at.checked_sub(1).is_some_and(digit)))?;
    let date = begin.checked_sub(11).filter(|at| {
        digit(*at)
            && digit(at + 3)
            && is(at + 4, '-')
            && is(at + 7, '-')
            && digit(at + 9)
            && (is(at + 10, ' ') || is(at + 10, 'T'))
    });
    let mut end = begin + 8;
    if is(end, ',') || is(end, '.') {
        end += 1;
        while digit(end) {
            end += 1;
        }
    }
    head.get(date.unwrap_or(begin)..end).map(|time| time.iter().collect())
}

/// `[20261130_220245_daf9b8]`: date, time and six hexadecimal digits.
fn session(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('[')?;
    let (inside, after) = rest.split_once(']')?;
    let mut parts = inside.split('_');
    let digits = |part: Option<&str>, length: usize| {
        part.is_some_and(|part| part.len() == length && part.chars().all(|c| c.is_ascii_hexdigit()))
    };
    let is_session = digits(parts.next(), 8)
        && digits(parts.next(), 6)
        && parts.next().is_some_and(|part| !part.is_empty() && part.len() <= 16)
        && parts.next().is_none();
    if is_session { Some(inside.to_owned()) } else { session(after) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_time_in_any_of_its_forms() {
        let check = |text: &str, at: Option<&str>, session: Option<&str>| {
            let line = Line::parse(text);
            assert_eq!((line.at.as_deref(), line.session.as_deref()), (at, session), "{text}");
        };
        check(
            "2026-11-30 22:02:45,679 INFO [20261130_220245_daf9b8] a: b",
            Some("2026-11-30 22:02:45,679"),
            Some("20261130_220245_daf9b8"),
        );
        check("22:02:45 - a - INFO - b", Some("22:02:45"), None);
        check("\u{1b}[33m22:02:45\u{1b}[0m b\r", Some("22:02:45"), None);
        check("Nov 30 22:02:45 host hermes[12]: x", Some("22:02:45"), None);
        check("2026-11-30T22:02:45.1Z x", Some("2026-11-30T22:02:45.1"), None);
        check("Stream stale for 6s", None, None);
        check("   at 12:00:00.5 in a traceback", Some("12:00:00.5"), None);
        check("", None, None);
        check("[[[", None, None);
    }
}
