//! Vectors 17 and 18 of the security page: what a socket may not do, and that nobody else notices when it does.

use std::time::{Duration, Instant};

use futures_util::SinkExt;
use iris_core::protocol::{
    codec::encode_app,
    frame::{AppFrame, ServerFrame},
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::{
    Message,
    protocol::frame::{
        Frame,
        coding::{Data, OpCode},
    },
};

use crate::support::{Client, hello, hello_with, masked, open, read, serve, upgraded};

/// The close code of a socket whose first words are these.
async fn first_words(words: Vec<Message>) -> Option<u16> {
    let server = serve().await;
    let mut socket = open(&server).await;
    for word in words {
        socket.send(word).await.unwrap();
    }
    match read(&mut socket).await {
        Ok(envelope) => panic!("nothing may be said before hello: {envelope:?}"),
        Err(frame) => frame.map(|frame| frame.code.into()),
    }
}

#[tokio::test]
async fn whoever_says_no_hello_in_time_is_sent_away_unheard() {
    let began = Instant::now();
    assert_eq!(first_words(Vec::new()).await, Some(1008));
    assert!((4..8).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
}

#[tokio::test]
async fn only_a_hello_opens_the_conversation() {
    let frame = |frame: &AppFrame| Message::text(encode_app(frame));
    let old = AppFrame::Hello { protocol: 0, token: None, device: String::new(), capabilities: Vec::new() };
    for words in [
        vec![frame(&AppFrame::Ping { t: 1 })],
        vec![frame(&AppFrame::Subscribe { chat: "chat-1".into(), after_seq: None, limit: None })],
        vec![frame(&old)],
        vec![Message::text("hello")],
        vec![Message::text("")],
        vec![Message::binary(encode_app(&hello_with(None, &[])).into_bytes())],
        vec![Message::Ping("x".into()), frame(&AppFrame::TurnStop { chat: None })],
    ] {
        assert_eq!(first_words(words.clone()).await, Some(1008), "{words:?}");
    }
}

#[tokio::test]
async fn a_frame_that_cannot_be_read_is_answered_and_the_socket_stays_open() {
    let server = serve().await;
    let mut client = Client::modern(&server).await;
    let deep = "[".repeat(10_000);
    for (text, code, named) in [
        ("{", "bad_frame", "not a JSON text"),
        ("[]", "bad_frame", "JSON object"),
        (r#"{"type":5}"#, "bad_frame", "`type`"),
        ("{}", "bad_frame", "`type`"),
        (r#"{"type":"message.send","text":"x"}"#, "bad_frame", "client_id"),
        (r#"{"type":"subscribe","chat":7}"#, "bad_frame", "`chat`"),
        (&deep, "bad_frame", "not a JSON text"),
        (r#"{"type":"hello","protocol":1,"device":"again","capabilities":[]}"#, "second_hello", "already"),
        (r#"{"type":"subscribe","chat":"nowhere"}"#, "unknown_chat", "no such chat"),
        (r#"{"type":"message.send","client_id":"c","text":" \n"}"#, "empty", "nothing"),
    ] {
        client.text(text).await;
        let ServerFrame::Error { code: found, text: said, .. } = client.next().await.frame else {
            panic!("{text}")
        };
        assert_eq!(found, code, "{text}");
        assert!(said.contains(named), "{said}");
    }
    client.message(Message::binary(vec![1, 2, 3])).await;
    assert!(matches!(client.next().await.frame, ServerFrame::Error { code, .. } if code == "not_text"));
    client.text(r#"{"type":"teleport","to":"mars"}"#).await;
    client.send(AppFrame::Ping { t: 5 }).await;
    assert_eq!(client.next().await.frame, ServerFrame::Pong { t: 5 }, "an unknown type is no error");
}

#[tokio::test]
async fn whoever_goes_on_talking_nonsense_is_sent_away() {
    let server = serve().await;
    let mut client = Client::modern(&server).await;
    for _ in 0..25 {
        client.text("nonsense").await;
    }
    assert_eq!(client.close_code().await, Some(1008));
}

#[tokio::test]
async fn a_flood_is_stopped_and_the_others_do_not_notice() {
    let server = serve().await;
    let mut quiet = Client::modern(&server).await;
    let mut loud = Client::modern(&server).await;
    for t in 0..10_000 {
        if loud.try_text(encode_app(&AppFrame::Ping { t })).await.is_err() {
            break;
        }
    }
    assert!(matches!(loud.close_code().await, Some(1008) | None));
    quiet.send(AppFrame::Ping { t: 1 }).await;
    assert_eq!(quiet.next().await.frame, ServerFrame::Pong { t: 1 });
}

#[tokio::test]
async fn a_frame_has_64_kibibytes_and_not_one_byte_more() {
    let server = serve().await;
    let ping = |len: usize| {
        let start = r#"{"type":"ping","t":1,"pad":""#;
        format!("{start}{}\"}}", "x".repeat(len - start.len() - 2))
    };
    let mut client = Client::modern(&server).await;
    client.text(ping(64 * 1024)).await;
    assert_eq!(client.next().await.frame, ServerFrame::Pong { t: 1 });
    client.text(ping(64 * 1024 + 1)).await;
    assert_eq!(client.close_code().await, Some(1009));

    let mut binary = Client::modern(&server).await;
    binary.message(Message::binary(vec![0; 64 * 1024 + 1])).await;
    assert_eq!(binary.close_code().await, Some(1009));
}

#[tokio::test]
async fn a_message_beyond_all_bounds_ends_its_socket_only() {
    let server = serve().await;
    let mut quiet = Client::modern(&server).await;
    let mut huge = Client::modern(&server).await;
    let _ = huge.try_text("x".repeat(4 << 20)).await;
    assert!(matches!(huge.close_code().await, Some(1009) | None));
    quiet.send(AppFrame::Ping { t: 1 }).await;
    assert_eq!(quiet.next().await.frame, ServerFrame::Pong { t: 1 });
}

#[tokio::test]
async fn text_that_is_not_utf8_ends_its_socket() {
    let server = serve().await;
    let mut client = Client::modern(&server).await;
    let frame = Frame::message(vec![0xff, 0xfe, b'{'], OpCode::Data(Data::Text), true);
    client.message(Message::Frame(frame)).await;
    assert_eq!(client.close_code().await, Some(1007));
}

#[tokio::test]
async fn bytes_that_are_no_websocket_end_their_connection_only() {
    let server = serve().await;
    let mut quiet = Client::modern(&server).await;
    let mut stream = upgraded(&server).await;
    stream.write_all(&[0xff; 4096]).await.unwrap();
    let mut rest = Vec::new();
    let closed = tokio::time::timeout(Duration::from_secs(4), stream.read_to_end(&mut rest)).await;
    assert!(closed.is_ok(), "the connection is closed, not left to the hello's time");
    quiet.send(AppFrame::Ping { t: 1 }).await;
    assert_eq!(quiet.next().await.frame, ServerFrame::Pong { t: 1 });
}

#[tokio::test]
async fn a_device_that_answers_no_ping_is_given_up() {
    let server = serve().await;
    let mut dead = upgraded(&server).await;
    dead.write_all(&masked(&encode_app(&hello(&server, &[])))).await.unwrap();
    assert_eq!(dead.read_u8().await.unwrap(), 0x81, "the hello of the server");
    let began = tokio::time::Instant::now();
    tokio::time::pause();
    let mut rest = Vec::new();
    dead.read_to_end(&mut rest).await.unwrap();
    let passed = began.elapsed().as_secs();
    assert!((70..90).contains(&passed), "{passed}");
}
