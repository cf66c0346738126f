//! The text that waits in the composer, so that a reload or a crash of the tab loses nothing.

const KEY: &str = "iris.draft";

/// The draft that was left here.
pub fn load_draft() -> String {
    super::read(KEY).unwrap_or_default()
}

/// Stores the draft; an empty one leaves nothing behind. False if the browser did not let us.
pub fn save_draft(text: &str) -> bool {
    if text.is_empty() { super::forget(KEY) } else { super::write(KEY, text) }
}
