//! A new device: nothing of a chat before it is connected, one press with a link, and a code for those without.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use serde_json::json;

#[tokio::test]
async fn a_link_connects_a_phone_with_one_press_and_a_reload_needs_none() -> anyhow::Result<()> {
    let adapter = Adapter::start(4.0).await?;
    let link = adapter.new_link().await?;
    let page = Page::open_unpaired(Browser::chromium(Screen::Phone).await?, &link).await?;
    let nothing = page
        .script("return document.querySelectorAll('textarea, [data-chats], [name=code]').length", vec![])
        .await?;
    assert_eq!(nothing, json!(0), "only the page of a new device, and no code to write");
    let kept = page.script("return [location.href, JSON.stringify(localStorage)]", vec![]).await?;
    let code = link.split_once("#pair=").map(|(_, code)| code).unwrap_or_default();
    assert!(
        !code.is_empty() && !kept.to_string().contains(code),
        "the code stays in no address and no storage: {kept}"
    );
    let name = page.script("return document.querySelector('[name=device]').value", vec![]).await?;
    assert_eq!(name, json!("Chrome on Linux"));
    page.pair(None, "Kitchen phone").await?;
    page.until_online().await?;
    page.paste_and_send("Hello from the kitchen").await?;
    page.until_quiet().await?;
    page.browser.driver.refresh().await?;
    page.until_online().await?;
    page.until(
        "what was said",
        "return document.querySelector('[data-row=user]')?.innerText.includes('kitchen')",
    )
    .await?;
    assert!(adapter.devices().await?.contains("Kitchen phone"));
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_code_that_was_used_is_told_and_a_whole_link_may_be_pasted() -> anyhow::Result<()> {
    let adapter = Adapter::start(4.0).await?;
    // The first link was used when the adapter was started.
    let page = Page::open_unpaired(Browser::chromium(Screen::Desktop).await?, adapter.link()).await?;
    page.pair(None, "Desk").await?;
    page.until("why not", "return document.querySelector('[data-pairing] [role=alert]')?.innerText").await?;
    let words = page.script("return document.querySelector('[data-pairing]').innerText", vec![]).await?;
    assert!(words.as_str().is_some_and(|words| words.contains("iris-adapter pair")), "what to do: {words}");
    let link = adapter.new_link().await?;
    page.pair(Some(&link), "Desk").await?;
    page.until_online().await?;
    assert!(adapter.devices().await?.contains("Desk"));
    page.browser.quit().await
}
