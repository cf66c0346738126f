//! The page's second program: recorded runs are replayed by the app's own components, without any adapter having a part in it.

use std::path::{Path, PathBuf};

use anyhow::Context;
use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use e2e::runs::STANDS;
use serde_json::{Value, json};
use thirtyfour::By;

/// Opens the demo.
async fn open(screen: Screen) -> anyhow::Result<(Adapter, Page)> {
    let adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(screen).await?, &adapter.url()).await?;
    page.until_online().await?;
    Ok((adapter, page))
}

/// How many files of the second program the page has loaded.
async fn loaded(page: &Page) -> anyhow::Result<Value> {
    let names = "return performance.getEntriesByType('resource').map((entry) => entry.name)\
                 .filter((name) => name.includes('/modules/desk')).length";
    page.script(names, vec![]).await
}

fn recordings() -> anyhow::Result<PathBuf> {
    Ok(e2e::workspace().join("crates/adapter/recordings/stream-json").canonicalize()?)
}

/// Opens files in the sheet of recorded runs, as a reader picks them.
async fn pick(page: &Page, files: &[&Path]) -> anyhow::Result<()> {
    page.script("location.hash = 'replay'", vec![]).await?;
    page.until("the sheet", "return !!document.querySelector('.runs input[type=file]')").await?;
    pick_in(page, files).await
}

async fn pick_in(page: &Page, files: &[&Path]) -> anyhow::Result<()> {
    let input = page.browser.driver.find(By::Css(".runs input[type=file]")).await.context("no file input")?;
    let names: Vec<_> = files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    input.send_keys(names.join("\n")).await?;
    Ok(())
}

/// What is on screen of the run.
async fn shown(page: &Page) -> anyhow::Result<Value> {
    let read = "const all = (selector) => [...document.querySelectorAll('.shell.replay ' + selector)];\
                return { text: document.querySelector('.shell.replay .timeline').innerText,\
                answers: all('[data-row=answer] .markdown').map((one) => one.innerText.trim()),\
                tools: all('[data-tool]:not(.run-panel *)').map((tool) => [tool.dataset.tool, tool.dataset.state]) }";
    page.script(read, vec![]).await
}

/// The lines of a recording.
fn events(file: &Path) -> anyhow::Result<Vec<Value>> {
    let text = std::fs::read_to_string(file)?;
    Ok(text.lines().filter(|line| !line.is_empty()).map(serde_json::from_str).collect::<Result<_, _>>()?)
}

#[tokio::test]
async fn a_page_of_the_desk_is_loaded_when_its_address_asks_for_it() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop).await?;
    assert_eq!(loaded(&page).await?, json!(0), "nothing of it before");
    let before = page.script("return location.href", vec![]).await?;
    page.script("location.hash = 'doctor'", vec![]).await?;
    page.until("the sheet", "return document.querySelector('.desk-sheet[data-page=doctor] h2') !== null")
        .await?;
    assert_eq!(page.script("return location.href", vec![]).await?, before, "the chat's address is back");
    assert_eq!(loaded(&page).await?, json!(2), "the script and the program");
    page.click(".desk-sheet [aria-label=Close]").await?;
    page.until("no sheet", "return document.querySelector('.desk-sheet') === null").await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn every_recording_replays_to_its_end_at_once_and_ten_times_as_fast() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop).await?;
    let mut files: Vec<_> = std::fs::read_dir(recordings()?)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    assert!(files.len() >= 13, "{files:?}");
    for file in &files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        pick(&page, &[file]).await?;
        page.until_run().await?;
        page.click("[data-speed='×10']").await?;
        page.until_run_ends().await.context(name.clone())?;
        let played = shown(&page).await?;
        page.seek(0).await?;
        page.until("the beginning", &format!("{STANDS} return at < end || end === 0")).await?;
        page.click("[data-speed='All']").await?;
        page.until_run_ends().await.context(name.clone())?;
        let at_once = shown(&page).await?;
        assert_eq!(at_once, played, "{name}: the same either way");
        let events = events(file)?;
        let tools = events.iter().filter(|event| event["type"] == "tool_use").count();
        assert_eq!(played["tools"].as_array().map(Vec::len), Some(tools), "{name}: {played}");
        assert!(!played.to_string().contains("running"), "{name}: {played}");
        page.click("[data-action=leave]").await?;
        page.until("the chat", "return !document.querySelector('.shell.replay')").await?;
    }
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

