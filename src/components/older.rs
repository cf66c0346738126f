//! What stands before the first row: a way to it, or the word that nothing does.

use leptos::prelude::*;

use super::store;
use crate::fixed::fixed;
use crate::reactive::{handler, memo, memo_from, optional};
use crate::store::{Intent, Older as Before};

/// The button, while there is more. The page presses it by itself when the reader comes near (`follow.rs`).
#[component]
pub fn Older() -> impl IntoView {
    let store = store();
    let (older, chat) = (RwSignal::from(store.older.clone()), store.chat.clone());
    let more = memo(move || older.get() != Before::None);
    // That a chat begins somewhere is news only to those who went back in it.
    let beginning = memo_from(move |before: Option<&(_, bool, bool)>| {
        let (chat, more) = (chat.get(), more.get());
        let went_back = before.is_some_and(|(same, there_was, _)| *same == chat && *there_was);
        (chat, more || went_back, went_back && !more)
    });
    let ask = move |_| {
        if older.get_untracked() == Before::More {
            store.ask_for(Intent::OlderHistory);
        }
    };
    let words =
        move || if older.get() == Before::Loading { "Loading older messages…" } else { "Older messages" };
    view! {
        {optional(move || {
            let ask = ask.clone();
            more.get().then(|| view! {
                <button {..fixed(&[("type", "button"), ("class", "button plain older"), ("data-action", "older")])} on:click=handler(ask)>
                    {move || words()}
                </button>
            })
        })}
        {optional(move || {
            beginning.with(|(.., here)| *here).then(|| view! { <p class={"older"}>{"Beginning of the chat"}</p> })
        })}
    }
}
