//! The frames of the adapter: each read and written once, in the order of `frame.rs`.

use serde_json::{Map, Value};

use super::DecodeError;
use super::fields::{Fields, Report};
use super::words::{self, word};
use super::writer::Writer;
use crate::ids::ChatId;
use crate::protocol::frame::{
    AskKind, BackendInfo, ChatSummary, Choice, Envelope, Facts, FileInfo, Level, SearchHit, ServerFrame,
    ServerInfo, SlashCommand, Suggestion, TurnStatus,
};

/// Every `type` of an adapter's frame that this version knows. `typing.stop` is another spelling of `typing`.
pub const SERVER_TYPES: &[&str] = &[
    "hello",
    "backend.updated",
    "sync.begin",
    "sync.end",
    "history.page",
    "ack",
    "user.message",
    "file",
    "turn.start",
    "turn.end",
    "typing",
    "message.start",
    "message.update",
    "message.append",
    "message.stop",
    "message",
    "reasoning.update",
    "reasoning.append",
    "commentary",
    "tool.start",
    "tool.progress",
    "tool.end",
    "notice",
    "ask",
    "ask.closed",
    "chat.updated",
    "chat.removed",
    "search.result",
    "pong",
    "error",
];

/// Reads one. A type that is not known is a frame whatever its fields are: they need not be ours.
pub(super) fn read(kind: &str, map: Map<String, Value>) -> Result<Envelope, DecodeError> {
    let report = Report::of(kind);
    let mut fields = Fields::of(&report, map);
    let chat = fields.id_or_none("chat");
    let seq = fields.whole_or_none("seq");
    let frame = frame(kind, &mut fields, &chat);
    drop(fields);
    if let ServerFrame::Unknown { .. } = frame {
        return Ok(Envelope { chat: None, seq: None, frame });
    }
    report.end(Envelope { chat, seq, frame })
}

fn frame(kind: &str, f: &mut Fields<'_>, chat: &Option<ChatId>) -> ServerFrame {
    match kind {
        "hello" => hello(f),
        "backend.updated" => ServerFrame::BackendUpdated {
            backend: backend(f),
            capabilities: f.texts("capabilities"),
            commands: commands(f),
        },
        "sync.begin" => ServerFrame::SyncBegin {
            reset: f.flag("reset"),
            to_seq: f.whole("to_seq"),
            before_seq: f.whole_or_none("before_seq"),
        },
        "sync.end" => ServerFrame::SyncEnd,
        "history.page" => ServerFrame::HistoryPage {
            before_seq: f.whole_or_none("before_seq"),
            // A frame that cannot be read costs itself, not the page.
            frames: f
                .list("frames")
                .into_iter()
                .filter_map(|value| super::decode_server_value(value).ok())
                .filter(|inner| !matches!(inner.frame, ServerFrame::HistoryPage { .. }))
                .collect(),
        },
        "ack" => ServerFrame::Ack { client_id: f.id("client_id"), message_id: f.id("message_id") },
        "user.message" => ServerFrame::UserMessage {
            message_id: f.id("message_id"),
            client_id: f.id_or_none("client_id"),
            text: f.text("text"),
            ts: f.whole_or_none("ts"),
            attachments: f.objects("attachments", file),
        },
        "file" => ServerFrame::File {
            message_id: f.id("message_id"),
            file: file(&mut f.inner_needed("file")),
            caption: f.text_or_none("caption"),
        },
        "turn.start" => ServerFrame::TurnStart { turn: f.id("turn") },
        "turn.end" => turn_end(f),
        "typing" => ServerFrame::Typing { on: f.flag("on") },
        "typing.stop" => ServerFrame::Typing { on: false },
        "commentary" => ServerFrame::Commentary { message_id: f.id("message_id"), text: f.text("text") },
        "notice" => ServerFrame::Notice {
            level: f.word("level", words::LEVEL, "info, warning or error").unwrap_or(Level::Info),
            code: f.text("code"),
            text: f.text("text"),
            detail: f.text_or_none("detail"),
            facts: facts(&mut f.inner("facts")),
        },
        "ask" => ServerFrame::Ask {
            ask_id: f.id("ask_id"),
            kind: f.word("kind", words::ASK_KIND, "approval, clarify or confirm").unwrap_or(AskKind::Clarify),
            text: f.text("text"),
            command: f.text_or_none("command"),
            choices: f.objects("choices", |f| Choice { id: f.text("id"), label: f.text("label") }),
        },
        "ask.closed" => ServerFrame::AskClosed { ask_id: f.id("ask_id"), outcome: f.text("outcome") },
        "search.result" => {
            ServerFrame::SearchResult { client_id: f.id("client_id"), hits: f.objects("hits", hit) }
        }
        "pong" => ServerFrame::Pong { t: f.whole("t") },
        "error" => {
            ServerFrame::Error { code: f.text("code"), text: f.text("text"), re: f.text_or_none("re") }
        }
        // About a chat, not in one: without the chat they say nothing.
        "chat.updated" => ServerFrame::ChatUpdated { chat: summary(f.need("chat", chat.clone()), f) },
        "chat.removed" => {
            f.need("chat", chat.as_ref().map(drop));
            ServerFrame::ChatRemoved
        }
        "tool.start" | "tool.progress" | "tool.end" => tool(kind, f),
        _ => message(kind, f),
    }
}

