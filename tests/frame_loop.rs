//! One animation-frame loop a page: asleep when nothing is revealing, honest when the page is hidden or not painted.

#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

mod drawing;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use drawing::{document, frame, until, window};
use iris::clock::raf::{self, Frame, Registered};
use js_sys::{Function, Object, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// A ticker that notes its frames and is busy for the first few.
struct Probe {
    frames: Rc<RefCell<Vec<Frame>>>,
    registered: Registered,
}

fn probe(busy_frames: usize) -> Probe {
    let frames = Rc::new(RefCell::new(Vec::new()));
    let seen = Rc::clone(&frames);
    let registered = raf::register(Rc::new(move |frame| {
        seen.borrow_mut().push(frame);
        seen.borrow().len() < busy_frames
    }));
    Probe { frames, registered }
}

impl Probe {
    fn count(&self) -> usize {
        self.frames.borrow().len()
    }
}

async fn some_frames() {
    for _ in 0..4 {
        frame().await;
    }
}

fn set_visibility(state: &str) {
    let property = Object::new();
    Reflect::set(&property, &"value".into(), &state.into()).unwrap();
    Reflect::set(&property, &"configurable".into(), &JsValue::TRUE).unwrap();
    Object::define_property(&document(), &"visibilityState".into(), &property);
    document().dispatch_event(&web_sys::Event::new("visibilitychange").unwrap()).unwrap();
}

#[wasm_bindgen_test]
async fn a_ticker_is_called_until_it_is_done_and_then_sleeps() {
    let probe = probe(3);
    some_frames().await;
    assert_eq!(probe.count(), 0, "nobody woke it");
    probe.registered.wake();
    probe.registered.wake();
    until("three frames", || probe.count() == 3).await;
    some_frames().await;
    assert_eq!(probe.count(), 3);
    let times: Vec<_> = probe.frames.borrow().iter().map(|frame| (frame.now_ms, frame.snap)).collect();
    assert!(times.is_sorted_by(|a, b| a.0 < b.0) && times.iter().all(|(_, snap)| !snap), "{times:?}");
}

#[wasm_bindgen_test]
async fn only_who_has_something_to_do_is_called() {
    let (asleep, awake) = (probe(1), probe(5));
    awake.registered.wake();
    until("five frames", || awake.count() == 5).await;
    assert_eq!(asleep.count(), 0);
}

#[wasm_bindgen_test]
async fn a_ticker_that_is_taken_out_is_dropped_and_never_called_again() {
    let Probe { frames, registered } = probe(usize::MAX);
    registered.wake();
    until("a frame", || !frames.borrow().is_empty()).await;
    drop(registered);
    assert_eq!(Rc::strong_count(&frames), 1, "the loop holds nothing of it");
    let count = frames.borrow().len();
    some_frames().await;
    assert_eq!(frames.borrow().len(), count);
}

#[wasm_bindgen_test]
async fn a_ticker_may_take_itself_out() {
    let own: Rc<Cell<Option<Registered>>> = Rc::default();
    let inside = Rc::clone(&own);
    let registered = raf::register(Rc::new(move |_| {
        inside.take();
        true
    }));
    registered.wake();
    own.set(Some(registered));
    until("it is gone", || {
        let registered = own.take();
        let gone = registered.is_none();
        own.set(registered);
        gone
    })
    .await;
    some_frames().await;
}

#[wasm_bindgen_test]
async fn a_hidden_page_draws_nothing_and_shows_all_at_once_when_it_is_back() {
    let probe = probe(1);
    set_visibility("hidden");
    probe.registered.wake();
    some_frames().await;
    assert_eq!(probe.count(), 0);
    set_visibility("visible");
    assert_eq!(probe.count(), 1, "before anything is painted");
    assert!(probe.frames.borrow()[0].snap);
}

#[wasm_bindgen_test]
async fn a_page_that_is_hidden_in_the_middle_stops_drawing() {
    let probe = probe(usize::MAX);
    probe.registered.wake();
    until("a frame", || probe.count() > 0).await;
    set_visibility("hidden");
    let count = probe.count();
    some_frames().await;
    assert_eq!(probe.count(), count);
    set_visibility("visible");
    assert!(probe.frames.borrow()[count].snap);
    until("the steady pace again", || probe.frames.borrow().last().is_some_and(|frame| !frame.snap)).await;
}

#[wasm_bindgen_test]
async fn a_visible_page_without_frames_shows_its_target_after_a_moment() {
    let window = window();
    let real = Reflect::get(&window, &"requestAnimationFrame".into()).unwrap();
    let none = Function::new_no_args("return 1");
    let probe = probe(1);
    Reflect::set(&window, &"requestAnimationFrame".into(), &none).unwrap();
    probe.registered.wake();
    Reflect::set(&window, &"requestAnimationFrame".into(), &real).unwrap();
    until("the watchdog", || probe.count() == 1).await;
    assert!(probe.frames.borrow()[0].snap);
}
