//! What a message does to the turn that runs: breaks it off, tells it, or waits for its end.

use iris_core::protocol::frame::SendMode;
use leptos::prelude::*;

use crate::fixed::fixed;
use crate::reactive::{handler, memo};
use crate::storage::{load_choice, save_choice};
use crate::store::Store;

/// A mode, its capability and value, its name, and what the composer says of it.
type Known = (SendMode, &'static str, &'static str, &'static str);

/// Every mode; the first that is offered counts until the user chooses another.
const MODES: [Known; 3] = [
    (SendMode::Queue, "queue", "Queue", "Answered when Hermes is done"),
    (SendMode::Steer, "steer", "Steer", "Tell Hermes while it works"),
    (SendMode::Interrupt, "interrupt", "Interrupt", "Interrupt Hermes"),
];

/// What this device remembers.
const CHOICE: &str = "busy";

/// The modes that the backend offers, and the one that is chosen.
#[derive(Clone, Copy)]
pub struct BusyModes {
    offered: Memo<Vec<Known>>,
    chosen: RwSignal<String>,
}

impl BusyModes {
    /// The choice as this device made it last.
    pub fn new(store: &Store) -> Self {
        let capabilities = store.capabilities.clone();
        let offered = memo(move || {
            let has = |(_, name, ..): &Known| capabilities.with(|all| all.iter().any(|one| one == name));
            MODES.into_iter().filter(has).collect()
        });
        Self { offered, chosen: RwSignal::new(load_choice(CHOICE).unwrap_or_default()) }
    }

    fn current(self) -> Option<Known> {
        let offered = self.offered.get();
        self.chosen
            .with(|chosen| offered.iter().find(|(_, name, ..)| name == chosen).copied())
            .or(offered.first().copied())
    }

    /// What a message does now; `None` if it cannot be sent while a turn runs.
    pub fn mode(self) -> Option<SendMode> {
        self.current().map(|(mode, ..)| mode)
    }

    /// What becomes of a message, for the empty text field.
    pub fn words(self) -> Option<&'static str> {
        self.current().map(|(.., words)| words)
    }

    fn choose(self, name: &'static str) {
        self.chosen.set(name.to_owned());
        save_choice(CHOICE, name);
    }
}

/// The choice; nothing where there is none: what the only mode does stands in the text field.
#[component]
pub fn BusyMode(
    /// What is offered.
    modes: BusyModes,
) -> impl IntoView {
    let radio = move |(mode, name, label, words): Known| {
        view! {
            <label class={"mode"} title=words>
                <input
                    {..fixed(&[("class", "mode-input"), ("type", "radio"), ("name", "mode")])}
                    value=name
                    prop:checked=move || modes.mode() == Some(mode)
                    on:change=handler(move |_| modes.choose(name))
                />
                <span class={"mode-label"}>{label}</span>
            </label>
        }
        .into_any()
    };
    crate::reactive::optional(move || {
        let offered = modes.offered.get();
        (offered.len() > 1).then(|| {
            view! {
                <div {..fixed(&[("class", "modes"), ("data-mode", ""), ("role", "radiogroup"), ("aria-label", "A message now")])}>
                    {offered.into_iter().map(radio).collect_view()}
                </div>
            }
        })
    })
}
