//! What `push` says of its work: true, no more than true, and cheap.

use crate::corpus::{self, Random};
use iris_core::markdown::{Document, Node, Update, parse};
use std::mem::discriminant;

/// What the document was before a push, so that the update can be held to it.
struct Before {
    blocks: Vec<Node>,
    notes: Vec<Node>,
    settled: usize,
}

/// Pushes chunks and holds every update to what really happened. The number of blocks that were redrawn.
fn check<'t>(chunks: impl IntoIterator<Item = &'t str>) -> usize {
    let mut document = Document::new();
    let mut before = Before { blocks: Vec::new(), notes: Vec::new(), settled: 0 };
    let mut redrawn = 0;
    for chunk in chunks {
        let update = document.push(chunk);
        hold(&update, &before, document.blocks());
        hold_notes(&update.notes, &before.notes, document.notes());
        redrawn += update.redrawn.len();
        let (blocks, notes) = (document.blocks().to_vec(), document.notes().to_vec());
        before = Before { blocks, notes, settled: update.settled };
    }
    redrawn
}

#[track_caller]
fn hold(update: &Update, before: &Before, blocks: &[Node]) {
    assert_eq!(update.len, blocks.len());
    assert!(before.settled <= update.settled && update.settled <= update.len, "{update:?}");
    let changed_from = update.changed.first().copied().unwrap_or(update.len);
    assert!(before.settled <= changed_from && changed_from <= update.len, "{update:?}");
    assert!(update.redrawn.is_sorted_by(|a, b| a < b), "{update:?}");
    assert!(update.redrawn.iter().all(|&block| block < before.settled), "{update:?}");
    for (number, (old, new)) in before.blocks.iter().zip(blocks).enumerate().take(changed_from) {
        assert_eq!(old != new, update.redrawn.contains(&number), "block {number}, {update:?}");
    }
    assert!(!update.changed.is_empty() || before.blocks.len() == blocks.len(), "{update:?}");
    hold_path(&update.changed, &before.blocks, blocks);
}

/// Notes before the place are as they were, and if there is none all are.
#[track_caller]
fn hold_notes(path: &[usize], old: &[Node], new: &[Node]) {
    let same = path.first().copied().unwrap_or(old.len().max(new.len()));
    assert_eq!(old.get(..same.min(old.len())), new.get(..same.min(new.len())), "{path:?}");
    hold_path(path, old, new);
}

/// What stands before each place of a path is as it was, and what stands there is not.
#[track_caller]
fn hold_path(path: &[usize], old: &[Node], new: &[Node]) {
    let Some((&at, inward)) = path.split_first() else { return };
    let (was, now) = (old.get(at), new.get(at));
    assert!(was != now, "nothing differs at {at}");
    if let Some(&next) = inward.first() {
        let (was, now) = (was.unwrap(), now.unwrap());
        assert_eq!(discriminant(&was.kind), discriminant(&now.kind));
        let same = was.children.iter().zip(&now.children).take_while(|(was, now)| was == now).count();
        if was.kind == now.kind || same < was.children.len().max(now.children.len()) {
            assert_eq!(next, same, "the first child that differs");
            hold_path(inward, &was.children, &now.children);
        }
    }
}

fn chars(text: &str) -> impl Iterator<Item = &str> {
    text.split("").filter(|char| !char.is_empty())
}

/// Random chunks of a text, up to 40 characters long.
fn pieces(text: &str) -> Vec<&str> {
    let mut random = Random::new(text.len() as u64);
    let (mut pieces, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let length = 1 + random.below(40);
        let end = rest.char_indices().nth(length).map_or(rest.len(), |(at, _)| at);
        let (piece, next) = rest.split_at(end);
        pieces.push(piece);
        rest = next;
    }
    pieces
}

#[test]
fn updates_are_true_and_no_more_than_true() {
    let texts = [
        corpus::adversarial(),
        corpus::footnotes(),
        corpus::answers(),
        corpus::gfm(),
        corpus::paragraphs(2, 400),
        corpus::random_lines(4, 1_000),
    ]
    .concat();
    let redrawn: usize = texts.iter().map(|text| check(chars(text)) + check(pieces(text))).sum();
    println!("{} texts, {redrawn} settled blocks redrawn", texts.len());
    assert!(redrawn > 1_000, "the texts hardly try definitions that reach back: {redrawn}");
}

#[test]
fn without_definitions_no_settled_block_is_ever_redrawn() {
    for text in corpus::answers() {
        let text = text.replace("]:", "]").repeat(3);
        assert_eq!(check(pieces(&text)), 0);
    }
}

