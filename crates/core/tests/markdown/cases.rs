//! What users of other clients complained about, as far as the parser is concerned: the inputs of their reports, each
//! streamed a character at a time, and the right behaviour. The number is the report's in our list.

use crate::tree::outline;
use iris_core::markdown::{Document, Kind, Node, parse, plain_text};

/// Streams a text by `step` characters, holds every prefix to the one-shot tree and gives each to `see`.
fn stream(text: &str, step: usize, mut see: impl FnMut(&str, &[Node])) -> String {
    let mut document = Document::new();
    let chars: Vec<char> = text.chars().collect();
    for chunk in chars.chunks(step) {
        document.push(&chunk.iter().collect::<String>());
        assert!(document.blocks() == parse(document.text()), "{:?}", document.text());
        see(document.text(), document.blocks());
    }
    outline(document.blocks())
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(stream(text, 1, |_, _| ()), expected, "{text:?}");
}

/// B047: marks that are no marks stay what they are, at every prefix and in the end.
#[test]
fn literal_stars_tildes_and_underscores_stay_text() {
    check("a * b * c", "p('a * b * c')");
    check("snake_case_name", "p('snake_case_name')");
    check("20~25°C", "p('20~25°C')");
    // Two of them are GFM's strikethrough, which takes single tildes.
    check("20~25°C and 30~35°C", "p('20' del('25°C and 30') '35°C')");
    check("20\\~25°C and 30~35°C", "p('20~25°C and 30~35°C')");
    check("*it*alic", "p(em('it') 'alic')");
    check("* item\n* other", "ul(li(p('item')) li(p('other')))");
    check("`code **x`", "p(code 'code **x')");
    for unfinished in ["**bold", "***both", "~~gone", "`code", "[text](https://x.example"] {
        let visible = |text: &str, nodes: &[Node]| assert_eq!(plain_text(nodes).trim(), text.trim());
        if !unfinished.starts_with('[') {
            stream(unfinished, 1, |text, nodes| {
                // A line of nothing but marks may be a rule or a list for a moment.
                if text.chars().any(char::is_alphabetic) {
                    visible(text, nodes);
                }
            });
        }
        let html = outline(&parse(unfinished));
        assert!(!html.contains("strong(") && !html.contains("del(") && !html.contains("code '"), "{html}");
    }
}

/// B047: a quote mark after a list marker is a quotation, by CommonMark; a sign before a number is not repaired away.
#[test]
fn a_greater_sign_at_the_start_of_an_item_is_read_as_commonmark_has_it() {
    check("- > 25: expensive", "ul(li(quote(p('25: expensive'))))");
    check("- >= 5", "ul(li(quote(p('= 5'))))");
    check("1. > 3", "ol 1(li(quote(p('3'))))");
    check("- \\>= 5", "ul(li(p('>= 5')))");
}

/// B048: neither a shell's `$$` nor a regular expression's `[^\s]` swallows what comes after its code.
#[test]
fn code_with_dollars_and_brackets_ends_where_its_fence_ends() {
    check(
        "```sh\npstree -p $$\n```\n\nafter $$\n\nend\n",
        "pre [sh]('pstree -p $$⏎') p('after $$') p('end')",
    );
    check("```js\n/[^\\s]+/\n```\n\nafter\n\nend\n", "pre [js]('/[^\\s]+/⏎') p('after') p('end')");
    let mut document = Document::new();
    assert_eq!(
        document.push("```sh\npstree -p $$\n```\n\nafter\n\n").settled,
        2,
        "both are blocks of their own"
    );
}

/// B077: a document only grows; a text that is no extension gets a document of its own, and shows all of it.
#[test]
fn a_rewritten_text_is_another_document() {
    let mut document = Document::new();
    for (text, expected) in
        [("Hello wor", "p('Hello wor')"), ("Hello world", "p('Hello world')"), ("Goodbye", "p('Goodbye')")]
    {
        let more = text.strip_prefix(document.text()).map(str::to_owned);
        let more = more.unwrap_or_else(|| {
            document = Document::new();
            text.to_owned()
        });
        document.push(&more);
        assert_eq!(outline(document.blocks()), expected);
    }
}

