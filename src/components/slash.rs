//! Slash commands while they are written: the list above the composer, and its keys.

use iris_core::format::visible;
use iris_core::protocol::frame::SlashCommand;
use leptos::prelude::*;

use super::later::{Later, later};
use crate::fixed::fixed;
use crate::held::Held;
use crate::reactive::{dynamic, effect, handler, memo, optional};
use crate::store::Store;

/// The commands that this draft may become: those that begin with it, then those that hold it. None unless the whole
/// draft is a slash and the beginning of a name.
pub fn matches(draft: &str, commands: &[SlashCommand]) -> Vec<SlashCommand> {
    let Some(typed) = draft.strip_prefix('/').filter(|typed| !typed.contains(char::is_whitespace)) else {
        return Vec::new();
    };
    let typed = typed.to_ascii_lowercase();
    let begins = |command: &&SlashCommand| command.name.to_ascii_lowercase().starts_with(&typed);
    let holds = |command: &&SlashCommand| command.name.to_ascii_lowercase().contains(&typed);
    let first = commands.iter().filter(begins);
    first.chain(commands.iter().filter(|command| !begins(command) && holds(command))).cloned().collect()
}

/// The list and what is chosen in it.
#[derive(Clone, Copy)]
pub struct Slash {
    draft: RwSignal<String>,
    found: Memo<Vec<SlashCommand>>,
    at: RwSignal<usize>,
    /// The draft for which the list was put away.
    away: RwSignal<Option<String>>,
}

impl Slash {
    /// Watches the draft.
    pub fn new(store: &Store) -> Self {
        let draft = RwSignal::from(store.draft.clone());
        let commands = store.commands.clone();
        let found = memo(move || commands.with(|commands| draft.with(|draft| matches(draft, commands))));
        let at = RwSignal::new(0);
        effect(move || {
            found.track();
            at.set(0);
        });
        Self { draft, found, at, away: RwSignal::new(None) }
    }

    /// Whether the list shows.
    pub fn open(self) -> bool {
        self.found.with(|found| !found.is_empty())
            && self.away.with(|away| self.draft.with(|draft| away.as_ref() != Some(draft)))
    }

    /// The id of the option that is chosen, for `aria-activedescendant`.
    pub fn active(self) -> Option<String> {
        self.open().then(|| option_id(self.at.get()))
    }

    /// Takes a key of the text field. True if it was for the list.
    pub fn takes(self, key: &str) -> bool {
        if !untrack(|| self.open()) {
            return false;
        }
        let count = self.found.with_untracked(Vec::len);
        let at = self.at.get_untracked();
        match key {
            "ArrowDown" => self.at.set((at + 1) % count),
            "ArrowUp" => self.at.set((at + count - 1) % count),
            "Escape" => self.away.set(Some(self.draft.get_untracked())),
            "Tab" => self.pick(at),
            // What is written out is sent.
            "Enter" if !self.is_written_out(at) => self.pick(at),
            _ => return false,
        }
        true
    }

    fn name(self, at: usize) -> Option<String> {
        self.found.with_untracked(|found| found.get(at).map(|command| command.name.clone()))
    }

    fn is_written_out(self, at: usize) -> bool {
        let name = self.name(at);
        self.draft.with_untracked(|draft| draft.strip_prefix('/') == name.as_deref())
    }

    fn pick(self, at: usize) {
        if let Some(name) = self.name(at) {
            self.draft.set(format!("/{name} "));
        }
    }
}

/// The id of the list.
pub(super) const LIST_ID: &str = "slash-list";

fn option_id(at: usize) -> String {
    format!("slash-{at}")
}

/// The list; the focus stays in the text.
#[component]
pub fn SlashList(
    /// What is found and chosen.
    slash: Slash,
) -> impl IntoView {
    let open = memo(move || slash.open());
    optional(move || open.get().then(|| later(Later::Commands(slash))))
}

/// The commands that are found.
#[component]
pub fn Commands(
    /// What is found and chosen.
    slash: Slash,
) -> impl IntoView {
    view! {
        <div {..fixed(&[
            ("class", "slash"), ("id", LIST_ID), ("data-slash", ""), ("role", "listbox"), ("aria-label", "Commands"),
        ])}>
            {dynamic(move || slash.found.get().into_iter().enumerate().map(|(at, command)| option(slash, at, command)).collect_view())}
        </div>
    }
}

fn option(slash: Slash, at: usize, command: SlashCommand) -> AnyView {
    let chosen = memo(move || slash.at.get() == at);
    let node = Held::new();
    effect(move || {
        if let (true, Some(node)) = (chosen.get(), node.get::<web_sys::HtmlElement>()) {
            into_view(&node);
        }
    });
    view! {
        <div
            {..fixed(&[("class", "slash-option"), ("role", "option")])}
            node_ref=node
            id=option_id(at)
            aria-selected=move || chosen.get().to_string()
            on:mousedown=|event| event.prevent_default()
            on:click=handler(move |_| slash.pick(at))
        >
            <span class={"slash-name"}>
                {format!("/{}", visible(&command.name))}
                <span class={"slash-args"}>{command.args.map(|args| format!(" {}", visible(&args)))}</span>
            </span>
            <span class={"slash-words"}>{visible(&command.description).into_owned()}</span>
        </div>
    }
    .into_any()
}

/// Scrolls the list, and nothing around it, as far as needed.
fn into_view(option: &web_sys::HtmlElement) {
    let Some(list) = option.parent_element() else { return };
    let (top, end) = (option.offset_top(), option.offset_top() + option.offset_height());
    if top < list.scroll_top() {
        list.set_scroll_top(top);
    } else if end > list.scroll_top() + list.client_height() {
        list.set_scroll_top(end - list.client_height());
    }
}
