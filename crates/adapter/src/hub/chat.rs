//! One chat: an actor that owns its transcript and does one thing at a time, so that every device sees the same order.
//! It knows no socket (`fanout.rs` has the devices' queues) and not what a turn is made of (the backend does).

use std::{collections::VecDeque, sync::Arc, time::Duration};

use iris_core::{
    ids::{AskId, ChatId, ClientId, MessageId, TurnId},
    protocol::frame::{ChatSummary, ServerFrame, TurnStatus},
};
use tokio::{
    sync::mpsc::{Receiver, error::TrySendError},
    time::sleep,
};

use super::{
    directory::Directory,
    fanout::{Fanout, Outgoing, Peer, spell},
    journal::Journal,
    now_ms,
};
use crate::backend::{Event, Link, Request, Said};

/// How soon a lagging device is looked at again.
const LAG_TICK: Duration = Duration::from_millis(50);
/// Messages whose ids are remembered, so that one sent again is not sent twice.
const REMEMBERED: usize = 1_000;
/// Characters of a title that is made of the first message.
const TITLE_CHARS: usize = 60;

/// What a device may ask of a chat.
#[derive(Debug)]
pub enum Command {
    /// Send me everything after this number, then what happens.
    Subscribe {
        /// The device.
        peer: Peer,
        /// The last number it has.
        after: Option<u64>,
    },
    /// The user says something.
    Send {
        /// The device.
        peer: Peer,
        /// Its id of the message.
        client_id: ClientId,
        /// What is said.
        text: String,
    },
    /// The user answers a question.
    Answer {
        /// The device.
        peer: Peer,
        /// The question.
        ask_id: AskId,
        /// The button.
        choice: Option<String>,
        /// Free text.
        text: Option<String>,
    },
    /// Stop the turn.
    Stop,
    /// Give the chat another title.
    Rename(String),
}

/// A chat.
pub struct Chat {
    id: ChatId,
    title: String,
    journal: Journal,
    fanout: Fanout,
    requests: tokio::sync::mpsc::Sender<Request>,
    events: Option<Receiver<Event>>,
    typing: bool,
    turn: Option<TurnId>,
    seen: VecDeque<Seen>,
    directory: Arc<Directory>,
}

/// A message that was taken.
struct Seen {
    device: String,
    client_id: ClientId,
    message_id: MessageId,
    seq: u64,
}

impl Chat {
    /// An empty chat on its line to the backend, whose numbers begin above `base`.
    pub fn new(id: ChatId, title: String, base: u64, link: Link, directory: Arc<Directory>) -> Self {
        let chat = Self {
            fanout: Fanout::new(id.clone()),
            id,
            title,
            journal: Journal::new(base),
            requests: link.requests,
            events: Some(link.events),
            typing: false,
            turn: None,
            seen: VecDeque::new(),
            directory,
        };
        chat.directory.add(chat.summary());
        chat
    }

