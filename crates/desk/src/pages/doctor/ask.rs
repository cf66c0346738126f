//! Asks the adapter that served the page for the report on its own Hermes: `GET /doctor`, with this device's token.

use iris_core::stall::doctor::DoctorReport;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{RequestInit, Response};

/// Where the app keeps the proof that this browser is paired.
const TOKEN_KEY: &str = "iris.token";
const UNREACHABLE: &str = "The adapter cannot be reached. Paste the configuration instead.";
const NO_DOCTOR: &str = "This adapter has no doctor. Paste the configuration instead, or run `iris-adapter doctor` where Hermes is.";

/// Asks, and tells the answer or why there is none.
pub(super) fn ask(
    model: String,
    tokens: Option<u64>,
    tell: impl FnOnce(Result<DoctorReport, String>) + 'static,
) {
    spawn_local(async move { tell(fetch(&path(&model, tokens)).await) });
}

fn path(model: &str, tokens: Option<u64>) -> String {
    let model = (!model.trim().is_empty())
        .then(|| format!("model={}", String::from(js_sys::encode_uri_component(model.trim()))));
    let tokens = tokens.map(|tokens| format!("tokens={tokens}"));
    let query: Vec<String> = model.into_iter().chain(tokens).collect();
    if query.is_empty() { "doctor".to_owned() } else { format!("doctor?{}", query.join("&")) }
}

async fn fetch(path: &str) -> Result<DoctorReport, String> {
    let window = web_sys::window().ok_or(UNREACHABLE)?;
    let init = RequestInit::new();
    let token =
        window.local_storage().ok().flatten().and_then(|storage| storage.get_item(TOKEN_KEY).ok().flatten());
    if let Some(token) = token.filter(|token| !token.is_empty()) {
        let header = js_sys::Array::of2(&"authorization".into(), &format!("Bearer {token}").into());
        init.set_headers(&js_sys::Array::of1(&header));
    }
    let answer =
        JsFuture::from(window.fetch_with_str_and_init(path, &init)).await.map_err(|_| UNREACHABLE)?;
    let response: Response = answer.dyn_into().map_err(|_: JsValue| UNREACHABLE)?;
    let text = JsFuture::from(response.text().map_err(|_| UNREACHABLE)?)
        .await
        .ok()
        .and_then(|text| text.as_string());
    let text = text.unwrap_or_default();
    match response.status() {
        200 => serde_json::from_str(&text).map_err(|_| NO_DOCTOR.to_owned()),
        404 | 405 => Err(NO_DOCTOR.to_owned()),
        401 | 403 => {
            Err("This device is not paired with the adapter, so it says nothing about its Hermes.".to_owned())
        }
        status => {
            let words: String = text.trim().chars().take(300).collect();
            Err(if words.is_empty() { format!("The adapter said no ({status}).") } else { words })
        }
    }
}
