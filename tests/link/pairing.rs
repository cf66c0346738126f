//! How a browser comes to be paired, and that nothing else makes the page connect.

use iris::store::{Intent, Pairing};
use leptos::prelude::GetUntracked;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::{Page, addresses, hash, opens, storage, stored_elsewhere, take_asked, will_answer};

fn ask(code: Option<&str>, page: &Page) -> bool {
    matches!(page.store.pairing.get_untracked(), Pairing::Ask { code: its, .. } if its.as_deref() == code)
}

fn pair(page: &Page, code: &str) {
    page.ask_for(Intent::Pair { code: code.to_owned(), name: " My phone ".to_owned() });
}

fn fire(kind: &str) {
    web_sys::window().unwrap().dispatch_event(&web_sys::Event::new(kind).unwrap()).unwrap();
}

#[wasm_bindgen_test]
async fn a_link_only_fills_in_the_form_until_its_button_is_pressed() {
    let page = Page::open("#pair=AB12&chat=c1");
    assert!(ask(Some("AB12"), &page));
    assert_eq!(hash(), "#chat=c1", "the code is gone from the address");
    for kind in ["online", "pageshow", "visibilitychange"] {
        fire(kind);
    }
    page.ask_for(Intent::Reconnect);
    assert!(addresses().is_empty() && take_asked().is_empty());
    assert_eq!(storage().get_item("iris.token").unwrap(), None);
    will_answer(200, "application/json", r#"{"token":"T1","device":"My phone"}"#);
    pair(&page, "AB12");
    assert_eq!(page.store.pairing.get_untracked(), Pairing::Working);
    page.until("pairing", |page| page.store.pairing.get_untracked() == Pairing::None).await;
    assert_eq!(take_asked(), [r#"POST | pair |  | {"code":"AB12","name":"My phone"}"#]);
    assert_eq!(storage().get_item("iris.token").unwrap().as_deref(), Some("T1"));
    assert_eq!(addresses().len(), 1);
    opens();
    assert_eq!(page.one_sent("hello")["token"], "T1");
}

#[wasm_bindgen_test]
fn an_address_never_says_where_to_connect() {
    for hash in ["#gateway=ws://evil.example/ws", "?gateway=ws://evil.example/ws", "#ws://evil.example"] {
        let page = Page::open(hash);
        let host = web_sys::window().unwrap().location().host().unwrap();
        assert_eq!(addresses().len(), 1);
        assert!(addresses()[0].starts_with(&format!("ws://{host}/")), "{:?}", addresses());
        page.close();
    }
}

#[wasm_bindgen_test]
fn a_paired_browser_just_connects() {
    storage().clear().unwrap();
    storage().set_item("iris.token", "T0").unwrap();
    let page = Page::again("#pair=AB12");
    assert_eq!((page.store.pairing.get_untracked(), hash().as_str()), (Pairing::None, ""));
    opens();
    assert_eq!(page.one_sent("hello")["token"], "T0");
}

#[wasm_bindgen_test]
async fn a_browser_that_is_not_paired_any_more_asks_and_can_be_paired_again() {
    storage().clear().unwrap();
    storage().set_item("iris.token", "revoked").unwrap();
    let page = Page::again("");
    page.greet(&["a"]);
    crate::closes(1008, "not paired: this device was revoked");
    let expected = Pairing::Ask { code: None, why: "not paired: this device was revoked".to_owned() };
    assert_eq!(page.store.pairing.get_untracked(), expected);
    assert_eq!(storage().get_item("iris.token").unwrap(), None);
    will_answer(403, "text/plain", "This code is used up. Make another\n");
    pair(&page, "http://host/#pair=OLD");
    page.until("the refusal", |page| page.store.pairing.get_untracked() != Pairing::Working).await;
    let refused = Pairing::Failed("This code is used up. Make another".to_owned());
    assert_eq!(page.store.pairing.get_untracked(), refused);
    pair(&page, " ");
    assert!(matches!(page.store.pairing.get_untracked(), Pairing::Failed(_)));
    pair(&page, "NEW");
    page.until("that nobody answers", |page| page.store.pairing.get_untracked() != Pairing::Working).await;
    assert_eq!(
        page.store.pairing.get_untracked(),
        Pairing::Failed("The adapter cannot be reached".to_owned())
    );
    will_answer(200, "application/json", r#"{"token":"T2"}"#);
    pair(&page, "NEW");
    page.until("pairing", |page| page.store.pairing.get_untracked() == Pairing::None).await;
    page.greet(&["a"]);
    assert_eq!(page.one_sent("hello")["token"], "T2");
    assert_eq!(page.store.connection.get_untracked(), iris_core::connection::State::Online);
}

#[wasm_bindgen_test]
fn one_tab_pairs_for_all() {
    let page = Page::open("");
    opens();
    crate::closes(1008, "not paired");
    assert!(ask(None, &page));
    storage().set_item("iris.token", "T3").unwrap();
    stored_elsewhere("iris.token", Some("T3".to_owned()));
    assert_eq!(page.store.pairing.get_untracked(), Pairing::None);
    opens();
    assert_eq!(page.one_sent("hello")["token"], "T3");
}

#[wasm_bindgen_test]
fn another_refusal_is_no_question_for_a_code() {
    let page = Page::open("");
    opens();
    crate::closes(1008, "too many frames");
    assert_eq!(page.store.pairing.get_untracked(), Pairing::None);
}
