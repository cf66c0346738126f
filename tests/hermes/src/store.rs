//! What Hermes itself remembers of a conversation: `state.db` in its home, read and never written.

use std::path::Path;

use anyhow::Context;
use rusqlite::{Connection, OpenFlags, Row};
use serde_json::Value;

/// One conversation of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// Where it came from: `oneshot`, `iris`, ….
    pub source: String,
    /// The chat of the platform that it belongs to.
    pub chat_id: Option<String>,
}

/// One message of a conversation, as Hermes tells it to the model again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The user.
    User(String),
    /// The agent: what it said (perhaps nothing), what it thought, and the tools that it called.
    Assistant {
        /// What it said.
        text: String,
        /// What it thought.
        reasoning: Option<String>,
        /// The names of the tools that it called.
        calls: Vec<String>,
    },
    /// What Hermes wrote down instead of an answer when a turn failed.
    Failed(String),
    /// A tool's result.
    Tool {
        /// The tool.
        name: String,
        /// What it returned.
        output: String,
    },
}

/// The conversations of a home, the oldest first.
///
/// # Errors
/// When there is no store, or not this one.
pub fn sessions(home: &Path) -> anyhow::Result<Vec<Session>> {
    let store = open(home)?;
    let mut query = store.prepare("SELECT id, source, chat_id FROM sessions ORDER BY started_at, id")?;
    let rows = query
        .query_map([], |row| Ok(Session { id: row.get(0)?, source: row.get(1)?, chat_id: row.get(2)? }))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// A conversation, in order.
///
/// # Errors
/// When there is no store, or not this one.
pub fn transcript(home: &Path, session: &str) -> anyhow::Result<Vec<Message>> {
    let store = open(home)?;
    let mut query = store.prepare(
        "SELECT role, content, reasoning, tool_calls, tool_name, display_kind FROM messages \
         WHERE session_id = ? AND active = 1 AND role IN ('user', 'assistant', 'tool') ORDER BY id",
    )?;
    let rows = query.query_map([session], |row| Ok(message(row)))?;
    rows.map(|row| row?).collect()
}

/// A store that is being written: a busy one is waited for.
fn open(home: &Path) -> anyhow::Result<Connection> {
    let path = home.join("state.db");
    let store = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .with_context(|| format!("opening {}", path.display()))?;
    store.busy_timeout(e2e::wait::PATIENCE)?;
    Ok(store)
}

fn message(row: &Row<'_>) -> anyhow::Result<Message> {
    let text = words(&row.get::<_, Option<String>>(1)?.unwrap_or_default())?;
    match row.get::<_, String>(0)?.as_str() {
        "user" => Ok(Message::User(said(&text).to_owned())),
        "tool" => {
            Ok(Message::Tool { name: row.get::<_, Option<String>>(4)?.unwrap_or_default(), output: text })
        }
        _ if row.get::<_, Option<String>>(5)?.as_deref() == Some("failed_turn") => Ok(Message::Failed(text)),
        _ => Ok(Message::Assistant {
            text,
            reasoning: row.get::<_, Option<String>>(2)?.filter(|text| !text.is_empty()),
            calls: calls(row.get::<_, Option<String>>(3)?.as_deref())?,
        }),
    }
}

/// What the user said. Before a message that came into a running turn Hermes tells the model where it came from.
fn said(text: &str) -> &str {
    let rest = text.strip_prefix("Gateway message origin (").and_then(|rest| rest.split_once("\n\n"));
    rest.map_or(text, |(_, said)| said)
}

/// Content that is made of parts is stored as JSON behind a mark; its words are what a reader reads.
fn words(content: &str) -> anyhow::Result<String> {
    let Some(json) = content.strip_prefix("\0json:") else { return Ok(content.to_owned()) };
    let parts: Vec<Value> = serde_json::from_str(json).context("the parts of a message")?;
    let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
    Ok(texts.collect::<Vec<_>>().join("\n"))
}

fn calls(stored: Option<&str>) -> anyhow::Result<Vec<String>> {
    let Some(stored) = stored.filter(|text| !text.is_empty()) else { return Ok(Vec::new()) };
    let calls: Vec<Value> = serde_json::from_str(stored).context("the tool calls of a message")?;
    let names = calls.iter().filter_map(|call| call.get("function")?.get("name")?.as_str());
    Ok(names.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_of_parts_reads_as_its_words() {
        let check = |content: &str, expected: &str| assert_eq!(words(content).unwrap(), expected);
        check("plain", "plain");
        check(
            "\0json:[{\"type\":\"text\",\"text\":\"look\"},{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:\"}}]",
            "look",
        );
        assert!(words("\0json:{").is_err());
    }

    #[test]
    fn where_a_message_came_from_is_not_what_was_said() {
        let check = |text: &str, expected: &str| assert_eq!(said(text), expected);
        check("hello\n\nthere", "hello\n\nthere");
        check("Gateway message origin (JSON data):\n{}\nDo not guess.\n\nhello\n\nthere", "hello\n\nthere");
    }

    #[test]
    fn calls_are_the_names_in_order() {
        let check = |stored: Option<&str>, expected: &[&str]| assert_eq!(calls(stored).unwrap(), expected);
        check(None, &[]);
        check(Some(""), &[]);
        check(Some(r#"[{"function":{"name":"a"}},{"function":{"name":"b"}}]"#), &["a", "b"]);
    }
}
