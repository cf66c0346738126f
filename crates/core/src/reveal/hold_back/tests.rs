//! Where a cut goes. `|` would be Markdown, so the place that the pace allows is `‸`.

#![allow(clippy::string_slice, reason = "a test may fail")]

use super::*;

/// What a reader gets to see for a cut at `‸`: up to the end of the unit, or to its beginning.
fn cut_in(open: Open, grows: bool, marked: &str) -> String {
    let (before, after) = marked.split_once('‸').expect("a cut");
    let target = format!("{before}{after}");
    // All lines before the last one are shown.
    let shown = before.rfind('\n').map_or(0, |at| at + 1);
    let place = Place { target: &target, grows, shown, open };
    let end = match place.parted_by(before.len()) {
        None => before.len(),
        Some(Unit { end: Some(end), .. }) => end,
        Some(Unit { start, end: None }) => start,
    };
    target[..end].to_owned()
}

/// The cut of a text that grows.
fn check(marked: &str, expected: &str) {
    assert_eq!(cut_in(Open::Prose, true, marked), expected, "{marked:?}");
}

/// A unit in the middle of a line, wherever the text ends in it, and wherever the cut is when all of it is there.
fn check_unit(unit: &str) {
    for (at, _) in unit.char_indices().skip(1) {
        check(&format!("so {}‸", &unit[..at]), "so ");
        check(&format!("so {}‸{} it", &unit[..at], &unit[at..]), &format!("so {unit}"));
    }
    check(&format!("so {unit} ‸"), &format!("so {unit} "));
}

#[test]
fn what_may_become_a_list_or_underline_a_heading_waits_for_its_first_word() {
    for mark in
        ["-", "--", "=", "==", "- ", "-  ", "+", "*", "***", "___", "- - -", "#", "## ", "1", "12.", "1) "]
    {
        check(&format!("Some text\n{mark}‸"), "Some text\n");
        check(&format!("Some text\n  {mark}‸"), "Some text\n  ");
    }
    check("Some text\n-‸ one", "Some text\n- o");
    check("Some text\n1‸. one", "Some text\n1. o");
    check("Some text\n‸- one", "Some text\n");
    check("Some text\n- o‸ne", "Some text\n- o");
    check("Some text\n---‸\n", "Some text\n---");
    check("Some text\n-‸--\n", "Some text\n---");
}

#[test]
fn marks_inside_of_marks_wait_for_the_same_word() {
    check("> ‸", "");
    check("> - ‸", "");
    check(">‸ - [ ] do", "> - [ ] d");
    check("- [‸", "");
    check("- [x] ‸", "");
    check("- ‸**bold** word", "- **bold**");
    check("1. `co‸", "");
    check("> [!NO‸", "");
}

#[test]
fn what_only_looks_like_a_mark_is_shown() {
    for text in ["-5 degrees", "#tag", "3.14 is", "2024 was", "=> so", "a - b", "a # b", "x = 1"] {
        let first = text.len() - 1;
        check(&format!("{}‸{}", &text[..first], &text[first..]), &text[..first]);
    }
}

#[test]
fn what_looks_like_a_mark_by_itself_comes_with_what_says_that_it_is_none() {
    check("Text\n-‸5 degrees", "Text\n-5");
    check("Text\n=‸ so", "Text\n= s");
    check("Text\n-‸- so", "Text\n-- s");
    check("#‸tag", "#t");
    check("*‸*bold", "");
    check("*‸*bold\n", "**b");
    check("3.‸14", "3.1");
    check("4‸2 is", "4");
}

#[test]
fn a_fence_comes_with_its_language() {
    check("Code:\n`‸", "Code:\n");
    check("Code:\n``‸", "Code:\n");
    check("Code:\n```ru‸", "Code:\n");
    check("Code:\n```ru‸st\nx", "Code:\n```rust");
    check("~~~‸", "");
    check("- ```s‸h\n", "- ```sh");
    check("```inline``` cod‸e", "```inline``` cod");
}

