//! The text of a tree without its marks, for titles, notifications and screen readers. Not for copying: that takes
//! the source.

use super::node::{Kind, Node};

/// What the nodes say: blocks, items and rows on lines of their own, cells apart by a tab.
pub fn plain_text(nodes: &[Node]) -> String {
    let mut out = String::new();
    for node in nodes {
        write(node, &mut out);
    }
    out.truncate(out.trim_end().len());
    out
}

fn write(node: &Node, out: &mut String) {
    match &node.kind {
        Kind::Text(text) | Kind::Code(text) | Kind::Lines(text) | Kind::Math { tex: text, .. } => {
            out.push_str(text)
        }
        Kind::NoteRef { name, .. } => {
            out.push_str("[^");
            out.push_str(name);
            out.push(']');
        }
        Kind::Image { alt, .. } => out.push_str(alt),
        Kind::Break => out.push('\n'),
        Kind::HtmlSource(text) => {
            start_line(out);
            out.push_str(text);
            start_line(out);
        }
        Kind::Cell(_) => {
            write_children(node, out);
            out.push('\t');
        }
        Kind::Emphasis | Kind::Strong | Kind::Strikethrough | Kind::Link { .. } | Kind::Shortened(_) => {
            write_children(node, out)
        }
        Kind::Paragraph
        | Kind::Heading(_)
        | Kind::BlockQuote
        | Kind::Alert(_)
        | Kind::List { .. }
        | Kind::Item(_)
        | Kind::CodeBlock { .. }
        | Kind::Rule
        | Kind::Definition(_)
        | Kind::Note(_)
        | Kind::Table
        | Kind::Row { .. } => {
            start_line(out);
            write_children(node, out);
            if out.ends_with('\t') {
                out.pop();
            }
            start_line(out);
        }
    }
}

fn write_children(node: &Node, out: &mut String) {
    for child in &node.children {
        write(child, out);
    }
}

fn start_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_stand_on_lines_and_marks_are_gone() {
        let text = "# A *b* `c`\n\nd [e](https://x.y) ![f](/g)\n\n- 1\n- 2\n  > q\n\n|h|i|\n|-|-|\n|j||\n\n```\nk\n```\n";
        let expected = "A b c\nd e f\n1\n2\nq\nh\ti\nj\t\nk";
        assert_eq!(plain_text(&super::super::parse(text)), expected);
        assert_eq!(plain_text(&[]), "");
    }
}
