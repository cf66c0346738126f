//! The page equals a one-shot drawing at every frame, and nothing that is settled is made again: for the examples of the
//! specifications, comrak's own tests and real documents.
//!
//! The parser's own tests compare every prefix of all of these (`crates/core/tests/markdown`); here it is the drawing that
//! is tried, at a sample of them, so that it takes seconds.

#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

mod drawing;

use drawing::{assert_equals_one_shot, children, live, prefixes};
use iris_core::markdown::Document;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Draws a text as it grows: by `step` characters a frame, looked at every `look` frames and at its end.
fn check(text: &str, step: usize, look: usize) {
    let mut live = live("");
    let mut document = Document::new();
    let mut settled: Vec<web_sys::Node> = Vec::new();
    let all: Vec<&str> = prefixes(text).collect();
    let frames = all.iter().skip(step - 1).step_by(step).chain(all.last());
    for (number, prefix) in frames.enumerate() {
        live.reveal_to(prefix);
        let update = document.push(&prefix[document.text().len()..]);
        let is_last = prefix.len() == text.len();
        if is_last || number % look == 0 {
            assert_equals_one_shot(&live, prefix);
            let now = children(live.container());
            assert_eq!(now[..settled.len()], settled, "settled and made again at {prefix:?}");
            settled = now[..update.settled].to_vec();
        }
    }
    live.settle();
    assert_eq!(children(live.container())[..settled.len()], settled, "made again on settling: {text:?}");
    live.container().remove();
}

/// The examples of a specification: what stands between a line of 32 backticks with `example` and a line `.`.
fn examples(specification: &str) -> Vec<String> {
    let fence = format!("\n{} example", "`".repeat(32));
    let bodies = specification.split(&fence).skip(1);
    let input = |part: &str| {
        let (_, body) = part.split_once('\n').unwrap();
        let body = format!("\n{body}");
        let (input, _) = body.split_once("\n.\n").unwrap();
        format!("{}\n", input.trim_start_matches('\n')).replace('→', "\t")
    };
    bodies.map(input).collect()
}

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../crates/core/tests/fixtures/markdown/", $name))
    };
}

#[wasm_bindgen_test]
fn the_examples_of_commonmark() {
    let examples = examples(fixture!("commonmark-0.31.2.txt"));
    assert_eq!(examples.len(), 652);
    examples.iter().for_each(|text| check(text, 1, 1));
}

#[wasm_bindgen_test]
fn the_examples_of_github_that_are_others() {
    let commonmark = examples(fixture!("commonmark-0.31.2.txt"));
    let mut github = examples(fixture!("gfm-0.29.txt"));
    github.retain(|text| !commonmark.contains(text));
    assert!(github.len() > 25, "{}", github.len());
    github.iter().for_each(|text| check(text, 1, 1));
}

#[wasm_bindgen_test]
fn the_tests_of_comrak() {
    let all: js_sys::Array = js_sys::JSON::parse(fixture!("comrak-0.59.0.json")).unwrap().unchecked_into();
    let all: Vec<String> = all.iter().filter_map(|text| text.as_string()).collect();
    assert_eq!(all.len(), 1_576);
    // A few are made to be slow; the parser's tests time them.
    let short = all.iter().filter(|text| text.len() <= 1_000);
    short.for_each(|text| check(text, 3, 2));
}

#[wasm_bindgen_test]
fn real_documents() {
    let documents = [
        include_str!("../README.md"),
        include_str!("../ARCHITECTURE.md"),
        include_str!("../CONTRIBUTING.md"),
        include_str!("../docs/protocol.md"),
    ];
    for text in documents {
        // Fifty looks at each; one more than the step, so that they meet all places of a line.
        check(text, 25, text.len() / 25 / 50 + 1);
    }
}
