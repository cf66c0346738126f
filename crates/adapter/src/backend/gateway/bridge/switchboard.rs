//! Who is connected, and which chat hears what. Owns the list of chats, the plugin's place on the line and what the
//! backend says of itself; it reads no bytes.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use iris_core::ids::ChatId;
use tokio::{
    sync::{mpsc, watch},
    time::sleep,
};

use super::super::calls::TimedCall;
use super::wire::{Handed, ToPlugin};
use crate::backend::About;

/// Why nothing can be answered while no plugin is connected.
const AWAY: &str = "Hermes' gateway is not connected. Start it with `hermes gateway run`; if it runs already, see that the \
     plugin `iris` is enabled in its config.yaml. What you send waits until it is there.";
/// Lines that may wait for a chat; the line waits with them.
const LINES: usize = 256;

/// What a chat hears from the line.
#[derive(Debug)]
pub(in super::super) enum ToChat {
    /// A plugin is connected.
    Up(Plugin),
    /// It told everything that there was, and takes messages.
    Ready,
    /// It told a line of this chat.
    Line {
        /// Its number.
        n: u64,
        /// The call.
        call: Box<TimedCall>,
    },
    /// It had no room for some lines of this chat.
    Missed {
        /// How many.
        lines: u64,
        /// Hermes is at work in it: that it is done will be told.
        working: bool,
    },
    /// A message from outside the gateway.
    Post {
        /// What it says.
        text: String,
        /// Paths of what comes with it.
        files: Vec<String>,
    },
    /// Hermes has this message.
    Taken(String),
    /// The plugin is gone.
    Down,
}

/// A connected plugin.
#[derive(Clone, Debug)]
pub(in super::super) struct Plugin {
    /// The gateway process.
    pub(in super::super) instance: Arc<str>,
    /// The first line that it still has.
    pub(in super::super) first: u64,
    /// When the clock of its lines began, milliseconds since 1970, if it says so.
    pub(in super::super) clock_ms: Option<u64>,
    /// What it is told.
    pub(in super::super) words: mpsc::Sender<ToPlugin>,
}

/// The switchboard.
#[derive(Debug)]
pub(in super::super) struct Switchboard {
    state: Mutex<State>,
    open: watch::Sender<bool>,
    /// Counts connections: an older one gives way to a newer.
    pub(super) newest: watch::Sender<u64>,
    /// Held by the connection that is served.
    pub(super) place: tokio::sync::Mutex<Place>,
    about: watch::Sender<About>,
    grace: Duration,
}

#[derive(Debug, Default)]
struct State {
    chats: HashMap<ChatId, mpsc::Sender<ToChat>>,
    plugin: Option<Plugin>,
    ready: bool,
    /// A chat was opened that must hear again what was told before.
    again: bool,
}

/// How far the line has been read.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// In which gateway process.
    pub(super) instance: Option<Arc<str>>,
    /// The last line.
    pub(super) seen: u64,
}

impl Switchboard {
    /// A switchboard with nobody connected; it says so once that has lasted for `grace`.
    pub(in super::super) fn new(about: About, grace: Duration) -> Arc<Self> {
        let board = Arc::new(Self {
            state: Mutex::default(),
            open: watch::Sender::new(false),
            newest: watch::Sender::new(0),
            place: tokio::sync::Mutex::default(),
            about: watch::Sender::new(about),
            grace,
        });
        board.clone().complain_later();
        board
    }

    /// Every chat of the start is there: plugins may connect.
    pub(in super::super) fn open(&self) {
        self.open.send_replace(true);
    }

    pub(super) async fn opened(&self) {
        // Its sender lives as long as `self`.
        let _ = self.open.subscribe().wait_for(|open| *open).await;
    }

    /// What the backend says of itself.
    pub(in super::super) fn about(&self) -> watch::Receiver<About> {
        self.about.subscribe()
    }

