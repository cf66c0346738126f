//! The watch itself: what the other tests call healthy and inert must be seen when it is neither.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::hostile::CANARY;
use e2e::page::Page;

async fn open() -> anyhow::Result<(Adapter, Page)> {
    let adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    Ok((adapter, page))
}

#[tokio::test]
async fn a_blocked_request_an_error_and_a_word_on_the_console_are_faults() -> anyhow::Result<()> {
    let (adapter, page) = open().await?;
    page.assert_healthy(&adapter.url()).await?;
    let wrong = format!(
        "fetch('http://{CANARY}/').catch(() => {{}}); console.error('a word');
         setTimeout(() => {{ throw new Error('thrown'); }}); Promise.reject(new Error('rejected'));"
    );
    page.script(&wrong, vec![]).await?;
    page.until("all of it to happen", "return window.__health.length >= 2").await?;
    let host = adapter.url().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let faults = page.browser.faults(&[&host]).await?.join("\n");
    for expected in ["csp: connect-src", "Uncaught Error: thrown", "Error: rejected", "a word"] {
        assert!(faults.contains(expected), "{expected} in {faults}");
    }
    page.browser.quit().await
}

#[tokio::test]
async fn a_foreign_host_that_is_asked_is_a_fault() -> anyhow::Result<()> {
    let (adapter, page) = open().await?;
    page.browser.driver.goto(format!("http://{CANARY}/asked")).await.ok();
    page.browser.driver.goto(adapter.url()).await?;
    let left = page.browser.requests_that_left().await?;
    assert!(left.iter().any(|url| url.contains("/asked")), "{left:?}");
    page.browser.quit().await
}

#[tokio::test]
async fn an_element_or_attribute_that_no_message_may_make_is_found() -> anyhow::Result<()> {
    let (_adapter, page) = open().await?;
    page.send("hello").await?;
    page.until_quiet().await?;
    page.assert_inert().await?;
    let make = "const row = document.querySelector('[data-row=answer]');
        row.append(document.createElement('object'));
        const link = document.createElement('a'); link.setAttribute('href', 'javascript:0'); link.setAttribute('srcset', 'x');
        row.append(link);";
    page.script(make, vec![]).await?;
    let found = page.assert_inert().await.expect_err("three wrongs").to_string();
    for expected in ["element OBJECT", "href javascript:0", "attribute srcset"] {
        assert!(found.contains(expected), "{expected} in {found}");
    }
    page.browser.quit().await
}
