//! One connection of a plugin: the handshake, then lines in and words out until either side is gone or a newer plugin
//! takes its place.

use std::{io, sync::Arc, time::Duration};

use tokio::{
    io::BufReader,
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::mpsc,
    time::timeout,
};

use super::{
    proof::{Nonces, Side, nonce, proof, proves},
    switchboard::{Place, Plugin, Switchboard, ToChat},
    wire::{Command, FromPlugin, Hello, MAX_HELLO_BYTES, MAX_LINE_BYTES, PROTOCOL, ToPlugin, read, write},
};
use crate::backend::{About, gateway::calls};
use iris_core::protocol::frame::SlashCommand;

/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// How long the plugin may leave a word unread.
const WRITE: Duration = Duration::from_secs(30);
/// Words that may wait to be written.
const WORDS: usize = 256;
/// Lines after which they are acknowledged, at the latest.
const ACK_LINES: u64 = 64;
/// Slash commands that are passed on, and the length of their texts.
const MAX_COMMANDS: usize = 500;
const MAX_TEXT: usize = 300;

/// Why a plugin that proved itself is not served.
const OTHER_VERSION: &str = "The Iris plugin in Hermes' gateway is of another version than this adapter. Run \
     `iris-adapter install-plugin`, then restart the gateway.";

/// A plugin that has proved itself.
pub(super) struct Connection {
    hello: Box<Hello>,
    nonce: String,
    token: Arc<str>,
    reader: BufReader<OwnedReadHalf>,
    writer: OwnedWriteHalf,
}

