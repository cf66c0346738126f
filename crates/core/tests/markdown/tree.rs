//! What becomes of each construct. Trees are written as `kind(children)`, text in quotes.

use iris_core::markdown::{AlertKind, Align, Kind, Node, parse};

/// A tree on one line.
pub(crate) fn outline(nodes: &[Node]) -> String {
    nodes.iter().map(node).collect::<Vec<_>>().join(" ")
}

fn node(node: &Node) -> String {
    let head = match &node.kind {
        Kind::Text(text) => return quoted(text),
        Kind::Code(text) => return format!("code {}", quoted(text)),
        Kind::Math { tex, display } => {
            return format!("{} {}", if *display { "display" } else { "math" }, quoted(tex));
        }
        Kind::HtmlSource(text) => return format!("html {}", quoted(text)),
        Kind::CodeBlock { lang, closed } => {
            let open = if *closed { "" } else { " open" };
            format!("pre{open} [{lang}]")
        }
        Kind::Lines(text) => return quoted(text),
        Kind::Image { source, alt, title } => {
            let source = source.as_ref().map_or("none", |url| url.as_str());
            return format!("image {source} {}{}", quoted(alt), titled(title));
        }
        Kind::NoteRef { name, number: None } => return format!("note ? {}", quoted(name)),
        Kind::NoteRef { name, number: Some(number) } => return format!("note {number} {}", quoted(name)),
        Kind::Definition(name) => format!("define {}", quoted(name)),
        Kind::Note(None) => "note".to_owned(),
        Kind::Note(Some(number)) => format!("note {number}"),
        Kind::Shortened(limit) if node.children.is_empty() => return format!("shortened {limit:?}"),
        Kind::Shortened(limit) => format!("shortened {limit:?}"),
        Kind::Break => return "br".to_owned(),
        Kind::Rule => return "hr".to_owned(),
        Kind::Paragraph => "p".to_owned(),
        Kind::Heading(level) => format!("h{level}"),
        Kind::BlockQuote => "quote".to_owned(),
        Kind::Alert(kind) => match kind {
            AlertKind::Note => "mind",
            AlertKind::Tip => "tip",
            AlertKind::Important => "important",
            AlertKind::Warning => "warning",
            AlertKind::Caution => "caution",
        }
        .to_owned(),
        Kind::List { start, tasks, tight } => {
            let start = start.map_or_else(|| "ul".to_owned(), |start| format!("ol {start}"));
            let loose = if *tight { "" } else { " loose" };
            format!("{start}{loose}{}", if *tasks { " tasks" } else { "" })
        }
        Kind::Item(None) => "li".to_owned(),
        Kind::Item(Some(done)) => if *done { "done" } else { "todo" }.to_owned(),
        Kind::Table => "table".to_owned(),
        Kind::Row { header } => if *header { "header" } else { "row" }.to_owned(),
        Kind::Cell(align) => match align {
            Align::Default => "cell",
            Align::Left => "left",
            Align::Center => "center",
            Align::Right => "right",
        }
        .to_owned(),
        Kind::Emphasis => "em".to_owned(),
        Kind::Strong => "strong".to_owned(),
        Kind::Strikethrough => "del".to_owned(),
        Kind::Link { url, title, claims_other_host } => {
            let claims = if *claims_other_host { " (claims another)" } else { "" };
            format!("link {}{}{claims}", url.as_str(), titled(title))
        }
    };
    format!("{head}({})", outline(&node.children))
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\n', "⏎"))
}

fn titled(title: &str) -> String {
    if title.is_empty() { String::new() } else { format!(" {}", quoted(title)) }
}

#[track_caller]
pub(crate) fn check(text: &str, expected: &str) {
    assert_eq!(outline(&parse(text)), expected, "{text:?}");
}

#[test]
fn a_line_end_is_a_hard_break() {
    check("a\nb  \nc\\\nd\n", "p('a' br 'b' br 'c' br 'd')");
    check("a\nb\n===\n", "h1('a' br 'b')");
}

