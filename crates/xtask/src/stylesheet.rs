//! Joins `style/*.css` into the one stylesheet the page loads. Every component has a file of its own; the reader's browser
//! fetches one.

use anyhow::{Context, Result};
use std::{cmp::Ordering, fs, path::Path};

/// These come first, in this order: the others build on them.
const FIRST: [&str; 2] = ["tokens.css", "base.css"];

/// Writes all stylesheets of `folder` into `output`, which is left alone when it would not change.
pub(crate) fn bundle(folder: &Path, output: &Path) -> Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".css") {
            names.push(name);
        }
    }
    names.sort_by(|left, right| order(left, right));
    let mut text = String::new();
    for name in &names {
        let path = folder.join(name);
        let sheet = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        text.push_str(&without_remarks(&sheet));
    }
    if fs::read_to_string(output).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(parent) = output.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(output, text).with_context(|| format!("cannot write {}", output.display()))
}

/// The rules without comments, indentation and empty lines: what is left is the same stylesheet, 1 kB smaller when
/// compressed. No sheet of ours has `/*` in a string.
fn without_remarks(sheet: &str) -> String {
    let mut rules = String::new();
    let mut rest = sheet;
    while let Some((before, remark)) = rest.split_once("/*") {
        rules.push_str(before);
        rest = remark.split_once("*/").map_or("", |(_, after)| after);
    }
    rules.push_str(rest);
    rules
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .fold(String::new(), |text, line| text + line + "\n")
}

fn order(left: &str, right: &str) -> Ordering {
    let rank = |name| FIRST.iter().position(|first| *first == name).unwrap_or(FIRST.len());
    rank(left).cmp(&rank(right)).then_with(|| left.cmp(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_go_and_the_rules_stay() {
        for (sheet, expected) in [
            ("/* why */\n.a {\n  color: red; /* so */\n}\n\n", ".a {\ncolor: red;\n}\n"),
            (".a::after { content: \"x\" }\n/* open", ".a::after { content: \"x\" }\n"),
            ("", ""),
        ] {
            assert_eq!(without_remarks(sheet), expected);
        }
    }

    #[test]
    fn tokens_and_base_come_first_then_the_alphabet() {
        let mut names = ["bubble.css", "base.css", "tool_card.css", "tokens.css", "app.css"];
        names.sort_by(|left, right| order(left, right));
        assert_eq!(names, ["tokens.css", "base.css", "app.css", "bubble.css", "tool_card.css"]);
    }
}
