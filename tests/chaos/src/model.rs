//! What a device knows and wants to say: the connection machine, the outbox and the timelines of `iris_core`, put
//! together as the app does. Knows no socket; `device.rs` runs what it asks for.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use iris_core::{
    connection::{Device as Name, Effect, Event, Machine, Message, Outbox, State, TimerId},
    ids::{AskId, ChatId, ClientId, MessageId},
    protocol::{
        AppFrame, Envelope, ServerFrame,
        frame::{ChatSummary, SendMode},
    },
    timeline::{Change, Item, ItemKind, Timeline},
};

/// What the model wants of the outside.
#[derive(Debug)]
pub(crate) enum Want {
    /// Open a socket.
    Open,
    /// Drop it.
    Close,
    /// Send this.
    Send(AppFrame),
    /// Call back then (milliseconds of this device's clock).
    Timer(Option<(TimerId, f64)>),
}

/// How a device behaves.
#[derive(Clone, Debug, Default)]
pub struct Habits {
    /// Its name; the beginning of the ids of its messages.
    pub name: String,
    /// Proof that it is paired.
    pub token: String,
    /// It understands appends.
    pub appends: bool,
    /// It answers the agent's questions.
    pub answers: bool,
}

/// A device's mind.
pub struct Model {
    habits: Habits,
    machine: Machine,
    outbox: Outbox,
    chats: BTreeMap<ChatId, Timeline>,
    list: HashMap<ChatId, ChatSummary>,
    /// Messages that the adapter said it has, in the order in which this device sent them.
    acknowledged: Vec<(ClientId, MessageId)>,
    created: HashMap<ClientId, ChatId>,
    /// The messages as they came, by the id that their device gave. A timeline would show a doubled one once.
    told: BTreeMap<ClientId, BTreeSet<MessageId>>,
    refused: Vec<String>,
    answered: HashSet<AskId>,
    syncing: HashSet<ChatId>,
    said: u32,
    connections: u32,
    resent: usize,
    wants: Vec<Want>,
}

impl Model {
    pub(crate) fn new(habits: Habits, seed: u64) -> Self {
        let capabilities: &[&str] = if habits.appends { &["append", "continue"] } else { &[] };
        let capabilities = capabilities.iter().map(|&word| word.to_owned()).collect();
        let name = Name { name: habits.name.clone(), token: Some(habits.token.clone()), capabilities };
        Self {
            machine: Machine::new(name, seed),
            habits,
            outbox: Outbox::default(),
            chats: BTreeMap::new(),
            list: HashMap::new(),
            acknowledged: Vec::new(),
            created: HashMap::new(),
            told: BTreeMap::new(),
            refused: Vec::new(),
            answered: HashSet::new(),
            syncing: HashSet::new(),
            said: 0,
            connections: 0,
            resent: 0,
            wants: Vec::new(),
        }
    }

    /// What is to be done since the last time, in order.
    pub(crate) fn wants(&mut self) -> Vec<Want> {
        std::mem::take(&mut self.wants)
    }

    /// Something happened to the connection.
    pub(crate) fn event(&mut self, event: Event, now_ms: f64) {
        if matches!(event, Event::Closed { .. }) {
            self.answered.clear();
            self.syncing.extend(self.chats.keys().cloned());
            for timeline in self.chats.values_mut() {
                timeline.connection_lost();
            }
        }
        for effect in self.machine.handle(event, now_ms) {
            self.wants.push(match effect {
                Effect::Open => Want::Open,
                Effect::Close => Want::Close,
                Effect::Send(frame) => Want::Send(frame),
                Effect::SetTimer { id, delay_ms } => Want::Timer(Some((id, now_ms + delay_ms))),
                Effect::ClearTimer(_) => Want::Timer(None),
                Effect::State(_) => continue,
            });
        }
    }

