//! Any tree becomes any other on the page by patches, and what stays the same keeps its node.

#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

mod drawing;

use drawing::{Watch, before_cursor, children, container, everything, find, node, picture, text};
use iris::render::canvas::Canvas;
use iris::render::slot::SECTION_ROWS;
use iris_core::markdown::{AlertKind, Align, Kind, Node};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn paragraph(words: &str) -> Node {
    node(Kind::Paragraph, [text(words)])
}

fn code(lang: &str, text: &str, closed: bool) -> Node {
    Node::code_block(lang.to_owned(), text, closed)
}

fn formula(tex: &str, display: bool) -> Node {
    Node::leaf(Kind::Math { tex: tex.to_owned(), display })
}

fn list(start: Option<u64>, tasks: bool, items: &[(Option<bool>, Node)]) -> Node {
    let items = items.iter().map(|(task, child)| node(Kind::Item(*task), [child.clone()]));
    node(Kind::List { start, tasks, tight: true }, items.collect::<Vec<_>>())
}

fn table(rows: &[&[(&str, Align)]]) -> Node {
    let row = |(index, cells): (usize, &&[(&str, Align)])| {
        let cells = cells.iter().map(|(words, align)| node(Kind::Cell(*align), [text(words)]));
        node(Kind::Row { header: index == 0 }, cells.collect::<Vec<_>>())
    };
    node(Kind::Table, rows.iter().enumerate().map(row).collect::<Vec<_>>())
}

/// Documents that differ in every way that a patch has to bridge.
fn documents() -> Vec<Vec<Node>> {
    let (none, left, right) = (Align::Default, Align::Left, Align::Right);
    vec![
        vec![],
        vec![paragraph("Hello")],
        vec![paragraph("Hello, world"), paragraph("Hi")],
        vec![paragraph("Help 👩‍👩‍👧 and é")],
        vec![paragraph("Help 👩‍👩‍👦 and è")],
        vec![node(Kind::Paragraph, [text("a "), node(Kind::Strong, [text("b")]), text(" c")])],
        vec![node(
            Kind::Paragraph,
            [text("a "), node(Kind::Strong, [text("b"), node(Kind::Emphasis, [text("i")])])],
        )],
        vec![node(Kind::Paragraph, [text("a"), Node::leaf(Kind::Break), text("b")])],
        vec![node(Kind::Paragraph, [Node::leaf(Kind::Code("x".into())), text(" is code")])],
        vec![node(Kind::Paragraph, [formula("x^2", false), text(" squared")])],
        vec![node(Kind::Paragraph, [formula("x^2 + y", false)])],
        vec![node(Kind::Paragraph, [formula("x^2 + y", true), text(".")])],
        vec![node(Kind::Paragraph, [node(Kind::Strikethrough, [text("gone")])])],
        vec![node(Kind::Heading(1), [text("Title")]), paragraph("Hello")],
        vec![node(Kind::Heading(2), [text("Title")])],
        vec![code("", "let", false)],
        vec![code("rust", "let x = 1;\n\n", false)],
        vec![code("rust", "let x = 1;\n\nlet y = 2;\n", true), paragraph("after")],
        vec![list(None, false, &[(None, text("one")), (None, text("two"))])],
        vec![node(
            Kind::List { start: None, tasks: true, tight: false },
            [node(Kind::Item(Some(true)), [paragraph("one")])],
        )],
        vec![list(None, false, &[(None, paragraph("one")), (None, paragraph("two"))])],
        vec![list(None, true, &[(None, text("one")), (Some(false), text("two"))])],
        vec![list(None, true, &[(Some(true), text("one")), (Some(true), text("two"))])],
        vec![list(Some(1), false, &[(None, text("one"))])],
        vec![list(Some(7), false, &[(None, list(None, false, &[(None, text("deep"))]))])],
        vec![node(Kind::BlockQuote, [paragraph("quoted"), code("", "in a quote", true)])],
        vec![node(Kind::Alert(AlertKind::Note), [paragraph("quoted")])],
        vec![node(Kind::Alert(AlertKind::Caution), [paragraph("quoted"), paragraph("more")])],
        vec![Node::leaf(Kind::Rule), Node::leaf(Kind::HtmlSource("<b>x</b>\n".into()))],
        vec![table(&[&[("a", none), ("b", right)]])],
        vec![table(&[&[("a", left), ("b", right)], &[("1", left), ("2", right)]])],
        vec![table(&[&[("a", none)], &[("1", none)], &[("2", none)]]), paragraph("after")],
        vec![node(
            Kind::Paragraph,
            [Node::leaf(Kind::Image { source: None, alt: "a cat".into(), title: String::new() })],
        )],
    ]
}

