//! The frame of the page: bar, text, composer. The root of everything that is drawn.

use iris_core::connection::State;
use iris_core::timeline::Activity;
use leptos::prelude::*;

use super::activity::{use_activity, use_line};
use super::attachments::DropZone;
use super::below_button::BelowButton;
use super::busy_mode::BusyModes;
use super::chats::{Chats, ChatsPlace};
use super::composer::{Composer, Pen};
use super::connection_banner::ConnectionBanner;
use super::follow::Follow;
use super::found::point_out_target;
use super::later::{Later, later};
use super::older::Older;
use super::pairing::Pairing;
use super::settings_sheet::SettingsSheet;
use super::status::Status;
use super::store;
use super::suggestions::{Examples, Welcome};
use super::timeline::Timeline;
use super::top_bar::TopBar;
use super::trouble::Trouble;
use super::working::Working;
use crate::browser::modules;
use crate::fixed::fixed;
use crate::held::Held;
use crate::reactive::{dynamic, effect, memo, optional};
use crate::store::{Intent, Older as Before, Pairing as Stand, Store};

/// The page. Needs a `Store` in its context.
#[component]
pub fn Shell() -> impl IntoView {
    let pairing = store().pairing;
    let unpaired = memo(move || pairing.with(|stand| *stand != Stand::None));
    dynamic(
        move || if unpaired.get() { view! { <Pairing /> }.into_any() } else { view! { <Chat /> }.into_any() },
    )
}

/// The chat on screen and what stands around it.
#[component]
fn Chat() -> impl IntoView {
    let store = store();
    let activity = use_activity(store.clone());
    let line = use_line(&store, activity);
    let busy = memo(move || activity.with(|activity| *activity != Activity::Idle));
    let (rows, suggestions, replay) = (store.rows.clone(), store.suggestions.clone(), store.replay);
    let empty = memo(move || rows.with(Vec::is_empty));
    let follow = Follow::new(memo(move || !empty.get()), busy, older_history(&store));
    provide_context(follow);
    begin_at_the_end(&store, follow);
    point_out_target(&store, follow);
    let pen = Pen::new();
    provide_context(pen);
    let (chats, modes) = (Chats::new(), BusyModes::new(&store));
    let settings_open = RwSignal::new(false);
    let offers = memo(move || !empty.get() && suggestions.with(|offers| !offers.is_empty()));
    view! {
        <div class=if replay { "shell replay" } else { "shell" } class:beside=move || chats.beside()>
            <ChatsPlace chats />
            <TopBar chats settings_open />
            <ConnectionBanner />
            <Trouble />
            <main
                {..fixed(&[("class", "scroll"), ("data-scroller", ""), ("tabindex", "0"), ("aria-label", "Conversation")])}
                class:following=move || follow.following()
                node_ref=follow.scroller
            >
                <div class={"timeline"} node_ref=follow.content>
                    <Older />
                    {optional(move || (empty.get() && !replay).then(|| view! { <Welcome /> }))}
                    <Timeline />
                </div>
            </main>
            <footer class={"dock"}>
                <BelowButton follow />
                <div class={"dock-line"}>
                    <Working line />
                    {dynamic(move || match (busy.get(), offers.get()) {
                        (true, _) if !replay => later(Later::BusyMode(modes)),
                        (false, true) => view! { <Examples /> }.into_any(),
                        _ => ().into_any(),
                    })}
                </div>
                {if replay { view! { <Player /> }.into_any() } else { view! { <Composer busy modes pen /> }.into_any() }}
            </footer>
            <Status activity line />
            <SettingsSheet open=settings_open />
            {(!replay).then(|| view! { <DropZone /> }.into_any())}
        </div>
    }
}

/// Where the desk's controls of a recorded run stand, in place of the composer.
#[component]
fn Player() -> impl IntoView {
    let place = Held::new();
    effect(move || {
        if let Some(place) = place.get() {
            modules::load("desk", &place);
        }
    });
    view! { <div {..fixed(&[("class", "player"), ("data-page", "player")])} node_ref=place></div> }
}

/// Asks for what stands before the first row, as long as there is more and it can be had.
fn older_history(store: &Store) -> Callback<()> {
    let store = store.clone();
    Callback::new(move |()| {
        let online = store.connection.with_untracked(|state| *state == State::Online);
        if online && store.older.get_untracked() == Before::More {
            store.ask_for(Intent::OlderHistory);
        }
    })
}

/// Another chat begins at its end, wherever the reader was in the last one.
fn begin_at_the_end(store: &Store, follow: Follow) {
    let chat = store.chat.clone();
    effect(move || {
        chat.track();
        follow.attach();
    });
}