    /// A frame came.
    pub(crate) fn frame(&mut self, envelope: &Envelope, now_ms: f64) {
        self.outbox.heard(&envelope.frame);
        self.event(
            match &envelope.frame {
                ServerFrame::Hello { protocol, .. } => Event::Hello { protocol: *protocol },
                _ => Event::Frame,
            },
            now_ms,
        );
        match &envelope.frame {
            ServerFrame::Hello { chats, .. } => self.greeted(chats),
            ServerFrame::ChatUpdated { chat } => drop(self.list.insert(chat.id.clone(), chat.clone())),
            ServerFrame::Ack { client_id, message_id } => self.acknowledge(client_id, message_id),
            ServerFrame::UserMessage { client_id: Some(client_id), message_id, .. } => {
                self.told.entry(client_id.clone()).or_default().insert(message_id.clone());
            }
            ServerFrame::Error { code, text, re: Some(re) } if !is_about_a_question(code) => {
                self.refused.push(format!("{re}: {code}, {text}"));
            }
            _ => {}
        }
        self.apply(envelope);
    }

    fn greeted(&mut self, chats: &[ChatSummary]) {
        self.connections += 1;
        self.list = chats.iter().map(|chat| (chat.id.clone(), chat.clone())).collect();
        let chats: Vec<ChatId> = self.chats.keys().cloned().collect();
        for chat in chats {
            self.subscribe(&chat);
        }
        let waiting = self.outbox.resend();
        self.resent += waiting.len();
        self.wants.extend(waiting.into_iter().map(Want::Send));
    }

    fn acknowledge(&mut self, client_id: &ClientId, message_id: &MessageId) {
        if client_id.as_str().contains("-chat-") {
            self.created.insert(client_id.clone(), ChatId(message_id.0.clone()));
        } else if self.acknowledged.iter().all(|(known, _)| known != client_id) {
            self.acknowledged.push((client_id.clone(), message_id.clone()));
        }
    }

    fn apply(&mut self, envelope: &Envelope) {
        let Some(chat) = &envelope.chat else { return };
        if matches!(envelope.frame, ServerFrame::SyncEnd) {
            self.syncing.remove(chat);
        }
        let Some(timeline) = self.chats.get_mut(chat) else { return };
        let changes = timeline.apply(envelope);
        if changes.iter().any(|change| matches!(change, Change::Resync)) {
            self.subscribe(&chat.clone());
        }
        // Not in the midst of a sync: what is asked there may have been answered long ago.
        let live = !self.syncing.contains(chat);
        if self.habits.answers && live {
            self.answer(&chat.clone());
        }
    }

    /// Answers the question that waits, once for each connection: an answer may get lost with its socket.
    fn answer(&mut self, chat: &ChatId) {
        let Some(timeline) = self.chats.get(chat) else { return };
        let open = timeline.items().iter().rev().find_map(|item| match &item.kind {
            ItemKind::Ask(ask) if ask.outcome.is_none() => Some(ask),
            _ => None,
        });
        let Some(ask) = open.filter(|ask| self.answered.insert(ask.ask_id.clone())) else { return };
        let choice = ask.choices.first().map(|choice| choice.id.clone());
        let text = choice.is_none().then(|| "skip".to_owned());
        let frame =
            AppFrame::AskAnswer { chat: Some(chat.clone()), ask_id: ask.ask_id.clone(), choice, text };
        self.wants.push(Want::Send(frame));
    }

    fn subscribe(&mut self, chat: &ChatId) {
        // What is on screen may be over until the sync has come.
        self.syncing.insert(chat.clone());
        let after_seq = self.chats.entry(chat.clone()).or_default().after_seq();
        self.wants.push(Want::Send(AppFrame::Subscribe { chat: chat.clone(), after_seq, limit: None }));
    }

    /// From now on this chat is on screen.
    pub(crate) fn follow(&mut self, chat: &ChatId) {
        self.chats.entry(chat.clone()).or_default();
        if self.is_online() {
            self.subscribe(chat);
        }
    }

