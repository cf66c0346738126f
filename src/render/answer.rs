//! The text of an answer and of a remark, as components. Each owns one container; what is inside belongs to `render`.

use std::cell::RefCell;
use std::rc::Rc;

use iris_core::settings::Settings;
use iris_core::timeline::Phase;
use leptos::prelude::*;
use web_sys::Element;

use super::actions;
use super::live::LiveText;
use super::report::report;
use super::typewriter::{Progress, Target, Typewriter};
use crate::browser::now_ms;
use crate::clock::motion;
use crate::clock::raf::{self, Frame, Ticker};
use crate::held::Held;
use crate::reactive::effect;
use crate::store::{AnswerRow, Store};

/// The class of every container of rendered Markdown.
const MARKDOWN: &str = "markdown";

/// The text of an answer: live while it streams, settled in place when it is complete and all shown.
///
/// `settled` is this component's to write: footer and copy button wait for it.
#[component]
pub fn AnswerText(
    /// The answer.
    row: AnswerRow,
    /// Becomes true when the answer stands in its final form.
    settled: ArcRwSignal<bool>,
) -> impl IntoView {
    let container = Held::new();
    let settings = use_context::<Store>().map_or_else(Default::default, |store| store.settings);
    let busy = settled.clone();
    let writing = Writing { row, settings, settled };
    effect(move || {
        if let Some(element) = container.get::<Element>() {
            writing.clone().start(element);
        }
    });
    let busy = move || if busy.get() { "false" } else { "true" };
    view! { <div class=MARKDOWN node_ref=container aria-busy=busy on:click=actions::clicked></div> }
}

/// Markdown that is complete: drawn at once, and again when it changes.
#[component]
pub fn MarkdownText(
    /// The Markdown.
    text: RwSignal<String>,
) -> impl IntoView {
    let container = Held::new();
    // Kept: what is drawn may have to follow the width of the page.
    let drawn = StoredValue::new_local(None);
    effect(move || {
        let Some(element) = container.get::<Element>() else { return };
        match LiveText::new(element) {
            Ok(mut live) => {
                text.with(|text| live.reveal_to(text));
                live.settle();
                drawn.set_value(Some(live));
            }
            Err(error) => report("a remark was not drawn", &error),
        }
    });
    view! { <div class=MARKDOWN node_ref=container on:click=actions::clicked></div> }
}

/// What the drawing of one answer reads and writes.
#[derive(Clone)]
struct Writing {
    row: AnswerRow,
    settings: ArcRwSignal<Settings>,
    settled: ArcRwSignal<bool>,
}

impl Writing {
    /// Draws into `container` for as long as the component lives.
    fn start(self, container: Element) {
        let typewriter = match Typewriter::new(container, self.target(false)) {
            Ok(typewriter) => RefCell::new(typewriter),
            Err(error) => return report("an answer was not drawn", &error),
        };
        let on_frame = self.clone();
        let tick: Ticker = Rc::new(move |frame| on_frame.draw(&typewriter, frame));
        let registered = raf::register(Rc::clone(&tick));
        effect(move || {
            self.track();
            if self.row.phase.get() == Phase::Settled {
                // Nothing to wait for: a page full of history is drawn before its first paint.
                tick(Frame { now_ms: now_ms(), snap: true });
            } else {
                registered.wake();
            }
        });
    }

    fn track(&self) {
        self.row.text.track();
        self.row.generation.track();
        self.row.cut.track();
        self.settings.track();
    }

    /// One frame: reads the row, draws what is due, says whether more is to come.
    fn draw(&self, typewriter: &RefCell<Typewriter>, frame: Frame) -> bool {
        let target = self.target(frame.snap);
        let progress =
            self.row.text.with_untracked(|text| typewriter.borrow_mut().tick(frame.now_ms, text, target));
        let settled = progress == Progress::Settled;
        if self.settled.get_untracked() != settled {
            self.settled.set(settled);
        }
        progress == Progress::Busy
    }

    fn target(&self, snap: bool) -> Target {
        let phase = self.row.phase.get_untracked();
        let settings = self.settings.get_untracked();
        let cut = self.row.cut.with_untracked(Option::is_some);
        Target {
            generation: self.row.generation.get_untracked(),
            complete: phase != Phase::Streaming,
            at_once: snap || cut || phase == Phase::Settled || !settings.streaming || motion::reduced(),
            rate: settings.characters_per_second(),
        }
    }
}
