//! The plugin's side of the bridge, and the lines that it tells.

use std::{net::SocketAddr, time::Duration};

use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    time::timeout,
};

/// Longer than anything here takes, on a machine that is busy with other things.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A connected plugin.
pub(crate) struct Plugin {
    words: Lines<BufReader<OwnedReadHalf>>,
    writer: OwnedWriteHalf,
    /// Where it is to begin.
    pub(crate) after: u64,
}

/// What it says of itself.
#[derive(Clone)]
pub(crate) struct Hello {
    pub(crate) token: String,
    pub(crate) instance: &'static str,
    pub(crate) first: u64,
    pub(crate) protocol: u32,
    pub(crate) courier: bool,
}

impl Hello {
    pub(crate) fn new(token: &str, instance: &'static str) -> Self {
        Self { token: token.to_owned(), instance, first: 1, protocol: 1, courier: false }
    }
}

fn proof(token: &str, who: &str, adapter: &str, plugin: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(token.as_bytes()).unwrap();
    mac.update(format!("{who}:{adapter}:{plugin}").as_bytes());
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Plugin {
    /// Connects and proves itself; `None` when it is not let in.
    pub(crate) async fn connect(address: SocketAddr, hello: &Hello) -> Option<Self> {
        let (reader, mut writer) = TcpStream::connect(address).await.unwrap().into_split();
        let mut words = BufReader::new(reader).lines();
        let theirs = next(&mut words).await?["nonce"].as_str()?.to_owned();
        let word = json!({
            "type": "hello", "protocol": hello.protocol, "nonce": "ours", "instance": hello.instance,
            "proof": proof(&hello.token, "plugin", &theirs, "ours"), "first": hello.first, "next": 1,
            "plugin": "0", "hermes": "0", "model": "demo-model", "texts": false,
            "courier": hello.courier, "commands": [{"name": "status", "description": "Show status", "args": ""}, {"name": "a b"}],
        });
        writer.write_all(format!("{word}\n").as_bytes()).await.ok()?;
        let welcome = next(&mut words).await?;
        assert_eq!(
            welcome["proof"],
            proof(&hello.token, "adapter", &theirs, "ours"),
            "the adapter proves itself too"
        );
        let after = welcome["after"].as_u64()?;
        Some(Self { words, writer, after })
    }

    /// Tells a line.
    pub(crate) async fn tell(&mut self, n: u64, line: &Value) {
        self.say(&json!({"type": "line", "n": n, "line": line})).await;
    }

    /// Says anything.
    pub(crate) async fn say(&mut self, word: &Value) {
        self.raw(format!("{word}\n").as_bytes()).await;
    }

    /// Sends bytes; that the other side is gone is no failure here.
    pub(crate) async fn raw(&mut self, bytes: &[u8]) {
        let _ = self.writer.write_all(bytes).await;
        let _ = self.writer.flush().await;
    }

    /// The next message that is handed in.
    pub(crate) async fn message(&mut self) -> Value {
        loop {
            let word = next(&mut self.words).await.expect("the line ended");
            if word["type"] == "message" {
                return word;
            }
        }
    }

    /// Takes the next message, as Hermes would; its text.
    pub(crate) async fn take(&mut self) -> String {
        let message = self.message().await;
        let (chat, id) = (&message["chat"], &message["message_id"]);
        self.say(&json!({"type": "taken", "chat": chat, "message_id": id})).await;
        message["text"].as_str().unwrap().to_owned()
    }

    /// What is heard next.
    pub(crate) async fn hear(&mut self) -> Option<Value> {
        next(&mut self.words).await
    }

    /// Waits until every line up to this one has been read.
    pub(crate) async fn acked(&mut self, n: u64) {
        loop {
            let word = next(&mut self.words).await.expect("the line ended");
            if word["type"] == "ack" && word["n"].as_u64() >= Some(n) {
                return;
            }
        }
    }

    /// Whether the other side has hung up.
    pub(crate) async fn is_closed(&mut self) -> bool {
        while let Some(word) = next(&mut self.words).await {
            assert_ne!(word["type"], "error");
        }
        true
    }
}

async fn next(words: &mut Lines<BufReader<OwnedReadHalf>>) -> Option<Value> {
    let line = timeout(PATIENCE, words.next_line()).await.expect("the adapter says nothing");
    line.ok().flatten().map(|line| serde_json::from_str(&line).unwrap())
}

/// The lines of a recording, as the plugin tells them: each with its chat.
pub(crate) fn recording(name: &str) -> Vec<Value> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings/gateway-calls").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.trim().is_empty()).map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line["chat_id"] = json!("chat-1");
        line
    });
    lines.collect()
}
