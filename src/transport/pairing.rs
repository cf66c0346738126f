//! How this browser comes to be paired: by the code of a link, or by one that the reader pastes. Never by itself: a link
//! only fills in the form, and until the reader has pressed its button the page connects to nothing and stores nothing.

use js_sys::JsString;
use leptos::prelude::{GetUntracked, Set};
use serde_json::{Map, Value};
use wasm_bindgen_futures::spawn_local;

use iris_core::connection::Event;

use super::driver::Driver;
use super::link::Input;
use super::place;
use crate::browser::http::{self, Call};
use crate::browser::json;
use crate::storage::{load_token, save_token};
use crate::store::Pairing;

/// How the adapter's reason begins when it closes the socket of a device that it does not know.
const NOT_PAIRED: &str = "not paired";

const NEW_HERE: &str = "This browser is not paired with this Hermes yet";
const NO_CODE: &str = "Paste the pairing link that the adapter prints, or its code";
const NO_TOKEN: &str = "The adapter's answer makes no sense";

impl Driver {
    /// The page has opened: connects, unless it must ask first.
    pub(super) fn start(&mut self) {
        if let Some(code) = place::take_code() {
            self.offer_code(code);
        }
        if !self.asks() {
            self.step(Event::Start);
        }
    }

    /// A link has brought this code. A browser that is paired has no use for it.
    pub(super) fn offer_code(&mut self, code: String) {
        if self.token.is_none() {
            self.store.pairing.set(Pairing::Ask { code: Some(code), why: NEW_HERE.to_owned() });
        }
    }

    /// The page asks for a code.
    pub(super) fn asks(&self) -> bool {
        self.store.pairing.get_untracked() != Pairing::None
    }

    /// The adapter has closed the socket: because it does not know this browser, or not any more?
    pub(super) fn refused_as_unpaired(&mut self, reason: &str) {
        if !reason.starts_with(NOT_PAIRED) {
            return;
        }
        let stored = load_token();
        if stored.is_some() && stored != self.token {
            // Another tab has paired this browser meanwhile.
            return self.paired(stored);
        }
        save_token(None);
        self.set_token(None);
        if !self.asks() {
            self.store.pairing.set(Pairing::Ask { code: None, why: reason.to_owned() });
        }
    }

    /// The reader wants to pair this browser.
    pub(super) fn pair(&mut self, pasted: &str, name: &str) {
        let code = place::code_in(pasted);
        if code.is_empty() {
            return self.store.pairing.set(Pairing::Failed(NO_CODE.to_owned()));
        }
        self.store.pairing.set(Pairing::Working);
        let mut body = Map::new();
        body.insert("code".to_owned(), code.into());
        body.insert("name".to_owned(), name.trim().into());
        let call = Call::default();
        let answer = call.send("POST", "pair", None, &json::line(&Value::Object(body)).into());
        let door = self.door.clone();
        spawn_local(async move {
            let token = async { token_in(&http::text(&answer.await?).await?) };
            door.put(Input::Paired(token.await));
            drop(call);
        });
    }

    /// The adapter has answered.
    pub(super) fn pair_answered(&mut self, end: Result<String, String>) {
        match end {
            Ok(token) => {
                // Where nothing can be stored it lasts as long as the page.
                save_token(Some(&token));
                self.paired(Some(token));
            }
            Err(why) => self.store.pairing.set(Pairing::Failed(why)),
        }
    }

    /// Another tab has paired this browser.
    pub(super) fn token_stored(&mut self) {
        let token = load_token();
        if self.asks() && token.is_some() {
            self.paired(token);
        }
    }

    fn paired(&mut self, token: Option<String>) {
        self.set_token(token);
        self.store.pairing.set(Pairing::None);
        self.step(Event::Reconnect);
    }

    fn set_token(&mut self, token: Option<String>) {
        self.machine.set_token(token.clone());
        self.token = token;
    }
}

fn token_in(text: &JsString) -> Result<String, String> {
    let answer = json::parse(text)?;
    let token = answer.get("token").and_then(Value::as_str).filter(|token| !token.is_empty());
    token.map(str::to_owned).ok_or_else(|| NO_TOKEN.to_owned())
}
