//! The page's second program: recorded runs are replayed by the app's own components, without any adapter having a part in it.

use std::path::{Path, PathBuf};

use anyhow::Context;
use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use serde_json::{Value, json};
use thirtyfour::By;

/// The end of the slider, and where it stands.
const STANDS: &str = "const seek = document.querySelector('.player-seek');\
                      if (!seek) return null; const [at, end] = [Number(seek.value), Number(seek.max)];";

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
    let input = page.browser.driver.find(By::Css(".runs input[type=file]")).await.context("no file input")?;
    let names: Vec<_> = files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    input.send_keys(names.join("\n")).await?;
    Ok(())
}

async fn until_shown(page: &Page) -> anyhow::Result<()> {
    page.until("the replay", "return !!document.querySelector('.shell.replay .player-box')").await?;
    Ok(())
}

async fn until_at_end(page: &Page) -> anyhow::Result<()> {
    let stands = format!(
        "{STANDS} return at >= end && document.querySelector('.player-play').ariaLabel === 'Play'\
         && !document.querySelector('.replay [data-state=running], .replay [data-phase=streaming]')"
    );
    page.until("the end of the run", &stands).await?;
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
        until_shown(&page).await?;
        page.click("[data-speed='×10']").await?;
        until_at_end(&page).await.context(name.clone())?;
        let played = shown(&page).await?;
        page.script(
            "document.querySelector('.player-seek').value = 0;\
            document.querySelector('.player-seek').dispatchEvent(new InputEvent('input', { bubbles: true }))",
            vec![],
        )
        .await?;
        page.until("the beginning", &format!("{STANDS} return at < end || end === 0")).await?;
        page.click("[data-speed='All']").await?;
        until_at_end(&page).await.context(name.clone())?;
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
