//! A device: a model of the app (`model.rs`) on a real socket, in a task of its own, that reconnects by itself.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use anyhow::Context;
use futures_util::{SinkExt, StreamExt};
use iris_core::{
    connection::{Event, TimerId},
    ids::{ChatId, ClientId},
    protocol::{AppFrame, ServerReader, encode_app, frame::SendMode},
};
use tokio::{
    net::TcpStream,
    sync::{mpsc, watch},
    task::JoinHandle,
    time::{Instant, sleep_until, timeout},
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{Message, client::IntoClientRequest},
};

pub use crate::model::{Habits, Model as View};
use crate::model::{Model, Want};

/// Nothing takes so long: not even a turn of a real Hermes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// A connection on this machine that takes so long will not come.
const CONNECT: Duration = Duration::from_secs(4);

type Socket = WebSocketStream<TcpStream>;

/// A device. Dropping it closes its socket without a word, as a browser that crashes does.
pub struct Device {
    name: String,
    orders: mpsc::UnboundedSender<Order>,
    model: Arc<Mutex<Model>>,
    changed: watch::Receiver<()>,
    started: Instant,
    task: JoinHandle<()>,
}

/// Where a device connects.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// The adapter's own port: what a browser has in its address.
    pub adapter: u16,
    /// The port that it is reached through.
    pub through: u16,
}

#[derive(Debug)]
enum Order {
    /// The model wants something.
    Work,
}

impl Device {
    /// A device that begins to connect.
    pub fn new(habits: Habits, address: Address, seed: u64) -> Self {
        let name = habits.name.clone();
        let model = Arc::new(Mutex::new(Model::new(habits, seed)));
        let (orders, from_owner) = mpsc::unbounded_channel();
        let started = Instant::now();
        let (news, changed) = watch::channel(());
        let worker = Worker {
            model: Arc::clone(&model),
            news,
            address,
            started,
            socket: None,
            reader: ServerReader::default(),
            timer: None,
        };
        let task = tokio::spawn(worker.run(from_owner));
        Self { name, orders, model, changed, started, task }
    }

    /// Shows a chat from now on.
    pub fn follow(&self, chat: &ChatId) {
        self.act(|model, _| model.follow(chat));
    }

    /// Says something, in a mode or as the backend has it.
    pub fn say(&self, chat: &ChatId, text: &str, mode: Option<SendMode>) {
        self.act(|model, now_ms| model.say(chat, text, mode, now_ms));
    }

    /// Presses stop.
    pub fn stop(&self, chat: &ChatId) {
        self.act(|model, _| model.stop(chat));
    }

