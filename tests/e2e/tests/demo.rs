//! The demo: recordings of the real Hermes, played by the real adapter, seen in a real browser under the production policy.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::{Page, Row};
use e2e::wait;

/// Answers whatever question waits with the choice `wanted` (or the first), until the turn is over.
async fn play_to_the_end(page: &Page, wanted: &str) -> anyhow::Result<()> {
    page.until_running().await?;
    let answer = format!(
        "const open = [...document.querySelectorAll('[data-choice]:not([disabled])')];
         (open.find((b) => b.dataset.choice === '{wanted}') ?? open[0])?.click();
         return !document.querySelector('[data-action=stop], [data-phase=streaming], [data-state=running]');"
    );
    page.until("the turn to end", &answer).await?;
    page.until_quiet().await
}

/// What holds after every turn, whatever it was.
fn assert_closed(label: &str, rows: &[Row]) {
    assert_eq!(rows.first().map(|row| row.kind.as_str()), Some("user"), "{label}: {rows:#?}");
    assert!(rows.len() > 1, "{label}: something follows the user's message: {rows:#?}");
    for tool in rows.iter().flat_map(|row| &row.tools) {
        assert_ne!(tool.state, "running", "{label}: {tool:?}");
    }
    for row in rows {
        assert!(!row.text.contains('▉'), "{label}: no cursor stays: {row:?}");
        assert!(!row.text.contains("@@"), "{label}: the laboratory's marks are not for readers: {row:?}");
    }
}

#[tokio::test]
async fn every_suggestion_plays_to_its_end() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    page.until("the suggestions", "return document.querySelectorAll('[data-suggestion]').length").await?;
    let labels = page.suggestions().await?;
    assert!(labels.len() >= 7, "{labels:?}");
    for label in &labels {
        page.suggest(label).await?;
        play_to_the_end(&page, "once").await.map_err(|error| error.context(label.clone()))?;
        assert_closed(label, &page.transcript().await?);
        page.assert_inert().await?;
        page.assert_healthy(&adapter.url()).await?;
        page.click("[data-action=new-chat]").await?;
        page.until(
            "an empty chat",
            "return !document.querySelector('[data-row]') && !!document.querySelector('[data-suggestion]')",
        )
        .await?;
    }
    page.browser.quit().await
}

#[tokio::test]
async fn a_turn_with_tools_shows_reasoning_cards_answer_and_footer() -> anyhow::Result<()> {
    let adapter = Adapter::start(6.0).await?;
    let page = Page::open(Browser::chromium(Screen::Phone).await?, &adapter.url()).await?;
    page.until_online().await?;
    page.until("the suggestions", "return document.querySelectorAll('[data-suggestion]').length").await?;
    let summarise = page.suggestions().await?.into_iter().find(|label| label.contains("ummari"));
    page.suggest(&summarise.expect("a suggestion that summarises the repository")).await?;
    page.until_running().await?;
    page.until_quiet().await?;
    let rows = page.transcript().await?;
    let tools: Vec<(String, String)> =
        rows.iter().flat_map(|row| &row.tools).map(|tool| (tool.name.clone(), tool.state.clone())).collect();
    let expected = [("terminal", "ok"), ("terminal", "failed"), ("read_file", "ok")];
    assert_eq!(tools, expected.map(|(name, state)| (name.to_owned(), state.to_owned())), "{rows:#?}");
    let last = rows.iter().rfind(|row| row.kind == "answer").expect("an answer");
    assert!(last.text.contains("Summary of the repository"), "{last:?}");
    assert!(last.footer.as_deref().is_some_and(|footer| footer.contains("demo-model")), "{last:?}");
    assert!(
        rows.iter().any(|row| row.reasoning.as_deref().is_some_and(|text| text.contains("I should look"))),
        "{rows:#?}"
    );
    page.browser.quit().await
}

#[tokio::test]
async fn an_approval_is_denied_by_its_button() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    page.until("the suggestions", "return document.querySelectorAll('[data-suggestion]').length").await?;
    for label in page.suggestions().await? {
        page.suggest(&label).await?;
        let asked = wait::until("a question or the end", || async {
            let ask = page.count("[data-choice=deny]").await? > 0;
            let over = page.count("[data-action=stop]").await? == 0 && page.count("[data-row]").await? > 1;
            Ok((ask || over).then_some(ask))
        });
        if asked.await? {
            page.click("[data-choice=deny]").await?;
            page.until_quiet().await?;
            let ask = page
                .transcript()
                .await?
                .into_iter()
                .find(|row| row.kind == "ask")
                .expect("the question stays");
            assert!(ask.text.to_lowercase().contains("denied"), "{ask:?}");
            return page.browser.quit().await;
        }
        page.until_quiet().await?;
        page.click("[data-action=new-chat]").await?;
        page.until("an empty chat", "return !document.querySelector('[data-row]')").await?;
    }
    panic!("no suggestion asks for an approval")
}

#[tokio::test]
async fn stop_ends_the_turn_at_once_and_says_so() -> anyhow::Result<()> {
    let adapter = Adapter::start(1.0).await?;
    let page = Page::open(Browser::chromium(Screen::Phone).await?, &adapter.url()).await?;
    page.until_online().await?;
    page.paste_and_send(&"A long text that takes its time. ".repeat(80)).await?;
    page.until(
        "some text",
        "return (document.querySelector('[data-row=answer] [data-text]')?.innerText.length ?? 0) > 40",
    )
    .await?;
    page.click("[data-action=stop]").await?;
    page.until_quiet().await?;
    let rows = page.transcript().await?;
    let said = rows.iter().any(|row| {
        row.text.contains("topped") || row.footer.as_deref().is_some_and(|f| f.contains("topped"))
    });
    assert!(said, "{rows:#?}");
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_killed_adapter_is_told_and_comes_back() -> anyhow::Result<()> {
    let mut adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    page.send("Hello there").await?;
    page.until_quiet().await?;
    adapter.kill().await?;
    page.until("words about being offline", "return /offline|connection|reconnect/i.test(document.querySelector('[data-connection]:not([data-connection=online])')?.innerText ?? '')")
        .await?;
    adapter.restart().await?;
    page.until_online().await?;
    page.send("Hello again").await?;
    page.until_running().await?;
    page.until_quiet().await?;
    let rows = page.transcript().await?;
    assert!(rows.iter().any(|row| row.kind == "answer" && row.text.contains("Hello again")), "{rows:#?}");
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}
