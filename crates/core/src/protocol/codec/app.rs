//! The frames of an app: each read and written once, in the order of `frame.rs`.

use serde_json::{Map, Value};

use super::DecodeError;
use super::fields::{Fields, Report};
use super::words::{self, word};
use super::writer::Writer;
use crate::ids::{ChatId, FileId};
use crate::protocol::frame::AppFrame;

/// Every `type` of an app's frame that this version knows.
pub const APP_TYPES: &[&str] = &[
    "hello",
    "subscribe",
    "message.send",
    "ask.answer",
    "turn.stop",
    "chat.create",
    "chat.rename",
    "chat.delete",
    "history",
    "search",
    "ping",
];

/// Reads one.
pub(super) fn read(kind: &str, map: Map<String, Value>) -> Result<AppFrame, DecodeError> {
    let report = Report::of(kind);
    let frame = frame(kind, &mut Fields::of(&report, map));
    report.end(frame)
}

fn frame(kind: &str, f: &mut Fields<'_>) -> AppFrame {
    match kind {
        "hello" => AppFrame::Hello {
            protocol: f.u32("protocol"),
            token: f.text_or_none("token"),
            device: f.text("device"),
            capabilities: f.texts("capabilities"),
        },
        "subscribe" => AppFrame::Subscribe {
            chat: f.id("chat"),
            after_seq: f.whole_or_none("after_seq"),
            limit: f.u32_or_none("limit"),
        },
        "message.send" => AppFrame::MessageSend {
            client_id: f.id("client_id"),
            chat: f.id_or_none("chat"),
            text: f.text("text"),
            attachments: f.texts("attachments").into_iter().map(FileId).collect(),
            mode: f.word_or_none("mode", words::SEND_MODE, "queue, steer or interrupt"),
        },
        "ask.answer" => AppFrame::AskAnswer {
            chat: f.id_or_none("chat"),
            ask_id: f.id("ask_id"),
            choice: f.text_or_none("choice"),
            text: f.text_or_none("text"),
        },
        "turn.stop" => AppFrame::TurnStop { chat: f.id_or_none("chat") },
        "chat.create" => {
            AppFrame::ChatCreate { client_id: f.id("client_id"), title: f.text_or_none("title") }
        }
        "chat.rename" => AppFrame::ChatRename { chat: f.id("chat"), title: f.text("title") },
        "chat.delete" => AppFrame::ChatDelete { chat: f.id("chat") },
        "history" => {
            AppFrame::History { chat: f.id("chat"), before_seq: f.whole("before_seq"), limit: f.u32("limit") }
        }
        "search" => AppFrame::Search { client_id: f.id("client_id"), query: f.text("query") },
        "ping" => AppFrame::Ping { t: f.whole("t") },
        _ => AppFrame::Unknown { kind: kind.to_owned() },
    }
}

/// Writes one.
pub(super) fn write(frame: &AppFrame) -> String {
    let w = Writer::frame(kind_of(frame));
    let chat = |w: Writer, chat: &Option<ChatId>| w.text_or_none("chat", chat.as_ref().map(ChatId::as_str));
    let w = match frame {
        AppFrame::Hello { protocol, token, device, capabilities } => w
            .whole("protocol", (*protocol).into())
            .text_or_none("token", token.as_deref())
            .text("device", device)
            .texts("capabilities", capabilities),
        AppFrame::Subscribe { chat, after_seq, limit } => w
            .text("chat", chat.as_str())
            .whole_or_none("after_seq", *after_seq)
            .whole_or_none("limit", limit.map(u64::from)),
        AppFrame::MessageSend { client_id, chat: to, text, attachments, mode } => {
            let w = chat(w.text("client_id", client_id.as_str()), to).text("text", text);
            let ids: Vec<String> = attachments.iter().map(|id| id.0.clone()).collect();
            w.texts("attachments", &ids)
                .text_or_none("mode", mode.as_ref().map(|mode| word(words::SEND_MODE, mode)))
        }
        AppFrame::AskAnswer { chat: to, ask_id, choice, text } => chat(w, to)
            .text("ask_id", ask_id.as_str())
            .text_or_none("choice", choice.as_deref())
            .text_or_none("text", text.as_deref()),
        AppFrame::TurnStop { chat: to } => chat(w, to),
        AppFrame::ChatCreate { client_id, title } => {
            w.text("client_id", client_id.as_str()).text_or_none("title", title.as_deref())
        }
        AppFrame::ChatRename { chat, title } => w.text("chat", chat.as_str()).text("title", title),
        AppFrame::ChatDelete { chat } => w.text("chat", chat.as_str()),
        AppFrame::History { chat, before_seq, limit } => {
            w.text("chat", chat.as_str()).whole("before_seq", *before_seq).whole("limit", (*limit).into())
        }
        AppFrame::Search { client_id, query } => w.text("client_id", client_id.as_str()).text("query", query),
        AppFrame::Ping { t } => w.whole("t", *t),
        AppFrame::Unknown { .. } => w,
    };
    w.end()
}

/// The `type` of a frame.
fn kind_of(frame: &AppFrame) -> &str {
    match frame {
        AppFrame::Hello { .. } => "hello",
        AppFrame::Subscribe { .. } => "subscribe",
        AppFrame::MessageSend { .. } => "message.send",
        AppFrame::AskAnswer { .. } => "ask.answer",
        AppFrame::TurnStop { .. } => "turn.stop",
        AppFrame::ChatCreate { .. } => "chat.create",
        AppFrame::ChatRename { .. } => "chat.rename",
        AppFrame::ChatDelete { .. } => "chat.delete",
        AppFrame::History { .. } => "history",
        AppFrame::Search { .. } => "search",
        AppFrame::Ping { .. } => "ping",
        AppFrame::Unknown { kind } => kind,
    }
}
