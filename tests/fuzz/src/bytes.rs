//! Small values out of the front of an input, and text out of the rest.

use std::borrow::Cow;

/// The first byte as a number, and what follows it; an empty input is 0 and nothing.
pub(crate) fn number(data: &[u8]) -> (usize, &[u8]) {
    data.split_first().map_or((0, data), |(&first, rest)| (usize::from(first), rest))
}

/// The bytes as text; what is no UTF-8 becomes U+FFFD.
pub(crate) fn text(data: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(data)
}