fn message(kind: &str, f: &mut Fields<'_>) -> ServerFrame {
    match kind {
        "message.start" => {
            ServerFrame::MessageStart { message_id: f.id("message_id"), role: f.text_or_none("role") }
        }
        "message.update" => {
            ServerFrame::MessageUpdate { message_id: f.id("message_id"), text: f.text("text") }
        }
        "message.append" => ServerFrame::MessageAppend {
            message_id: f.id("message_id"),
            at: f.whole("at"),
            text: f.text("text"),
        },
        "message.stop" => ServerFrame::MessageStop {
            message_id: f.id("message_id"),
            final_text: f.text_or_none("final_text"),
            reasoning: f.text_or_none("reasoning"),
            model: f.text_or_none("model"),
            tokens: f.tokens(),
        },
        "message" => ServerFrame::Message {
            message_id: f.id("message_id"),
            text: f.text("text"),
            reasoning: f.text_or_none("reasoning"),
            model: f.text_or_none("model"),
            tokens: f.tokens(),
        },
        "reasoning.update" => {
            ServerFrame::ReasoningUpdate { message_id: f.id("message_id"), text: f.text("text") }
        }
        "reasoning.append" => ServerFrame::ReasoningAppend {
            message_id: f.id("message_id"),
            at: f.whole("at"),
            text: f.text("text"),
        },
        _ => ServerFrame::Unknown { kind: kind.to_owned() },
    }
}

fn tool(kind: &str, f: &mut Fields<'_>) -> ServerFrame {
    let index = f.tool_index();
    let name = f.text("name");
    match kind {
        "tool.start" => {
            ServerFrame::ToolStart { index, name, preview: f.text_or_none("preview"), args: f.map("args") }
        }
        "tool.progress" => ServerFrame::ToolProgress { index, name, note: f.text("note") },
        _ => ServerFrame::ToolEnd {
            index,
            name,
            ok: f.flag_or_none("ok"),
            duration: f.number_or_none("duration"),
            output_preview: f.text_or_none("output_preview"),
        },
    }
}

fn hello(f: &mut Fields<'_>) -> ServerFrame {
    let protocol = f.u32("protocol");
    let mut server = f.inner("server");
    ServerFrame::Hello {
        protocol,
        server: ServerInfo {
            name: server.text_or_empty("name"),
            version: server.text_or_empty("version"),
            build: server.text_or_empty("build"),
        },
        backend: backend(f),
        capabilities: f.texts("capabilities"),
        chats: f.objects("chats", |f| summary(f.id("id"), f)),
        suggestions: f
            .objects("suggestions", |f| Suggestion { label: f.text("label"), text: f.text("text") }),
        commands: commands(f),
    }
}

fn backend(f: &mut Fields<'_>) -> BackendInfo {
    let mut f = f.inner("backend");
    BackendInfo {
        kind: f.text_or_empty("kind"),
        label: f.text_or_empty("label"),
        model: f.text_or_none("model"),
        trouble: f.text_or_none("trouble"),
    }
}

