//! Grapheme clusters: where a text may be cut between what a reader sees as characters (Unicode Standard Annex 29).
//!
//! It answers as `unicode-segmentation` does, which its tests compare it with. That one finds the class of a character by
//! halving 20 kB of ranges, which every visitor would download; here a class is found by adding up the lengths of runs.
//! `crates/small/tables` writes them, from what unicode-segmentation answers.
//!
//! Every function takes a text that starts at a boundary.

mod table;

use table::RUNS;

// What decides about a boundary, by the number that it has in the table.
const CR: u8 = 1;
const LF: u8 = 2;
const CONTROL: u8 = 3;
const EXTEND: u8 = 4;
/// Also inside a conjunct.
const CONJUNCT_EXTEND: u8 = 5;
/// Makes one conjunct of the consonants around it.
const CONJUNCT_LINKER: u8 = 6;
const ZWJ: u8 = 7;
const SPACING_MARK: u8 = 8;
const PREPEND: u8 = 9;
const REGIONAL_INDICATOR: u8 = 10;
const PICTOGRAPH: u8 = 11;
const CONSONANT: u8 = 12;
// Hangul: leading consonant, vowel, trailing consonant, and syllables of two and of three.
const L: u8 = 13;
const V: u8 = 14;
const T: u8 = 15;
const LV: u8 = 16;
const LVT: u8 = 17;

/// The length of the first cluster, bytes; 0 only for an empty text.
pub(crate) fn first(text: &str) -> usize {
    nth(text, 1).unwrap_or(text.len())
}

/// Where the last cluster starts.
pub(crate) fn last(text: &str) -> usize {
    let mut starts = text.char_indices().rev();
    starts.find_map(|(at, next)| is_boundary(text.get(..at)?, next).then_some(at)).unwrap_or(0)
}

/// Where the cluster after the first `count` starts, if there is one.
pub(crate) fn nth(text: &str, count: usize) -> Option<usize> {
    let starts = text
        .char_indices()
        .filter(|&(at, next)| text.get(..at).is_none_or(|before| is_boundary(before, next)));
    starts.map(|(at, _)| at).nth(count)
}

/// Whether a cluster ends with `before` when `next` follows.
fn is_boundary(before: &str, next: char) -> bool {
    let mut classes = before.chars().rev().map(class);
    let Some(last) = classes.next() else { return true };
    match (last, class(next)) {
        (CR, LF) => false,
        (CR | LF | CONTROL, _) | (_, CR | LF | CONTROL) => true,
        (L, L | V | LV | LVT) | (LV | V, V | T) | (LVT | T, T) => false,
        (_, EXTEND | CONJUNCT_EXTEND | CONJUNCT_LINKER | ZWJ | SPACING_MARK) | (PREPEND, _) => false,
        (_, CONSONANT) => !is_linked(before),
        (ZWJ, PICTOGRAPH) => {
            let base = classes.find(|class| !matches!(*class, EXTEND | CONJUNCT_EXTEND | CONJUNCT_LINKER));
            base != Some(PICTOGRAPH)
        }
        // A flag has two.
        (REGIONAL_INDICATOR, REGIONAL_INDICATOR) => {
            (1 + classes.take_while(|class| *class == REGIONAL_INDICATOR).count()) % 2 == 0
        }
        _ => true,
    }
}

/// Whether a text ends with a consonant, and after it a linker among what may stand inside a conjunct.
fn is_linked(before: &str) -> bool {
    let mut linked = false;
    for c in before.chars().rev() {
        match class(c) {
            CONJUNCT_LINKER => linked = true,
            CONJUNCT_EXTEND | ZWJ => {}
            class => return linked && class == CONSONANT,
        }
    }
    false
}

/// What a character is.
fn class(c: char) -> u8 {
    const ANY: u8 = 0;
    if (' '..='~').contains(&c) {
        return ANY;
    }
    // All syllables of Hangul, in blocks of 28: without a trailing consonant, then with each of them.
    if ('\u{ac00}'..='\u{d7a3}').contains(&c) {
        return if (u32::from(c) - 0xac00) % 28 == 0 { LV } else { LVT };
    }
    let mut rest = u32::from(c);
    let mut bytes = RUNS.iter().copied();
    while let Some(byte) = bytes.next() {
        let length = match byte >> 4 {
            0 => u16::from_be_bytes([bytes.next().unwrap_or(0), bytes.next().unwrap_or(0)]),
            length => length.into(),
        };
        match rest.checked_sub(length.into()) {
            Some(less) => rest = less,
            None => return byte & 15,
        }
    }
    ANY
}

#[cfg(test)]
mod tests;
