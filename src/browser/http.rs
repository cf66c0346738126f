//! Requests to the adapter that served this page, and what they bring as words for people when they fail.

use js_sys::JsString;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Blob, RequestInit, Response, Url};

/// The longest explanation that is shown, characters.
const MAX_WORDS: usize = 300;

const UNREACHABLE: &str = "The adapter cannot be reached";

/// A request that is broken off when this is dropped.
pub struct Call(Option<AbortController>);

impl Default for Call {
    fn default() -> Self {
        Self(AbortController::new().ok())
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}

impl Call {
    /// A request to an address beside the page. The error says why it failed, for people.
    pub fn send(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: &JsValue,
    ) -> impl Future<Output = Result<Response, String>> + 'static {
        let init = RequestInit::new();
        init.set_method(method);
        if !body.is_undefined() {
            init.set_body(body);
        }
        if let Some(token) = token {
            let header = js_sys::Array::of2(&"authorization".into(), &format!("Bearer {token}").into());
            init.set_headers(&js_sys::Array::of1(&header));
        }
        init.set_signal(self.0.as_ref().map(AbortController::signal).as_ref());
        let answer = web_sys::window().map(|window| window.fetch_with_str_and_init(path, &init));
        async move {
            let response = JsFuture::from(answer.ok_or(UNREACHABLE)?).await.map_err(|_| UNREACHABLE)?;
            let response: Response = response.dyn_into().map_err(|_| UNREACHABLE)?;
            if response.ok() {
                return Ok(response);
            }
            let words = text(&response).await.map(String::from).unwrap_or_default();
            let words: String = words.trim().chars().take(MAX_WORDS).collect();
            Err(if words.is_empty() { format!("The adapter said no ({})", response.status()) } else { words })
        }
    }
}

/// The answer's text.
pub async fn text(response: &Response) -> Result<JsString, String> {
    let text = JsFuture::from(response.text().map_err(|_| UNREACHABLE)?).await;
    text.ok().and_then(|text| text.dyn_into().ok()).ok_or_else(|| UNREACHABLE.to_owned())
}

/// The answer's bytes under a `blob:` URL, which keeps them until it is revoked.
pub async fn blob_url(response: &Response) -> Result<String, String> {
    let blob = JsFuture::from(response.blob().map_err(|_| UNREACHABLE)?).await;
    let blob: Blob = blob.ok().and_then(|blob| blob.dyn_into().ok()).ok_or(UNREACHABLE)?;
    Url::create_object_url_with_blob(&harmless(blob)).map_err(|_| "The browser has no room for it".to_owned())
}

/// Forgets what stands under a `blob:` URL.
pub fn revoke(url: &str) {
    // Nothing is lost when it was none.
    let _ = Url::revoke_object_url(url);
}

/// A `blob:` URL is of the page's own origin. What could run there if somebody opened it is only bytes.
fn harmless(blob: Blob) -> Blob {
    let kind = blob.type_();
    let seen = ["image/", "audio/", "video/"].iter().any(|kinds| kind.starts_with(kinds));
    if seen && !kind.contains("xml") {
        return blob;
    }
    blob.slice_with_f64_and_f64_and_content_type(0.0, blob.size(), "application/octet-stream").unwrap_or(blob)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;
    use web_sys::BlobPropertyBag;

    #[wasm_bindgen_test]
    fn only_what_cannot_run_keeps_its_type() {
        let check = |kind: &str, expected: &str| {
            let options = BlobPropertyBag::new();
            options.set_type(kind);
            let parts = js_sys::Array::of1(&"<script>".into());
            let blob = Blob::new_with_str_sequence_and_options(&parts, &options).unwrap();
            let harmless = harmless(blob);
            assert_eq!((harmless.type_().as_str(), harmless.size()), (expected, 8.0), "{kind}");
        };
        check("image/png", "image/png");
        check("audio/mpeg", "audio/mpeg");
        for kind in ["text/html", "image/svg+xml", "application/xhtml+xml", "application/pdf", ""] {
            check(kind, "application/octet-stream");
        }
    }
}
