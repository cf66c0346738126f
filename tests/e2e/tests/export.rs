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

/// The whole transcript on screen: of each row its kind, its words, its reasoning, how it was cut and its tools; and how many
/// there are of what.
async fn rows(page: &Page, shell: &str) -> anyhow::Result<Value> {
    let read = "const [shell] = arguments; const all = (selector) => [...document.querySelectorAll(`${shell} ${selector}`)];\
        const text = (one) => one?.innerText.trim() ?? null;\
        return { rows: all('[data-row]').map((row) => ({ kind: row.dataset.row, text: text(row),\
            reasoning: row.querySelector('[data-reasoning]')?.textContent ?? null, cut: text(row.querySelector('.cut')),\
            tools: [...row.querySelectorAll('[data-tool]')].map((tool) => [tool.dataset.tool, tool.dataset.state]) })),\
        said: all('[data-row=user]').map(text), answers: all('[data-row=answer] .markdown').map(text),\
        tools: all('[data-row] [data-tool]').length, cut: all('.cut').length,\
        notices: all('[data-row=notice]').length, reasoning: all('[data-reasoning]').length }";
    page.script(read, vec![json!(shell)]).await
}

/// Opens the file in the sheet of recorded runs, and plays it to its end at once.
async fn replay(page: &Page, file: &Path) -> anyhow::Result<()> {
    page.script("location.hash = 'replay'", vec![]).await?;
    page.until("the sheet", "return !!document.querySelector('.runs input[type=file]')").await?;
    let input = page.browser.driver.find(By::Css(".runs input[type=file]")).await?;
    input.send_keys(file.to_string_lossy().into_owned()).await?;
    page.until_run().await?;
    page.click("[data-speed='All']").await?;
    page.until_run_ends().await
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
    replay(&page, &file).await?;
    assert!(live["answers"].as_array().is_some_and(|answers| !answers.is_empty()), "{live}");
    assert_eq!(rows(&page, ".shell.replay").await?, live);
    page.click(".shell.replay [data-chat][aria-current] + [data-action=chat-menu]").await?;
    page.until("the menu", "return !!document.querySelector('.replay [data-action=rename-chat]')").await?;
    let offered = page.count(".replay [data-action=export-chat]").await?;
    assert_eq!(offered, 0, "the adapter has no such chat");
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

/// Turns with reasoning and tools, one that the reader stopped, one that the provider broke off, and one that it never began.
#[tokio::test]
async fn a_chat_of_many_turns_plays_to_what_was_on_screen_of_it() -> anyhow::Result<()> {
    let (adapter, page, saved) = open(Screen::Desktop).await?;
    let texts = [
        "Run three things at once",
        "Clean the build",
        "Try a provider that hangs",
        "Try a provider that is down",
    ];
    for (nth, text) in texts.into_iter().enumerate() {
        page.send(text).await?;
        // The turn itself may be over before anybody looks.
        let said = format!("return document.querySelectorAll('[data-row=user]').length === {}", nth + 2);
        page.until("the message", &said).await?;
        page.play_to_the_end("once").await?;
    }
    page.send("Count until I stop you").await?;
    page.until(
        "an answer",
        "return document.querySelector('[data-phase=streaming] .markdown')?.innerText.length > 20",
    )
    .await?;
    page.click("[data-action=stop]").await?;
    page.until_quiet().await?;
    let live = rows(&page, ".shell").await?;
    for (part, least) in [("tools", 6), ("cut", 1), ("notices", 2), ("reasoning", 2)] {
        assert!(live[part].as_u64() >= Some(least), "{part}: {live:#}");
    }
    assert_eq!(live["said"].as_array().map(Vec::len), Some(6), "{live:#}");
    open_sheet(&page).await?;
    let file = save(&page, "jsonl", saved.path()).await?;
    page.click(".desk-sheet [aria-label=Close]").await?;
    replay(&page, &file).await?;
    let replayed = rows(&page, ".shell.replay").await?;
    for (nth, row) in live["rows"].as_array().into_iter().flatten().enumerate() {
        assert_eq!(&replayed["rows"][nth], row, "row {nth}");
    }
    assert_eq!(replayed, live);
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_turn_is_exported_by_itself_from_below_its_answer() -> anyhow::Result<()> {
    let (adapter, page, saved) = open(Screen::Phone).await?;
    // The chat's title is made of it too.
    let first = format!("> {}", page.transcript().await?.first().context("no row")?.text);
    page.paste_and_send("Only this is wanted").await?;
    page.until_quiet().await?;
    let turns = page.count("[data-action=export-turn]").await?;
    assert_eq!(turns, 2, "one for each turn, below its last answer");
    page.click("[data-row=answer]:last-child [data-action=export-turn]").await?;
    page.until("the sheet", "return !!document.querySelector('.desk-sheet .export-of')").await?;
    let file = save(&page, "md", saved.path()).await?;
    let text = std::fs::read_to_string(&file)?;
    assert!(text.contains("Only this is wanted") && !text.contains(&first), "{text}");
    page.click(".export-choice [value=chat]").await?;
    page.until("nothing said of the turn's file", "return !document.querySelector('[data-saved]')").await?;
    let file = save(&page, "md", saved.path()).await?;
    let text = std::fs::read_to_string(&file)?;
    assert!(text.contains("Only this is wanted") && text.contains(&first), "{text}");
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
    let expected = json!([count("said"), count("answers"), live["tools"], 0, false]);
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
