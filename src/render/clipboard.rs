//! Text to the clipboard. Says honestly when that failed.

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Copies text, byte for byte. Needs a secure page and a user's click.
pub async fn copy(text: &str) -> Result<(), JsValue> {
    let window = web_sys::window().ok_or("no window")?;
    let navigator = window.navigator();
    // On an insecure page the property is missing, and using it would throw through us.
    let clipboard = js_sys::Reflect::get(&navigator, &"clipboard".into())?;
    if clipboard.is_undefined() {
        return Err("this page may not use the clipboard (it needs https or localhost)".into());
    }
    JsFuture::from(navigator.clipboard().write_text(text)).await.map(drop)
}
