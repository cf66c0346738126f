//! The inputs: the specifications' examples, comrak's own tests, cases written against the rule, real documents, random
//! ones.

use serde_json::{Map, Value};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/markdown")
}

fn fixture(name: &str) -> String {
    fs::read_to_string(folder().join(name)).expect(name)
}

/// The examples of a specification: what stands between a line of 32 backticks with `example` and a line `.`.
fn examples(name: &str) -> Vec<String> {
    let text = fixture(name);
    let fence = "`".repeat(32);
    let mut examples = Vec::new();
    for part in text.split(&format!("\n{fence} example")).skip(1) {
        let (_, body) = part.split_once('\n').expect("an example has a body");
        let body = format!("\n{body}");
        let (input, _) = body.split_once("\n.\n").expect("an example has a dot");
        examples.push(format!("{}\n", input.trim_start_matches('\n')).replace('→', "\t"));
    }
    examples
}

pub(crate) fn commonmark() -> Vec<String> {
    let examples = examples("commonmark-0.31.2.txt");
    assert_eq!(examples.len(), 652);
    examples.into_iter().map(absolute).collect()
}

pub(crate) fn gfm() -> Vec<String> {
    let examples = examples("gfm-0.29.txt");
    assert_eq!(examples.len(), 672);
    examples.into_iter().map(absolute).collect()
}

/// A relative address is no link here, and would hide where it leads: it gets a scheme.
fn absolute(text: String) -> String {
    ["]: /", "]:\n/", "]: </", "](/", "](</"]
        .iter()
        .fold(text, |text, before| text.replace(before, &before.replace('/', "https://x.example/")))
}

pub(crate) fn comrak() -> Vec<String> {
    let inputs: Vec<String> = serde_json::from_str(&fixture("comrak-0.59.0.json")).expect("a JSON array");
    assert_eq!(inputs.len(), 1576);
    inputs.into_iter().map(absolute).collect()
}

/// Real documents, taken from packages whose licences allow it.
pub(crate) fn documents() -> Vec<String> {
    let entries: Vec<Map<String, Value>> =
        serde_json::from_str(&fixture("documents.json")).expect("an array");
    assert_eq!(entries.len(), 118);
    let text = |entry: &Map<String, Value>| entry["text"].as_str().expect("a text").to_owned();
    entries.iter().map(text).collect()
}

/// Answers as models write them: code, tables, formulas, citations, other scripts.
pub(crate) fn written_answers() -> Vec<String> {
    let folder = folder().join("answers");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("the answers").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert_eq!(files.len(), 10);
    files.iter().map(|file| fs::read_to_string(file).expect("an answer")).collect()
}

