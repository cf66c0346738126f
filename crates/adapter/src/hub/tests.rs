//! The hub with a backend that the test holds in its hands.

use std::path::Path;

use iris_core::{
    ids::TurnId,
    protocol::{codec::decode_server, frame::BackendInfo},
};
use tokio::sync::mpsc::{Receiver, Sender};

use super::*;
use crate::{
    backend::{Event, Link, Request},
    files::{Files, Limits},
    journal::Sqlite,
};

/// A backend that does nothing by itself.
struct Puppet {
    about: watch::Sender<About>,
    opened: Mutex<Vec<Stage>>,
}

/// What it was told of a chat, and its side of the line.
struct Stage {
    opening: Opening,
    requests: Receiver<Request>,
    events: Sender<Event>,
}

impl Backend for Puppet {
    fn about(&self) -> watch::Receiver<About> {
        self.about.subscribe()
    }

    fn suggestions(&self) -> Vec<Suggestion> {
        Vec::new()
    }

    fn open(&self, _chat: &ChatId, opening: Opening) -> Link {
        let ((requests, from_chat), (events, to_chat)) = (mpsc::channel(8), mpsc::channel(8));
        self.opened.lock().unwrap().push(Stage { opening, requests: from_chat, events });
        Link { requests, events: to_chat }
    }
}

async fn life(folder: &Path) -> (Hub, Arc<Puppet>) {
    let (journal, restored) = Sqlite::open(&folder.join("iris.db"), now_us()).unwrap();
    let puppet = Arc::new(Puppet { about: watch::Sender::default(), opened: Mutex::default() });
    let files = Files::open(folder, Limits::default()).unwrap();
    let hub = Hub::open(puppet.clone(), Arc::new(journal), restored, Arc::new(files), Duration::ZERO)
        .await
        .unwrap();
    (hub, puppet)
}

#[tokio::test]
async fn a_backend_is_told_what_an_earlier_life_left() {
    let folder = tempfile::tempdir().unwrap();
    let (hub, puppet) = life(folder.path()).await;
    let mut stage = puppet.opened.lock().unwrap().pop().unwrap();
    assert_eq!((&stage.opening.memory, &stage.opening.open_turn), (&None, &None));
    let turn = TurnId(format!("{}t1", stage.opening.prefix));
    let started = ServerFrame::TurnStart { turn: turn.clone() };
    stage.events.send(Event::Frame(started)).await.unwrap();
    stage.events.send(Event::Remember("a".into())).await.unwrap();
    stage.events.send(Event::Remember("b".into())).await.unwrap();
    // The memory is written with or before the message's mark.
    let (noted, is_noted) = tokio::sync::oneshot::channel();
    let taken = Event::Taken { message_id: "none".into(), noted: Some(noted) };
    stage.events.send(taken).await.unwrap();
    is_noted.await.unwrap();
    hub.close().await;
    assert!(stage.requests.recv().await.is_none(), "the chat has let go of its backend");
    drop(hub);

    let (_hub, puppet) = life(folder.path()).await;
    let again = puppet.opened.lock().unwrap().pop().unwrap().opening;
    assert_eq!((again.memory.as_deref(), &again.open_turn), (Some("b"), &Some(turn)));
    assert_ne!(again.prefix, stage.opening.prefix);
}

#[tokio::test]
async fn what_the_backend_says_of_itself_goes_to_every_device() {
    let folder = tempfile::tempdir().unwrap();
    let (hub, puppet) = life(folder.path()).await;
    let mut news = hub.news();
    let info = BackendInfo { kind: "cli".into(), trouble: Some("gone".into()), ..BackendInfo::default() };
    let capabilities = ["files", "append"].map(str::to_owned).to_vec();
    puppet.about.send_replace(About {
        info: info.clone(),
        capabilities,
        commands: Vec::new(),
        has_texts: None,
    });
    let told = decode_server(&news.recv().await.unwrap()).unwrap();
    let capabilities = ["append", "continue", "history", "search", "files"].map(str::to_owned).to_vec();
    let expected = ServerFrame::BackendUpdated { backend: info, capabilities, commands: Vec::new() };
    assert_eq!((told.chat, told.frame), (None, expected));
}
