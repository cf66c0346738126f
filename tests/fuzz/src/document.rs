//! The growing document: at every moment the one-shot tree of what was pushed, and truthful about what changed.

use crate::bytes;
use iris_core::markdown::{Document, Node, Update, parse};

/// Longer texts are compared at their end only: each comparison is a parse of everything before it.
const COMPARED_THROUGHOUT: usize = 2_000;

/// The first byte chooses the lengths of the chunks, the rest is the text.
pub(crate) fn run(data: &[u8]) {
    let (longest, data) = bytes::number(data);
    let text = bytes::text(data);
    let throughout = text.len() <= COMPARED_THROUGHOUT;
    let mut document = Document::new();
    let mut before = Vec::new();
    for chunk in chunks(&text, 1 + longest % 32) {
        let update = document.push(chunk);
        if throughout {
            assert_eq!(document.blocks(), parse(document.text()), "{:?}", document.text());
            hold(&update, &before, document.blocks());
            before = document.blocks().to_vec();
        }
    }
    assert_eq!(document.text(), text, "the text is kept as it was pushed");
    assert!(document.blocks() == parse(&text), "{text:?}");
}

/// Chunks of 1 to `longest` characters, always the same ones of the same text.
fn chunks(text: &str, longest: usize) -> Vec<&str> {
    let (mut chunks, mut rest, mut state) = (Vec::new(), text, text.len() ^ 0x5bd1);
    while !rest.is_empty() {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345) & 0x7fff_ffff;
        let length = 1 + (state >> 8) % longest;
        let end = rest.char_indices().nth(length).map_or(rest.len(), |(at, _)| at);
        let (chunk, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        chunks.push(chunk);
        rest = after;
    }
    chunks
}

/// What an update says has not changed has not changed.
fn hold(update: &Update, before: &[Node], now: &[Node]) {
    assert_eq!(update.len, now.len());
    assert!(update.settled <= update.len, "{update:?}");
    let same = update.changed.first().copied().unwrap_or(now.len());
    assert!(!update.changed.is_empty() || before.len() == now.len(), "{update:?}");
    for (number, (old, new)) in before.iter().zip(now).enumerate().take(same) {
        assert!(old == new || update.redrawn.contains(&number), "block {number}, {update:?}");
    }
    hold_inward(&update.changed, before, now);
}

/// What stands before each place of a path is as it was.
fn hold_inward(path: &[usize], before: &[Node], now: &[Node]) {
    let Some((&at, inward)) = path.split_first() else { return };
    let Some(&next) = inward.first() else { return };
    let (Some(old), Some(new)) = (before.get(at), now.get(at)) else {
        panic!("there is nothing to step into at {at}");
    };
    assert_eq!(std::mem::discriminant(&old.kind), std::mem::discriminant(&new.kind));
    assert_eq!(old.children.get(..next), new.children.get(..next), "the children before {next}");
    hold_inward(inward, &old.children, &new.children);
}
