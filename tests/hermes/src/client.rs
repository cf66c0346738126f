//! A device without a screen: the protocol over a real socket, and each chat as the app's own timeline sees it.

use std::collections::HashMap;

use anyhow::Context;
use futures_util::{SinkExt, StreamExt};
use iris_core::{
    ids::{ChatId, ClientId, FileId},
    protocol::{
        codec::{ServerReader, encode_app},
        frame::{AppFrame, Envelope, PROTOCOL, SendMode, ServerFrame},
    },
    timeline::{Answer, Ask, FileItem, Item, ItemKind, Notice, Timeline, Tool},
};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream,
    tungstenite::{Message, client::IntoClientRequest},
};

use e2e::wait::PATIENCE;

/// A connected device.
pub struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    reader: ServerReader,
    chats: HashMap<ChatId, Timeline>,
    /// What the adapter said of itself, the last time that it did.
    pub hello: ServerFrame,
    /// Every frame that came, in order.
    pub heard: Vec<Envelope>,
    sent: u32,
}

/// Something that a test waits for in a chat.
pub type Condition<'a> = &'a dyn Fn(&Timeline) -> bool;

impl Client {
    /// Connects to the app at `url` and says hello, with the token of a paired device where one is needed.
    ///
    /// # Errors
    /// When it is not let in.
    pub async fn connect(url: &str, token: Option<&str>) -> anyhow::Result<Self> {
        let origin = url.trim_end_matches('/');
        let mut request = format!("{}/ws", origin.replacen("http", "ws", 1)).into_client_request()?;
        request.headers_mut().insert("origin", origin.parse()?);
        let (socket, _) = tokio_tungstenite::connect_async(request).await.context("connecting")?;
        let hello = ServerFrame::Pong { t: 0 };
        let (reader, chats, heard) = (ServerReader::default(), HashMap::new(), Vec::new());
        let mut client = Self { socket, reader, chats, hello, heard, sent: 0 };
        client
            .say_frame(&AppFrame::Hello {
                protocol: PROTOCOL,
                token: token.map(str::to_owned),
                device: "lab".to_owned(),
                capabilities: vec!["append".to_owned(), "continue".to_owned()],
            })
            .await?;
        client.until_heard("hello", |frame| matches!(frame, ServerFrame::Hello { .. })).await?;
        Ok(client)
    }

    /// The chat that a page opens by itself: the last changed.
    ///
    /// # Errors
    /// When there is none.
    pub fn first_chat(&self) -> anyhow::Result<ChatId> {
        let ServerFrame::Hello { chats, .. } = &self.hello else {
            anyhow::bail!("no hello: {:?}", self.hello)
        };
        Ok(chats.first().context("there is no chat")?.id.clone())
    }

