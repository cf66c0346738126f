//! Input made to hurt: it must end, in a small stack, with the same tree as ever and its words still there.

use crate::corpus::Random;
use iris_core::markdown::{Document, parse, plain_text};
use std::thread;
use std::time::{Duration, Instant};

/// What a WebAssembly page has, and what these tests give.
const STACK: usize = 1024 * 1024;
/// Far more than any of these takes, far less than forever.
const PATIENCE: Duration = Duration::from_secs(60);

/// Parses a text whole, in chunks of 4 kB and at once; drops it; looks for `word` in what is shown.
fn check(name: &str, text: String, word: &str) {
    let word = word.to_owned();
    let work = move || {
        let start = Instant::now();
        let one_shot = parse(&text);
        let parsed = start.elapsed();
        let mut document = Document::new();
        document.push(&text);
        assert!(document.blocks() == one_shot, "pushed whole");
        let mut document = Document::new();
        // All ASCII: every byte begins a character.
        for chunk in text.as_bytes().chunks(4_096) {
            document.push(std::str::from_utf8(chunk).unwrap());
        }
        assert!(document.blocks() == one_shot, "pushed in chunks");
        assert!(plain_text(&one_shot).contains(&word), "{word:?} is not shown");
        (parsed, start.elapsed())
    };
    let worker = thread::Builder::new().stack_size(STACK).spawn(work).unwrap();
    let (parsed, total) = worker.join().unwrap();
    println!("{name}: one-shot {parsed:?}, all {total:?}");
    assert!(total < PATIENCE, "{name} took {total:?}");
}

#[test]
fn a_hundred_thousand_stars() {
    check("100,000 *", "*".repeat(100_000), "");
    check("100,000 * and a letter", format!("{}a", "*".repeat(100_000)), "***");
    check("50,000 *a", "*a".repeat(50_000), "a");
    check("25,000 *a **b", format!("{}c", "*a **b ".repeat(25_000)), "c");
    check("50,000 _a*", "_a*".repeat(33_000), "a");
}

#[test]
fn fifty_thousand_brackets() {
    check("50,000 [", format!("{}a", "[".repeat(50_000)), "[[[");
    check("25,000 [ and ]", format!("{}a{}", "[".repeat(25_000), "]".repeat(25_000)), "[[[");
    check("20,000 [a](", format!("{}z", "[a](".repeat(20_000)), "[a](");
    check("20,000 ![", format!("{}a", "![".repeat(20_000)), "![");
    check("10,000 [a]:", format!("{}\nend", "[a]:\n".repeat(10_000)), "end");
    check("20,000 [\\[", format!("{}a", "[\\[".repeat(20_000)), "[[");
}

#[test]
fn ten_thousand_nested_quotes_and_lists() {
    check("10,000 >", format!("{}word", ">".repeat(10_000)), "word");
    check("100,000 >", format!("{}word", ">".repeat(100_000)), "word");
    check("10,000 > with spaces", format!("{}word", "> ".repeat(10_000)), "word");
    check("10,000 > then text", format!("{}word\nlazy\n\nend\n", ">".repeat(10_000)), "end");
    check("10,000 -", format!("{}word", "- ".repeat(10_000)), "word");
    check("5,000 > -", format!("{}word", "> - ".repeat(5_000)), "word");
    let stairs: String = (0..150).map(|depth| format!("{}- word{depth}\n", "  ".repeat(depth))).collect();
    check("150 steps of a list", stairs, "word149");
}

#[test]
fn a_line_of_a_megabyte() {
    check("1 MB of words", "lorem ipsum ".repeat(90_000), "ipsum");
    check("1 MB of one word", "a".repeat(1_000_000), "aaaa");
    check("1 MB of code", format!("```\n{}", "x".repeat(1_000_000)), "xxxx");
}

#[test]
fn a_hundred_thousand_backticks() {
    check("100,000 `", "`".repeat(100_000), "");
    check("100,000 ` and a letter", format!("a{}", "`".repeat(100_000)), "a");
    let runs: String = (1..440).map(|length| format!("e{}", "`".repeat(length))).collect();
    check("runs of every length", runs, "e`");
}

#[test]
fn a_table_of_five_thousand_columns() {
    let row = |cell: &str| format!("|{}\n", format!("{cell}|").repeat(5_000));
    check("5,000 columns", format!("{}{}{}", row("head"), row("-"), row("word")), "word");
    let rows = "|x\n".repeat(3_000);
    check("5,000 columns, 3,000 short rows", format!("{}{}{rows}", row("head"), row("-")), "head");
    let many = "|a|b|c|\n".repeat(10_000);
    check("10,000 rows", format!("|a|b|word|\n|-|-|-|\n{many}"), "word");
}

#[test]
fn many_definitions_and_many_uses() {
    let uses: String = (0..5_000).map(|n| format!("use [l{n}]\n\n")).collect();
    let definitions: String = (0..5_000).map(|n| format!("[l{n}]: https://e.example/{n}\n\n")).collect();
    check("definitions after their uses", format!("{uses}{definitions}end"), "use l4999");
    check("definitions before their uses", format!("{definitions}{uses}end"), "use l4999");
    check("one paragraph of definitions", definitions.replace("\n\n", "\n"), "");
}

#[test]
fn many_footnotes_and_many_references() {
    let uses: String = (0..5_000).map(|n| format!("use[^n{n}] ")).collect();
    let notes: String = (0..5_000).map(|n| format!("[^n{n}]: note {n}\n")).collect();
    check("notes after their uses", format!("{uses}\n\n{notes}\nend"), "end");
    check("notes before their uses", format!("{notes}\n{uses}\n\nend"), "use[^n4999]");
    check("40,000 uses of one note", format!("{}\n\n[^a]: A\n\nend", "x[^a] ".repeat(40_000)), "x[^a]");
    check("20,000 [^", format!("{}a", "[^".repeat(20_000)), "[^[^");
    check("10,000 [^a]:", format!("{}word", "[^a]:".repeat(10_000)), "word");
    let stairs: String =
        (0..150).map(|depth| format!("{}[^{depth}]: word{depth}\n", "    ".repeat(depth))).collect();
    check("150 steps of notes", stairs, "word149");
}

/// Any string at all: control characters, lone marks, every plane of Unicode.
#[test]
fn noise_is_only_text() {
    let alphabet = "*_`~[]()<>!#-+=|\\&;:/\"'\n\n\n\r\t  0a\u{0}\u{1}\u{7f}\u{85}\u{a0}é\u{301}\u{200d}\u{202e}\u{2028}日🦀\u{feff}\u{e0041}\u{10ffff}";
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut random = Random::new(11);
    for _ in 0..300 {
        let text: String = (0..random.below(200)).map(|_| alphabet[random.below(alphabet.len())]).collect();
        let mut document = Document::new();
        for char in text.chars() {
            document.push(char.encode_utf8(&mut [0; 4]));
            assert!(document.blocks() == parse(document.text()), "{:?}", document.text());
        }
    }
}
