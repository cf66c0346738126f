//! Files of conversations over HTTP: who may, how they are shown, and what they can never do.

use iris_adapter::server::Server;
use serde_json::Value;

use crate::support::{Answer, raw, request, serve, token};

async fn post(server: &Server, name: &str, headers: &str, body: &[u8]) -> Answer {
    let head = format!(
        "POST /files?name={name} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}Content-Length: {}\r\n\r\n",
        server.address(),
        body.len()
    );
    raw(server.address(), &[head.as_bytes(), body].concat()).await
}

fn own(server: &Server) -> String {
    format!("Origin: http://{}\r\nAuthorization: Bearer {}\r\n", server.address(), token(server))
}

async fn put(server: &Server, name: &str, body: &[u8]) -> Value {
    let answer = post(server, name, &own(server), body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    serde_json::from_slice(&answer.body).unwrap()
}

async fn fetch(server: &Server, method: &str, id: &str) -> Answer {
    request(server.address(), method, &format!("/files/{id}"), &own(server)).await
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and so on";

#[tokio::test]
async fn a_file_goes_up_and_comes_back() {
    let server = serve().await;
    let info = put(&server, "my%20plan%20%C3%A4.png", PNG).await;
    assert_eq!((&info["name"], &info["media_type"]), (&"my plan ä.png".into(), &"image/png".into()));
    assert_eq!(info["size"], PNG.len());
    let answer = fetch(&server, "GET", info["id"].as_str().unwrap()).await;
    assert_eq!((answer.status, answer.body.as_slice()), (200, PNG));
    let head = fetch(&server, "HEAD", info["id"].as_str().unwrap()).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[tokio::test]
async fn only_pictures_are_shown_in_place_and_nothing_can_run() {
    let server = serve().await;
    for (name, bytes, kind, place) in [
        ("a.png", PNG, "image/png", "inline"),
        ("a.html", PNG, "image/png", "inline"),
        ("a.png", b"<!DOCTYPE html><script>alert(1)</script>", "text/plain; charset=utf-8", "attachment"),
        ("a.svg", b"<svg onload=alert(1)>", "text/plain; charset=utf-8", "attachment"),
        ("a.pdf", b"%PDF-1.7", "application/octet-stream", "attachment"),
        ("a", b"\0\x01", "application/octet-stream", "attachment"),
    ] {
        let info = put(&server, name, bytes).await;
        let answer = fetch(&server, "GET", info["id"].as_str().unwrap()).await;
        assert_eq!(answer.header("content-type"), kind, "{name} {bytes:?}");
        assert!(answer.header("content-disposition").starts_with(&format!("{place}; filename*=UTF-8''a")));
        let policy = answer.header("content-security-policy");
        assert_eq!(policy, "default-src 'none'; frame-ancestors 'none'; sandbox");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert!(answer.header("cache-control").starts_with("private"));
    }
}

#[tokio::test]
async fn only_a_paired_device_of_our_own_page_may() {
    let server = serve().await;
    let id = put(&server, "a.txt", b"secret").await["id"].as_str().unwrap().to_owned();
    let (address, token) = (server.address(), token(&server));
    let (origin, bearer) =
        (format!("Origin: http://{address}\r\n"), format!("Authorization: Bearer {token}\r\n"));
    for (headers, status) in [
        (origin.clone(), 401),
        (format!("{origin}Authorization: Bearer wrong\r\n"), 401),
        (format!("{origin}Authorization: Basic {token}\r\n"), 401),
        (format!("{origin}{bearer}{bearer}"), 401),
        (format!("{origin}Cookie: token={token}\r\n"), 401),
        (String::new(), 403),
        (format!("Origin: http://evil.test\r\n{bearer}"), 403),
        (format!("Origin: null\r\n{bearer}"), 403),
        (bearer.clone(), 200),
    ] {
        assert_eq!(post(&server, "a", &headers, b"x").await.status, status, "{headers}");
    }
    for (headers, status) in [("", 401), ("Authorization: Bearer wrong\r\n", 401), (&bearer, 200)] {
        let answer = request(address, "GET", &format!("/files/{id}"), headers).await;
        assert_eq!(answer.status, status, "{headers}");
        assert!(status == 200 || !answer.text().contains("secret"));
    }
    server.devices().revoke("test").unwrap().unwrap();
    assert_eq!(request(address, "GET", &format!("/files/{id}"), &bearer).await.status, 401);
}

#[tokio::test]
async fn an_id_that_is_none_of_ours_names_nothing() {
    let server = serve().await;
    for id in [
        "0123456789abcdef0123456789abcdef",
        "..%2fdevices.db",
        "%2e%2e%2fdevices.db",
        "..%5cdevices.db",
        "x",
        "0123456789ABCDEF0123456789ABCDEF",
        "0123456789abcdef0123456789abcdef.json",
    ] {
        assert_eq!(fetch(&server, "GET", id).await.status, 404, "{id}");
    }
}

#[tokio::test]
async fn a_file_that_says_it_is_too_large_is_refused_before_it_is_read() {
    let server = serve().await;
    let head = format!(
        "POST /files?name=a HTTP/1.1\r\nHost: {}\r\n{}Content-Length: {}\r\n\r\n",
        server.address(),
        own(&server),
        (32 << 20) + 1
    );
    let answer = raw(server.address(), head.as_bytes()).await;
    assert!(answer.status == 413 && answer.text().contains("32 MB"), "{}", answer.text());
}
