//! One animation-frame loop a page, asleep when nothing is revealing.
//!
//! Whoever reveals text registers a ticker and wakes it when there is something to do; the loop runs as long as a
//! ticker says that it is not done. A hidden page draws nothing and shows its targets at once when it is back. A
//! watchdog stands in where a visible page gets no frames (a covered window). It does not know what the tickers draw.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::Window;

use crate::browser::{Listener, is_visible, now_ms};
use crate::render::report::report;

/// A frame, as a ticker sees it.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The time, in milliseconds of the page.
    pub now_ms: f64,
    /// The steady pace was lost (hidden page, no frames): show the target at once.
    pub snap: bool,
}

/// Draws what is due; answers whether more is to come.
pub type Ticker = Rc<dyn Fn(Frame) -> bool>;

/// A place in the loop; dropping it gives the place up.
#[derive(Debug)]
#[must_use]
pub struct Registered(u64);

/// A visible page that got no frame for so long is not being painted.
const WATCHDOG_MS: f64 = 250.0;

/// A ticker and whether it has something to do.
#[derive(Clone)]
struct Entry {
    id: u64,
    ticker: Ticker,
    busy: bool,
}

#[derive(Default)]
struct Loop {
    last_id: u64,
    entries: Vec<Entry>,
    /// There is something to do, now or when the page is visible again.
    pending: bool,
    /// The frame that was asked for.
    frame: Option<i32>,
    /// When the watchdog was set, if it is.
    watchdog: Option<f64>,
    /// When the last frame came, or the first one was asked for.
    alive_ms: f64,
}

/// The page's callbacks, made once, for its life.
struct Callbacks {
    frame: Closure<dyn Fn(f64)>,
    watchdog: Closure<dyn Fn()>,
    _visibility: Option<Listener>,
}

thread_local! {
    static LOOP: RefCell<Loop> = RefCell::default();
    static CALLBACKS: Callbacks = Callbacks {
        frame: Closure::new(on_frame),
        watchdog: Closure::new(on_watchdog),
        _visibility: Listener::on_document("visibilitychange", |_| on_visibility()),
    };
}

/// Adds a ticker. It sleeps until it is woken.
pub fn register(ticker: Ticker) -> Registered {
    LOOP.with_borrow_mut(|state| {
        state.last_id += 1;
        let id = state.last_id;
        state.entries.push(Entry { id, ticker, busy: false });
        Registered(id)
    })
}

impl Registered {
    /// There is something to draw: the ticker gets a frame.
    pub fn wake(&self) {
        // The first call may come on a hidden page: the listener that ends that must be there.
        CALLBACKS.with(|_| ());
        let ask = LOOP.with_borrow_mut(|state| {
            state.set_busy(self.0, true);
            !std::mem::replace(&mut state.pending, true)
        });
        if ask && is_visible() {
            LOOP.with_borrow_mut(|state| state.alive_ms = now_ms());
            request();
        }
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        // Dropped after the borrow: a ticker owns things whose end may call us.
        let gone = LOOP.try_with(|state| {
            let mut state = state.borrow_mut();
            let at = state.entries.iter().position(|entry| entry.id == self.0)?;
            Some(state.entries.remove(at))
        });
        drop(gone);
    }
}

impl Loop {
    fn set_busy(&mut self, id: u64, busy: bool) {
        self.entries.iter_mut().filter(|entry| entry.id == id).for_each(|entry| entry.busy = busy);
    }

    /// Takes who has something to do; whoever is woken from now on gets the next frame.
    fn take_busy(&mut self) -> Vec<Entry> {
        self.pending = false;
        let busy = |entry: &mut Entry| std::mem::take(&mut entry.busy).then(|| entry.clone());
        self.entries.iter_mut().filter_map(busy).collect()
    }
}

fn on_frame(now_ms: f64) {
    LOOP.with_borrow_mut(|state| {
        state.frame = None;
        state.alive_ms = now_ms;
    });
    run(Frame { now_ms, snap: false });
}

/// Calls whoever has something to do; asks for the next frame if somebody is not done.
fn run(frame: Frame) {
    let entries = LOOP.with_borrow_mut(Loop::take_busy);
    for entry in entries {
        if (entry.ticker)(frame) {
            LOOP.with_borrow_mut(|state| {
                state.set_busy(entry.id, true);
                state.pending = true;
            });
        }
    }
    let ask = LOOP.with_borrow(|state| state.pending && state.frame.is_none());
    if ask && is_visible() {
        request();
    }
}

fn on_visibility() {
    cancel();
    if is_visible() && LOOP.with_borrow(|state| state.pending) {
        run(Frame { now_ms: now_ms(), snap: true });
    }
}

fn on_watchdog() {
    let now = now_ms();
    let (pending, set, alive) =
        LOOP.with_borrow_mut(|state| (state.pending, state.watchdog.take().unwrap_or(now), state.alive_ms));
    if !pending || !is_visible() {
        return;
    }
    // A timer that is late itself says that the page was busy, not that it is not painted.
    let busy_page = now - set > 2.0 * WATCHDOG_MS;
    if busy_page || now - alive < WATCHDOG_MS {
        return set_watchdog();
    }
    cancel();
    run(Frame { now_ms: now, snap: true });
}

fn request() {
    let id = with_page(|window, callbacks| {
        window.request_animation_frame(callbacks.frame.as_ref().unchecked_ref())
    });
    let watched = LOOP.with_borrow_mut(|state| {
        state.frame = id;
        state.watchdog.is_some()
    });
    if !watched {
        set_watchdog();
    }
}

fn cancel() {
    if let (Some(id), Some(window)) = (LOOP.with_borrow_mut(|state| state.frame.take()), web_sys::window())
        && let Err(error) = window.cancel_animation_frame(id)
    {
        report("a frame was not cancelled", &error);
    }
}

fn set_watchdog() {
    let set = with_page(|window, callbacks| {
        window.set_timeout_with_callback_and_timeout_and_arguments_0(
            callbacks.watchdog.as_ref().unchecked_ref(),
            WATCHDOG_MS as i32,
        )
    });
    LOOP.with_borrow_mut(|state| state.watchdog = set.map(|_| now_ms()));
}

/// Asks something of the page; `None` when it refuses.
fn with_page<T>(ask: impl FnOnce(&Window, &Callbacks) -> Result<T, wasm_bindgen::JsValue>) -> Option<T> {
    let window = web_sys::window()?;
    let asked = CALLBACKS.with(|callbacks| ask(&window, callbacks));
    asked.map_err(|error| report("the page gave no frame", &error)).ok()
}
