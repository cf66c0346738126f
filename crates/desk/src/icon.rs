//! This program's icons: one path each on a 24-unit grid, drawn with the text's colour, in the app's style.

use leptos::prelude::*;

/// What an icon shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// Close, or failed.
    Cross,
}

impl Glyph {
    const fn path(self) -> &'static str {
        match self {
            Self::Cross => "m6.5 6.5 11 11m0-11-11 11",
        }
    }
}

/// An icon. It is never the only name of a thing: the button or line it stands in has words.
#[component]
pub fn Icon(
    /// What it shows.
    glyph: Glyph,
) -> impl IntoView {
    view! {
        <svg class={"icon"} viewBox={"0 0 24 24"} aria-hidden={"true"}>
            <path d=glyph.path()></path>
        </svg>
    }
}
