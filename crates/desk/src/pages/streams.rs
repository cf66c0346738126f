//! The list of streamed replies: one line for each that the adapter has on record, with a filter, what they come to, and what
//! cut those that were cut.
//!
//! Owns the page's states and what is asked of the adapter; what is wanted and what it comes to is the core's
//! (`stall::record`).

mod filters;
mod rows;

use iris_core::format::visible;
use iris_core::stall::record::{Ends, Filter, Records, Summary};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::MouseEvent;

use crate::adapter::{Unanswered, get};

/// So many lines stand on the page at once.
const LINES: usize = 50;

/// What the adapter said.
#[derive(Clone, Debug, PartialEq)]
enum Given {
    /// Nothing yet.
    Asked,
    /// Its record.
    Record(Records),
    /// Why there is none, and what can be done.
    Refused(String),
}

/// What is on screen of a record: the filter, and how many lines come before. It outlives the record.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    filter: RwSignal<Filter>,
    from: RwSignal<usize>,
}

impl Wanted {
    /// Changes the filter, and shows what it finds from its beginning.
    fn change(self, change: impl FnOnce(&mut Filter)) {
        self.from.set(0);
        self.filter.update(change);
    }
}

/// The page.
#[component]
pub fn Streams() -> impl IntoView {
    let given = RwSignal::new(Given::Asked);
    let asking = RwSignal::new(false);
    let wanted = Wanted { filter: RwSignal::new(Filter::default()), from: RwSignal::new(0) };
    let read = move || {
        asking.set(true);
        spawn_local(async move {
            let answer = fetch().await.map_or_else(Given::Refused, Given::Record);
            // The page may be gone meanwhile.
            let _ = asking.try_set(false);
            drop(given.try_set(answer));
        });
    };
    read();
    view! {
        <div class={"streams"}>
            <div class={"streams-head"}>
                <p class={"desk-note"}>{"One line for every reply that a model streamed to Hermes, kept by the adapter; the newest 5,000 stay."}</p>
                <button type={"button"} class={"button"} data-action={"read-streams"} disabled=move || asking.get() on:click=move |_: MouseEvent| read()>
                    {move || if asking.get() { "Reading…" } else { "Read again" }}
                </button>
            </div>
            {move || given.with(|given| match given {
                Given::Asked => view! { <p class={"desk-note"} role={"status"}>{"The adapter reads its record…"}</p> }.into_any(),
                Given::Refused(why) => view! { <p class={"streams-refused"} role={"alert"}>{visible(why).into_owned()}</p> }.into_any(),
                Given::Record(records) => record(records, wanted),
            })}
        </div>
    }
}

/// The record, or why there is none.
async fn fetch() -> Result<Records, String> {
    let why = match get("streams").await {
        Ok(json) => match Records::read(&json) {
            Some(records) => return Ok(records),
            None => {
                "What the adapter sent is no record. It may be another version than this page: reload the page."
            }
        },
        Err(Unanswered::Unreachable) => {
            "The adapter cannot be reached. See that it runs and that this device is online, then read again."
        }
        Err(Unanswered::Unpaired) => {
            "This device is not paired with the adapter, so it says nothing about its replies."
        }
        Err(Unanswered::Unknown) => "This adapter keeps no record. A newer iris-adapter does.",
        Err(Unanswered::Refused(words)) => return Err(words),
    };
    Err(why.to_owned())
}

fn record(records: &Records, wanted: Wanted) -> AnyView {
    let unread = (records.unread > 0).then(|| {
        let lines = if records.unread == 1 {
            "1 line is left out: it".to_owned()
        } else {
            format!("{} lines are left out: each", records.unread)
        };
        let words = format!("{lines} is damaged or of another version of Iris than this page.");
        view! { <p class={"desk-note"} data-unread="">{words}</p> }
    });
    if records.all.is_empty() {
        return view! {
            <p class={"streams-none"} role={"status"}>{"No reply is on record yet. A line appears here as soon as a turn that asked a model is over."}</p>
            {unread}
        }
        .into_any();
    }
    let filters = filters::view(&records.all, wanted);
    let all = StoredValue::new(records.all.clone());
    // Where those stand that are wanted, and what they come to.
    let found = Memo::new(move |_| {
        wanted.filter.with(|filter| {
            all.with_value(|all| {
                let places: Vec<usize> =
                    (0..all.len()).filter(|at| all.get(*at).is_some_and(|it| filter.wants(it))).collect();
                let summary = Summary::of(places.iter().filter_map(|at| all.get(*at)));
                (places, summary.words())
            })
        })
    });
    let lines = move || {
        let from = wanted.from.get();
        found.with(|(places, _)| {
            if places.is_empty() {
                return none(wanted);
            }
            let shown: Vec<_> = all.with_value(|all| {
                places.iter().skip(from).take(LINES).filter_map(|at| all.get(*at).cloned()).collect()
            });
            let pager = (places.len() > LINES).then(|| pager(wanted, from, shown.len(), places.len()));
            view! { {rows::table(&shown)} {pager} }.into_any()
        })
    };
    view! {
        {filters}
        <p class={"streams-sum"} role={"status"}>{move || found.with(|(_, words)| words.clone())}</p>
        {unread}
        {lines}
    }
    .into_any()
}

/// The filter wants none of them.
fn none(wanted: Wanted) -> AnyView {
    let all = move |_: MouseEvent| wanted.change(|filter| *filter = Filter::default());
    let words = wanted.filter.with_untracked(|filter| match filter.ends {
        Ends::Cut | Ends::CutBy(_) => "No reply that was cut fits this filter.",
        Ends::Any | Ends::Finished => "No reply fits this filter.",
    });
    view! {
        <p class={"streams-none"}>
            {words}
            <button type={"button"} class={"button plain"} data-action={"all-streams"} on:click=all>{"Show all"}</button>
        </p>
    }
    .into_any()
}

/// Leads to what is not on the page.
fn pager(wanted: Wanted, from: usize, shown: usize, of: usize) -> AnyView {
    let last = from.saturating_add(shown);
    let newer = move |_: MouseEvent| wanted.from.set(from.saturating_sub(LINES));
    let older = move |_: MouseEvent| wanted.from.set(last);
    view! {
        <nav class={"streams-pager"} aria-label={"More replies"}>
            <button type={"button"} class={"button"} data-action={"newer"} disabled={from == 0} on:click=newer>{"Newer"}</button>
            <span class={"streams-range"}>{format!("{}–{last} of {of}", from.saturating_add(1))}</span>
            <button type={"button"} class={"button"} data-action={"older"} disabled={last >= of} on:click=older>{"Older"}</button>
        </nav>
    }
    .into_any()
}
