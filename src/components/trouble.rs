//! Why Hermes cannot answer now, and what to do about it, in the backend's words.

use iris_core::connection::State;
use iris_core::format::visible;
use leptos::prelude::*;

use super::icon::{Glyph, Icon};
use super::store;
use crate::fixed::fixed;
use crate::reactive::{dynamic, memo, optional};

/// The banner; nothing while all is well. Without a connection nobody knows, and the connection's own banner speaks.
#[component]
pub fn Trouble() -> impl IntoView {
    let store = store();
    let (backend, connection) = (store.backend, store.connection);
    let trouble = memo(move || {
        let online = connection.with(|state| *state == State::Online);
        backend.with(|backend| backend.as_ref().filter(|_| online)?.trouble.clone())
    });
    let any = memo(move || trouble.with(Option::is_some));
    optional(move || {
        any.get().then(|| {
            view! {
                <aside {..fixed(&[("class", "banner"), ("role", "status"), ("data-trouble", "")])}>
                    <Icon glyph=Glyph::Warning />
                    <p class={"banner-words"}>{dynamic(move || with_code(&trouble.get().unwrap_or_default()))}</p>
                </aside>
            }
        })
    })
}

/// A sentence whose commands stand between backticks, as Hermes and its adapter write them.
pub(super) fn with_code(text: &str) -> AnyView {
    let text = visible(text).into_owned();
    if text.matches('`').count() % 2 == 1 {
        return text.into_any();
    }
    let part = |(at, part): (usize, &str)| match (at % 2, part.to_owned()) {
        (1, code) => view! { <code class={"command"}>{code}</code> }.into_any(),
        (_, words) => words.into_any(),
    };
    text.split('`').enumerate().map(part).collect_view().into_any()
}