#[test]
fn a_list_says_whether_it_is_tight_and_its_items_hold_blocks() {
    check("- a *b*\n  - c\n- d\n", "ul(li(p('a ' em('b')) ul(li(p('c')))) li(p('d')))");
    check("3. a\n\n4. b\n", "ol 3 loose(li(p('a')) li(p('b')))");
    check("- [ ] a\n- [x] b\n- c\n", "ul tasks(todo(p('a')) done(p('b')) li(p('c')))");
}

#[test]
fn a_code_block_says_its_language_and_whether_it_is_closed() {
    check("```rust,ignore x\na\n", "pre open [rust]('a⏎')");
    check("```rust\na\n```\n", "pre [rust]('a⏎')");
    check("    a\n", "pre []('a⏎')");
    check("```js\" onload=\"alert(1)\n```\n", "pre [js]()");
    check("```\"><img src=x onerror=alert(1)>\n```\n", "pre []()");
}

#[test]
fn code_stands_in_chunks_of_64_lines() {
    for (lines, expected) in
        [(0, vec![]), (1, vec![1]), (64, vec![64]), (65, vec![64, 1]), (200, vec![64, 64, 64, 8])]
    {
        let code: String = (0..lines).map(|line| format!("line {line}\n")).collect();
        let blocks = parse(&format!("```\n{code}```\n"));
        let chunks: Vec<&str> = blocks[0].children.iter().map(lines_of).collect();
        assert_eq!(chunks.concat(), code);
        assert_eq!(chunks.iter().map(|chunk| chunk.lines().count()).collect::<Vec<_>>(), expected);
    }
}

fn lines_of(node: &Node) -> &str {
    match &node.kind {
        Kind::Lines(text) => text,
        other => panic!("{other:?} in a code block"),
    }
}

#[test]
fn tables_have_aligned_cells() {
    check(
        "|a|b|c|d|\n|-|:-|:-:|-:|\n|1|`x\\|y`|\n",
        "table(header(cell('a') left('b') center('c') right('d')) row(cell('1') left(code 'x|y') center() right()))",
    );
    check("|a|\n|-|\n|1<br>2<BR />3|\n", "table(header(cell('a')) row(cell('1' br '2' br '3')))");
}

#[test]
fn alerts_are_quotes_with_a_kind() {
    check("> [!NOTE]\n> a\n", "mind(p('a'))");
    check("> [!warning] Mind\n> a\n", "warning(p(strong('Mind')) p('a'))");
    check("> [!OTHER]\n> a\n", "quote(p('[!OTHER]' br 'a'))");
}

#[test]
fn html_is_text() {
    check("<div onclick=x>\n<b>a</b>\n\nb\n", "html '<div onclick=x>⏎<b>a</b>' p('b')");
    check("a <b>c</b> d<br>e\n", "p('a <b>c</b> d<br>e')");
    check("<!-- a -->\n", "html '<!-- a -->'");
    for html in [
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "<script>alert(1)</script>",
        "<iframe srcdoc='<p>'></iframe>",
        "<math><mtext></p><img src=x>",
        "<form name=body>",
    ] {
        let text = outline(&parse(html));
        assert!(text.contains(html), "{text}");
        assert!(text.starts_with("html '") || text.starts_with("p('"), "{text}");
    }
}

#[test]
fn emphasis_works_without_spaces_in_east_asian_text() {
    check("**強調。**次\n", "p(strong('強調。') '次')");
    check("~~a~~ *b* __c__\n", "p(del('a') ' ' em('b') ' ' strong('c'))");
}

#[test]
fn images_carry_words_and_only_addresses_of_the_web() {
    check("![a *b*](https://x.y/z.png 't')\n", "p(image https://x.y/z.png 'a b' 't')");
    check("![a](/z.png) ![b](data:image/svg+xml;base64,AA)\n", "p(image none 'a' ' ' image none 'b')");
    check("![a](mailto:b@c.d)\n", "p(image none 'a')");
}

#[test]
fn emphasis_that_nests_too_deep_is_its_words() {
    let text = outline(&parse(&format!("{}a{}\n", "*a **b ".repeat(60), "** *".repeat(60))));
    assert!(text.matches('(').count() < 100, "{text}");
    assert_eq!(text.matches('b').count(), 60, "{text}");
}
