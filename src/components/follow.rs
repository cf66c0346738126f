//! Following the end: the newest text stays in sight while the reader is at the bottom, and only then.
//!
//! The end is pinned from a `ResizeObserver`, that is after layout and before paint of the same frame:
//! nothing is measured twice and no frame shows the text without the scroll.
//! Any move upward detaches at once, whatever made it (wheel, finger, key, scrollbar, find in page);
//! only coming back to the end attaches again. What the reader opens by hand does not move under the finger, and neither
//! does what is read when something comes above it (`anchor.rs`). Near the upper end it asks for what stands before.

use super::anchor::{Anchor, below};
use crate::browser::{Listener, SizeObserver};
use crate::held::Held;
use crate::reactive::effect;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, TouchEvent, WheelEvent};

/// Coming down to within this many pixels of the end counts as being there.
const NEAR: i32 = 80;

/// Where the scroller stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Scrolled down by so much.
    pub top: i32,
    /// Height of what is scrolled.
    pub height: i32,
    /// Height of what is seen.
    pub view: i32,
}

impl Place {
    /// Pixels between what is seen and the end.
    pub fn to_end(self) -> i32 {
        (self.height - self.view - self.top).max(0)
    }

    /// Whether the end is followed after the scroller came from `before` to here.
    pub fn follows(self, before: Place, following: bool) -> bool {
        let moved = self.top - before.top;
        if moved < 0 {
            // A shrinking text pushes the place up too, but then it stands at the end; and so does a box that grows (the
            // composer is emptied), while more text may come in the same frame.
            return following && (self.to_end() <= 1 || self.view > before.view);
        }
        following || (moved > 0 && self.to_end() <= NEAR)
    }
}

/// Follows the end of one scroller.
#[derive(Clone, Copy)]
pub struct Follow {
    /// Goes on the element that scrolls.
    pub scroller: Held,
    /// Goes on the element that grows inside it.
    pub content: Held,
    following: RwSignal<bool>,
    news: RwSignal<bool>,
    place: StoredValue<Place>,
    /// Where the reader is who does not follow.
    anchor: StoredValue<Option<Anchor>, LocalStorage>,
    /// Told when the reader comes near the beginning of what is there.
    near_top: Callback<()>,
    /// Whether there is an end to follow; an empty chat begins at its top.
    active: Memo<bool>,
    /// Whether what grows is news; a card that the reader opens is not.
    counts: Memo<bool>,
}

impl Follow {
    /// Starts to follow as soon as both elements are in the page.
    pub fn new(active: Memo<bool>, counts: Memo<bool>, near_top: Callback<()>) -> Self {
        let follow = Self {
            scroller: Held::new(),
            content: Held::new(),
            following: RwSignal::new(true),
            news: RwSignal::new(false),
            place: StoredValue::new(Place::default()),
            anchor: StoredValue::new_local(None),
            near_top,
            active,
            counts,
        };
        // What is left of a long chat's place would hide the top of the empty one.
        effect(move || {
            if let (false, Some(scroller)) = (active.get(), follow.scroller.get_untracked::<HtmlElement>()) {
                scroller.set_scroll_top(0);
            }
        });
        let kept = StoredValue::new_local(None);
        effect(move || {
            if let (Some(scroller), Some(content)) =
                (follow.scroller.get::<HtmlElement>(), follow.content.get::<HtmlElement>())
            {
                kept.set_value(Some((follow.listen(&scroller), follow.observe(&scroller, &content))));
            }
        });
        follow
    }

    /// Whether the end is followed.
    pub fn following(self) -> bool {
        self.following.get()
    }

    /// Whether text came while the reader was elsewhere.
    pub fn news(self) -> bool {
        self.news.get()
    }

    /// Goes to the end and stays there.
    pub fn attach(self) {
        self.set_following(true);
        self.pin();
    }

    /// Stays where the reader is.
    pub fn hold(self) {
        self.set_following(false);
    }

    /// Brings an element into view, a little below the upper edge, and stays there.
    pub fn show(self, element: &Element) {
        self.set_following(false);
        if let Some(scroller) = self.scroller.get_untracked::<HtmlElement>() {
            let room = f64::from(scroller.client_height()) / 5.0;
            scroller.scroll_by_with_x_and_y(0.0, below(element, &scroller).0 - room);
        }
    }

    fn set_following(self, on: bool) {
        if self.following.get_untracked() != on {
            self.following.set(on);
        }
        if self.news.get_untracked() {
            self.news.set(false);
        }
    }

    fn measure(self) -> Option<Place> {
        let el = self.scroller.get_untracked::<HtmlElement>()?;
        Some(Place { top: el.scroll_top(), height: el.scroll_height(), view: el.client_height() })
    }

    /// An empty chat is not pinned: it begins at its top.
    fn pin(self) {
        if !self.active.get_untracked() {
            return;
        }
        if let Some(el) = self.scroller.get_untracked::<HtmlElement>() {
            el.set_scroll_top(el.scroll_height());
        }
        if let Some(place) = self.measure() {
            self.place.set_value(place);
        }
    }

