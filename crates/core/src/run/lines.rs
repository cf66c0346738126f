//! Lines out of pieces of a file. Owns where a line begins and ends and its number; what stands in it is `decoder.rs`.

use std::ops::Range;

use serde_json::{Deserializer, Map, Value};

use crate::jsonl::{MAX_LINE_BYTES, Problem};
use crate::protocol::codec;

/// Splits pieces of a file, cut anywhere, into lines. Holds only what of a line has come so far.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    begun: Vec<u8>,
    /// Bytes of the line that has begun that were thrown away, because it is too long.
    dropped: u64,
    /// Where the line that has begun begins in the file.
    start: u64,
    /// How many lines are complete.
    count: u64,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Where it stands in the file, its end included.
    pub range: Range<u64>,
    /// What stands in it, without its end; nothing if it is longer than [`MAX_LINE_BYTES`].
    pub bytes: &'a [u8],
}

impl Lines {
    /// Begins in the middle of a file: at this byte, behind this many lines.
    pub fn at(start: u64, count: u64) -> Self {
        Self { start, count, ..Self::default() }
    }

    /// Takes the next piece and hands out the lines that it completes.
    pub fn push(&mut self, piece: &[u8], mut each: impl FnMut(Line<'_>)) {
        let mut rest = piece;
        while let Some(at) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = rest.split_at(at);
            self.line(line, 1, &mut each);
            rest = after.get(1..).unwrap_or_default();
        }
        self.keep(rest);
    }

    /// The file ends: what has begun is a line too.
    pub fn finish(&mut self, mut each: impl FnMut(Line<'_>)) {
        if !self.begun.is_empty() || self.dropped > 0 {
            self.line(&[], 0, &mut each);
        }
    }

    fn line(&mut self, rest: &[u8], end: u64, each: &mut impl FnMut(Line<'_>)) {
        let whole = self.begun.is_empty() && self.dropped == 0;
        if !whole || rest.len() > MAX_LINE_BYTES {
            self.keep(rest);
        }
        let length = if whole { rest.len() as u64 } else { self.dropped + self.begun.len() as u64 };
        let range = self.start..self.start + length + end;
        self.count += 1;
        self.start = range.end;
        let direct = whole && rest.len() <= MAX_LINE_BYTES;
        each(Line { number: self.count, range, bytes: if direct { rest } else { &self.begun } });
        self.begun.clear();
        self.dropped = 0;
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.dropped == 0 && self.begun.len() + bytes.len() <= MAX_LINE_BYTES {
            return self.begun.extend_from_slice(bytes);
        }
        self.dropped += (self.begun.len() + bytes.len()) as u64;
        self.begun = Vec::new();
    }
}

impl Line<'_> {
    /// The text in it, without what may stand around it: a byte order mark, white space, the NULs of a file system that
    /// lost power. Bytes that are no UTF-8 become U+FFFD.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        let bytes = self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(self.bytes);
        let around = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
        let from = bytes.iter().position(|byte| !around(byte)).unwrap_or(bytes.len());
        let to = bytes.iter().rposition(|byte| !around(byte)).map_or(from, |last| last + 1);
        String::from_utf8_lossy(bytes.get(from..to).unwrap_or_default())
    }

    /// The objects in it: usually one; several when two writers shared a line. Nothing for an empty line.
    pub fn objects(&self, mut each: impl FnMut(Result<Map<String, Value>, Problem>)) {
        let length = usize::try_from(self.range.end - self.range.start).unwrap_or(usize::MAX);
        if self.bytes.is_empty() && length > MAX_LINE_BYTES {
            return each(Err(Problem::TooLong(length)));
        }
        let text = self.text();
        if text.is_empty() {
            return;
        }
        match codec::parse(&text) {
            Ok(value) => each(object(value)),
            Err(error) if text.starts_with('{') => several(&text, &error, each),
            Err(error) => each(Err(not_json(&error))),
        }
    }
}

/// Objects one behind the other on a line, up to the first thing that is none.
fn several(
    text: &str,
    error: &codec::DecodeError,
    mut each: impl FnMut(Result<Map<String, Value>, Problem>),
) {
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    let mut any = false;
    for value in values.by_ref() {
        match value {
            Ok(value) => each(object(value)),
            Err(other) if any => each(Err(Problem::NotJson(other.to_string()))),
            Err(_) => each(Err(not_json(error))),
        }
        any = true;
    }
}

fn object(value: Value) -> Result<Map<String, Value>, Problem> {
    match value {
        Value::Object(map) => Ok(map),
        _ => Err(Problem::NotAnObject),
    }
}

fn not_json(error: &codec::DecodeError) -> Problem {
    match error {
        codec::DecodeError::Json(reason) => Problem::NotJson(reason.clone()),
        other => Problem::NotJson(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(pieces: &[&[u8]]) -> Vec<(u64, Range<u64>, Vec<u8>)> {
        let mut lines = Lines::default();
        let mut out = Vec::new();
        let mut each = |line: Line<'_>| out.push((line.number, line.range, line.bytes.to_vec()));
        for piece in pieces {
            lines.push(piece, &mut each);
        }
        lines.finish(&mut each);
        out
    }

    #[track_caller]
    fn reads(line: &[u8], expected: &[&str]) {
        let mut out = Vec::new();
        let line = Line { number: 1, range: 0..line.len() as u64, bytes: line };
        line.objects(|object| {
            out.push(match object {
                Ok(map) => Value::Object(map).to_string(),
                Err(problem) => problem.to_string(),
            });
        });
        assert_eq!(out, expected);
    }

    #[test]
    fn a_line_holds_what_stands_in_it() {
        reads(b"{\"a\":1}\r", &[r#"{"a":1}"#]);
        reads(b"\xef\xbb\xbf{\"a\":1}", &[r#"{"a":1}"#]);
        reads(b"\0\0\0{\"a\":1}\0\0", &[r#"{"a":1}"#]);
        reads(b"  \t\r", &[]);
        reads(br#"{"a":1}{"b":2} {"c":3}"#, &[r#"{"a":1}"#, r#"{"b":2}"#, r#"{"c":3}"#]);
        reads(br#"{"a":"\ud83d"}"#, &["{\"a\":\"\u{fffd}\"}"]);
        reads(b"{\"a\":\"\xff\"}", &["{\"a\":\"\u{fffd}\"}"]);
        reads(b"[1]", &["not a JSON object"]);
        reads(
            b"{\"a\":1}{\"b\"",
            &[r#"{"a":1}"#, "not JSON (EOF while parsing an object at line 1 column 11)"],
        );
        reads(b"oops", &["not JSON (expected value at line 1 column 1)"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_counted_and_not_kept() {
        let long = vec![b'x'; MAX_LINE_BYTES + 1];
        let mut lines = Lines::default();
        let mut seen = Vec::new();
        for piece in [&long[..5_000_000], &long[5_000_000..], b"\nshort\n"] {
            lines.push(piece, |line| seen.push((line.number, line.range.clone(), line.bytes.len())));
        }
        let end = long.len() as u64 + 1;
        assert_eq!(seen, [(1, 0..end, 0), (2, end..end + 6, 5)]);
        assert_eq!(split(&[&long, b"\n"]).first().map(|line| line.2.len()), Some(0));
    }

    proptest! {
        #[test]
        fn a_cut_anywhere_makes_no_difference(
            text in "(ab|é|\r\n|\n|😀|\u{feff}){0,40}",
            cuts in proptest::collection::vec(0..200usize, 0..10),
        ) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(split(&pieces), split(&[bytes]));
        }
    }
}
