//! [`Diagnostic`]: what a bug report needs and nothing of what was said. Owns the promise that no text of a message, of a
//! tool, of a file or of an error is in it: it has kinds, counts, sizes, times, states and codes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::protocol::codec::encode_server;
use crate::protocol::frame::{Envelope, ServerFrame, TurnStatus};

/// So many turns, errors and states are listed; the newest stay.
const LISTED: usize = 50;

/// What happened, without words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Versions and settings, as the caller names them: `app`, `adapter`, `backend`, `browser`, ….
    pub versions: BTreeMap<String, String>,
    /// Each `type` of frame that came.
    pub frames: Vec<Kind>,
    /// The last turns.
    pub turns: Vec<Turn>,
    /// The codes of notices and errors, with how often each came.
    pub codes: BTreeMap<String, u64>,
    /// The states that the connection went through.
    pub states: Vec<State>,
    /// The longest time between two frames while a turn ran, milliseconds.
    pub longest_silence_ms: u64,
}

/// One `type` of frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    /// The type.
    pub kind: String,
    /// How many came.
    pub count: u64,
    /// All of them together, bytes of JSON.
    pub bytes: u64,
    /// When the first came, milliseconds since the observer began.
    pub first_ms: u64,
    /// When the last came.
    pub last_ms: u64,
}

/// A turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// When it began, milliseconds since the observer began.
    pub from_ms: u64,
    /// How long it took; `None` while it runs.
    pub took_ms: Option<u64>,
    /// How it ended.
    pub status: Option<String>,
    /// The exit code of its process.
    pub exit_code: Option<i32>,
    /// How many tools it called, and how many of them ended.
    pub tools: (u64, u64),
}

/// A state of the connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Since when, milliseconds since the observer began.
    pub at_ms: u64,
    /// Its name.
    pub name: String,
}

/// Watches frames go by. Costs what a frame costs, and keeps no text.
#[derive(Clone, Debug, Default)]
pub struct Observer {
    seen: Diagnostic,
    last_ms: Option<u64>,
}

impl Observer {
    /// Notes a version or a setting. The value is the caller's own, not a peer's words.
    pub fn version(&mut self, name: &str, value: &str) {
        self.seen.versions.insert(word(name), crate::format::one_line(value, 200));
    }

    /// Notes a state of the connection, by a fixed name.
    pub fn state(&mut self, at_ms: u64, name: &str) {
        push(&mut self.seen.states, State { at_ms, name: word(name) });
    }

    /// Notes a frame, at so many milliseconds since the observer began.
    pub fn frame(&mut self, at_ms: u64, frame: &ServerFrame) {
        let json = encode_server(&Envelope { chat: None, seq: None, frame: frame.clone() });
        self.kind(at_ms, &type_of(&json), json.len() as u64);
        let runs = self.seen.turns.last().is_some_and(|turn| turn.took_ms.is_none());
        if let Some(last) = self.last_ms.replace(at_ms)
            && runs
        {
            let silence = at_ms.saturating_sub(last);
            self.seen.longest_silence_ms = self.seen.longest_silence_ms.max(silence);
        }
        match frame {
            ServerFrame::TurnStart { .. } => push(
                &mut self.seen.turns,
                Turn { from_ms: at_ms, took_ms: None, status: None, exit_code: None, tools: (0, 0) },
            ),
            ServerFrame::Notice { code, .. } | ServerFrame::Error { code, .. } => {
                *self.seen.codes.entry(word(code)).or_default() += 1;
            }
            _ => {}
        }
        if let Some(turn) = self.seen.turns.last_mut() {
            turn.frame(at_ms, frame);
        }
    }

    fn kind(&mut self, at_ms: u64, kind: &str, bytes: u64) {
        let place = self.seen.frames.iter().position(|seen| seen.kind == kind);
        match place.and_then(|place| self.seen.frames.get_mut(place)) {
            Some(seen) => {
                (seen.count, seen.bytes, seen.last_ms) = (seen.count + 1, seen.bytes + bytes, at_ms);
            }
            None => {
                let kind = kind.to_owned();
                self.seen.frames.push(Kind { kind, count: 1, bytes, first_ms: at_ms, last_ms: at_ms });
            }
        }
    }

