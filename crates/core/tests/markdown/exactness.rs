//! The property: however a text was cut into chunks, the document equals the one-shot tree of what was pushed.
//!
//! The fast part runs with every change; the long one (`cargo xtask test --long`) has all of it.

use crate::corpus::{self, Random};
use iris_core::markdown::{Document, Node, parse_with_notes};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How much is tried of a text.
#[derive(Clone, Copy)]
struct Effort {
    /// Every how many characters the document is compared while the text is pushed one by one.
    every: usize,
    /// Whether the text is also pushed in every two chunks that it can be cut into.
    two_chunks: bool,
}

/// Every prefix, and every cut into two chunks.
const FULL: Effort = Effort { every: 1, two_chunks: true };
/// Every prefix.
const PREFIXES: Effort = Effort { every: 1, two_chunks: false };

/// The ends of all prefixes of a text, the empty one left out.
fn ends(text: &str) -> Vec<usize> {
    text.char_indices().skip(1).map(|(at, _)| at).chain([text.len()]).filter(|&end| end > 0).collect()
}

#[track_caller]
fn compare(document: &Document, expected: &(Vec<Node>, Vec<Node>), how: &str, text: &str) {
    assert!(
        document.blocks() == expected.0 && document.notes() == expected.1,
        "{how}\nwhole: {text:?}\nprefix: {:?}\ngot: {:#?}\n{:#?}\nexpected: {expected:#?}",
        document.text(),
        document.blocks(),
        document.notes(),
    );
}

/// Pushes a text char by char, in random chunks, and (if asked) in every two chunks. How many prefixes were compared.
fn check(text: &str, effort: Effort) -> usize {
    let ends = ends(text);
    let mut compared = 0;
    // One for the characters and one for the random chunks: each prefix is parsed once for both.
    let (mut by_char, mut in_chunks) = (Document::new(), Document::new());
    let (mut from, mut chunk_from, mut random) = (0, 0, Random::new(text.len() as u64));
    let mut chunk_left = random.below(9);
    for (number, &end) in ends.iter().enumerate() {
        by_char.push(&text[from..end]);
        from = end;
        let is_last = end == text.len();
        let chunk_ends = chunk_left == 0 || is_last;
        if chunk_ends {
            in_chunks.push(&text[chunk_from..end]);
            chunk_from = end;
        }
        chunk_left = if chunk_ends { random.below(9) } else { chunk_left - 1 };
        if (number + 1) % effort.every != 0 && !is_last {
            continue;
        }
        let expected = parse_with_notes(&text[..end]);
        compare(&by_char, &expected, "char by char", text);
        if chunk_ends {
            compare(&in_chunks, &expected, "random chunks", text);
        }
        compared += 1;
    }
    if effort.two_chunks {
        let expected = parse_with_notes(text);
        for &end in &ends {
            let mut document = Document::new();
            document.push(&text[..end]);
            document.push(&text[end..]);
            compare(&document, &expected, "two chunks", text);
        }
    }
    compared
}

/// Checks many texts on all processors. The number of different prefixes, each compared char by char and more.
fn check_all(name: &str, texts: &[String], effort: Effort) -> usize {
    let (next, compared) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
            compared.fetch_add(check(text, effort), Ordering::Relaxed);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    let compared = compared.into_inner();
    let splits = if effort.two_chunks { ", and every cut into two chunks" } else { "" };
    println!("counted: {name}: {} texts, {compared} prefixes{splits}, 0 differences", texts.len());
    compared
}

/// Adds up what was compared and holds it to what was promised.
fn sum(compared: &[usize], at_least: usize) {
    let compared: usize = compared.iter().sum();
    println!("counted: {compared} prefixes compared, 0 differences");
    assert!(compared >= at_least, "only {compared} prefixes were compared");
}

#[test]
fn every_prefix_equals_the_one_shot_tree() {
    let compared = [
        check_all("CommonMark 0.31.2", &corpus::commonmark(), FULL),
        check_all("GFM 0.29", &corpus::gfm(), FULL),
        check_all("comrak 0.59.0", &corpus::comrak(), FULL),
        check_all("adversarial", &corpus::adversarial(), FULL),
        check_all("footnotes", &corpus::footnotes(), FULL),
        check_all("answers", &corpus::answers(), PREFIXES),
        check_all("written answers", &corpus::written_answers(), PREFIXES),
        check_all("real documents, sampled", &corpus::documents(), Effort { every: 50, two_chunks: false }),
        check_all("random lines", &corpus::random_lines(1, 4_000), PREFIXES),
        check_all("paragraphs", &corpus::paragraphs(1, 1_500), PREFIXES),
        check_all("long lines", &corpus::long_lines(1, 600), PREFIXES),
        check_all("nested", &corpus::nested(1, 300), PREFIXES),
        check_all("concatenations", &corpus::concatenations(2, 400), PREFIXES),
    ];
    sum(&compared, 300_000);
}

/// A number from the environment, so that other documents than the usual ones can be tried.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

#[test]
#[ignore = "long: every prefix of half a megabyte, and every cut of it into two"]
fn every_prefix_of_real_documents_equals_the_one_shot_tree() {
    let compared = [
        check_all("written answers", &corpus::written_answers(), FULL),
        check_all("real documents", &corpus::documents(), FULL),
    ];
    sum(&compared, 500_000);
}

#[test]
#[ignore = "long: IRIS_MARKDOWN_DOCUMENTS and IRIS_MARKDOWN_SEED choose how many and which"]
fn every_prefix_of_random_documents_equals_the_one_shot_tree() {
    let seed = number("IRIS_MARKDOWN_SEED", 3);
    let count = usize::try_from(number("IRIS_MARKDOWN_DOCUMENTS", 30_000)).unwrap();
    let compared = [
        check_all("random lines", &corpus::random_lines(seed, count), FULL),
        check_all("other random lines", &corpus::random_lines(seed + 1, count), PREFIXES),
        check_all("paragraphs", &corpus::paragraphs(seed, count), PREFIXES),
        check_all("long lines", &corpus::long_lines(seed, count), PREFIXES),
        check_all("nested", &corpus::nested(seed, count), PREFIXES),
        check_all("concatenations", &corpus::concatenations(seed, count / 10), FULL),
        check_all("long concatenations", &corpus::long_concatenations(seed, count / 100), PREFIXES),
    ];
    sum(&compared, count);
}
