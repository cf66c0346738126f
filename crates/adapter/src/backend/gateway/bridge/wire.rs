//! The words of the bridge, one JSON object a line, and reading them from a stream that nobody promised anything about.

use std::{collections::HashMap, io};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The version of the bridge's words.
pub(super) const PROTOCOL: u32 = 1;
/// The longest line of a plugin that has proved itself.
pub(super) const MAX_LINE_BYTES: u64 = 16 << 20;
/// The longest line of one that has not: `hello` with all its commands.
pub(super) const MAX_HELLO_BYTES: u64 = 512 << 10;

/// What the plugin says.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum FromPlugin {
    /// The first line.
    Hello(Box<Hello>),
    /// A call on the platform adapter, or a hook.
    Line {
        /// Its number; an edit that another replaced leaves a gap.
        n: u64,
        /// The call, as in recordings.
        line: Map<String, Value>,
    },
    /// Lines went because there was no room for them.
    Missed {
        /// How many of which chat.
        chats: HashMap<String, u64>,
        /// The chats in which Hermes is at work.
        #[serde(default)]
        busy: Vec<String>,
    },
    /// Everything that there was is told, and Hermes takes messages.
    Ready,
    /// Hermes has a message.
    Taken {
        /// The chat.
        chat: String,
        /// The message; its id is one of its chat's.
        message_id: String,
    },
    /// A message from outside the gateway: `hermes send`.
    Post {
        /// The chat.
        chat: String,
        /// What it says.
        #[serde(default)]
        text: String,
        /// Paths of what comes with it.
        #[serde(default)]
        files: Vec<String>,
    },
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

/// Who the plugin is.
#[derive(Debug, Deserialize)]
pub(super) struct Hello {
    /// The version of its words.
    pub(super) protocol: u32,
    /// Its fresh number.
    pub(super) nonce: String,
    /// Its proof.
    pub(super) proof: String,
    /// It is no gateway: it only posts a message.
    #[serde(default)]
    pub(super) courier: bool,
    /// The gateway process: numbers and ids mean something only within one.
    pub(super) instance: String,
    /// The first line that it still has.
    pub(super) first: u64,
    /// When the clock of its lines began, milliseconds since 1970.
    #[serde(default)]
    pub(super) clock_ms: Option<u64>,
    /// The plugin's version.
    #[serde(default)]
    pub(super) plugin: String,
    /// Hermes' version.
    #[serde(default)]
    pub(super) hermes: String,
    /// The model that is set.
    #[serde(default)]
    pub(super) model: String,
    /// The slash commands of the gateway.
    #[serde(default)]
    pub(super) commands: Vec<Command>,
    /// Whether Hermes has its texts.
    #[serde(default)]
    pub(super) texts: Option<bool>,
}

/// A slash command.
#[derive(Debug, Deserialize)]
pub(super) struct Command {
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default)]
    pub(super) args: String,
}

/// What the adapter says.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(in super::super) enum ToPlugin {
    /// Prove yourself.
    Challenge {
        /// The adapter's fresh number.
        nonce: String,
    },
    /// You are known, and so am I.
    Welcome {
        /// The adapter's proof.
        proof: String,
        /// Begin behind this line.
        after: u64,
    },
    /// Everything up to this line has been read.
    Ack {
        /// The line.
        n: u64,
    },
    /// Something that the user says.
    Message(Handed),
    /// What became of a message that was posted.
    Posted {
        /// There is such a chat.
        ok: bool,
    },
}

/// A message on its way to Hermes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(in super::super) struct Handed {
    /// The chat.
    pub(in super::super) chat: String,
    /// Its id: the plugin takes each once.
    pub(in super::super) message_id: String,
    /// The text as Hermes gets it.
    pub(in super::super) text: String,
    /// Hermes' `MessageType`.
    pub(in super::super) kind: &'static str,
    /// What comes with it.
    pub(in super::super) media: Vec<Medium>,
}

/// A file that comes with a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(in super::super) struct Medium {
    /// Where it is.
    pub(in super::super) path: String,
    /// Its media type.
    #[serde(rename = "type")]
    pub(in super::super) media_type: String,
}

/// The next line, without its end; `None` when the stream is over.
///
/// # Errors
/// When the stream breaks, or a line is longer than `limit`.
pub(super) async fn read<R: AsyncBufRead + Unpin>(reader: &mut R, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    (&mut *reader).take(limit + 1).read_until(b'\n', &mut line).await?;
    match line.pop() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(line)),
        Some(_) if line.len() as u64 >= limit => {
            Err(io::Error::new(io::ErrorKind::InvalidData, "a line is too long"))
        }
        Some(_) => Ok(None),
    }
}

/// Writes one line.
///
/// # Errors
/// When the stream breaks.
pub(super) async fn write<W: AsyncWrite + Unpin>(writer: &mut W, word: &ToPlugin) -> io::Result<()> {
    let mut line = serde_json::to_vec(word)?;
    line.push(b'\n');
    writer.write_all(&line).await?;
    writer.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(bytes: &[u8], limit: u64) -> Result<Vec<String>, io::ErrorKind> {
        let mut reader = tokio::io::BufReader::with_capacity(3, bytes);
        let mut found = Vec::new();
        while let Some(line) = read(&mut reader, limit).await.map_err(|error| error.kind())? {
            found.push(String::from_utf8(line).unwrap());
        }
        Ok(found)
    }

    #[tokio::test]
    async fn lines_come_whole_and_within_their_limit() {
        assert_eq!(lines(b"one\n\ntwo\n", 3).await.unwrap(), ["one", "", "two"]);
        assert_eq!(lines(b"one\nhalf", 9).await.unwrap(), ["one"], "a line that was cut off is none");
        assert_eq!(lines(b"four\n", 3).await, Err(io::ErrorKind::InvalidData));
        assert_eq!(lines(b"endless", 3).await, Err(io::ErrorKind::InvalidData));
        assert_eq!(lines(b"", 3).await.unwrap(), [""; 0]);
    }

    #[test]
    fn a_word_of_a_later_version_is_tolerated() {
        let word = serde_json::from_str(r#"{"type":"sing","song":1}"#).unwrap();
        assert!(matches!(word, FromPlugin::Unknown), "{word:?}");
    }
}
