//! Lines inside an open fence, told apart without comrak. In doubt a line is comrak's.

use super::spine::{Level, after_quote_mark, after_spaces};
use super::trace::Container;

/// Text that is certainly code.
#[derive(Debug, Default)]
pub(super) struct Code {
    /// The code.
    pub(super) text: String,
    /// How many lines are complete.
    pub(super) lines: usize,
    /// How long those are in the source.
    pub(super) bytes: usize,
}

/// The code that `text` adds to a fence inside of `levels`; `None` unless each line of it is certainly code.
pub(super) fn code(levels: &[Level], text: &str) -> Option<Code> {
    let mut code = Code::default();
    for line in text.split_inclusive('\n') {
        code.text.push_str(content(levels, line)?);
        if line.ends_with('\n') {
            code.lines += 1;
            code.bytes += line.len();
        }
    }
    Some(code)
}

/// A line without what its containers take of it.
fn content<'t>(levels: &[Level], line: &'t str) -> Option<&'t str> {
    let mut rest = line;
    for level in levels {
        match &level.container {
            Container::Quote => rest = after_quote_mark(rest)?,
            Container::Item(list) => rest = after_spaces(rest, list.marker_offset + list.padding)?,
            Container::List => {}
            Container::Table => return None,
            Container::Code(fence) => {
                let text = rest.trim_start_matches(' ');
                let is_shifted = levels.len() > 1 || fence.offset > 0;
                // It may close the fence, or a tab may be less wide than it looks.
                if text.bytes().next() == Some(fence.letter) || is_shifted && text.starts_with('\t') {
                    return None;
                }
                return rest.get(fence.offset.min(rest.len() - text.len())..);
            }
        }
    }
    None
}
