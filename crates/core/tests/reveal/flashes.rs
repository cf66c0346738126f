//! Nothing flashes: what a frame shows is the beginning of what stands there in the end. The names begin with the
//! complaints about other clients that they answer.

use std::fs;
use std::path::Path;
use std::slice::from_ref;

use iris_core::markdown::{Document, Kind, Node, parse, plain_text};
use iris_core::reveal::{Open, Reveal};

use crate::reader::{play, stream};

/// All settings of the pace.
const PACES: [f64; 3] = [75.0, 150.0, 300.0];

/// The text is always some words ahead, and the frames come so fast that each is due one character at most: every cut
/// comes by. What is shown each time.
fn every_cut(text: &str) -> Vec<&str> {
    const AHEAD: usize = 100;
    const FRAME_MS: f64 = 4.0;
    let (mut reveal, mut document) = (Reveal::new(60.0), Document::new());
    let mut shown = vec![""];
    for frame in 0..1_000_000 {
        let from = document.text().len();
        let ahead = text[from..].char_indices().nth(AHEAD).map_or(text.len(), |(at, _)| from + at);
        if ahead == text.len() {
            reveal.finish();
        }
        let open = Open::at_end(document.blocks());
        let step = reveal.advance(f64::from(frame) * FRAME_MS, &text[..ahead], open);
        document.push(&text[from..step.shown]);
        shown.push(&text[..step.shown]);
        if step.shown == text.len() {
            break;
        }
    }
    assert_eq!(document.text(), text, "all of it is shown in the end");
    shown.dedup();
    shown
}

/// Whether what stands there now can become what stands there in the end by text that is added at its end.
fn grows_into(now: &[Node], end: &[Node]) -> bool {
    now.len() <= end.len()
        && now.iter().zip(end).enumerate().all(|(at, (now_node, end_node))| {
            let last = at + 1 == now.len();
            if last {
                node_grows_into(now_node, end_node)
            } else {
                now_node == end_node || rows_of_a_table(now_node)
            }
        })
}

fn rows_of_a_table(node: &Node) -> bool {
    matches!(node.kind, Kind::Cell(_))
}

fn node_grows_into(now: &Node, end: &Node) -> bool {
    let same_kind = match (&now.kind, &end.kind) {
        (Kind::Text(now), Kind::Text(end)) => return end.starts_with(now.as_str()),
        (Kind::CodeBlock { lang, .. }, Kind::CodeBlock { lang: other, .. }) => {
            let (now, end) = (plain_text(from_ref(now)), plain_text(from_ref(end)));
            return lang == other && end.starts_with(&now);
        }
        // An address in the text grows with it.
        (Kind::Link { .. }, Kind::Link { .. }) => true,
        (Kind::List { start, .. }, Kind::List { start: other, .. }) => start == other,
        // Of a row that is not complete, the cells to come are empty.
        (Kind::Cell(_), Kind::Cell(_)) if now.children.is_empty() => return true,
        (now, end) => now == end,
    };
    same_kind && grows_into(&now.children, &end.children)
}

/// The blocks of a text. A reference to a footnote has its number when the note is there; until then it is its name.
fn blocks(text: &str) -> Vec<Node> {
    fn take_numbers(nodes: &mut [Node]) {
        for node in nodes {
            if let Kind::NoteRef { number, .. } = &mut node.kind {
                *number = None;
            }
            take_numbers(&mut node.children);
        }
    }
    let mut blocks = parse(text);
    take_numbers(&mut blocks);
    blocks
}

#[track_caller]
fn check(text: &str) {
    let end = blocks(text);
    for shown in every_cut(text) {
        let picture = blocks(shown);
        assert!(
            grows_into(&picture, &end),
            "{text:?}\nshows {shown:?}:\n{picture:#?}\nbefore it is:\n{end:#?}"
        );
    }
}

/// Everything of a kind that is in a tree.
fn count(nodes: &[Node], is: &dyn Fn(&Kind) -> bool) -> usize {
    nodes.iter().map(|node| usize::from(is(&node.kind)) + count(&node.children, is)).sum()
}

#[test]
fn b040_a_list_that_begins_makes_no_heading_of_the_line_above() {
    for marks in ["- one\n- two", "= one", "== one", "-- one", "-one", "* one\n* two", "1. one\n2. two"] {
        let text = format!("Here are the points\n{marks}");
        for cps in PACES {
            let run = play(cps, &stream(&text, 1, 30.0));
            for (shown, picture) in run.shown().into_iter().zip(run.pictures()) {
                assert_eq!(count(&picture, &|kind| matches!(kind, Kind::Heading(_))), 0, "{cps}: {shown:?}");
            }
        }
        check(&text);
    }
}

