//! This program's icons: one path each on a 24-unit grid, drawn with the text's colour, in the app's style.

use leptos::prelude::*;

/// What an icon shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// Close, or failed.
    Cross,
    /// Play.
    Play,
    /// Pause.
    Pause,
    /// To what was before.
    Last,
    /// To what comes next.
    Next,
    /// Open a file.
    Open,
}

impl Glyph {
    const fn path(self) -> &'static str {
        match self {
            Self::Cross => "m6.5 6.5 11 11m0-11-11 11",
            Self::Play => "M8 5.5v13l10.5-6.5Z",
            Self::Pause => "M8 6v12M16 6v12",
            Self::Last => "M6 6v12M18 6.5v11L9.5 12Z",
            Self::Next => "M18 6v12M6 6.5v11l8.5-5.5Z",
            Self::Open => {
                "M3.5 18V6.5A1.5 1.5 0 0 1 5 5h4l2 2.5h6A1.5 1.5 0 0 1 18.5 9v1.5M3.5 18l2.6-6.4a1.5 1.5 0 0 1 1.4-1h13l-2.9 7.4a1.5 1.5 0 0 1-1.4 1H4.3a.8.8 0 0 1-.8-1Z"
            }
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