fn commands(f: &mut Fields<'_>) -> Vec<SlashCommand> {
    f.objects("commands", |f| SlashCommand {
        name: f.text("name"),
        description: f.text_or_empty("description"),
        args: f.text_or_none("args"),
    })
}

fn file(f: &mut Fields<'_>) -> FileInfo {
    FileInfo { id: f.id("id"), name: f.text("name"), media_type: f.text("media_type"), size: f.whole("size") }
}

fn facts(f: &mut Fields<'_>) -> Facts {
    Facts {
        watchdog: f.text_or_none("watchdog"),
        silent: f.u32_or_none("silent"),
        after: f.u32_or_none("after"),
        next: f.u32_or_none("next"),
        attempt: f.u32_or_none("attempt"),
        of: f.u32_or_none("of"),
    }
}

fn hit(f: &mut Fields<'_>) -> SearchHit {
    SearchHit {
        chat: f.id("chat"),
        seq: f.whole("seq"),
        before: f.text_or_empty("before"),
        matched: f.text("matched"),
        after: f.text_or_empty("after"),
    }
}

fn summary(id: ChatId, f: &mut Fields<'_>) -> ChatSummary {
    ChatSummary {
        id,
        title: f.text_or_empty("title"),
        updated_ms: f.whole("updated_ms"),
        running: f.flag_or_none("running").unwrap_or_default(),
    }
}

fn turn_end(f: &mut Fields<'_>) -> ServerFrame {
    ServerFrame::TurnEnd {
        turn: f.id("turn"),
        status: f
            .word("status", words::TURN_STATUS, "complete, error, interrupted or lost")
            .unwrap_or(TurnStatus::Lost),
        exit_code: f.i32_or_none("exit_code"),
        error: f.text_or_none("error"),
        model: f.text_or_none("model"),
        tokens: f.tokens(),
        duration_ms: f.whole_or_none("duration_ms"),
    }
}

/// Writes one.
pub(super) fn write(envelope: &Envelope) -> String {
    begin(envelope).end()
}

/// A frame whose last bracket is still missing.
fn begin(envelope: &Envelope) -> Writer {
    let chat = match &envelope.frame {
        ServerFrame::ChatUpdated { chat } => Some(&chat.id),
        _ => envelope.chat.as_ref(),
    };
    let w = Writer::frame(kind_of(&envelope.frame))
        .text_or_none("chat", chat.map(ChatId::as_str))
        .whole_or_none("seq", envelope.seq);
    write_fields(w, &envelope.frame)
}

/// The `type` of a frame.
fn kind_of(frame: &ServerFrame) -> &str {
    match frame {
        ServerFrame::Hello { .. } => "hello",
        ServerFrame::BackendUpdated { .. } => "backend.updated",
        ServerFrame::SyncBegin { .. } => "sync.begin",
        ServerFrame::SyncEnd => "sync.end",
        ServerFrame::HistoryPage { .. } => "history.page",
        ServerFrame::Ack { .. } => "ack",
        ServerFrame::UserMessage { .. } => "user.message",
        ServerFrame::File { .. } => "file",
        ServerFrame::TurnStart { .. } => "turn.start",
        ServerFrame::TurnEnd { .. } => "turn.end",
        ServerFrame::Typing { .. } => "typing",
        ServerFrame::MessageStart { .. } => "message.start",
        ServerFrame::MessageUpdate { .. } => "message.update",
        ServerFrame::MessageAppend { .. } => "message.append",
        ServerFrame::MessageStop { .. } => "message.stop",
        ServerFrame::Message { .. } => "message",
        ServerFrame::ReasoningUpdate { .. } => "reasoning.update",
        ServerFrame::ReasoningAppend { .. } => "reasoning.append",
        ServerFrame::Commentary { .. } => "commentary",
        ServerFrame::ToolStart { .. } => "tool.start",
        ServerFrame::ToolProgress { .. } => "tool.progress",
        ServerFrame::ToolEnd { .. } => "tool.end",
        ServerFrame::Notice { .. } => "notice",
        ServerFrame::Ask { .. } => "ask",
        ServerFrame::AskClosed { .. } => "ask.closed",
        ServerFrame::ChatUpdated { .. } => "chat.updated",
        ServerFrame::ChatRemoved => "chat.removed",
        ServerFrame::SearchResult { .. } => "search.result",
        ServerFrame::Pong { .. } => "pong",
        ServerFrame::Error { .. } => "error",
        ServerFrame::Unknown { kind } => kind,
    }
}