    /// What was seen so far.
    pub fn diagnostic(&self) -> &Diagnostic {
        &self.seen
    }
}

impl Turn {
    fn frame(&mut self, at_ms: u64, frame: &ServerFrame) {
        match frame {
            ServerFrame::ToolStart { .. } => self.tools.0 += 1,
            ServerFrame::ToolEnd { .. } => self.tools.1 += 1,
            ServerFrame::TurnEnd { status, exit_code, .. } if self.took_ms.is_none() => {
                self.took_ms = Some(at_ms.saturating_sub(self.from_ms));
                self.exit_code = *exit_code;
                let status = match status {
                    TurnStatus::Complete => "complete",
                    TurnStatus::Error => "error",
                    TurnStatus::Interrupted => "interrupted",
                    TurnStatus::Lost => "lost",
                };
                self.status = Some(status.to_owned());
            }
            _ => {}
        }
    }
}

impl std::fmt::Display for Diagnostic {
    /// As it is pasted into a report: JSON between two fences.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let json = serde_json::to_string_pretty(self).map_err(|_| std::fmt::Error)?;
        write!(f, "```json\n{json}\n```\n")
    }
}

/// A word of the protocol's own kind. What a peer sends in its place may be anything, also a sentence: then it is `?`.
fn word(text: &str) -> String {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '.' | '-');
    let is_word = (1..=40).contains(&text.len()) && text.chars().all(fits);
    if is_word { text.to_owned() } else { "?".to_owned() }
}

/// `{"type":"…"`: every frame is written with its type first.
fn type_of(json: &str) -> String {
    word(json.split('"').nth(3).unwrap_or_default())
}

fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() >= LISTED {
        list.remove(0);
    }
    list.push(item);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::decode_server;

    const FRAMES: [&str; 8] = [
        r#"{"type":"user.message","message_id":"SECRET","text":"SECRET"}"#,
        r#"{"type":"turn.start","turn":"SECRET"}"#,
        r#"{"type":"tool.start","index":1,"name":"SECRET","preview":"SECRET","args":{"SECRET":1}}"#,
        r#"{"type":"message.update","message_id":"m1","text":"SECRET"}"#,
        r#"{"type":"notice","level":"warning","code":"retrying","text":"SECRET","detail":"SECRET"}"#,
        r#"{"type":"notice","level":"warning","code":"SECRET words","text":"SECRET"}"#,
        r#"{"type":"SECRET"}"#,
        r#"{"type":"turn.end","turn":"SECRET","status":"error","exit_code":1,"error":"SECRET","model":"SECRET"}"#,
    ];

    #[test]
    fn it_says_what_happened_and_not_what_was_said() {
        let mut observer = Observer::default();
        observer.version("app", "0.1.0");
        observer.state(0, "connected");
        for (nth, frame) in FRAMES.iter().enumerate() {
            observer.frame(1_000 * nth as u64, &decode_server(frame).unwrap().frame);
        }
        let diagnostic = observer.diagnostic();
        assert!(!diagnostic.to_string().contains("SECRET"), "{diagnostic}");
        let turn = &diagnostic.turns[0];
        assert_eq!((turn.took_ms, turn.exit_code, turn.tools), (Some(6_000), Some(1), (1, 0)));
        assert_eq!(diagnostic.codes, [("?".to_owned(), 1), ("retrying".to_owned(), 1)].into());
        assert_eq!(diagnostic.longest_silence_ms, 1_000);
        let notices = diagnostic.frames.iter().find(|kind| kind.kind == "notice").unwrap();
        assert_eq!((notices.count, notices.first_ms, notices.last_ms), (2, 4_000, 5_000));
    }
}
