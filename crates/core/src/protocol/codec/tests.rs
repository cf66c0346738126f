//! The codec at its edges. That every frame goes out and in again as documented is `codec/document.rs`.

use proptest::prelude::*;

use super::*;
use crate::ids::ToolIndex;
use crate::protocol::frame::{ServerFrame, Tokens};

fn server(text: &str) -> ServerFrame {
    decode_server(text).unwrap_or_else(|error| panic!("{text}: {error}")).frame
}

fn fails(text: &str, expected: &str) {
    assert_eq!(decode_server(text).unwrap_err().to_string(), expected, "{text}");
}

#[test]
fn a_plain_peers_frames_need_neither_chat_nor_seq() {
    let envelope = decode_server(r#"{"type":"message.update","message_id":"m1","text":"Let me"}"#).unwrap();
    assert_eq!((envelope.chat, envelope.seq), (None, None));
    assert_eq!(envelope.frame, ServerFrame::MessageUpdate { message_id: "m1".into(), text: "Let me".into() });
}

#[test]
fn typing_stop_is_typing_off() {
    assert_eq!(server(r#"{"type":"typing.stop"}"#), ServerFrame::Typing { on: false });
}

#[test]
fn an_unknown_type_is_a_frame_whatever_its_fields_are() {
    let unknown = ServerFrame::Unknown { kind: "mood".into() };
    assert_eq!(server(r#"{"type":"mood","text":{"a":1},"seq":"x","chat":[]}"#), unknown);
    assert_eq!(
        decode_app(r#"{"type":"mood","text":5}"#).unwrap(),
        AppFrame::Unknown { kind: "mood".to_owned() }
    );
    assert_eq!(encode_app(&AppFrame::Unknown { kind: "a\"b".to_owned() }), r#"{"type":"a\"b"}"#);
}

#[test]
fn fields_of_other_frames_are_ignored_whatever_their_type() {
    assert_eq!(
        server(r#"{"type":"typing","on":true,"text":5,"new":[{}]}"#),
        ServerFrame::Typing { on: true }
    );
}

#[test]
fn null_counts_as_absent() {
    let frame = r#"{"type":"tool.start","chat":null,"index":1,"name":"x","preview":null,"args":null}"#;
    let expected =
        ServerFrame::ToolStart { index: ToolIndex(1), name: "x".into(), preview: None, args: Map::new() };
    assert_eq!(server(frame), expected);
    fails(r#"{"type":"typing","on":null}"#, "`typing` needs `on`");
}

#[test]
fn tokens_are_a_total_or_the_parts() {
    let tokens = |json: &str| match server(&format!(
        r#"{{"type":"message.stop","message_id":"m","tokens":{json}}}"#
    )) {
        ServerFrame::MessageStop { tokens, .. } => tokens,
        other => panic!("{other:?}"),
    };
    assert_eq!(tokens("42"), Some(Tokens { total: Some(42), ..Tokens::default() }));
    assert_eq!(
        tokens(r#"{"input":2,"cache_read":9,"new":true}"#),
        Some(Tokens { input: Some(2), cache_read: Some(9), ..Tokens::default() })
    );
    assert_eq!(tokens("null"), None);
    fails(
        r#"{"type":"message.stop","message_id":"m","tokens":"42"}"#,
        "`message.stop`: `tokens` must be a whole number or an object, not a string",
    );
    fails(
        r#"{"type":"message.stop","message_id":"m","tokens":{"input":-1}}"#,
        "`message.stop`: `tokens.input` must be a whole number, 0 or more, not a number",
    );
}

#[test]
fn an_error_names_the_frame_and_the_field() {
    fails(r#"{"type":"message.stop"}"#, "`message.stop` needs `message_id`");
    fails(
        r#"{"type":"message.update","message_id":7,"text":""}"#,
        "`message.update`: `message_id` must be a string, not a number",
    );
    fails(
        r#"{"type":"tool.end","index":"1","name":"x"}"#,
        "`tool.end`: `index` must be a whole number from 0 to 4294967295, not a string",
    );
    fails(
        r#"{"type":"sync.begin","reset":false,"to_seq":1.5}"#,
        "`sync.begin`: `to_seq` must be a whole number, 0 or more, not a fraction",
    );
    fails(
        r#"{"type":"turn.end","turn":"t","status":"fine"}"#,
        "`turn.end`: `status` must be complete, error, interrupted or lost, not another word",
    );
    fails(
        r#"{"type":"hello","protocol":1,"chats":[{"id":"a","updated_ms":1},{"updated_ms":1}]}"#,
        "`hello` needs `chats[1].id`",
    );
    fails(r#"{"type":"chat.removed"}"#, "`chat.removed` needs `chat`");
    fails(
        r#"{"type":"typing","on":true,"seq":"7"}"#,
        "`typing`: `seq` must be a whole number, 0 or more, not a string",
    );
}

#[test]
fn what_is_no_frame_is_said_with_its_position() {
    fails("", "not a JSON text: EOF while parsing a value at line 1 column 0");
    fails("{\"type\":\"typing\",\n\"on\":tru}", "not a JSON text: expected ident at line 2 column 9");
    fails("[1]", "a frame is a JSON object, this is an array");
    fails("{}", "a frame needs a `type` that is a string");
    fails(r#"{"type":7}"#, "a frame needs a `type` that is a string");
}

#[test]
fn half_an_emoji_does_not_cost_the_frame() {
    let expected = ServerFrame::MessageUpdate { message_id: "m".into(), text: "ok \u{fffd}".into() };
    assert_eq!(server(r#"{"type":"message.update","message_id":"m","text":"ok \ud83d"}"#), expected);
    let frame = server(r#"{"type":"tool.start","index":1,"name":"x","args":{"\udc00":"\ud83d\ude00"}}"#);
    let ServerFrame::ToolStart { args, .. } = frame else { panic!("{frame:?}") };
    assert_eq!(Value::Object(args).to_string(), "{\"\u{fffd}\":\"😀\"}");
}

#[test]
fn a_frame_over_its_limit_is_refused_before_it_is_parsed() {
    let long =
        format!(r#"{{"type":"message.send","client_id":"c","text":"{}"}}"#, "x".repeat(MAX_TO_ADAPTER));
    assert!(matches!(decode_app(&long), Err(DecodeError::TooLong { max: MAX_TO_ADAPTER, .. })));
    assert!(decode_server(&long).is_ok());
    assert!(matches!(decode_server(&" ".repeat(MAX_TO_APP + 1)), Err(DecodeError::TooLong { .. })));
}

#[test]
fn deep_nesting_is_an_error_and_not_a_stack_overflow() {
    let deep = format!(
        r#"{{"type":"tool.start","index":1,"name":"x","args":{{"a":{}{}}}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert!(matches!(decode_server(&deep), Err(DecodeError::Json(_))));
}

#[test]
fn numbers_that_json_cannot_hold_do_not_break_the_frame() {
    let (index, name) = (ToolIndex(1), "x".to_owned());
    let frame =
        ServerFrame::ToolEnd { index, name, ok: None, duration: Some(f64::NAN), output_preview: None };
    let written = encode_server(&Envelope { chat: None, seq: None, frame });
    assert_eq!(written, r#"{"type":"tool.end","index":1,"name":"x","duration":null}"#);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        let _ = decode_server(&text);
        let _ = decode_app(&text);
    }

    #[test]
    fn no_broken_frame_makes_it_panic(cut in 0usize..200, at in 0usize..200, byte in any::<char>(), which in 0usize..4) {
        const FRAMES: [&str; 4] = [
            r#"{"type":"tool.start","chat":"c","seq":3,"index":1,"name":"terminal","preview":"ls","args":{"command":"ls \ud83d"}}"#,
            r#"{"type":"turn.end","turn":"t","status":"error","exit_code":-1,"tokens":{"input":1},"duration_ms":5}"#,
            r#"{"type":"hello","protocol":1,"chats":[{"id":"a","updated_ms":1}],"capabilities":["append"]}"#,
            r#"{"type":"message.send","client_id":"c","text":"\ud800\udc00"}"#,
        ];
        let mut text: Vec<char> = FRAMES[which].chars().collect();
        let at = at % text.len();
        text[at] = byte;
        text.truncate(cut.max(1));
        let text: String = text.into_iter().collect();
        let _ = decode_server(&text);
        let _ = decode_app(&text);
    }
}
