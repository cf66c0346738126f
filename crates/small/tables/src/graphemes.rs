//! The classes of characters that decide where grapheme clusters end, out of what unicode-segmentation answers: its own
//! tables are private, but characters of one class are cut alike wherever they stand.

use crate::{HEAD, characters, sum};
use std::fmt::Write;
use unicode_segmentation::UnicodeSegmentation;

/// A character of each class; the place is the class's number in `crates/core/src/graphemes.rs`. Syllables of Hangul come last,
/// which that finds without a table.
const EXAMPLES: [char; 18] = [
    'a',
    '\r',
    '\n',
    '\0',
    '\u{200c}',
    '\u{301}',
    '\u{94d}',
    '\u{200d}',
    '\u{903}',
    '\u{600}',
    '\u{1f1e9}',
    '👩',
    'क',
    'ᄀ',
    'ᅡ',
    'ᆨ',
    '가',
    '각',
];

/// What stands before and after a character to tell its class.
const AROUND: [(&str, &str); 25] = [
    ("a", ""),
    ("\r", ""),
    ("ᄀ", ""),
    ("ᅡ", ""),
    ("ᆨ", ""),
    ("가", ""),
    ("각", ""),
    ("\u{600}", ""),
    ("👩\u{200d}", ""),
    ("🇩", ""),
    ("क\u{94d}", ""),
    ("", "a"),
    ("", "\n"),
    ("", "ᄀ"),
    ("", "ᅡ"),
    ("", "ᆨ"),
    ("", "가"),
    ("", "\u{301}"),
    ("", "\u{903}"),
    ("", "🇩"),
    ("", "\u{200d}👩"),
    ("क", "त"),
    ("क\u{94d}", "त"),
    ("👩", "👩"),
    ("👩", "\u{200d}👩"),
];

/// In how many clusters a character is with each of them.
fn behaviour(c: char) -> [usize; AROUND.len()] {
    AROUND.map(|(before, after)| format!("{before}{c}{after}").graphemes(true).count())
}

/// How many of a kind there are in a row, and the kind, from the first character to the last: in one byte up to 15, else in
/// three.
pub(crate) fn table() -> String {
    let examples = EXAMPLES.map(behaviour);
    let class = |c: char| {
        let behaviour = behaviour(c);
        let class = examples.iter().position(|example| *example == behaviour);
        class.unwrap_or_else(|| panic!("{c:?} is of no class"))
    };
    let classes: Vec<u8> =
        (0..=u32::from(char::MAX)).map(|code| char::from_u32(code).map_or(0, class) as u8).collect();
    let mut runs: Vec<(u8, u32)> = Vec::new();
    for (code, class) in classes.iter().enumerate() {
        let is_syllable = (0xac00..=0xd7a3).contains(&code);
        let class = if is_syllable { 0 } else { *class };
        match runs.last_mut() {
            Some((last, length)) if *last == class => *length += 1,
            _ => runs.push((class, 1)),
        }
    }
    let mut bytes = Vec::new();
    for (class, mut length) in runs {
        assert!(class < 16, "only syllables of Hangul are outside the table");
        while length > 0 {
            let part = length.min(u32::from(u16::MAX));
            match part {
                1..16 => bytes.push((part as u8) << 4 | class),
                _ => bytes.extend([class, (part >> 8) as u8, part as u8]),
            }
            length -= part;
        }
    }
    let mut out = HEAD.to_owned();
    out.push_str("/// Runs of characters of the same class: the class in the lower half of a byte, how many there are in the upper;\n");
    out.push_str("/// when that is 0, in the two bytes that follow.\n#[rustfmt::skip]\n");
    out.push_str("pub(super) const RUNS: &[u8] = &[\n");
    for line in bytes.chunks(24) {
        let line: Vec<String> = line.iter().map(u8::to_string).collect();
        writeln!(out, "    {},", line.join(", ")).unwrap();
    }
    out.push_str("];\n");
    let sum = sum(characters().map(|c| classes[c as usize]));
    writeln!(
        out,
        "\n/// Over the class of every character.\n#[cfg(test)]\npub(super) const SUM: u64 = {sum:#x};"
    )
    .unwrap();
    out
}
