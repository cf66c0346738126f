//! One device's socket: the greeting, what it may say and how much of it, and when it is given up.
//! What its frames do is decided by the hub and its chats.

use std::{sync::Arc, time::Duration};

use axum::{
    body::Bytes,
    extract::{
        WebSocketUpgrade,
        ws::{Message, WebSocket},
    },
};
use iris_core::{
    ids::{ChatId, ClientId},
    protocol::{
        codec::{MAX_TO_ADAPTER, MAX_TO_APP, decode_app, encode_server},
        frame::{AppFrame, Envelope, PROTOCOL, ServerFrame, ServerInfo},
    },
};
use tokio::{
    sync::{
        OwnedSemaphorePermit,
        broadcast::{self, error::RecvError},
        mpsc,
    },
    task::AbortHandle,
    time::{Instant, MissedTickBehavior, interval_at, timeout},
};

use super::{
    Hub, NotCreated,
    bye::Bye,
    chat::{Command, Message as Said},
    fanout::{Peer, spell, spell_plain},
    limits::Bucket,
    queue::{Outgoing, Waiting, queue},
    speech::Speech,
};
use crate::{
    backend::About,
    guard::door::{Caller, Door, Pass},
    shutdown::Shutdown,
};

/// The app has this long to say hello.
pub const HELLO_WITHIN: Duration = Duration::from_secs(5);
const PING_EVERY: Duration = Duration::from_secs(25);
/// Pings without any sign of life before the socket is given up.
const MISSED_PINGS: u32 = 2;
/// A device that takes nothing for so long is gone.
const WRITE_WITHIN: Duration = Duration::from_secs(30);
/// Places in a device's queue.
const QUEUE: usize = 256;
/// Frames at once, and a second in the long run.
const BURST: u32 = 200;
const PER_SECOND: u32 = 50;
/// Frames that cannot be read, before the socket is closed.
const MAX_OFFENCES: u32 = 20;
/// Beyond this a message is not even received. It is above the limit of a frame so that a frame that is only somewhat
/// too long can be answered properly instead of by a broken connection.
const HARD_LIMIT: usize = 16 * MAX_TO_ADAPTER;
const MAX_TITLE: usize = 200;
/// Frames of a chat that are sent at once to somebody who says how many.
const MAX_LIMIT: u32 = 2_000;

/// Sets the wire's limits, before the upgrade.
pub fn limits(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade.max_message_size(HARD_LIMIT).max_frame_size(HARD_LIMIT).max_write_buffer_size(2 * MAX_TO_APP)
}

/// Where a socket has come in.
pub(crate) struct Entrance {
    /// Who may come further.
    pub(crate) door: Door,
    /// Who it is, as far as its headers say.
    pub(crate) caller: Caller,
    /// The app build that is served beside it.
    pub(crate) build: String,
    /// A place among those who have not said hello yet; free once it is in.
    pub(crate) place: OwnedSemaphorePermit,
}

/// Serves a socket until either side is done with it.
pub(crate) async fn run(mut socket: WebSocket, hub: Hub, entrance: Entrance, mut shutdown: Shutdown) {
    let greeted = tokio::select! {
        greeted = timeout(HELLO_WITHIN, greeting(&mut socket, &entrance)) => {
            greeted.unwrap_or(Err(Bye::NO_HELLO))
        }
        () = shutdown.requested() => Err(Bye::STOPPING),
    };
    let bye = match greeted {
        Ok(greeting) => {
            let (line, outgoing) = queue(QUEUE);
            let device = greeting.pass.device.id.clone();
            let peer = Peer { id: hub.next_peer(), device, append: greeting.append, line };
            let session = Session {
                news: hub.news(),
                peer,
                outgoing,
                speech: Speech::new(greeting.continues),
                socket,
                hub,
                bucket: Bucket::new(BURST, PER_SECOND, std::time::Instant::now()),
                offences: 0,
                pass: greeting.pass,
                searching: None,
            };
            drop(entrance.place);
            return session.serve(entrance.build, shutdown).await;
        }
        Err(bye) => bye,
    };
    bye.say(&mut socket).await;
}

