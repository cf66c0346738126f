//! Who asked for less motion gets the text as it comes, and may change their mind in the middle of an answer.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod drawing;

use drawing::{find, frame, until};
use iris::clock::motion;
use iris::render::AnswerText;
use iris::store::AnswerRow;
use iris_core::timeline::{Phase, TurnFooter};
use js_sys::{Function, Reflect};
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// The headless browser has no such setting: its answer is put in its mouth.
fn set_reduced(on: bool) {
    let global = js_sys::global();
    if Reflect::get(&global, &"motion".into()).unwrap().is_undefined() {
        let answer = "return globalThis.motion = globalThis.motion ?? { matches: false }";
        Reflect::set(&global, &"matchMedia".into(), &Function::new_no_args(answer)).unwrap();
        motion::reduced();
    }
    let motion = Reflect::get(&global, &"motion".into()).unwrap();
    Reflect::set(&motion, &"matches".into(), &JsValue::from_bool(on)).unwrap();
}

#[wasm_bindgen_test]
async fn less_motion_takes_effect_in_the_middle_of_an_answer() {
    set_reduced(false);
    let text = "x".repeat(290);
    let row = AnswerRow {
        message_id: "m1".into(),
        text: ArcRwSignal::new(text.clone()),
        generation: ArcRwSignal::new(0),
        reasoning: ArcRwSignal::default(),
        reasoning_live: ArcRwSignal::default(),
        phase: ArcRwSignal::new(Phase::Stopped),
        cut: ArcRwSignal::new(None),
        footer: ArcRwSignal::new(TurnFooter::default()),
    };
    let settled = ArcRwSignal::new(false);
    let host: web_sys::HtmlElement = drawing::container().unchecked_into();
    let is_settled = settled.clone();
    let _handle = mount_to(host.clone(), move || view! { <AnswerText row settled /> });
    let shown = || find(&host, ".markdown").text_content().unwrap_or_default().replace('▉', "");
    until("it types", || !shown().is_empty()).await;
    assert!(shown().len() < text.len(), "at a steady pace");
    set_reduced(true);
    frame().await;
    frame().await;
    assert_eq!(shown(), text);
    assert!(is_settled.get_untracked());
}