    /// A turn said which model answers.
    pub(in super::super) fn model(&self, model: &str) {
        self.about.send_if_modified(|about| {
            let new = about.info.model.as_deref() != Some(model);
            if new {
                about.info.model = Some(model.to_owned());
            }
            new
        });
    }

    /// A chat listens from now on. `again`: it may have to hear what was told to an earlier life of this adapter.
    pub(in super::super) fn join(&self, chat: ChatId, again: bool) -> mpsc::Receiver<ToChat> {
        let (sender, receiver) = mpsc::channel(LINES);
        self.with(|state| {
            if let Some(plugin) = state.plugin.clone() {
                // The channel is new: there is room.
                let _ = sender.try_send(ToChat::Up(plugin));
                if state.ready {
                    let _ = sender.try_send(ToChat::Ready);
                }
                state.again |= again;
            }
            state.chats.insert(chat, sender);
            if state.again {
                // The plugin connects anew and tells everything that it has.
                self.newest.send_modify(|number| *number += 1);
            }
        });
        receiver
    }

    /// The chat `receiver` belongs to is over.
    pub(in super::super) fn leave(&self, chat: &ChatId) {
        self.with(|state| {
            if state.chats.get(chat).is_some_and(mpsc::Sender::is_closed) {
                state.chats.remove(chat);
            }
        });
    }

    /// Whether everything is to be told again; only once.
    pub(super) fn take_again(&self) -> bool {
        self.with(|state| std::mem::take(&mut state.again))
    }

    /// A plugin is connected.
    pub(super) async fn up(&self, plugin: Plugin, about: impl FnOnce(&mut About)) {
        let chats = self.with(|state| {
            state.plugin = Some(plugin.clone());
            state.ready = false;
            state.chats.values().cloned().collect::<Vec<_>>()
        });
        self.about.send_modify(|now| {
            about(now);
            now.info.trouble = None;
        });
        for chat in chats {
            let _ = chat.send(ToChat::Up(plugin.clone())).await;
        }
    }

    /// It takes messages.
    pub(super) async fn ready(&self) {
        let chats = self.with(|state| {
            state.ready = true;
            state.chats.values().cloned().collect::<Vec<_>>()
        });
        for chat in chats {
            let _ = chat.send(ToChat::Ready).await;
        }
    }

    /// It is gone.
    pub(super) async fn down(self: &Arc<Self>) {
        let chats = self.with(|state| {
            state.plugin = None;
            state.chats.values().cloned().collect::<Vec<_>>()
        });
        for chat in chats {
            let _ = chat.send(ToChat::Down).await;
        }
        self.clone().complain_later();
    }

    /// Something for one chat; whether there is such a chat.
    pub(super) async fn tell(&self, chat: &str, news: ToChat) -> bool {
        let line = self.with(|state| state.chats.get(&ChatId(chat.to_owned())).cloned());
        match line {
            Some(line) => line.send(news).await.is_ok(),
            None => {
                tracing::debug!(chat, "Hermes speaks in a chat that is not open");
                false
            }
        }
    }

    /// A trouble that is certain.
    pub(super) fn complain(&self, trouble: String) {
        self.about.send_modify(|about| about.info.trouble = Some(trouble));
    }

    /// A line that comes back at once is not worth a word.
    fn complain_later(self: Arc<Self>) {
        tokio::spawn(async move {
            sleep(self.grace).await;
            if self.with(|state| state.plugin.is_none()) {
                self.about.send_if_modified(|about| {
                    let silent = about.info.trouble.is_none();
                    if silent {
                        about.info.trouble = Some(AWAY.to_owned());
                    }
                    silent
                });
            }
        });
    }

    fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Plugin {
    /// Hands a message in.
    ///
    /// # Errors
    /// When the line is gone.
    pub(in super::super) async fn say(&self, handed: Handed) -> Result<(), ()> {
        self.words.send(ToPlugin::Message(handed)).await.map_err(|_| ())
    }
}