/// Who a device is and what it says of itself.
struct Greeting {
    pass: Pass,
    append: bool,
    continues: bool,
}

/// Waits for the `hello` of a paired device. Nothing is sent before it has come.
async fn greeting(socket: &mut WebSocket, entrance: &Entrance) -> Result<Greeting, Bye> {
    loop {
        match receive(socket).await? {
            Message::Text(text) => match decode_app(&text) {
                Ok(AppFrame::Hello { protocol: PROTOCOL, token, capabilities, .. }) => {
                    let admitted = entrance.door.admit(&entrance.caller, token.as_deref()).await;
                    let pass = admitted.map_err(|outside| Bye::outside(&outside))?;
                    let says = |capability| capabilities.iter().any(|word| word == capability);
                    return Ok(Greeting { pass, append: says("append"), continues: says("continue") });
                }
                Ok(AppFrame::Hello { .. }) => return Err(Bye::PROTOCOL),
                _ => return Err(Bye::NO_HELLO),
            },
            Message::Binary(_) => return Err(Bye::NO_HELLO),
            Message::Close(_) => return Err(Bye::GONE),
            Message::Ping(_) | Message::Pong(_) => {}
        }
    }
}

/// The next message, with a broken wire turned into the reason to close it.
async fn receive(socket: &mut WebSocket) -> Result<Message, Bye> {
    match socket.recv().await {
        Some(Ok(Message::Text(text))) if text.len() > MAX_TO_ADAPTER => Err(Bye::TOO_LONG),
        Some(Ok(Message::Binary(bytes))) if bytes.len() > MAX_TO_ADAPTER => Err(Bye::TOO_LONG),
        Some(Ok(message)) => Ok(message),
        Some(Err(error)) => Err(Bye::after(&error)),
        None => Err(Bye::GONE),
    }
}

/// A device that has said hello.
struct Session {
    socket: WebSocket,
    hub: Hub,
    peer: Peer,
    outgoing: Waiting,
    speech: Speech,
    news: broadcast::Receiver<Arc<str>>,
    bucket: Bucket,
    offences: u32,
    pass: Pass,
    /// The search that runs; a newer one takes its place.
    searching: Option<AbortHandle>,
}

impl Session {
    async fn serve(mut self, build: String, shutdown: Shutdown) {
        tracing::debug!(peer = self.peer.id, "a device is connected");
        let bye = match self.work(build, shutdown).await {
            Ok(()) => Bye::GONE,
            Err(bye) => bye,
        };
        tracing::debug!(peer = self.peer.id, code = bye.code(), "a device is gone");
        bye.say(&mut self.socket).await;
    }

    async fn work(&mut self, build: String, mut shutdown: Shutdown) -> Result<(), Bye> {
        self.write(encode_server(&self.hello(build)).into()).await?;
        let mut pings = interval_at(Instant::now() + PING_EVERY, PING_EVERY);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut missed = 0;
        loop {
            tokio::select! {
                message = receive(&mut self.socket) => {
                    missed = 0;
                    self.hear(message?).await?;
                }
                outgoing = self.outgoing.next() => match outgoing {
                    Some(outgoing) => self.pass(outgoing).await?,
                    None => return Ok(()),
                },
                news = self.news.recv() => self.pass_on(news).await?,
                _ = pings.tick() => {
                    if missed >= MISSED_PINGS {
                        return Err(Bye::GONE);
                    }
                    missed += 1;
                    self.put(Message::Ping(Bytes::new())).await?;
                }
                () = self.pass.ended() => return Err(Bye::REVOKED),
                () = shutdown.requested() => return Err(Bye::STOPPING),
            }
        }
    }

    fn hello(&self, build: String) -> Envelope {
        let server = ServerInfo {
            name: "iris-adapter".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build,
        };
        let about = self.hub.about();
        let frame = ServerFrame::Hello {
            protocol: PROTOCOL,
            server,
            backend: about.info,
            capabilities: about.capabilities,
            chats: self.hub.list(),
            suggestions: self.hub.suggestions(),
            commands: about.commands,
        };
        Envelope { chat: None, seq: None, frame }
    }

