//! What the tests share: a server on a free port, raw HTTP, and a client that speaks frames.

use std::{
    cell::RefCell,
    collections::HashMap,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Mutex,
    time::Duration,
};

use futures_util::{SinkExt, StreamExt};
use iris_adapter::{
    cli::Backend,
    config::{App, Config, SOCKETS_PER_DEVICE},
    server::{self, Server},
};
use iris_core::{
    ids::ChatId,
    protocol::{
        codec::{ServerReader, decode_server, encode_app},
        frame::{AppFrame, Envelope, PROTOCOL, ServerFrame},
    },
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream,
    tungstenite::{Message, Utf8Bytes, client::IntoClientRequest, protocol::CloseFrame},
};

/// Nothing that a test waits for takes longer.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub fn config() -> Config {
    Config {
        address: ([127, 0, 0, 1], 0).into(),
        app: App::None,
        public_url: None,
        data: fresh_folder(),
        backend: Backend::Demo,
        hermes: Default::default(),
        bridge_port: 0,
        speed: 200.0,
        text_gap: Duration::ZERO,
        sockets_per_device: SOCKETS_PER_DEVICE,
        allow_origins: Vec::new(),
        allow_hosts: Vec::new(),
    }
}

/// A data folder of this test's own, which goes with the test.
fn fresh_folder() -> PathBuf {
    thread_local! {
        static FOLDERS: RefCell<Vec<tempfile::TempDir>> = const { RefCell::new(Vec::new()) };
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    FOLDERS.with_borrow_mut(|folders| folders.push(folder));
    path
}

/// The token of the one device that a test's clients are, unless they say otherwise. A server that starts again on the
/// same data knows it still.
pub fn token(server: &Server) -> String {
    static DEVICES: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());
    let mut devices = DEVICES.lock().unwrap();
    let known = server.devices().list().unwrap();
    if let Some((_, token)) = devices.iter().find(|(id, _)| known.iter().any(|device| device.id == *id)) {
        return token.clone();
    }
    let paired = server.devices().add("test").unwrap();
    let token = paired.token.reveal().to_owned();
    devices.push((paired.device.id, token.clone()));
    token
}

pub async fn serve() -> Server {
    server::start(config()).await.unwrap()
}

pub async fn serve_app(folder: &Path) -> Server {
    server::start(Config { app: App::Folder(folder.to_owned()), ..config() }).await.unwrap()
}

/// An HTTP answer, read off the wire.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Sends exactly these bytes and reads one answer.
pub async fn raw(address: SocketAddr, request: &[u8]) -> Answer {
    let head_only = request.starts_with(b"HEAD ");
    timeout(PATIENCE, async {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(request).await.unwrap();
        let mut bytes = Vec::new();
        let end = loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break end;
            }
            assert!(stream.read_buf(&mut bytes).await.unwrap() > 0, "closed in the middle of the head");
        };
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers: HashMap<_, _> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let length: usize = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
        let mut body = bytes[end + 4..].to_vec();
        while !head_only && body.len() < length {
            assert!(stream.read_buf(&mut body).await.unwrap() > 0, "closed in the middle of the body");
        }
        Answer { status, headers, body }
    })
    .await
    .expect("an answer")
}

/// A plain request with these header lines besides `Host`.
pub async fn request(address: SocketAddr, method: &str, path: &str, headers: &str) -> Answer {
    let text = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n{headers}Connection: close\r\n\r\n");
    raw(address, text.as_bytes()).await
}

pub async fn get(address: SocketAddr, path: &str) -> Answer {
    request(address, "GET", path, "").await
}

/// A device.
pub struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    reader: ServerReader,
    pub hello: ServerFrame,
}

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The header lines of an upgrade besides `Host` and `Origin`.
pub const UPGRADE: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                           Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// A socket below the level of messages, upgraded and otherwise silent.
pub async fn upgraded(server: &Server) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    let request =
        format!("GET /ws HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\n{UPGRADE}\r\n", server.address());
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    assert!(head.starts_with(b"HTTP/1.1 101 "));
    stream
}

/// A text message as a browser writes it: masked, here with zeros.
pub fn masked(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).expect("a short text");
    let length = match u8::try_from(length) {
        Ok(short @ ..126) => vec![0x80 | short],
        _ => [&[0x80 | 126], &length.to_be_bytes()[..]].concat(),
    };
    [&[0x81], &length[..], &[0, 0, 0, 0], text.as_bytes()].concat()
}

/// A socket that has said nothing yet.
pub async fn open(server: &Server) -> Socket {
    let address = server.address();
    let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
    request.headers_mut().insert("origin", format!("http://{address}").parse().unwrap());
    tokio_tungstenite::connect_async(request).await.unwrap().0
}