/// Cases that a wrong rule gets wrong. Each line of comment names the correction that a group is for.
pub(crate) fn adversarial() -> Vec<String> {
    let mut cases: Vec<String> = [
        // A table cut out of a paragraph: its header line alone is something else.
        "abc\n    | a | b |\n|---|---|\n| 1 | 2 |\n\nend\n",
        "abc\n2. | a |\n|---|---|\n| 1 | 2 |\n\nend\n",
        "abc\n<b> | c\n---|---\n1|2\n\nend\n",
        "abc\n-|-\n-|-\n1|2\n\nend\n",
        "abc\n===|b\n---|---\n1|2\n\nend\n",
        "[a]: /u\n    | a | b |\n|---|---|\n| 1 | 2 |\n\n[a]\n",
        "[a]\n    | [b] | c |\n|---|---|\n| 1 | 2 |\n\n[a]: /u\n\n[b]: /v\n",
        // How a list was closed: a definition as its last child still counts for looseness, and does not when it is
        // parsed alone.
        "- a\n- b\n\n  [x]: /u\n- c\n\nend\n",
        "- a\n- b\n\n  [x]: /u\n\nend\n",
        "- [q]\n- b\n\n  [x]: /u\n# h\n\n[q]: /q\n",
        "- [q]\n- b\n\n  [x]: /u\n\npara\n\n[q]: /q\n",
        "1. [q]\n2. b\n\n   [x]: /u\n***\n\n[q]: /q\n",
        "- [q]\n\n  [x]: /u\n- b\n```\nx\n```\n\n[q]: /q\n",
        "> - [q]\n> - b\n>\n>   [x]: /u\n\n# h\n\n[q]: /q\n",
        // References reach back, and the first definition wins.
        "[a]\n\n[a]:\n/u\n'ti\ntle'\n\nend\n",
        "[a][b]\n\n[a]: /1\n\nx\n\n[b]: /2\n\ny\n",
        "[x [a] y](z)\n\np\n\n[a]: /1\n",
        "[x [a] y][b]\n\np\n\n[b]: /2\n\n[a]: /1\n\nend\n",
        "# [a]\n\n- [a]\n\n  [a]\n- b\n\npara\n\n> [a]: /deep\n\nend\n",
        "[a]\n\np\n\n[a]: /1\n\n[a]: /2\n\n[A]\n",
        "[a]: /1\n\n[a]\n\n# h\n\n[a]: /2\n\n[a] [A]\n\n[b]\n\n[b]: /3 \"t\"\n",
        "[a]: /1 '\\' &amp; \"q\"'\n\nx\n\n[a]: /2\n[a]\n\n[a]\n",
        "[a]: <b c\\\\> (t)\n\n***\n\n[a]: /2\n[a]\n",
        "| [a] | [b] |\n|---|---|\n| [c] | x |\n\nend\n\n[a]: /1\n[b]: /2\n[c]: /3\n",
        "> [q\n> r]\n\nend\n\n> [q\n> r]: /u\n\nend\n",
        "[> r]\n\nend\n\n> [\n>     > r]: /u\n\nend\n",
        "[Straẞe]\n\nend\n\n[STRASSE]: /u\n\nend\n",
        "![a]\n\n![b][a]\n\nend\n\n[a]: http://x.y/z.png \"t\"\n",
        "`[a]` [a]\n\n[b](\n\n[a]: /u\n\n[b]: /v\n",
        "[a]\n\n```\n[a]: /code\n\n[a]: /code2\n```\n\n[a]: /real\n\nend\n",
        "[a]\n\n<div>\n[a]: /html\n\n[a]: /real\n\nend\n",
        "[foo]: /url 'title\nnot closed\n\n[foo]\n\n[foo]: /2\n",
        "[a]\n\n[a]: /u\n===\n\n[a]\n\nend\n",
        "[a]: /u\n[b]: /v\ntext [a] [b]\n\n[b]\n# h [a]\n[a]: /w\n",
        "[\u{e9}\u{301}\\]x]\n\nend\n\n[\u{e9}\u{301}\\]X]: /u\n",
        "[1] and [2].\n\nMore [1].\n\n- x [2]\n- y\n\n[1]: https://a.example\n[2]: https://b.example 'B'\n",
        // A label that has been found gets an address, lines later.
        "[a]: /1\n\nb\n[a](/2\n'c\nd\ne') f\ng\nh\n",
        "[a]: javascript:x\n\nb\n[a](\n/2\n(c\nd) e\nf) ![a](/2 \"c\nd\ne\") f\ng\nh\n",
        "b[^1](/2\n'c\nd\ne') f\ng\nh\n\n[^1]: n\n",
        // What has been text is a definition when its title ends, lines later.
        "[a]: /1\n\n[a]: /2 'b\nc\nd\ne'\n\n[a]\n",
        "[a]: /1\n\n [a]: /2 'b\nc\nd\ne'\n\n[a]\n",
        "[a]: javascript:x\n\n   [a]: /2\n (b\nc\nd\ne)\nf\n",
        // One long line: it gets an address, an end of its formula, and becomes the header of a table.
        "[a]: /1\n\nb [a](/2 \"many words that go on for longer than it takes until some are not parsed again\") c\n",
        "b \\(many words that go on for longer than it takes until some of them are not parsed again\\) c\n",
        "head | many words that go on for longer than it takes until some are not parsed again | c\n:-|-|-\n1|2|3\n",
        // The incomplete line settles nothing.
        "abc\n***\nx\n",
        "abc\n***x\n",
        "abc\n``` a`b\nx\n",
        "abc\n#x\n# x\n",
        "abc\n|-|\n|-|x\n",
        "abc\n---x\n",
        "abc\n===x\n\ny\n",
        "```\ncode\n```x\nmore\n```\nend\n",
        "~~~~\na\n~~~\n~~~~~ \nb\n",
        "```\ncode\n``` \n\nend\n",
        "> ```\n> a\n> ```b\n> ```\nc\n",
        "> a\nb\n\nc\n> d\n",
        "- a\n-b\n- c\n",
        "1. a\n1. b\n2) c\n- d\n* e\n",
        "- a\n\n      code\n\n- b\n\n\n\npara\n",
        "    code\n\n\n    more\n\n\nend\n",
        "<div>\n\n<pre>\n\nx\n</pre>\n\ny\n",
        "<!--\n\nx\n\n-->\ny\n\nz\n",
        "<!-- a -->\n<!-- b\n\n-->c\n\nd\n",
        "<x>\na\n\n<y\n\nb\n",
        // What goes on inside an open block: a table without rows ends as if in a blank line; tabs; other items' widths.
        "1. a\n1. b\n   | - |\n   ===\n   # h\n1. c\n",
        "- a\n- |b|\n  |-|\n  # h\n- c\n",
        "- ```\n     \n   \t```\nend\n",
        "> ```\n> \tcode\n>\tcode\n> \t```\n> ```\nend\n",
        "10. ```\n    a\n\n\n    b\n   c\nend\n",
        "-   a\n\n        code\n\n    b\n- c\n",
        "- a\n\n  - b\n\n    - c\n      - d\n\n      e\n\n    f\n- g\n",
        "- a\n\n  * * *\n\n  ---\n  [ ] b\n\n  [x] c\n- [ ] d\n",
        "> a\n>\n> [!NOTE]\n> b\n>\n> > [!TIP]\n> > c\n> d\n",
        "> [!NOTE] T\n> a\n>\n> | b |\n> |---|\n> | c |\n>\n> d\n> | e |\n> |---|\n> f\ng\n",
        "> - a\n> - b\n>\n>   [x]: /u\n> - c\n\n[x]\n",
        "1. a\n   text\n   | b |\n   |---|\n   | c |\n   d\n\n   e\n2. f\n",
        "- a\n- b\n\n-c\n\n- d\n- e\n\n* f\n",
        // Alerts and tasks are known by a line that may still grow.
        "> [!NOTE]\n> a\n\n> [!TIP]x\n> b\n\n> [!WARNING] Mind\n> c\n\nend\n",
        "> [!note]\nlazy\n\n>[!CAUTION]\n\nend\n",
        "- [ ] a\n- [x] b\n- [y] c\n- [ ]d\n\n1. [X] e\n2. f\n\nend\n",
        "- a\n- b\n- [ ] c\n",
        "- [x] a\n- [ ] b\n\npara\n\n[x]: https://x.x\n\nend\n",
        "1. a\n   - [x] b\n   - [X]\n2. [x]\n\n# h\n\n[X]: https://x.x\n\nend\n",
        // Line ends, byte order marks, NUL.
        "\u{feff}a\n\n\u{feff}# b\n\n\u{feff}c\n",
        "\u{feff}\u{feff}[a]: /u\n\n[a]\n",
        "# a\n\u{feff}# b\n\u{feff}\n\u{feff}",
        "a\r\n\r\n# b\r# c\r\r\nd\re\r\n\n\r",
        "```\r\na\r\n```\r\nb\r\n",
        "a\0b\n\n[a\0]\n\n[a\0]: /\0\n",
        " \n\t\n\n  \n",
        "\n\n\na\n\n\n",
        // Autolinks, entities, escapes, breaks.
        "www.a.example/x)\nhttps://b.example.\nc@d.example\n\n<https://e.example> <f@g.example>\n",
        "a  \nb\\\nc\nd&amp;&#x41;&nosuch;\\*\n",
        "**強調。**次と~~取消~~と*斜体*\n\n*a**b*c**\n",
        "|a|b|\n|:-|-:|\n|1<br>2|`x\\|y`|\n|[a]|\n\n[a]: /u\n",
    ]
    .map(|case| absolute(case.to_owned()))
    .into();
    // The budget: comrak hands out no more bytes of addresses than the text has.
    let long = format!("[a]: https://e.example/{}\n", "x".repeat(80));
    cases.push(format!(
        "{long}\n[a] [a] [a]\n\nb [a]\n\n# [a]\n\n> [a] [b]\n\nend\n\n{long}\n[b]: /b\n\n[a]\n"
    ));
    cases.push(format!("[a] [a] [a]\n\n{long}\n[a]\n\nx\n\n[a]\n"));
    cases.push(format!("[a]: {}\n\n[a] [a]\n\nend\n", "&nGt;".repeat(12)));
    // Shapes that are shown as their source.
    cases.push(format!("{} a\n{} b\n\nc\n\n[x]: /u\n", ">".repeat(45), "> ".repeat(45)));
    cases.push(format!("{}a\n\n# [x]\n\n{}b\nlazy\n\n[x]: /u\n", "- ".repeat(50), "> - ".repeat(30)));
    cases.push(format!("{}a{}\n\nend\n", "*a **b ".repeat(30), "** *".repeat(30)));
    let wide = |cell: &str| format!("|{}\n", format!("{cell}|").repeat(102));
    cases.push(format!("abc\n{}{}{}\nend\n", wide(""), wide("-"), wide("")));
    cases
}

