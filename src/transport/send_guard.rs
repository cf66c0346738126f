//! A held Enter key, a double click, a button that bounces: the same text twice within a moment is one message.

/// Nobody says the same thing twice on purpose within this time.
const MOMENT_MS: f64 = 500.0;

/// Remembers the last message.
#[derive(Default)]
pub(super) struct SendGuard {
    last: Option<(String, f64)>,
}

impl SendGuard {
    /// Whether this text is to be sent now. Each repetition within the moment prolongs it: a held key repeats for long.
    pub(super) fn admits(&mut self, text: &str, now_ms: f64) -> bool {
        let repeated = self.last.as_ref().is_some_and(|(last, at)| last == text && now_ms - at < MOMENT_MS);
        self.last = Some((text.to_owned(), now_ms));
        !repeated
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_held_key_sends_once() {
        let mut guard = SendGuard::default();
        let admitted = (0..100).filter(|n| guard.admits("hi", f64::from(*n) * 33.0)).count();
        assert_eq!(admitted, 1);
    }

    #[wasm_bindgen_test]
    fn another_text_or_a_later_moment_is_another_message() {
        let mut guard = SendGuard::default();
        assert!(guard.admits("yes", 0.0));
        assert!(guard.admits("no", 10.0));
        assert!(guard.admits("yes", 20.0));
        assert!(guard.admits("yes", 520.0));
    }
}
