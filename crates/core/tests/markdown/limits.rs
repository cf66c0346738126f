//! Sizes that no page can hold: what is shown of them says so, at every prefix the same, and more of it costs nothing.

use crate::tree::{check, outline};
use iris_core::markdown::{Document, parse};

/// Pushes a beginning at once and the end in pieces of `step` characters: after each the document is the one-shot tree.
/// The outline of what there is at last.
fn grow(beginning: &str, end: &str, step: usize) -> String {
    let mut document = Document::new();
    document.push(beginning);
    let chars: Vec<char> = end.chars().collect();
    for chunk in chars.chunks(step) {
        document.push(&chunk.iter().collect::<String>());
        assert!(document.blocks() == parse(document.text()), "{:?}", outline(document.blocks()));
    }
    assert_eq!(document.text().len(), beginning.len() + end.len(), "the whole text is kept");
    outline(document.blocks())
}

#[test]
fn quotes_and_lists_nested_too_deep_are_shown_as_their_source() {
    let text = format!("{}a\n", ">".repeat(60));
    let shown = grow("", &text, 1);
    assert_eq!(shown.matches("quote(").count(), 40);
    assert!(shown.contains(&format!("shortened Nesting(pre []('{}a⏎'))", ">".repeat(20))), "{shown}");
    let shown = grow("", &format!("{}a\n\nend\n", "- ".repeat(50)), 1);
    assert_eq!(shown.matches("shortened Nesting(pre").count(), 1, "{shown}");
    assert!(shown.ends_with("p('end')"), "{shown}");
}

#[test]
fn a_table_with_too_many_columns_is_shown_as_its_source() {
    let table = |columns: usize| format!("|{0}\n|{1}\n|{0}\n", "a|".repeat(columns), "-|".repeat(columns));
    assert!(grow("", &table(100), 7).starts_with("table("));
    let shown = table(101).replace('\n', "⏎");
    assert_eq!(grow("", &table(101), 7), format!("shortened Columns(pre []('{shown}'))"));
}

#[test]
fn the_rows_of_a_table_end_with_a_note_and_the_text_after_it_goes_on() {
    let beginning = format!("|{}\n|{}\n{}", "a|".repeat(100), "-|".repeat(100), "|b\n".repeat(198));
    let shown = grow(&beginning, "|c\n|d\n|e\n\nend\n", 1);
    assert_eq!(shown.matches("row(cell('b')").count(), 198);
    assert_eq!(shown.matches("row(cell('c')").count(), 1, "the header is a row too");
    assert!(shown.ends_with("row(cell(shortened Rows))) p('end')"));
    assert!(!shown.contains("'d'") && !shown.contains("'e'"));
}

#[test]
fn a_line_ends_with_a_note_and_the_next_line_is_whole() {
    let words = "lorem ipsum ".repeat(22_000);
    let kept = &words[..256 * 1024];
    let shown =
        grow(&kept[..kept.len() - 2], &format!("{}\nnext *line*\n", &words[kept.len() - 2..][..9]), 1);
    assert!(shown == format!("p('{kept}…' shortened Line br 'next ' em('line'))"));
    // Code and HTML have nothing but text: the ellipsis is there.
    let shown = grow(&format!("```\n{kept}"), &format!("{}\nnext\n```\n", &words[..9]), 3);
    assert!(shown == format!("pre []('{kept}…\u{fff8}⏎next⏎')"));
    let shown = grow(&format!("|a|\n|-|\n|{kept}"), "bc|\n|d|\n", 1);
    assert!(shown.ends_with("…' shortened Line)) row(cell('d')))"), "{}", &shown[shown.len() - 90..]);
}

#[test]
fn a_word_without_an_end_is_cut_and_an_image_in_a_data_address_never_is_a_wall() {
    let base64 = "iVBORw0KGgo".repeat(1_000);
    let beginning = "See ![a chart](data:image/png;base64,";
    let shown = grow(beginning, &base64[..6_000], 500);
    assert!(shown.len() < 4_500, "{}", shown.len());
    assert!(shown.ends_with("…' shortened Line)"), "{shown}");
    let shown = grow(&format!("{beginning}{base64}"), ") and more", 1);
    assert_eq!(shown, "p('See ' image none 'a chart' ' and more')");
    // A long address, a token, a line of Chinese are no walls.
    check(&"x".repeat(4_096), &format!("p('{}')", "x".repeat(4_096)));
    check(&"漢字".repeat(5_000), &format!("p('{}')", "漢字".repeat(5_000)));
}

#[test]
fn after_the_last_line_there_is_a_note_and_nothing_more() {
    let lines = "- a\n".repeat(50_000);
    let mut document = Document::new();
    document.push(&lines);
    assert_eq!(document.blocks().len(), 1);
    let update = document.push("b");
    assert_eq!((update.changed, update.len), (vec![1], 2));
    assert!(document.blocks() == parse(document.text()));
    assert_eq!(outline(&document.blocks()[1..]), "shortened Lines");
    let update = document.push("\n\n# more\n\n[x]: https://x.example\n");
    assert_eq!((update.changed, update.redrawn, update.len), (vec![], vec![], 2));
    assert!(document.blocks() == parse(document.text()));
}

#[test]
fn after_the_last_byte_of_a_message_there_is_a_note_and_nothing_more() {
    let line = format!("{}\n\n", "word ".repeat(200));
    let text = line.repeat(1024 * 1024 / line.len() + 3);
    for step in [1 << 20, 65_537, 10_000] {
        let mut document = Document::new();
        let mut notes = 0;
        for chunk in text.as_bytes().chunks(step) {
            let update = document.push(std::str::from_utf8(chunk).unwrap());
            notes += usize::from(outline(&document.blocks()[update.len - 1..]) == "shortened Message");
        }
        assert!(notes >= 1);
        assert!(document.blocks() == parse(&text), "in steps of {step}");
        assert_eq!(document.text(), text);
    }
}

/// What is left out is neither parsed nor kept to be parsed.
#[test]
fn what_is_beyond_a_limit_costs_nothing() {
    let check = |name: &str, shown: &str, beyond: &str| {
        let mut document = Document::new();
        // All ASCII: every byte begins a character.
        for chunk in shown.as_bytes().chunks(4_096) {
            document.push(std::str::from_utf8(chunk).unwrap());
        }
        document.push(&beyond[..64]);
        let (parsed, kept, blocks) =
            (document.parsed_bytes(), document.tail().len(), document.blocks().len());
        for chunk in beyond.as_bytes().chunks(4_096) {
            let update = document.push(std::str::from_utf8(chunk).unwrap());
            assert!(update.changed.is_empty() && update.redrawn.is_empty(), "{name}: {update:?}");
        }
        assert_eq!((document.parsed_bytes(), document.tail().len()), (parsed, kept), "{name}");
        assert_eq!(document.blocks().len(), blocks);
    };
    let paragraph = format!("{}\n\n", "word ".repeat(20));
    check("a message", &paragraph.repeat(1024 * 1024 / paragraph.len()), &paragraph.repeat(50_000));
    check("lines", &"a\n\n".repeat(25_000), &"a\n\n".repeat(1_000_000));
    check("a line", &format!("```\n{}", "x".repeat(256 * 1024)), &"x".repeat(10 * 1024 * 1024));
    check("a line of a paragraph", &"word ".repeat(256 * 1024 / 5 + 1), &"word ".repeat(1024 * 1024));
}
