//! The three streaming switches, the rhythm, and what comes of them on each platform.

use iris_core::format::visible;
use iris_core::stall::doctor::{Edits, PlatformStreaming, Switch, Switches};
use leptos::prelude::*;

use super::warnings::ticked;

/// All of it.
pub(super) fn view(switches: &Switches) -> AnyView {
    let rows =
        [&switches.gateway, &switches.command_line, &switches.model].into_iter().map(row).collect_view();
    let cadence = switches
        .gateway
        .on
        .then(|| view! { <p class={"desk-note"}>{format!("{}.", switches.cadence.effect)}</p> });
    let platforms = (!switches.platforms.is_empty()).then(|| platforms(&switches.platforms));
    view! {
        <section class={"doctor-part"}>
            <h3 class={"doctor-title"}>{"Three switches called streaming"}</h3>
            <dl class={"switches"}>{rows}</dl>
            {cadence}
            {platforms}
        </section>
    }
    .into_any()
}

fn row(switch: &Switch) -> AnyView {
    let from = switch.place.map_or_else(|| "default".to_owned(), |place| format!("line {}", place.line));
    let state = if switch.on { "on" } else { "off" };
    view! {
        <div class={"switch-row"}>
            <dt><code class={"desk-code"}>{switch.key.clone()}</code></dt>
            <dd class={"switch-state"} class:is-on=switch.on>{format!("{state}, {from}")}</dd>
            <dd class={"switch-what"}>{format!("{}.", switch.what)}</dd>
        </div>
    }
    .into_any()
}

fn platforms(platforms: &[PlatformStreaming]) -> AnyView {
    let row = |platform: &PlatformStreaming| {
        let edits = match platform.edits {
            Edits::Yes => "yes",
            Edits::No => "no",
            Edits::Native => "streams by itself",
            Edits::Unknown => "depends on its plugin",
        };
        let streams = if platform.streams { "grow" } else { "come whole" };
        view! {
            <tr>
                <th scope={"row"}>{visible(&platform.name).into_owned()}</th>
                <td>{streams}</td>
                <td>{edits}</td>
                <td class={"table-why"}>{ticked(&platform.why)}</td>
            </tr>
        }
    };
    let rows = platforms.iter().map(row).collect_view();
    view! {
        <div class={"table-place"}>
            <table class={"doctor-table"}>
                <thead><tr><th scope={"col"}>{"Platform"}</th><th scope={"col"}>{"Replies"}</th><th scope={"col"}>{"Can edit"}</th><th scope={"col"} class={"table-why"}>{"Why"}</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}
