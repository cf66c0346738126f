//! Several tabs of one browser: one socket to the adapter, and each tab as if it had its own.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use e2e::scripted::Scripted;
use serde_json::{Value, json};
use thirtyfour::WindowHandle;

/// A peer that knows chats, and a page that it has greeted. The test says all of its words.
async fn open() -> anyhow::Result<(Scripted, Page)> {
    let headers = Adapter::start(1.0).await?.headers().await?;
    let peer = Scripted::start(&headers).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &peer.url()).await?;
    greet(&peer).await?;
    Ok((peer, page))
}

async fn greet(peer: &Scripted) -> anyhow::Result<()> {
    peer.next("hello").await?;
    let chats =
        json!([{"id": "a", "title": "A", "updated_ms": 2}, {"id": "b", "title": "B", "updated_ms": 1}]);
    peer.send(&json!({"type": "hello", "protocol": 1, "chats": chats}));
    sync(peer, "a").await
}

/// The next page that subscribes wants this chat, and gets it.
async fn sync(peer: &Scripted, chat: &str) -> anyhow::Result<()> {
    let (subscribe, before) = peer.next_and_before("subscribe").await?;
    assert_eq!(subscribe.get("chat"), Some(&json!(chat)));
    assert!(
        before.iter().all(|frame| frame.get("type") != Some(&json!("hello"))),
        "a second socket: {before:?}"
    );
    peer.send(&json!({"type": "sync.begin", "chat": chat, "reset": true, "to_seq": 1}));
    peer.send(&said(chat, 1, "First"));
    peer.send(&json!({"type": "sync.end", "chat": chat}));
    Ok(())
}

fn said(chat: &str, seq: u64, text: &str) -> Value {
    json!({"type": "message", "chat": chat, "seq": seq, "message_id": format!("m{seq}"), "text": text})
}

/// Opens the app in another tab, which is in front from then on.
async fn another_tab(page: &Page, url: &str) -> anyhow::Result<WindowHandle> {
    let tab = page.browser.driver.new_tab().await?;
    to(page, &tab).await?;
    page.browser.driver.goto(url).await?;
    Ok(tab)
}

async fn to(page: &Page, tab: &WindowHandle) -> anyhow::Result<()> {
    Ok(page.browser.driver.switch_to_window(tab.clone()).await?)
}

async fn until_shows(page: &Page, texts: &[&str]) -> anyhow::Result<()> {
    let shown = format!(
        "const said = [...document.querySelectorAll('[data-row=answer] [data-text]')].map((e) => e.innerText.trim());
         return JSON.stringify(said) === {}",
        json!(json!(texts).to_string())
    );
    page.until(&format!("{texts:?} on screen"), &shown).await?;
    Ok(())
}

#[tokio::test]
async fn two_tabs_share_one_socket_and_each_sees_its_chat() -> anyhow::Result<()> {
    let (peer, page) = open().await?;
    let first = page.browser.driver.window().await?;
    until_shows(&page, &["First"]).await?;
    let second = another_tab(&page, &peer.url()).await?;
    sync(&peer, "a").await?;
    peer.send(&said("a", 2, "Second"));
    until_shows(&page, &["First", "Second"]).await?;
    page.until_online().await?;
    to(&page, &first).await?;
    until_shows(&page, &["First", "Second"]).await?;
    let third = another_tab(&page, &format!("{}#chat=b", peer.url())).await?;
    sync(&peer, "b").await?;
    peer.send(&said("b", 2, "Elsewhere"));
    peer.send(&said("a", 3, "Third"));
    until_shows(&page, &["First", "Elsewhere"]).await?;
    for tab in [&first, &second] {
        to(&page, tab).await?;
        until_shows(&page, &["First", "Second", "Third"]).await?;
    }
    // Tabs go, however they go; the last one has the socket for itself.
    page.browser.driver.close_window().await?;
    to(&page, &third).await?;
    page.browser.driver.close_window().await?;
    to(&page, &first).await?;
    peer.send(&said("a", 4, "Fourth"));
    until_shows(&page, &["First", "Second", "Third", "Fourth"]).await?;
    page.send("Hello").await?;
    let (_, before) = peer.next_and_before("message.send").await?;
    let only_pings = before.iter().all(|frame| frame.get("type") == Some(&json!("ping")));
    assert!(only_pings, "the tabs came and went without a word: {before:?}");
    // A reload is the end of the socket and the beginning of another.
    page.browser.driver.refresh().await?;
    greet(&peer).await?;
    until_shows(&page, &["First"]).await?;
    page.assert_healthy(&peer.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn tabs_that_come_in_mid_turn_show_what_the_first_one_shows() -> anyhow::Result<()> {
    let adapter = Adapter::start(2.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    page.suggest("long answer").await?;
    page.until_running().await?;
    let address = page.browser.driver.current_url().await?;
    let mut tabs = vec![page.browser.driver.window().await?];
    for _ in 0..3 {
        tabs.push(another_tab(&page, address.as_str()).await?);
    }
    let mut transcripts = Vec::new();
    for tab in &tabs {
        to(&page, tab).await?;
        page.until_quiet().await?;
        transcripts.push(page.transcript().await?);
    }
    assert!(transcripts.iter().all(|transcript| *transcript == transcripts[0]), "{transcripts:#?}");
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_browser_without_shared_workers_has_a_socket_for_each_tab() -> anyhow::Result<()> {
    let headers = Adapter::start(1.0).await?.headers().await?;
    let peer = Scripted::start(&headers).await?;
    let browser = Browser::chromium(Screen::Desktop).await?;
    browser.before_each_page("delete globalThis.SharedWorker").await?;
    let page = Page::open(browser, &peer.url()).await?;
    greet(&peer).await?;
    until_shows(&page, &["First"]).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_worker_that_cannot_be_loaded_costs_nothing_but_a_moment() -> anyhow::Result<()> {
    let headers = Adapter::start(1.0).await?.headers().await?;
    let no_workers =
        |(name, value): (String, String)| (name, value.replace("worker-src 'self'", "worker-src 'none'"));
    let peer = Scripted::start(&headers.into_iter().map(no_workers).collect::<Vec<_>>()).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &peer.url()).await?;
    greet(&peer).await?;
    until_shows(&page, &["First"]).await?;
    page.browser.quit().await
}
