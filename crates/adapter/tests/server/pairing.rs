//! Vector 17 of the security page and what belongs to it: how a device comes in, and how it is put out again.

use std::time::Duration;

use futures_util::SinkExt;
use iris_adapter::{
    config::Config,
    devices::Devices,
    server::{self, Server},
};
use iris_core::protocol::{codec::encode_app, frame::ServerFrame};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::{Message, protocol::CloseFrame};

use crate::support::{
    Answer, Client, config, hello, hello_with, masked, open, raw, read, request, serve, token, upgraded,
};

/// Why a socket that says these tokens in its `hello` is closed, if it is.
async fn turned_away(server: &Server, token: Option<&str>) -> Option<(u16, String)> {
    let mut socket = open(server).await;
    let hello = hello_with(token.map(str::to_owned), &[]);
    socket.send(Message::text(encode_app(&hello))).await.unwrap();
    let CloseFrame { code, reason } = read(&mut socket).await.err()?.expect("a reason");
    Some((code.into(), reason.to_string()))
}

async fn pair(server: &Server, body: &str) -> Answer {
    let address = server.address();
    let text = format!(
        "POST /pair HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    raw(address, text.as_bytes()).await
}

fn code(code: &str) -> String {
    format!(r#"{{"code":"{code}","name":"Phone"}}"#)
}

#[tokio::test]
async fn not_one_byte_is_sent_before_a_paired_device_says_hello() {
    let server = serve().await;
    for words in [None, Some(hello_with(None, &[])), Some(hello_with(Some("0".repeat(64)), &[]))] {
        let mut stream = upgraded(&server).await;
        match words {
            Some(words) => stream.write_all(&masked(&encode_app(&words))).await.unwrap(),
            None => stream.write_all(&masked(r#"{"type":"ping","t":1}"#)).await.unwrap(),
        }
        let mut all = Vec::new();
        stream.read_to_end(&mut all).await.unwrap();
        // A close frame with 1008 is all there is.
        assert_eq!((all[0], &all[2..4], all.len()), (0x88, &[0x03, 0xf0][..], 2 + usize::from(all[1])));
    }
}

#[tokio::test]
async fn only_the_token_of_a_paired_device_opens_the_socket() {
    let server = serve().await;
    let token = token(&server);
    let longer = format!("{token}0");
    assert_eq!(turned_away(&server, Some(&token)).await, None);
    for wrong in [None, Some(""), Some(&token[..63]), Some(longer.as_str()), Some(&token.to_uppercase())] {
        let (code, reason) = turned_away(&server, wrong).await.unwrap();
        assert!(code == 1008 && reason.starts_with("not paired"), "{wrong:?}: {code} {reason}");
    }
}

#[tokio::test]
async fn whoever_is_wrong_too_often_has_to_wait_and_a_paired_device_has_not() {
    let server = serve().await;
    let token = token(&server);
    for _ in 0..5 {
        turned_away(&server, Some("wrong")).await.unwrap();
    }
    let (code, reason) = turned_away(&server, Some("wrong")).await.unwrap();
    assert!(code == 1008 && reason.contains("too many wrong attempts"), "{code} {reason}");
    let bearer = "Authorization: Bearer wrong\r\n";
    let answer = request(server.address(), "GET", "/files/x", bearer).await;
    assert!(answer.status == 429 && !answer.header("retry-after").is_empty(), "{answer:?}");
    assert_eq!(pair(&server, &self::code("wrong")).await.status, 429);
    assert_eq!(turned_away(&server, Some(&token)).await, None);
}

#[tokio::test]
async fn a_second_hello_changes_nothing() {
    let server = serve().await;
    let mut client = Client::modern(&server).await;
    client.send(hello_with(Some("wrong".to_owned()), &[])).await;
    assert!(matches!(client.next().await.frame, ServerFrame::Error { code, .. } if code == "second_hello"));
    client.send(hello(&server, &[])).await;
    assert!(matches!(client.next().await.frame, ServerFrame::Error { .. }));
}

#[tokio::test]
async fn a_pairing_code_gives_one_device_a_token_once() {
    let server = serve().await;
    let invited = server.devices().invite(None).unwrap();
    let answer = pair(&server, &code(invited.reveal())).await;
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
    let body: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(body["device"], "Phone");
    assert_eq!(turned_away(&server, body["token"].as_str()).await, None);

    let again = pair(&server, &code(invited.reveal())).await;
    assert!(again.status == 403 && again.text().contains("iris-adapter pair"), "{}", again.text());
    assert_eq!(turned_away(&server, Some(invited.reveal())).await.unwrap().0, 1008, "a code is no token");
}

#[tokio::test]
async fn wrong_codes_are_refused_and_then_not_looked_at_any_more() {
    let server = serve().await;
    let good = server.devices().invite(None).unwrap();
    for wrong in ["", "x", &good.reveal()[..63], &"0".repeat(64), &"0".repeat(300)] {
        assert_eq!(pair(&server, &code(wrong)).await.status, 403, "{wrong}");
    }
    let answer = pair(&server, &code(good.reveal())).await;
    assert!(answer.status == 429 && answer.header("retry-after") == "1", "{answer:?}");
}

#[tokio::test]
async fn what_is_no_wish_to_pair_is_refused() {
    let server = serve().await;
    for (body, status) in
        [("", 400), ("{", 400), ("[]", 400), (r#"{"code":5}"#, 400), (&"x".repeat(5000), 413)]
    {
        assert_eq!(pair(&server, body).await.status, status, "{body:.20}");
    }
    assert_eq!(request(server.address(), "GET", "/pair", "").await.status, 405);
    let code = code(server.devices().invite(None).unwrap().reveal());
    for origin in ["", "Origin: http://evil.test\r\n", "Origin: null\r\n"] {
        let head =
            format!("POST /pair HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{origin}", server.address());
        let text = format!("{head}Content-Length: {}\r\n\r\n{code}", code.len());
        assert_eq!(raw(server.address(), text.as_bytes()).await.status, 403, "{origin}");
    }
    assert_eq!(pair(&server, &code).await.status, 200, "the code is still good");
}

#[tokio::test]
async fn a_revoked_devices_sockets_are_closed_and_the_others_stay() {
    let server = serve().await;
    let mut stays = Client::modern(&server).await;
    // As `iris-adapter devices revoke` does it: another process with the same file.
    let config = Config { data: config().data, ..config() };
    let other = server::start(config.clone()).await.unwrap();
    let mut goes = Client::modern(&other).await;
    let elsewhere = Devices::open(&config.data).unwrap();
    elsewhere.revoke("test").unwrap().unwrap();
    let Err(Some(frame)) = goes.try_next().await else { panic!("it is still open") };
    assert_eq!(u16::from(frame.code), 1008);
    assert!(frame.reason.starts_with("not paired any more"), "{}", frame.reason);

    let phone = server.devices().add("Phone").unwrap();
    assert_eq!(turned_away(&server, Some(phone.token.reveal())).await, None);
    server.devices().revoke("Phone").unwrap().unwrap();
    assert_eq!(turned_away(&server, Some(phone.token.reveal())).await.unwrap().0, 1008);
    stays.send(iris_core::protocol::frame::AppFrame::Ping { t: 1 }).await;
    assert_eq!(stays.next().await.frame, ServerFrame::Pong { t: 1 });
}

#[tokio::test]
async fn a_device_that_was_paired_by_another_process_comes_in_at_once() {
    let config = config();
    let server = server::start(config.clone()).await.unwrap();
    let paired = Devices::open(&config.data).unwrap().add("Phone").unwrap();
    assert_eq!(turned_away(&server, Some(paired.token.reveal())).await, None);
}

#[tokio::test]
async fn a_device_has_only_so_many_sockets_and_another_has_its_own() {
    let server = server::start(Config { sockets_per_device: 2, ..config() }).await.unwrap();
    let token = token(&server);
    let first = Client::modern(&server).await;
    let _second = Client::modern(&server).await;
    let (code, reason) = turned_away(&server, Some(&token)).await.unwrap();
    assert!(code == 1013 && !reason.starts_with("not paired"), "{code} {reason}");
    let other = server.devices().add("Phone").unwrap();
    assert_eq!(turned_away(&server, Some(other.token.reveal())).await, None);
    first.leave().await;
    let again = async {
        while turned_away(&server, Some(&token)).await.is_some() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), again).await.expect("its place is free again");
}