#[test]
fn b040_a_real_heading_comes_with_its_whole_line_below() {
    for text in ["Title\n=====\nText", "Title\n---\nText", "# Title\nText", "Text\n\n---\n\nText"] {
        let shown = every_cut(text);
        let held = [
            "=",
            "==",
            "===",
            "====",
            "-",
            "--",
            "#",
            "# ",
            "Title\n=",
            "Title\n-",
            "Title\n--",
            "Text\n\n-",
        ];
        assert!(shown.iter().all(|shown| !held.contains(shown)), "{shown:?}");
    }
}

#[test]
fn b041_no_frame_shows_a_stray_back_tick_or_a_fence_as_code() {
    let text = "Here is code:\n\n```swift\nlet x = 1\nprint(x)\n```\n\nDone.";
    for cps in PACES {
        let run = play(cps, &stream(text, 1, 30.0));
        for (shown, picture) in run.shown().into_iter().zip(run.pictures()) {
            let visible = plain_text(&picture);
            assert!(!visible.contains('`'), "{cps}: {shown:?} shows {visible:?}");
        }
    }
    check(text);
    check("Here is `code`, ``more ` code`` and\n~~~\ncode\n~~~\nText");
    check("- a list\n  ```sh\n  ls `x`\n  ```\n- goes on\n\n> ```\n> quoted\n> ```\n");
    check("````md\n```rust\nlet x;\n```\n````\nAfter `it`.");
}

#[test]
fn b041_code_that_ends_without_its_fence_is_shown_to_its_end() {
    for text in ["```sh\nls\n``", "```sh\nls\n`x`", "```\n", "```", "``", "`"] {
        assert_eq!(every_cut(text).last(), Some(&text));
    }
}

#[test]
fn b045_a_tag_is_not_shown_in_half_and_what_is_none_stays() {
    let text = "E = mc<sup><span title='x'>2</span></sup>, and 5 < 10, and <";
    for shown in every_cut(text) {
        let open = shown.rfind('<').filter(|open| !shown[*open..].contains('>'));
        assert!(
            open.is_none_or(|open| shown[open..].len() == 1 || shown[open..].starts_with("< ")),
            "{shown:?}"
        );
    }
    let end = plain_text(&parse(text));
    assert!(end.contains("5 < 10") && end.ends_with('<'), "{end:?}");
    // Typed slower than anything may be held, a tag is the text that it is in the end: nothing is taken back.
    for cps in PACES {
        for picture in play(cps, &stream(text, 1, 30.0)).pictures() {
            let visible = plain_text(&picture);
            assert!(end.starts_with(&visible), "{visible:?}");
        }
    }
}

#[test]
fn b047_what_only_looks_like_emphasis_looks_the_same_from_the_beginning() {
    for text in [
        "* item\n* other",
        "a * b * c",
        "**bold",
        "***both",
        "~~gone",
        "`code **x`",
        "snake_case_name",
        "20~25°C",
        "*it*alic",
        "- > 25: expensive",
        "- >= 5",
        "1. > 3",
        "**bold** and *it*",
        "***both*** a",
        "~~gone~~ b",
        "2 * 3 = 6 and 4*5",
        "__init__ and _it_",
        "**日本語**です",
        "- **Name**: text\n- **Other**: text",
    ] {
        check(text);
        check(&format!("Some words before it: {text}"));
    }
}

#[test]
fn b048_money_in_code_and_brackets_in_code_swallow_nothing() {
    for text in
        ["```sh\npstree -p $$\necho $HOME\n```\n\nAfter\n\nit", "```js\n/[^\\s]/g\n```\n\nAfter\n\nit"]
    {
        assert_eq!(parse(text).len(), 3, "{text:?}");
        check(text);
    }
}

#[test]
fn footnotes_are_never_shown_in_half() {
    let text = "A fact.[^1] Another[^long-name], and [^none].\n\n- in a list[^1]\n\n[^1]: The source.\n\n    More of it.\n\
        [^long-name]: With `code`.\n\nThe end.";
    check(text);
    for shown in every_cut(text) {
        let end = shown.rfind("[^").map_or("", |at| &shown[at..]);
        assert!(end.is_empty() || end.contains(']') && !end.ends_with("]:"), "{shown:?}");
    }
}