    /// The user says something: now, or when there is a connection.
    pub(crate) fn say(&mut self, chat: &ChatId, text: &str, mode: Option<SendMode>, now_ms: f64) {
        self.said += 1;
        let client_id = ClientId(format!("{}-{}", self.habits.name, self.said));
        self.chats.entry(chat.clone()).or_default().local_echo(&client_id, text, &[]);
        let message = Message {
            client_id,
            chat: Some(chat.clone()),
            text: text.to_owned(),
            mode,
            ..Message::default()
        };
        let frame = self.outbox.put(message, now_ms);
        if self.is_online() {
            self.wants.push(Want::Send(frame));
        }
    }

    /// The user wants a new chat.
    pub(crate) fn create(&mut self, client_id: &ClientId) {
        self.wants.push(Want::Send(AppFrame::ChatCreate { client_id: client_id.clone(), title: None }));
    }

    /// The user presses stop.
    pub(crate) fn stop(&mut self, chat: &ChatId) {
        if self.is_online() {
            self.wants.push(Want::Send(AppFrame::TurnStop { chat: Some(chat.clone()) }));
        }
    }

    /// The chat that a wish became.
    pub(crate) fn created(&self, client_id: &ClientId) -> Option<ChatId> {
        self.created.get(client_id).cloned()
    }

    /// Live.
    pub fn is_online(&self) -> bool {
        matches!(self.machine.state(), State::Online)
    }

    /// Connections that it had so far.
    pub fn connections(&self) -> u32 {
        self.connections
    }

    /// Messages of which the adapter told more than one, by the id that their device gave.
    pub fn doubled(&self) -> Vec<ClientId> {
        let doubled = self.told.iter().filter(|(_, messages)| messages.len() > 1);
        doubled.map(|(client_id, _)| client_id.clone()).collect()
    }

    /// How often a message went out again because nobody had acknowledged it.
    pub fn resent(&self) -> usize {
        self.resent
    }

    /// Everything that was said here is with the adapter.
    pub fn is_delivered(&self) -> bool {
        !self.outbox.is_waiting() && self.refused.is_empty()
    }

    /// What the adapter would not take.
    pub fn refused(&self) -> &[String] {
        &self.refused
    }

    /// The messages that the adapter acknowledged.
    pub fn acknowledged(&self) -> &[(ClientId, MessageId)] {
        &self.acknowledged
    }

    /// How many messages were said here.
    pub fn said(&self) -> u32 {
        self.said
    }

    /// A chat as it is shown.
    pub fn items(&self, chat: &ChatId) -> &[Item] {
        self.chats.get(chat).map_or(&[], Timeline::items)
    }

    /// The last frame of a chat that it has.
    pub fn seq(&self, chat: &ChatId) -> Option<u64> {
        self.chats.get(chat).and_then(Timeline::after_seq)
    }

    /// A turn runs, by the transcript or by the list of chats.
    pub fn is_running(&self, chat: &ChatId) -> bool {
        let listed = self.list.get(chat).is_some_and(|chat| chat.running);
        listed || self.chats.get(chat).is_some_and(Timeline::running)
    }

    /// A turn runs, by the transcript alone.
    pub fn sees_turn(&self, chat: &ChatId) -> bool {
        self.chats.get(chat).is_some_and(Timeline::running)
    }

    /// The last word is the agent's, and nothing runs or waits for the user.
    pub fn is_quiet(&self, chat: &ChatId) -> bool {
        let items = self.items(chat);
        let answered = items.last().is_some_and(|item| !matches!(item.kind, ItemKind::User(_)));
        let asks = items.iter().any(|item| matches!(&item.kind, ItemKind::Ask(ask) if ask.outcome.is_none()));
        answered && !asks && !self.is_running(chat)
    }
}

/// A question may be closed while its answer is on its way.
fn is_about_a_question(code: &str) -> bool {
    code == "ask_closed"
}