/// A run of these lines.
const RUN: &str = r#"{"type":"system","subtype":"init","model":"demo","session_id":"s1","timestamp":1764500001000}
{"type":"text","text":"First ","timestamp":1764500001200}
this line is damaged
{"type":"tool_use","name":"terminal","input":{"command":"ls"},"timestamp":1764500001300}
{"type":"tool_result","name":"terminal","output":"a","duration_ms":20000,"is_error":true,"timestamp":1764500021300}
{"type":"text","text":"and last.","timestamp":1764500021400}
{"type":"result","session_id":"s1","exit_code":0,"text":"and last.","tokens":{"input":5,"output":7,"total":12},"duration_ms":20500,"timestamp":1764500021500}
"#;

async fn leave(page: &Page) -> anyhow::Result<()> {
    page.click("[data-action=leave]").await?;
    page.until("the chat", "return !document.querySelector('.shell.replay')").await?;
    Ok(())
}

#[tokio::test]
async fn a_run_that_is_dropped_plays_over_the_chat_and_the_chat_is_as_it_was_afterwards() -> anyhow::Result<()>
{
    let (adapter, page) = open(Screen::Desktop).await?;
    page.paste_and_send("Hello there").await?;
    page.until_quiet().await?;
    page.script("document.querySelector('textarea').focus()", vec![]).await?;
    let kept = "const rest = { ...localStorage }; return JSON.stringify([rest, location.href,\
                document.querySelector('.shell:not(.replay) .timeline').innerText])";
    let before = page.script(kept, vec![]).await?;

    page.drop_files("body", &[("one.jsonl", RUN), ("two.jsonl", RUN)]).await?;
    page.until_run().await?;
    page.until("both runs", "return document.querySelectorAll('.replay [data-chat]').length === 2").await?;
    assert_eq!(page.count(".shell.replay textarea").await?, 0, "nothing can be written into a recording");
    let hidden = "return getComputedStyle(document.querySelector('.shell:not(.replay)')).visibility";
    assert_eq!(page.script(hidden, vec![]).await?, json!("hidden"));
    page.click("[data-speed=All]").await?;
    page.until_run_ends().await?;
    assert_eq!(shown(&page).await?["answers"], json!(["First", "and last."]));

    leave(&page).await?;
    assert_eq!(page.script(kept, vec![]).await?, before, "storage, address and chat");
    page.paste_and_send("Still here").await?;
    page.until_quiet().await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn damaged_lines_are_named_silences_are_marked_and_the_summary_has_the_figures() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop).await?;
    page.drop_files("body", &[("run.jsonl", RUN)]).await?;
    page.until_run().await?;
    page.until("the note", "return document.querySelector('.player-note').innerText.includes('of silence, shortened, waiting for terminal')").await?;
    page.until("the damage", "return !!document.querySelector('.damage [data-line=\"3\"]')").await?;
    let figures = "const text = (selector) => document.querySelector('.run-panel ' + selector)?.innerText;\
        return [text('.ending strong'), text('[data-tokens]'), text('[data-tool=terminal]'),\
        [...document.querySelectorAll('[data-part]')].map((part) => Number(part.dataset.ms)),\
        document.querySelector('.strip-failed').getAttribute('d') !== '', document.querySelector('.strip-gap').getAttribute('d') !== '']";
    let told = page.script(figures, vec![]).await?;
    assert_eq!(told[0], json!("Finished, exit code 0"));
    assert_eq!(told[1], json!("Input\n5\nOutput\n7\nTotal\n12"));
    assert_eq!(told[2], json!("💻 terminal\t1\t1\t20 s\t20 s"));
    assert_eq!(told[3].as_array().context("parts")?.iter().filter_map(Value::as_u64).sum::<u64>(), 20_500);
    assert_eq!(told[3][2], json!(20_000), "tools");
    assert_eq!((&told[4], &told[5]), (&json!(true), &json!(true)));
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn what_is_no_run_is_named_and_nothing_changes() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Phone).await?;
    for (name, text, sentence) in [
        ("empty.jsonl", "", "This file is empty."),
        ("array.jsonl", "[{\"type\":\"text\"}]", "This is a JSON array."),
        ("picture.jsonl", "\u{89}PNG", "Expected the output of"),
        ("session_1.jsonl", "{\"messages\": [{\"role\": \"user\"}]}", "exported session"),
    ] {
        page.drop_files("body", &[(name, text)]).await?;
        let said = format!(
            "return document.querySelector('.runs-refused')?.innerText.includes({}) && document.querySelector('.runs-refused strong').innerText === {}",
            json!(sentence),
            json!(name)
        );
        page.until(sentence, &said).await?;
        assert_eq!(page.count(".shell.replay").await?, 0);
        page.click(".desk-sheet [aria-label=Close]").await?;
    }
    // Beside a run, it is only said.
    page.drop_files("body", &[("run.jsonl", RUN)]).await?;
    page.until_run().await?;
    page.drop_files(".shell.replay main", &[("state.db", "SQLite format 3\u{0}")]).await?;
    page.until(
        "the sentence",
        "return document.querySelector('.runs-refused')?.innerText.includes('SQLite')",
    )
    .await?;
    page.click(".desk-sheet [aria-label=Close]").await?;
    assert_eq!(page.count(".shell.replay").await?, 1);
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn lines_that_are_pasted_are_a_run_and_the_keyboard_plays_it() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop).await?;
    page.script("location.hash = 'replay'", vec![]).await?;
    page.until("the sheet", "return !!document.querySelector('.runs-text')").await?;
    let paste = "const data = new DataTransfer(); data.setData('text/plain', arguments[0]);\
        document.querySelector('.runs-text').dispatchEvent(\
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))";
    page.script(paste, vec![json!(RUN)]).await?;
    page.until_run().await?;
    let press = |key: &str, shift: bool| {
        format!(
            "document.querySelector('.replay main').dispatchEvent(new KeyboardEvent('keydown',\
             {{ key: {}, shiftKey: {shift}, bubbles: true, cancelable: true }}))",
            json!(key)
        )
    };
    let playing =
        |label: &str| format!("return document.querySelector('.player-play').ariaLabel === '{label}'");
    page.until("playing", &playing("Pause")).await?;
    page.script(&press(" ", false), vec![]).await?;
    page.until("paused", &playing("Play")).await?;
    page.until("all of it is known", &format!("{STANDS} return end === 2500")).await?;
    page.script(&press("ArrowRight", false), vec![]).await?;
    page.until("the end", &format!("{STANDS} return at === end")).await?;
    page.script(&press("ArrowLeft", true), vec![]).await?;
    page.until("the tool's beginning", &format!("{STANDS} return at === 300")).await?;
    page.until(
        "the tool runs",
        "return document.querySelector('.replay .timeline [data-tool]')?.dataset.state === 'running'",
    )
    .await?;
    page.script(&press("ArrowLeft", false), vec![]).await?;
    page.until("the beginning", &format!("{STANDS} return at === 0")).await?;
    page.click("[data-action=next-tool]").await?;
    page.until("the tool again", &format!("{STANDS} return at === 300")).await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn the_address_names_a_run_of_this_host_and_of_no_other() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop).await?;
    let url = adapter.url().trim_end_matches('/').to_owned();
    // The manifest is a file of this host, and no run: its sentence proves that it was fetched.
    page.browser.driver.goto(format!("{url}/?replay=manifest.webmanifest")).await?;
    page.until(
        "the sentence",
        "return document.querySelector('.runs-refused')?.innerText.includes('These are JSON objects')",
    )
    .await?;
    page.browser.driver.goto(format!("{url}/?replay=https://evil.example/run.jsonl")).await?;
    page.until(
        "the refusal",
        "return document.querySelector('.runs-refused')?.innerText.includes('It lies with evil.example')",
    )
    .await?;
    page.browser.driver.goto(format!("{url}/?replay=nothing.jsonl")).await?;
    page.until("the status", "return document.querySelector('.runs-refused')?.innerText.includes('404')")
        .await?;
    page.browser.driver.goto(format!("{url}/")).await?;
    let host = url.trim_start_matches("http://").to_owned();
    let faults = page.browser.faults(&[&host]).await?;
    assert!(faults.iter().all(|fault| fault.contains("404")), "{faults:?}");
    page.browser.quit().await
}

