//! The link's working parts and what they do about each thing that happens. `incoming.rs` has the way of a frame from
//! the adapter, `outgoing.rs` that of the reader's wishes, `chats.rs`, `history.rs`, `search.rs`, `files.rs` and
//! `pairing.rs` what each of those needs.

use iris_core::connection::{Device, Effect, Event, Machine, Outbox, State, TimerId};
use iris_core::ids::{ChatId, ClientId};
use iris_core::protocol::{AppFrame, ServerReader, encode_app};
use js_sys::Function;
use leptos::prelude::{GetUntracked, Set};
use wasm_bindgen::{JsCast, JsValue};

use super::faults::Faults;
use super::files::Files;
use super::history::Seek;
use super::link::{Door, Input};
use super::page_events::PageEvent;
use super::place;
use super::send_guard::SendGuard;
use super::socket::{self, Socket, SocketEvent};
use super::timers::Timers;
use crate::browser::{now_ms, random_unit, warn};
use crate::storage::{TOKEN_KEY, device_name, keep, load_draft, load_outbox, load_token};
use crate::store::{Session, Store, set_if};

/// What a timer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Alarm {
    /// The connection machine's own.
    Machine(TimerId),
    /// Looks for messages that wait too long.
    Outbox,
    /// The keys rest in the search field.
    Search,
}

/// The link's working parts.
pub(super) struct Driver {
    pub(super) store: Store,
    pub(super) session: Session,
    pub(super) machine: Machine,
    pub(super) outbox: Outbox,
    pub(super) guard: SendGuard,
    pub(super) faults: Faults,
    /// The chat on screen; `None` before `hello`, and for a plain peer always.
    pub(super) chat: Option<ChatId>,
    /// A chat that was asked for and is not there yet.
    pub(super) creating: Option<ClientId>,
    /// `hello` said that nothing runs in the chat, and no turn has begun since.
    pub(super) quiet: bool,
    /// The chat on screen has been asked for: until its history begins, what comes of it belongs to an earlier visit.
    pub(super) awaits_sync: bool,
    /// The pages of older history that were asked for: their chats, and the numbers that they come before.
    pub(super) pages: Vec<(ChatId, u64)>,
    /// The way to what a search found.
    pub(super) seeking: Option<Seek>,
    /// The search whose answer counts.
    pub(super) searching: Option<ClientId>,
    pub(super) files: Files,
    /// Proof that this browser is paired.
    pub(super) token: Option<String>,
    /// The chat whose draft the page began with.
    pub(super) draft_of: Option<ChatId>,
    /// When the last message was written.
    pub(super) written_ms: u64,
    /// The time of what is being handled: the page's, or that of the recording.
    pub(super) now_ms: f64,
    pub(super) door: Door,
    /// Makes the sockets of a replay.
    dial: Option<Function>,
    timers: Timers<Alarm>,
    socket: Option<Socket>,
    /// Reads what the socket brings.
    pub(super) reader: ServerReader,
    /// Number of the newest socket: what an older one still says is not heard.
    socket_number: u64,
}

impl Driver {
    pub(super) fn new(store: Store, door: Door, dial: Option<Function>) -> Self {
        let token = if store.replay { None } else { load_token() };
        let capabilities = vec!["append".to_owned(), "continue".to_owned()];
        let device = Device { name: device_name(), token: token.clone(), capabilities };
        let mut driver = Self {
            session: Session::new(store.clone()),
            store,
            // 2^53: every number that it can be is one that an f64 can be.
            machine: Machine::new(device, (random_unit() * 9_007_199_254_740_992.0) as u64),
            outbox: Outbox::default(),
            guard: SendGuard::default(),
            faults: Faults::default(),
            chat: None,
            creating: None,
            quiet: false,
            awaits_sync: false,
            pages: Vec::new(),
            seeking: None,
            searching: None,
            files: Files::default(),
            token,
            written_ms: 0,
            draft_of: None,
            now_ms: 0.0,
            door,
            dial,
            timers: Timers::default(),
            socket: None,
            reader: ServerReader::default(),
            socket_number: 0,
        };
        if !driver.store.replay {
            driver.remember();
        }
        driver
    }

