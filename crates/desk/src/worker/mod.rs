//! The worker: reads the files in pieces, and behaves like an adapter over the port that the app's link holds. Owns the
//! timers and the reading of bytes; what is in a file and what is played when, `iris_core::run` decides.

mod adapter;
mod reading;
mod recording;

use std::cell::RefCell;
use std::rc::Rc;

use iris_core::ids::ChatId;
use iris_core::protocol::{Envelope, encode_server};
use iris_core::run::Poll;
use js_sys::{Array, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, File, MessageEvent, MessagePort};

use crate::wire::{self, Order, Report};
use recording::Recording;

/// How often the app is told the time while the clock runs, milliseconds.
const TICK_MS: u64 = 100;
/// A tool that began so shortly ago is the one that is shown: the last is the one before.
const JUST_BEGUN_MS: u64 = 700;

/// All of it.
struct Worker {
    scope: DedicatedWorkerGlobalScope,
    port: Option<MessagePort>,
    /// Keeps the port's listener.
    heard: Option<Closure<dyn FnMut(MessageEvent)>>,
    runs: Vec<Recording>,
    /// The run that the app shows.
    shown: Option<ChatId>,
    /// How many files were opened: their numbers are their chats' ids.
    opened: u32,
    /// The timer that runs, and what it calls.
    timer: Option<i32>,
    wake: Option<Closure<dyn FnMut()>>,
    /// What was said last of how it stands, so that nothing is said twice.
    said: String,
    /// The time of the run that the app was told last.
    said_ms: Option<u64>,
}

type Shared = Rc<RefCell<Worker>>;

/// Listens to the page from now on.
pub fn serve(scope: DedicatedWorkerGlobalScope) {
    let worker = Rc::new(RefCell::new(Worker {
        scope: scope.clone(),
        port: None,
        heard: None,
        runs: Vec::new(),
        shown: None,
        opened: 0,
        timer: None,
        wake: None,
        said: String::new(),
        said_ms: None,
    }));
    let woken = worker.clone();
    worker.borrow_mut().wake = Some(Closure::new(move || pump(&woken)));
    let told = worker.clone();
    let on_message =
        Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| told_by_page(&told, &event));
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // It lives as long as the worker.
    on_message.forget();
    worker.borrow().report(&Report::Ready);
}

/// `{order, files, port}`.
fn told_by_page(shared: &Shared, event: &MessageEvent) {
    let field = |name| Reflect::get(&event.data(), &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED);
    let Some(order) = field("order").as_string().and_then(|text| wire::read::<Order>(&text)) else { return };
    match order {
        Order::Open => {
            let files = field("files").dyn_into::<Array>().unwrap_or_default();
            for file in files.iter().filter_map(|file| file.dyn_into::<File>().ok()) {
                let recording = shared.borrow_mut().open(file);
                reading::index(shared.clone(), recording);
            }
        }
        Order::Connect => {
            if let Ok(port) = field("port").dyn_into::<MessagePort>() {
                adapter::connect(shared, port);
            }
        }
        order => shared.borrow_mut().play(&order),
    }
    pump(shared);
}

/// Does what the player on screen says, until it has to wait for time, bytes or the reader.
fn pump(shared: &Shared) {
    loop {
        let mut worker = shared.borrow_mut();
        let now = worker.now();
        if let Some(timer) = worker.timer.take() {
            worker.scope.clear_timeout_with_handle(timer);
        }
        let Some(run) = worker.on_screen() else { break };
        match run.player.poll(run.indexer.index(), now) {
            Poll::Send(frames) => {
                for played in &frames {
                    worker.say_time(played.at_ms);
                    worker.send(&played.frame);
                }
            }
            Poll::Read(range) => {
                let chat = run.chat.clone();
                let wanted = !std::mem::replace(&mut run.reading, true);
                drop(worker);
                if wanted {
                    reading::give(shared.clone(), chat, range);
                }
                break;
            }
            Poll::Wait(ms) => {
                let ms = if run.player.is_playing() { ms.min(TICK_MS) } else { ms };
                worker.tick();
                drop(worker);
                wake_in(shared, ms);
                break;
            }
            Poll::Idle => {
                worker.tick();
                break;
            }
        }
    }
    shared.borrow_mut().say_state();
}

