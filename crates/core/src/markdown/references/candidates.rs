//! Which labels a text may define, by its letters alone: too many is harmless, too few is not.

use super::{Candidates, normalise};
use crate::markdown::footnotes::begins_note;

/// Longer than any label can be (999 characters), container markers of its lines included.
const MAX_SCAN: usize = 16 * 1024;
/// A label over several lines inside a quote is read once for each way of taking the markers off.
const MAX_READINGS: usize = 64;

/// The labels that may be defined in `source`: a `[` with nothing but markers before it on its line, a label, `]:`.
pub(in crate::markdown) fn candidates(source: &str) -> Candidates {
    let mut found = Candidates::new();
    if !source.contains("]:") {
        return found;
    }
    let mut rest = source;
    while !rest.is_empty() {
        let (line, next) = rest.split_once('\n').unwrap_or((rest, ""));
        let content = line.trim_start_matches(is_marker);
        let before = line.len() - content.len();
        let is_note =
            before <= 3 && line.starts_with("   ".get(..before).unwrap_or_default()) && begins_note(content);
        if content.starts_with('[')
            && !is_note
            && let Some(label) = rest.get(before + 1..).and_then(label)
        {
            for written in readings(label) {
                let normal = normalise(&written);
                if !normal.is_empty() {
                    found.entry(normal).or_insert(written);
                }
            }
        }
        rest = next;
    }
    found
}

/// What may stand before a definition: indentation, a quote's `>`, a list's bullet or number, a BOM.
fn is_marker(c: char) -> bool {
    matches!(c, ' ' | '\t' | '>' | '-' | '+' | '*' | '.' | ')' | '\u{feff}') || c.is_ascii_digit()
}

/// The label at the start of `text`, which follows a `[`, when `]:` ends it.
fn label(text: &str) -> Option<&str> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().take(MAX_SCAN) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'[' => return None,
            b']' => return text.get(at + 1..)?.starts_with(':').then(|| text.get(..at)).flatten(),
            _ => {}
        }
    }
    None
}

/// The ways to read a label: on one line there is one; on a further line each leading `>` may be the marker of a
/// quote or part of the label.
fn readings(label: &str) -> Vec<String> {
    let mut lines = label.split('\n');
    let mut readings = vec![lines.next().unwrap_or_default().to_owned()];
    for line in lines {
        let rests = line_readings(line);
        let room = (MAX_READINGS / readings.len()).max(1);
        readings = readings
            .iter()
            .flat_map(|start| rests.iter().take(room).map(move |rest| format!("{start} {rest}")))
            .collect();
    }
    readings
}

/// A line without its markers, most of them taken off first.
fn line_readings(line: &str) -> Vec<&str> {
    let mut readings = vec![line.trim_start_matches([' ', '\t'])];
    while let Some(inner) = readings.last().and_then(|last| last.strip_prefix('>')) {
        readings.push(inner.trim_start_matches([' ', '\t']));
    }
    readings.reverse();
    readings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let mut found: Vec<_> = candidates(source).into_keys().collect();
        found.sort();
        assert_eq!(found, expected, "{source:?}");
    }

    #[test]
    fn a_definition_may_stand_behind_markers_only() {
        check("[a]: /u", &["a"]);
        check("> - 1. [A]: /u\n", &["a"]);
        check("   [a\\]b]:\n/u", &["a\\]b"]);
        check("see [a]: /u", &[]);
        check("[a] : /u\n[[b]: /u\n[ ]: /u\n[c] and [d]:", &[]);
    }

    #[test]
    fn a_label_over_two_lines_is_read_with_and_without_its_markers() {
        check("> [a\n> b]: /u", &["a > b", "a b"]);
        check("[a\n   b]: /u", &["a b"]);
    }

    #[test]
    fn readings_stay_few() {
        let hostile = format!("[a{}]: /u", format!("\n{}b", ">".repeat(50)).repeat(50));
        assert!(candidates(&hostile).len() <= MAX_READINGS);
    }
}
