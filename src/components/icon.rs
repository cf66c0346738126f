//! The app's own icons: one path each on a 24-unit grid, drawn with the text's colour.

use crate::fixed::fixed;
use leptos::prelude::*;

/// What an icon shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// Done.
    Check,
    /// Failed, or close.
    Cross,
    /// Nothing is known.
    Dash,
    /// Opens and closes; turned by CSS.
    Chevron,
    /// Copy.
    Copy,
    /// A new chat.
    Compose,
    /// Send.
    Up,
    /// Stop.
    Stop,
    /// To the end.
    Down,
    /// Settings.
    Sliders,
    /// Good to know.
    Info,
    /// Something is not as it should be.
    Warning,
    /// A permission is asked for.
    Shield,
    /// A question.
    Question,
    /// Again.
    Retry,
    /// The list of chats.
    Menu,
    /// More about this.
    Dots,
    /// Search.
    Search,
    /// Attach a file.
    Clip,
    /// A file.
    File,
    /// Download.
    Download,
}

impl Glyph {
    const fn path(self) -> &'static str {
        match self {
            Self::Check => "m5 12.5 4.5 4.5L19 7.5",
            Self::Cross => "m6.5 6.5 11 11m0-11-11 11",
            Self::Dash => "M7 12h10",
            Self::Chevron => "m7 10 5 5 5-5",
            Self::Copy => {
                "M11.5 9h6a2.5 2.5 0 0 1 2.5 2.5v6a2.5 2.5 0 0 1-2.5 2.5h-6A2.5 2.5 0 0 1 9 17.5v-6A2.5 2.5 0 0 1 \
                 11.5 9ZM15 5.5A1.5 1.5 0 0 0 13.5 4h-7A2.5 2.5 0 0 0 4 6.5v7A1.5 1.5 0 0 0 5.5 15"
            }
            Self::Compose => {
                "M11.5 5H7a2.5 2.5 0 0 0-2.5 2.5V17A2.5 2.5 0 0 0 7 19.5h9.5A2.5 2.5 0 0 0 19 17v-4.5M17.7 \
                 4.2a1.75 1.75 0 0 1 2.5 2.5l-7.7 7.6-3.3.8.8-3.3Z"
            }
            Self::Up => "M12 19V5.5m-5.5 5.5L12 5.5l5.5 5.5",
            Self::Stop => {
                "M8.75 7h6.5A1.75 1.75 0 0 1 17 8.75v6.5A1.75 1.75 0 0 1 15.25 17h-6.5A1.75 1.75 0 0 1 7 \
                 15.25v-6.5A1.75 1.75 0 0 1 8.75 7Z"
            }
            Self::Down => "M12 5v14m-6-6 6 6 6-6",
            Self::Sliders => {
                "M4 7h9m5 0h2M4 17h2m5 0h9M13 7a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M6 17a2.5 2.5 0 1 0 5 \
                 0 2.5 2.5 0 1 0-5 0"
            }
            Self::Info => "M3.5 12a8.5 8.5 0 1 0 17 0 8.5 8.5 0 1 0-17 0M12 11v5M12 8h.01",
            Self::Warning => "M12 4.5 3 19.5h18ZM12 10.5v4M12 17h.01",
            Self::Shield => "M12 3.5 5 6v5.5c0 4.2 2.8 7.3 7 9 4.2-1.7 7-4.8 7-9V6Zm-3 8.3 2.2 2.2 3.8-4",
            Self::Question => {
                "M3.5 12a8.5 8.5 0 1 0 17 0 8.5 8.5 0 1 0-17 0M9.7 9.7a2.3 2.3 0 1 1 3.3 2.1c-.7.3-1 \
                 .8-1 1.6M12 16.3h.01"
            }
            Self::Retry => "M4.5 12a7.5 7.5 0 1 0 2.4-5.5L4.5 8.8M4.5 4.5v4.3h4.3",
            Self::Menu => "M4 7h16M4 12h16M4 17h10",
            Self::Dots => "M5.5 12h.01M12 12h.01M18.5 12h.01",
            Self::Search => "M4.5 11a6.5 6.5 0 1 0 13 0 6.5 6.5 0 1 0-13 0M20 20l-4.3-4.3",
            Self::Clip => {
                "m19 11.5-7.2 7.2a4.6 4.6 0 0 1-6.5-6.5l7.6-7.6a3.1 3.1 0 0 1 4.4 4.4l-7.6 7.6a1.5 1.5 0 0 \
                 1-2.2-2.2l6.8-6.8"
            }
            Self::File => {
                "M13.5 3.5h-6A1.5 1.5 0 0 0 6 5v14a1.5 1.5 0 0 0 1.5 1.5h9A1.5 1.5 0 0 0 18 19V8Zm0 0V8H18"
            }
            Self::Download => "M12 4v10.5m-5-5 5 5 5-5M5 19.5h14",
        }
    }
}

/// An icon. It is never the only name of a thing: the button or line it stands in has words.
#[component]
pub fn Icon(
    /// What it shows.
    glyph: Glyph,
) -> impl IntoView {
    let class = if glyph == Glyph::Stop { "icon solid" } else { "icon" };
    view! {
        <svg {..fixed(&[("viewBox", "0 0 24 24"), ("aria-hidden", "true")])} class=class>
            <path d=glyph.path()></path>
        </svg>
    }
}

/// The mark: a ring with a filled iris.
#[component]
pub fn Mark() -> impl IntoView {
    view! {
        <svg {..fixed(&[("class", "mark"), ("viewBox", "0 0 24 24"), ("aria-hidden", "true")])}>
            <circle {..fixed(&[("class", "mark-ring"), ("cx", "12"), ("cy", "12"), ("r", "9")])}></circle>
            <circle {..fixed(&[("class", "mark-iris"), ("cx", "12"), ("cy", "12"), ("r", "4")])}></circle>
        </svg>
    }
}