#[test]
fn links_images_and_addresses_are_never_shown_in_half() {
    for text in [
        "See [the docs](https://example.org/a/long/path?with=query#and) for more.",
        "See ![a picture](https://example.org/x.png \"title\") here.",
        "See <https://example.org> and https://example.org/x or www.example.org.",
        "**[bold link](https://example.org)** and [`code`](https://example.org/c).",
        "- [one](https://example.org/1)\n- [two](https://example.org/2)",
        "A [reference][r] here.\n",
        "Not [a link] and array[0] and (words) [1].",
        "R&amp;D, 5 &lt; 6, A&B, &copy; x",
        r"Escaped \*stars\* and \[brackets\] and C:\dir",
    ] {
        check(text);
    }
}

#[test]
fn a_formula_is_never_shown_in_half() {
    check("Inline $x^2$ and \\(y\\), but $5 and $10 and US$20.");
    check("So:\n\n$$\n\\frac{a}{b} = \\sum_{i=0}^{n} i\n$$\n\nand\n\\[\na=b\n\\]\nend");
    check("- item\n  $$x = y$$\n- more");
}

#[test]
fn a_table_is_never_shown_as_pipes() {
    check("Before\n\n| Name | Value |\n|------|------:|\n| a | `1` |\n| **b** | 2 |\n\nAfter");
    check("Before\n| Name | Value |\n| :--- | ---: |\n| a | 1 |\nAfter");
    check("Name | Value\n--- | ---\na | 1\nb | 2\n\nAfter");
    check("> | a | b |\n> |---|---|\n> | c | d |\n\nAfter");
}

#[test]
fn marks_of_lists_quotes_and_tasks_come_with_their_first_word() {
    check("> A quote\n> goes on\n> > and deeper\n\nText");
    check("1. one\n   - two\n     - three\n2. four\n10. ten");
    check("- [ ] to do\n- [x] done\n- [link](https://x.y)\n- [z] not a task");
    check("> [!NOTE]\n> Mind the gap\n\nText");
    check("Text\n\n***\n\nText\n\n- - -\n\n* * *\nText");
    check("# One\n## Two\n#hash ####### seven\n");
}

#[test]
fn a_long_mixed_answer_never_flashes_at_the_speed_of_a_model() {
    let text = "## Summary\n\nThe **project** has `three` parts, see [docs](https://example.org/docs/intro):\n\n\
        1. `core` — *pure* rules\n2. `adapter` — the **native** side\n   - with [one](https://example.org/1)\n\n\
        | Part | Lines |\n|------|------:|\n| core | 9,000 |\n| app | 7,000 |\n\n\
        ```rust\nfn main() {\n    println!(\"`|-*_[]()\");\n}\n```\n\nIt costs $5 & *nothing* more.\n";
    check(text);
    let end = parse(text);
    for (chars, every) in [(24, 50.0), (85, 470.0), (12, 40.0)] {
        let run = play(150.0, &stream(text, chars, every));
        for (shown, picture) in run.shown().into_iter().zip(run.pictures()) {
            assert!(grows_into(&picture, &end), "{chars}/{every} shows {shown:?}");
        }
    }
}

/// How many pictures of a growing text show in their last block what is not there in the end, and how many there are.
fn taken_back<'t>(text: &'t str, cuts: impl IntoIterator<Item = &'t str>) -> (usize, usize) {
    let end = parse(text);
    let (mut document, mut wrong, mut all) = (Document::new(), 0, 0);
    for shown in cuts {
        document.push(&shown[document.text().len()..]);
        let blocks = document.blocks();
        let last = end.get(blocks.len().saturating_sub(1)).zip(blocks.last());
        wrong += usize::from(!last.is_none_or(|(end, now)| node_grows_into(now, end)));
        all += 1;
    }
    (wrong, all)
}

#[test]
fn in_real_documents_nearly_nothing_is_taken_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut held, mut plain) = ((0, 0), (0, 0));
    for name in ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/protocol.md", "docs/remote.md"] {
        let text = fs::read_to_string(root.join(name)).expect(name);
        let (wrong, all) = taken_back(&text, every_cut(&text));
        held = (held.0 + wrong, held.1 + all);
        let (wrong, all) = taken_back(&text, text.char_indices().map(|(at, _)| &text[..at]));
        plain = (plain.0 + wrong, plain.1 + all);
    }
    println!("{held:?} with, {plain:?} without holding back");
    // What remains: an emphasis, or a link, that is longer than anything may be held.
    assert!(held.0 * 50 <= held.1, "{} of {} pictures", held.0, held.1);
    assert!(held.0 * 8 <= plain.0, "{} of {} pictures without holding back", plain.0, plain.1);
}