#[test]
fn a_definition_redraws_only_the_blocks_that_wait_for_it() {
    let mut document = Document::new();
    document.push("no link\n\nsee [a]\n\n# [b]\n\n- [a][b]\n\nend\n\n");
    let update = document.push("[a]: https://a.example\n\n");
    assert_eq!(update.redrawn, [1]);
    let update = document.push("[b]: https://b.example\n\n");
    assert_eq!(update.redrawn, [2, 3]);
    let update = document.push("[b]: https://too-late.example\n\n# h\n");
    assert_eq!(update, Update { changed: vec![5], settled: 6, len: 6, ..Update::default() });
}

#[test]
fn a_push_of_nothing_changes_nothing() {
    let mut document = Document::new();
    let update = document.push("a\n\nb");
    for nothing in ["", "\r"] {
        assert_eq!(document.push(nothing), Update { changed: vec![], ..update.clone() });
    }
    assert_eq!(document.text(), "a\n\nb\r");
    assert_eq!(document.range(1..2), &parse("b")[..]);
    assert_eq!(document.range(1..3), &[]);
}

#[test]
fn an_update_leads_to_the_innermost_place_that_changed() {
    let check = |text: &str, more: &str, expected: &[usize]| {
        let mut document = Document::new();
        document.push(text);
        assert_eq!(document.push(more).changed, expected, "{text:?} {more:?}");
    };
    let code = format!("a\n\n```\n{}", "line\n".repeat(100));
    check(&code, "x", &[1, 1]);
    check(&code, "```\n", &[1, 2]);
    check("| a | b |\n|---|---|\n| 1 | 2 |\n| 3", " 4", &[0, 2, 0, 0]);
    check("- a\n- b\n- c", "d", &[0, 2, 0, 0]);
    check("- a\n- b\n- c\n\n", "- d", &[0, 3]);
    check("- a\n- b", "\n\n", &[]);
    check("1. a\n   > q\n   > r", "\n   > s", &[0, 0, 1, 0, 3]);
    check("a **b", "**", &[0, 0]);
    check("a **b**", " c", &[0, 2]);
    check("a\n\nb", "\n\n# c", &[2]);
    check("a\n\n|b|", "\n|-|", &[1]);
}

#[test]
fn the_text_is_kept_as_it_was_pushed() {
    let text = "\u{feff}a\r\nb\rc\0\n\r";
    let mut document = Document::new();
    chars(text).for_each(|char| drop(document.push(char)));
    assert_eq!(document.text(), text);
}

#[test]
fn a_block_settles_when_no_line_can_reach_into_it() {
    let check = |text: &str, settled: usize, tail: &str| {
        let mut document = Document::new();
        let update = document.push(text);
        assert_eq!((update.settled, document.tail()), (settled, tail), "{text:?}");
    };
    // A paragraph may go on, become a heading or a table, until a blank line.
    check("a\n", 0, "a\n");
    check("a\n\n", 1, "");
    check("a\n\nb", 1, "b");
    check("a\n===\nb\n", 1, "b\n");
    check("a\n|b|\n|-|\n", 0, "a\n|b|\n|-|\n");
    check("a\n|b|\n|-|\n\n", 2, "");
    // The incomplete line decides nothing.
    check("a\n***", 0, "a\n***");
    check("a\n***\n", 2, "");
    check("# a", 0, "# a");
    check("# a\n", 1, "");
    check("```\na\n\n```", 0, "```\na\n\n```");
    check("```\na\n\n```\n", 1, "");
    // Only another block ends a list, indented code, or HTML with an end of its own.
    check("- a\n\n", 0, "- a\n\n");
    check("- a\n\nb\n", 1, "b\n");
    check("    a\n\n\nb\n", 1, "b\n");
    check("- a\n\n[a]: /u\n", 1, "[a]: /u\n");
    check("- a\n[a]: /u\n", 0, "- a\n[a]: /u\n");
    check("- a\n\n  [a]: /u\n", 0, "- a\n\n  [a]: /u\n");
    check("<!--\n\n", 0, "<!--\n\n");
    check("<div>\n\n", 1, "");
    check("> a\n> b\n\n", 1, "");
    // Definitions leave no block behind.
    check("[a]: /u\n", 0, "[a]: /u\n");
    check("[a]: /u\n\n", 0, "");
    check("\n\n \n", 0, "");
}

/// The cost of a push is the cost of parsing the tail.
#[test]
fn the_tail_does_not_grow_with_the_document() {
    let text = corpus::answers().concat().repeat(40);
    let mut document = Document::new();
    let mut longest = 0;
    for piece in pieces(&text) {
        document.push(piece);
        longest = longest.max(document.tail().len());
    }
    println!("{} bytes, tail at most {longest} bytes", text.len());
    assert!(text.len() > 70_000);
    assert!(longest < 300, "a tail of {longest} bytes");
}