#[test]
fn in_code_only_its_end_is_held() {
    let check =
        |marked: &str, expected: &str| assert_eq!(cut_in(Open::Code, true, marked), expected, "{marked:?}");
    for text in ["- x‸", "| a‸", "**‸", "# x‸", "let x = &‸", "a `b‸", "$x‸", "x ```‸", "[a](‸", "<div‸"]
    {
        check(&format!("let y;\n{text}"), &format!("let y;\n{}", text.trim_end_matches('‸')));
    }
    for end in ["`", "``", "```", "  ```", "~~~", "````", "> ```", "   "] {
        check(&format!("let y;\n{end}‸"), "let y;\n");
    }
    check("let y;\n`‸``\nAfter", "let y;\n```");
    check("let y;\n`‸not the end", "let y;\n`");
    check("let y;\n    ‸x", "let y;\n    ");
}

#[test]
fn a_fence_that_is_passed_in_one_step_counts() {
    let open_after = |text: &str, open: Open| text.lines().fold(open, Open::after);
    assert_eq!(open_after("a\n```rs\nlet x\n", Open::Prose), Open::Code);
    assert_eq!(open_after("let x\n```\n", Open::Code), Open::Prose);
    assert_eq!(open_after("a\n```\n```\n", Open::Prose), Open::Prose);
    assert_eq!(open_after("| a |\n|---|\n| b |\n", Open::Prose), Open::Table);
    assert_eq!(open_after("| b |\n\nText", Open::Table), Open::Prose);
    assert_eq!(open_after("```a``` b\nText", Open::Prose), Open::Prose);
    let place = Place { target: "a\n```rs\nlet [x", grows: true, shown: 1, open: Open::Prose };
    assert_eq!(place.parted_by(place.target.len()), None);
}

#[test]
fn a_table_comes_with_the_row_below_its_header() {
    check("Text\n| a‸", "Text\n");
    check("Text\n| a | b |‸", "Text\n");
    let place = |shown| Place { target: "| a | b |\n|--", grows: true, shown, open: Open::Prose };
    assert_eq!(place(0).parted_by(12), Some(Unit { start: 0, end: None }), "both rows are held");
    assert_eq!(
        place(10).parted_by(12),
        Some(Unit { start: 10, end: None }),
        "the first was held long enough"
    );
    let whole = Place { target: "| a | b |\n|---|---|\n", ..place(0) };
    assert_eq!(whole.parted_by(12), Some(Unit { start: 0, end: Some(19) }));
    check("| a ‸| b |\n|---", "");
    check("| a ‸| b |\n|---|---|\n| c", "| a | b |\n|---|---|");
    check("a ‸| b\n--|--\n", "a | b\n--|--");
    check("| |‸ |\n|---|---|\n", "| | |\n|---|---|");
    check("| a ‸| b |\nno table", "| a ");
    check("a ‸| b\n", "a ");
}

#[test]
fn a_row_of_an_open_table_waits_for_its_first_word_only() {
    let check =
        |marked: &str, expected: &str| assert_eq!(cut_in(Open::Table, true, marked), expected, "{marked:?}");
    check("|---|\n|‸", "|---|\n");
    check("|---|\n| ‸", "|---|\n");
    check("|---|\n| a‸", "|---|\n| a");
    check("|---|\n|‸ a", "|---|\n| a");
    check("|---|\n| a | ‸", "|---|\n| a | ");
}

#[test]
fn links_and_images_are_shown_as_a_whole() {
    for unit in [
        "[link](http://x.y \"t)\")",
        "![pic](x(1).png)",
        "[b](<c )d>)",
        "[b [c] d](e)",
        "[b][c]",
        "<https://x.y>",
        "[`]` b](c)",
        r"[a\]b](c)",
        "[![pic](x.png)](y)",
    ] {
        check_unit(unit);
    }
    check("see [a‸b](c) d", "see [ab](c)");
    check("wait! ‸", "wait! ");
    check("a https‸://x.y", "a ");
    check("a https‸://x.y. So", "a https://x.y");
    check("a www‸.x.y/ so", "a www.x.y/");
    check(&format!("a https://‸x.{}", "y".repeat(90)), "a https://x");
    check("a hous‸e", "a hous");
}

