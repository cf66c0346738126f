//! What is streamed: ten texts out of seeds, and how each is cut into the chunks of the frames.

use crate::words::{self, Dice};
use std::fmt::Write as _;

/// A text and its schedule.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, for the reader of the table.
    pub about: &'static str,
    /// All of it.
    pub text: String,
    /// Characters in each frame.
    pub step: usize,
}

impl Trace {
    /// The text in the pieces that the frames show. A piece ends between characters.
    pub fn chunks(&self) -> Vec<String> {
        let characters: Vec<char> = self.text.chars().collect();
        characters.chunks(self.step.max(1)).map(|chunk| chunk.iter().collect()).collect()
    }
}

/// The text that every renderer is warmed up with, whatever follows.
pub const WARM_UP: &str = "mixed-17k";

/// All of them.
pub fn all() -> Vec<Trace> {
    let trace = |name, about, step, text| Trace { name, about, text, step };
    vec![
        trace(WARM_UP, "an answer of a model, everything mixed", 24, mixed(17_000)),
        trace("mixed-65k", "the same, longer", 48, mixed(65_000)),
        trace("fence-200k", "one fenced block of code", 240, fence(200_000)),
        trace("table-500", "a table of 500 rows", 48, table(500)),
        trace("list-tight", "a list of 300 items", 48, list(300, "\n")),
        trace("list-loose", "a list of 300 items with blank lines between", 48, list(300, "\n\n")),
        trace("paragraph-20k", "one paragraph without a line break", 24, one_paragraph(20_000)),
        trace("references", "links whose addresses come at the end", 24, references(150)),
        trace("cjk-emoji", "Chinese, Japanese and emoji of several characters", 8, cjk(12_000)),
        trace("quote-90k", "reasoning in one block quote", 128, quote(90_000)),
    ]
}

/// Every text but the mixed ones begins like this, so that there is something settled.
fn opening(dice: &mut Dice) -> String {
    format!("{}\n\n", words::paragraph(dice, 2, words::rich_sentence))
}

fn mixed(length: usize) -> String {
    let mut dice = Dice::new(1);
    let mut text = opening(&mut dice);
    let mut turn = 0;
    while text.len() < length {
        block(&mut text, &mut dice, turn);
        turn += 1;
    }
    text
}

/// The blocks in the order in which an answer often has them.
fn block(text: &mut String, dice: &mut Dice, turn: usize) {
    match turn % 8 {
        0 => text.push_str(&format!("## {} {}\n\n", words::capital(dice), words::words(dice, 3))),
        2 => items(text, dice, "- "),
        3 => code(text, dice, 14),
        5 => rows(text, dice, 6),
        6 => text.push_str(&format!("> {}\n\n", words::paragraph(dice, 2, words::rich_sentence))),
        7 => items(text, dice, "1. "),
        _ => text.push_str(&format!("{}\n\n", words::paragraph(dice, 4, words::rich_sentence))),
    }
}

fn items(text: &mut String, dice: &mut Dice, marker: &str) {
    for _ in 0..5 {
        let _ = writeln!(text, "{marker}{}", words::rich_sentence(dice));
        if dice.below(3) == 0 {
            let _ = writeln!(text, "{}- {}", " ".repeat(marker.len()), words::sentence(dice));
        }
    }
    text.push('\n');
}

fn code(text: &mut String, dice: &mut Dice, lines: usize) {
    text.push_str("```rust\n");
    for _ in 0..lines {
        let _ = writeln!(text, "{}", words::code_line(dice));
    }
    text.push_str("```\n\n");
}

fn rows(text: &mut String, dice: &mut Dice, count: usize) {
    text.push_str("| Name | Meaning | Count |\n|:--|---|--:|\n");
    for _ in 0..count {
        let (name, meaning) = (words::words(dice, 2).replace(' ', "_"), words::words(dice, 5));
        let _ = writeln!(text, "| `{name}` | {meaning} | {} |", dice.below(10_000));
    }
    text.push('\n');
}

fn fence(length: usize) -> String {
    let mut dice = Dice::new(2);
    let mut text = opening(&mut dice);
    text.push_str("```rust\n");
    while text.len() < length {
        let _ = writeln!(text, "{}", words::code_line(&mut dice));
    }
    text + "```\n"
}