    /// Makes a chat and subscribes to it.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn new_chat(&mut self, title: &str) -> anyhow::Result<ChatId> {
        let client_id = self.next_id();
        let title = Some(title.to_owned());
        self.say_frame(&AppFrame::ChatCreate { client_id: client_id.clone(), title }).await?;
        let ack = self
            .until_heard(
                "the new chat",
                |frame| matches!(frame, ServerFrame::Ack { client_id: id, .. } if *id == client_id),
            )
            .await?;
        let chat = ack.chat.context("the acknowledgement names no chat")?;
        self.subscribe(&chat).await?;
        Ok(chat)
    }

    /// Asks for a chat and waits until it is here.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn subscribe(&mut self, chat: &ChatId) -> anyhow::Result<()> {
        let after_seq = self.chats.entry(chat.clone()).or_default().after_seq();
        self.say_frame(&AppFrame::Subscribe { chat: chat.clone(), after_seq, limit: None }).await?;
        self.until_heard("the end of the sync", |frame| matches!(frame, ServerFrame::SyncEnd)).await?;
        Ok(())
    }

    /// Says something as the user and waits until it is acknowledged.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn say(&mut self, chat: &ChatId, text: &str) -> anyhow::Result<ClientId> {
        self.say_with(chat, text, None, Vec::new()).await
    }

    /// Says something in a mode, with files.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn say_with(
        &mut self,
        chat: &ChatId,
        text: &str,
        mode: Option<SendMode>,
        attachments: Vec<FileId>,
    ) -> anyhow::Result<ClientId> {
        let client_id = self.next_id();
        let (chat, text) = (Some(chat.clone()), text.to_owned());
        let frame = AppFrame::MessageSend { client_id: client_id.clone(), chat, text, attachments, mode };
        self.say_frame(&frame).await?;
        let answer = self
            .until_heard("the acknowledgement", |frame| match frame {
                ServerFrame::Ack { client_id: id, .. } => *id == client_id,
                ServerFrame::Error { re: Some(re), .. } => *re == client_id.0,
                _ => false,
            })
            .await?;
        anyhow::ensure!(matches!(answer.frame, ServerFrame::Ack { .. }), "refused: {:?}", answer.frame);
        Ok(client_id)
    }

    /// Waits until what stands behind the adapter is well.
    ///
    /// # Errors
    /// When it stays in trouble; the message has the adapter's words.
    pub async fn until_backend_is_well(&mut self) -> anyhow::Result<()> {
        let well = |frame: &ServerFrame| match frame {
            ServerFrame::Hello { backend, .. } | ServerFrame::BackendUpdated { backend, .. } => {
                backend.trouble.is_none()
            }
            _ => false,
        };
        if well(&self.hello) {
            return Ok(());
        }
        let waited = self.until_heard("a backend without trouble", well).await;
        waited.map(drop).with_context(|| format!("the adapter said: {:?}", self.hello))
    }

    /// Presses a button of the question that waits, once it does.
    ///
    /// # Errors
    /// When none comes.
    pub async fn answer(&mut self, chat: &ChatId, choice: &str) -> anyhow::Result<Ask> {
        self.until(chat, "a question", &|timeline| open_ask(timeline.items()).is_some()).await?;
        let ask = self.chats.get(chat).and_then(|timeline| open_ask(timeline.items())).cloned();
        let ask = ask.context("the question is gone")?;
        let (ask_id, choice) = (ask.ask_id.clone(), Some(choice.to_owned()));
        self.say_frame(&AppFrame::AskAnswer { chat: Some(chat.clone()), ask_id, choice, text: None }).await?;
        Ok(ask)
    }

    /// Presses stop.
    ///
    /// # Errors
    /// When the socket is gone.
    pub async fn stop(&mut self, chat: &ChatId) -> anyhow::Result<()> {
        self.say_frame(&AppFrame::TurnStop { chat: Some(chat.clone()) }).await
    }

    /// Sends any frame.
    ///
    /// # Errors
    /// When the socket is gone.
    pub async fn say_frame(&mut self, frame: &AppFrame) -> anyhow::Result<()> {
        Ok(self.socket.send(Message::text(encode_app(frame))).await?)
    }

    /// A chat as the app would show it.
    pub fn items(&self, chat: &ChatId) -> &[Item] {
        self.chats.get(chat).map_or(&[], Timeline::items)
    }

    /// Waits until the chat is as `wanted`.
    ///
    /// # Errors
    /// When it does not become so; the message shows how it is.
    pub async fn until(&mut self, chat: &ChatId, what: &str, wanted: Condition<'_>) -> anyhow::Result<()> {
        let waited = timeout(PATIENCE, async {
            loop {
                if self.chats.get(chat).is_some_and(wanted) {
                    return anyhow::Ok(());
                }
                self.hear().await?;
            }
        });
        match waited.await {
            Ok(done) => done,
            Err(_) => anyhow::bail!("waited for {what} in vain; the chat is {:#?}", self.items(chat)),
        }
    }

    /// Waits until the last message of the user has been answered and nothing runs.
    ///
    /// # Errors
    /// When something stays open.
    pub async fn until_quiet(&mut self, chat: &ChatId) -> anyhow::Result<()> {
        self.until(chat, "the turn to end", &|timeline| {
            let answered =
                timeline.items().last().is_some_and(|item| !matches!(item.kind, ItemKind::User(_)));
            answered && !timeline.running() && open_ask(timeline.items()).is_none()
        })
        .await
    }

    /// Reads until a frame is as `wanted`.
    ///
    /// # Errors
    /// When none comes.
    pub async fn until_heard(
        &mut self,
        what: &str,
        wanted: impl Fn(&ServerFrame) -> bool,
    ) -> anyhow::Result<Envelope> {
        let waited = timeout(PATIENCE, async {
            loop {
                let envelope = self.hear().await?;
                if wanted(&envelope.frame) {
                    return anyhow::Ok(envelope);
                }
            }
        });
        waited.await.with_context(|| format!("waited for {what} in vain"))?
    }

    async fn hear(&mut self) -> anyhow::Result<Envelope> {
        loop {
            match self.socket.next().await.context("the socket is closed")?? {
                Message::Text(text) => {
                    let envelope = self.reader.read(&text)?;
                    self.take(&envelope);
                    self.heard.push(envelope.clone());
                    return Ok(envelope);
                }
                Message::Close(reason) => anyhow::bail!("the adapter closed the socket: {reason:?}"),
                _ => {}
            }
        }
    }

    fn take(&mut self, envelope: &Envelope) {
        if matches!(envelope.frame, ServerFrame::Hello { .. }) {
            self.hello = envelope.frame.clone();
        }
        if let Some(timeline) = envelope.chat.as_ref().and_then(|chat| self.chats.get_mut(chat)) {
            timeline.apply(envelope);
        }
    }

    fn next_id(&mut self) -> ClientId {
        self.sent += 1;
        ClientId(format!("lab-{}", self.sent))
    }
}

/// The question that waits.
pub fn open_ask(items: &[Item]) -> Option<&Ask> {
    items.iter().find_map(|item| match &item.kind {
        ItemKind::Ask(ask) if ask.outcome.is_none() => Some(ask),
        _ => None,
    })
}

/// What the user said, in order.
pub fn user_texts(items: &[Item]) -> Vec<&str> {
    let texts = items.iter().filter_map(|item| match &item.kind {
        ItemKind::User(user) => Some(user.text.as_str()),
        _ => None,
    });
    texts.collect()
}

/// The answers, in order.
pub fn answers(items: &[Item]) -> Vec<&Answer> {
    let answers = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Answer(answer) => Some(answer),
        _ => None,
    });
    answers.collect()
}

/// The tools, in order.
pub fn tools(items: &[Item]) -> Vec<&Tool> {
    let runs = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Tools(tools) => Some(tools),
        _ => None,
    });
    runs.flatten().collect()
}

/// The notices, in order.
pub fn notices(items: &[Item]) -> Vec<&Notice> {
    let notices = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Notice(notice) => Some(notice),
        _ => None,
    });
    notices.collect()
}

/// The files of the agent, in order.
pub fn files(items: &[Item]) -> Vec<&FileItem> {
    let files = items.iter().filter_map(|item| match &item.kind {
        ItemKind::File(file) => Some(file),
        _ => None,
    });
    files.collect()
}
