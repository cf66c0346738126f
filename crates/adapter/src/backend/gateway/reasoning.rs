//! Splits the reasoning off that Hermes prepends to a reply which it did not stream. Three styles; what is not recognised
//! stays whole, so that no answer is ever lost.

/// A reply in its two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Split {
    /// What led to it, with a note when Hermes left lines out.
    pub(super) reasoning: Option<String>,
    /// The answer.
    pub(super) text: String,
}

/// Splits a whole reply.
pub(super) fn split(reply: &str) -> Split {
    let parts = code(reply)
        .or_else(|| quoted(reply, "> 💭 **Reasoning:**", ">"))
        .or_else(|| quoted(reply, "-# 💭 Reasoning", "-#"));
    match parts {
        Some((reasoning, text)) if !text.trim().is_empty() => {
            Split { reasoning: Some(reasoning), text: text.to_owned() }
        }
        _ => Split { reasoning: None, text: reply.to_owned() },
    }
}

/// A code block; fences inside it are written with backslashes.
fn code(reply: &str) -> Option<(String, &str)> {
    let block = reply.strip_prefix("💭 **Reasoning:**\n```\n")?;
    let (body, text) = block.split_once("\n```\n\n")?;
    let lines = body.lines().map(|line| line.replace(r"\`\`\`", "```"));
    Some((tidy(lines), text))
}

/// A block quote or Discord's small text: every line of it begins with `mark`.
fn quoted<'a>(reply: &'a str, header: &str, mark: &str) -> Option<(String, &'a str)> {
    let block = reply.strip_prefix(header)?.strip_prefix('\n')?;
    // Blank lines inside are the mark alone, so the first empty line ends the block.
    let (body, text) = block.split_once("\n\n")?;
    let lines =
        body.lines().map(|line| line.strip_prefix(mark).map(|line| line.strip_prefix(' ').unwrap_or(line)));
    let lines: Vec<&str> = lines.collect::<Option<_>>()?;
    Some((tidy(lines.into_iter().map(str::to_owned)), text))
}

/// The lines as one text; the note `_... (7 more lines)_` loses its Markdown, the block shows plain text.
fn tidy(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| more_lines(&line).unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

fn more_lines(line: &str) -> Option<String> {
    let count = line.strip_prefix("_... (")?.strip_suffix(" more lines)_")?;
    count.chars().all(|c| c.is_ascii_digit()).then(|| format!("… ({count} more lines)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(reply: &str, reasoning: Option<&str>, text: &str) {
        let expected = Split { reasoning: reasoning.map(str::to_owned), text: text.to_owned() };
        assert_eq!(split(reply), expected, "{reply:?}");
    }

    #[test]
    fn a_code_block_is_split_off() {
        check("💭 **Reasoning:**\n```\none\n\ntwo\n```\n\nola", Some("one\n\ntwo"), "ola");
        check(
            "💭 **Reasoning:**\n```\nuse \\`\\`\\`rust here\n```\n\n```\nx\n```",
            Some("use ```rust here"),
            "```\nx\n```",
        );
        check(
            "💭 **Reasoning:**\n```\na\n_... (3 more lines)_\n```\n\nola",
            Some("a\n… (3 more lines)"),
            "ola",
        );
    }

    #[test]
    fn a_block_quote_is_split_off() {
        check("> 💭 **Reasoning:**\n> one\n>\n> two\n\nola", Some("one\n\ntwo"), "ola");
        check("> 💭 **Reasoning:**\n> one\n\n> the answer quotes", Some("one"), "> the answer quotes");
        check(
            "> 💭 **Reasoning:**\n> a\n> _... (12 more lines)_\n\nola",
            Some("a\n… (12 more lines)"),
            "ola",
        );
    }

    #[test]
    fn small_text_is_split_off() {
        check("-# 💭 Reasoning\n-# one\n-#\n-# two\n\nola\n\nmore", Some("one\n\ntwo"), "ola\n\nmore");
    }

    #[test]
    fn what_is_not_recognised_stays_whole() {
        for reply in [
            "ola",
            "",
            "💭 **Reasoning:**\n```\nnever closed\n\nola",
            "💭 **Reasoning:**\n```\nno answer\n```\n\n",
            "> 💭 **Reasoning:**\n> one\nnot quoted\n\nola",
            "> 💭 **Reasoning:**",
            "> 💭 Reasoning\n> another header\n\nola",
            "-# 💭 Reasoning\nplain\n\nola",
            "the answer speaks of 💭 **Reasoning:**\n```\nx\n```\n\nhere",
        ] {
            check(reply, None, reply);
        }
    }
}
