use super::*;
use crate::protocol::decode_server;

fn message(id: &str, text: &str) -> Message {
    Message { client_id: id.into(), chat: Some("chat".into()), text: text.to_owned(), ..Message::default() }
}

fn outbox(ids: &[&str]) -> Outbox {
    let mut outbox = Outbox::default();
    for id in ids {
        outbox.put(message(id, "hello"), 0.0);
    }
    outbox.changes();
    outbox
}

fn ids(frames: &[AppFrame]) -> Vec<&str> {
    frames
        .iter()
        .map(|frame| match frame {
            AppFrame::MessageSend { client_id, .. } => client_id.as_str(),
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn what_was_not_acknowledged_is_sent_again_in_its_order() {
    let mut outbox = outbox(&["a", "b", "c", "d", "e", "f"]);
    for frame in [
        r#"{"type":"ack","client_id":"b","message_id":"u1"}"#,
        r#"{"type":"user.message","message_id":"u2","client_id":"c","text":"text c"}"#,
        r#"{"type":"error","code":"too_long","text":"Too long","re":"e"}"#,
        r#"{"type":"error","code":"busy","text":"Later"}"#,
        r#"{"type":"typing","on":true}"#,
        r#"{"type":"history.page","frames":[{"type":"user.message","seq":4,"message_id":"u4","client_id":"f","text":"x"}]}"#,
    ] {
        outbox.heard(&decode_server(frame).unwrap().frame);
    }
    assert_eq!(ids(&outbox.resend()), ["a", "d"]);
    assert_eq!(ids(&outbox.resend()), ["a", "d"], "until it is acknowledged");
    outbox.put(message("a", "again"), 5.0);
    assert_eq!(ids(&outbox.resend()), ["d", "a"], "sent by hand again: once, and later");
}

#[test]
fn what_failed_is_kept_with_its_reason_until_it_is_sent_again_or_taken_back() {
    let mut outbox = outbox(&["a"]);
    outbox.fail(&"a".into(), "No");
    let failed = Message { failed: Some("No".to_owned()), ..message("a", "hello") };
    assert_eq!(outbox.changes(), [Kept::Write(failed.clone())]);
    assert_eq!((outbox.resend(), outbox.is_waiting()), (vec![], false));
    assert_eq!(outbox.get(&"a".into()), Some(&failed));
    outbox.put(failed, 0.0);
    assert_eq!(outbox.changes(), [Kept::Write(message("a", "hello"))]);
    assert!(outbox.is_waiting());
    outbox.forget(&"a".into());
    outbox.forget(&"a".into());
    assert_eq!(outbox.changes(), [Kept::Forget("a".into())]);
    assert_eq!(outbox.get(&"a".into()), None);
}

#[test]
fn what_waits_too_long_fails() {
    let mut outbox = Outbox::default();
    outbox.put(message("a", "x"), 0.0);
    outbox.put(message("b", "y"), 30_000.0);
    assert_eq!(outbox.give_up("Late", 59_999.0), []);
    assert_eq!(outbox.give_up("Late", 60_000.0), ["a".into()]);
    assert_eq!(outbox.give_up("Late", 60_000.0), [], "said once");
    assert_eq!(ids(&outbox.resend()), ["b"]);
}

#[test]
fn what_was_written_down_goes_out_in_the_order_of_its_writing() {
    let mut outbox = Outbox::default();
    let written = |id: &str, at| Message { written_ms: at, ..message(id, "x") };
    let gone = Message { failed: Some("No".to_owned()), ..written("d", 4) };
    outbox.restore(vec![written("c", 3), gone, written("a", 1), written("b", 2)], 0.0);
    assert_eq!(ids(&outbox.resend()), ["a", "b", "c"]);
    assert_eq!(outbox.iter().count(), 4);
    assert_eq!(outbox.changes(), [], "it is written down already");
}

#[test]
fn a_message_finds_its_chat_and_one_whose_chat_is_gone_fails_in_another() {
    let mut outbox = Outbox::default();
    outbox.put(Message { chat: None, ..message("a", "x") }, 0.0);
    outbox.put(message("b", "y"), 0.0);
    outbox.changes();
    outbox.adopt(&"new".into());
    let adopted = Message { chat: Some("new".into()), ..message("a", "x") };
    assert_eq!(outbox.changes(), [Kept::Write(adopted)]);
    outbox.only_of(&["new".into()], &"new".into(), "Gone");
    let moved = Message { chat: Some("new".into()), failed: Some("Gone".to_owned()), ..message("b", "y") };
    assert_eq!(outbox.changes(), [Kept::Write(moved)]);
    assert_eq!(ids(&outbox.resend()), ["a"]);
}

#[test]
fn so_many_are_written_down_and_no_more() {
    let mut outbox = Outbox::default();
    for n in 0..2 * MAX_KEPT {
        outbox.put(message(&n.to_string(), "x"), 0.0);
    }
    assert_eq!(outbox.changes().len(), MAX_KEPT);
    assert_eq!(outbox.resend().len(), 2 * MAX_KEPT);
}

#[test]
fn a_frame_says_the_whole_message() {
    let file =
        FileInfo { id: "f1".into(), name: "a.png".to_owned(), media_type: "image/png".to_owned(), size: 9 };
    let message = Message { attachments: vec![file], mode: Some(SendMode::Steer), ..message("a", "") };
    let expected = AppFrame::MessageSend {
        client_id: "a".into(),
        chat: Some("chat".into()),
        text: String::new(),
        attachments: vec!["f1".into()],
        mode: Some(SendMode::Steer),
    };
    assert_eq!(Outbox::default().put(message, 0.0), expected);
}
