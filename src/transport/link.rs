//! The page's link to its adapter: runs the connection machine's effects, feeds what happens back to it, and turns
//! what components ask for into frames. Decides neither when to reconnect nor what a chat shows.
//!
//! Everything that happens is put into one queue and taken out in order, so no callback finds the link half-way
//! through another.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use iris_core::ids::FileId;
use iris_core::protocol::frame::FileInfo;
use iris_core::settings::Settings;
use iris_core::stall::quiet::Watch;
use js_sys::Function;
use leptos::prelude::{ArcRwSignal, Set};
use send_wrapper::SendWrapper;
use wasm_bindgen::JsCast;
use web_sys::StorageEvent;

use super::driver::{Alarm, Driver};
use super::page_events::{PageEvent, page_events};
use super::socket::SocketEvent;
use crate::browser::Listener;
use crate::store::{Intent, Store};

/// Something that happened.
pub(super) enum Input {
    /// The page has opened.
    Start,
    /// A component asks for something.
    Intent(Intent),
    /// The "Streaming" switch.
    Streaming(bool),
    /// Page or network.
    Page(PageEvent),
    /// The address names another chat, or brings a code.
    Address,
    /// Another tab has written under this key of the storage; `true`: it took away what was there.
    Stored(String, bool),
    /// An upload has ended.
    Uploaded(u32, Result<FileInfo, String>),
    /// A file's bytes are here under a `blob:` URL, or cannot be had.
    Fetched(FileId, Result<String, String>),
    /// The adapter has given this browser a token, or has said why not.
    Paired(Result<String, String>),
    /// The socket with this number.
    Socket(u64, SocketEvent),
    /// A timer ran out.
    Timer(Alarm),
}

/// The link. Dropping it closes the socket and takes off every listener.
pub struct Link {
    store: Store,
    queue: RefCell<VecDeque<Input>>,
    busy: Cell<bool>,
    driver: RefCell<Driver>,
    _listeners: Vec<Listener>,
}

impl Link {
    /// Connects to the adapter that served this page.
    pub fn start(settings: Settings) -> Rc<Self> {
        Self::over(ArcRwSignal::new(settings), None)
    }

    /// Connects to a player of recorded runs, which behaves like an adapter: `dial` makes what behaves like a socket. It
    /// hears nothing of the page, its address and the storage, and leaves no trace there.
    pub fn replay(settings: ArcRwSignal<Settings>, dial: Function) -> Rc<Self> {
        Self::over(settings, Some(dial))
    }

    fn over(settings: ArcRwSignal<Settings>, dial: Option<Function>) -> Rc<Self> {
        let link = Rc::new_cyclic(|link: &Weak<Self>| {
            let door = Door(link.clone());
            let intents = SendWrapper::new(door.clone());
            let store = Store::new(Settings::default(), move |intent| intents.put(Input::Intent(intent)));
            let store = Store { settings, replay: dial.is_some(), ..store };
            if store.replay {
                store.watch.set(Watch::of_recording());
            }
            let listeners = if store.replay { Vec::new() } else { listeners(door.clone()) };
            Self {
                queue: RefCell::default(),
                busy: Cell::new(false),
                driver: RefCell::new(Driver::new(store.clone(), door, dial)),
                _listeners: listeners,
                store,
            }
        });
        link.put(Input::Start);
        link
    }

    /// The store that this link fills.
    pub fn store(&self) -> Store {
        self.store.clone()
    }

    /// Takes over the "Streaming" switch.
    pub fn set_streaming(&self, on: bool) {
        self.put(Input::Streaming(on));
    }

    fn put(&self, input: Input) {
        self.queue.borrow_mut().push_back(input);
        if self.busy.replace(true) {
            return;
        }
        while let Some(input) = self.next() {
            self.driver.borrow_mut().take(input);
        }
        self.busy.set(false);
    }

    /// A function of its own, so that the queue is not borrowed while its input is handled.
    fn next(&self) -> Option<Input> {
        self.queue.borrow_mut().pop_front()
    }
}

/// What the link hears of the page around it.
fn listeners(door: Door) -> Vec<Listener> {
    let (pages, addresses, stored) = (door.clone(), door.clone(), door);
    let mut listeners = page_events(move |event| pages.put(Input::Page(event)));
    listeners.extend(Listener::on_window("popstate", move |_| addresses.put(Input::Address)));
    listeners.extend(Listener::on_window("storage", move |event| {
        if let Some(event) = event.dyn_ref::<StorageEvent>()
            && let Some(key) = event.key()
        {
            stored.put(Input::Stored(key, event.new_value().is_none()));
        }
    }));
    listeners
}

/// Where callbacks put what happened. They outlive nothing: once the link is gone, it leads nowhere.
#[derive(Clone)]
pub(super) struct Door(Weak<Link>);

impl Door {
    pub(super) fn put(&self, input: Input) {
        if let Some(link) = self.0.upgrade() {
            link.put(input);
        }
    }
}