    fn observe(self, scroller: &Element, content: &Element) -> Option<SizeObserver> {
        let observer = SizeObserver::new(move || self.resized())?;
        observer.observe(content);
        observer.observe(scroller);
        Some(observer)
    }

    fn resized(self) {
        let Some(now) = self.measure() else { return };
        let before = self.place.get_value();
        self.place.set_value(now);
        if !self.active.get_untracked() {
            return self.set_following(true);
        }
        let closed_up = now.height < before.height && now.to_end() <= 1;
        if self.following.get_untracked() || closed_up {
            self.attach();
        } else {
            let came_above = self.keep_place();
            if !came_above
                && now.height > before.height
                && self.counts.get_untracked()
                && !self.news.get_untracked()
            {
                self.news.set(true);
            }
        }
        self.look_around();
    }

    /// Moves the scroller by as much as what the reader sees was moved. Whether it was.
    fn keep_place(self) -> bool {
        let Some(scroller) = self.scroller.get_untracked::<HtmlElement>() else { return false };
        let moved =
            self.anchor.with_value(|anchor| anchor.as_ref().map_or(0.0, |anchor| anchor.moved(&scroller)));
        let came_above = moved.abs() >= 1.0;
        if came_above {
            scroller.scroll_by_with_x_and_y(0.0, moved);
            if let Some(place) = self.measure() {
                self.place.set_value(place);
            }
        }
        came_above
    }

    /// Remembers where the reader is, and says when that is near the beginning.
    fn look_around(self) {
        let (Some(scroller), Some(content)) =
            (self.scroller.get_untracked::<HtmlElement>(), self.content.get_untracked::<HtmlElement>())
        else {
            return;
        };
        self.anchor.update_value(|anchor| *anchor = Anchor::find(&scroller, &content, anchor.take()));
        let place = self.place.get_value();
        if place.top < place.view {
            self.near_top.run(());
        }
    }

    fn listen(self, scroller: &HtmlElement) -> Vec<Listener> {
        let mut finger = None;
        let mut all = vec![
            Listener::passive(scroller, "scroll", move |_| self.scrolled()),
            Listener::passive(scroller, "wheel", move |event| {
                if event.dyn_ref::<WheelEvent>().is_some_and(|wheel| wheel.delta_y() < 0.0) {
                    self.pulled_up(&event);
                }
            }),
            Listener::passive(scroller, "touchmove", move |event| {
                let y = event.dyn_ref::<TouchEvent>().and_then(|t| t.touches().get(0)).map(|t| t.client_y());
                if let (Some(before), Some(now)) = (finger, y)
                    && now > before
                {
                    self.pulled_up(&event);
                }
                finger = y;
            }),
        ];
        if let Some(page) = scroller.owner_document() {
            all.push(Listener::passive(&page, "keydown", move |event| {
                let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key).unwrap_or_default();
                if !SCROLL_KEYS.contains(&key.as_str()) || is_written_into(&event) {
                    return;
                }
                self.take_keys();
                if matches!(key.as_str(), "PageUp" | "Home" | "ArrowUp") {
                    self.pulled_up(&event);
                }
            }));
        }
        all
    }

    fn scrolled(self) {
        let Some(now) = self.measure() else { return };
        let before = self.place.get_value();
        self.place.set_value(now);
        if !self.active.get_untracked() {
            return;
        }
        let following = self.following.get_untracked();
        let follows = now.follows(before, following);
        if follows != following {
            self.set_following(follows);
        }
        self.look_around();
    }

    /// Where nothing has the focus, a key scrolls the page, of which there is nothing to scroll: it is meant for the text.
    fn take_keys(self) {
        let Some(scroller) = self.scroller.get_untracked::<HtmlElement>() else { return };
        let focused = scroller.owner_document().and_then(|page| page.active_element());
        if focused.is_none_or(|el| el.tag_name() == "BODY") {
            // A scroller that is hidden cannot have it.
            let _ = scroller.focus();
        }
    }

    /// The reader pulls the text down to see what is above; the scroll itself is still to come.
    fn pulled_up(self, event: &Event) {
        let moves_inside =
            self.scroller.get_untracked::<HtmlElement>().is_some_and(|el| scrolls_inside(event, &el));
        if !moves_inside && self.active.get_untracked() && self.measure().is_some_and(|place| place.top > 0) {
            self.set_following(false);
        }
    }
}

/// The keys that scroll what has the focus.
const SCROLL_KEYS: [&str; 6] = ["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown"];

fn is_written_into(event: &Event) -> bool {
    event.target().and_then(|t| t.dyn_into::<Element>().ok()).is_some_and(|el| {
        matches!(el.tag_name().as_str(), "TEXTAREA" | "INPUT")
            || el.closest("dialog").ok().flatten().is_some()
    })
}

/// Whether a box within the scroller takes the movement (a long output with a scrollbar of its own).
fn scrolls_inside(event: &Event, scroller: &Element) -> bool {
    let mut at = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    while let Some(el) = at {
        if &el == scroller {
            return false;
        }
        if el.scroll_top() > 0 {
            return true;
        }
        at = el.parent_element();
    }
    false
}