/// Documents with footnotes, which no specification of the others has. Each line of comment says what may go wrong.
pub(crate) fn footnotes() -> Vec<String> {
    let mut cases: Vec<String> = [
        // Before and after; resolved late; never resolved; numbers by the first reference.
        "A fact.[^1]\n\nMore.\n\n[^1]: The source.\n\nend\n",
        "[^1]: The source.\n\nA fact.[^1]\n",
        "A[^1] and B[^2] and C[^3].\n\n[^2]: two\n[^1]: one\n\nend\n",
        "A[^b]\n\nB[^a]\n\n# C[^b]\n\n[^a]: first defined\n\n[^b]: first used\n\nend[^a]\n",
        "A[^x] B[^y].\n\n[^z]: nothing leads here\n\nend\n",
        "[^1]: one\n[^2]: two\n\n[^3]: three\n\ntext[^3] and[^1]\n\nmore[^2]\n",
        // Repeated references, duplicate definitions, names that are equal.
        "a[^n] b[^n]\n\nc[^n]\n\n[^n]: note\n\nd[^n]\n",
        "a[^n]\n\n[^n]: first\n\n[^n]: second\n\nb[^n]\n\n[^m]: third\n",
        "a[^Note] b[^NOTE] c[^straẞe]\n\n[^note]: n\n\n[^STRASSE]: s\n",
        "a[^a b] c[^a\u{a0}b]\n\n[^a\u{a0}b]: blanks\n\n[^a b]: text\n",
        // References and definitions inside of notes.
        "a[^1]\n\n[^1]: see[^2]\n[^2]: and back[^1]\n\nend\n",
        "a[^1]\n\n[^1]: one\n    [^2]: inside\n\n    more[^2]\n\nend\n",
        "a[^1]\n\n[^1]: [^2]: [^3]: deep\n\nb[^3] c[^2]\n",
        "a[^self]\n\n[^self]: again[^self]\n",
        // Notes of several blocks, and what ends them.
        "a[^1]\n\n[^1]: one\n\n    two\n\n    - three\n    - four\n\n    ```\n    five\n\n    ```\nend\n",
        "a[^1]\n\n[^1]:\n    | b |\n    |---|\n    | c[^2] |\n\n[^2]: two\nlazy\n\nend\n",
        "a[^1]\n\n[^1]: one\n  \n    not two\n\n\tthree\n",
        "a[^1]\n[^1]: right below\nlazy\n# h\n",
        "[^1]: one\n===\n\n[^2]: two\n***\n[^3]:\n\n[^4]:x\n[^1] [^2] [^3] [^4]\n",
        // In tables, lists, quotations, tasks, headings, links and emphasis.
        "| a[^1] | b |\n|---|---|\n| c[^2] | `[^1]` |\n| d[^1] | [^p\\|q] |\n\n[^2]: two\n[^1]: one\n[^p|q]: bar\n",
        "- a[^1]\n- b\n\n  [^1]: in the item\n\n      more of it\n- c[^1]\n\nend\n",
        "1. a[^1]\n2. [ ] b[^2]\n   [^2]: two\n3. c\n\n[^1]: one\n\nend\n",
        "> a[^1]\n>\n> [^1]: in the quotation\n>\n>     more\n> b\n\nend[^1]\n",
        "> [!NOTE] T[^1]\n> a[^1]\n> > [^1]: deep\n> lazy\n\nend\n",
        "# h[^1]\n\nx[^2]\n---\n\n[^1]: one\n\n[^2]: two\n",
        "**a[^1]** *[^2]* ~~b[^3]~~ [l[^1]](https://l.x) [r[^2]][r]\n\n[^1]: one\n[^2]: two\n[^3]: three\n\n[r]: https://r.x\n",
        "![i[^1]](https://i.x) ![i[^1]][r] ![^1] [^1][r] [^1](https://u.x) [^1][]\n\n[^1]: one\n\n[r]: https://r.x\n",
        // Code, escapes, entities, HTML, formulas, addresses and marks are no names, or not what they look like.
        "`[^1]` and\n\n```\n[^1]: code\n\n[^\\s]\n```\n\n    [^1]: indented\n\na[^1]\n\n[^1]: note\n",
        "\\[^1] [\\^1] [^1\\] [^a&amp;b] [^a\\*b] [^&#97;]\n\n[^1]: one\n[^a&b]: and\n[^a*b]: star\n[^a]: letter\n",
        "[^*a*] [^_b] **[^c**] [^<b>] [^`d`] [^$e$] [^https://f.x]\n\n[^*a*]: a\n[^_b]: b\n[^c**]: c\n[^<b>]: h\n[^`d`]: d\n[^$e$]: e\n[^https://f.x]: f\n",
        "https://a.x/[^1] b@c.dd[^1] www.d.x[^&#49;]\n\n[^1]: one\n",
        "[^a\nb] [^ a] [^a ] [^] [^^] [^[x]] [[^y]] [^]]\n\n[^^]: caret\n[^a]: a\n[^y]: y\n[^x]: x\n",
        "[^a]:\n[^b]: \n[^c]\n[^d] : no\n[^e]:\tyes\n\n[^a] [^b] [^c] [^d] [^e]\n",
        // Links of the same name, and definitions of both kinds in a row.
        "[^1] [a]\n\n[a]: https://a.x\n     [^1]: https://n.x\n\n[^1]: note\n\nb[^1]\n",
        "[a]: https://a.x\n     [^1]: https://n.x\n\n[^1]\n\n# h\n\n[a]: https://b.x\n     [^1]: https://m.x\n[^1] [a]\n",
        "[^a\nb]: https://a.x\n\n[^a b]\n\n[^a b]: https://b.x\n",
        "[a][^1] [b]\n\n[a]: https://a.x\n[^1]: one\n[b]: https://b.x\n\nend\n",
        // A table cut out of a paragraph, a list's looseness, line ends and marks of order around notes.
        "abc[^1]\n    | a[^1] | b |\n|---|---|\n[^1]: note\n\nend\n",
        "- a\n- b\n\n  [^1]: note\n- c[^1]\n- d\n",
        "a[^1]\r\n\r\n[^1]: one\r\n\r\n    two\r\rend\r\n",
        "\u{feff}[^1]: one\n\n\u{feff}[^2]: two\n\n[^1] [^2] [^\0]\n\n[^\0]: nul\n",
    ]
    .map(str::to_owned)
    .into();
    // Names longer than any, and notes deeper than any.
    let long = "n".repeat(300);
    cases.push(format!("a[^{long}] b\n\n[^{long}]: note\n\nc[^{long}]\n"));
    cases.push(format!("a[^9]\n\n{}deep\n\nend\n", (0..60).map(|n| format!("[^{n}]: ")).collect::<String>()));
    cases
}