fn canvas(blocks: &[Node]) -> Canvas {
    let mut canvas = Canvas::new(container()).unwrap();
    canvas.update(blocks, &everything(blocks)).unwrap();
    canvas.place_cursor().unwrap();
    canvas
}

#[wasm_bindgen_test]
fn any_document_becomes_any_other() {
    let documents = documents();
    let fresh: Vec<_> = documents.iter().map(|blocks| picture(canvas(blocks).container())).collect();
    for (was, blocks) in documents.iter().enumerate() {
        for (now, target) in documents.iter().enumerate() {
            let mut canvas = canvas(blocks);
            canvas.update(target, &everything(target)).unwrap();
            canvas.place_cursor().unwrap();
            assert_eq!(picture(canvas.container()), fresh[now], "from document {was} to {now}");
            canvas.container().remove();
        }
    }
}

#[wasm_bindgen_test]
fn drawing_the_same_again_touches_nothing() {
    for blocks in documents() {
        let mut canvas = canvas(&blocks);
        let watch = Watch::new();
        watch.add(canvas.container());
        canvas.update(&blocks, &everything(&blocks)).unwrap();
        canvas.place_cursor().unwrap();
        assert_eq!(watch.changes().len(), 0, "{}", picture(canvas.container()));
    }
}

#[wasm_bindgen_test]
fn growing_text_is_appended_to_the_same_node() {
    let mut canvas = canvas(&[paragraph("Hello")]);
    let leaf = find(canvas.container(), "p").first_child().unwrap();
    let watch = Watch::new();
    watch.add(canvas.container());
    let longer = [paragraph("Hello, world")];
    canvas.update(&longer, &everything(&longer)).unwrap();
    canvas.place_cursor().unwrap();
    let changes = watch.changes();
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].type_(), "characterData");
    assert_eq!(find(canvas.container(), "p").first_child(), Some(leaf));
}

