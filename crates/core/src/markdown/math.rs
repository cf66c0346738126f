//! Which pairs of dollars hold a formula, and which fences. Dollars are money and shell variables far more often than
//! mathematics.
//!
//! comrak follows Pandoc: no space inside the dollars, no digit after the closing one. Two rules are added for `$…$`,
//! GitHub's and one of ours; all other delimiters are nobody's currency and always mean a formula.

use super::node::{Kind, Node};
use super::text::plain_text;
use comrak::nodes::{AstNode, NodeMath, NodeValue};

/// The language of a fence that holds a formula, as on GitHub.
const LANGUAGE: &str = "math";
/// No formula is longer; what is stays code.
const LONGEST: usize = 4_000;

/// This many ordinary words make prose of what stands between two dollars.
const WORDS_OF_PROSE: usize = 2;
/// A shorter one may be a product of variables.
const LETTERS_OF_A_WORD: usize = 3;

/// Whether comrak's formula is one for a reader.
pub(super) fn is_formula<'a>(inline: &'a AstNode<'a>, math: &NodeMath) -> bool {
    if math.display_math || !between_single_dollars(inline, math) {
        return true;
    }
    let stuck_to_a_word = text_beside(inline.previous_sibling(), |text| text.chars().next_back())
        || text_beside(inline.next_sibling(), |text| text.chars().next());
    !stuck_to_a_word && !is_prose(&math.literal)
}

/// comrak does not say which delimiters it saw. Parentheses are two bytes each; only between them a line end stays.
fn between_single_dollars<'a>(inline: &'a AstNode<'a>, math: &NodeMath) -> bool {
    let place = inline.data().sourcepos;
    if place.start.line != place.end.line {
        return !math.literal.contains('\n');
    }
    (place.end.column + 1).saturating_sub(place.start.column) == math.literal.len() + 2
}

/// Whether a neighbour is text whose nearest character is part of a word: `US$`, `$HOME/$USER`.
fn text_beside<'a>(neighbour: Option<&'a AstNode<'a>>, nearest: fn(&str) -> Option<char>) -> bool {
    neighbour.is_some_and(|neighbour| match &neighbour.data().value {
        NodeValue::Text(text) => nearest(text).is_some_and(|c| c.is_alphanumeric() || c == '_'),
        _ => false,
    })
}

/// Whether words stand between the dollars: `$20 for one and 30$`. A formula says its words in `\text{…}`.
fn is_prose(tex: &str) -> bool {
    let is_word = |word: &&str| word.len() >= LETTERS_OF_A_WORD && word.chars().all(char::is_alphabetic);
    !tex.contains('\\') && tex.split(' ').filter(is_word).count() >= WORDS_OF_PROSE
}