    /// What an earlier page left: messages that wait, and the draft of the chat that the address names.
    fn remember(&mut self) {
        self.now_ms = now_ms();
        self.outbox.restore(load_outbox(), self.now_ms);
        let chat = place::named_in_address();
        // Without a name: written since, before the adapter was there.
        let newer = Some(load_draft(None)).filter(|draft| !draft.trim().is_empty());
        self.store.draft.set(newer.unwrap_or_else(|| load_draft(chat.as_ref())));
        self.draft_of.clone_from(&chat);
        if let Some(chat) = chat {
            self.show_waiting(&chat);
        }
        self.look_again();
    }

    pub(super) fn take(&mut self, input: Input) {
        self.now_ms = if self.store.replay { self.store.recorded_ms.get_untracked() } else { now_ms() };
        match input {
            Input::Start => self.start(),
            Input::Intent(intent) => self.intent(intent),
            Input::Streaming(on) => self.session.set_streaming(on, self.now_ms),
            Input::Page(event) => self.step(event.into()),
            Input::Address => self.address_changed(),
            Input::Stored(key, false) if key == TOKEN_KEY => self.token_stored(),
            Input::Stored(key, true) => self.gone_from_storage(&key),
            Input::Stored(..) => {}
            Input::Uploaded(key, end) => self.uploaded(key, end),
            Input::Fetched(id, end) => self.fetched(id, end),
            Input::Paired(end) => self.pair_answered(end),
            Input::Socket(number, event) if number == self.socket_number => self.socket(event),
            Input::Socket(..) => {}
            Input::Timer(Alarm::Machine(id)) => {
                self.timers.clear(Alarm::Machine(id));
                self.step(Event::Timer(id));
            }
            Input::Timer(Alarm::Outbox) => self.look_into_outbox(),
            Input::Timer(Alarm::Search) => self.ask_search(),
        }
        self.outbox.changes().iter().for_each(keep);
    }

    pub(super) fn step(&mut self, event: Event) {
        // A connection has the page's clock, whatever is played over it.
        for effect in self.machine.handle(event, now_ms()) {
            self.run(effect);
        }
    }

    fn run(&mut self, effect: Effect) {
        match effect {
            Effect::Open => self.open(),
            Effect::Close => self.socket = None,
            Effect::Send(frame) => {
                self.send(&frame);
            }
            Effect::SetTimer { id, delay_ms } => self.alarm(Alarm::Machine(id), delay_ms),
            Effect::ClearTimer(id) => self.timers.clear(Alarm::Machine(id)),
            Effect::State(state) => self.show(state),
        }
    }

    pub(super) fn alarm(&mut self, alarm: Alarm, delay_ms: f64) {
        let door = self.door.clone();
        self.timers.set(alarm, delay_ms, move || door.put(Input::Timer(alarm)));
    }

    /// The socket that was is dropped here at the latest: there is never more than one.
    fn open(&mut self) {
        self.socket_number += 1;
        self.reader = ServerReader::default();
        let (door, number) = (self.door.clone(), self.socket_number);
        let made = match &self.dial {
            Some(dial) => dial.call0(&JsValue::NULL).map(JsCast::unchecked_into),
            None => socket::connect(),
        };
        self.socket =
            made.ok().map(|made| Socket::new(made, move |event| door.put(Input::Socket(number, event))));
        if self.socket.is_none() {
            warn("the browser refused to open a socket");
            let closed = SocketEvent::Closed { code: 1006, reason: String::new() };
            self.door.put(Input::Socket(number, closed));
        }
    }

    /// Writes a frame. False if there is nothing to write to.
    pub(super) fn send(&self, frame: &AppFrame) -> bool {
        self.socket.as_ref().is_some_and(|socket| socket.send(&encode_app(frame)))
    }

    fn show(&mut self, state: State) {
        let was_online = self.is_online();
        set_if(&self.store.connection, state);
        match (was_online, self.is_online()) {
            (true, false) => {
                self.creating = None;
                self.pages.clear();
                self.session.disconnected(self.now_ms);
            }
            // A peer that has greeted gets what waits once its chat is known.
            (false, true) if self.machine.is_plain() => self.empty_outbox(),
            _ => {}
        }
    }

    pub(super) fn is_online(&self) -> bool {
        self.store.connection.get_untracked() == State::Online
    }
}

impl From<PageEvent> for Event {
    fn from(event: PageEvent) -> Self {
        match event {
            PageEvent::Shown => Self::Shown,
            PageEvent::Hidden => Self::Hidden,
            PageEvent::PutAway => Self::PutAway,
            PageEvent::Online => Self::Online,
            PageEvent::Offline => Self::Offline,
        }
    }
}