    /// Works until nobody can ask anything of the chat any more.
    pub async fn run(mut self, mut commands: Receiver<Command>) {
        loop {
            tokio::select! {
                command = commands.recv() => match command {
                    Some(command) => self.obey(command),
                    None => return,
                },
                event = next(&mut self.events) => match event {
                    Some(Event::Frame(frame)) => self.tell(frame),
                    Some(_) => {}
                    None => self.lose_backend(),
                },
                () = sleep(LAG_TICK), if self.fanout.is_lagging() => {
                    self.fanout.catch_up(&self.journal, self.typing);
                }
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Subscribe { peer, after } => self.fanout.join(peer, after, &self.journal, self.typing),
            Command::Send { peer, client_id, text } => self.send(&peer, client_id, text),
            Command::Answer { peer, ask_id, choice, text } => self.answer(&peer, ask_id, choice, text),
            Command::Stop => {
                if self.requests.try_send(Request::Stop).is_err() {
                    tracing::warn!(chat = %self.id, "the backend does not take a stop");
                }
            }
            Command::Rename(title) => {
                self.title = title;
                self.report();
            }
        }
    }

    fn send(&mut self, peer: &Peer, client_id: ClientId, text: String) {
        if let Some(seen) =
            self.seen.iter().find(|seen| seen.client_id == client_id && seen.device == peer.device)
        {
            return self.acknowledge(peer, seen);
        }
        let requests = self.requests.clone();
        let place = match requests.try_reserve() {
            Ok(place) => place,
            Err(TrySendError::Full(())) => {
                return self.refuse(
                    peer,
                    "busy",
                    "Too many messages are waiting. Send it again in a moment.",
                    &client_id.0,
                );
            }
            Err(TrySendError::Closed(())) => {
                return self.refuse(
                    peer,
                    "no_backend",
                    "Nothing stands behind this chat any more. Restart Iris.",
                    &client_id.0,
                );
            }
        };
        if self.title.is_empty() {
            self.title = title_of(&text);
        }
        // The number of the next frame is free as an id: numbers are never used twice in a chat.
        let message_id = MessageId(format!("u{}", self.journal.last() + 1));
        let frame = ServerFrame::UserMessage {
            message_id: message_id.clone(),
            client_id: Some(client_id.clone()),
            text: text.clone(),
            ts: Some(now_ms()),
            attachments: Vec::new(),
        };
        let Some(written) = self.journal.write(frame.clone()) else { return };
        let said = message_id.clone();
        let seen = Seen { device: peer.device.clone(), client_id, message_id, seq: written.seq };
        self.acknowledge(peer, &seen);
        self.seen.push_back(seen);
        if self.seen.len() > REMEMBERED {
            self.seen.pop_front();
        }
        self.fanout.publish(&frame, Some(&written));
        place.send(Request::Say(Said { message_id: said, text, ..Said::default() }));
        self.report();
    }

    fn answer(&self, peer: &Peer, ask_id: AskId, choice: Option<String>, text: Option<String>) {
        if !self.journal.is_open(&ask_id) {
            return self.refuse(
                peer,
                "ask_closed",
                "This question does not wait for an answer any more.",
                &ask_id.0,
            );
        }
        let re = ask_id.0.clone();
        if self.requests.try_send(Request::Answer { ask_id, choice, text }).is_err() {
            self.refuse(peer, "busy", "The answer could not be passed on. Give it again in a moment.", &re);
        }
    }

    /// Tells every device of a frame of the backend.
    fn tell(&mut self, frame: ServerFrame) {
        match &frame {
            ServerFrame::Typing { on } => {
                self.typing = *on;
                return self.fanout.publish(&frame, None);
            }
            ServerFrame::TurnStart { turn } => self.turn = Some(turn.clone()),
            ServerFrame::TurnEnd { .. } => self.turn = None,
            _ => {}
        }
        let border = matches!(frame, ServerFrame::TurnStart { .. } | ServerFrame::TurnEnd { .. });
        if let Some(written) = self.journal.write(frame.clone()) {
            self.fanout.publish(&frame, Some(&written));
        }
        if border {
            self.report();
        }
    }

    /// The backend is gone: what it left open ends, and nobody is left waiting.
    fn lose_backend(&mut self) {
        self.events = None;
        if let Some(turn) = self.turn.take() {
            self.tell(ServerFrame::TurnEnd {
                turn,
                status: TurnStatus::Lost,
                exit_code: None,
                error: Some("The connection to the agent was lost.".to_owned()),
                model: None,
                tokens: None,
                duration_ms: None,
            });
        }
        if self.typing {
            self.tell(ServerFrame::Typing { on: false });
        }
    }

    fn acknowledge(&self, peer: &Peer, seen: &Seen) {
        let ack = ServerFrame::Ack { client_id: seen.client_id.clone(), message_id: seen.message_id.clone() };
        self.reply(peer, Some(seen.seq), &ack);
    }

    fn refuse(&self, peer: &Peer, code: &str, text: &str, re: &str) {
        let error =
            ServerFrame::Error { code: code.to_owned(), text: text.to_owned(), re: Some(re.to_owned()) };
        self.reply(peer, None, &error);
    }

    /// To one device. If its queue is full it asks again: every request can be repeated.
    fn reply(&self, peer: &Peer, seq: Option<u64>, frame: &ServerFrame) {
        if peer.queue.try_send(Outgoing::One(spell(&self.id, seq, frame))).is_err() {
            tracing::debug!(peer = peer.id, "a reply found no place");
        }
    }

    fn report(&self) {
        self.directory.update(self.summary());
    }

    fn summary(&self) -> ChatSummary {
        ChatSummary {
            id: self.id.clone(),
            title: self.title.clone(),
            updated_ms: now_ms(),
            running: self.turn.is_some(),
        }
    }
}

async fn next(events: &mut Option<Receiver<Event>>) -> Option<Event> {
    match events {
        Some(events) => events.recv().await,
        None => std::future::pending().await,
    }
}

/// The first line, shortened.
fn title_of(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default().trim_end();
    let mut title: String = line.chars().take(TITLE_CHARS).collect();
    if title.len() < line.len() {
        title.push('…');
    }
    title
}

#[cfg(test)]
mod tests {
    use iris_core::protocol::codec::decode_server;
    use tokio::sync::mpsc::{self, Sender};

