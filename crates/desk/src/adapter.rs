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
    let (status, text) = ask(path).await.ok_or(Unanswered::Unreachable)?;
    match status {
        200 => Ok(text),
        401 | 403 => Err(Unanswered::Unpaired),
        404 | 405 => Err(Unanswered::Unknown),
        status => {
            let words: String = text.trim().chars().take(WORDS).collect();
            let said = if words.is_empty() { format!("The adapter said no ({status}).") } else { words };
            Err(Unanswered::Refused(said))
        }
    }
}

/// The status and the body.
async fn ask(path: &str) -> Option<(u16, String)> {
    let window = web_sys::window()?;
    let init = RequestInit::new();
    init.set_signal(Some(&AbortSignal::timeout_with_u32(PATIENCE_MS)));
    let storage = window.local_storage().ok().flatten();
    let token = storage.and_then(|storage| storage.get_item(TOKEN_KEY).ok().flatten());
    if let Some(token) = token.filter(|token| !token.is_empty()) {
        let header = js_sys::Array::of2(&"authorization".into(), &format!("Bearer {token}").into());
        init.set_headers(&js_sys::Array::of1(&header));
    }
    let answer = JsFuture::from(window.fetch_with_str_and_init(path, &init)).await.ok()?;
    let response: Response = answer.dyn_into().ok()?;
    let text = JsFuture::from(response.text().ok()?).await.ok()?;
    Some((response.status(), text.as_string().unwrap_or_default()))
}
