//! The way back to the end, while the reader is elsewhere.

use leptos::prelude::*;

use super::follow::Follow;
use super::icon::{Glyph, Icon};
use crate::fixed::fixed;
use crate::reactive::{handler, optional};

/// The button; nothing while the end is followed.
#[component]
pub fn BelowButton(
    /// Who follows.
    follow: Follow,
) -> impl IntoView {
    optional(move || {
        (!follow.following()).then(|| {
            let news = follow.news();
            view! {
                <button
                    {..fixed(&[("type", "button"), ("data-action", "below")])}
                    class=if news { "below news" } else { "below" }
                    on:click=handler(move |_| follow.attach())
                >
                    <Icon glyph=Glyph::Down />
                    <span class=if news { "below-words" } else { "aloud" }>
                        {if news { "New text below" } else { "To the end" }}
                    </span>
                </button>
            }
        })
    })
}
