//! The short form of an append: what it stands for, when it may be used, and that nobody is misled by it.

use proptest::prelude::*;

use super::*;
use crate::protocol::codec::encode_server;

const DOCUMENT: &str = include_str!("../../../../../../docs/protocol.md");

/// The writer's side as the adapter has it: short where the message before allows it.
#[derive(Default)]
struct Writer {
    tail: Option<Tail>,
}

impl Writer {
    fn write(&mut self, envelope: &Envelope) -> String {
        let tail = self.tail.take();
        let Some(growth) = Growth::of(envelope) else { return encode_server(envelope) };
        self.tail = Some(growth.after);
        if tail == Some(growth.before) { growth.short } else { growth.whole }
    }
}

fn append(chat: &str, seq: u64, at: u64, text: &str) -> Envelope {
    let frame = ServerFrame::MessageAppend { message_id: "m1".into(), at, text: text.to_owned() };
    Envelope { chat: Some(chat.into()), seq: Some(seq), frame }
}

fn read_all(messages: &[&str]) -> Vec<Result<Envelope, DecodeError>> {
    let mut reader = ServerReader::default();
    messages.iter().map(|message| reader.read(message)).collect()
}

const FIRST: &str = r#"{"type":"message.append","chat":"c","seq":5,"message_id":"m1","at":0,"text":"Hé"}"#;

#[test]
fn a_string_goes_on_where_the_append_before_it_ended() {
    let read = read_all(&[FIRST, r#""llo\n""#, r#""""#, r#"" wörld""#]);
    let expected = [
        append("c", 5, 0, "Hé"),
        append("c", 6, 3, "llo\n"),
        append("c", 7, 7, ""),
        append("c", 8, 7, " wörld"),
    ];
    assert_eq!(read, expected.map(Ok));
}

#[test]
fn a_string_after_anything_else_means_nothing() {
    let stray = || Err(DecodeError::NotAnObject("a string"));
    assert_eq!(read_all(&[r#""x""#]), [stray()]);
    for between in
        [r#"{"type":"pong","t":1}"#, r#"{"type":"mood"}"#, "[]", "not json", r#"{"type":"typing"}"#]
    {
        assert_eq!(read_all(&[FIRST, between, r#""x""#]).pop(), Some(stray()), "{between}");
    }
    assert_eq!(read_all(&[FIRST, "7", r#""x""#])[2], stray(), "nor does one after that");
}

#[test]
fn the_short_form_is_for_what_follows_directly() {
    let first = append("c", 5, 0, "Hé");
    let short = |next: &Envelope| {
        let mut writer = Writer::default();
        writer.write(&first);
        writer.write(next) == "\"x\""
    };
    assert!(short(&append("c", 6, 3, "x")));
    for other in [append("d", 6, 3, "x"), append("c", 7, 3, "x"), append("c", 6, 2, "x")] {
        assert!(!short(&other), "{other:?}");
    }
    let thought = ServerFrame::ReasoningAppend { message_id: "m1".into(), at: 3, text: "x".to_owned() };
    assert!(!short(&Envelope { frame: thought, ..append("c", 6, 3, "x") }));
    let another = ServerFrame::MessageAppend { message_id: "m2".into(), at: 3, text: "x".to_owned() };
    assert!(!short(&Envelope { frame: another, ..append("c", 6, 3, "x") }));
}

#[test]
fn the_example_of_the_document_is_read_as_it_says() {
    let (_, part) = DOCUMENT.split_once("\n### Continuations\n").expect("the section");
    let part = part.split_once("\n#").expect("its end").0;
    let blocks: Vec<&str> =
        part.split("```").skip(1).step_by(2).map(|block| block.trim_start_matches("json")).collect();
    let [short, whole] = blocks[..] else { panic!("two blocks: {blocks:?}") };
    let lines = |block: &'static str| block.trim().lines().collect::<Vec<_>>();
    let read = read_all(&lines(short));
    assert!(read.len() > 2);
    assert_eq!(read, read_all(&lines(whole)));
}

/// Frames that look alike in all that counts.
fn frames() -> impl Strategy<Value = Envelope> {
    let piece = ("[ab]", 0u64..4, 0u64..4, "[ab]", any::<bool>(), "[a\\n\"é]{0,2}");
    let append = piece.prop_map(|(chat, seq, at, id, reasoning, text)| {
        let message_id = MessageId(id);
        let frame = if reasoning {
            ServerFrame::ReasoningAppend { message_id, at, text }
        } else {
            ServerFrame::MessageAppend { message_id, at, text }
        };
        Envelope { chat: Some(ChatId(chat)), seq: Some(seq), frame }
    });
    let bare = append.clone().prop_map(|append| Envelope { chat: None, seq: None, ..append });
    let pong = Just(Envelope { chat: None, seq: None, frame: ServerFrame::Pong { t: 1 } });
    prop_oneof![4 => append, 2 => bare, 1 => pong]
}

/// What goes on from a frame as a live text does.
fn next(envelope: &Envelope, text: &str) -> Option<Envelope> {
    let (_, after, _) = Tail::around(envelope)?;
    Some(after.continued(text.to_owned()))
}

proptest! {
    #[test]
    fn what_is_written_short_is_read_as_it_was(
        steps in prop::collection::vec((frames(), prop::option::of("[a\\n\"é🙂]{0,3}")), 1..40),
    ) {
        let (mut writer, mut reader) = (Writer::default(), ServerReader::default());
        let mut last: Option<Envelope> = None;
        for (frame, more) in steps {
            let grown = last.as_ref().zip(more.as_ref()).and_then(|(last, text)| next(last, text));
            let goes_on = grown.is_some();
            let envelope = grown.unwrap_or(frame);
            let message = writer.write(&envelope);
            prop_assert!(!goes_on || message.starts_with('"'), "{message} goes on");
            prop_assert_eq!(reader.read(&message), Ok(envelope.clone()));
            last = Some(envelope);
        }
    }

    #[test]
    fn no_order_of_messages_makes_it_panic(messages in prop::collection::vec(".{0,9}|\"[a-z]*\"|\\{\"type\":\"message.append\",\"message_id\":\"m\",\"at\":18446744073709551615,\"seq\":18446744073709551615,\"text\":\"a\"\\}", 0..9)) {
        let mut reader = ServerReader::default();
        for message in messages {
            let _ = reader.read(&message);
        }
    }
}