fn write_fields(w: Writer, frame: &ServerFrame) -> Writer {
    match frame {
        ServerFrame::Hello { .. } => write_hello(w, frame),
        ServerFrame::BackendUpdated { backend, capabilities, commands } => w
            .inner("backend", write_backend(backend))
            .texts("capabilities", capabilities)
            .objects("commands", commands, write_command),
        ServerFrame::SyncBegin { reset, to_seq, before_seq } => {
            w.flag("reset", *reset).whole("to_seq", *to_seq).whole_or_none("before_seq", *before_seq)
        }
        ServerFrame::HistoryPage { before_seq, frames } => {
            w.whole_or_none("before_seq", *before_seq).objects("frames", frames, begin)
        }
        ServerFrame::SyncEnd | ServerFrame::ChatRemoved | ServerFrame::Unknown { .. } => w,
        ServerFrame::Ack { client_id, message_id } => {
            w.text("client_id", client_id.as_str()).text("message_id", message_id.as_str())
        }
        ServerFrame::UserMessage { message_id, client_id, text, ts, attachments } => w
            .text("message_id", message_id.as_str())
            .text_or_none("client_id", client_id.as_ref().map(|id| id.as_str()))
            .text("text", text)
            .whole_or_none("ts", *ts)
            .objects("attachments", attachments, write_file),
        ServerFrame::File { message_id, file, caption } => w
            .text("message_id", message_id.as_str())
            .inner("file", write_file(file))
            .text_or_none("caption", caption.as_deref()),
        ServerFrame::TurnStart { turn } => w.text("turn", turn.as_str()),
        ServerFrame::TurnEnd { turn, status, exit_code, error, model, tokens, duration_ms } => w
            .text("turn", turn.as_str())
            .text("status", word(words::TURN_STATUS, status))
            .i32_or_none("exit_code", *exit_code)
            .text_or_none("error", error.as_deref())
            .text_or_none("model", model.as_deref())
            .tokens(tokens.as_ref())
            .whole_or_none("duration_ms", *duration_ms),
        ServerFrame::Typing { on } => w.flag("on", *on),
        ServerFrame::MessageStart { message_id, role } => {
            w.text("message_id", message_id.as_str()).text_or_none("role", role.as_deref())
        }
        ServerFrame::MessageAppend { message_id, at, text }
        | ServerFrame::ReasoningAppend { message_id, at, text } => {
            w.text("message_id", message_id.as_str()).whole("at", *at).text("text", text)
        }
        ServerFrame::MessageUpdate { message_id, text }
        | ServerFrame::ReasoningUpdate { message_id, text }
        | ServerFrame::Commentary { message_id, text } => {
            w.text("message_id", message_id.as_str()).text("text", text)
        }
        ServerFrame::MessageStop { message_id, final_text, reasoning, model, tokens } => w
            .text("message_id", message_id.as_str())
            .text_or_none("final_text", final_text.as_deref())
            .text_or_none("reasoning", reasoning.as_deref())
            .text_or_none("model", model.as_deref())
            .tokens(tokens.as_ref()),
        ServerFrame::Message { message_id, text, reasoning, model, tokens } => w
            .text("message_id", message_id.as_str())
            .text("text", text)
            .text_or_none("reasoning", reasoning.as_deref())
            .text_or_none("model", model.as_deref())
            .tokens(tokens.as_ref()),
        ServerFrame::ToolStart { index, name, preview, args } => w
            .whole("index", index.0.into())
            .text("name", name)
            .text_or_none("preview", preview.as_deref())
            .map("args", args),
        ServerFrame::ToolProgress { index, name, note } => {
            w.whole("index", index.0.into()).text("name", name).text("note", note)
        }
        ServerFrame::ToolEnd { index, name, ok, duration, output_preview } => w
            .whole("index", index.0.into())
            .text("name", name)
            .flag_or_none("ok", *ok)
            .number_or_none("duration", *duration)
            .text_or_none("output_preview", output_preview.as_deref()),
        ServerFrame::Notice { level, code, text, detail, facts } => w
            .text("level", word(words::LEVEL, level))
            .text("code", code)
            .text("text", text)
            .text_or_none("detail", detail.as_deref())
            .inner("facts", write_facts(facts)),
        ServerFrame::Ask { ask_id, kind, text, command, choices } => w
            .text("ask_id", ask_id.as_str())
            .text("kind", word(words::ASK_KIND, kind))
            .text("text", text)
            .text_or_none("command", command.as_deref())
            .objects("choices", choices, |c| Writer::object().text("id", &c.id).text("label", &c.label)),
        ServerFrame::AskClosed { ask_id, outcome } => {
            w.text("ask_id", ask_id.as_str()).text("outcome", outcome)
        }
        ServerFrame::ChatUpdated { chat } => write_summary(w, chat),
        ServerFrame::SearchResult { client_id, hits } => {
            w.text("client_id", client_id.as_str()).objects("hits", hits, write_hit)
        }
        ServerFrame::Pong { t } => w.whole("t", *t),
        ServerFrame::Error { code, text, re } => {
            w.text("code", code).text("text", text).text_or_none("re", re.as_deref())
        }
    }
}