/// Lets a plugin prove itself.
///
/// # Errors
/// When it does not, in time. It is told nothing.
pub(super) async fn shake_hands(
    stream: TcpStream,
    token: &Arc<str>,
    board: &Switchboard,
) -> io::Result<Connection> {
    let shaken = async {
        stream.set_nodelay(true)?;
        let (reader, mut writer) = stream.into_split();
        let mut reader = BufReader::new(reader);
        let own = nonce().map_err(|error| io::Error::other(error.to_string()))?;
        write(&mut writer, &ToPlugin::Challenge { nonce: own.clone() }).await?;
        let line = read(&mut reader, MAX_HELLO_BYTES).await?.ok_or_else(|| refused("it said nothing"))?;
        let FromPlugin::Hello(hello) = serde_json::from_slice(&line).map_err(|_| refused("not a hello"))?
        else {
            return Err(refused("not a hello"));
        };
        if !proves(&hello.proof, token, Nonces { adapter: &own, plugin: &hello.nonce }) {
            return Err(refused("it does not know the token"));
        }
        if hello.protocol != PROTOCOL {
            board.complain(OTHER_VERSION.to_owned());
            return Err(refused("it is of another version"));
        }
        Ok(Connection { hello, nonce: own, token: token.clone(), reader, writer })
    };
    timeout(HANDSHAKE, shaken).await.map_err(|_| refused("it took too long"))?
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

impl Connection {
    /// Whether it only posts a message: a second program beside the gateway.
    pub(super) fn is_courier(&self) -> bool {
        self.hello.courier
    }

    /// Takes the one message of a courier.
    pub(super) async fn deliver(mut self, board: &Switchboard) {
        let delivered = timeout(HANDSHAKE, async {
            let welcome = self.welcome(0);
            write(&mut self.writer, &welcome).await?;
            let line = read(&mut self.reader, MAX_HELLO_BYTES).await?.unwrap_or_default();
            if let Ok(FromPlugin::Post { chat, text, files }) = serde_json::from_slice(&line) {
                let ok = board.tell(&chat, ToChat::Post { text, files }).await;
                write(&mut self.writer, &ToPlugin::Posted { ok }).await?;
            }
            io::Result::Ok(())
        });
        if !matches!(delivered.await, Ok(Ok(()))) {
            tracing::info!("a message from outside the gateway did not arrive");
        }
    }

    fn welcome(&self, after: u64) -> ToPlugin {
        let nonces = Nonces { adapter: &self.nonce, plugin: &self.hello.nonce };
        ToPlugin::Welcome { proof: proof(&self.token, Side::Adapter, nonces), after }
    }

    /// Serves it until it is gone or a newer one comes.
    pub(super) async fn serve(self, board: Arc<Switchboard>) {
        let mut mine = 0;
        board.newest.send_modify(|number| {
            *number += 1;
            mine = *number;
        });
        let mut newest = board.newest.subscribe();
        // The one before leaves its place now that there is a newer one.
        let mut place = board.place.lock().await;
        if *board.newest.borrow() != mine {
            return;
        }
        tracing::info!(hermes = %self.hello.hermes, plugin = %self.hello.plugin, "Hermes' gateway is connected");
        tokio::select! {
            _ = newest.wait_for(|number| *number > mine) => {}
            ended = self.work(&board, &mut place) => if let Err(error) = ended {
                tracing::info!(%error, "the line to Hermes' gateway broke");
            }
        }
        board.down().await;
    }

    async fn work(self, board: &Switchboard, place: &mut Place) -> io::Result<()> {
        let instance: Arc<str> = Arc::from(self.hello.instance.as_str());
        if board.take_again() || place.instance.as_ref() != Some(&instance) {
            *place = Place { instance: Some(instance.clone()), seen: 0 };
        }
        let welcome = self.welcome(place.seen);
        let Self { hello, mut reader, mut writer, .. } = self;
        write(&mut writer, &welcome).await?;
        let (words, waiting) = mpsc::channel(WORDS);
        let plugin = Plugin { instance, first: hello.first, clock_ms: hello.clock_ms, words: words.clone() };
        board.up(plugin, |about| describe(about, &hello)).await;
        tokio::select! {
            ended = speak(writer, waiting) => ended,
            ended = listen(&mut reader, board, place, &words) => ended,
        }
    }
}

async fn speak(mut writer: OwnedWriteHalf, mut words: mpsc::Receiver<ToPlugin>) -> io::Result<()> {
    while let Some(word) = words.recv().await {
        let written = timeout(WRITE, write(&mut writer, &word)).await;
        written.map_err(|_| io::Error::new(io::ErrorKind::TimedOut, "the plugin does not read"))??;
    }
    Ok(())
}

async fn listen(
    reader: &mut BufReader<OwnedReadHalf>,
    board: &Switchboard,
    place: &mut Place,
    words: &mpsc::Sender<ToPlugin>,
) -> io::Result<()> {
    let mut acked = place.seen;
    while let Some(line) = read(reader, MAX_LINE_BYTES).await? {
        match serde_json::from_slice(&line) {
            Ok(word) => hear(word, board, place).await,
            Err(error) => tracing::warn!(%error, "the plugin said something that cannot be read"),
        }
        if place.seen > acked && (reader.buffer().is_empty() || place.seen - acked >= ACK_LINES) {
            acked = place.seen;
            // The next one says the same and more.
            let _ = words.try_send(ToPlugin::Ack { n: acked });
        }
    }
    Ok(())
}

async fn hear(word: FromPlugin, board: &Switchboard, place: &mut Place) {
    match word {
        FromPlugin::Line { n, line } => {
            match calls::read(&line) {
                Ok(call) => {
                    if let Some(chat) = call.chat.clone() {
                        let _ = board.tell(&chat, ToChat::Line { n, call: Box::new(call) }).await;
                    }
                }
                Err(problem) => tracing::warn!(n, %problem, "a line of the plugin is no call"),
            }
            place.seen = place.seen.max(n);
        }
        FromPlugin::Missed { chats, busy } => {
            for (chat, lines) in chats {
                let working = busy.contains(&chat);
                let _ = board.tell(&chat, ToChat::Missed { lines, working }).await;
            }
        }
        FromPlugin::Ready => board.ready().await,
        FromPlugin::Taken { chat, message_id } => {
            let _ = board.tell(&chat, ToChat::Taken(message_id)).await;
        }
        FromPlugin::Hello(_) | FromPlugin::Post { .. } | FromPlugin::Unknown => {}
    }
}

fn describe(about: &mut About, hello: &Hello) {
    if !hello.model.is_empty() {
        about.info.model = Some(shortened(&hello.model));
    }
    about.has_texts = hello.texts;
    about.commands = hello.commands.iter().take(MAX_COMMANDS).filter_map(command).collect();
}

fn command(command: &Command) -> Option<SlashCommand> {
    let name = command.name.trim_start_matches('/');
    let usable = !name.is_empty() && !name.contains(char::is_whitespace) && name.chars().count() <= MAX_TEXT;
    usable.then(|| SlashCommand {
        name: name.to_owned(),
        description: shortened(&command.description),
        args: Some(shortened(&command.args)).filter(|args| !args.is_empty()),
    })
}

/// One line of bounded length.
fn shortened(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().chars().take(MAX_TEXT).collect()
}
