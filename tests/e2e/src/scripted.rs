//! An adapter that says what a test tells it to: the built app under the production headers, and a `/ws` without `hello`.
//!
//! The least that product and protocol ask of a peer, and the way to put hostile strings into any field.

use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use axum::routing::get;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, broadcast, mpsc};
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::wait;

/// A scripted adapter. Stops when dropped.
pub struct Scripted {
    port: u16,
    frames: broadcast::Sender<Message>,
    received: Mutex<mpsc::UnboundedReceiver<Value>>,
    server: tokio::task::JoinHandle<()>,
}

#[derive(Clone)]
struct Wires {
    frames: broadcast::Sender<Message>,
    received: mpsc::UnboundedSender<Value>,
}

impl Scripted {
    /// Starts one that sends the headers in `headers` (the production policy) with every file.
    ///
    /// # Errors
    /// When there is no built app or no free port.
    pub async fn start(headers: &[(String, String)]) -> anyhow::Result<Self> {
        let (frames, _) = broadcast::channel(65_536);
        let (sender, received) = mpsc::unbounded_channel();
        let wires = Arc::new(Wires { frames: frames.clone(), received: sender });
        let mut app = Router::new()
            .route("/ws", get(upgrade))
            .with_state(wires)
            .fallback_service(ServeDir::new(crate::app_dir()?).precompressed_br());
        for (name, value) in headers {
            let layer = SetResponseHeaderLayer::overriding(
                HeaderName::from_bytes(name.as_bytes())?,
                HeaderValue::from_str(value)?,
            );
            app = app.layer(layer);
        }
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let port = listener.local_addr()?.port();
        let server = tokio::spawn(async move {
            // The test's end aborts the task; there is nobody to tell of an error after that.
            let _ended = axum::serve(listener, app).await;
        });
        Ok(Self { port, frames, received: Mutex::new(received), server })
    }

    /// The address of the app.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Sends a frame to every page that is connected.
    pub fn send(&self, frame: &Value) {
        self.send_raw(&frame.to_string());
    }

    /// Sends a text as it is.
    pub fn send_raw(&self, text: &str) {
        self.send_message(Message::Text(text.into()));
    }

    /// Sends a message that is no text.
    pub fn send_binary(&self, bytes: &[u8]) {
        self.send_message(Message::Binary(bytes.to_vec().into()));
    }

    /// Closes the line to every page; they come back as they can.
    pub fn hang_up(&self) {
        self.send_message(Message::Close(None));
    }

    fn send_message(&self, message: Message) {
        // No page yet is no error: a test waits until the page shows what was sent.
        let _pages = self.frames.send(message);
    }

    /// The next frame of type `kind` that a page sends.
    ///
    /// # Errors
    /// When none comes in time.
    pub async fn next(&self, kind: &str) -> anyhow::Result<Value> {
        Ok(self.next_and_before(kind).await?.0)
    }

    /// The next frame of type `kind` that a page sends, and what it sent before that.
    ///
    /// # Errors
    /// When none comes in time.
    pub async fn next_and_before(&self, kind: &str) -> anyhow::Result<(Value, Vec<Value>)> {
        let mut received = self.received.lock().await;
        let mut before = Vec::new();
        let frame = tokio::time::timeout(wait::PATIENCE, async {
            loop {
                let frame = received.recv().await.context("the scripted adapter has stopped")?;
                if frame.get("type").and_then(Value::as_str) == Some(kind) {
                    return anyhow::Ok(frame);
                }
                before.push(frame);
            }
        });
        let frame = frame.await.with_context(|| format!("waiting for {kind}"))??;
        Ok((frame, before))
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn upgrade(State(wires): State<Arc<Wires>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(move |socket| talk(socket, wires))
}

async fn talk(mut socket: WebSocket, wires: Arc<Wires>) {
    let mut frames = wires.frames.subscribe();
    loop {
        tokio::select! {
            frame = frames.recv() => {
                let Ok(frame) = frame else { return };
                let over = matches!(frame, Message::Close(_));
                if socket.send(frame).await.is_err() || over { return }
            }
            message = socket.recv() => {
                let Some(Ok(message)) = message else { return };
                if let Message::Text(text) = message
                    && let Ok(frame) = serde_json::from_str(&text)
                    && wires.received.send(frame).is_err() { return }
            }
        }
    }
}
