//! The files of the built app, from a folder or from inside this program. Decides which path may name a file and how long
//! it may be kept; reading and the compressed forms are `ServeDir`'s and `embedded.rs`'s. It serves nothing but plain
//! files below one folder.

use std::{
    io,
    path::{Path, PathBuf},
};

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use tower::ServiceExt;
use tower_http::services::ServeDir;

const INDEX: &str = "index.html";
const KEEP_FOREVER: &str = "public, max-age=31536000, immutable";
const ASK_EACH_TIME: &str = "no-cache";

use crate::embedded::Embedded;

/// What Trunk built.
#[derive(Clone, Debug)]
pub struct StaticFiles(Source);

#[derive(Clone, Debug)]
enum Source {
    Folder { root: PathBuf, files: ServeDir },
    Embedded(Embedded),
}

impl StaticFiles {
    /// Serves the files below `folder`, which must hold the app's `index.html`.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let root = folder.canonicalize()?;
        std::fs::metadata(root.join(INDEX))?;
        let files = ServeDir::new(&root)
            .append_index_html_on_directories(false)
            .precompressed_br()
            .precompressed_gzip();
        Ok(Self(Source::Folder { root, files }))
    }

    /// The app inside this program. `None`: it was built without one.
    pub fn embedded() -> Option<Self> {
        Embedded::app().map(|files| Self(Source::Embedded(files)))
    }

    /// The id of the build that is served now: the page names every file by its hash, so its own hash will do.
    pub async fn build_id(&self) -> String {
        let page = match &self.0 {
            Source::Folder { root, .. } => tokio::fs::read(root.join(INDEX)).await.ok(),
            Source::Embedded(files) => files.read(INDEX).map(<[u8]>::to_vec),
        };
        page.map(|page| format!("{:016x}", fnv1a(&page))).unwrap_or_default()
    }

    /// Answers a request for a file.
    pub async fn serve(&self, request: Request) -> Response {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, HEAD")]).into_response();
        }
        match self.locate(request.uri().path()).await {
            Some(name) => self.read(&name, request).await,
            // The app has no paths of its own, but a person may have typed or kept one. A missing script or
            // WebAssembly file, on the other hand, must never come back as a page.
            None if wants_page(request.headers()) => to_the_page(request.uri().path()),
            None => not_found(),
        }
    }

    /// The file's name below the root, if the path names one: plain segments only, nothing hidden, no link.
    async fn locate(&self, path: &str) -> Option<String> {
        let name = path.strip_prefix('/')?;
        let name = if name.is_empty() { INDEX } else { name };
        if !name.split('/').all(is_plain_segment) {
            return None;
        }
        let found = match &self.0 {
            Source::Folder { root, .. } => is_plain_file(&root.join(name)).await,
            Source::Embedded(files) => files.read(name).is_some(),
        };
        found.then(|| name.to_owned())
    }

    async fn read(&self, name: &str, request: Request) -> Response {
        let mut response = match &self.0 {
            Source::Folder { files, .. } => match inner_request(name, &request) {
                Some(inner) => match files.clone().oneshot(inner).await {
                    Ok(response) => response.map(Body::new),
                    Err(never) => match never {},
                },
                None => return not_found(),
            },
            Source::Embedded(files) => files.answer(name, &request),
        };
        if response.status() == StatusCode::NOT_FOUND {
            return not_found();
        }
        let keep = if is_hashed(name) { KEEP_FOREVER } else { ASK_EACH_TIME };
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
        if let Some(exact) = exact_type(name) {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(exact));
        }
        response
    }
}

/// Whether a file lies at exactly this place. A folder on the way may be a link; the file's true place tells.
async fn is_plain_file(file: &Path) -> bool {
    tokio::fs::symlink_metadata(file).await.is_ok_and(|found| found.is_file())
        && tokio::fs::canonicalize(file).await.is_ok_and(|real| real == file)
}

/// What is asked of the folder: the name that was checked, and no body.
fn inner_request(name: &str, request: &Request) -> Option<Request> {
    let mut inner = Request::new(Body::empty());
    *inner.method_mut() = request.method().clone();
    *inner.headers_mut() = request.headers().clone();
    *inner.uri_mut() = format!("/{name}").parse::<Uri>().ok()?;
    Some(inner)
}

