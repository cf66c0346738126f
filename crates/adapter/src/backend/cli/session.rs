//! What is remembered of a chat: the id of its session with Hermes. It comes from a process and goes back to one as an
//! argument, so only what looks like an id is one.

/// The longest id that is taken.
const MAX_CHARS: usize = 128;

/// An id of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Session(String);

impl Session {
    /// The id, if it is one.
    pub(super) fn read(id: &str) -> Option<Self> {
        let fits = (1..=MAX_CHARS).contains(&id.len()) && !id.starts_with(['-', '.']);
        let plain = id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
        (fits && plain).then(|| Self(id.to_owned()))
    }

    /// As it is remembered and handed to Hermes.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_looks_like_an_id_is_one() {
        for id in ["20261130_152739_41351b", "a", "A-1.b"] {
            assert_eq!(Session::read(id).as_ref().map(Session::as_str), Some(id));
        }
        for id in ["", "--yolo", "../x", "a b", "a\n", "é", "@claude", &"a".repeat(129)] {
            assert_eq!(Session::read(id), None, "{id}");
        }
    }
}
