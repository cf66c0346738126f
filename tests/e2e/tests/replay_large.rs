//! Recorded runs of a hundred megabytes in the browser: what is shown when, and what it takes. The figures are printed
//! (`cargo xtask bench --only replay`); only sizes are held to limits.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use serde_json::Value;
use thirtyfour::By;

/// So much may a page and its worker take at their peak, bytes: a page without a run takes a third of it.
const MEMORY: u64 = 500 << 20;

/// Writes lines of `stream-json`; what time it is there.
struct Lines {
    out: BufWriter<std::fs::File>,
    now_ms: u64,
}

impl Lines {
    fn write(&mut self, event: &str) -> anyhow::Result<()> {
        writeln!(self.out, "{{{event},\"timestamp\":{}}}", self.now_ms)?;
        Ok(())
    }
}

fn write(file: PathBuf, lines: impl FnOnce(&mut Lines) -> anyhow::Result<()>) -> anyhow::Result<PathBuf> {
    let out = BufWriter::new(std::fs::File::create(&file)?);
    let mut writer = Lines { out, now_ms: 1_700_000_000_000 };
    lines(&mut writer)?;
    writer.out.flush()?;
    Ok(file)
}

/// Two thousand turns of 50 kB, each with a tool.
fn many_turns(folder: &Path) -> anyhow::Result<PathBuf> {
    let words = "lorem ipsum ".repeat(50);
    write(folder.join("turns.jsonl"), |lines| {
        for turn in 0..2_000 {
            lines
                .write(&format!(r#""type":"system","subtype":"init","model":"m","session_id":"s{turn}""#))?;
            for word in 0..80 {
                lines.now_ms += 20;
                lines.write(&format!(r#""type":"text","text":"{word} {words}""#))?;
            }
            lines.write(&format!(
                r#""type":"tool_use","name":"terminal","input":{{"command":"ls {turn}"}}"#
            ))?;
            lines.now_ms += 100;
            let failed = turn % 10 == 0;
            lines.write(&format!(
                r#""type":"tool_result","name":"terminal","output":"{words}","duration_ms":100,"is_error":{failed}"#
            ))?;
            lines.write(&format!(
                r#""type":"result","session_id":"s{turn}","exit_code":0,"text":"The end of turn {turn}","tokens":{{"total":12}}"#
            ))?;
        }
        Ok(())
    })
}

/// One answer of a hundred megabytes, inside of which playing can begin nowhere, and a last word.
fn one_text(folder: &Path) -> anyhow::Result<PathBuf> {
    let words = "lorem ipsum ".repeat(50);
    write(folder.join("text.jsonl"), |lines| {
        lines.write(r#""type":"system","subtype":"init","model":"m","session_id":"s""#)?;
        for word in 0..165_000 {
            lines.now_ms += 20;
            lines.write(&format!(r#""type":"text","text":"{word} {words}\n\n""#))?;
        }
        lines.write(r#""type":"tool_use","name":"terminal","input":{"command":"ls"}"#)?;
        lines.write(
            r#""type":"tool_result","name":"terminal","output":"","duration_ms":1,"is_error":false"#,
        )?;
        lines.write(r#""type":"text","text":"The very last""#)?;
        lines.write(r#""type":"result","session_id":"s","exit_code":0,"text":"The very last""#)
    })
}

/// Opens the file as a reader does, goes to its end, and prints what that took.
async fn measure(file: &Path, last: &str) -> anyhow::Result<(Adapter, Page)> {
    let adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    let size = std::fs::metadata(file)?.len();
    assert!(size > 100_000_000, "{size}");
    let before = page.browser.renderer_peak();
    let watch = "window.__shown = null;\
        document.querySelector('.runs input[type=file]').addEventListener('change', () => { window.__picked = performance.now(); }, true);\
        const look = () => { const row = document.querySelector('.replay [data-row=answer] .markdown');\
        if (row?.innerText.trim()) window.__shown = performance.now() - window.__picked; else requestAnimationFrame(look); }; look()";
    page.script("location.hash = 'replay'", vec![]).await?;
    page.until("the sheet", "return !!document.querySelector('.runs input[type=file]')").await?;
    page.script(watch, vec![]).await?;
    let input = page.browser.driver.find(By::Css(".runs input[type=file]")).await.context("no file input")?;
    input.send_keys(file.to_string_lossy()).await?;
    let first = page.until("the first text", "return window.__shown").await?;
    page.click("[data-action=play]").await?;
    let read = "const note = document.querySelector('.run-whole')?.innerText;\
        return note?.startsWith('Of the whole') && performance.now() - window.__picked";
    let read = page.until("everything is read", read).await?;
    let seek = format!(
        "const seek = document.querySelector('.player-seek'), began = performance.now(); window.__end = null;\
        seek.value = seek.max; seek.dispatchEvent(new InputEvent('input', {{ bubbles: true }}));\
        const look = () => {{ if (document.querySelector('.replay .timeline').textContent.includes('{last}'))\
        window.__end = performance.now() - began; else requestAnimationFrame(look); }}; look()"
    );
    page.script(&seek, vec![]).await?;
    let end = page.until("the end of the run", "return window.__end").await?;
    let heap = page.script("return performance.memory?.usedJSHeapSize ?? 0", vec![]).await?;
    let peak = page.browser.renderer_peak();
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let megabytes = |bytes: Option<u64>| bytes.map_or("?".to_owned(), |bytes| (bytes >> 20).to_string());
    println!(
        "{name}: {} MB; first text after {:.0} ms, read after {:.0} ms, from there to the end {:.0} ms; JavaScript of the page \
         {} MB, page and worker at their peak {} MB (before the run {} MB)",
        size >> 20,
        number(&first),
        number(&read),
        number(&end),
        megabytes(heap.as_u64()),
        megabytes(peak),
        megabytes(before),
    );
    assert!(heap.as_u64().is_some_and(|heap| heap < size / 4), "the file is not on the page: {heap}");
    assert!(peak.is_none_or(|peak| peak < MEMORY), "{peak:?} bytes at the peak");
    Ok((adapter, page))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

#[tokio::test]
async fn a_file_of_a_hundred_megabytes_shows_its_first_text_and_its_end_and_is_never_held_whole()
-> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let file = many_turns(&folder.path().canonicalize()?)?;
    let (adapter, page) = measure(&file, "The end of turn 1999").await?;
    let rows = page.count(".replay .timeline [data-row]").await?;
    assert!(rows < 2_000, "only the end is drawn: {rows} rows");
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn of_one_text_of_a_hundred_megabytes_a_part_is_shown_and_the_rest_is_said_to_be_left_out()
-> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let file = one_text(&folder.path().canonicalize()?)?;
    let (adapter, page) = measure(&file, "The very last").await?;
    page.seek(1_500_000).await?;
    page.until(
        "the words about what is left out",
        "return [...document.querySelectorAll('.replay [data-row=notice]')].some((row) => row.innerText.includes('longer than 4 MB'))",
    )
    .await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}
