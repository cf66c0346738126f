//! The panel with what the run came to: beside the text where there is room, over it on a phone.

use iris_core::format::{self, visible};
use iris_core::run::Summary;
use iris_core::run::summary::{Counts, Ended, Run, Tool};
use leptos::prelude::*;
use web_sys::MouseEvent;

use super::Signals;
use super::time_picture::TimePicture;
use crate::icon::{Glyph, Icon};
use crate::wire::State;

/// So many damaged lines and runs are listed; the rest is counted.
const LISTED: usize = 100;

/// Whether there is room for it beside the text; `modules/desk/player.css` has the same width.
pub(super) fn begins_open() -> bool {
    let wide = web_sys::window().and_then(|window| window.match_media("(min-width: 75rem)").ok().flatten());
    wide.is_some_and(|wide| wide.matches())
}

/// The panel, while it is open.
#[component]
pub fn Panel(
    /// Of the replay.
    signals: Signals,
) -> impl IntoView {
    let complete = Memo::new(move |_| signals.state.with(|(state, _)| state.complete));
    move || {
        signals.panel.get().then(|| {
            view! {
                <aside class={"run-panel"} aria-label={"Summary"}>
                    <header class={"run-head"}>
                        <h2 class={"sheet-title"}>{"Summary"}</h2>
                        <button type={"button"} class={"icon-button"} aria-label={"Close the summary"} title={"Close"}
                            on:click=move |_: MouseEvent| signals.panel.set(false)
                        >
                            <Icon glyph=Glyph::Cross />
                        </button>
                    </header>
                    <p class={"run-whole"}>{move || signals.state.with(|(state, _)| whole(state))}</p>
                    {move || signals.summary.with(|summary| figures(summary, complete.get()))}
                </aside>
            }
        })
    }
}

/// What the figures are of: never of where the player stands.
fn whole(state: &State) -> String {
    match (state.trouble.is_some(), state.complete) {
        (true, _) => "Of what could be read of the file".to_owned(),
        (_, true) => "Of the whole recording, wherever it plays".to_owned(),
        _ => format!("Of what is read so far, {} %", state.percent()),
    }
}

/// Everything that a summary says.
fn figures(summary: &Summary, complete: bool) -> AnyView {
    let total = &summary.total;
    let one = summary.runs.first().filter(|_| total.runs == 1);
    // The last one may have an end in what is not read yet.
    let open = |nth: usize| !complete && nth + 1 == summary.runs.len();
    let end = |(nth, run): (usize, &Run)| view! { <Ending run=run.clone() open=open(nth) /> };
    let ends = summary.runs.iter().enumerate().take(LISTED).map(end).collect_view();
    let facts = facts(summary, one);
    let (tokens, tools, damage) = (total.tokens, total.tools.clone(), damage(summary));
    view! {
        <div class={"run-figures"}>
            {ends}
            <TimePicture total=total.clone() />
            <dl class={"facts"}>{facts.into_iter().map(fact).collect_view()}</dl>
            {tokens.map(counts)}
            {(!tools.is_empty()).then(|| tool_table(&tools))}
            {damage}
        </div>
    }
    .into_any()
}

fn fact((name, value): (&'static str, String)) -> AnyView {
    view! { <div class={"fact"}><dt>{name}</dt><dd>{value}</dd></div> }.into_any()
}

fn duration(ms: u64) -> String {
    format::duration(ms as f64 / 1_000.0)
}

fn facts(summary: &Summary, one: Option<&Run>) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(run) = one {
        facts.extend(run.model.as_deref().map(|model| ("Model", visible(model).into_owned())));
        facts.extend(run.session.as_deref().map(|session| ("Session", visible(session).into_owned())));
        facts.extend(run.first_text_ms.map(|ms| ("First text after", duration(ms))));
    } else {
        facts.push(("Turns", format::count(summary.total.runs)));
    }
    facts.push(("Duration", duration(summary.total.duration_ms)));
    facts
}

/// How a run ended, and why.
#[component]
fn Ending(run: Run, open: bool) -> impl IntoView {
    let (class, words) = match run.ended {
        Ended::Complete => ("ending ok", "Finished"),
        Ended::Error => ("ending bad", "Failed"),
        Ended::Interrupted => ("ending warn", "Stopped by the user"),
        Ended::CutOff if open => ("ending", "Its end is not read yet"),
        Ended::CutOff => ("ending bad", "Cut off: its end is not in the file"),
    };
    let code = run.exit_code.map(|code| format!(", exit code {code}")).unwrap_or_default();
    let why = run.error.map(|why| view! { <p class={"ending-why"}>{visible(&why).into_owned()}</p> });
    view! {
        <section class=class data-ended=format!("{:?}", run.ended)>
            <strong>{format!("{words}{code}")}</strong>
            {why}
        </section>
    }
}

fn counts(counts: Counts) -> AnyView {
    let all = [
        ("Input", counts.input),
        ("Output", counts.output),
        ("Cache read", counts.cache_read),
        ("Cache write", counts.cache_write),
        ("Total", counts.total),
    ];
    let known = all
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| fact((name, format::count(count))));
    view! {
        <h3 class={"run-title"}>{"Tokens"}</h3>
        <dl class={"facts"} data-tokens={""}>{known.collect_view()}</dl>
    }
    .into_any()
}

fn tool_table(tools: &[Tool]) -> AnyView {
    let row = |tool: &Tool| {
        let failed = tool.failed + tool.unfinished;
        let class = if failed > 0 { "bad" } else { "" };
        view! {
            <tr data-tool=tool.name.clone()>
                <th scope={"row"}>{format!("{} {}", format::tool_emoji(&tool.name), format::one_line(&tool.name, 60))}</th>
                <td>{format::count(tool.count)}</td>
                <td class=class>{format::count(failed)}</td>
                <td>{duration(tool.total_ms)}</td>
                <td>{duration(tool.longest_ms)}</td>
            </tr>
        }
    };
    let head =
        ["Tool", "Calls", "Failed", "Time", "Longest"].map(|name| view! { <th scope={"col"}>{name}</th> });
    view! {
        <h3 class={"run-title"}>{"Tools"}</h3>
        <div class={"run-wide"}>
            <table class={"run-tools"}>
                <thead><tr class={"run-columns"}>{head.into_iter().collect_view()}</tr></thead>
                <tbody>{tools.iter().map(row).collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// The lines that were skipped, with their numbers.
fn damage(summary: &Summary) -> Option<AnyView> {
    let count = summary.damaged_count;
    if count == 0 {
        return None;
    }
    let line = |line: &iris_core::run::summary::DamagedLine| {
        view! { <li data-line=line.line.to_string()>{format!("Line {}: {}", format::count(line.line), visible(&line.problem))}</li> }
    };
    let words = if count == 1 {
        "1 line was skipped".to_owned()
    } else {
        format!("{} lines were skipped", format::count(count))
    };
    let rest = count.saturating_sub(LISTED as u64);
    let rest =
        (rest > 0).then(|| view! { <li class={"rest"}>{format!("and {} more", format::count(rest))}</li> });
    let listed = summary.damaged.iter().take(LISTED).map(line).collect_view();
    Some(
        view! {
            <details class={"damage"} open=count <= 3>
                <summary>{words}</summary>
                <ul>{listed}{rest}</ul>
            </details>
        }
        .into_any(),
    )
}
