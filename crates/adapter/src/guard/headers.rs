//! The security headers of every answer, built in one place so that no two answers can differ by accident.

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

/// The page that shows untrusted HTML; it has a policy of its own.
pub const ARTIFACT_PATH: &str = "/artifact.html";

/// What the app may load and run. `wasm-unsafe-eval` is what a browser asks for to compile WebAssembly; no string can
/// become HTML (Trusted Types), and nothing on the page can reach another host.
pub const APP_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; \
    worker-src 'self'; frame-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types boot";

/// What a previewed artifact may do: run scripts in an origin of its own that can reach nothing at all.
pub const ARTIFACT_POLICY: &str = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; \
    style-src 'unsafe-inline'; img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'self'";

/// Below it are the files of the conversations; they have a policy of their own.
pub const FILES_PATH: &str = "/files/";

/// What a file of a conversation may do when a browser shows it: nothing.
pub const FILE_POLICY: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

const FIXED: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), screen-wake-lock=(self), clipboard-write=(self)",
    ),
];

/// Puts the headers for an answer at `path` into `headers`, replacing what stands there.
pub fn apply(path: &str, headers: &mut HeaderMap) {
    let policy = match path {
        ARTIFACT_PATH => ARTIFACT_POLICY,
        file if file.starts_with(FILES_PATH) => FILE_POLICY,
        _ => APP_POLICY,
    };
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    for (name, value) in FIXED {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// The headers as the outermost layer: refusals and errors carry them too.
pub async fn layer(request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let mut response = next.run(request).await;
    apply(&path, response.headers_mut());
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn development_has_the_same_policy() {
        let config = include_str!("../../../../Trunk.toml");
        assert!(
            config.contains(&format!("Content-Security-Policy = \"{APP_POLICY}\"")),
            "Trunk.toml has another policy"
        );
    }
}