/// The greeting of the test's device.
pub fn hello(server: &Server, capabilities: &[&str]) -> AppFrame {
    hello_with(Some(token(server)), capabilities)
}

pub fn hello_with(token: Option<String>, capabilities: &[&str]) -> AppFrame {
    AppFrame::Hello {
        protocol: PROTOCOL,
        token,
        device: "test".to_owned(),
        capabilities: capabilities.iter().map(|&word| word.to_owned()).collect(),
    }
}

/// The next frame, or why there is none.
pub async fn read(socket: &mut Socket) -> Result<Envelope, Option<CloseFrame>> {
    message(socket).await.map(|text| decode_server(&text).unwrap())
}

async fn message(socket: &mut Socket) -> Result<Utf8Bytes, Option<CloseFrame>> {
    loop {
        match timeout(PATIENCE, socket.next()).await.expect("a frame") {
            Some(Ok(Message::Text(text))) => return Ok(text),
            Some(Ok(Message::Close(frame))) => return Err(frame),
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return Err(None),
        }
    }
}

impl Client {
    /// A device that takes whole texts only.
    pub async fn plain(server: &Server) -> Self {
        Self::connect(server, &[]).await
    }

    /// A device that takes appends, as short as they can be.
    pub async fn modern(server: &Server) -> Self {
        Self::connect(server, &["append", "continue"]).await
    }

    async fn connect(server: &Server, capabilities: &[&str]) -> Self {
        Self::greeting(server, &hello(server, capabilities)).await
    }

    /// A device that says this hello.
    pub async fn greeting(server: &Server, hello: &AppFrame) -> Self {
        let mut socket = open(server).await;
        socket.send(Message::text(encode_app(hello))).await.unwrap();
        let hello = read(&mut socket).await.unwrap().frame;
        Self { socket, reader: ServerReader::default(), hello }
    }

    /// The same, listening to the first chat.
    pub async fn listening(server: &Server, capabilities: &[&str]) -> Self {
        let mut client = Self::connect(server, capabilities).await;
        client.subscribe(&client.first_chat(), None).await;
        client.until(|frame| matches!(frame, ServerFrame::Typing { .. })).await;
        client
    }

    pub fn first_chat(&self) -> ChatId {
        let ServerFrame::Hello { chats, .. } = &self.hello else { panic!("no hello: {:?}", self.hello) };
        chats[0].id.clone()
    }

    pub async fn send(&mut self, frame: AppFrame) {
        self.text(encode_app(&frame)).await;
    }

    pub async fn text(&mut self, text: impl Into<String>) {
        self.socket.send(Message::text(text.into())).await.unwrap();
    }

    /// A text on a socket that may be gone already.
    pub async fn try_text(
        &mut self,
        text: impl Into<String>,
    ) -> Result<(), tokio_tungstenite::tungstenite::Error> {
        self.socket.send(Message::text(text.into())).await
    }

    pub async fn message(&mut self, message: Message) {
        self.socket.send(message).await.unwrap();
    }

    pub async fn subscribe(&mut self, chat: &ChatId, after_seq: Option<u64>) {
        self.send(AppFrame::Subscribe { chat: chat.clone(), after_seq, limit: None }).await;
    }

    pub async fn say(&mut self, client_id: &str, text: &str) {
        let (client_id, text) = (client_id.into(), text.to_owned());
        self.send(AppFrame::MessageSend { client_id, chat: None, text, attachments: Vec::new(), mode: None })
            .await;
    }

    /// The next frame, or why there is none.
    pub async fn try_next(&mut self) -> Result<Envelope, Option<CloseFrame>> {
        message(&mut self.socket).await.map(|text| self.reader.read(&text).unwrap())
    }

    /// The next frame of a chat or the socket; the list's news are left out.
    pub async fn next(&mut self) -> Envelope {
        loop {
            let envelope = self.try_next().await.expect("an open socket");
            if !matches!(envelope.frame, ServerFrame::ChatUpdated { .. }) {
                return envelope;
            }
        }
    }

    /// Everything up to the first frame that is wanted.
    pub async fn until(&mut self, wanted: impl Fn(&ServerFrame) -> bool) -> Vec<Envelope> {
        let mut seen = Vec::new();
        loop {
            seen.push(self.next().await);
            if wanted(&seen.last().unwrap().frame) {
                return seen;
            }
        }
    }

    /// Everything up to the turn's end.
    pub async fn turn(&mut self) -> Vec<Envelope> {
        self.until(|frame| matches!(frame, ServerFrame::TurnEnd { .. })).await
    }

