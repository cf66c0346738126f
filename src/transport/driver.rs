//! What the link does about each thing that happens. Runs effects, routes frames, turns intents into frames.

use iris_core::connection::State;

use iris_core::ids::{ChatId, ClientId};
use iris_core::protocol::frame::Level;
use iris_core::protocol::{AppFrame, Envelope, ServerFrame, decode_server, encode_app};
use leptos::prelude::{GetUntracked, Set};

use super::faults::Faults;
use super::link::{Door, Input};
use super::machine::{Effect, Event, Machine, TimerId};
use super::page_events::PageEvent;
use super::place;
use super::send_guard::SendGuard;
use super::socket::{self, Socket, SocketEvent};
use super::timers::Timers;
use crate::browser::{now_ms, random_id, warn};
use crate::store::{Intent, Session, Store};

/// The link's working parts.
pub(super) struct Driver {
    store: Store,
    door: Door,
    machine: Machine,
    session: Session,
    socket: Option<Socket>,
    /// Number of the newest socket: what an older one still says is not heard.
    socket_number: u64,
    timers: Timers<TimerId>,
    faults: Faults,
    guard: SendGuard,
    /// The chat on screen; `None` before `hello`, and for a plain peer always.
    chat: Option<ChatId>,
    /// A chat that was asked for and is not there yet.
    creating: Option<ClientId>,
}

impl Driver {
    pub(super) fn new(store: Store, door: Door) -> Self {
        Self {
            session: Session::new(store.clone()),
            store,
            door,
            machine: Machine::default(),
            socket: None,
            socket_number: 0,
            timers: Timers::default(),
            faults: Faults::default(),
            guard: SendGuard::default(),
            chat: None,
            creating: None,
        }
    }

    pub(super) fn take(&mut self, input: Input) {
        match input {
            Input::Start => self.step(Event::Start),
            Input::Intent(intent) => self.intent(intent),
            Input::Streaming(on) => self.session.set_streaming(on, now_ms()),
            Input::Page(event) => self.page(event),
            Input::Socket(number, event) if number == self.socket_number => self.socket(event),
            Input::Socket(..) => {}
            Input::Timer(id) => self.step(Event::Timer(id)),
        }
    }

