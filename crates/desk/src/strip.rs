//! What the strip shows of an index: thousandths of the played time, so few that drawing them costs nothing. Pure.

use iris_core::run::index::Wait;
use iris_core::run::{GAP_PLAYED_MS, Index};

use crate::wire::{Silence, Strip};

/// The strip is so many parts wide.
pub const WIDTH: u32 = 1_000;
/// Its text is told in so many slices.
const SLICES: usize = 200;
/// So many silences and tools have their words told.
const MAX_TOLD: usize = 1_000;

/// The strip of what is read so far.
pub fn strip(index: &Index) -> Strip {
    let end = index.end_ms.max(1);
    let (tools, failed): (Vec<_>, Vec<_>) = index.tools.iter().partition(|tool| tool.ok != Some(false));
    let spans = |tools: &[&iris_core::run::ToolSpan]| {
        let last = |tool: &iris_core::run::ToolSpan| tool.to_ms.unwrap_or(index.end_ms);
        merged(tools.iter().map(|tool| (part(tool.from_ms, end), part(last(tool), end))))
    };
    let gap = |from: u64| (part(from, end), part(from.saturating_add(GAP_PLAYED_MS), end));
    Strip {
        text: density(index.texts.iter().map(|text| (text.from_ms, text.to_ms)), end),
        tool_count: (index.tools.len(), failed.len()),
        tools: spans(&tools),
        failed: spans(&failed),
        gaps: merged(index.gaps.iter().map(|one| gap(one.from_ms))),
        silences: index.gaps.iter().take(MAX_TOLD).map(silence).collect(),
        names: index.tools.iter().take(MAX_TOLD).map(|tool| (tool.from_ms, tool.name.to_string())).collect(),
    }
}

fn silence(gap: &iris_core::run::Gap) -> Silence {
    let wait = match &gap.wait {
        Wait::Model => "the model".to_owned(),
        Wait::Tool(name) => name.to_string(),
        Wait::Nobody => String::new(),
    };
    Silence { from_ms: gap.from_ms, recorded_ms: gap.recorded_ms, wait }
}

/// Thousandths of the whole.
fn part(at: u64, end: u64) -> u32 {
    let part = u128::from(at.min(end)) * u128::from(WIDTH) / u128::from(end);
    u32::try_from(part).unwrap_or(WIDTH)
}

/// Spans that touch become one, so that there are never more than the strip is wide. Each is at least one part wide.
fn merged(spans: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
    let mut spans: Vec<_> =
        spans.map(|(from, to)| (from.min(WIDTH - 1), to.max(from.min(WIDTH - 1) + 1))).collect();
    spans.sort_unstable();
    let mut out: Vec<(u32, u32)> = Vec::new();
    for (from, to) in spans {
        match out.last_mut().filter(|last| from < last.1) {
            Some(last) => last.1 = last.1.max(to),
            None => out.push((from, to)),
        }
    }
    out
}

/// How much of each slice is covered by these spans, in hundredths; a span without length counts a little.
fn density(spans: impl Iterator<Item = (u64, u64)>, end: u64) -> Vec<u8> {
    let mut covered = vec![0_u128; SLICES];
    let scale = |at: u64| u128::from(at.min(end)) * 100 * SLICES as u128 / u128::from(end);
    for (from, to) in spans {
        let (from, to) = (scale(from).min(100 * SLICES as u128 - 10), scale(to));
        let to = to.max(from + 10);
        let first = usize::try_from(from / 100).unwrap_or(SLICES);
        for (at, slice) in covered.iter_mut().enumerate().skip(first) {
            let (begin, after) = (at as u128 * 100, (at as u128 + 1) * 100);
            if begin >= to {
                break;
            }
            *slice += to.min(after) - from.max(begin);
        }
    }
    covered.into_iter().map(|part| u8::try_from(part.min(100)).unwrap_or(100)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use iris_core::run::Indexer;

    fn index(lines: &str) -> Indexer {
        let mut indexer = Indexer::new();
        indexer.push(lines.as_bytes());
        indexer.finish();
        indexer
    }

    #[test]
    fn tools_texts_and_gaps_stand_where_they_were() {
        let run = "{\"type\":\"system\",\"subtype\":\"init\",\"timestamp\":0}\n\
            {\"type\":\"text\",\"text\":\"a\",\"timestamp\":1000}\n{\"type\":\"text\",\"text\":\"b\",\"timestamp\":2000}\n\
            {\"type\":\"tool_use\",\"name\":\"t\",\"timestamp\":2000}\n\
            {\"type\":\"tool_result\",\"name\":\"t\",\"is_error\":true,\"timestamp\":602000}\n\
            {\"type\":\"result\",\"exit_code\":0,\"text\":\"\",\"timestamp\":604000}\n";
        let strip = strip(index(run).index());
        assert_eq!((strip.tools.len(), strip.tool_count), (0, (1, 1)));
        // 2 s of text, 600 s shortened to 2 s, 2 s until the end.
        assert_eq!(strip.failed, [(333, 666)]);
        assert_eq!(strip.gaps, [(333, 666)]);
        assert_eq!(strip.silences, [Silence { from_ms: 2000, recorded_ms: 600_000, wait: "t".into() }]);
        assert_eq!((strip.text[20], strip.text[50], strip.text[120]), (0, 100, 0));
    }

    #[test]
    fn a_hundred_thousand_spans_are_no_more_than_the_strip_is_wide() {
        let spans = merged((0..100_000).map(|at| (at / 100, at / 100)));
        assert_eq!(spans.len(), 1_000);
        assert_eq!(merged([(999, 1000), (1000, 1000)].into_iter()), [(999, 1000)]);
    }

    #[test]
    fn a_run_without_length_has_a_strip() {
        let strip = strip(index("{\"type\":\"result\",\"exit_code\":0,\"text\":\"a\"}\n").index());
        assert_eq!(strip.tools, []);
        assert_eq!(strip.text.len(), SLICES);
    }
}
