//! The text that waits in the composer, one a chat, so that a reload or a crash of the tab loses nothing.

use iris_core::ids::ChatId;

/// The draft of this chat; `None` is the one nameless chat of a plain peer.
pub fn load_draft(chat: Option<&ChatId>) -> String {
    super::read(&key(chat)).unwrap_or_default()
}

/// Stores the draft; an empty one leaves nothing behind. False if the browser did not let us.
pub fn save_draft(chat: Option<&ChatId>, text: &str) -> bool {
    if text.is_empty() { super::forget(&key(chat)) } else { super::write(&key(chat), text) }
}

fn key(chat: Option<&ChatId>) -> String {
    chat.map_or_else(|| "iris.draft".to_owned(), |chat| format!("iris.draft.{chat}"))
}