    /// Closes properly; the code with which the server agrees.
    pub async fn leave(mut self) -> Option<u16> {
        let frame = CloseFrame { code: 1000.into(), reason: "".into() };
        self.socket.send(Message::Close(Some(frame))).await.unwrap();
        self.close_code().await
    }

    /// The close code, whatever comes before it.
    pub async fn close_code(mut self) -> Option<u16> {
        loop {
            match self.try_next().await {
                Ok(_) => {}
                Err(frame) => return frame.map(|frame| frame.code.into()),
            }
        }
    }
}

/// What a device shows at the end: every text and what is still open, made of the frames in their order.
#[derive(Debug, Default, PartialEq)]
pub struct Shown {
    pub texts: Vec<(String, String)>,
    pub reasoning: Vec<(String, String)>,
    pub tools: Vec<String>,
    pub other: Vec<String>,
    pub open: Vec<String>,
    pub last_seq: Option<u64>,
}

impl Shown {
    pub fn of(envelopes: &[Envelope]) -> Self {
        let mut shown = Self::default();
        for envelope in envelopes {
            let acknowledges = matches!(envelope.frame, ServerFrame::Ack { .. });
            if envelope.seq.is_some() && !acknowledges {
                assert!(envelope.seq > shown.last_seq, "numbers increase");
                shown.last_seq = envelope.seq;
            }
            shown.take(&envelope.frame);
        }
        shown.texts.sort();
        shown.reasoning.sort();
        shown
    }

    fn take(&mut self, frame: &ServerFrame) {
        match frame {
            ServerFrame::TurnStart { turn } => self.opened(format!("turn {turn}")),
            ServerFrame::TurnEnd { turn, status, .. } => {
                self.closed(&format!("turn {turn}"));
                self.other.push(format!("turn ended {status:?}"));
            }
            ServerFrame::MessageStart { message_id, .. } => {
                self.opened(format!("message {message_id}"));
                put(&mut self.texts, &message_id.0, String::new());
            }
            ServerFrame::MessageUpdate { message_id, text } => {
                put(&mut self.texts, &message_id.0, text.clone())
            }
            ServerFrame::MessageAppend { message_id, at, text } => {
                grow(&mut self.texts, &message_id.0, *at, text)
            }
            ServerFrame::MessageStop { message_id, final_text, reasoning, .. } => {
                self.closed(&format!("message {message_id}"));
                if let Some(text) = final_text {
                    put(&mut self.texts, &message_id.0, text.clone());
                }
                if let Some(text) = reasoning {
                    put(&mut self.reasoning, &message_id.0, text.clone());
                }
            }
            ServerFrame::Message { message_id, text, reasoning, .. } => {
                put(&mut self.texts, &message_id.0, text.clone());
                if let Some(text) = reasoning {
                    put(&mut self.reasoning, &message_id.0, text.clone());
                }
            }
            ServerFrame::ReasoningUpdate { message_id, text } => {
                put(&mut self.reasoning, &message_id.0, text.clone());
            }
            ServerFrame::ReasoningAppend { message_id, at, text } => {
                grow(&mut self.reasoning, &message_id.0, *at, text);
            }
            ServerFrame::ToolStart { index, name, .. } => {
                self.opened(format!("tool {}", index.0));
                self.tools.push(format!("{} {name}", index.0));
            }
            ServerFrame::ToolEnd { index, ok, .. } => {
                self.closed(&format!("tool {}", index.0));
                self.tools.push(format!("{} {ok:?}", index.0));
            }
            ServerFrame::Ask { ask_id, .. } => self.opened(format!("ask {ask_id}")),
            ServerFrame::AskClosed { ask_id, outcome } => {
                self.closed(&format!("ask {ask_id}"));
                self.other.push(format!("answered {outcome}"));
            }
            ServerFrame::UserMessage { text, .. } => self.other.push(format!("user {text}")),
            ServerFrame::Commentary { text, .. } => self.other.push(format!("remark {text}")),
            ServerFrame::Notice { code, .. } => self.other.push(format!("notice {code}")),
            _ => {}
        }
    }

    fn opened(&mut self, what: String) {
        assert!(!self.open.contains(&what), "{what} opens twice");
        self.open.push(what);
    }

    fn closed(&mut self, what: &str) {
        self.open.retain(|open| open != what);
    }
}

fn put(texts: &mut Vec<(String, String)>, id: &str, text: String) {
    texts.retain(|(known, _)| known != id);
    texts.push((id.to_owned(), text));
}

fn grow(texts: &mut Vec<(String, String)>, id: &str, at: u64, text: &str) {
    let before = texts.iter().find(|(known, _)| known == id).map_or("", |(_, text)| text).to_owned();
    assert_eq!(before.len() as u64, at, "an append fits");
    put(texts, id, before + text);
}