fn write_hello(w: Writer, frame: &ServerFrame) -> Writer {
    let ServerFrame::Hello { protocol, server, backend, capabilities, chats, suggestions, commands } = frame
    else {
        return w;
    };
    let server = Writer::object()
        .text_or_none("name", filled(&server.name))
        .text_or_none("version", filled(&server.version))
        .text_or_none("build", filled(&server.build));
    w.whole("protocol", (*protocol).into())
        .inner("server", server)
        .inner("backend", write_backend(backend))
        .texts("capabilities", capabilities)
        .objects("chats", chats, |chat| write_summary(Writer::object().text("id", chat.id.as_str()), chat))
        .objects("suggestions", suggestions, |s| {
            Writer::object().text("label", &s.label).text("text", &s.text)
        })
        .objects("commands", commands, write_command)
}

fn filled(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn write_backend(backend: &BackendInfo) -> Writer {
    Writer::object()
        .text_or_none("kind", filled(&backend.kind))
        .text_or_none("label", filled(&backend.label))
        .text_or_none("model", backend.model.as_deref())
        .text_or_none("trouble", backend.trouble.as_deref())
}

fn write_command(command: &SlashCommand) -> Writer {
    Writer::object()
        .text("name", &command.name)
        .text_or_none("description", filled(&command.description))
        .text_or_none("args", command.args.as_deref())
}

fn write_file(file: &FileInfo) -> Writer {
    Writer::object()
        .text("id", file.id.as_str())
        .text("name", &file.name)
        .text("media_type", &file.media_type)
        .whole("size", file.size)
}

fn write_facts(facts: &Facts) -> Writer {
    let whole = |number: Option<u32>| number.map(u64::from);
    Writer::object()
        .text_or_none("watchdog", facts.watchdog.as_deref())
        .whole_or_none("silent", whole(facts.silent))
        .whole_or_none("after", whole(facts.after))
        .whole_or_none("next", whole(facts.next))
        .whole_or_none("attempt", whole(facts.attempt))
        .whole_or_none("of", whole(facts.of))
}

fn write_hit(hit: &SearchHit) -> Writer {
    Writer::object()
        .text("chat", hit.chat.as_str())
        .whole("seq", hit.seq)
        .text_or_none("before", filled(&hit.before))
        .text("matched", &hit.matched)
        .text_or_none("after", filled(&hit.after))
}

fn write_summary(w: Writer, chat: &ChatSummary) -> Writer {
    w.text("title", &chat.title).whole("updated_ms", chat.updated_ms).flag("running", chat.running)
}
