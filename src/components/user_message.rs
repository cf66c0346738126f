//! What the user said, as a bubble of plain text, and what became of it when it could not be sent.

use iris_core::connection::State;
use iris_core::format::visible;
use iris_core::ids::ClientId;
use iris_core::protocol::frame::FileInfo;
use iris_core::timeline::item::Pending;
use leptos::prelude::*;

use super::found::row_key;
use super::icon::{Glyph, Icon};
use super::later::{Later, later};
use super::store;
use crate::fixed::fixed;
use crate::reactive::{dynamic, handler, memo, optional};
use crate::store::{Intent, Store, UserRow};

/// The bubble.
#[component]
pub fn UserMessage(
    /// The message.
    row: UserRow,
) -> impl IntoView {
    let text = RwSignal::from(row.text);
    let client_id = RwSignal::from(row.client_id);
    let pending = RwSignal::from(row.pending);
    let attachments = RwSignal::from(row.attachments);
    let unsent = memo(move || pending.with(Option::is_some));
    let says = memo(move || text.with(|text| !text.trim().is_empty()));
    view! {
        <article {..fixed(&[("class", "user"), ("data-row", "user")])} data-key=row_key()>
            <span class={"aloud"}>{"You: "}</span>
            {dynamic(move || attachments.get().into_iter().map(attachment).collect_view())}
            {optional(move || says.get().then(|| view! {
                <div {..fixed(&[("class", "user-bubble"), ("data-text", "")])} class:unsent=move || unsent.get()>
                    {move || text.with(|text| visible(text).into_owned())}
                </div>
            }))}
            {optional(move || {
                pending
                    .get()
                    .map(|pending| match pending {
                        Pending::Sending => view! { <Sending /> }.into_any(),
                        Pending::Failed(reason) => view! { <Failed reason client_id /> }.into_any(),
                    })
            })}
        </article>
    }
}

fn attachment(file: FileInfo) -> AnyView {
    let name = file.name.clone();
    view! { <div class={"user-file"} data-attachment=name>{later(Later::File(file))}</div> }.into_any()
}

#[component]
fn Sending() -> impl IntoView {
    let connection = store().connection;
    let online = memo(move || connection.with(|state| *state == State::Online));
    view! {
        <p class={"user-state waiting"}>
            {move || if online.get() { "Sending…" } else { "Waits for the connection" }}
        </p>
    }
}

#[component]
fn Failed(reason: String, client_id: RwSignal<Option<ClientId>>) -> impl IntoView {
    let (retry, discard) = (store(), store());
    let send = move |store: &Store, intent: fn(ClientId) -> Intent| {
        if let Some(id) = client_id.get_untracked() {
            store.ask_for(intent(id));
        }
    };
    view! {
        <p class={"user-state failed"}>
            <Icon glyph=Glyph::Warning />
            {format!("Not sent: {}", visible(&reason))}
        </p>
        <div class={"user-actions"}>
            <button {..fixed(&[("type", "button"), ("class", "button"), ("data-action", "retry")])} on:click=handler(move |_| send(&retry, Intent::Retry))>
                <Icon glyph=Glyph::Retry />
                {"Send again"}
            </button>
            <button {..fixed(&[("type", "button"), ("class", "button plain")])} on:click=handler(move |_| send(&discard, Intent::Discard))>
                {"Discard"}
            </button>
        </div>
    }
}
