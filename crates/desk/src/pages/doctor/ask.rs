//! Asks the adapter that served the page for the report on its own Hermes: `GET /doctor`, with this device's token.

use iris_core::stall::doctor::DoctorReport;
use wasm_bindgen_futures::spawn_local;

use crate::adapter::{Unanswered, get};

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
    match get(path).await {
        Ok(text) => serde_json::from_str(&text).map_err(|_| NO_DOCTOR.to_owned()),
        Err(Unanswered::Unreachable) => Err(UNREACHABLE.to_owned()),
        Err(Unanswered::Unknown) => Err(NO_DOCTOR.to_owned()),
        Err(Unanswered::Unpaired) => {
            Err("This device is not paired with the adapter, so it says nothing about its Hermes.".to_owned())
        }
        Err(Unanswered::Refused(words)) => Err(words),
    }
}
