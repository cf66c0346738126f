//! A replay, as the page has it: the worker, what that says, and the app's page for it. The transcript is the app's, which is
//! told when there is something to show (`iris-replay`) and talks to the worker by itself.

pub mod controls;
mod files;
mod keys;
pub mod panel;
pub mod strip_view;
pub mod time_picture;

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use iris_core::run::Summary;
use js_sys::{Array, Function, Object, Reflect};
use leptos::prelude::*;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CustomEvent, CustomEventInit, File, MessageEvent, Worker};

pub use files::{in_list, listeners};

use crate::listener::Listener;
use crate::wire::{self, Order, Report, State, Strip};
use crate::{host, sheet};

/// What the app listens to: the function that makes a socket, or nothing when the replay ends.
const EVENT: &str = "iris-replay";
/// The page on which runs are opened.
const SHEET: &str = "replay";

/// What the worker said last, for whoever draws it.
#[derive(Clone, Copy)]
pub struct Signals {
    /// How the run on screen stands, and when that was said: milliseconds of the page's clock.
    pub state: RwSignal<(State, f64)>,
    /// What its strip shows.
    pub strip: RwSignal<Strip>,
    /// What it came to.
    pub summary: RwSignal<Summary>,
    /// Whether the panel beside the text shows.
    pub panel: RwSignal<bool>,
}

struct Replay {
    worker: Worker,
    dial: Function,
    signals: Signals,
    /// The worker listens: what is ordered before waits here.
    ready: bool,
    waiting: Vec<JsValue>,
    /// The app shows it.
    shown: bool,
    /// The controls, as long as they are there.
    views: Vec<Box<dyn Any>>,
    listeners: Vec<Listener>,
    /// Owns the signals; goes after whatever reads them.
    _owner: Owner,
    _heard: Closure<dyn FnMut(MessageEvent)>,
    _failed: Closure<dyn FnMut()>,
}

thread_local! {
    static REPLAY: RefCell<Option<Replay>> = const { RefCell::new(None) };
    /// Files that were no runs, and why.
    static REFUSED: Rc<RefCell<Vec<(String, String)>>> = Rc::default();
}

/// The signals of the replay, if there is one.
pub fn signals() -> Option<Signals> {
    REPLAY.with_borrow(|replay| replay.as_ref().map(|replay| replay.signals))
}

/// The files that were no runs since this was asked last, and why.
pub fn take_refused() -> Vec<(String, String)> {
    REFUSED.with(|refused| std::mem::take(&mut *refused.borrow_mut()))
}

/// Opens these files: those that are runs are replayed, of the others it is said what they are.
pub fn open(files: Vec<File>) {
    if files.is_empty() {
        return;
    }
    if REPLAY.with_borrow(Option::is_none) {
        match begin() {
            Some(replay) => REPLAY.set(Some(replay)),
            None => return refused(RUNS.to_owned(), NO_WORKER.to_owned()),
        }
    }
    let files: Array = files.into_iter().collect();
    message(&Order::Open, &[("files", files.into())]);
}

const RUNS: &str = "Recorded runs";
const NOT_LOADED: &str =
    "What reads them cannot be loaded: the page's server does not answer. Try again when it does";
const NO_WORKER: &str = "This browser starts no worker for them. Reload the page, or try another browser";

fn begin() -> Option<Replay> {
    let (worker, dial) = host::worker()?;
    // Of nobody: the sheet in which a file was chosen goes before the replay does.
    let owner = Owner::new_root(None);
    let signals = owner.with(|| Signals {
        state: RwSignal::default(),
        strip: RwSignal::default(),
        summary: RwSignal::default(),
        panel: RwSignal::new(panel::begins_open()),
    });
    let heard = Closure::<dyn FnMut(MessageEvent)>::new(|event: MessageEvent| {
        match event.data().as_string().and_then(|text| wire::read::<Report>(&text)) {
            Some(report) => told(report),
            None => stopped(&event.data()),
        }
    });
    worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    let failed = Closure::<dyn FnMut()>::new(|| {
        // Once it listens, it says itself what is wrong.
        if REPLAY.with_borrow(|replay| replay.as_ref().is_some_and(|replay| !replay.ready)) {
            leave();
            refused(RUNS.to_owned(), NOT_LOADED.to_owned());
        }
    });
    worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
    Some(Replay {
        worker,
        dial,
        signals,
        ready: false,
        waiting: Vec::new(),
        shown: false,
        views: Vec::new(),
        listeners: Vec::new(),
        _owner: owner,
        _heard: heard,
        _failed: failed,
    })
}

