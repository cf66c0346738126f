//! The pages by their names, as they stand in `data-page` and in the address. A page is one component in a file of its own
//! below `pages/`, with a style sheet of the same name in `modules/desk/`.

pub mod doctor;
pub mod export;
pub mod field;
pub mod log;
pub mod runs;
pub mod streams;

use leptos::prelude::*;
use web_sys::HtmlElement;

use crate::replay::{self, controls::Controls};

/// A page.
pub struct Page {
    /// Its name in `data-page` and in the address.
    pub name: &'static str,
    /// What stands above it.
    pub title: &'static str,
    /// Draws it. It is told what stands behind the name and a stroke: `export/CHAT`, `export/CHAT/TURN`.
    pub draw: fn(&str) -> AnyView,
}

/// Every page.
const PAGES: [Page; 5] = [
    Page { name: "replay", title: "Open a recorded run", draw: |_| view! { <runs::Runs /> }.into_any() },
    Page { name: "doctor", title: "Doctor", draw: |_| view! { <doctor::Doctor /> }.into_any() },
    Page { name: "log", title: "Log reader", draw: |_| view! { <log::Log /> }.into_any() },
    Page { name: "streams", title: "Streamed replies", draw: |_| view! { <streams::Streams /> }.into_any() },
    Page {
        name: "export",
        title: "Export",
        draw: |what| view! { <export::Export source=export::Source::named(what) /> }.into_any(),
    },
];
/// The element in which the app has a replay's controls.
const PLAYER: &str = "player";

/// The page of this name.
pub fn find(name: &str) -> Option<&'static Page> {
    let name = name.split_once('/').map_or(name, |(name, _)| name);
    PAGES.iter().find(|page| page.name == name)
}

/// Draws the page that the element's `data-page` names into it; it lives as long as the document.
pub fn mount(element: HtmlElement) {
    let name = element.get_attribute("data-page").unwrap_or_default();
    if name == PLAYER {
        if let Some(signals) = replay::signals() {
            replay::keep(Box::new(mount_to(element, move || view! { <Controls signals /> })));
        }
        return;
    }
    mount_to(element, move || draw(&name)).forget();
}

/// The page of this name. Addresses are written by people: a name that is none is said to be none.
pub fn draw(name: &str) -> AnyView {
    match find(name) {
        Some(page) => (page.draw)(name.split_once('/').map_or("", |(_, of)| of)),
        None => {
            view! { <p class={"desk-note"}>{format!("There is no page named “{name}” here.")}</p> }.into_any()
        }
    }
}
