//! The component: a row's signals in, an answer on the page, settled when all of it is shown.

#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

mod drawing;

use drawing::{document, find, frame, one_shot, picture, until};
use iris::render::{AnswerText, MarkdownText};
use iris::store::{AnswerRow, Store};
use iris_core::settings::Settings;
use iris_core::timeline::{Phase, TurnFooter};
use js_sys::{Object, Reflect};
use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement};

wasm_bindgen_test_configure!(run_in_browser);

/// An answer on the page.
struct Mounted {
    host: HtmlElement,
    row: AnswerRow,
    settled: ArcRwSignal<bool>,
    settings: ArcRwSignal<Settings>,
}

impl Mounted {
    fn new(text: &str, phase: Phase) -> (Self, UnmountHandle<impl Mountable + use<>>) {
        let row = AnswerRow {
            message_id: "m1".into(),
            text: ArcRwSignal::new(text.to_owned()),
            generation: ArcRwSignal::new(0),
            reasoning: ArcRwSignal::default(),
            reasoning_live: ArcRwSignal::default(),
            phase: ArcRwSignal::new(phase),
            cut: ArcRwSignal::new(None),
            footer: ArcRwSignal::new(TurnFooter::default()),
        };
        let settled = ArcRwSignal::new(false);
        let store = Store::new(Settings { speed: 0.8, ..Settings::default() }, |_| {});
        let settings = store.settings.clone();
        let host: HtmlElement = drawing::container().unchecked_into();
        let mounted = Self { host: host.clone(), row: row.clone(), settled: settled.clone(), settings };
        let handle = mount_to(host, move || {
            provide_context(store);
            view! { <AnswerText row settled /> }
        });
        (mounted, handle)
    }

    fn container(&self) -> Element {
        find(&self.host, ".markdown")
    }

    fn shows(&self, text: &str) -> bool {
        picture(&self.container()) == one_shot(text)
    }

    fn is_settled(&self) -> bool {
        self.settled.get_untracked()
    }
}

#[wasm_bindgen_test]
async fn history_is_drawn_before_the_first_frame() {
    let (answer, _handle) = Mounted::new("# Old\n\nnews", Phase::Settled);
    // Microtasks only: no frame, no timer.
    for _ in 0..10 {
        wasm_bindgen_futures::JsFuture::from(js_sys::Promise::resolve(&JsValue::NULL)).await.unwrap();
    }
    assert!(answer.is_settled() && answer.shows("# Old\n\nnews"));
    assert_eq!(answer.container().get_attribute("aria-busy").as_deref(), Some("false"));
}

#[wasm_bindgen_test]
async fn an_answer_streams_in_and_settles_when_all_of_it_is_shown() {
    let (answer, _handle) = Mounted::new("", Phase::Streaming);
    let whole = "Some *words* that\n\n- stream\n- in";
    answer.row.text.set(whole[..10].to_owned());
    until("the beginning", || answer.shows(&whole[..10])).await;
    assert!(!answer.is_settled());
    assert_eq!(answer.container().get_attribute("aria-busy").as_deref(), Some("true"));
    find(&answer.container(), ".cursor");
    answer.row.text.set(whole.to_owned());
    answer.row.phase.set(Phase::Stopped);
    until("the whole", || answer.is_settled()).await;
    assert!(answer.shows(whole));
    assert!(answer.container().query_selector(".cursor").unwrap().is_none());
    until("its footer may come", || {
        answer.container().get_attribute("aria-busy").as_deref() == Some("false")
    })
    .await;
}

#[wasm_bindgen_test]
async fn a_rewrite_starts_over() {
    let (answer, _handle) = Mounted::new("The first try", Phase::Streaming);
    until("the first try", || answer.shows("The first try")).await;
    answer.row.generation.set(1);
    answer.row.text.set("Another one".to_owned());
    until("the other one", || answer.shows("Another one")).await;
    answer.row.phase.set(Phase::Stopped);
    until("it settles", || answer.is_settled()).await;
    assert!(answer.shows("Another one"));
}

#[wasm_bindgen_test]
async fn an_answer_that_is_cut_shows_what_there_is_at_once() {
    let (answer, _handle) = Mounted::new("", Phase::Streaming);
    let text = "x".repeat(140);
    answer.row.text.set(text.clone());
    answer.row.cut.set(Some(iris_core::protocol::frame::TurnStatus::Interrupted));
    answer.row.phase.set(Phase::Stopped);
    frame().await;
    frame().await;
    assert!(answer.is_settled() && answer.shows(&text));
}

#[wasm_bindgen_test]
async fn switching_streaming_off_shows_the_running_answer_at_once() {
    let text = "x".repeat(140);
    let (answer, _handle) = Mounted::new(&text, Phase::Stopped);
    until("it began", || answer.container().text_content().unwrap_or_default().len() > 3).await;
    answer.settings.update(|settings| settings.streaming = false);
    frame().await;
    frame().await;
    assert!(answer.is_settled() && answer.shows(&text));
}

#[wasm_bindgen_test]
async fn a_settled_answer_that_is_replaced_is_drawn_again() {
    let (answer, _handle) = Mounted::new("Old", Phase::Settled);
    until("it settles", || answer.is_settled()).await;
    answer.row.generation.set(1);
    answer.row.text.set("New".to_owned());
    until("it is drawn again", || answer.shows("New")).await;
    assert!(answer.container().query_selector(".cursor").unwrap().is_none());
}

#[wasm_bindgen_test]
async fn what_arrives_on_a_hidden_page_is_all_there_when_it_is_back() {
    let show = |state: &str| {
        let property = Object::new();
        Reflect::set(&property, &"value".into(), &state.into()).unwrap();
        Reflect::set(&property, &"configurable".into(), &JsValue::TRUE).unwrap();
        Object::define_property(&document(), &"visibilityState".into(), &property);
        document().dispatch_event(&web_sys::Event::new("visibilitychange").unwrap()).unwrap();
    };
    let (answer, _handle) = Mounted::new("", Phase::Streaming);
    until("it is mounted", || answer.container().has_child_nodes()).await;
    show("hidden");
    let text = "x".repeat(140);
    answer.row.text.set(text.clone());
    answer.row.phase.set(Phase::Stopped);
    for _ in 0..4 {
        frame().await;
    }
    let hidden = picture(&answer.container());
    show("visible");
    assert_eq!(hidden, "", "a hidden page draws nothing");
    assert!(answer.is_settled() && answer.shows(&text));
}

#[wasm_bindgen_test]
async fn an_answer_that_has_left_the_page_draws_no_more() {
    let (answer, handle) = Mounted::new("Here", Phase::Streaming);
    until("it is drawn", || answer.shows("Here")).await;
    let container = answer.container();
    drop(handle);
    answer.row.text.set("Here and there".to_owned());
    answer.row.phase.set(Phase::Stopped);
    for _ in 0..10 {
        frame().await;
    }
    assert!(!answer.is_settled());
    assert_eq!(picture(&container), one_shot("Here"));
}

#[wasm_bindgen_test]
async fn a_remark_is_drawn_whole_and_again_when_it_changes() {
    let host: HtmlElement = drawing::container().unchecked_into();
    let text = RwSignal::new("I will *look* first.".to_owned());
    let _handle = mount_to(host.clone(), move || view! { <MarkdownText text /> });
    let shows = |text: &str| picture(&find(&host, ".markdown")) == one_shot(text);
    until("the remark", || shows("I will *look* first.")).await;
    assert!(host.query_selector(".cursor").unwrap().is_none());
    text.set("I *have* looked.".to_owned());
    until("the other remark", || shows("I *have* looked.")).await;
}
