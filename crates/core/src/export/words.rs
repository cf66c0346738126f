//! The words that Markdown and HTML have in common.

use crate::format;
use crate::protocol::frame::{Level, TurnStatus};
use crate::timeline::{Notice, Tool, ToolState, TurnFooter};

/// A day and a time of it, UTC: `2026-11-30 12:05`.
pub(super) fn date(ms: u64) -> String {
    let minutes = ms / 60_000;
    let (days, minute) = (minutes / 1_440, minutes % 1_440);
    // Howard Hinnant's civil_from_days, for days since 1970: eras of 400 years, years that begin in March.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let from_march = (5 * day + 2) / 153;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let day = day - (153 * from_march + 2) / 5 + 1;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", minute / 60, minute % 60)
}

/// What stands in the one line of a call: `💻 terminal: ls -la (failed, 0.4 s)`.
pub(super) fn tool(tool: &Tool) -> String {
    let name = format::one_line(&tool.name, 60);
    let emoji = format::tool_emoji(&tool.name);
    let preview = tool.preview.as_deref().map(|preview| format::one_line(preview, 120));
    let preview = preview.filter(|preview| !preview.is_empty()).map(|preview| format!(": {preview}"));
    format!("{emoji} {name}{} ({})", preview.unwrap_or_default(), state(tool.state))
}

fn state(state: ToolState) -> String {
    let ToolState::Done { ok, duration } = state else {
        return if state == ToolState::Running { "still running" } else { "no result" }.to_owned();
    };
    let ended = match ok {
        Some(true) => "done",
        Some(false) => "failed",
        None => "ended",
    };
    let took = duration.map(|seconds| format!(", {}", format::duration(seconds))).unwrap_or_default();
    format!("{ended}{took}")
}

/// A call's arguments, for people.
pub(super) fn arguments(tool: &Tool) -> Option<String> {
    (!tool.args.is_empty()).then(|| serde_json::to_string_pretty(&tool.args).unwrap_or_default())
}

/// What stands below an answer; `None` when nothing is known.
pub(super) fn footer(footer: &TurnFooter, cut: Option<TurnStatus>) -> Option<String> {
    let cut = cut.and_then(|cut| match cut {
        TurnStatus::Complete => None,
        TurnStatus::Error => Some("cut off by an error".to_owned()),
        TurnStatus::Interrupted => Some("stopped".to_owned()),
        TurnStatus::Lost => Some("cut off".to_owned()),
    });
    let model = footer.model.as_deref().map(|model| format::one_line(model, 80));
    let tokens = footer.tokens.as_ref().and_then(format::tokens);
    let took = footer.duration_ms.map(|ms| format::duration(ms as f64 / 1_000.0));
    let parts: Vec<String> = [cut, model, tokens, took].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// What was said in the row of a notice, the oldest first: each notice, and its words with how often they were said.
pub(super) fn said(row: &Notice) -> impl Iterator<Item = (&Notice, String)> {
    row.before.iter().chain([row]).map(|notice| {
        let times = if notice.times > 1 { format!(" · {} times", notice.times) } else { String::new() };
        (notice, format!("{}{times}", notice.text))
    })
}

/// That something was said before that, of which nobody knows any more what.
pub(super) fn left_out(row: &Notice) -> Option<String> {
    match row.left_out {
        0 => None,
        1 => Some("One notice before this is left out".to_owned()),
        more => Some(format!("{more} notices before this are left out")),
    }
}

/// What a notice is called.
pub(super) fn level(notice: &Notice) -> &'static str {
    match notice.level {
        Level::Info => "Note",
        Level::Warning => "Warning",
        Level::Error => "Error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_that_of_the_calendar() {
        let check = |seconds: u64, expected: &str| assert_eq!(date(seconds * 1_000), expected);
        check(0, "1970-01-01 00:00");
        check(951_782_399, "2000-02-28 23:59");
        check(951_868_800, "2000-03-01 00:00");
        check(1_796_040_000, "2026-11-30 12:00");
        check(1_830_297_599, "2027-12-31 23:59");
        check(4_107_542_400, "2100-03-01 00:00");
    }
}