    fn step(&mut self, event: Event) {
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
            Effect::SetTimer { id, delay_ms } => {
                let door = self.door.clone();
                self.timers.set(id, delay_ms, move || door.put(Input::Timer(id)));
            }
            Effect::ClearTimer(id) => self.timers.clear(id),
            Effect::State(state) => self.show(state),
        }
    }

    fn open(&mut self) {
        self.socket_number += 1;
        let (door, number) = (self.door.clone(), self.socket_number);
        let opened = web_sys::window().ok_or(wasm_bindgen::JsValue::NULL).and_then(|window| {
            let address = socket::address(&window.location())?;
            Socket::open(&address, move |event| door.put(Input::Socket(number, event)))
        });
        match opened {
            Ok(socket) => self.socket = Some(socket),
            Err(_) => {
                warn("the browser refused to open the socket");
                let closed = SocketEvent::Closed { code: 1006, reason: String::new() };
                self.door.put(Input::Socket(number, closed));
            }
        }
    }

    fn send(&self, frame: &AppFrame) -> bool {
        self.socket.as_ref().is_some_and(|socket| socket.send(&encode_app(frame)))
    }

    fn show(&mut self, state: State) {
        let was_online = self.store.connection.get_untracked() == State::Online;
        if was_online && state != State::Online {
            self.session.disconnected(now_ms());
        }
        if self.store.connection.get_untracked() != state {
            self.store.connection.set(state);
        }
    }

    fn page(&mut self, _event: PageEvent) {}

    fn socket(&mut self, event: SocketEvent) {
        match event {
            SocketEvent::Opened => self.step(Event::Opened),
            SocketEvent::Text(text) => match decode_server(&text) {
                Ok(envelope) => {
                    self.faults.readable();
                    self.frame(envelope);
                }
                Err(error) => self.unreadable(&error.to_string()),
            },
            SocketEvent::Unreadable => self.unreadable("not a text, or too long"),
            SocketEvent::Closed { code, reason } => self.step(Event::Closed { code, reason }),
        }
    }

    fn unreadable(&mut self, why: &str) {
        let hopeless = self.faults.unreadable();
        warn(&format!("frame {} that could not be read: {why}", self.faults.total()));
        if hopeless {
            let frame = ServerFrame::Notice {
                level: Level::Error,
                code: "unreadable".to_owned(),
                text: "What arrives here cannot be read. This app and its adapter may be of different versions: reload \
                       the page"
                    .to_owned(),
                detail: Some(why.to_owned()),
            };
            self.session.frame(Envelope { chat: None, seq: None, frame }, now_ms());
        }
    }

    fn frame(&mut self, envelope: Envelope) {
        self.step(Event::Hello);
        match &envelope.frame {
            ServerFrame::Hello { chats, .. } => {
                let chosen = place::choose(chats, place::named_in_address(), self.chat.as_ref());
                self.session.frame(envelope.clone(), now_ms());
                match chosen {
                    Some(chat) => self.enter(chat),
                    None => self.create_chat(),
                }
                return;
            }
            ServerFrame::Ack { client_id, message_id } if self.creating.as_ref() == Some(client_id) => {
                self.creating = None;
                return self.enter(ChatId(message_id.0.clone()));
            }
            _ => {}
        }
        let elsewhere = envelope.chat.as_ref().zip(self.chat.as_ref()).is_some_and(|(its, ours)| its != ours);
        if !elsewhere && self.session.frame(envelope, now_ms()) {
            self.subscribe();
        }
    }

    fn enter(&mut self, chat: ChatId) {
        if self.chat.as_ref().is_some_and(|old| *old != chat) {
            self.session.clear(now_ms());
        }
        place::name_in_address(&chat);
        self.chat = Some(chat);
        self.subscribe();
    }

    fn subscribe(&mut self) {
        if let Some(chat) = self.chat.clone() {
            self.send(&AppFrame::Subscribe { chat, after_seq: self.session.after_seq() });
        }
    }

    fn create_chat(&mut self) {
        let client_id = ClientId(random_id());
        if self.send(&AppFrame::ChatCreate { client_id: client_id.clone(), title: None }) {
            self.creating = Some(client_id);
        }
    }

    fn intent(&mut self, intent: Intent) {
        match intent {
            Intent::Send(text) => self.say(text),
            Intent::Retry(client_id) => {
                if let Some(text) = self.session.unsent_text(&client_id) {
                    self.deliver(client_id, text);
                }
            }
            Intent::Discard(client_id) => self.discard(&client_id),
            Intent::Stop => {
                self.send(&AppFrame::TurnStop { chat: self.chat.clone() });
            }
            Intent::Answer { ask_id, choice, text } => {
                let frame =
                    AppFrame::AskAnswer { chat: self.chat.clone(), ask_id: ask_id.clone(), choice, text };
                if self.send(&frame) {
                    self.session.answering(&ask_id);
                }
            }
            Intent::Reconnect => self.step(Event::Reconnect),
            Intent::NewChat if self.chat.is_some() => self.create_chat(),
            Intent::NewChat => self.session.clear(now_ms()),
        }
    }

    fn say(&mut self, text: String) {
        let text = text.trim().to_owned();
        if !text.is_empty() && self.guard.admits(&text, now_ms()) {
            self.deliver(ClientId(random_id()), text);
        }
    }

    fn deliver(&mut self, client_id: ClientId, text: String) {
        self.session.echo(&client_id, &text, now_ms());
        let frame = AppFrame::MessageSend { client_id: client_id.clone(), chat: self.chat.clone(), text };
        if !self.send(&frame) {
            self.session.fail(&client_id, "No connection", now_ms());
        } else if self.chat.is_none() {
            self.session.delivered(&client_id, now_ms());
        }
    }

    /// The text goes back into the composer, above what stands there.
    fn discard(&mut self, client_id: &ClientId) {
        let Some(text) = self.session.discard(client_id, now_ms()) else { return };
        let draft = self.store.draft.get_untracked();
        self.store.draft.set(if draft.trim().is_empty() { text } else { format!("{text}\n\n{draft}") });
    }
}
