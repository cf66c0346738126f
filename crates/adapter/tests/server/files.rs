//! The built app's files: what is served, how, and what is not.

use std::{fs, path::Path};

use iris_adapter::server::Server;
use tempfile::TempDir;

use crate::support::{get, request, serve_app};

/// A folder like the one that Trunk leaves behind.
fn dist() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("index.html", "<!doctype html><title>Iris</title>");
    write("index.html.br", "index in brotli");
    write("boot.js", "boot");
    write("sw.js", "worker");
    write("manifest.webmanifest", "{}");
    write("artifact.html", "<!doctype html>");
    write("icon.png", "png");
    write("iris-0123456789abcdef.js", "script");
    write("iris-0123456789abcdef.js.br", "script in brotli");
    write("iris-0123456789abcdef.js.gz", "script in gzip");
    write("iris-0123456789abcdef_bg.wasm", "\0asm");
    write("snippets/a-0123456789abcdef.css", "css");
    write(".secret", "secret");
    write(".git/config", "secret");
    write("sub/page.txt", "text");
    folder
}

async fn served() -> (TempDir, Server) {
    let folder = dist();
    let server = serve_app(folder.path()).await;
    (folder, server)
}

const FOREVER: &str = "public, max-age=31536000, immutable";

#[tokio::test]
async fn every_file_has_its_type_and_its_time_to_live() {
    let (_folder, server) = served().await;
    for (path, kind, cache) in [
        ("/", "text/html; charset=utf-8", "no-cache"),
        ("/index.html", "text/html; charset=utf-8", "no-cache"),
        ("/boot.js", "text/javascript; charset=utf-8", "no-cache"),
        ("/sw.js", "text/javascript; charset=utf-8", "no-cache"),
        ("/manifest.webmanifest", "application/manifest+json", "no-cache"),
        ("/icon.png", "image/png", "no-cache"),
        ("/iris-0123456789abcdef.js", "text/javascript; charset=utf-8", FOREVER),
        ("/iris-0123456789abcdef_bg.wasm", "application/wasm", FOREVER),
        ("/snippets/a-0123456789abcdef.css", "text/css; charset=utf-8", FOREVER),
        ("/?source=pwa", "text/html; charset=utf-8", "no-cache"),
    ] {
        let answer = get(server.address(), path).await;
        let found = (answer.status, answer.header("content-type"), answer.header("cache-control"));
        assert_eq!(found, (200, kind, cache), "{path}");
        assert!(!answer.header("last-modified").is_empty(), "{path}");
    }
}

#[tokio::test]
async fn the_smallest_form_that_the_browser_takes_is_sent() {
    let (_folder, server) = served().await;
    for (path, accepts, encoding, body) in [
        ("/iris-0123456789abcdef.js", "gzip, deflate, br", "br", "script in brotli"),
        ("/iris-0123456789abcdef.js", "gzip", "gzip", "script in gzip"),
        ("/iris-0123456789abcdef.js", "identity", "", "script"),
        ("/", "br", "br", "index in brotli"),
        ("/boot.js", "br, gzip", "", "boot"),
    ] {
        let answer = request(server.address(), "GET", path, &format!("Accept-Encoding: {accepts}\r\n")).await;
        let found = (answer.header("content-encoding").to_owned(), answer.text());
        assert_eq!(found, (encoding.to_owned(), body.to_owned()), "{path} {accepts}");
        assert_eq!(answer.status, 200);
        assert!(answer.header("content-type").starts_with("text/"), "{path}");
    }
}

#[tokio::test]
async fn an_unchanged_file_is_not_sent_again() {
    let (_folder, server) = served().await;
    let first = get(server.address(), "/boot.js").await;
    let known = format!("If-Modified-Since: {}\r\n", first.header("last-modified"));
    let again = request(server.address(), "GET", "/boot.js", &known).await;
    assert_eq!((again.status, again.text().as_str(), again.header("cache-control")), (304, "", "no-cache"));
}