/// B161: GFM splits a row at every bar that is not escaped, in code too.
#[test]
fn a_bar_in_a_cell_must_be_escaped_even_in_code() {
    check("|a|b|\n|-|-|\n|`x || y`|z|\n", "table(header(cell('a') cell('b')) row(cell('`x') cell()))");
    check(
        "|a|b|\n|-|-|\n|`x \\|\\| y`|`Union[int\\|str]`|\n",
        "table(header(cell('a') cell('b')) row(cell(code 'x || y') cell(code 'Union[int|str]')))",
    );
}

/// B162: spaces around a table's lines are no reason to show raw bars.
#[test]
fn a_table_may_be_indented_by_three_spaces_and_end_in_spaces() {
    let expected = "table(header(cell('a') cell('b')) row(cell('1') cell('2')))";
    check("| a | b |\n|---|---| \n| 1 | 2 |\n", expected);
    check("   | a | b |\n   |---|---|  \n   | 1 | 2 |  \n", expected);
    check(
        "| a | b |  \n | :-- | --: |\t\n| 1 | 2 |",
        "table(header(left('a') right('b')) row(left('1') right('2')))",
    );
}

/// B167: nested lists keep their depth, their code and their numbers.
#[test]
fn nested_lists_with_code_and_formulas_stay_one_list() {
    let text =
        "1. a\n   - b\n     - c\n\n       ```sh\n       ls\n       ```\n   text\n2. d\n\n   $$x$$\n3. e";
    let mut firsts = Vec::new();
    let shown = stream(text, 1, |_, nodes| {
        // Whatever the prefix, the one list begins at 1.
        if let Some(Node { kind: Kind::List { start, .. }, .. }) = nodes.first() {
            firsts.push(*start);
        }
    });
    assert!(firsts.iter().all(|start| *start == Some(1)), "{firsts:?}");
    assert_eq!(
        shown,
        "ol 1 loose(li(p('a') ul(li(p('b') ul loose(li(p('c') pre [sh]('ls⏎'))))) p('text')) \
         li(p('d') p(display 'x')) li(p('e')))"
    );
}

/// B168: by CommonMark the first bare fence closes the outer one, and what follows is still there.
#[test]
fn a_fence_inside_a_fence_of_the_same_length_closes_it_and_loses_nothing() {
    let text = "Here:\n\n```markdown\n## T\n```\nPIR\n```\n## Out\n```json\n{}\n```\n```\nafter";
    let shown = stream(text, 1, |_, _| ());
    assert_eq!(
        shown,
        "p('Here:') pre [markdown]('## T⏎') p('PIR') pre []('## Out⏎```json⏎{}⏎') pre open []('after')"
    );
    let longer = text.replacen("```markdown", "````markdown", 1).replace("```\nafter", "````\nafter");
    assert_eq!(
        stream(&longer, 1, |_, _| ()),
        "p('Here:') pre [markdown]('## T⏎```⏎PIR⏎```⏎## Out⏎```json⏎{}⏎```⏎') p('after')"
    );
}

/// B170: a message that ends inside a fence has a code block with all of its code, and says that it is open.
#[test]
fn a_message_that_ends_inside_a_fence_shows_its_code() {
    for step in [1, 3] {
        let shown = stream("text\n```py\nprint(1)", step, |_, _| ());
        assert_eq!(shown, "p('text') pre open [py]('print(1)')");
    }
    check("- a\n  ```py\n  print(1)\n\nnext", "ul(li(p('a') pre open [py]('print(1)⏎⏎'))) p('next')");
}

/// B171: a fence needs no blank line before it.
#[test]
fn a_fence_right_below_a_paragraph_keeps_its_lines() {
    check("Do:\n```sh\na\nb\n```\nthen", "p('Do:') pre [sh]('a⏎b⏎') p('then')");
}

