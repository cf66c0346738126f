//! The property: however a text was cut into chunks, the document equals the one-shot tree of what was pushed.

use crate::corpus::{self, Random};
use iris_core::markdown::{Document, Node, parse};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The ends of all prefixes of a text, the empty one left out.
fn ends(text: &str) -> Vec<usize> {
    text.char_indices().skip(1).map(|(at, _)| at).chain([text.len()]).filter(|&end| end > 0).collect()
}

#[track_caller]
fn compare(document: &Document, expected: &[Node], how: &str, text: &str) {
    assert!(
        document.blocks() == expected,
        "{how}\nwhole: {text:?}\nprefix: {:?}\ngot: {:#?}\nexpected: {expected:#?}",
        document.text(),
        document.blocks(),
    );
}

/// Pushes a text char by char, in random chunks, and (if asked) in every two chunks. The number of comparisons.
fn check(text: &str, two_chunks: bool) -> usize {
    let ends = ends(text);
    let expected: Vec<Vec<Node>> = ends.iter().map(|&end| parse(&text[..end])).collect();

    let (mut document, mut from) = (Document::new(), 0);
    for (&end, expected) in ends.iter().zip(&expected) {
        document.push(&text[from..end]);
        compare(&document, expected, "char by char", text);
        from = end;
    }

    let (mut document, mut from, mut random) = (Document::new(), 0, Random::new(text.len() as u64));
    let mut at = random.below(9);
    while let Some(&end) = ends.get(at) {
        document.push(&text[from..end]);
        compare(&document, &expected[at], "random chunks", text);
        from = end;
        at += 1 + random.below(9);
    }

    if two_chunks {
        for &end in &ends {
            let mut document = Document::new();
            document.push(&text[..end]);
            document.push(&text[end..]);
            compare(&document, expected.last().unwrap(), "two chunks", text);
        }
    }
    ends.len()
}

/// Checks many texts on all processors. The number of different prefixes, each compared char by char and more.
fn check_all(name: &str, texts: &[String], two_chunks: bool) -> usize {
    let (next, compared) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
            compared.fetch_add(check(text, two_chunks), Ordering::Relaxed);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    let compared = compared.into_inner();
    println!("{name}: {} texts, {compared} prefixes, 0 differences", texts.len());
    compared
}

#[test]
fn every_prefix_equals_the_one_shot_tree() {
    let compared = [
        check_all("CommonMark 0.31.2", &corpus::commonmark(), true),
        check_all("GFM 0.29", &corpus::gfm(), true),
        check_all("comrak 0.59.0", &corpus::comrak(), true),
        check_all("adversarial", &corpus::adversarial(), true),
        check_all("answers", &corpus::answers(), false),
        check_all("random lines", &corpus::random_lines(1, 4_000), false),
        check_all("concatenations", &corpus::concatenations(2, 400), false),
    ];
    let compared: usize = compared.into_iter().sum();
    println!("{compared} prefixes compared, 0 differences");
    assert!(compared >= 300_000, "only {compared} prefixes were compared");
}

/// The long run: `IRIS_MARKDOWN_DOCUMENTS=20000 IRIS_MARKDOWN_SEED=7 cargo nextest run --run-ignored only …`.
#[test]
#[ignore = "takes as long as it is told to"]
fn many_more_prefixes_equal_the_one_shot_tree() {
    let number = |name: &str, default: u64| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (count, seed) = (number("IRIS_MARKDOWN_DOCUMENTS", 20_000), number("IRIS_MARKDOWN_SEED", 3));
    let count = usize::try_from(count).unwrap();
    check_all("random lines", &corpus::random_lines(seed, count), true);
    check_all("concatenations", &corpus::concatenations(seed, count / 10), true);
}
