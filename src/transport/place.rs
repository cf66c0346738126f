//! Which chat is on screen: the one that was, else the one that the address names, else the newest.
//! The address keeps it over a reload: `#chat=<id>`. And the code of a pairing link, `#pair=<code>`, which is taken
//! out of the address at once. Nothing else in an address means anything: where the adapter is, the page's origin says.

use iris_core::ids::ChatId;
use iris_core::protocol::frame::ChatSummary;
use wasm_bindgen::JsValue;
use web_sys::UrlSearchParams;

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
    parameters()?.get("chat").filter(|id| !id.is_empty()).map(ChatId)
}

/// Puts the chat into the address; `step`: as a place of its own, which the browser's Back leaves again.
pub(super) fn name_in_address(chat: &ChatId, step: bool) {
    if named_in_address().as_ref() == Some(chat) {
        return;
    }
    if let Ok(parameters) = UrlSearchParams::new() {
        parameters.set("chat", chat.as_str());
        write(&parameters, step);
    }
}

/// Takes the code of a pairing link out of the address: it must not stay in the history, nor be shared with it.
pub(super) fn take_code() -> Option<String> {
    let parameters = parameters()?;
    let code = parameters.get("pair")?;
    parameters.delete("pair");
    write(&parameters, false);
    Some(code)
}

/// The code in what somebody pasted: the whole link, or the code alone.
pub(super) fn code_in(pasted: &str) -> &str {
    let code = pasted.rsplit_once("pair=").map_or(pasted, |(_, code)| code);
    code.split('&').next().unwrap_or_default().trim()
}

fn parameters() -> Option<UrlSearchParams> {
    let hash = web_sys::window()?.location().hash().ok()?;
    UrlSearchParams::new_with_str(hash.trim_start_matches('#')).ok()
}

fn write(parameters: &UrlSearchParams, step: bool) {
    let Some(window) = web_sys::window() else { return };
    let hash = match String::from(parameters.to_string()) {
        none if none.is_empty() => window.location().pathname().unwrap_or_default(),
        some => format!("#{some}"),
    };
    let Ok(history) = window.history() else { return };
    let state = JsValue::NULL;
    // A browser that counts too many of these refuses; the chat is then only missing from the address.
    let _ = if step {
        history.push_state_with_url(&state, "", Some(&hash))
    } else {
        history.replace_state_with_url(&state, "", Some(&hash))
    };
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

    #[wasm_bindgen_test]
    fn a_code_is_taken_out_of_the_address_and_the_chat_stays() {
        let location = web_sys::window().unwrap().location();
        location.set_hash("pair=Ab-1_z&chat=c1").unwrap();
        assert_eq!(take_code().as_deref(), Some("Ab-1_z"));
        assert_eq!(location.hash().unwrap(), "#chat=c1");
        assert_eq!(take_code(), None);
        location.set_hash("pair=x").unwrap();
        assert_eq!((take_code().as_deref(), location.hash().unwrap().as_str()), (Some("x"), ""));
    }

    #[wasm_bindgen_test]
    fn a_code_is_pasted_as_it_is_or_as_the_link() {
        for pasted in
            ["AB12", " AB12\n", "http://127.0.0.1:8600/#pair=AB12", "https://h/iris/#chat=c&pair=AB12&x=1"]
        {
            assert_eq!(code_in(pasted), "AB12", "{pasted}");
        }
        assert_eq!(code_in(" "), "");
    }
}