/// What a model writes.
pub(crate) fn answers() -> Vec<String> {
    let section = |n: usize| {
        format!(
            "## Section {n}\n\nAn introduction with **bold**, *em*, `code` and a [link](https://example.com/{n}).\n\
             It goes on, see [the notes][n{n}] and [later].\n\n- first point\n- second, with `inline`\n  \
             - nested a\n  - nested b\n- third\n\n```python\ndef f_{n}(x):\n    return x * {n}\n\nprint(f_{n}(3))\n```\n\n\
             | a | b | c |\n|---|:-:|--:|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n\n1. step one\n2. step two\n\n   with detail\n\
             3. step three\n\n> quoted line\n> more\n\n[n{n}]: https://example.com/notes/{n} \"Notes\"\n\n"
        )
    };
    let joined: String = (0..3).map(section).collect();
    vec![section(0), format!("{joined}[later]: https://example.com/later\n\nDone.\n")]
}

/// A small generator, so that every run tests the same documents.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % bound
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const INDENTS: &[&str] = &[
    "", "", "", "", "", " ", "  ", "   ", "    ", "     ", "\t", "> ", "- ", "1. ", ">", "      ", "> > ",
    "-\t",
];

const LINES: &[&str] = &[
    "",
    "",
    "",
    "abc",
    "d *e* f",
    "- a",
    "* b",
    "+ g",
    "1. c",
    "2. i",
    "2) d",
    "10. e",
    "-",
    "1.",
    "> q",
    "> - x",
    ">",
    "```",
    "```rs",
    "~~~",
    "````",
    "code",
    "| a | b |",
    "| 1 | 2 |",
    "|---|---|",
    "| - |",
    "a | b",
    "--- | ---",
    "---",
    "===",
    "***",
    "- - -",
    "# h",
    "## h ##",
    "<div>",
    "</div>",
    "<!-- c",
    "-->",
    "<b>",
    "<script>",
    "</script>",
    "<?x",
    "?>",
    "[foo]",
    "[foo]: https://u.x",
    "[foo]:",
    "http://v.x",
    "'title'",
    "\"t",
    "[bar][foo]",
    "[foo][bar]",
    "[x [foo] y](http://z.x)",
    "![foo]",
    "[bar]: https://b.x 'x",
    "y'",
    "[BAR]: <https://c.x> (t)",
    "[b\u{e4}r\\]]: https://d.x/\u{e4}",
    "[B\u{c4}R\\]]",
    "[foo",
    "bar]: https://e.x",
    "bar]",
    "- [ ] t",
    "- [x] u",
    "> [!NOTE]",
    "> [!TIP] t",
    "`code",
    "**b",
    "c**",
    "\\",
    "&amp;",
    "https://x.example",
    "www.y.example",
    "  ",
    "~~s",
    "s~~",
    "\u{65e5}\u{672c}**\u{8a9e}\u{3002}**",
    "\u{1f980}",
    "\u{feff}",
    "a\0b",
    "[^1]",
    "[^1]: note",
    "[^2] [^1]",
    "[^2]: n2",
    ">>>",
    "$$",
    "$a",
    "b$",
    "\\[",
    "\\]",
];

