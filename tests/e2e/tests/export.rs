//! What a chat is exported as from the page: a recording that plays again, and a page that loads nothing.

use std::path::{Path, PathBuf};

use anyhow::Context;
use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use e2e::wait;
use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::By;

/// The demo's first example, played to its end, with the export's sheet open over it.
async fn open(screen: Screen) -> anyhow::Result<(Adapter, Page, TempDir)> {
    let adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(screen).await?, &adapter.url()).await?;
    page.until_online().await?;
    let saved = tempfile::tempdir()?;
    let into = json!({ "behavior": "allow", "downloadPath": saved.path().to_string_lossy() });
    page.browser.cdp("Browser.setDownloadBehavior", into).await?;
    let examples = page.suggestions().await?;
    page.suggest(examples.first().context("no example")?).await?;
    page.until_running().await?;
    page.play_to_the_end("once").await?;
    Ok((adapter, page, saved))
}

async fn open_sheet(page: &Page) -> anyhow::Result<()> {
    page.show_chats().await?;
    page.click("[data-chat][aria-current] + [data-action=chat-menu]").await?;
    page.until("the export", "return !!document.querySelector('[data-action=export-chat]')").await?;
    page.click("[data-action=export-chat]").await?;
    page.until("the sheet", "return !!document.querySelector('.desk-sheet .export')").await?;
    Ok(())
}

/// Saves the form and finds its file.
async fn save(page: &Page, form: &str, folder: &Path) -> anyhow::Result<PathBuf> {
    page.click(&format!("[data-export={form}]")).await?;
    let name = page.until("the file", "return document.querySelector('[data-saved]')?.dataset.saved").await?;
    let file = folder.join(name.as_str().context("no name")?);
    wait::until("the file on disk", || async { Ok(file.is_file().then_some(())) }).await?;
    Ok(file)
}

/// What the answers and tools on screen are.
async fn rows(page: &Page, shell: &str) -> anyhow::Result<Value> {
    let read = "const [shell] = arguments; const all = (selector) => [...document.querySelectorAll(`${shell} ${selector}`)];\
        return { rows: all('[data-row]').map((row) => row.dataset.row),\
        said: all('[data-row=user]').map((one) => one.innerText),\
        answers: all('[data-row=answer] .markdown').map((one) => one.innerText),\
        tools: all('[data-tool]:not(.run-panel *)').map((tool) => [tool.dataset.tool, tool.dataset.state]) }";
    page.script(read, vec![json!(shell)]).await
}

#[tokio::test]
async fn a_chat_that_is_saved_as_a_recording_plays_to_the_same_transcript() -> anyhow::Result<()> {
    let (adapter, page, saved) = open(Screen::Desktop).await?;
    let live = rows(&page, ".shell").await?;
    let before = page.script("return location.href", vec![]).await?;
    open_sheet(&page).await?;
    assert_eq!(
        page.script("return location.href", vec![]).await?,
        before,
        "nothing of it stays in the address"
    );
    let file = save(&page, "jsonl", saved.path()).await?;
    assert!(file.to_string_lossy().ends_with(".iris.jsonl"), "{file:?}");
    page.click(".desk-sheet [aria-label=Close]").await?;
    page.script("location.hash = 'replay'", vec![]).await?;
    page.until("the sheet", "return !!document.querySelector('.runs input[type=file]')").await?;
    let input = page.browser.driver.find(By::Css(".runs input[type=file]")).await?;
    input.send_keys(file.to_string_lossy().into_owned()).await?;
    page.until("the replay", "return !!document.querySelector('.shell.replay .player-box')").await?;
    page.click("[data-speed='All']").await?;
    let ended = "return document.querySelector('.player-play').ariaLabel === 'Play'\
        && !!document.querySelector('.replay [data-row=answer]')\
        && !document.querySelector('.replay [data-state=running], .replay [data-phase=streaming]')";
    page.until("the end", ended).await?;
    assert!(live["answers"].as_array().is_some_and(|answers| !answers.is_empty()), "{live}");
    assert_eq!(rows(&page, ".shell.replay").await?, live);
    page.click(".shell.replay [data-chat][aria-current] + [data-action=chat-menu]").await?;
    page.until("the menu", "return !!document.querySelector('.replay [data-action=rename-chat]')").await?;
    let offered = page.count(".replay [data-action=export-chat]").await?;
    assert_eq!(offered, 0, "the adapter has no such chat");
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn the_page_that_is_saved_has_all_rows_and_asks_for_nothing() -> anyhow::Result<()> {
    let (adapter, page, saved) = open(Screen::Phone).await?;
    let live = rows(&page, ".shell").await?;
    open_sheet(&page).await?;
    let wide =
        "const sheet = document.querySelector('.desk-page'); return sheet.scrollWidth > sheet.clientWidth";
    assert_eq!(page.script(wide, vec![]).await?, json!(false));
    let file = save(&page, "html", saved.path()).await?;
    page.browser.driver.goto(format!("file://{}", file.display())).await?;
    let asked = "return performance.getEntriesByType('resource').map((entry) => entry.name)";
    assert_eq!(page.script(asked, vec![]).await?, json!([]), "nothing is asked for");
    let read = "return [document.querySelectorAll('article.user').length, document.querySelectorAll('article.answer').length,\
        document.querySelectorAll('details.tool').length, document.scripts.length,\
        document.documentElement.scrollWidth > innerWidth]";
    let count = |part: &str| live[part].as_array().map_or(0, Vec::len);
    let expected = json!([count("said"), count("answers"), count("tools"), 0, false]);
    assert_eq!(page.script(read, vec![]).await?, expected, "{live}");
    drop(adapter);
    page.browser.quit().await
}

#[tokio::test]
async fn the_diagnostic_is_shown_before_it_is_copied_and_holds_no_word() -> anyhow::Result<()> {
    let (adapter, page, _saved) = open(Screen::Desktop).await?;
    page.browser.grant_clipboard(&adapter.url()).await?;
    let live = rows(&page, ".shell").await?;
    open_sheet(&page).await?;
    page.click("[data-export=json]").await?;
    let shown =
        page.until("the diagnostic", "return document.querySelector('.export-preview')?.textContent").await?;
    let shown = shown.as_str().context("no text")?;
    assert!(shown.contains("turn.end"), "{shown}");
    for said in live["said"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        assert!(!shown.contains(said), "{said} in {shown}");
    }
    page.click("[data-export=copy]").await?;
    page.until("the copy", "return (await navigator.clipboard.readText()).includes('turn.end')").await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}
