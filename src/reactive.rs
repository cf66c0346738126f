//! Effects, memos and changing views of Leptos, each behind one boxed closure type.
//!
//! Leptos compiles its machinery anew for every closure type it is given, which would be most of the app's size.
//! Components and hooks come through here, so that it is compiled once for every type of *result* instead.
//! What changes is only the type: when something runs, and who owns it, is as Leptos has it.

use leptos::prelude::*;

/// How a value is computed from what it was before.
type Compute<T> = Box<dyn Fn(Option<&T>) -> T + Send + Sync>;

/// Runs in the next microtask, and again whenever something that it reads has changed. What it captures lives as
/// long as the effect.
pub fn effect(run: impl FnMut() + 'static) {
    let run: Box<dyn FnMut()> = Box::new(run);
    Effect::new(run);
}

/// A value that is computed from others and wakes its readers only when it is another one.
pub fn memo<T>(compute: impl Fn() -> T + Send + Sync + 'static) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    memo_from(move |_| compute())
}

/// As `memo`; it is told what it was before.
pub fn memo_from<T>(compute: impl Fn(Option<&T>) -> T + Send + Sync + 'static) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    let compute: Compute<T> = Box::new(compute);
    Memo::new(compute)
}

/// A part of the page that is there only while `draw` gives one.
pub fn optional<V: IntoAny>(mut draw: impl FnMut() -> Option<V> + Send + 'static) -> AnyView {
    let draw: Box<dyn FnMut() -> Option<AnyView> + Send> = Box::new(move || draw().map(V::into_any));
    draw.into_any()
}

/// A part of the page that is drawn again when something that `draw` reads has changed.
pub fn dynamic<V: IntoAny>(mut draw: impl FnMut() -> V + Send + 'static) -> AnyView {
    optional(move || Some(draw()))
}

/// What an element does when something happens to it.
pub fn handler<E: 'static>(run: impl FnMut(E) + 'static) -> Box<dyn FnMut(E)> {
    Box::new(run)
}

/// One entry of a list: what it is known by, and how it is drawn when it comes.
pub struct Entry {
    /// Its identity within the list.
    pub key: u64,
    /// Draws it, once.
    pub draw: Box<dyn FnOnce() -> AnyView + Send>,
}

impl Entry {
    /// An entry.
    pub fn new<V: IntoAny>(key: u64, draw: impl FnOnce() -> V + Send + 'static) -> Self {
        Self { key, draw: Box::new(move || draw().into_any()) }
    }
}

/// A list whose entries are drawn once each and live as long as their key.
pub fn list(entries: impl Fn() -> Vec<Entry> + Send + 'static) -> AnyView {
    let each: Box<dyn Fn() -> Vec<Entry> + Send> = Box::new(entries);
    view! { <For each key=|entry: &Entry| entry.key children=|entry: Entry| (entry.draw)() /> }.into_any()
}
