//! Asks the adapter that served the page, beside the app's socket, with this device's token.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, RequestInit, Response};

/// Where the app keeps the proof that this browser is paired.
const TOKEN_KEY: &str = "iris.token";
/// An adapter that says nothing for so long is not there.
const PATIENCE_MS: u32 = 20_000;
/// Characters of an adapter's own words.
const WORDS: usize = 300;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// Nobody is there.
    Unreachable,
    /// It does not know this device.
    Unpaired,
    /// It does not know the address.
    Unknown,
    /// It did not want to, or could not: its words.
    Refused(String),
}

/// The body of what the adapter answers at this address, which is relative to the page's.
///
/// # Errors
/// When that is no answer.
pub async fn get(path: &str) -> Result<String, Unanswered> {
    let response = fetch(path, PATIENCE_MS).await?;
    text(&response).await.ok_or(Unanswered::Unreachable)
}

/// The adapter's answer at this address, its body still to be read. In `patience_ms` all of it has to be here.
///
/// # Errors
/// When that is no answer.
pub async fn fetch(path: &str, patience_ms: u32) -> Result<Response, Unanswered> {
    let response = ask(path, patience_ms).await.ok_or(Unanswered::Unreachable)?;
    match response.status() {
        200 => Ok(response),
        401 | 403 => Err(Unanswered::Unpaired),
        404 | 405 => Err(Unanswered::Unknown),
        status => {
            let text = text(&response).await.unwrap_or_default();
            let words: String = text.trim().chars().take(WORDS).collect();
            let said = if words.is_empty() { format!("The adapter said no ({status}).") } else { words };
            Err(Unanswered::Refused(said))
        }
    }
}

/// The body as text; `None` when it breaks off.
pub async fn text(response: &Response) -> Option<String> {
    JsFuture::from(response.text().ok()?).await.ok()?.as_string()
}

async fn ask(path: &str, patience_ms: u32) -> Option<Response> {
    let window = web_sys::window()?;
    let init = RequestInit::new();
    init.set_signal(Some(&AbortSignal::timeout_with_u32(patience_ms)));
    let storage = window.local_storage().ok().flatten();
    let token = storage.and_then(|storage| storage.get_item(TOKEN_KEY).ok().flatten());
    if let Some(token) = token.filter(|token| !token.is_empty()) {
        let header = js_sys::Array::of2(&"authorization".into(), &format!("Bearer {token}").into());
        init.set_headers(&js_sys::Array::of1(&header));
    }
    JsFuture::from(window.fetch_with_str_and_init(path, &init)).await.ok()?.dyn_into().ok()
}