/// The paragraph with a formula that a closed fence of mathematics is shown as; `None` for any other block.
///
/// In the tree it stays code: how it is shown may change with its last line, and what code is added to must not.
pub fn fenced_formula(block: &Node) -> Option<Node> {
    if !matches!(&block.kind, Kind::CodeBlock { lang, closed: true } if lang == LANGUAGE) {
        return None;
    }
    let tex = plain_text(&block.children);
    (1..=LONGEST).contains(&tex.len()).then(|| {
        let formula = Node::leaf(Kind::Math { tex, display: true });
        Node { kind: Kind::Paragraph, children: vec![formula] }
    })
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, fenced_formula, plain_text};
    use crate::markdown::{Document, Kind, Node, parse};

    /// The formulas of a paragraph, display ones after a `!`.
    fn formulas(text: &str) -> Vec<String> {
        fn walk(nodes: &[Node], found: &mut Vec<String>) {
            for node in nodes {
                if let Kind::Math { tex, display } = &node.kind {
                    found.push(format!("{}{tex}", if *display { "!" } else { "" }));
                }
                walk(&node.children, found);
            }
        }
        let mut found = Vec::new();
        walk(&parse(text), &mut found);
        found
    }

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(formulas(text), expected, "{text:?}");
    }

    #[test]
    fn all_four_delimiters_make_formulas() {
        check("$x$ and $$y$$", &["x", "!y"]);
        check(r"\(c\) and \[a=b\]", &["c", "!a=b"]);
        check("$$\n\\frac{a}{b}\n$$", &["!\n\\frac{a}{b}\n"]);
        check("\\[\na\n\\]", &["!\na\n"]);
        check("\\(a\nb\\)", &["a\nb"]);
        check("- item $a_1$\n\n> quote $b_2$\n\n|h|\n|-|\n|$c$|", &["a_1", "b_2", "c"]);
        check("($x$), $y$.", &["x", "y"]);
        check("**$x$**", &["x"]);
        check("$a\n= b$", &["a = b"]);
    }

    #[test]
    fn money_and_variables_stay_text() {
        for text in [
            "$5 and $10",
            "$5, maybe $10 or US$20",
            "from $5–$10",
            "$20 for the first and 30$ after",
            "$HOME/$USER",
            "PATH=$PATH:$HOME/bin",
            "set $PATH and $HOME",
            "US$ here, and there A$",
            "a $ b $ c",
            "$",
            "$$",
            "`$HOME/$USER`",
            "```sh\npstree -p $$ | grep $$\n```",
            r"\$x\$",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn what_is_no_formula_is_shown_as_it_was_written() {
        let text = "pay $20 for the one and 30$ now";
        assert_eq!(crate::markdown::plain_text(&parse(text)), text);
    }

    #[test]
    fn words_in_a_formula_are_said_as_text() {
        check(r"$x \text{ for all } y \text{ and some }$", &[r"x \text{ for all } y \text{ and some }"]);
        check(r"\(one and two\)", &["one and two"]);
        check("$ab cd$", &["ab cd"]);
    }

    #[test]
    fn an_open_formula_is_text() {
        for text in ["$x", "$$\n\\sum_{i=0}", r"\[a", r"\(a", "$$x$"] {
            check(text, &[]);
        }
    }

    /// The formulas of the top-level fences at each prefix, whenever they are others than before; they are those of a
    /// one-shot parse.
    fn fences(text: &str) -> Vec<String> {
        let (mut document, mut found) = (Document::new(), vec![String::new()]);
        for (start, letter) in text.char_indices() {
            let end = start + letter.len_utf8();
            document.push(text.get(start..end).unwrap());
            let shown =
                |blocks: &[Node]| format!("{:?}", blocks.iter().map(fenced_formula).collect::<Vec<_>>());
            assert_eq!(shown(document.blocks()), shown(&parse(text.get(..end).unwrap())));
            let formulas = document.blocks().iter().filter_map(fenced_formula);
            let formulas: String = formulas.map(|block| plain_text(&[block]) + ";").collect();
            if found.last() != Some(&formulas) {
                found.push(formulas);
            }
        }
        found.remove(0);
        found
    }

    #[test]
    fn a_fence_of_mathematics_is_a_formula_as_soon_as_it_is_closed() {
        for (text, expected) in [
            ("```math\n\\frac{a}{b}\n```\nand", &["\\frac{a}{b};"] as &[&str]),
            ("```math\na\n\n  b\n~~~\n```", &["a\n\n  b\n~~~;"]),
            ("~~~~ math\nx\n~~~\n~~~~\n", &["x\n~~~;"]),
            ("   ```math\n   x\n   ```", &["x;"]),
            // The line that seemed to close it goes on, and another does.
            ("```math\nx\n```y\nz\n```", &["x;", "", "x\n```y\nz;"]),
            ("```math\na\n```\n```math\nb\n```", &["a;", "a;b;"]),
        ] {
            assert_eq!(fences(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_only_looks_like_a_fence_of_mathematics_stays_code() {
        let long = format!("```math\n{}\n```", "x".repeat(LONGEST + 1));
        for text in [
            "```math\nx",
            "```math\n```",
            "```math\n \n```",
            "```mathematica\nx\n```",
            "```\nx\n```",
            "    math",
            &long,
        ] {
            assert_eq!(fences(text), [""; 0], "{text:?}");
        }
    }
}
