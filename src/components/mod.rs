//! What is on the screen: one file for each thing you can point at, with a style sheet of the same name in `style/`.
//!
//! Components read the store's signals and send `Intent`s; they never touch the socket and own no transcript.
//!
//! *Every subtree of a `view!` stays dynamic.* Leptos compiles a wholly static subtree to `template.innerHTML`,
//! which Trusted Types refuse. Hence classes and words stand in braces: `class={"notice"}`, `{"Retry"}`.
//! `tests/view_static.rs` mounts every component and counts the uses of `innerHTML`.

pub mod activity;
pub mod anchor;
pub mod answer;
pub mod ask;
pub mod attachments;
pub mod below_button;
pub mod busy_mode;
pub mod chat_entry;
pub mod chat_list;
pub mod chats;
pub mod commentary;
pub mod composer;
pub mod connection_banner;
pub mod copy_button;
pub mod file;
pub mod file_row;
pub mod follow;
pub mod found;
pub mod icon;
pub mod later;
pub mod live_text;
pub mod long_text;
pub mod modal;
pub mod notice;
pub mod older;
pub mod pairing;
pub mod reasoning;
pub mod search;
pub mod settings_sheet;
pub mod shell;
pub mod slash;
pub mod status;
pub mod suggestions;
pub mod timeline;
pub mod tool_card;
pub mod tools;
pub mod top_bar;
pub mod trouble;
pub mod user_message;
pub mod working;

use crate::store::{Intent, Store};
use iris_core::ids::{ChatId, TurnId};
use leptos::prelude::expect_context;

/// The page's store; the app provides it above the shell.
pub(crate) fn store() -> Store {
    expect_context::<Store>()
}

/// Where the page is that exports a chat, or first of all this turn of it.
pub(crate) fn export_address(chat: &ChatId, turn: Option<&TurnId>) -> String {
    let coded = |id: &str| String::from(js_sys::encode_uri_component(id));
    let turn = turn.map(|turn| format!("/{}", coded(turn.as_str()))).unwrap_or_default();
    format!("#export/{}{turn}", coded(chat.as_str()))
}

impl Store {
    /// Asks for something.
    pub fn ask_for(&self, intent: Intent) {
        (self.intents)(intent);
    }
}