    async fn hear(&mut self, message: Message) -> Result<(), Bye> {
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => {
                return self.offend("not_text", "Iris takes text messages only.".to_owned()).await;
            }
            Message::Close(_) => return Err(Bye::GONE),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
        };
        if !self.bucket.take(std::time::Instant::now()) {
            return Err(Bye::TOO_MANY);
        }
        match decode_app(&text) {
            Ok(frame) => self.act(frame).await,
            Err(error) => self.offend("bad_frame", format!("This frame cannot be read: {error}.")).await,
        }
    }

    async fn act(&mut self, frame: AppFrame) -> Result<(), Bye> {
        let peer = self.peer.clone();
        match frame {
            AppFrame::Hello { .. } => self.offend("second_hello", "Hello was said already.".to_owned()).await,
            AppFrame::Subscribe { chat, after_seq, limit } => {
                let limit = limit.map(|limit| limit.clamp(1, MAX_LIMIT));
                self.ask(Some(chat), "subscribe", Command::Subscribe { peer, after: after_seq, limit }).await
            }
            AppFrame::MessageSend { client_id, text, attachments, .. }
                if text.trim().is_empty() && attachments.is_empty() =>
            {
                self.error("empty", "There is nothing in this message.", &client_id.0).await
            }
            AppFrame::MessageSend { client_id, chat, text, attachments, mode } => {
                let re = client_id.0.clone();
                let message = Said { client_id, text, attachments, mode };
                self.ask(chat, &re, Command::Send { peer, message }).await
            }
            AppFrame::AskAnswer { chat, ask_id, choice, text } => {
                self.ask(chat, "ask.answer", Command::Answer { peer, ask_id, choice, text }).await
            }
            AppFrame::TurnStop { chat } => self.ask(chat, "turn.stop", Command::Stop).await,
            AppFrame::ChatCreate { client_id, title } => self.create(client_id, title).await,
            AppFrame::ChatRename { chat, title } => {
                self.ask(Some(chat), "chat.rename", Command::Rename(shortened(&title))).await
            }
            AppFrame::ChatDelete { chat } => self.delete(&chat).await,
            AppFrame::History { chat, before_seq, limit } => {
                let limit = limit.clamp(1, MAX_LIMIT);
                self.ask(Some(chat), "history", Command::History { peer, before: before_seq, limit }).await
            }
            AppFrame::Search { client_id, query } => {
                self.search(client_id, query);
                Ok(())
            }
            AppFrame::Ping { t } => self.say(ServerFrame::Pong { t }).await,
            // A newer app may say more than this adapter knows.
            AppFrame::Unknown { .. } => Ok(()),
        }
    }

    /// Hands a command to its chat.
    async fn ask(&mut self, chat: Option<ChatId>, re: &str, command: Command) -> Result<(), Bye> {
        let chat = chat.or_else(|| self.hub.only_chat());
        let Some(line) = chat.and_then(|chat| self.hub.chat(&chat)) else { return self.no_chat(re).await };
        match line.try_send(command) {
            Ok(()) => Ok(()),
            Err(mpsc::error::TrySendError::Full(_)) => {
                self.error("busy", "The chat is busy. Try again in a moment.", re).await
            }
            Err(mpsc::error::TrySendError::Closed(_)) => self.no_chat(re).await,
        }
    }

    /// The acknowledgement of a new chat names it in both of its ids; the list's news go to everyone.
    async fn create(&mut self, client_id: ClientId, title: Option<String>) -> Result<(), Bye> {
        let title = title.map(|title| shortened(&title));
        match self.hub.create(&self.peer.device, &client_id, title).await {
            Ok(chat) => {
                let ack = ServerFrame::Ack { client_id, message_id: chat.0.clone().into() };
                self.write(spell(&chat, None, &ack)).await
            }
            Err(NotCreated::TooMany) => {
                self.error("too_many_chats", "There are too many chats. Delete one first.", &client_id.0)
                    .await
            }
            Err(NotCreated::Trouble(trouble)) => {
                let text = format!("Iris cannot save a new chat: {trouble}. Try again later.");
                self.error("not_saved", &text, &client_id.0).await
            }
        }
    }

    async fn delete(&mut self, chat: &ChatId) -> Result<(), Bye> {
        match self.hub.delete(chat).await {
            Ok(true) => Ok(()),
            Ok(false) => self.no_chat("chat.delete").await,
            Err(trouble) => {
                let text = format!("The chat cannot be deleted: {trouble}. Try again later.");
                self.error("not_saved", &text, "chat.delete").await
            }
        }
    }

    /// Looks for words, beside everything else. Only the newest search of a device is of use to it.
    fn search(&mut self, client_id: ClientId, query: String) {
        let (hub, line) = (self.hub.clone(), self.peer.line.clone());
        let search = tokio::spawn(async move {
            let frame = match hub.search(query).await {
                Ok(hits) => ServerFrame::SearchResult { client_id, hits },
                Err(trouble) => ServerFrame::Error {
                    code: "not_read".to_owned(),
                    text: format!("The search failed: {trouble}."),
                    re: Some(client_id.0),
                },
            };
            line.put(Outgoing::One(spell_plain(&frame))).await;
        });
        if let Some(older) = self.searching.replace(search.abort_handle()) {
            older.abort();
        }
    }

    async fn no_chat(&mut self, re: &str) -> Result<(), Bye> {
        self.error("unknown_chat", "There is no such chat. Choose one of the list, or make a new one.", re)
            .await
    }

    /// News about the list of chats; whoever missed some gets the whole list.
    async fn pass_on(&mut self, news: Result<Arc<str>, RecvError>) -> Result<(), Bye> {
        match news {
            Ok(text) => self.write(text).await,
            Err(RecvError::Lagged(_)) => {
                for summary in self.hub.list() {
                    let id = summary.id.clone();
                    self.write(spell(&id, None, &ServerFrame::ChatUpdated { chat: summary })).await?;
                }
                let About { info, capabilities, commands, .. } = self.hub.about();
                self.say(ServerFrame::BackendUpdated { backend: info, capabilities, commands }).await
            }
            Err(RecvError::Closed) => Err(Bye::STOPPING),
        }
    }

    /// Answers what cannot be read, a limited number of times.
    async fn offend(&mut self, code: &str, text: String) -> Result<(), Bye> {
        self.offences += 1;
        self.say(ServerFrame::Error { code: code.to_owned(), text, re: None }).await?;
        if self.offences >= MAX_OFFENCES { Err(Bye::OFFENCES) } else { Ok(()) }
    }

    async fn error(&mut self, code: &str, text: &str, re: &str) -> Result<(), Bye> {
        self.say(ServerFrame::Error { code: code.to_owned(), text: text.to_owned(), re: Some(re.to_owned()) })
            .await
    }

    async fn say(&mut self, frame: ServerFrame) -> Result<(), Bye> {
        self.write(encode_server(&Envelope { chat: None, seq: None, frame }).into()).await
    }

    /// Writes what waits in the queue.
    async fn pass(&mut self, outgoing: Outgoing) -> Result<(), Bye> {
        match outgoing {
            Outgoing::One(text) => self.write(text).await,
            Outgoing::Many(texts) => {
                for text in texts {
                    self.write(text).await?;
                }
                Ok(())
            }
            Outgoing::Growth(growth) => {
                let text = self.speech.grows(&growth).into();
                self.put(Message::Text(text)).await
            }
        }
    }

    /// Writes a frame that is no append.
    async fn write(&mut self, text: Arc<str>) -> Result<(), Bye> {
        self.speech.says_else();
        self.put(Message::Text((&*text).into())).await
    }

    async fn put(&mut self, message: Message) -> Result<(), Bye> {
        match timeout(WRITE_WITHIN, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Bye::GONE),
        }
    }
}

fn shortened(title: &str) -> String {
    title.trim().chars().take(MAX_TITLE).collect()
}