#[test]
fn a_formula_on_lines_of_its_own_is_shown_as_a_whole() {
    check("$$‸", "");
    check("$‸$\nx\n$$\nSo", "$$\nx\n$$");
    check("- \\‸[\nx\n\\]", "- \\[\nx\n\\]");
    let open = Place { target: "So\n$$\nx = y\n", grows: true, shown: 3, open: Open::Prose };
    for at in 4..open.target.len() {
        assert_eq!(open.parted_by(at), Some(Unit { start: 3, end: None }), "{at}");
    }
    let closed = Place { target: "So\n$$\nx = y\n$$\n", ..open };
    assert_eq!(closed.parted_by(12), Some(Unit { start: 3, end: Some(14) }));
    let broken = Place { target: "So\n$$\nx\n\ny", ..open };
    assert_eq!(broken.parted_by(8), None);
}

#[test]
fn the_definition_of_a_link_appears_when_it_is_complete() {
    check("[a]: http://x‸", "");
    check("[a]: ht‸tp://x\n", "[a]: http://x");
    check("[^1]:‸ a note", "[^1]: a");
    check("- [^‸", "");
}

#[test]
fn code_emphasis_entities_and_tags_are_shown_as_a_whole() {
    for unit in [
        "`b c`",
        "``b ` c``",
        "**b**",
        "**b *c* d**",
        "***b***",
        "~~b~~",
        "*b **c** d*",
        "_b_c_",
        "**b `*` c**",
        "&amp;",
        "&#x1F600;",
        "<b>",
        "</sup>",
        r"\*",
        "$x^2$",
        r"\(x\)",
        "$$x$$",
    ] {
        check_unit(unit);
    }
}

#[test]
fn what_opens_nothing_is_not_held() {
    for text in [
        "a * b",
        "a ** b",
        "5 < 10",
        "a & b",
        "snake_case",
        "20~25°C",
        "2*3=6",
        "costs $5 an",
        "a $ b",
        "R&D;",
        "a_b_c_",
    ] {
        check(&format!("{text} ‸"), &format!("{text} "));
    }
    let long = format!("an **opened one {}", "word ".repeat(20));
    check(&format!("{long}‸"), &long);
    check("an **opened ‸one\nand", "an **opened ");
}

#[test]
fn a_complete_text_is_cut_nowhere() {
    for text in ["Text\n-", "a [link](http", "a `b", "| a", "**", "a &am", "```ru", "> "] {
        assert_eq!(cut_in(Open::Prose, false, &format!("{text}‸")), text);
    }
    assert_eq!(cut_in(Open::Prose, false, "a [li‸nk](x"), "a [li");
    assert_eq!(cut_in(Open::Prose, false, "a [li‸nk](x)"), "a [link](x)");
}

#[test]
fn what_has_begun_to_be_shown_is_not_held_any_more() {
    let place = |target, shown| Place { target, grows: true, shown, open: Open::Prose };
    assert_eq!(place("a [link](ht", 5).parted_by(11), None);
    assert_eq!(place("- ", 1).parted_by(2), None);
    // What comes after it is.
    assert_eq!(place("a [link and `co", 5).parted_by(15), Some(Unit { start: 12, end: None }));
    assert_eq!(place("- **bo", 3).parted_by(6), None);
}

#[test]
fn a_character_is_not_parted_to_hold_its_end() {
    // A sign that stands before what it belongs to, and is one character with it.
    check("a \u{600}*‸", "a \u{600}*");
    check("a e\u{301}*‸", "a e\u{301}");
}

#[test]
fn a_look_costs_the_same_wherever_the_text_is_long() {
    let hostile =
        ["[", "*a ", "`", "[`", "<a", "[a](", "| ", "$1", "**a", "![", "- ", "> ", "\\", "&a", "1."];
    for piece in hostile {
        let target = piece.repeat(200_000);
        let started = std::time::Instant::now();
        for n in 0..100 {
            let at = target.len() / 2 + n;
            Place { target: &target, grows: true, shown: at - 9, open: Open::Prose }.parted_by(at);
        }
        assert!(started.elapsed().as_millis() < 1_000, "{piece}: 100 looks took {:?}", started.elapsed());
    }
}