    /// Makes a chat.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn create(&self, wish: u64) -> anyhow::Result<ChatId> {
        self.until("a connection", View::is_online).await?;
        let client_id = ClientId(format!("{}-chat-{wish}", self.name));
        self.act(|model, _| model.create(&client_id));
        self.until("a new chat", |view| view.created(&client_id).is_some()).await?;
        self.see(|view| view.created(&client_id)).context("the chat is gone")
    }

    /// Looks at the device as it is now.
    pub fn see<T>(&self, look: impl FnOnce(&View) -> T) -> T {
        look(&self.model.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until the device is as `wanted`.
    ///
    /// # Errors
    /// When it does not become so.
    pub async fn until(&self, what: &str, wanted: impl Fn(&View) -> bool) -> anyhow::Result<()> {
        let mut changed = self.changed.clone();
        let waited = timeout(PATIENCE, async {
            while !self.see(&wanted) {
                if changed.changed().await.is_err() {
                    anyhow::bail!("the device {} ended", self.name);
                }
            }
            Ok(())
        });
        waited.await.unwrap_or_else(|_| anyhow::bail!("{} waited for {what}, in vain", self.name))
    }

    /// The user does something. The model knows of it at once; the socket hears of it when it can.
    fn act(&self, act: impl FnOnce(&mut Model, f64)) {
        let now_ms = self.started.elapsed().as_secs_f64() * 1e3;
        act(&mut self.model.lock().unwrap_or_else(PoisonError::into_inner), now_ms);
        // A worker that is gone is noticed by whoever waits for it.
        let _gone = self.orders.send(Order::Work);
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Worker {
    model: Arc<Mutex<Model>>,
    news: watch::Sender<()>,
    address: Address,
    started: Instant,
    socket: Option<Socket>,
    reader: ServerReader,
    timer: Option<(TimerId, Instant)>,
}

impl Worker {
    async fn run(mut self, mut orders: mpsc::UnboundedReceiver<Order>) {
        self.event(Event::Start).await;
        loop {
            let timer = self.timer;
            tokio::select! {
                order = orders.recv() => match order {
                    Some(Order::Work) => self.work().await,
                    None => return,
                },
                message = next(&mut self.socket) => self.hear(message).await,
                () = reached(timer.map(|(_, at)| at)) => {
                    self.timer = None;
                    if let Some((id, _)) = timer {
                        self.event(Event::Timer(id)).await;
                    }
                }
            }
            self.news.send_replace(());
        }
    }

    async fn hear(&mut self, message: Option<Message>) {
        match message {
            Some(Message::Text(text)) => {
                let now_ms = self.now_ms();
                if let Ok(envelope) = self.reader.read(&text) {
                    self.with(|model| model.frame(&envelope, now_ms));
                    self.work().await;
                }
            }
            Some(Message::Close(frame)) => {
                let (code, reason) = frame
                    .map_or((1005, String::new()), |frame| (frame.code.into(), frame.reason.to_string()));
                self.closed(code, reason).await;
            }
            Some(_) => {}
            None => self.closed(1006, String::new()).await,
        }
    }

    async fn closed(&mut self, code: u16, reason: String) {
        self.socket = None;
        self.event(Event::Closed { code, reason }).await;
    }

    async fn event(&mut self, event: Event) {
        let now_ms = self.now_ms();
        self.with(|model| model.event(event, now_ms));
        self.work().await;
    }

    /// Does what the model wants until it wants nothing more.
    async fn work(&mut self) {
        loop {
            let wants = self.with(Model::wants);
            if wants.is_empty() {
                return;
            }
            for want in wants {
                let event = self.fulfil(want).await;
                if let Some(event) = event {
                    let now_ms = self.now_ms();
                    self.with(|model| model.event(event, now_ms));
                }
            }
        }
    }

    async fn fulfil(&mut self, want: Want) -> Option<Event> {
        let gone = || Event::Closed { code: 1006, reason: String::new() };
        match want {
            Want::Open => match timeout(CONNECT, connect(self.address)).await {
                Ok(Ok(socket)) => {
                    self.socket = Some(socket);
                    self.reader = ServerReader::default();
                    Some(Event::Opened)
                }
                _ => Some(gone()),
            },
            Want::Close => {
                self.socket = None;
                None
            }
            Want::Send(frame) => {
                let sent = self.send(&frame).await;
                if sent.is_err() && self.socket.take().is_some() {
                    return Some(gone());
                }
                None
            }
            Want::Timer(timer) => {
                self.timer =
                    timer.map(|(id, at_ms)| (id, self.started + Duration::from_secs_f64(at_ms / 1e3)));
                None
            }
        }
    }

    async fn send(&mut self, frame: &AppFrame) -> anyhow::Result<()> {
        let socket = self.socket.as_mut().context("no socket")?;
        Ok(socket.send(Message::text(encode_app(frame))).await?)
    }

    fn with<T>(&self, work: impl FnOnce(&mut Model) -> T) -> T {
        work(&mut self.model.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn now_ms(&self) -> f64 {
        self.started.elapsed().as_secs_f64() * 1e3
    }
}

async fn connect(address: Address) -> anyhow::Result<Socket> {
    let stream = TcpStream::connect(("127.0.0.1", address.through)).await?;
    stream.set_nodelay(true)?;
    let origin = format!("http://127.0.0.1:{}", address.adapter);
    let mut request = format!("ws://127.0.0.1:{}/ws", address.adapter).into_client_request()?;
    request.headers_mut().insert("origin", origin.parse()?);
    let (socket, _) = tokio_tungstenite::client_async(request, stream).await?;
    Ok(socket)
}

/// The next message; `None` when the socket is gone. Never, when there is none.
async fn next(socket: &mut Option<Socket>) -> Option<Message> {
    match socket {
        Some(socket) => socket.next().await.and_then(Result::ok),
        None => std::future::pending().await,
    }
}

async fn reached(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