#[tokio::test]
async fn a_person_who_asks_for_an_unknown_page_is_sent_to_the_app_and_a_script_gets_nothing() {
    let (_folder, server) = served().await;
    let browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";
    // By relative addresses, which hold below the path of any proxy.
    for (path, expected) in
        [("/some", "./"), ("/some/where", "../"), ("/a/b/c", "../../"), ("//evil.test", "../")]
    {
        let page = request(server.address(), "GET", path, browser).await;
        assert_eq!((page.status, page.header("location")), (307, expected), "{path}");
    }
    assert!(request(server.address(), "GET", "/", browser).await.text().contains("<title>Iris"));
    for accept in ["", "Accept: */*\r\n", "Accept: application/wasm\r\n", "Accept: text/htmlx\r\n"] {
        for path in ["/some/where", "/iris-fedcba9876543210_bg.wasm", "/snippets/", "/snippets", "/sub"] {
            let answer = request(server.address(), "GET", path, accept).await;
            assert_eq!((answer.status, answer.header("cache-control")), (404, "no-store"), "{path} {accept}");
        }
    }
}

#[tokio::test]
async fn nothing_but_plain_files_of_the_folder_is_ever_served() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "secret").unwrap();
    let (folder, server) = served().await;
    link(&outside.path().join("secret"), &folder.path().join("linked.txt"));
    link(outside.path(), &folder.path().join("linked"));
    link(&folder.path().join("boot.js"), &folder.path().join("inner.js"));
    for path in [
        "/.secret",
        "/.git/config",
        "/./.secret",
        "/../secret",
        "/..%2fsecret",
        "/%2e%2e/secret",
        "/%2esecret",
        "/sub/../.secret",
        "/sub/..%5c..%5csecret",
        "//etc/passwd",
        "/sub//page.txt",
        "/linked.txt",
        "/linked/secret",
        "/inner.js",
        "/sub/page.txt/",
        "/boot.js%00.html",
        "/sub/%2e%2e/boot.js",
        "/boot.js/",
        "/boot.js/x",
        "/C:/x",
        "/index.html.",
        "/%62oot.js",
    ] {
        let answer = get(server.address(), path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.text().contains("secret"), "{path}");
    }
    assert_eq!(get(server.address(), "/sub/page.txt").await.status, 200);
}

#[cfg(unix)]
fn link(target: &Path, at: &Path) {
    std::os::unix::fs::symlink(target, at).unwrap();
}

#[tokio::test]
async fn files_are_only_read() {
    let (_folder, server) = served().await;
    let own = format!("Origin: http://{}\r\n", server.address());
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
        let answer = request(server.address(), method, "/boot.js", &own).await;
        assert_eq!((answer.status, answer.header("allow")), (405, "GET, HEAD"), "{method}");
    }
    let head = request(server.address(), "HEAD", "/boot.js", "").await;
    assert_eq!((head.status, head.header("content-length"), head.text().as_str()), (200, "4", ""));
}

#[tokio::test]
async fn the_production_headers_are_on_every_answer() {
    let (_folder, server) = served().await;
    let policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
                  font-src 'self'; media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
                  frame-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                  require-trusted-types-for 'script'; trusted-types boot";
    for path in ["/", "/boot.js", "/iris-0123456789abcdef_bg.wasm", "/missing", "/health", "/artifact.html/x"]
    {
        let answer = get(server.address(), path).await;
        for (name, value) in [
            ("content-security-policy", policy),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), value, "{path}");
        }
        assert!(answer.header("permissions-policy").contains("camera=()"), "{path}");
    }
}

#[tokio::test]
async fn an_artifact_runs_under_a_policy_of_its_own() {
    let (_folder, server) = served().await;
    let answer = get(server.address(), "/artifact.html").await;
    let policy = answer.header("content-security-policy");
    for part in
        ["sandbox allow-scripts", "default-src 'none'", "frame-ancestors 'self'", "form-action 'none'"]
    {
        assert!(policy.contains(part), "{policy}");
    }
    for part in ["allow-same-origin", "connect-src", "'self' 'wasm"] {
        assert!(!policy.contains(part), "{policy}");
    }
}

#[tokio::test]
async fn the_health_check_is_small_json() {
    let (_folder, server) = served().await;
    let answer = get(server.address(), "/health").await;
    let body: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!((&body["status"], &body["name"]), (&"ok".into(), &"iris-adapter".into()));
    assert_eq!(
        (answer.header("content-type"), answer.header("cache-control")),
        ("application/json", "no-store")
    );
}
