//! Where the chats are: beside the text on a wide screen, where they can be folded away; in a drawer on a phone.

use leptos::prelude::*;

use super::chat_list::ChatList;
use super::modal::Modal;
use crate::fixed::fixed;
use crate::hooks::use_media_query;
use crate::reactive::{dynamic, effect, optional};
use crate::storage::{load_choice, save_choice};

/// From here on there is room for both; `style/chats.css` has the same number.
const WIDE: &str = "(min-width: 56.25rem)";
/// What this device remembers: the list is folded away.
const CHOICE: &str = "chats";
const FOLDED: &str = "folded";

/// Whether the list shows.
#[derive(Clone, Copy)]
pub struct Chats {
    wide: ReadSignal<bool>,
    /// The drawer of a narrow screen.
    open: RwSignal<bool>,
    /// The list of a wide one.
    folded: RwSignal<bool>,
}

impl Chats {
    /// As this device had it last; a drawer begins closed.
    pub fn new() -> Self {
        let wide = use_media_query(WIDE);
        let open = RwSignal::new(false);
        effect(move || {
            if wide.get() {
                open.set(false);
            }
        });
        let folded = load_choice(CHOICE).as_deref() == Some(FOLDED);
        Self { wide, open, folded: RwSignal::new(folded) }
    }

    /// Whether the list stands beside the text.
    pub fn beside(self) -> bool {
        self.wide.get() && !self.folded.get()
    }

    /// Whether the list can be seen.
    pub fn shown(self) -> bool {
        if self.wide.get() { !self.folded.get() } else { self.open.get() }
    }

    /// Shows the list, or puts it away.
    pub fn toggle(self) {
        if self.wide.get_untracked() {
            self.folded.update(|folded| *folded = !*folded);
            save_choice(CHOICE, if self.folded.get_untracked() { FOLDED } else { "" });
        } else {
            self.open.update(|open| *open = !*open);
        }
    }

    /// The reader has chosen: a drawer makes room.
    pub fn chosen(self) {
        self.open.set(false);
    }
}

impl Default for Chats {
    fn default() -> Self {
        Self::new()
    }
}

/// The list, where there is room for it.
#[component]
pub fn ChatsPlace(
    /// Whether it shows.
    chats: Chats,
) -> impl IntoView {
    dynamic(move || {
        if chats.wide.get() {
            optional(move || {
                (!chats.folded.get()).then(|| {
                    view! {
                        <nav {..fixed(&[("class", "side"), ("aria-label", "Chats")])}>
                            <ChatList chats />
                        </nav>
                    }
                })
            })
        } else {
            view! {
                <Modal class="drawer" label="Chats" open=chats.open>
                    <ChatList chats />
                </Modal>
            }
            .into_any()
        }
    })
}
