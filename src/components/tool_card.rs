//! One tool call: how it stands, what it does in one line, and everything about it on demand.

use iris_core::format::{self, visible};
use iris_core::settings::ToolDetail;
use iris_core::stall::quiet;
use iris_core::timeline::ToolState;
use leptos::prelude::*;
use serde_json::{Map, Value};

use super::follow::Follow;
use super::icon::{Glyph, Icon};
use super::later::{Later, later};
use super::long_text::LongText;
use crate::browser::json;
use crate::fixed::fixed;
use crate::hooks::use_now;
use crate::reactive::{dynamic, handler, memo, optional};
use crate::store::ToolRow;

/// What the eye and the ear are told about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Running,
    Worked,
    Failed,
    Ended,
    NoResult,
}

impl From<ToolState> for Mark {
    fn from(state: ToolState) -> Self {
        match state {
            ToolState::Running => Self::Running,
            ToolState::Done { ok: Some(true), .. } => Self::Worked,
            ToolState::Done { ok: Some(false), .. } => Self::Failed,
            ToolState::Done { ok: None, .. } => Self::Ended,
            ToolState::NoResult => Self::NoResult,
        }
    }
}

impl Mark {
    /// For style sheets and tests.
    fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Worked => "ok",
            Self::Failed => "failed",
            Self::Ended => "unknown",
            Self::NoResult => "no-result",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Running => "Running",
            Self::Worked => "Done",
            Self::Failed => "Failed",
            Self::Ended => "Ended",
            Self::NoResult => "No result",
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Running => "tool-mark running",
            Self::Worked => "tool-mark ok",
            Self::Failed => "tool-mark bad",
            Self::Ended | Self::NoResult => "tool-mark unknown",
        }
    }

    fn glyph(self) -> Option<Glyph> {
        match self {
            Self::Running => None,
            Self::Worked => Some(Glyph::Check),
            Self::Failed => Some(Glyph::Cross),
            Self::Ended | Self::NoResult => Some(Glyph::Dash),
        }
    }
}

/// The card. Arguments and output are built only while it is open.
#[component]
pub fn ToolCard(
    /// The call.
    tool: ToolRow,
    /// The setting; acts on this card at once.
    detail: Memo<ToolDetail>,
) -> impl IntoView {
    let state = RwSignal::from(tool.state.clone());
    let mark = move || Mark::from(state.get());
    // What the reader chose counts until the setting changes.
    let chosen = RwSignal::new(None::<(ToolDetail, bool)>);
    let open = memo(move || match chosen.get() {
        Some((at, open)) if at == detail.get() => open,
        _ => detail.get() == ToolDetail::Everything,
    });
    let follow = use_context::<Follow>();
    let toggle = move |_| {
        if let Some(follow) = follow {
            follow.hold();
        }
        chosen.set(Some((detail.get_untracked(), !open.get_untracked())));
    };
    let name = format!("{} {}", format::tool_emoji(&tool.name), visible(&tool.name));
    let times = running_time(&tool);
    let line = one_line(&tool);
    let body = tool.clone();
    view! {
        <li class={"tool"} class:open=move || open.get() data-tool=tool.name.clone() data-state=move || mark().name()>
            <button
                {..fixed(&[("type", "button"), ("class", "tool-head")])}
                aria-expanded=move || open.get().to_string()
                on:click=handler(toggle)
            >
                <span class=move || mark().class()>
                    {optional(move || mark().glyph().map(|glyph| view! { <Icon glyph /> }))}
                    <span class={"aloud"}>{move || format!("{}: ", mark().words())}</span>
                </span>
                <span class={"tool-name"}>{name}</span>
                <span class={"tool-line"}>{line}</span>
                <span class={"tool-took"}>
                    {optional(move || match state.get() {
                        ToolState::Running => Some((move || times.get()).into_any()),
                        ToolState::Done { duration, .. } => duration.map(|took| format::duration(took).into_any()),
                        ToolState::NoResult => Some(Mark::NoResult.words().into_any()),
                    })}
                </span>
                <Icon glyph=Glyph::Chevron />
            </button>
            {optional(move || open.get().then(|| later(Later::ToolBody(body.clone()))))}
        </li>
    }
}

/// How long it runs, and how long it has been silent.
fn running_time(tool: &ToolRow) -> Memo<String> {
    let (now, seen_ms, noted_ms) = (use_now(), tool.seen_ms, tool.noted_ms.clone());
    memo(move || {
        let ago = |ms: f64| (now.get() - ms).max(0.0) as u64;
        quiet::tool(seen_ms.map(ago), noted_ms.get().map(ago))
    })
}

/// `: "preview"` for whoever reads or copies the line; the quotes are not drawn. A progress note takes its place.
fn one_line(tool: &ToolRow) -> AnyView {
    let tool = tool.clone();
    let line = memo(move || {
        let running = tool.state.get() == ToolState::Running;
        tool.note
            .get()
            .filter(|_| running)
            .or_else(|| tool.preview.get())
            .or_else(|| tool.args.with(|args| format::args_preview(args, json::line)))
            .map(|line| format::one_line(&line, 160))
            .filter(|line| !line.is_empty())
    });
    optional(move || {
        line.get().map(|line| {
            view! {
                <span class={"aloud"}>{": \""}</span>
                {line}
                <span class={"aloud"}>{"\""}</span>
            }
        })
    })
}

/// Its arguments and what it gave.
#[component]
pub fn ToolBody(
    /// The call.
    tool: ToolRow,
) -> impl IntoView {
    let ToolRow { args, output, state, .. } = tool;
    let output = memo(move || output.get().unwrap_or_default());
    let has_output = memo(move || output.with(|output| !output.trim().is_empty()));
    view! {
        <div class={"tool-body"}>
            {optional(move || args.with(|args| (!args.is_empty()).then(|| arguments(args))))}
            {dynamic(move || {
                if has_output.get() {
                    view! {
                        <div class={"tool-part"}>
                            <div class={"tool-label"}>{"Output"}</div>
                            <LongText text=output />
                        </div>
                    }
                        .into_any()
                } else {
                    let words = match state.get() {
                        ToolState::Running => "No output yet",
                        ToolState::Done { .. } => "No output was shown",
                        ToolState::NoResult => "The turn ended before this tool gave a result",
                    };
                    view! { <div class={"tool-label"}>{words}</div> }.into_any()
                }
            })}
        </div>
    }
}

fn arguments(args: &Map<String, Value>) -> impl IntoView + use<> {
    args.iter()
        .map(|(key, value)| {
            let text = written_out(value);
            let class = if is_short(&text) { "tool-part short" } else { "tool-part" };
            view! {
                <div class=class>
                    <div class={"tool-label"}>{visible(key).into_owned()}</div>
                    <LongText text=memo(move || text.clone()) />
                </div>
            }
        })
        .collect_view()
}

/// A text as it is, anything else as JSON: in one line where it fits.
fn written_out(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => Some(json::line(other)).filter(|line| is_short(line)).unwrap_or_else(|| json::pretty(other)),
    }
}

/// Whether it stands beside its name.
fn is_short(text: &str) -> bool {
    text.len() <= 48 && !text.contains('\n')
}
