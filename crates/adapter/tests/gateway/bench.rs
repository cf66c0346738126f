//! A backend with one chat, whose hub and whose plugin are the test.

use std::time::Duration;

use iris_adapter::backend::{
    Backend, Event, Link, Opening, Request, Said,
    gateway::{Gateway, GatewayConfig, plugin},
};
use iris_core::protocol::frame::{SendMode, ServerFrame};
use serde_json::Value;
use tokio::time::timeout;

use crate::plugin::{Hello, PATIENCE, Plugin};

/// A backend, started.
pub(crate) struct Bench {
    pub(crate) gateway: Gateway,
    pub(crate) link: Link,
    pub(crate) token: String,
    pub(crate) home: tempfile::TempDir,
}

impl Bench {
    pub(crate) async fn new() -> Self {
        Self::with(Opening::default(), tempfile::tempdir().unwrap(), PATIENCE).await
    }

    /// Another life of the adapter, with what the hub kept of the one before.
    pub(crate) async fn again(self, opening: Opening) -> Self {
        let Self { gateway, link, home, .. } = self;
        drop((gateway, link));
        Self::with(opening, home, PATIENCE).await
    }

    pub(crate) async fn with(opening: Opening, home: tempfile::TempDir, patience: Duration) -> Self {
        plugin::install(home.path()).unwrap();
        let config = GatewayConfig {
            grace: Duration::from_millis(1),
            patience,
            ..GatewayConfig::new(home.path().into(), 0)
        };
        let gateway = Gateway::start(config).unwrap();
        let link = gateway.open(&"chat-1".into(), opening);
        gateway.started();
        let settings = std::fs::read_to_string(home.path().join("plugins/iris/bridge.json")).unwrap();
        let settings: Value = serde_json::from_str(&settings).unwrap();
        assert_eq!(settings["port"].as_u64(), Some(u64::from(gateway.address().port())));
        Self { token: settings["token"].as_str().unwrap().to_owned(), gateway, link, home }
    }

    /// A plugin of this gateway process connects.
    pub(crate) async fn plugin(&self, instance: &'static str) -> Plugin {
        let mut plugin = self.hello(&Hello::new(&self.token, instance)).await.expect("it is let in");
        plugin.say(&serde_json::json!({"type": "ready"})).await;
        plugin
    }

    pub(crate) async fn hello(&self, hello: &Hello) -> Option<Plugin> {
        Plugin::connect(self.gateway.address(), hello).await
    }

    pub(crate) async fn ask(&self, request: Request) {
        self.link.requests.send(request).await.unwrap();
    }

    pub(crate) async fn say(&self, id: &str, text: &str, mode: Option<SendMode>) {
        let said = Said { message_id: id.into(), text: text.to_owned(), mode, ..Said::default() };
        self.ask(Request::Say(said)).await;
    }

    pub(crate) async fn event(&mut self) -> Event {
        timeout(PATIENCE, self.link.events.recv()).await.expect("nothing happens").expect("the chat is over")
    }

    /// Everything that happens up to and with the first event that `is` true of.
    pub(crate) async fn until(&mut self, is: impl Fn(&Event) -> bool) -> Vec<Event> {
        let mut events = Vec::new();
        loop {
            events.push(self.event().await);
            if events.last().is_some_and(&is) {
                return events;
            }
        }
    }

    /// Everything up to the end of a turn.
    pub(crate) async fn turn(&mut self) -> Vec<Event> {
        self.until(|event| matches!(event, Event::Frame(ServerFrame::TurnEnd { .. }))).await
    }
}

/// The frames among the events, the notices of the chat's own left out.
pub(crate) fn frames(events: Vec<Event>) -> Vec<ServerFrame> {
    let frames = events.into_iter().filter_map(|event| match event {
        Event::Frame(ServerFrame::Notice { code, .. }) if code == "waiting" => None,
        Event::Frame(frame) => Some(frame),
        _ => None,
    });
    frames.collect()
}

/// What was last to be remembered.
pub(crate) fn memory(events: &[Event]) -> Option<String> {
    events.iter().rev().find_map(|event| match event {
        Event::Remember(memory) => Some(memory.clone()),
        _ => None,
    })
}

/// Why a turn ended, when it was lost.
pub(crate) fn lost(events: &[Event]) -> Option<String> {
    events.iter().find_map(|event| match event {
        Event::Frame(ServerFrame::TurnEnd {
            status: iris_core::protocol::frame::TurnStatus::Lost,
            error,
            ..
        }) => error.clone(),
        _ => None,
    })
}
