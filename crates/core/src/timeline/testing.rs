//! A timeline in a test: frames as lines of a script, the transcript as lines of text.
//!
//! Every change is also played into a copy, the way the app does it; a change that tells less than what happened fails
//! the test that made it.

use std::collections::HashSet;

use super::*;
use crate::ids::ToolIndex;
use crate::protocol::codec::decode_server;
use crate::protocol::frame::{Envelope, Facts, FileInfo, Level, ServerFrame, TurnStatus};

/// A timeline, its copy, and what was said so far.
#[derive(Default)]
pub(crate) struct TestTimeline {
    pub(crate) timeline: Timeline,
    copy: Vec<Item>,
    /// Every key that there ever was.
    used: HashSet<ItemKey>,
    pub(crate) typing: bool,
    pub(crate) running: bool,
    pub(crate) resyncs: usize,
    /// The changes of the last line.
    pub(crate) last: Vec<Change>,
}

/// Plays a script and compares the transcript.
#[track_caller]
pub(crate) fn check(script: &str, expected: &str) -> TestTimeline {
    let mut test = TestTimeline::default();
    test.play(script).shows(expected);
    test
}

impl TestTimeline {
    pub(crate) fn play(&mut self, script: &str) -> &mut Self {
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            self.line(line);
        }
        self
    }

    #[track_caller]
    pub(crate) fn shows(&self, expected: &str) {
        let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(self.transcript(), expected.join("\n"));
    }

    pub(crate) fn transcript(&self) -> String {
        self.copy.iter().map(|item| line_of(&item.kind)).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn keys(&self) -> Vec<ItemKey> {
        self.copy.iter().map(|item| item.key).collect()
    }

    pub(crate) fn answer(&self, id: &str) -> Answer {
        let answers = self.copy.iter().rev().filter_map(|item| match &item.kind {
            ItemKind::Answer(answer) => Some(answer),
            _ => None,
        });
        answers.clone().find(|answer| answer.message_id.as_str() == id).expect("an answer").clone()
    }

    pub(crate) fn line(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (first, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let changes = match word {
            "streaming" => self.timeline.set_streaming(rest == "on"),
            "lost" => self.timeline.connection_lost(),
            "idle" => self.timeline.no_turn_runs(),
            "echo" => self.timeline.local_echo(&first.into(), text, &[]),
            "failed" => self.timeline.send_failed(&first.into(), text),
            "delivered" => self.timeline.delivered(&first.into()),
            "discard" => self.timeline.discard(&first.into()).0,
            _ => self.timeline.apply(&frame(line)),
        };
        self.take(changes);
    }

    pub(crate) fn take(&mut self, changes: Vec<Change>) {
        self.last = changes.clone();
        for change in changes {
            self.mirror(change);
        }
        assert_eq!(self.copy, self.timeline.items(), "the changes tell what happened");
        assert_eq!(self.running, self.timeline.running());
    }

    fn mirror(&mut self, change: Change) {
        match change {
            Change::Clear => self.copy.clear(),
            Change::Insert { at, item } => {
                assert!(self.used.insert(item.key), "a key is used once");
                self.copy.insert(at, item);
            }
            Change::Remove { key } => self.copy.retain(|item| item.key != key),
            Change::Set { item } => {
                let old = self.copy.iter_mut().find(|old| old.key == item.key).expect("a row to set");
                assert_eq!(
                    std::mem::discriminant(&old.kind),
                    std::mem::discriminant(&item.kind),
                    "same kind"
                );
                assert_ne!(*old, item, "a change changes something");
                *old = item;
            }
            Change::AppendText { key, text } => self.copy_of(key).text.push_str(&text),
            Change::AppendReasoning { key, text } => self.copy_of(key).reasoning.push_str(&text),
            Change::Typing(on) => self.typing = on,
            Change::Running(on) => self.running = on,
            Change::Resync => self.resyncs += 1,
        }
    }

    fn copy_of(&mut self, key: ItemKey) -> &mut Answer {
        match self.copy.iter_mut().find(|item| item.key == key).map(|item| &mut item.kind) {
            Some(ItemKind::Answer(answer)) => answer,
            other => panic!("{other:?} is no answer"),
        }
    }
}

/// A frame: `@7 update m1 text` is `message.update` with `seq` 7; JSON stands for itself.
pub(crate) fn frame(line: &str) -> Envelope {
    if line.starts_with('{') {
        return decode_server(line).unwrap();
    }
    if let Some((seq, line)) = line.strip_prefix('@').and_then(|line| line.split_once(' ')) {
        return Envelope { seq: Some(seq.parse().unwrap()), ..frame(line) };
    }
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (first, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let text = text.replace("\\n", "\n");
    let index = || ToolIndex(first.parse().unwrap());
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let frame = match word {
        "typing" => ServerFrame::Typing { on: first == "on" },
        "turn" => ServerFrame::TurnStart { turn: first.into() },
        "end" => turn_end(first, &text),
        "start" => ServerFrame::MessageStart { message_id: first.into(), role: None },
        "update" => ServerFrame::MessageUpdate { message_id: first.into(), text },
        "append" => {
            let (at, text) = text.split_once(' ').unwrap();
            ServerFrame::MessageAppend {
                message_id: first.into(),
                at: at.parse().unwrap(),
                text: text.to_owned(),
            }
        }
        "stop" => ServerFrame::MessageStop {
            message_id: first.into(),
            final_text: some(&text),
            reasoning: None,
            model: None,
            tokens: None,
        },
        "message" => ServerFrame::Message {
            message_id: first.into(),
            text,
            reasoning: None,
            model: None,
            tokens: None,
        },
        "reason" => ServerFrame::ReasoningUpdate { message_id: first.into(), text },
        "remark" => ServerFrame::Commentary { message_id: first.into(), text },
        "tool" => ServerFrame::ToolStart {
            index: index(),
            name: text.split(' ').next().unwrap().to_owned(),
            preview: text.split_once(' ').map(|(_, preview)| preview.to_owned()),
            args: serde_json::Map::new(),
        },
        "progress" => ServerFrame::ToolProgress { index: index(), name: "x".to_owned(), note: text },
        "done" | "bad" => ServerFrame::ToolEnd {
            index: index(),
            name: if text.is_empty() { "x".to_owned() } else { text },
            ok: Some(word == "done"),
            duration: Some(0.4),
            output_preview: None,
        },
        "notice" => notice(first, text),
        "ask" => ServerFrame::Ask {
            ask_id: first.into(),
            kind: crate::protocol::frame::AskKind::Approval,
            text,
            command: None,
            choices: vec![],
        },
        "file" => ServerFrame::File {
            message_id: first.into(),
            file: FileInfo { id: first.into(), name: text, media_type: "image/png".to_owned(), size: 9 },
            caption: None,
        },
        "closed" => ServerFrame::AskClosed { ask_id: first.into(), outcome: text },
        "user" => {
            let (client, text) = text.split_once(' ').unwrap();
            let client_id = (client != "-").then(|| client.into());
            ServerFrame::UserMessage {
                message_id: first.into(),
                client_id,
                text: text.to_owned(),
                ts: None,
                attachments: Vec::new(),
            }
        }
        "ack" => ServerFrame::Ack { client_id: first.into(), message_id: text.as_str().into() },
        "error" => {
            let re = (first != "-").then(|| first.to_owned());
            ServerFrame::Error { code: "failed".to_owned(), text, re }
        }
        "sync" => ServerFrame::SyncBegin {
            reset: first == "reset",
            to_seq: text.parse().unwrap(),
            before_seq: None,
        },
        "synced" => ServerFrame::SyncEnd,
        other => panic!("no such line: {other}"),
    };
    Envelope { chat: None, seq: None, frame }
}

/// `-` stands for what a line of Hermes is known as.
fn notice(code: &str, text: String) -> ServerFrame {
    let known = crate::stall::said::said(&text);
    let facts = known.as_ref().map_or_else(Facts::default, |known| known.facts.clone());
    let (level, code) = match (code, known) {
        ("-", Some(known)) => (known.level, known.code),
        (code, _) => (Level::Info, code),
    };
    ServerFrame::Notice { level, code: code.to_owned(), text, detail: None, facts }
}

fn turn_end(turn: &str, rest: &str) -> ServerFrame {
    let (status, error) = rest.split_once(' ').unwrap_or((rest, ""));
    ServerFrame::TurnEnd {
        turn: turn.into(),
        status: match status {
            "complete" => TurnStatus::Complete,
            "error" => TurnStatus::Error,
            "interrupted" => TurnStatus::Interrupted,
            _ => TurnStatus::Lost,
        },
        exit_code: None,
        error: (!error.is_empty()).then(|| error.to_owned()),
        model: None,
        tokens: None,
        duration_ms: None,
    }
}

fn said(notice: &Notice) -> String {
    let times = if notice.times == 1 { String::new() } else { format!(" ×{}", notice.times) };
    format!("{}{times}", notice.text)
}

/// A row as a line: `m1: text…` while it may grow, `(reasoning)` before the text, `✂` where it was cut.
fn line_of(kind: &ItemKind) -> String {
    match kind {
        ItemKind::User(UserMessage { text, pending, .. }) => match pending {
            None => format!("> {text}"),
            Some(Pending::Sending) => format!("> {text} (sending)"),
            Some(Pending::Failed(reason)) => format!("> {text} (failed: {reason})"),
        },
        ItemKind::Answer(answer) => {
            let reasoning =
                if answer.reasoning.is_empty() { String::new() } else { format!(" ({})", answer.reasoning) };
            let live = if answer.phase == Phase::Streaming { "…" } else { "" };
            let cut = if answer.cut.is_some() { " ✂" } else { "" };
            let text = answer.text.replace('\n', "\\n");
            let text = if text.is_empty() { text } else { format!(" {text}") };
            format!("{}:{reasoning}{text}{live}{cut}", answer.message_id)
        }
        ItemKind::Commentary { text } => format!("* {text}"),
        ItemKind::Tools(tools) => {
            let state = |tool: &Tool| match tool.state {
                ToolState::Running => "…",
                ToolState::Done { ok: Some(true), .. } => "✓",
                ToolState::Done { ok: Some(false), .. } => "✗",
                ToolState::Done { ok: None, .. } => "·",
                ToolState::NoResult => "∅",
            };
            let tools: Vec<_> =
                tools.iter().map(|t| format!("{} {} {}", t.index.0, t.name, state(t))).collect();
            format!("[{}]", tools.join(" | "))
        }
        ItemKind::Notice(notice) => {
            let mark = if notice.level == Level::Error { "!!" } else { "!" };
            let before: Vec<_> = notice.before.iter().rev().map(said).collect();
            let before = if before.is_empty() { String::new() } else { format!(" ({})", before.join(" | ")) };
            format!("{mark} {}{before}", said(notice))
        }
        ItemKind::Ask(ask) => match &ask.outcome {
            None => format!("? {}", ask.text),
            Some(outcome) => format!("? {} -> {outcome}", ask.text),
        },
        ItemKind::File(item) => match &item.caption {
            None => format!("+ {}", item.file.name),
            Some(caption) => format!("+ {} ({caption})", item.file.name),
        },
    }
}
