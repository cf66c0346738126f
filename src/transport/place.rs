//! Which chat is on screen: the one that the address names, else the one that was, else the newest.
//! The address keeps it over a reload: `#chat=<id>`.

use iris_core::ids::ChatId;
use iris_core::protocol::frame::ChatSummary;
use wasm_bindgen::JsValue;

/// The chat to show, out of those that the adapter has.
pub(super) fn choose(
    chats: &[ChatSummary],
    address: Option<ChatId>,
    last: Option<&ChatId>,
) -> Option<ChatId> {
    let known = |id: &ChatId| chats.iter().any(|chat| chat.id == *id);
    let wanted = last.cloned().filter(known).or_else(|| address.filter(known));
    wanted.or_else(|| chats.first().map(|chat| chat.id.clone()))
}

/// The chat that the address names.
pub(super) fn named_in_address() -> Option<ChatId> {
    let hash = web_sys::window()?.location().hash().ok()?;
    let parameters = web_sys::UrlSearchParams::new_with_str(hash.trim_start_matches('#')).ok()?;
    parameters.get("chat").filter(|id| !id.is_empty()).map(ChatId)
}

/// Puts the chat into the address, without an entry in the history.
pub(super) fn name_in_address(chat: &ChatId) {
    if named_in_address().as_ref() == Some(chat) {
        return;
    }
    let Ok(parameters) = web_sys::UrlSearchParams::new() else { return };
    parameters.set("chat", chat.as_str());
    let hash = format!("#{}", String::from(parameters.to_string()));
    if let Some(history) = web_sys::window().and_then(|window| window.history().ok()) {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&hash));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn the_chat_on_screen_stays_then_the_address_decides_then_the_newest() {
        let chat =
            |id: &str| ChatSummary { id: id.into(), title: String::new(), updated_ms: 0, running: false };
        let chats = [chat("new"), chat("old"), chat("older")];
        let check = |address: Option<&str>, last: Option<&str>, expected: &str| {
            let last = last.map(ChatId::from);
            assert_eq!(choose(&chats, address.map(ChatId::from), last.as_ref()), Some(expected.into()));
        };
        check(None, None, "new");
        check(Some("old"), None, "old");
        check(Some("old"), Some("older"), "older");
        check(Some("gone"), None, "new");
        check(Some("old"), Some("gone"), "old");
        assert_eq!(choose(&[], Some("a".into()), None), None);
    }
}
