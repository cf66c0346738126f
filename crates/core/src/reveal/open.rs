//! What is open at the end of what is shown: what the next line means depends on it.

use crate::markdown::{Kind, Node};

/// The innermost open block, as far as it bears on where a text may be cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Open {
    /// Text of any sort.
    #[default]
    Prose,
    /// A fenced code block.
    Code,
    /// A table.
    Table,
}

impl Open {
    /// What is open after these blocks, which are those of the text that is shown. Costs what they are nested.
    pub fn at_end(blocks: &[Node]) -> Self {
        let mut last = blocks.last();
        while let Some(node) = last {
            match node.kind {
                Kind::CodeBlock { closed: false, .. } => return Self::Code,
                Kind::Table => return Self::Table,
                _ => last = node.children.last(),
            }
        }
        Self::Prose
    }

    /// What is open after one more line. A guess that holds until the line is shown: containers do not count.
    pub(super) fn after(self, line: &str) -> Self {
        let fence = fence(line);
        match self {
            Self::Code if fence == Some("") => Self::Prose,
            Self::Code => Self::Code,
            _ if fence.is_some() => Self::Code,
            Self::Table if line.trim_ascii().is_empty() => Self::Prose,
            Self::Prose if is_delimiter_row(line) => Self::Table,
            other => other,
        }
    }
}

/// What follows the marks of a fence, if the line is one.
pub(super) fn fence(line: &str) -> Option<&str> {
    let line = skip(line, " \t>-*+");
    let ticks = line.starts_with('`');
    let info = skip(line, if ticks { "`" } else { "~" });
    let is_fence = line.len() - info.len() >= 3 && !(ticks && info.contains('`'));
    is_fence.then(|| info.trim_ascii())
}

/// Whether a line may be the row of dashes below a table's header.
pub(super) fn is_delimiter_row(line: &str) -> bool {
    let line = skip(line, " \t>").trim_ascii_end();
    line.contains('-') && line.contains('|') && may_be_delimiter_row(line)
}

/// Whether it consists of what such a row consists of.
pub(super) fn may_be_delimiter_row(line: &str) -> bool {
    skip(line, "|-: \t>\r").is_empty()
}

/// What follows the characters of ASCII at the beginning of a text that are among these.
pub(super) fn skip<'t>(text: &'t str, among: &str) -> &'t str {
    let skipped = text.bytes().take_while(|byte| among.as_bytes().contains(byte)).count();
    text.get(skipped..).unwrap_or_default()
}
