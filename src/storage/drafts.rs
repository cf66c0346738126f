//! The texts that wait in the composer, one for each chat, so that a reload or a crash of the tab loses nothing.
//! The oldest go when there are too many, or when there is no room for the newest.

use iris_core::ids::ChatId;
use serde_json::Value;

use crate::browser::json;

const KEY: &str = "iris.drafts";
const MAX: usize = 50;

/// The draft that was left in this chat; `None` is the chat without a name.
pub fn load_draft(chat: Option<&ChatId>) -> String {
    let text = all().into_iter().rfind(|draft| is_of(draft, chat));
    text.and_then(|draft| Some(draft.get(1)?.as_str()?.to_owned())).unwrap_or_default()
}

/// Stores the draft of this chat; an empty one leaves nothing behind. False if the browser did not let us.
pub fn save_draft(chat: Option<&ChatId>, text: &str) -> bool {
    let mut drafts = all();
    let before = drafts.len();
    drafts.retain(|draft| !is_of(draft, chat));
    if text.is_empty() && drafts.len() == before {
        return true;
    }
    if !text.is_empty() {
        drafts.push(Value::Array(vec![Value::from(name(chat)), Value::from(text)]));
    }
    drafts.drain(..drafts.len().saturating_sub(MAX));
    while !drafts.is_empty() {
        if super::write(KEY, &json::line(&Value::Array(drafts.clone()))) {
            return true;
        }
        // The newest alone may be too long: then the others stay.
        if drafts.len() == 1 {
            return false;
        }
        drafts.remove(0);
    }
    super::forget(KEY)
}

/// Pairs of a chat's name and its text, the newest last.
fn all() -> Vec<Value> {
    match super::read(KEY).and_then(|text| json::parse(&text.into()).ok()) {
        Some(Value::Array(drafts)) => drafts,
        _ => Vec::new(),
    }
}

fn is_of(draft: &Value, chat: Option<&ChatId>) -> bool {
    draft.get(0).and_then(Value::as_str) == Some(name(chat))
}

fn name(chat: Option<&ChatId>) -> &str {
    chat.map_or("", ChatId::as_str)
}