#[wasm_bindgen_test]
fn a_block_that_a_definition_changed_is_patched_where_it_stands() {
    let mut canvas = canvas(&[paragraph("[a] and b"), paragraph("after")]);
    let blocks = children(canvas.container());
    let now = [
        node(Kind::Paragraph, [node(Kind::Emphasis, [text("a")]), text(" and b")]),
        paragraph("after"),
        paragraph("more"),
    ];
    let mut update = everything(&now);
    update.redrawn.push(0);
    update.changed = vec![2];
    canvas.update(&now, &update).unwrap();
    assert_eq!(picture(canvas.container()), r#"<p><em>"a"</>" and b"</><p>"after"</><p>"more"</>"#);
    assert_eq!(children(canvas.container())[..2], blocks[..2]);
}

#[wasm_bindgen_test]
fn a_page_that_somebody_else_changed_is_drawn_afresh() {
    let mut canvas = canvas(&[paragraph("Hello"), paragraph("you")]);
    // What a translator does.
    find(canvas.container(), "p + p").remove();
    let now = [paragraph("Hello"), Node::leaf(Kind::Rule)];
    assert!(canvas.update(&now, &everything(&now)).is_err());
    canvas.redraw(&now, &[]).unwrap();
    assert_eq!(picture(canvas.container()), r#"<p>"Hello"</><hr></>"#);
}

#[wasm_bindgen_test]
fn the_cursor_follows_the_last_visible_letter() {
    let check = |blocks: &[Node], before: &str| {
        let canvas = canvas(blocks);
        assert_eq!(before_cursor(canvas.container()).as_deref(), Some(before));
        assert_eq!(canvas.container().query_selector_all(".cursor").unwrap().length(), 1);
    };
    check(&[paragraph("a"), paragraph("b")], "b");
    check(&[node(Kind::Paragraph, [text("a "), node(Kind::Strong, [text("b")])])], "b");
    check(&[paragraph("a"), Node::leaf(Kind::Rule)], "a");
    check(&[code("rust", "let x;\n\n", false)], "let x;\n\n");
    check(&[list(None, false, &[(None, text("one")), (Some(true), text("two"))])], "two");
    check(&[list(None, false, &[(None, text("one")), (None, node(Kind::Paragraph, []))])], "one");
    check(&[table(&[&[("a", Align::Left), ("b", Align::Left)], &[("1", Align::Left)]])], "1");
}

#[wasm_bindgen_test]
fn what_has_just_begun_holds_the_cursor() {
    let check = |block: Node, holder: &str| {
        let canvas = canvas(&[paragraph("a"), block]);
        let cursor = find(canvas.container(), ".cursor");
        assert_eq!(cursor.parent_element(), Some(find(canvas.container(), holder)));
        assert_eq!(cursor.next_sibling(), None);
    };
    check(code("rust", "", false), "code");
    check(node(Kind::Alert(AlertKind::Tip), []), ".alert-title");
}

#[wasm_bindgen_test]
fn a_thousand_rules_do_not_make_the_cursor_search() {
    let blocks: Vec<Node> = [paragraph("a")].into_iter().chain(vec![Node::leaf(Kind::Rule); 1_000]).collect();
    let canvas = canvas(&blocks);
    assert_eq!(canvas.container().last_child(), Some(find(canvas.container(), ".cursor").into()));
}

/// Draws `was`, says that only what the path leads to changed, and expects the rest of `now` not to be looked at.
fn check_path(was: &[Node], now: &[Node], path: &[usize], expected: &str) {
    let mut canvas = canvas(was);
    let mut update = everything(now);
    update.changed = path.to_vec();
    canvas.update(now, &update).unwrap();
    assert_eq!(picture(canvas.container()), expected, "{path:?}");
}

#[wasm_bindgen_test]
fn only_what_the_path_leads_to_is_looked_at() {
    let quote = |words: [&str; 3]| node(Kind::BlockQuote, words.map(paragraph));
    let (was, now) = ([quote(["a", "b", "c"]), paragraph("d")], [quote(["A", "B", "C"]), paragraph("D")]);
    let drawn = |words: [&str; 4]| {
        let [a, b, c, d] = words;
        format!(r#"<blockquote><p>"{a}"</><p>"{b}"</><p>"{c}"</></><p>"{d}"</>"#)
    };
    check_path(&was, &now, &[], &drawn(["a", "b", "c", "d"]));
    check_path(&was, &now, &[1], &drawn(["a", "b", "c", "D"]));
    check_path(&was, &now, &[0, 1], &drawn(["a", "B", "C", "D"]));
    check_path(&was, &now, &[0, 2, 0], &drawn(["a", "b", "C", "D"]));
    check_path(&was, &now, &[0], &drawn(["A", "B", "C", "D"]));
}

/// Three rows to a section would be easier to read, but the page is made for 64.
fn numbers(rows: usize) -> Node {
    let words: Vec<String> = (0..=rows).map(|row| row.to_string()).collect();
    let rows: Vec<[(&str, Align); 1]> = words.iter().map(|row| [(row.as_str(), Align::Default)]).collect();
    let rows: Vec<&[(&str, Align)]> = rows.iter().map(|row| row.as_slice()).collect();
    table(&rows)
}

/// How many rows each section of the only table has, and whether it counts as long.
fn sections(canvas: &Canvas) -> (Vec<u32>, bool) {
    let table = find(canvas.container(), "table");
    let rows = children(&table).into_iter().map(|section| section.child_nodes().length()).collect();
    (rows, table.class_name() == "long")
}

#[wasm_bindgen_test]
fn a_table_grows_and_shrinks_by_sections() {
    let mut canvas = canvas(&[numbers(0)]);
    let steps: [(usize, &[u32], bool); 9] = [
        (0, &[1], false),
        (SECTION_ROWS, &[65], false),
        (SECTION_ROWS + 1, &[65, 1], true),
        (2 * SECTION_ROWS, &[65, 64], true),
        (3 * SECTION_ROWS + 7, &[65, 64, 64, 7], true),
        (2 * SECTION_ROWS + 1, &[65, 64, 1], true),
        (SECTION_ROWS + 1, &[65, 1], true),
        (SECTION_ROWS, &[65], false),
        (3, &[4], false),
    ];
    for (rows, expected, long) in steps {
        let now = [numbers(rows)];
        canvas.update(&now, &everything(&now)).unwrap();
        assert_eq!(sections(&canvas), (expected.to_vec(), long), "{rows} rows");
        let words: Vec<String> = (0..=rows).map(|row| row.to_string()).collect();
        canvas.settle().unwrap();
        assert_eq!(canvas.container().text_content(), Some(words.concat()));
        canvas.redraw(&now, &[]).unwrap();
    }
}

#[wasm_bindgen_test]
fn an_empty_text_shows_the_cursor_alone() {
    let canvas = canvas(&[]);
    assert_eq!(canvas.container().text_content().as_deref(), Some("▉"));
}

#[wasm_bindgen_test]
fn settling_takes_the_cursor_and_nothing_else() {
    for blocks in documents() {
        let mut canvas = canvas(&blocks);
        let watch = Watch::new();
        watch.add(canvas.container());
        canvas.settle().unwrap();
        assert_eq!(watch.changes().len(), 0);
        assert!(canvas.container().query_selector(".cursor").unwrap().is_none());
    }
}
