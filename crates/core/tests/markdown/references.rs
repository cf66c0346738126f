//! Link reference definitions across blocks, and comrak's budget for them.

use crate::tree::outline;
use iris_core::markdown::{Document, parse};

/// comrak counts the bytes of the addresses it hands out, up to the length of the text (at most 100,000), and
/// refuses the rest. More text after it would raise the limit, and turn settled text into links.
fn over_budget() -> String {
    format!("[a]: https://e.example/{}\n\n[a] [a] [a]\n", "x".repeat(60))
}

#[test]
fn the_budget_bug_is_still_there() {
    let html = comrak::markdown_to_html(&over_budget(), &comrak::Options::default());
    assert_eq!(html.matches("<a ").count(), 1, "mended? then `Resolver` need not answer for it: {html}");
}

#[test]
fn a_link_does_not_depend_on_how_much_text_follows() {
    let text = over_budget();
    let links = |text: &str| outline(&parse(text)).matches("link").count();
    assert_eq!(links(&text), 3);
    assert_eq!(links(&format!("{text}\n{}", "more ".repeat(100))), 3);
    let mut document = Document::new();
    for char in text.chars() {
        document.push(char.encode_utf8(&mut [0; 4]));
        assert_eq!(document.blocks(), parse(document.text()));
    }
    assert_eq!(outline(document.blocks()).matches("link").count(), 3);
}

#[test]
fn citations_beyond_the_largest_budget_are_links() {
    let address = format!("https://e.example/{}", "x".repeat(2_000));
    let definitions: String = (0..120).map(|n| format!("[{n}]: {address}{n}\n")).collect();
    let uses: String = (0..120).map(|n| format!("See [{n}].\n\n")).collect();
    for text in [format!("{definitions}\n{uses}"), format!("{uses}{definitions}")] {
        let mut document = Document::new();
        for chunk in text.as_bytes().chunks(4_096) {
            document.push(std::str::from_utf8(chunk).unwrap());
        }
        assert_eq!(outline(document.blocks()).matches("link").count(), 120);
        assert_eq!(document.blocks(), parse(&text));
    }
}

fn check(chunks: &[&str], expected: &str) {
    let mut document = Document::new();
    for chunk in chunks {
        document.push(chunk);
    }
    assert_eq!(outline(document.blocks()), expected, "{chunks:?}");
    assert_eq!(document.blocks(), parse(&chunks.concat()), "{chunks:?}");
}

#[test]
fn a_definition_below_a_paragraph_reaches_what_is_above_it_however_the_text_is_cut() {
    check(
        &["[a] c\n\nend", "\nb b b b\nb", "\n\n[a]: https://x.y\n"],
        "p(link https://x.y('a') ' c') p('end' br 'b b b b' br 'b')",
    );
}

#[test]
fn a_later_definition_makes_links_of_settled_text() {
    check(&["[a]\n\nb\n\n"], "p('[a]') p('b')");
    check(&["[a]\n\nb\n\n", "[a]: https://x.y"], "p(link https://x.y('a')) p('b')");
    check(&["[a]\n\nb\n\n", "[a]: https://x.y", "z 't'\n\n"], "p(link https://x.yz 't'('a')) p('b')");
    check(
        &["[a]\n\nb\n\n", "[a]: https://x.y", " no title\n\n"],
        "p('[a]') p('b') p('[a]: ' link https://x.y('https://x.y') ' no title')",
    );
}

#[test]
fn the_first_definition_wins_wherever_the_chunks_end() {
    let text = "[a]: https://one.example '\"'\n\n# h\n\n[a]: https://two.example\n[a]\n";
    let expected = "h1('h') p(link https://one.example '\"'('a'))";
    for (at, _) in text.char_indices() {
        check(&[&text[..at], &text[at..]], expected);
    }
}

#[test]
fn a_link_inside_takes_its_outer_link_away() {
    check(&["[x [a] y][b]\n\nc\n\n", "[b]: https://b.z\n\n"], "p(link https://b.z('x [a] y')) p('c')");
    check(
        &["[x [a] y][b]\n\nc\n\n", "[b]: https://b.z\n\n", "[a]: https://a.z\n\n"],
        "p('[x ' link https://a.z('a') ' y]' link https://b.z('b')) p('c')",
    );
}

/// While `b` is defined, `[d][e]` is looked at and `d` is not: only when `b` is no more, `d` is asked for.
#[test]
fn an_answer_that_is_taken_back_leads_to_a_label_not_asked_for_before() {
    let chunks = ["[x [b] y][d][e]\n\n[b]: https://b.x", " none\n\n", "[d]: https://d.x\n\n"];
    let last = "p('[b]: ' link https://b.x('https://b.x') ' none')";
    check(&chunks[..1], "p('[x ' link https://b.x('b') ' y][d][e]')");
    check(&chunks[..2], &format!("p('[x [b] y][d][e]') {last}"));
    check(&chunks, &format!("p(link https://d.x('x [b] y') '[e]') {last}"));
}