/// Words of a paragraph: marks that find their partner, and marks that do so later or never.
const TEXT: &[&str] = &[
    "abc",
    "def ghi",
    "j *k* l",
    "**m** n",
    "`o` p",
    "q  ",
    "r\\",
    "a * b",
    "*b",
    "c*",
    "**d",
    "e**",
    "`f",
    "g`",
    "~~h",
    "i~~",
    "$j",
    "k$",
    "\\(l",
    "m\\)",
    "[foo]",
    "[bar][foo]",
    "[foo](/a",
    "[foo](/b(c) \"d",
    "**[foo](e** (f",
    "[^1](/g 'h\\' i",
    "\"",
    "\") j",
    "') k)",
    "(l) m)",
    "[x](https://u.x \"t\")",
    "[y",
    "z](https://v.x)",
    "![a `b](https://w.x)",
    "[^1] c",
    "<b>",
    "<c",
    "d>",
    "https://e.x",
    "f@g.hh",
    "h_i",
    "_j k_",
    "&amp; l",
    "\u{65e5}",
    "    four",
    "2. x",
    "[foo]: https://f.x",
    "'title'",
    "| a | b |",
];

/// Documents of long paragraphs, and of long runs of definitions: marks that find their partner lines later or never,
/// and everything that makes something else of the lines above.
pub(crate) fn paragraphs(seed: u64, count: usize) -> Vec<String> {
    const OTHER: &[&str] = &[
        "|---|---|",
        "| - |",
        "===",
        "---",
        "- a",
        "1. b",
        "# h",
        "> q",
        "```",
        "<div>",
        "***",
        "",
        "[^1]: n",
        "|",
    ];
    const DEFINITIONS: &[&str] = &[
        "[foo]: https://f.x",
        "[bar]: <https://b.x> 't'",
        "[baz]:",
        "https://z.x",
        "[q]: https://q.x \"t",
        "u\"",
        "'title'",
        "[foo]: https://again.x",
        "[a][foo] [bar]",
        "  [i]: https://i.x",
        "[j] : no",
        "[k]: https://k.x x",
        "[^2]: n",
        "[l",
        "m]: https://l.x",
        "[q]: https://q.x",
        "[n]: https://n.x",
        "[o]: https://o.x",
        "[p]: https://p.x",
    ];
    let mut random = Random::new(seed);
    let mut document = || {
        let mut text = match random.below(6) {
            0 | 1 => "[foo] [bar] [q] [n] [l m]\n\n",
            2 => "[foo]: https://f.x\n\n",
            3 => "[foo]: javascript:f\n\n[^1]: n\n\n",
            _ => "",
        }
        .to_owned();
        let lines = if random.below(3) == 0 { DEFINITIONS } else { TEXT };
        for _ in 0..3 + random.below(12) {
            let from = if random.below(14) == 0 { OTHER } else { lines };
            text.push_str(random.pick(from));
            text.push('\n');
        }
        text
    };
    (0..count).map(|_| document()).collect()
}

