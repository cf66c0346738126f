//! The frame of the page: bar, text, composer. The root of everything that is drawn.

use leptos::prelude::*;

use super::activity::{Activity, use_activity};
use super::below_button::BelowButton;
use super::composer::{Composer, Pen};
use super::connection_banner::ConnectionBanner;
use super::follow::Follow;
use super::settings_sheet::SettingsSheet;
use super::status::Status;
use super::store;
use super::suggestions::{Examples, Welcome};
use super::timeline::Timeline;
use super::top_bar::TopBar;
use super::working::Working;
use crate::reactive::{memo, optional};

/// The page. Needs a `Store` in its context.
#[component]
pub fn Shell() -> impl IntoView {
    let store = store();
    let activity = use_activity(store.clone());
    let busy = memo(move || activity.with(|activity| *activity != Activity::Idle));
    let (rows, suggestions) = (store.rows.clone(), store.suggestions.clone());
    let empty = memo(move || rows.with(Vec::is_empty));
    let follow = Follow::new(memo(move || !empty.get()), busy);
    provide_context(follow);
    let pen = Pen::new();
    provide_context(pen);
    let settings_open = RwSignal::new(false);
    let offers = memo(move || !empty.get() && suggestions.with(|offers| !offers.is_empty()));
    view! {
        <div class={"shell"}>
            <TopBar settings_open />
            <ConnectionBanner />
            <main
                class={"scroll"}
                class:following=move || follow.following()
                node_ref=follow.scroller
                data-scroller={""}
                tabindex={"0"}
                aria-label={"Conversation"}
            >
                <div class={"timeline"} node_ref=follow.content>
                    {optional(move || empty.get().then(|| view! { <Welcome /> }))}
                    <Timeline />
                </div>
            </main>
            <footer class={"dock"}>
                <BelowButton follow />
                <div class={"dock-line"}>
                    <Working activity />
                    {optional(move || (offers.get() && !busy.get()).then(|| view! { <Examples /> }))}
                </div>
                <Composer busy pen />
            </footer>
            <Status activity />
            <SettingsSheet open=settings_open />
        </div>
    }
}