    use super::*;

    /// A chat whose backend and only device are the test.
    struct Bench {
        commands: Sender<Command>,
        requests: Receiver<Request>,
        frames: Sender<Event>,
        peer: Peer,
        queue: Receiver<Outgoing>,
    }

    impl Bench {
        async fn new() -> Self {
            let ((to_backend, requests), (frames, from_backend)) = (mpsc::channel(1), mpsc::channel(8));
            let link = Link { requests: to_backend, events: from_backend };
            let (commands, receiver) = mpsc::channel(8);
            let (to_device, queue) = mpsc::channel(64);
            let peer = Peer { id: 1, device: "d".into(), append: true, queue: to_device };
            tokio::spawn(Chat::new("c".into(), String::new(), 0, link, Arc::default()).run(receiver));
            commands.send(Command::Subscribe { peer: peer.clone(), after: None }).await.unwrap();
            let mut bench = Self { commands, requests, frames, peer, queue };
            assert!(matches!(bench.queue.recv().await, Some(Outgoing::Many(_))));
            bench
        }

        async fn say(&self, client_id: &str) {
            let (peer, client_id) = (self.peer.clone(), client_id.into());
            self.commands.send(Command::Send { peer, client_id, text: "hi".into() }).await.unwrap();
        }

        async fn hear(&mut self) -> ServerFrame {
            match self.queue.recv().await {
                Some(Outgoing::One(text)) => decode_server(&text).unwrap().frame,
                other => panic!("{other:?}"),
            }
        }

        async fn error(&mut self) -> (String, Option<String>) {
            match self.hear().await {
                ServerFrame::Error { code, re, .. } => (code, re),
                other => panic!("{other:?}"),
            }
        }
    }

    #[tokio::test]
    async fn what_a_lost_backend_leaves_open_is_closed() {
        let mut bench = Bench::new().await;
        bench.frames.send(Event::Frame(ServerFrame::TurnStart { turn: "t".into() })).await.unwrap();
        bench.frames.send(Event::Frame(ServerFrame::Typing { on: true })).await.unwrap();
        drop(bench.frames);
        bench.frames = mpsc::channel(1).0;
        bench.hear().await;
        bench.hear().await;
        let ended = bench.hear().await;
        assert!(matches!(ended, ServerFrame::TurnEnd { status: TurnStatus::Lost, .. }), "{ended:?}");
        assert_eq!(bench.hear().await, ServerFrame::Typing { on: false });
        drop(std::mem::replace(&mut bench.requests, mpsc::channel(1).1));
        bench.say("c1").await;
        assert_eq!(bench.error().await, ("no_backend".to_owned(), Some("c1".to_owned())));
    }

    #[tokio::test]
    async fn a_message_that_finds_no_place_is_refused_and_may_be_sent_again() {
        let mut bench = Bench::new().await;
        bench.say("c1").await;
        bench.say("c2").await;
        bench.hear().await;
        assert!(matches!(bench.hear().await, ServerFrame::UserMessage { .. }));
        assert_eq!(bench.error().await, ("busy".to_owned(), Some("c2".to_owned())));
        let Some(Request::Say(said)) = bench.requests.recv().await else { panic!() };
        assert_eq!(said.text, "hi");
        bench.say("c2").await;
        assert!(matches!(bench.hear().await, ServerFrame::Ack { client_id, .. } if client_id == "c2".into()));
    }

    #[test]
    fn a_chat_is_named_after_its_first_line() {
        assert_eq!(title_of("  Hello  \nworld"), "Hello");
        assert_eq!(title_of(&"ä".repeat(61)), format!("{}…", "ä".repeat(60)));
        assert_eq!(title_of(""), "");
    }
}
