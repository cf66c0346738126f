//! The demo: recordings of the real Hermes, played by the real adapter, seen in a real browser under the production policy.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::{Page, Row};

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

async fn open(screen: Screen, speed: f64) -> anyhow::Result<(Adapter, Page)> {
    let adapter = Adapter::start(speed).await?;
    let page = Page::open(Browser::chromium(screen).await?, &adapter.url()).await?;
    page.until_online().await?;
    Ok((adapter, page))
}

#[tokio::test]
async fn every_suggestion_plays_to_its_end() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop, 12.0).await?;
    let labels = page.suggestions().await?;
    assert!(labels.len() >= 7, "{labels:?}");
    for label in &labels {
        page.suggest(label).await?;
        page.play_to_the_end("once").await.map_err(|error| error.context(label.clone()))?;
        assert_closed(label, &page.transcript().await?);
        page.assert_inert().await?;
        page.assert_healthy(&adapter.url()).await?;
        page.new_chat().await?;
    }
    page.browser.quit().await
}

#[tokio::test]
async fn a_turn_with_tools_shows_reasoning_cards_answer_and_footer() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Phone, 6.0).await?;
    page.suggest("ummari").await?;
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
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn turns_of_one_chat_stand_below_each_other_and_a_new_page_shows_the_same() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop, 8.0).await?;
    page.suggest("three tools").await?;
    page.until_quiet().await?;
    let first = page.transcript().await?;
    page.suggest("Think before").await?;
    page.until("the second message", "return document.querySelectorAll('[data-row=user]').length === 2")
        .await?;
    page.until_quiet().await?;
    let both = page.transcript().await?;
    assert_eq!(both.get(..first.len()), Some(first.as_slice()), "the first turn stays as it was");
    assert!(both.len() > first.len() + 1, "{both:#?}");
    page.browser.driver.refresh().await?;
    page.until_online().await?;
    page.until(
        "the transcript",
        &format!("return document.querySelectorAll('[data-row]').length === {}", both.len()),
    )
    .await?;
    assert_eq!(page.transcript().await?, both, "after a reload");
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_page_that_is_reloaded_in_mid_turn_ends_like_one_that_stayed() -> anyhow::Result<()> {
    let (adapter, stayed) = open(Screen::Desktop, 2.0).await?;
    let other = Browser::chromium(Screen::Phone).await?;
    stayed.suggest("ummari").await?;
    stayed.until("a running tool", "return !!document.querySelector('[data-state=running]')").await?;
    let address = stayed.browser.driver.current_url().await?;
    let other = Page::open(other, address.as_str()).await?;
    other
        .until("the turn on the other device", "return !!document.querySelector('[data-action=stop]')")
        .await?;
    other.browser.driver.refresh().await?;
    other.until_quiet().await?;
    stayed.until_quiet().await?;
    assert_eq!(other.transcript().await?, stayed.transcript().await?);
    other.assert_healthy(&adapter.url()).await?;
    other.browser.quit().await?;
    stayed.browser.quit().await
}

#[tokio::test]
async fn an_approval_is_denied_by_its_button() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop, 10.0).await?;
    page.suggest("Ask before").await?;
    page.until("the question", "return !!document.querySelector('[data-choice=deny]')").await?;
    page.click("[data-choice=deny]").await?;
    page.until_quiet().await?;
    let rows = page.transcript().await?;
    let ask = rows.iter().find(|row| row.kind == "ask").expect("the question stays");
    assert!(ask.text.to_lowercase().contains("denied"), "{ask:?}");
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn stop_ends_the_turn_at_once_and_says_so() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Phone, 1.0).await?;
    page.paste_and_send(&"A long text that takes its time. ".repeat(80)).await?;
    page.until(
        "some text",
        "return (document.querySelector('[data-row=answer] [data-text]')?.innerText.length ?? 0) > 40",
    )
    .await?;
    page.click("[data-action=stop]").await?;
    page.until_quiet().await?;
    let rows = page.transcript().await?;
    let notice = rows.iter().find(|row| row.kind == "notice" && row.text.contains("topped"));
    assert!(notice.is_some(), "{rows:#?}");
    let answer = rows.iter().find(|row| row.kind == "answer").expect("what was said stays");
    assert!((40..2000).contains(&answer.text.len()), "{answer:?}");
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_killed_adapter_is_told_and_comes_back_and_nothing_is_lost_or_said_twice() -> anyhow::Result<()> {
    let (mut adapter, page) = open(Screen::Desktop, 10.0).await?;
    page.send("Hello there").await?;
    page.until_quiet().await?;
    adapter.kill().await?;
    let told =
        "return document.querySelector('[data-connection=offline], [data-connection=connecting]')?.innerText";
    page.until("a word about the connection", told).await?;
    page.until("a sentence about it", "return document.querySelector('[data-action=reconnect]') !== null")
        .await?;
    page.paste_and_send("Hello again").await?;
    adapter.restart().await?;
    page.until_online().await?;
    page.until_quiet().await?;
    let rows = page.transcript().await?;
    let times = |kind: &str| rows.iter().filter(|row| row.kind == kind && row.text == "Hello again").count();
    assert_eq!((times("user"), times("answer")), (1, 1), "{rows:#?}");
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn an_adapter_that_dies_in_mid_turn_leaves_nothing_running() -> anyhow::Result<()> {
    let (mut adapter, page) = open(Screen::Desktop, 1.0).await?;
    page.suggest("ummari").await?;
    page.until("a running tool", "return !!document.querySelector('[data-state=running]')").await?;
    adapter.kill().await?;
    page.until("the page to notice", "return !document.querySelector('[data-connection=online]')").await?;
    adapter.restart().await?;
    page.until_online().await?;
    page.until(
        "nothing to run",
        "return !document.querySelector('[data-action=stop], [data-state=running]')",
    )
    .await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}
