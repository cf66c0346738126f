//! `iris-adapter streams`: the stream record as a table, or as JSON. Reads the journal beside an adapter that runs, or
//! without one, and changes nothing in it.

use std::io::{self, Write as _};

use anyhow::Context;
use iris_core::stall::record::StreamRecord;

use crate::{
    cli, data, hub,
    journal::{self, StreamsWanted},
    reports::since,
    server::JOURNAL,
};

/// Prints it.
pub fn run(args: &cli::Streams) -> anyhow::Result<()> {
    let folder = args.home.data.clone().map_or_else(data::default_folder, Ok)?;
    let file = folder.join(JOURNAL);
    let wanted = StreamsWanted {
        since_ms: args.since.as_deref().map_or(Ok(0), |text| since::read(text, hub::now_ms()))?,
        cut: args.cut,
    };
    // Where Iris never ran, nothing was streamed.
    let records = if file.exists() {
        let why = || format!("cannot read {}", file.display());
        journal::streams_of(&file, wanted).with_context(why)?
    } else {
        Vec::new()
    };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&records)?)?;
    } else {
        write!(out, "{}", table(&records))?;
    }
    Ok(out.flush()?)
}

const NONE: &str = "No streamed reply is on record.\n";
/// Characters of a cell of words.
const WORDS: usize = 60;

/// The records as a table, the newest first.
fn table(records: &[StreamRecord]) -> String {
    if records.is_empty() {
        return NONE.to_owned();
    }
    let head = ["WHEN (UTC)", "MODEL", "TOOK", "FIRST TEXT", "SILENT", "CHARS", "TOKENS", "END"];
    let rows: Vec<[String; 8]> =
        std::iter::once(head.map(str::to_owned)).chain(records.iter().map(row)).collect();
    let width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |row: &[String; 8]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

fn row(record: &StreamRecord) -> [String; 8] {
    let since = |ms: Option<u64>| ms.map_or_else(|| "–".to_owned(), seconds);
    let tokens = |count: Option<u64>| count.map_or_else(|| "–".to_owned(), |count| count.to_string());
    let end = match record.cut_by {
        None => "finished".to_owned(),
        Some(cause) => {
            let why = record.why.as_deref().map(|why| format!(": {}", plain(why))).unwrap_or_default();
            format!("cut by {}{why}", cause.words())
        }
    };
    [
        since::utc(record.started_ms),
        plain(record.model.as_deref().unwrap_or("–")),
        seconds(record.duration_ms),
        since(record.first_text_ms),
        since(record.silent_ms),
        record.text_chars.to_string(),
        tokens(record.output_tokens),
        end,
    ]
}

/// `12.3 s`.
fn seconds(ms: u64) -> String {
    format!("{}.{} s", ms / 1_000, ms % 1_000 / 100)
}

/// What somebody else wrote, as a part of one line that no terminal obeys.
fn plain(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut short: String = clean.clone().take(WORDS).collect();
    if clean.count() > WORDS {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use iris_core::stall::record::{CutBy, End};

    use super::*;

    #[test]
    fn a_line_says_when_who_how_long_and_how_it_ended() {
        let finished = StreamRecord {
            started_ms: 1_796_036_313_565,
            model: Some("demo-model".to_owned()),
            duration_ms: 4_451,
            first_text_ms: Some(203),
            text_chars: 1_842,
            output_tokens: Some(120),
            ..StreamRecord::default()
        };
        let cut = StreamRecord {
            started_ms: 1_796_036_313_000,
            duration_ms: 6_101,
            silent_ms: Some(6_101),
            end: End::Cut,
            cut_by: Some(CutBy::Stale),
            why: Some("stream attempt 1\u{1b}[31m was superseded".to_owned()),
            ..StreamRecord::default()
        };
        assert_eq!(
            table(&[finished, cut]),
            "WHEN (UTC)           MODEL       TOOK   FIRST TEXT  SILENT  CHARS  TOKENS  END\n\
             2026-11-30 10:58:33  demo-model  4.4 s  0.2 s       –       1842   120     finished\n\
             2026-11-30 10:58:33  –           6.1 s  –           6.1 s   0      –       cut by the stale watchdog: stream attempt 1 [31m was superseded\n"
        );
        assert_eq!(table(&[]), NONE);
    }
}
