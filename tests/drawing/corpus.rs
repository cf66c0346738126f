//! Texts that the tests of the drawing share.

/// Markdown of every kind, as an agent writes it and as nobody should.
pub(crate) const DOCUMENTS: &[&str] = &[
    "Plain words.\nA second line.\n\nAnother paragraph, with *emphasis*, **strong**, ~~gone~~ and `code`.",
    "# Title\n\nText\n\nSetext\n======\n\nagain\n---\n\n***\n\n###### small",
    "- one\n- two\n  - deep\n\n    loose now\n- three\n\n1. first\n2. second\n\n7) seventh",
    "- [ ] to do\n- [x] done\n- plain\n\n* [x] a\n\n  b",
    "> quoted\n> more\n> > deeper\n\n> [!NOTE]\n> An alert.\n>\n> - with a list\n\n> [!CAUTION]\n> Careful",
    "```rust\nfn main() {\n\n    println!(\"x\");\n}\n```\n\nafter\n\n    indented\n    code\n\n~~~\nopen",
    "1. In a list:\n\n   ```html\n   <p>x</p>\n   ```\n\n2. Then more.",
    "| a | b | c |\n|:--|:-:|--:|\n| 1 | **2** | `3` |\n| 4 |\n\nafter the table",
    "words\n| a | b |\n|---|---|\n| 1 | 2 |",
    "See [here](https://example.com/a?b=c \"its title\"), <https://example.org>, [good.com](https://evil.example/x) and mail <a@b.example>.",
    "An image ![a cat](https://example.com/cat.png \"t\") and [![in a link](https://example.com/i.png)](https://example.com).",
    "Early [ref] and [other][ref], with a [late one].\n\nMore words that settle it.\n\n- an item with [ref]\n\n[ref]: https://example.com/ref 'R'\n\nThe end.\n\n[late one]: https://example.com/late\n",
    "One fact[^b], another[^a] and none[^c], in a [link[^a]](https://example.com).\n\n| a[^a] |\n|---|\n\n[^a]: First *defined*.\n[^b]: First used.\n\n    - a list\n\n> [^d]: Not used\n\nThe end[^d].\n",
    "<div class=\"x\">\n  <b>HTML</b>\n</div>\n\nand <i>inline</i> <!-- comment --> text",
    "Emoji 👩‍👩‍👧, flags 🇩🇪🇫🇷, accents e\u{301}, Hangul 한국어, العربية, and \u{0}.",
    "Line one\r\nline two\r\n\r\nA paragraph\r\r- item\r- item",
    "A [link](#anchor), a [bad](javascript:alert(1)) one, a **bold [link in](https://example.com) text**.",
    "```math\n\\frac{a}{b}\n\nc\n```\n\n- in a list\n\n  ```math\n  x\n  ```y\n  z\n  ```\n\n```math\n```\n\n```math\nopen",
    "**not closed\n\n`not closed\n\n[not closed](https://exam",
    "\n\n\n   \n",
];