/// Looks again when something is due; what was due before counts no more.
fn wake_in(shared: &Shared, ms: u64) {
    let mut worker = shared.borrow_mut();
    let Some(wake) = &worker.wake else { return };
    let ms = i32::try_from(ms).unwrap_or(i32::MAX);
    let function = wake.as_ref().unchecked_ref();
    // It fails only for a function that is none.
    worker.timer = worker.scope.set_timeout_with_callback_and_timeout_and_arguments_0(function, ms).ok();
}

impl Worker {
    /// Milliseconds of a clock that does not go back.
    fn now(&self) -> u64 {
        self.scope.performance().map_or(0.0, |clock| clock.now()) as u64
    }

    fn report(&self, report: &Report) {
        let _ = self.scope.post_message(&JsValue::from_str(&wire::write(report)));
    }

    fn send(&self, frame: &Envelope) {
        if let Some(port) = &self.port {
            let _ = port.post_message(&JsValue::from_str(&encode_server(frame)));
        }
    }

    /// Tells the app the time of the run, in front of what happened then.
    fn say_time(&mut self, at_ms: u64) {
        if self.said_ms.replace(at_ms) != Some(at_ms)
            && let Some(port) = &self.port
        {
            let _ = port.post_message(&JsValue::from_f64(at_ms as f64));
        }
    }

    /// Tells the app the time of the run where the player stands.
    fn tick(&mut self) {
        let now = self.now();
        let Some(run) = self.on_screen() else { return };
        let at_ms = run.player.recorded(run.indexer.index(), now);
        self.say_time(at_ms);
    }

    fn run(&mut self, chat: &ChatId) -> Option<&mut Recording> {
        self.runs.iter_mut().find(|run| run.chat == *chat)
    }

    fn on_screen(&mut self) -> Option<&mut Recording> {
        let chat = self.shown.clone()?;
        self.run(&chat)
    }

    /// A file that is to be read; its number.
    fn open(&mut self, file: File) -> ChatId {
        self.opened += 1;
        let chat = ChatId(format!("run-{}", self.opened));
        self.runs.push(Recording::new(chat.clone(), file));
        chat
    }

    /// What the reader does with the player on screen.
    fn play(&mut self, order: &Order) {
        let now = self.now();
        let Some(run) = self.on_screen() else { return };
        let (player, index) = (&mut run.player, run.indexer.index());
        match order {
            Order::Play => player.play(index, now),
            Order::Pause => player.pause(index, now),
            Order::Speed { speed } => player.set_speed(*speed, index, now),
            Order::Seek { to_ms } => player.seek_time(*to_ms, index, now),
            Order::Tool { forward } => {
                let at = player.position(index, now);
                let next = if *forward {
                    index.tools.iter().position(|tool| tool.from_ms > at)
                } else {
                    index.tools.iter().rposition(|tool| tool.from_ms.saturating_add(JUST_BEGUN_MS) < at)
                };
                match next {
                    Some(nth) => player.seek_tool(nth, index, now),
                    None if *forward => {}
                    None => player.seek_time(0, index, now),
                }
            }
            Order::Open | Order::Connect => {}
        }
        self.tell_running();
    }

    /// Tells page and app how the run on screen stands, if that has changed.
    fn say_state(&mut self) {
        let now = self.now();
        let Some(run) = self.on_screen() else { return };
        let report = Report::State(run.state(now));
        let text = wire::write(&report);
        if text != self.said {
            let _ = self.scope.post_message(&JsValue::from_str(&text));
            self.said = text;
        }
        self.tell_running();
    }

    /// Tells the page everything about the run on screen.
    fn say_everything(&mut self) {
        self.said.clear();
        self.say_index();
        self.say_state();
    }

    /// Tells the page what is known of the run on screen: it has grown.
    fn say_index(&mut self) {
        let Some(run) = self.on_screen() else { return };
        let strip = Report::Strip(crate::strip::strip(run.indexer.index()));
        let summary = Report::Summary(Box::new(run.indexer.summary()));
        self.report(&strip);
        self.report(&summary);
    }
}
