//! Vectors 14, 15, 16 and 20 of the security page, on ordinary requests and on the upgrade alike.

use iris_adapter::{
    config::Config,
    server::{self, Server},
};

use crate::support::{UPGRADE, config, get, raw, serve, token};

/// Header lines (`PORT` stands for the server's, `TOKEN` for that of a paired device), and the status for an ordinary
/// request, a POST and an upgrade.
type Case = (&'static str, u16, u16, u16);

const OWN_NAMES: &[Case] = &[
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n", 200, 405, 101),
    ("Host: localhost:PORT\r\nOrigin: http://localhost:PORT\r\n", 200, 405, 101),
    ("Host: [::1]:PORT\r\nOrigin: http://[::1]:PORT\r\n", 200, 405, 101),
    (
        "Host: LOCALHOST:PORT\r\nOrigin: HTTP://LocalHost:PORT\r\nSec-Fetch-Site: same-origin\r\n",
        200,
        405,
        101,
    ),
];

const OTHER_ORIGINS: &[Case] = &[
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://evil.test\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: null\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: file://\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://localhost.evil.test\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://localhost.evil.test:PORT\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1.evil.test:PORT\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://127.evil.com:PORT\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT.evil.test\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT@evil.test\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT/\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:1\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: https://127.0.0.1:PORT\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: ws://127.0.0.1:PORT\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: \r\n", 200, 403, 403),
];

const OTHER_HOSTS: &[Case] = &[
    ("Host: evil.test\r\nOrigin: http://evil.test\r\n", 421, 421, 421),
    ("Host: evil.test:PORT\r\nOrigin: http://evil.test:PORT\r\n", 421, 421, 421),
    ("Host: evil.test:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n", 421, 421, 421),
    ("Host: localhost.evil.test:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n", 421, 421, 421),
    ("Host: localhost.:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n", 421, 421, 421),
    ("Host: 127.0.0.1:1\r\nOrigin: http://127.0.0.1:PORT\r\n", 421, 421, 421),
    ("Host: 127.0.0.1\r\nOrigin: http://127.0.0.1:PORT\r\n", 421, 421, 421),
    ("Host: 127.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n", 421, 421, 421),
    ("Host: 0.0.0.0:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n", 421, 421, 421),
    ("Host: [::ffff:127.0.0.1]:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n", 421, 421, 421),
    ("Host: \r\nOrigin: http://127.0.0.1:PORT\r\n", 421, 421, 421),
    ("Host: user@127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n", 421, 421, 421),
    ("Host: 127.0.0.1:PORT\r\nHost: evil.test\r\nOrigin: http://127.0.0.1:PORT\r\n", 421, 421, 421),
    ("Origin: http://127.0.0.1:PORT\r\n", 421, 421, 421),
];

const ODD_ORIGINS: &[Case] = &[
    ("Host: 127.0.0.1:PORT\r\nAuthorization: Bearer TOKEN\r\n", 200, 405, 101),
    ("Host: 127.0.0.1:PORT\r\nAuthorization: bearer TOKEN\r\n", 200, 405, 101),
    ("Host: 127.0.0.1:PORT\r\nAuthorization: Bearer TOKEN0\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nAuthorization: Bearer\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nAuthorization: TOKEN\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nAuthorization: Basic TOKEN\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nAuthorization: Bearer TOKEN\r\nAuthorization: Bearer x\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: null\r\nAuthorization: Bearer TOKEN\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://evil.test\r\nAuthorization: Bearer TOKEN\r\n", 200, 403, 403),
    ("Host: evil.test\r\nAuthorization: Bearer TOKEN\r\n", 421, 421, 421),
    ("Host: 127.0.0.1:PORT\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\nOrigin: http://evil.test\r\n", 200, 403, 403),
    (
        "Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n",
        200,
        403,
        403,
    ),
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT http://evil.test\r\n", 200, 403, 403),
    ("Host: evil.test\r\nOrigin: http://evil.test\r\nX-Forwarded-Host: localhost\r\n", 421, 421, 421),
    (
        "Host: evil.test\r\nX-Forwarded-Host: 127.0.0.1:PORT\r\nForwarded: host=127.0.0.1:PORT\r\n",
        421,
        421,
        421,
    ),
    ("Host: 127.0.0.1:PORT\r\nOrigin: http://evil.test\r\nX-Forwarded-Host: evil.test\r\n", 200, 403, 403),
];

const OTHER_SITES: &[Case] = &[
    (
        "Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\nSec-Fetch-Site: cross-site\r\n",
        403,
        403,
        403,
    ),
    ("Host: 127.0.0.1:PORT\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n", 403, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n", 200, 403, 403),
    ("Host: 127.0.0.1:PORT\r\nSec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\n", 200, 403, 403),
];

async fn ask(server: &Server, line: &str, headers: &str, more: &str) -> (u16, String) {
    let port = server.address().port().to_string();
    let headers = headers.replace("PORT", &port).replace("TOKEN", &token(server));
    let request = format!("{line} HTTP/1.1\r\n{headers}{more}\r\n");
    let answer = raw(server.address(), request.as_bytes()).await;
    assert_eq!(answer.header("x-content-type-options"), "nosniff", "every answer has the headers: {request}");
    (answer.status, answer.text())
}

async fn check(cases: &[Case]) {
    for (headers, plain, post, upgrade) in cases {
        // Each meets a server of its own: wrong tokens make the next one wait.
        let server = serve().await;
        let close = "Connection: close\r\n";
        assert_eq!(ask(&server, "GET /health", headers, close).await.0, *plain, "GET {headers:?}");
        assert_eq!(ask(&server, "POST /health", headers, close).await.0, *post, "POST {headers:?}");
        assert_eq!(ask(&server, "GET /ws", headers, UPGRADE).await.0, *upgrade, "upgrade {headers:?}");
    }
}

#[tokio::test]
async fn the_servers_own_names_are_answered() {
    check(OWN_NAMES).await;
}

#[tokio::test]
async fn vector_14_a_page_of_another_origin_is_turned_away() {
    check(OTHER_ORIGINS).await;
}

#[tokio::test]
async fn vector_15_a_name_that_was_made_to_resolve_to_this_machine_is_turned_away() {
    check(OTHER_HOSTS).await;
}

#[tokio::test]
async fn vector_16_no_origin_needs_a_token_and_headers_that_anyone_can_write_count_for_nothing() {
    check(ODD_ORIGINS).await;
}

#[tokio::test]
async fn what_the_browser_says_of_the_site_that_asks_counts() {
    check(OTHER_SITES).await;
}

#[tokio::test]
async fn the_name_in_the_request_line_counts_as_well() {
    let server = serve().await;
    let host = "Host: 127.0.0.1:PORT\r\nConnection: close\r\n";
    assert_eq!(ask(&server, "GET http://evil.test/health", host, "").await.0, 421);
    let own = format!("GET http://{}/health", server.address());
    assert_eq!(ask(&server, &own, host, "").await.0, 200);
}

#[tokio::test]
async fn a_refusal_names_the_flag_and_the_flag_helps() {
    let server = serve().await;
    let (status, text) = ask(&server, "GET /health", "Host: iris.example\r\n", "").await;
    assert_eq!(status, 421);
    assert!(text.contains("--allow-host iris.example"), "{text}");
    let headers = "Host: localhost:PORT\r\nOrigin: https://iris.example\r\n";
    let (status, text) = ask(&server, "GET /ws", headers, UPGRADE).await;
    assert_eq!(status, 403);
    assert!(text.contains("--allow-origin https://iris.example"), "{text}");

    let server = server::start(Config {
        allow_hosts: vec!["iris.example".parse().unwrap()],
        allow_origins: vec!["https://iris.example".parse().unwrap()],
        ..config()
    })
    .await
    .unwrap();
    for headers in [
        "Host: iris.example\r\nOrigin: https://iris.example\r\n",
        "Host: localhost:PORT\r\nOrigin: https://iris.example\r\nSec-Fetch-Site: cross-site\r\n",
        "Host: localhost:PORT\r\nOrigin: http://localhost:PORT\r\n",
    ] {
        assert_eq!(ask(&server, "GET /ws", headers, UPGRADE).await.0, 101, "{headers}");
    }
    for headers in [
        "Host: iris.example:PORT\r\nOrigin: https://iris.example\r\n",
        "Host: iris.example.evil.test\r\nOrigin: https://iris.example\r\n",
        "Host: iris.example\r\nOrigin: http://iris.example\r\n",
        "Host: iris.example\r\nOrigin: https://iris.example.evil.test\r\n",
        "Host: iris.example\r\nOrigin: https://iris.example:8443\r\n",
    ] {
        assert!([421, 403].contains(&ask(&server, "GET /ws", headers, UPGRADE).await.0), "{headers}");
    }
}

#[tokio::test]
async fn vector_20_a_page_of_another_origin_cannot_frame_the_app() {
    let server = serve().await;
    for path in ["/", "/health", "/nothing"] {
        let answer = get(server.address(), path).await;
        assert!(answer.header("content-security-policy").contains("frame-ancestors 'none'"), "{path}");
    }
}
