//! The messages that the adapter has not acknowledged, each under a key of its own: tabs of a browser share them, and
//! none writes over what another has.

use iris_core::connection::{Kept, Message};
use iris_core::protocol::frame::SendMode;
use iris_core::protocol::{ServerFrame, decode_server_value};
use serde_json::{Map, Value};

use crate::browser::json;

const PREFIX: &str = "iris.outbox.";

/// How a mode is written down.
const MODES: [(&str, SendMode); 3] =
    [("queue", SendMode::Queue), ("steer", SendMode::Steer), ("interrupt", SendMode::Interrupt)];

/// What is written down, in no order.
pub fn load_outbox() -> Vec<Message> {
    let Some(storage) = super::local() else { return Vec::new() };
    let count = storage.length().unwrap_or_default();
    let keys = (0..count).filter_map(|at| storage.key(at).ok()?).filter(|key| key.starts_with(PREFIX));
    keys.filter_map(|key| from_value(json::parse(&super::read(&key)?.into()).ok()?)).collect()
}

/// Writes a change down. Where nothing can be stored, messages last as long as the page.
pub fn keep(change: &Kept) {
    match change {
        Kept::Write(message) => {
            super::write(&key(message.client_id.as_str()), &json::line(&to_value(message)));
        }
        Kept::Forget(client_id) => {
            super::forget(&key(client_id.as_str()));
        }
    }
}

/// The id of the message that is stored under this key.
pub fn client_id_of(key: &str) -> Option<&str> {
    key.strip_prefix(PREFIX)
}

fn key(client_id: &str) -> String {
    format!("{PREFIX}{client_id}")
}

/// A message is written down as the frame that it will come back in, and two fields more.
fn to_value(message: &Message) -> Value {
    let mut map = Map::new();
    let mut put = |name: &str, value: Value| map.insert(name.to_owned(), value);
    put("type", "user.message".into());
    put("message_id", "".into());
    put("client_id", message.client_id.as_str().into());
    put("chat", message.chat.as_ref().map_or(Value::Null, |chat| chat.as_str().into()));
    put("text", message.text.as_str().into());
    put("ts", message.written_ms.into());
    let file = |file: &iris_core::protocol::frame::FileInfo| {
        let mut map = Map::new();
        map.insert("id".to_owned(), file.id.as_str().into());
        map.insert("name".to_owned(), file.name.as_str().into());
        map.insert("media_type".to_owned(), file.media_type.as_str().into());
        map.insert("size".to_owned(), file.size.into());
        Value::Object(map)
    };
    put("attachments", Value::Array(message.attachments.iter().map(file).collect()));
    let mode = MODES.iter().find(|(_, mode)| Some(*mode) == message.mode);
    put("mode", mode.map_or(Value::Null, |(word, _)| (*word).into()));
    put("failed", message.failed.as_deref().map_or(Value::Null, Value::from));
    Value::Object(map)
}

fn from_value(value: Value) -> Option<Message> {
    let word = |name: &str| value.get(name).and_then(Value::as_str);
    let mode = MODES.iter().find(|(mode, _)| Some(*mode) == word("mode")).map(|(_, mode)| *mode);
    let failed = word("failed").map(str::to_owned);
    let envelope = decode_server_value(value).ok()?;
    match envelope.frame {
        ServerFrame::UserMessage { client_id: Some(client_id), text, ts, attachments, .. } => Some(Message {
            client_id,
            chat: envelope.chat,
            text,
            attachments,
            mode,
            written_ms: ts.unwrap_or_default(),
            failed,
        }),
        _ => None,
    }
}
