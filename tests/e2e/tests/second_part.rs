//! The app's second part: fetched once the chat is there; what is asked for before says so, and can be tried again.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use serde_json::json;

const PART: &str = "*_later.wasm";
const LOST: &str = "This part of Iris could not be loaded.";

#[tokio::test]
async fn the_second_part_comes_by_itself_after_the_chat_and_once() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(Screen::Phone).await?, &adapter.url()).await?;
    page.until_online().await?;
    let parts = "return performance.getEntriesByType('resource').filter((one) => one.name.endsWith('_later.wasm') && one.responseEnd).length";
    page.until("the second part", &format!("{parts} === 1")).await?;
    page.open_settings().await?;
    page.until_settings().await?;
    assert_eq!(page.script(parts, vec![]).await?, json!(1));
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn what_is_pressed_while_the_second_part_loads_is_drawn_when_it_has_come() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let browser = Browser::chromium(Screen::Phone).await?;
    browser.cdp("Fetch.enable", json!({"patterns": [{"urlPattern": PART}]})).await?;
    let page = Page::open(browser, &adapter.url()).await?;
    page.until_online().await?;
    page.press_settings().await?;
    page.until_part_says("Loading…").await?;
    page.browser.cdp("Fetch.disable", json!({})).await?;
    page.until_settings().await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_second_part_that_cannot_be_loaded_says_so_and_is_tried_again() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let browser = Browser::chromium(Screen::Phone).await?;
    browser.cdp("Network.enable", json!({})).await?;
    browser.cdp("Network.setBlockedURLs", json!({"urls": [PART]})).await?;
    let page = Page::open(browser, &adapter.url()).await?;
    page.until_online().await?;
    page.press_settings().await?;
    page.until_part_says(LOST).await?;
    page.load_part_again().await?;
    page.until_part_says(LOST).await?;
    // The chat goes on without it.
    page.close_settings().await?;
    page.paste_and_send("still here").await?;
    page.until_quiet().await?;
    page.press_settings().await?;
    page.until_part_says(LOST).await?;
    page.browser.cdp("Network.setBlockedURLs", json!({"urls": []})).await?;
    page.load_part_again().await?;
    page.until_settings().await?;
    page.browser.quit().await
}