/// Documents of few long lines: marks that find their partner many words later or never, and lines that become something
/// else when they are complete.
pub(crate) fn long_lines(seed: u64, count: usize) -> Vec<String> {
    const BEGINNINGS: &[&str] = &["", "", "", "+", "1.", "2.", "-", ":-", "|", "[", "    ", "***", "==="];
    const BETWEEN: &[&str] =
        &[" ", " ", " ", " ", "  ", "\t", "\u{a0}", "", "\u{ff0c}", "\u{3001}", "\u{3002}"];
    const CELLS: &[&str] = &["- | ", ":- | ", "-: | ", ":-: | "];
    const PLAIN: &[&str] =
        &["abc", "def ghi", "l, m.", "12%", "\u{65e5}\u{672c}\u{8a9e}", "a: b", "n-o", "x | y"];
    let mut random = Random::new(seed);
    let mut document = || {
        // Few marks, or else one of them always waits.
        let (lines, marked) = (1 + random.below(3), random.below(12));
        let mut text = String::new();
        for _ in 0..lines {
            text.push_str(random.pick(BEGINNINGS));
            let (words, cells) = (random.below(45), random.below(25) + 2);
            match random.below(12) {
                0 => {
                    text.extend((0..cells).map(|_| random.pick(CELLS)));
                    continue;
                }
                // A header, with one cell for each of its words.
                1 => {
                    text.extend((0..cells).map(|_| format!("{} | ", random.pick(&PLAIN[..3]))));
                    text.push('\n');
                    text.extend((0..cells).map(|_| random.pick(CELLS)));
                }
                _ => {}
            }
            for _ in 0..words {
                text.push_str(random.pick(BETWEEN));
                let from = if random.below(12) < marked { TEXT } else { PLAIN };
                text.push_str(random.pick(from));
            }
            text.push('\n');
        }
        text
    };
    (0..count).map(|_| document()).collect()
}