#[tokio::test]
async fn without_an_adapter_runs_are_replayed_all_the_same() -> anyhow::Result<()> {
    let (mut adapter, page) = open(Screen::Phone).await?;
    page.drop_files("body", &[("run.jsonl", RUN)]).await?;
    page.until_run().await?;
    adapter.kill().await?;
    page.until("offline, behind it", "return !!document.querySelector('.shell:not(.replay) .banner')")
        .await?;
    page.drop_files("body", &[("other.jsonl", RUN)]).await?;
    page.until("both runs", "return document.querySelector('.replay .top').innerText !== ''").await?;
    page.click("[data-speed=All]").await?;
    page.until_run_ends().await?;
    assert_eq!(shown(&page).await?["answers"], json!(["First", "and last."]));
    let seen = "return [...document.querySelectorAll('.banner')]\
                .filter((banner) => banner.checkVisibility({ visibilityProperty: true })).length";
    assert_eq!(page.script(seen, vec![]).await?, json!(0), "a replay has no trouble with any adapter");
    leave(&page).await?;
    // The worker lies with the adapter: that it cannot be loaded is said.
    page.script("window.irisDesk('replay', [new File([''], 'a.jsonl')])", vec![]).await?;
    page.until(
        "the sentence",
        "return !!document.querySelector('.runs-refused')?.innerText.includes('cannot be loaded')",
    )
    .await?;
    page.browser.quit().await
}
