//! Where a text may be cut: between what a reader sees as characters, never inside an emoji, a flag or a letter's accent.
//!
//! Every function takes a text that starts at a boundary and looks at its first or last cluster only.

use crate::graphemes;

/// A cluster longer than this is no letter of any language but an attack on the layout; it is cut all the same.
pub(super) const MAX_CLUSTER: usize = 1024;

/// The length of the first cluster, bytes; 0 only for an empty text.
pub(super) fn first_cluster(text: &str) -> usize {
    if let [first, second, ..] = text.as_bytes()
        && first.is_ascii()
        && second.is_ascii()
        && (*first, *second) != (b'\r', b'\n')
    {
        return 1;
    }
    let window = text.get(..floor(text, MAX_CLUSTER)).unwrap_or(text);
    graphemes::first(window)
}

/// Where the last cluster starts; the end of the text when the cluster is longer than any real one.
pub(super) fn last_cluster(text: &str) -> usize {
    let start = graphemes::last(text);
    if text.len() - start <= MAX_CLUSTER { start } else { text.len() }
}

/// The last place at or before `at` that is not inside a character.
pub(super) fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, first: &str, last: &str) {
        assert_eq!(text.get(..first_cluster(text)), Some(first), "first of {text:?}");
        assert_eq!(text.get(last_cluster(text)..), Some(last), "last of {text:?}");
    }

    #[test]
    fn a_cluster_is_what_a_reader_sees_as_one_character() {
        check("ab", "a", "b");
        check("a", "a", "a");
        check("", "", "");
        check("e\u{301}a", "e\u{301}", "a");
        check("\r\n", "\r\n", "\r\n");
        check("👩‍👩‍👧!", "👩‍👩‍👧", "!");
        check("👍🏽👍🏽", "👍🏽", "👍🏽");
        check("🇩🇪🇫🇷", "🇩🇪", "🇫🇷");
        check("한국", "한", "국");
        check("中文", "中", "文");
        check("क्षि", "क्षि", "क्षि");
    }

    #[test]
    fn a_tower_of_accents_is_cut() {
        let tower = format!("a{}", "\u{301}".repeat(5_000));
        assert!((MAX_CLUSTER - 1..=MAX_CLUSTER).contains(&first_cluster(&tower)));
        assert_eq!(last_cluster(&tower), tower.len());
    }
}