/// B173: TeX between backslashed brackets is a formula, dollars in code are dollars.
#[test]
fn formulas_are_read_in_every_spelling_and_code_keeps_its_dollars() {
    check("`$HOME/$USER`", "p(code '$HOME/$USER')");
    check("\\[a=b\\]", "p(display 'a=b')");
    check("so \\(c\\) is", "p('so ' math 'c' ' is')");
    check("`\\(c\\)` and $HOME", "p(code '\\(c\\)' ' and $HOME')");
}

/// B177: a fragment of JSON is code like any other.
#[test]
fn a_fragment_of_json_is_shown_as_it_is() {
    check("```json\n\"a\": 1,\n```", "pre [json]('\"a\": 1,⏎')");
}

/// B180: line ends are breaks in the tree; the text itself is not rewritten for it.
#[test]
fn breaks_come_from_the_tree_and_not_from_a_rewritten_text() {
    check("a\nb\r\nc\rd", "p('a' br 'b' br 'c' br 'd')");
    check("```\na\nb\n```", "pre []('a⏎b⏎')");
    check("| a |\n|---|\n| b |", "table(header(cell('a')) row(cell('b')))");
}

/// B263: emphasis that ends in a full stop of its own, with no space after it.
#[test]
fn strong_text_ends_beside_an_east_asian_full_stop() {
    check("**你好。**世界", "p(strong('你好。') '世界')");
    check("これは**「重要」**です", "p('これは' strong('「重要」') 'です')");
}

/// B014: twenty thousand lines of one paragraph are all there, each with its break.
#[test]
fn a_paragraph_of_twenty_thousand_lines_is_one_paragraph() {
    let text: String = (1..=20_000).map(|n| format!("{n}\n")).collect();
    let mut document = Document::new();
    for chunk in text.as_bytes().chunks(4_096) {
        document.push(std::str::from_utf8(chunk).unwrap());
    }
    assert!(document.blocks() == parse(&text));
    assert_eq!(document.blocks().len(), 1);
    assert_eq!(document.blocks()[0].children.len(), 39_999);
}

/// B192: an image in a data address is its words, and never a wall of letters, not even while it comes.
#[test]
fn an_image_in_a_data_address_is_its_words() {
    let text = format!("![chart](data:image/png;base64,{})", "iVBORw0KGgo".repeat(9_000));
    let mut longest = 0;
    let shown = stream(&text, 9_000, |_, nodes| longest = longest.max(plain_text(nodes).len()));
    assert_eq!(shown, "p(image none 'chart')");
    assert!(longest < 4_500, "{longest} letters of it were shown");
}

/// B194: whatever is in the text comes out as text, and NUL as the replacement character.
#[test]
fn strange_characters_are_text() {
    let combining = format!("a{} b", "\u{301}".repeat(500));
    for text in [combining.as_str(), "\u{7} \u{1b}[31m", "\u{202e}abc \u{2066}d", "a\u{feff}b\u{2028}c"] {
        check(text, &format!("p('{text}')"));
    }
    check("a\0b", "p('a\u{fffd}b')");
}

/// B020, B009, B174: a language, a diagram or a formula that is not all there yet is harmless.
#[test]
fn half_a_language_half_a_diagram_and_half_a_formula_are_harmless() {
    let mut seen = Vec::new();
    stream("```rust\nfn main(){}\n```", 1, |_, nodes| {
        if let Some(Node { kind: Kind::CodeBlock { lang, .. }, .. }) = nodes.first() {
            seen.push(lang.clone());
        }
    });
    seen.dedup();
    assert_eq!(seen, ["", "r", "ru", "rus", "rust"]);
    check("```not-a-lang\nx\n```", "pre [not-a-lang]('x⏎')");
    check("```mermaid\ngraph TD;\nA-->B\n```\n\nafter", "pre [mermaid]('graph TD;⏎A-->B⏎') p('after')");
    let formula = format!("$$\\begin{{align}} {} \\end{{align}}$$", "a &= b \\\\\\\\ ".repeat(200));
    let mut formulas = 0;
    stream(&formula, 20, |text, nodes| {
        let is_formula = outline(nodes).contains("display ");
        assert!(!is_formula || text.ends_with("$$"), "a formula before its end");
        formulas += usize::from(is_formula);
    });
    assert_eq!(formulas, 1);
}