/// Sends a browser to the page, by a relative address: only a proxy before us knows below which path that is. The page's
/// own addresses are relative as well, and would lead nowhere from here.
fn to_the_page(path: &str) -> Response {
    let depth = path.matches('/').count().saturating_sub(1);
    let up = if depth == 0 { "./".to_owned() } else { "../".repeat(depth) };
    let headers = [(header::LOCATION, up.as_str()), (header::CACHE_CONTROL, "no-store")];
    (StatusCode::TEMPORARY_REDIRECT, headers).into_response()
}

/// Letters, digits and a few marks; neither hidden nor encoded, so that what is checked is what is opened.
fn is_plain_segment(segment: &str) -> bool {
    !segment.is_empty()
        && !segment.starts_with('.')
        && segment.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// Trunk's names: `iris-0123456789abcdef.js`, `iris-0123456789abcdef_bg.wasm`. It leaves out zeros at a hash's front.
/// And those of esbuild's parts: `rust-7QZ2AB4C.js`, `desk_bg-7QZ2AB4C.wasm`.
fn is_hashed(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    is_part(file)
        || file.split('-').skip(1).any(|part| {
            let hash = part.chars().take_while(char::is_ascii_hexdigit).count();
            (12..=16).contains(&hash) && part.chars().nth(hash).is_some_and(|c| matches!(c, '.' | '_'))
        })
}

/// Whether a part's name ends with eight digits in base 32.
fn is_part(file: &str) -> bool {
    let stem = [".js", ".wasm", ".woff2"].iter().find_map(|ending| file.strip_suffix(ending));
    let hash = stem.and_then(|stem| stem.rsplit_once('-')).map(|(_, hash)| hash);
    hash.is_some_and(|hash| {
        hash.len() == 8 && hash.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'))
    })
}

/// The types on which something depends; the rest is guessed from the ending.
fn exact_type(name: &str) -> Option<&'static str> {
    match name.rsplit('.').next()? {
        "html" => Some("text/html; charset=utf-8"),
        "css" => Some("text/css; charset=utf-8"),
        "js" => Some("text/javascript; charset=utf-8"),
        "wasm" => Some("application/wasm"),
        "webmanifest" => Some("application/manifest+json"),
        "svg" => Some("image/svg+xml"),
        "png" => Some("image/png"),
        "ico" => Some("image/x-icon"),
        "woff2" => Some("font/woff2"),
        "txt" => Some("text/plain; charset=utf-8"),
        _ => None,
    }
}

/// A person's browser asks for a page by naming `text/html`; `*/*` is what scripts and images send.
fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted
        .flat_map(|value| value.split(','))
        .filter_map(|range| range.split(';').next())
        .any(|kind| kind.trim().eq_ignore_ascii_case("text/html"))
}

fn not_found() -> Response {
    (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, "no-store")], "There is no such file.\n").into_response()
}

/// FNV-1a: tells builds apart; it guards nothing.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_with_a_full_hash_are_kept_forever() {
        for name in [
            "iris-0123456789abcdef.js",
            "iris-0123456789abcdef_bg.wasm",
            "iris-8e33d36e96b72bf_bg.wasm",
            "a/b-fedcba9876543210.css",
            "modules/highlight/rust-7QZ2AB4C.js",
            "modules/desk/desk_bg-7QZ2AB4C.wasm",
            "modules/math/stix-two-math-7QZ2AB4C.woff2",
        ] {
            assert!(is_hashed(name), "{name}");
        }
        for name in [
            "index.html",
            "sw.js",
            "boot.js",
            "modules/highlight.js",
            "a-7QZ2AB4.js",
            "a-7QZ2AB49.js",
            "socket-workerxx.js",
            "icon-192.png",
            "a-0123456789a.js",
            "a-0123456789abcdef0.js",
            "0123456789abcdef.js",
        ] {
            assert!(!is_hashed(name), "{name}");
        }
    }

    #[test]
    fn a_segment_is_plain_or_refused() {
        for good in ["index.html", "icon-192.png", "iris-0123456789abcdef_bg.wasm", "snippets"] {
            assert!(is_plain_segment(good), "{good}");
        }
        for bad in ["", ".", "..", ".env", "%2e%2e", "a%2fb", "a\\b", "a b", "ä", "a\0", "~"] {
            assert!(!is_plain_segment(bad), "{bad:?}");
        }
    }
}
