//! Footnotes: which reference leads to which note, and what a push says of them.

use crate::corpus;
use crate::tree::outline;
use comrak::{Options, markdown_to_html};
use iris_core::markdown::{Document, parse_with_notes, plain_text};

/// The blocks and, behind `|`, the notes.
fn shown(text: &str) -> String {
    let (blocks, notes) = parse_with_notes(text);
    format!("{} | {}", outline(&blocks), outline(&notes))
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(shown(text), expected, "{text:?}");
}

#[test]
fn numbers_follow_the_first_references() {
    check(
        "a[^x] b[^y] c[^x]\n\n[^y]: Y\n[^x]: X\n",
        "p('a' note 1 'x' ' b' note 2 'y' ' c' note 1 'x') define 'y'(p('Y')) define 'x'(p('X')) | \
         note 1(p('X')) note 2(p('Y'))",
    );
}

#[test]
fn a_reference_that_leads_nowhere_is_text_and_a_note_without_one_comes_last() {
    check("a[^x]\n", "p('a' note ? 'x') | ");
    assert_eq!(plain_text(&parse_with_notes("a[^x] b\n").0), "a[^x] b");
    check(
        "[^z]: Z\n\na[^x]\n\n[^x]: X\n",
        "define 'z'(p('Z')) p('a' note 1 'x') define 'x'(p('X')) | note 1(p('X')) note(p('Z'))",
    );
}

#[test]
fn the_first_definition_wins_and_no_other_is_lost() {
    check(
        "a[^x]\n\n[^x]: one\n[^X]: two\n",
        "p('a' note 1 'x') define 'x'(p('one')) define 'x'(p('two')) | note 1(p('one')) note(p('two'))",
    );
}

#[test]
fn notes_hold_blocks_references_and_other_notes() {
    check(
        "a[^1]\n\n[^1]: one[^2]\n\n    - two\n    [^2]: three\n",
        "p('a' note 1 '1') define '1'(p('one' note 2 '2') ul(li(p('two'))) define '2'(p('three'))) | \
         note 1(p('one' note 2 '2') ul(li(p('two'))) define '2'(p('three'))) note 2(p('three'))",
    );
}

/// B048: a regular expression is no footnote, and swallows nothing.
#[test]
fn brackets_in_code_are_code() {
    check(
        "```js\n/[^\\s]+/\n```\n\n`[^a]` b\n\n[^a]: A\n",
        "pre [js]('/[^\\s]+/⏎') p(code '[^a]' ' b') define 'a'(p('A')) | note(p('A'))",
    );
}

#[test]
fn escapes_and_entities_make_no_names() {
    check(
        "\\[^a] [^&#97;] [^\\a]\n\n[^a]: A\n",
        "p('[^a] [^a] ' note ? '\\a') define 'a'(p('A')) | note(p('A'))",
    );
    check("![^a]\n\n[^a]: A\n", "p('!' note 1 'a') define 'a'(p('A')) | note 1(p('A'))");
    check("![^b]\n", "p('!' note ? 'b') | ");
}

/// comrak numbers the same references the same, as long as no name is defined twice or inside of a note.
#[test]
fn references_have_the_numbers_that_comrak_gives_them() {
    let mut options = Options::default();
    options.extension.footnotes = true;
    options.extension.table = true;
    let mut compared = 0;
    for text in corpus::footnotes().iter().take(6) {
        let html = markdown_to_html(text, &options);
        let theirs: Vec<&str> = html
            .split("data-footnote-ref>")
            .skip(1)
            .map(|rest| rest.split_once('<').expect("an end").0)
            .collect();
        let ours = shown(text);
        let ours: Vec<&str> = ours
            .split_once(" | ")
            .expect("a bar")
            .0
            .split("note ")
            .skip(1)
            .map(|rest| rest.split_once(' ').expect("a name").0)
            .filter(|number| *number != "?")
            .collect();
        assert_eq!(ours, theirs, "{text:?}");
        compared += ours.len();
    }
    assert!(compared > 8, "{compared}");
}

/// What is pushed, and what the push says: redrawn blocks, the place of the first change, that of the first note.
#[track_caller]
fn update(chunks: &[&str], redrawn: &[usize], changed: &[usize], notes: &[usize]) {
    let mut document = Document::new();
    let update = chunks.iter().map(|chunk| document.push(chunk)).last().expect("a chunk");
    assert_eq!((&*update.redrawn, &*update.changed, &*update.notes), (redrawn, changed, notes), "{chunks:?}");
    let expected = parse_with_notes(document.text());
    assert!(document.blocks() == expected.0 && document.notes() == expected.1);
}

#[test]
fn a_definition_redraws_the_blocks_that_refer_to_it_and_no_others() {
    let text = "a[^1]\n\nb\n\n- c[^2]\n- d\n\n# e[^1]\n\n";
    update(&[text, "[^1]: o"], &[0, 3], &[4], &[0]);
    update(&[text, "[^1]: o", "n"], &[], &[4, 0, 0], &[0, 0, 0]);
    update(&[text, "[^1]: one\n", "[^2]: two\n"], &[2], &[5], &[1]);
    // The second note becomes the first.
    update(&[text, "[^2]: two\n", "[^1]: one\n"], &[0, 2, 3], &[5], &[0, 0, 0]);
    update(&[text, "[^3]: three\n"], &[], &[4], &[0]);
}

#[test]
fn text_behind_the_notes_leaves_them_alone() {
    update(&["a[^1]\n\n[^1]: one\n\n", "more"], &[], &[2], &[]);
    update(&["a[^1]\n\n[^1]: one\n\nmore[^1", "]"], &[], &[2, 0], &[]);
}

#[test]
fn many_notes_cost_what_a_frame_adds() {
    let uses: String = (0..300).map(|n| format!("Finding {n} has a source.[^{n}]\n\n")).collect();
    let notes: String = (0..300).map(|n| format!("[^{n}]: Source {n}, which has *words*.\n")).collect();
    let text = format!("{uses}## Notes\n\n{notes}\nDone.\n");
    let mut document = Document::new();
    for chunk in text.as_bytes().chunks(6) {
        document.push(std::str::from_utf8(chunk).expect("ASCII"));
    }
    let each = document.parsed_bytes() / text.len();
    println!("{} bytes, {each} parsed for each", text.len());
    assert!(each <= 25, "{each} bytes parsed for each");
    assert_eq!(document.notes().len(), 300);
    assert!(document.notes() == parse_with_notes(&text).1);
}