fn table(count: usize) -> String {
    let mut dice = Dice::new(3);
    let mut text = opening(&mut dice);
    rows(&mut text, &mut dice, count);
    text
}

fn list(count: usize, between: &str) -> String {
    let mut dice = Dice::new(4);
    let mut text = opening(&mut dice);
    for _ in 0..count {
        text.push_str(&format!("- {}{between}", words::rich_sentence(&mut dice)));
    }
    text
}

fn one_paragraph(length: usize) -> String {
    let mut dice = Dice::new(5);
    let mut text = opening(&mut dice);
    while text.len() < length {
        text.push_str(&words::rich_sentence(&mut dice));
        text.push(' ');
    }
    text
}

fn references(count: usize) -> String {
    let mut dice = Dice::new(6);
    let mut text = opening(&mut dice);
    for number in 0..count {
        let (before, label) = (words::sentence(&mut dice), words::words(&mut dice, 2));
        let _ = write!(text, "{before} See [{label}][{number}]");
        text.push_str(if number % 5 == 4 { ".\n\n" } else { ". " });
    }
    for number in 0..count {
        let _ = writeln!(text, "[{number}]: https://example.com/{number} \"{}\"", words::words(&mut dice, 3));
    }
    text
}

fn cjk(characters: usize) -> String {
    let mut dice = Dice::new(7);
    let mut text = opening(&mut dice);
    let mut count = 0;
    while count < characters {
        let paragraph = match dice.below(4) {
            0 => format!("- {}\n- {}", words::cjk_sentence(&mut dice), words::cjk_sentence(&mut dice)),
            _ => words::paragraph(&mut dice, 4, words::cjk_sentence),
        };
        count += paragraph.chars().count();
        let _ = write!(text, "{paragraph}\n\n");
    }
    text
}

fn quote(length: usize) -> String {
    let mut dice = Dice::new(8);
    let mut text = opening(&mut dice);
    while text.len() < length {
        if dice.below(6) == 0 {
            let _ =
                writeln!(text, "> - {}\n> - {}\n>", words::sentence(&mut dice), words::sentence(&mut dice));
        } else {
            let _ = writeln!(text, "> {}\n>", words::paragraph(&mut dice, 4, words::rich_sentence));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chunks_of_a_trace_are_its_text() {
        for trace in all() {
            let chunks = trace.chunks();
            assert_eq!(chunks.concat(), trace.text, "{}", trace.name);
            assert!(chunks.iter().all(|chunk| chunk.chars().count() <= trace.step), "{}", trace.name);
        }
    }

    /// Figures of another day can only be compared if the text was the same: a change here is a change of the benchmark.
    #[test]
    fn the_texts_are_those_of_every_other_run() {
        let sizes: Vec<_> =
            all().iter().map(|trace| (trace.name, trace.text.len(), checksum(&trace.text))).collect();
        assert_eq!(sizes, SIZES);
    }

    const SIZES: [(&str, usize, u32); 10] = [
        ("mixed-17k", 17_393, 0xc606_5843),
        ("mixed-65k", 65_315, 0x9e9a_e5e3),
        ("fence-200k", 200_014, 0x15bc_9cc4),
        ("table-500", 27_788, 0x6e0b_da16),
        ("list-tight", 28_479, 0xd90d_ab56),
        ("list-loose", 28_779, 0xae8d_ed78),
        ("paragraph-20k", 20_043, 0x6b93_61de),
        ("references", 22_612, 0x8d4a_d120),
        ("cjk-emoji", 35_085, 0x0139_0a50),
        ("quote-90k", 90_138, 0x023c_d624),
    ];

    /// FNV-1a.
    fn checksum(text: &str) -> u32 {
        text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }

    #[test]
    fn each_text_is_what_it_says() {
        let text = |name: &str| all().into_iter().find(|trace| trace.name == name).unwrap().text;
        assert_eq!(text("table-500").matches("\n| `").count(), 500);
        assert_eq!(text("list-tight").matches("\n- ").count(), 300);
        assert!(text("list-loose").contains(".\n\n- "));
        assert_eq!(text("paragraph-20k").matches('\n').count(), 2);
        assert!(text("fence-200k").len() >= 200_000);
        assert!(text("cjk-emoji").contains("👩‍💻"));
        assert!(text("quote-90k").lines().skip(2).all(|line| line.starts_with('>')));
    }
}
