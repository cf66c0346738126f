//! The strip: what happened when, as one picture of four shapes, with the slider over it that goes there.

use std::fmt::Write;

use leptos::prelude::*;

use super::Signals;
use crate::strip::WIDTH;

/// The picture's height in its own units: text above, tools below.
const HEIGHT: u32 = 40;
const TEXT_FLOOR: u32 = 22;
const TOOLS: (u32, u32) = (26, 10);

/// The picture. For those who see it; the slider over it says the same in words.
#[component]
pub fn StripPicture(
    /// Of the replay.
    signals: Signals,
) -> impl IntoView {
    let strip = signals.strip;
    let shape = move |of: fn(&crate::wire::Strip) -> String| move || strip.with(of);
    view! {
        <svg
            class={"strip"}
            viewBox=format!("0 0 {WIDTH} {HEIGHT}")
            preserveAspectRatio={"none"}
            aria-hidden={"true"}
        >
            <path class={"strip-gap"} d=shape(|strip| spans(&strip.gaps, (0, HEIGHT)))></path>
            <path class={"strip-text"} d=shape(|strip| bars(&strip.text))></path>
            <path class={"strip-tool"} d=shape(|strip| spans(&strip.tools, TOOLS))></path>
            // Failed ones are taller, not only of another colour.
            <path class={"strip-failed"} d=shape(|strip| spans(&strip.failed, (TOOLS.0 - 4, TOOLS.1 + 8)))></path>
        </svg>
    }
}

/// A rectangle for each span; neighbours stay apart by a hair.
fn spans(spans: &[(u32, u32)], (top, height): (u32, u32)) -> String {
    let mut path = String::new();
    for (from, to) in spans {
        let width = to.saturating_sub(*from).max(2);
        // Writing into a string does not fail.
        let _ = write!(path, "M{from} {top}h{width}v{height}h-{width}z");
    }
    path
}

/// A bar for each slice in which text came.
fn bars(text: &[u8]) -> String {
    let wide = WIDTH / u32::try_from(text.len().max(1)).unwrap_or(1);
    let mut path = String::new();
    for (at, part) in (0_u32..).zip(text).filter(|(_, part)| **part > 0) {
        let height = (u32::from(*part) * (TEXT_FLOOR - 6) / 100).max(3);
        let _ = write!(path, "M{} {}h{wide}v{height}h-{wide}z", at * wide, TEXT_FLOOR - height);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_span_and_every_slice_with_text_is_a_rectangle() {
        assert_eq!(spans(&[(0, 10), (999, 1000)], (1, 2)), "M0 1h10v2h-10zM999 1h2v2h-2z");
        assert_eq!(bars(&[0, 100, 1, 0]), "M250 6h250v16h-250zM500 19h250v3h-250z");
        assert_eq!(bars(&[]), "");
    }
}
