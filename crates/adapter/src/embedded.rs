//! The built app inside this program: the same files that a folder would hold, with their compressed forms beside them.
//! Which path names a file and how long it is kept is `static_files.rs`'s to decide.

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use include_dir::{Dir, include_dir};
use sha2::{Digest, Sha256};

static APP: Dir<'_> = include_dir!("$IRIS_EMBEDDED_APP");

/// The files of an app that was there when this program was built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Embedded(&'static Dir<'static>);

impl Embedded {
    /// The app of this program. `None`: it was built without one.
    pub(crate) fn app() -> Option<Self> {
        Self::of(&APP)
    }

    fn of(files: &'static Dir<'static>) -> Option<Self> {
        files.get_file("index.html").map(|_| Self(files))
    }

    /// A file's bytes.
    pub(crate) fn read(self, name: &str) -> Option<&'static [u8]> {
        self.0.get_file(name).map(|file| file.contents())
    }

    /// Answers a `GET` or `HEAD` for a file that is there, in the smallest form that the browser takes.
    pub(crate) fn answer(self, name: &str, request: &Request) -> Response {
        let Some((encoding, bytes)) = self.smallest(name, request.headers()) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        let tag = tag(bytes);
        let known = request.headers().get(header::IF_NONE_MATCH).is_some_and(|known| names(known, &tag));
        let head = *request.method() == Method::HEAD;
        let mut response = match (known, head) {
            (true, _) => StatusCode::NOT_MODIFIED.into_response(),
            (false, true) => Response::new(Body::empty()),
            (false, false) => Response::new(Body::from(Bytes::from_static(bytes))),
        };
        let headers = response.headers_mut();
        if !known {
            headers.insert(header::CONTENT_LENGTH, bytes.len().into());
            if let Some(encoding) = encoding {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
            }
        }
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            headers.insert(header::ETAG, tag);
        }
        response
    }

    fn smallest(self, name: &str, headers: &HeaderMap) -> Option<(Option<&'static str>, &'static [u8])> {
        [("br", ".br"), ("gzip", ".gz")]
            .into_iter()
            .filter(|(encoding, _)| accepts(headers, encoding))
            .find_map(|(encoding, ending)| Some((Some(encoding), self.read(&format!("{name}{ending}"))?)))
            .or_else(|| Some((None, self.read(name)?)))
    }
}

/// Whether `Accept-Encoding` names this one, and not to refuse it.
fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let listed = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    listed.flat_map(|value| value.split(',')).any(|item| {
        let mut parts = item.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        let refused = parts
            .filter_map(|part| part.strip_prefix("q="))
            .any(|quality| quality.bytes().all(|byte| matches!(byte, b'0' | b'.')));
        named && !refused
    })
}

/// Names this form of a file: another encoding has other bytes.
fn tag(bytes: &[u8]) -> String {
    let hash: [u8; 32] = Sha256::digest(bytes).into();
    format!("\"{}\"", hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect::<String>())
}

fn names(known: &HeaderValue, tag: &str) -> bool {
    let Ok(known) = known.to_str() else { return false };
    known.split(',').map(|one| one.trim().trim_start_matches("W/")).any(|one| one == tag || one == "*")
}

#[cfg(test)]
mod tests {
    use include_dir::{DirEntry, File};

    use super::*;

    static FILES: [DirEntry<'static>; 5] = [
        DirEntry::File(File::new("index.html", b"<!doctype html>")),
        DirEntry::File(File::new("index.html.br", b"brotli")),
        DirEntry::File(File::new("index.html.gz", b"gzip")),
        DirEntry::File(File::new("boot.js", b"boot")),
        DirEntry::File(File::new("boot.js.gz", b"boot gzip")),
    ];
    static FOLDER: Dir<'static> = Dir::new("", &FILES);

    fn ask(name: &str, headers: &[(&str, &str)]) -> Response {
        let mut request = Request::builder().uri("/");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Embedded::of(&FOLDER).unwrap().answer(name, &request.body(Body::empty()).unwrap())
    }

    #[test]
    fn the_smallest_form_that_the_browser_takes_is_sent() {
        for (name, accepted, expected, length) in [
            ("index.html", "gzip, deflate, br", Some("br"), "6"),
            ("index.html", "gzip, br;q=0", Some("gzip"), "4"),
            ("index.html", "GZIP;q=0.5", Some("gzip"), "4"),
            ("index.html", "identity", None, "15"),
            ("index.html", "brx", None, "15"),
            ("boot.js", "br, gzip", Some("gzip"), "9"),
            ("boot.js", "br", None, "4"),
        ] {
            let response = ask(name, &[("accept-encoding", accepted)]);
            let header = |name| response.headers().get(name).map(|value| value.to_str().unwrap());
            assert_eq!((header("content-encoding"), header("content-length").unwrap()), (expected, length));
            assert_eq!(header("vary"), Some("accept-encoding"));
        }
    }

    #[test]
    fn a_form_that_the_browser_has_is_not_sent_again() {
        let first = ask("boot.js", &[]);
        let tag = first.headers().get("etag").unwrap().to_str().unwrap().to_owned();
        for known in [tag.clone(), format!("\"x\", W/{tag}")] {
            assert_eq!(ask("boot.js", &[("if-none-match", &known)]).status(), 304);
        }
        let other_form = ask("boot.js", &[("if-none-match", &tag), ("accept-encoding", "gzip")]);
        assert_eq!(other_form.status(), 200);
    }

    #[test]
    fn a_folder_without_a_page_is_no_app() {
        static EMPTY: Dir<'static> = Dir::new("", &[]);
        assert!(Embedded::of(&EMPTY).is_none());
    }
}
