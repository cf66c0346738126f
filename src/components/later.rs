//! The app's second part: what nobody sees before pressing something, and rows that few chats have.
//!
//! The code of these views, with all that nothing else calls, is a file of its own (`crates/xtask/src/split.rs` cuts it
//! off). It is fetched once the chat is on screen, so that it is there when somebody asks for it; who asks sooner reads
//! "Loading…", and who has no connection then, that it could not be loaded, and a button to try again.
//!
//! Without the feature `split`, which only the build for a browser sets, all is one file and nothing is waited for.

#[cfg(feature = "split")]
use std::{
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};

use iris_core::ids::ChatId;
use iris_core::protocol::frame::FileInfo;
use iris_core::timeline;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_split::SplitLoaderError;

use super::ask::Ask;
use super::attachments::Attached;
use super::busy_mode::{BusyMode, BusyModes};
use super::chat_entry::{Actions, Delete, Editing, Rename};
use super::chat_list::All;
use super::chats::Chats;
use super::file::File;
use super::notice::Details;
use super::search::Hits;
use super::settings_sheet::Panel;
use super::slash::{Commands, Slash};
use super::tool_card::ToolBody;
use crate::fixed::fixed;
use crate::reactive::{dynamic, handler};
use crate::store::{AskRow, ToolRow, Upload};

/// A view of the second part, and what it shows.
#[derive(Clone)]
#[expect(missing_docs, reason = "each is the component of its name, and has its arguments")]
pub enum Later {
    Actions(ChatId, Editing),
    All(Chats),
    Ask(AskRow),
    Attached(RwSignal<Vec<Upload>>),
    BusyMode(BusyModes),
    Commands(Slash),
    Delete(ChatId, String, Editing),
    Details(RwSignal<timeline::Notice>),
    File(FileInfo),
    Hits(RwSignal<String>, Chats),
    Panel,
    Rename(ChatId, String, Editing),
    ToolBody(ToolRow),
}

/// One function for all of them: each costs the first part what it takes to ask for it from another file.
#[cfg_attr(
    feature = "split",
    leptos::wasm_split::wasm_split(later, fallible, preload(fetch), wasm_split_path = leptos::wasm_split)
)]
fn draw(view: Later) -> Result<AnyView, SplitLoaderError> {
    Ok(match view {
        Later::Actions(id, edit) => view! { <Actions id edit /> }.into_any(),
        Later::All(chats) => view! { <All chats /> }.into_any(),
        Later::Ask(row) => view! { <Ask row /> }.into_any(),
        Later::Attached(uploads) => view! { <Attached uploads /> }.into_any(),
        Later::BusyMode(modes) => view! { <BusyMode modes /> }.into_any(),
        Later::Commands(slash) => view! { <Commands slash /> }.into_any(),
        Later::Delete(id, title, edit) => view! { <Delete id title edit /> }.into_any(),
        Later::Details(notice) => view! { <Details notice /> }.into_any(),
        Later::File(file) => view! { <File file /> }.into_any(),
        Later::Hits(words, chats) => view! { <Hits words chats /> }.into_any(),
        Later::Panel => view! { <Panel /> }.into_any(),
        Later::Rename(id, title, edit) => view! { <Rename id title edit /> }.into_any(),
        Later::ToolBody(tool) => view! { <ToolBody tool /> }.into_any(),
    })
}

/// Nothing is to be fetched.
#[cfg(not(feature = "split"))]
async fn fetch() -> Result<(), SplitLoaderError> {
    Ok(())
}

/// Fetches the second part, so that it is there when it is needed. Where that fails, whoever needs it tries again.
pub fn prefetch() {
    spawn_local(async {
        let _ = fetch().await;
    });
}

/// The view, if its code is there.
fn at_once(view: Later) -> Option<AnyView> {
    #[cfg(feature = "split")]
    let view = match pin!(draw(view)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(view) => view,
        Poll::Pending => return None,
    };
    #[cfg(not(feature = "split"))]
    let view = draw(view);
    view.ok()
}

/// How a view stands whose code was not there at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    Loading,
    Here,
    Failed,
}

/// The view; until its code is there, what stands in its place.
pub fn later(view: Later) -> AnyView {
    // The usual case: nothing flashes.
    if let Some(view) = at_once(view.clone()) {
        return view;
    }
    let stand = RwSignal::new(Stand::Loading);
    let load = move || {
        stand.set(Stand::Loading);
        spawn_local(async move {
            let now = if fetch().await.is_ok() { Stand::Here } else { Stand::Failed };
            // Whoever asked may have gone meanwhile, and the place with it: then nothing is drawn.
            let _ = stand.try_set(now);
        });
    };
    load();
    dynamic(move || {
        match stand.get() {
        Stand::Here => at_once(view.clone()).into_any(),
        Stand::Loading => view! { <p {..fixed(&[("class", "later"), ("role", "status")])}>{"Loading…"}</p> }.into_any(),
        Stand::Failed => view! {
            <p {..fixed(&[("class", "later"), ("role", "alert")])}>
                {"This part of Iris could not be loaded."}
                <button {..fixed(&[("type", "button"), ("class", "button")])} on:click=handler(move |_| load())>{"Try again"}</button>
            </p>
        }
        .into_any(),
    }
    })
}
