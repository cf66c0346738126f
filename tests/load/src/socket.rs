//! A device that counts: every byte that its TCP connection brings, and when each frame was there.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use anyhow::Context as _;
use futures_util::{SinkExt, StreamExt};
use iris_core::{
    ids::{ChatId, ClientId},
    protocol::{
        codec::{ServerReader, encode_app},
        frame::{AppFrame, Envelope, PROTOCOL, ServerFrame},
    },
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpSocket, TcpStream},
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest},
};

use crate::process::Address;

/// A connected device.
pub struct Socket {
    stream: WebSocketStream<Counted>,
    reader: ServerReader,
    received: Arc<AtomicU64>,
}

/// How a device behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// What it takes of a growing text.
    pub takes: Takes,
    /// Bytes that its system takes in while it does not read; the system's own choice when absent.
    pub buffer: Option<u32>,
}

/// What a device takes of a growing text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Takes {
    /// All of it, again and again.
    #[default]
    Whole,
    /// What it grew by.
    Appends,
    /// The same, without the envelope.
    Continuations,
}

impl Takes {
    fn capabilities(self) -> Vec<String> {
        let words: &[&str] = match self {
            Self::Whole => &[],
            Self::Appends => &["append"],
            Self::Continuations => &["append", "continue"],
        };
        words.iter().map(|&word| word.to_owned()).collect()
    }
}

impl Socket {
    /// Connects and says hello.
    ///
    /// # Errors
    /// When it is not let in.
    pub async fn connect(address: &Address, manner: Manner) -> anyhow::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        if let Some(bytes) = manner.buffer {
            socket.set_recv_buffer_size(bytes)?;
        }
        let received = Arc::new(AtomicU64::new(0));
        let inner = socket.connect(SocketAddr::from(([127, 0, 0, 1], address.port))).await?;
        let counted = Counted { inner, received: received.clone() };
        let origin = format!("http://127.0.0.1:{}", address.port);
        let mut request = format!("ws://127.0.0.1:{}/ws", address.port).into_client_request()?;
        request.headers_mut().insert("origin", origin.parse()?);
        let (stream, _) = client_async(request, counted).await.context("the upgrade")?;
        let mut socket = Self { stream, reader: ServerReader::default(), received };
        let capabilities = manner.takes.capabilities();
        let (token, device) = (Some(address.token.clone()), "load".to_owned());
        socket.say(&AppFrame::Hello { protocol: PROTOCOL, token, device, capabilities }).await?;
        socket.until(|frame| matches!(frame, ServerFrame::Hello { .. })).await?;
        Ok(socket)
    }

    /// Makes a chat.
    ///
    /// # Errors
    /// When there is none.
    pub async fn new_chat(&mut self) -> anyhow::Result<ChatId> {
        let client_id = Self::next_id();
        self.say(&AppFrame::ChatCreate { client_id, title: Some("Load".to_owned()) }).await?;
        let ack = self.until(|frame| matches!(frame, ServerFrame::Ack { .. })).await?;
        ack.chat.context("the acknowledgement names no chat")
    }

    /// Asks for a chat and waits until what was missing is here.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn subscribe(&mut self, chat: &ChatId, limit: Option<u32>) -> anyhow::Result<()> {
        self.say(&AppFrame::Subscribe { chat: chat.clone(), after_seq: None, limit }).await?;
        self.until(|frame| matches!(frame, ServerFrame::SyncEnd)).await.map(drop)
    }

    /// Says something in a chat.
    ///
    /// # Errors
    /// When the socket is gone.
    pub async fn send(&mut self, chat: &ChatId, text: String) -> anyhow::Result<()> {
        let (client_id, chat) = (Self::next_id(), Some(chat.clone()));
        self.say(&AppFrame::MessageSend { client_id, chat, text, attachments: Vec::new(), mode: None }).await
    }

    /// The next message, unread. What follows on it may be a continuation: from here on none is to be read by the others.
    ///
    /// # Errors
    /// When the socket is gone.
    pub async fn next_text(&mut self) -> anyhow::Result<String> {
        loop {
            match self.stream.next().await.context("the socket is closed")?? {
                Message::Text(text) => return Ok(text.as_str().to_owned()),
                Message::Close(reason) => anyhow::bail!("closed: {reason:?}"),
                _ => {}
            }
        }
    }

    /// The next frame.
    ///
    /// # Errors
    /// When the socket is gone.
    pub async fn next(&mut self) -> anyhow::Result<Envelope> {
        let text = self.next_text().await?;
        Ok(self.reader.read(&text)?)
    }

    /// Reads until a frame is as `wanted`.
    ///
    /// # Errors
    /// When the socket is gone.
    pub async fn until(&mut self, wanted: impl Fn(&ServerFrame) -> bool) -> anyhow::Result<Envelope> {
        loop {
            let envelope = self.next().await?;
            if let ServerFrame::Error { code, text, .. } = &envelope.frame {
                anyhow::bail!("the adapter says {code}: {text}");
            }
            if wanted(&envelope.frame) {
                return Ok(envelope);
            }
        }
    }

    /// Bytes that came over TCP so far.
    pub fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    async fn say(&mut self, frame: &AppFrame) -> anyhow::Result<()> {
        Ok(self.stream.send(Message::text(encode_app(frame))).await?)
    }

    fn next_id() -> ClientId {
        // Sockets of one device must not use the same id.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        ClientId(format!("load-{}", NEXT.fetch_add(1, Ordering::Relaxed)))
    }
}

/// A TCP connection that counts what it brings.
struct Counted {
    inner: TcpStream,
    received: Arc<AtomicU64>,
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(context, buffer);
        self.received.fetch_add((buffer.filled().len() - before) as u64, Ordering::Relaxed);
        polled
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}