/// Documents of random lines in random containers.
pub(crate) fn random_lines(seed: u64, count: usize) -> Vec<String> {
    let mut random = Random::new(seed);
    let mut document = || {
        let mut text = String::new();
        for _ in 0..2 + random.below(10) {
            text.push_str(random.pick(INDENTS));
            if random.below(8) == 0 {
                text.push_str(random.pick(INDENTS));
            }
            text.push_str(random.pick(LINES));
            text.push_str(match random.below(320) {
                0..8 => "\r\n",
                8 => "\r",
                _ => "\n",
            });
        }
        text
    };
    (0..count).map(|_| document()).collect()
}

/// Documents joined from short inputs of the other corpora.
pub(crate) fn concatenations(seed: u64, count: usize) -> Vec<String> {
    joined(seed, count, 2..6)
}

/// The same, of many inputs each: a document with a past.
pub(crate) fn long_concatenations(seed: u64, count: usize) -> Vec<String> {
    joined(seed, count, 20..40)
}

fn joined(seed: u64, count: usize, inputs: Range<usize>) -> Vec<String> {
    let all: Vec<String> = [commonmark(), gfm(), comrak(), adversarial()].concat();
    let short: Vec<&str> = all.iter().map(String::as_str).filter(|input| input.len() < 150).collect();
    let mut random = Random::new(seed);
    let mut document = || {
        let mut text = String::new();
        for _ in 0..inputs.start + random.below(inputs.len()) {
            text.push_str(random.pick(&short));
            text.push_str(random.pick(&["", "\n", "\n", "\n\n", "\n> ", "\n  ", "\n    ", "\n- "]));
        }
        text
    };
    (0..count).map(|_| document()).collect()
}

