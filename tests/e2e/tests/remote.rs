//! A device that is put out, the app below a path of a proxy, and vectors 19 and 20 of the security page.

use axum::{Router, response::Html};
use e2e::adapter::{Adapter, Setup};
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use e2e::proxy::Place;
use tokio::net::TcpListener;

/// A host that must never hear of us.
const CANARY: &str = "canary.invalid";

#[tokio::test]
async fn a_device_that_is_put_out_at_the_terminal_asks_to_be_paired_again() -> anyhow::Result<()> {
    let adapter = Adapter::start(50.0).await?;
    let link = adapter.new_link().await?;
    let page = Page::open_unpaired(Browser::chromium(Screen::Phone).await?, &link).await?;
    page.pair(None, "My phone").await?;
    page.until_online().await?;
    adapter.command(&["devices", "revoke", "My phone"]).await?;
    page.until("the page to say that it is out", "return !!document.querySelector('[data-pairing]')").await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn the_app_works_below_a_path_of_a_proxy() -> anyhow::Result<()> {
    let place = Place::take().await?;
    let url = place.url();
    let arguments = ["--speed", "50", "--public-url", &url].map(Into::into).to_vec();
    let adapter = Adapter::start_with(Setup { arguments, ..Setup::default() }).await?;
    let _proxy = place.lead_to(adapter.address());
    let link = adapter.new_link().await?;
    assert!(link.starts_with(&format!("{url}#pair=")), "{link}");

    let page = Page::open_unpaired(Browser::chromium(Screen::Desktop).await?, &link).await?;
    page.pair(None, "Desk").await?;
    page.until_online().await?;
    page.send("Hello from below a path").await?;
    page.until_quiet().await?;
    let own = url.trim_end_matches("iris/");
    page.assert_healthy(own).await?;
    // A page that is not there leads back to the one that is.
    page.browser.driver.goto(format!("{url}some/where/else")).await?;
    page.until_online().await?;
    assert!(page.browser.driver.current_url().await?.as_str().starts_with(&url));
    page.browser.quit().await
}

#[tokio::test]
async fn vector_19_no_address_in_the_link_is_ever_connected_to() -> anyhow::Result<()> {
    let adapter = Adapter::start(50.0).await?;
    let evil = format!(
        "?gateway=wss://{CANARY}&gatewayUrl=wss://{CANARY}&url=wss://{CANARY}#gateway=wss://{CANARY}"
    );
    let page =
        Page::open(Browser::chromium(Screen::Desktop).await?, &format!("{}{evil}", adapter.url())).await?;
    page.until_online().await?;
    // Any request or socket to another host is a fault.
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn vector_20_a_page_of_another_origin_cannot_frame_the_app() -> anyhow::Result<()> {
    let adapter = Adapter::start(50.0).await?;
    let frame = Html(format!("<!doctype html><iframe src='{}'></iframe>", adapter.url()));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let evil = format!("http://{}/", listener.local_addr()?);
    let server =
        tokio::spawn(
            async move { axum::serve(listener, Router::new().fallback(move || async { frame })).await },
        );
    let browser = Browser::chromium(Screen::Desktop).await?;
    browser.driver.goto(&evil).await?;
    let told = e2e::wait::until("the browser to refuse the frame", || async {
        let log = browser.driver.get_log("browser").await?;
        Ok(log.into_iter().map(|entry| entry.message).find(|message| message.contains("frame-ancestors")))
    });
    let told = told.await?;
    assert!(told.contains(adapter.url().trim_end_matches('/')), "{told}");
    server.abort();
    browser.quit().await
}
