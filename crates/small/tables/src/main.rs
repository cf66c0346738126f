//! Writes the tables of the small crates beside this one and of the core's graphemes, from the crates that they stand in for:
//! `cargo run --manifest-path crates/small/tables/Cargo.toml`. Each table ends with a sum over what the original says of every
//! character, which the small crate's test compares.

mod graphemes;

use finl_unicode::categories::CharacterCategories;
use std::{fmt::Write, fs, io, path::Path};

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::write(folder.join("caseless/src/table.rs"), folding())?;
    fs::write(folder.join("finl_unicode/src/tables.rs"), categories())?;
    fs::write(folder.join("../core/src/graphemes/table.rs"), graphemes::table())
}

const HEAD: &str = "// Written by crates/small/tables.\n\n";

/// Every character there is.
fn characters() -> impl Iterator<Item = char> {
    '\0'..=char::MAX
}

/// The sum of the tests: FNV-1a over the bytes.
fn sum(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Characters at even distances whose folded forms are all at the same distance.
struct Run {
    first: u32,
    count: u32,
    every: u32,
    distance: i64,
}

fn folding() -> String {
    let folded = |c: char| caseless::default_case_fold_str(c.encode_utf8(&mut [0; 4]));
    let mut runs: Vec<Run> = Vec::new();
    let mut longer = String::new();
    for c in characters() {
        let text = folded(c);
        let code = u32::from(c);
        let mut rest = text.chars();
        match (rest.next(), rest.next()) {
            (Some(only), None) if only == c => {}
            (Some(only), None) => add(&mut runs, code, i64::from(u32::from(only)) - i64::from(code)),
            _ => writeln!(longer, "    ({c:?}, {text:?}),").unwrap(),
        }
    }
    let mut out = HEAD.to_owned();
    out.push_str("/// The first character, how many there are, at what distance, and how far their folded forms are.\n");
    out.push_str("pub(crate) const RUNS: &[(u32, u16, u8, i32)] = &[\n");
    for Run { first, count, every, distance } in runs {
        writeln!(out, "    ({first:#x}, {count}, {every}, {distance}),").unwrap();
    }
    out.push_str(
        "];\n\n/// What folds to several characters.\npub(crate) const LONGER: &[(char, &str)] = &[\n",
    );
    out.push_str(&longer);
    out.push_str("];\n");
    let sum = sum(characters().flat_map(|c| folded(c).into_bytes()));
    writeln!(
        out,
        "\n/// Over the folded form of every character.\n#[cfg(test)]\npub(crate) const SUM: u64 = {sum:#x};"
    )
    .unwrap();
    out
}

fn add(runs: &mut Vec<Run>, code: u32, distance: i64) {
    if let Some(run) = runs.last_mut().filter(|run| run.distance == distance) {
        let step = code - (run.first + run.every * (run.count - 1));
        if step == run.every || run.count == 1 && step == 2 {
            run.every = step;
            run.count += 1;
            return;
        }
    }
    runs.push(Run { first: code, count: 1, every: 1, distance });
}

fn categories() -> String {
    let mut out = HEAD.to_owned();
    let mut add = |name: &str, what: &str, is: fn(char) -> bool| {
        writeln!(out, "/// Of the {what}.\n#[rustfmt::skip]\npub(crate) const {name}: &[u16] = &[").unwrap();
        let mut line = String::from("   ");
        for number in lengths(is) {
            let word = format!(" {number},");
            if line.len() + word.len() > 120 {
                writeln!(out, "{line}").unwrap();
                line.replace_range(3.., "");
            }
            line.push_str(&word);
        }
        let sum = sum(characters().map(|c| u8::from(is(c))));
        writeln!(out, "{line}\n];\n#[cfg(test)]\npub(crate) const {name}_SUM: u64 = {sum:#x};\n").unwrap();
    };
    add("LETTERS", "letters", CharacterCategories::is_letter);
    add("MARKS", "marks", CharacterCategories::is_mark);
    add("NUMBERS", "numbers", CharacterCategories::is_number);
    add("PUNCTUATION", "punctuation", CharacterCategories::is_punctuation);
    add("CONNECTORS", "punctuation that connects", CharacterCategories::is_punctuation_connector);
    add("SYMBOLS", "symbols", CharacterCategories::is_symbol);
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// How many characters there are outside, then inside, then outside, and so on; a stretch too long for a number is several
/// with nothing between.
fn lengths(is: fn(char) -> bool) -> Vec<u16> {
    let mut lengths = Vec::new();
    let (mut inside, mut length) = (false, 0_u32);
    // By code, so that the gap of the surrogates counts.
    for code in 0..=u32::from(char::MAX) {
        let now = char::from_u32(code).is_some_and(is);
        if now != inside {
            while length > u32::from(u16::MAX) {
                lengths.extend([u16::MAX, 0]);
                length -= u32::from(u16::MAX);
            }
            lengths.push(length as u16);
            (inside, length) = (now, 0);
        }
        length += 1;
    }
    lengths
}