/// Documents of blocks inside of blocks, now and then with a line that has lost its beginning.
pub(crate) fn nested(seed: u64, count: usize) -> Vec<String> {
    let mut random = Random::new(seed);
    let mut document = || {
        let mut lines = Vec::new();
        for _ in 0..1 + random.below(3) {
            lines.extend(block(&mut random, 0));
            if random.below(3) > 0 {
                lines.push(String::new());
            }
        }
        let mut text = String::new();
        for line in lines.into_iter().take(24) {
            let lost = if random.below(40) == 0 { random.below(4) } else { 0 };
            text.extend(line.chars().skip(lost));
            text.push('\n');
        }
        text
    };
    (0..count).map(|_| document()).collect()
}

/// The lines of a block.
fn block(random: &mut Random, depth: usize) -> Vec<String> {
    match random.below(if depth < 3 { 8 } else { 4 }) {
        0 => (0..1 + random.below(3)).map(|_| random.pick(LINES).to_owned()).collect(),
        1 => vec![random.pick(&["a [foo] b", "# h", "***", "[foo]", "[x] y", "    code", "text"]).to_owned()],
        2 => {
            let fence = random.pick(&["```", "~~~~", " ```", "```rs"]);
            let code = ["x", "", "  y", "\tz", "``", " ```", "[foo]: /u", "> q", "   "];
            let mut lines = vec![fence.to_owned()];
            lines.extend((0..random.below(6)).map(|_| random.pick(&code).to_owned()));
            if random.below(4) > 0 {
                lines.push(fence.trim_end_matches("rs").to_owned());
            }
            lines
        }
        3 => {
            let rows = ["| 1 | 2 |", "| [foo] |", "c", "|", "- d", "|`e`| f | g |"];
            let mut lines = vec!["| a | b |".to_owned(), "|---|:-:|".to_owned()];
            lines.extend((0..random.below(5)).map(|_| random.pick(&rows).to_owned()));
            if random.below(3) == 0 {
                lines.insert(0, "above".to_owned());
            }
            lines
        }
        4 => inside(random, depth, random_quote),
        _ => {
            let marker = random.pick(&["- ", "1. ", "*   ", "  + ", "10) ", "- "]);
            let mut lines = Vec::new();
            for _ in 0..1 + random.below(3) {
                let mut first = true;
                lines.extend(inside(random, depth, |_| "").into_iter().map(|line| {
                    let before = if first { marker.to_owned() } else { " ".repeat(marker.len()) };
                    first = false;
                    if line.is_empty() { line } else { format!("{before}{line}") }
                }));
                if random.below(3) == 0 {
                    lines.push(String::new());
                }
            }
            lines
        }
    }
}

fn random_quote(random: &mut Random) -> &'static str {
    random.pick(&["> ", "> ", "> ", ">"])
}

/// Some blocks, with something before each line.
fn inside(random: &mut Random, depth: usize, before: fn(&mut Random) -> &'static str) -> Vec<String> {
    let mut lines = Vec::new();
    for _ in 0..1 + random.below(3) {
        lines.extend(block(random, depth + 1));
        if random.below(2) == 0 {
            lines.push(String::new());
        }
    }
    lines.into_iter().map(|line| format!("{}{line}", before(random))).collect()
}