/// Tells the worker something.
pub fn order(order: &Order) {
    message(order, &[]);
}

fn message(order: &Order, more: &[(&str, JsValue)]) {
    let message = Object::new();
    let text = JsValue::from_str(&wire::write(order));
    for (name, value) in [("order", text)].iter().chain(more) {
        // It fails only on objects that are sealed.
        let _ = Reflect::set(&message, &JsValue::from_str(name), value);
    }
    REPLAY.with_borrow_mut(|replay| {
        let Some(replay) = replay else { return };
        if replay.ready {
            let _ = replay.worker.post_message(&message);
        } else {
            replay.waiting.push(message.into());
        }
    });
}

fn told(report: Report) {
    match report {
        Report::Ready => REPLAY.with_borrow_mut(|replay| {
            let Some(replay) = replay else { return };
            replay.ready = true;
            for message in std::mem::take(&mut replay.waiting) {
                let _ = replay.worker.post_message(&message);
            }
        }),
        Report::Refused { name, why } => refused(name, why),
        Report::Accepted => show(),
        Report::Wanted => sheet::open(SHEET),
        Report::Empty => leave(),
        Report::State(state) => with_signals(|signals| signals.state.set((state, now_ms()))),
        Report::Strip(strip) => with_signals(|signals| signals.strip.set(strip)),
        Report::Summary(summary) => with_signals(|signals| signals.summary.set(*summary)),
    }
}

fn with_signals(run: impl FnOnce(Signals)) {
    if let Some(signals) = signals() {
        run(signals);
    }
}

/// The worker's program has stopped, `{stopped: words}`.
fn stopped(said: &JsValue) {
    if let Some(words) =
        Reflect::get(said, &JsValue::from_str("stopped")).ok().and_then(|words| words.as_string())
    {
        leave();
        refused(RUNS.to_owned(), format!("Reading them has failed inside of Iris: {words}"));
    }
}

/// The files are no runs: the sheet says so. Nothing else changes.
pub fn refused(name: String, why: String) {
    REFUSED.with(|refused| refused.borrow_mut().push((name, why)));
    sheet::open(SHEET);
}

/// There is a run: the app makes room for it.
fn show() {
    sheet::close();
    let dial = REPLAY.with_borrow_mut(|replay| {
        let replay = replay.as_mut()?;
        let first = !std::mem::replace(&mut replay.shown, true);
        if first {
            replay.listeners = keys::listeners().chain(files::listeners()).collect();
        }
        first.then(|| replay.dial.clone())
    });
    if let Some(dial) = dial {
        dispatch(&dial);
    }
}

/// Ends the replay: the chat is as it was.
pub fn leave() {
    if let Some(replay) = REPLAY.take() {
        dispatch(&JsValue::NULL);
        replay.worker.terminate();
        // The owner and the views go with it.
        drop(replay);
    }
}

fn dispatch(detail: &JsValue) {
    let init = CustomEventInit::new();
    init.set_detail(detail);
    if let (Some(window), Ok(event)) =
        (web_sys::window(), CustomEvent::new_with_event_init_dict(EVENT, &init))
    {
        let _ = window.dispatch_event(&event);
    }
}

/// Keeps a view that lives as long as the replay.
pub fn keep(view: Box<dyn Any>) {
    REPLAY.with_borrow_mut(|replay| {
        if let Some(replay) = replay {
            replay.views = vec![view];
        }
    });
}

/// Where the player stands now, played milliseconds: what the worker said, and the time since.
pub fn position(state: &State, said_ms: f64) -> u64 {
    use iris_core::run::Speed;
    let factor = match state.speed {
        Speed::Double => 2.0,
        Speed::Tenfold => 10.0,
        Speed::Original | Speed::Instant => 1.0,
    };
    let passed = if state.playing { (now_ms() - said_ms).max(0.0) * factor } else { 0.0 };
    state.position_ms.saturating_add(passed as u64).min(state.end_ms)
}

/// The page's clock.
pub fn now_ms() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}
