//! Time bounded by the input's size: a text four times as long takes about four times as long to parse.
//!
//! The input is a beginning, a piece that is repeated, and an end, because it is repetition that finds the loop inside
//! a loop.

use crate::bytes;
use iris_core::markdown::{Document, parse};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The longer text; the shorter one is a quarter of it.
const LENGTH: usize = 48 * 1024;
/// Nothing is said of times below this one: they are made of noise.
const QUICK: Duration = Duration::from_millis(300);
/// Four would be linear, sixteen quadratic.
const RATIO: u32 = 11;
/// A text is timed again before it is blamed.
const TRIES: usize = 3;

/// The first two bytes say where the repeated piece begins and ends in the rest.
pub(crate) fn run(data: &[u8]) {
    let (start, data) = bytes::number(data);
    let (length, data) = bytes::number(data);
    let text = bytes::text(data);
    let chars: Vec<char> = text.chars().collect();
    let start = start.min(chars.len());
    let (beginning, rest) = chars.split_at(start);
    let (piece, end) = rest.split_at((1 + length).min(rest.len()));
    if piece.is_empty() {
        return;
    }
    let build = |length: usize| -> String {
        let body = piece.iter().cycle().take(length);
        beginning.iter().chain(body).chain(end).collect()
    };
    let (short, long) = (build(LENGTH / 4), build(LENGTH));
    if !(0..TRIES).any(|_| is_bounded(&short, &long)) {
        panic!(
            "time grows faster than the text: {:?} × {:?} × {:?}",
            join(beginning),
            join(piece),
            join(end)
        );
    }
}

fn is_bounded(short: &str, long: &str) -> bool {
    let long = time(long);
    long < QUICK || long < time(short) * RATIO
}

/// How much of the processor this thread has had, whoever else wanted it.
fn used() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// How long a text takes: at once, and in a few chunks.
fn time(text: &str) -> Duration {
    let started = used();
    let blocks = parse(text);
    let mut document = Document::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.char_indices().nth(LENGTH / 8).map_or(rest.len(), |(at, _)| at);
        let (chunk, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        document.push(chunk);
        rest = after;
    }
    let taken = used().saturating_sub(started);
    assert!(document.blocks() == blocks, "{text:?}");
    taken
}

fn join(chars: &[char]) -> String {
    chars.iter().collect()
}
