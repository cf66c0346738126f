//! The desk's doctor and log reader: a file is read on the page, and what is said of it can be copied.

use anyhow::Context;
use e2e::adapter::{Adapter, Setup};
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use serde_json::{Value, json};
use thirtyfour::By;

/// Opens a page of the desk over the demo.
async fn open(screen: Screen, name: &str) -> anyhow::Result<(Adapter, Page)> {
    open_on(Adapter::start(10.0).await?, screen, name).await
}

async fn open_on(adapter: Adapter, screen: Screen, name: &str) -> anyhow::Result<(Adapter, Page)> {
    let page = Page::open(Browser::chromium(screen).await?, &adapter.url()).await?;
    page.until_online().await?;
    page.script(&format!("location.hash = '{name}'"), vec![]).await?;
    page.until("the page", "return !!document.querySelector('.desk-sheet .text-field-text')").await?;
    Ok((adapter, page))
}

/// Picks one of the core's fixtures in the first field, as a reader does.
async fn pick(page: &Page, fixture: &str) -> anyhow::Result<()> {
    let file = e2e::workspace().join("crates/core/tests/fixtures").join(fixture).canonicalize()?;
    let input =
        page.browser.driver.find(By::Css(".text-field input[type=file]")).await.context("no file input")?;
    input.send_keys(file.to_string_lossy().into_owned()).await?;
    Ok(())
}

/// Whether anything is wider than its sheet.
async fn overflows(page: &Page) -> anyhow::Result<Value> {
    let wide =
        "const sheet = document.querySelector('.desk-page'); return sheet.scrollWidth > sheet.clientWidth";
    page.script(wide, vec![]).await
}

#[tokio::test]
async fn the_doctor_names_the_trap_its_line_and_what_to_write() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Phone, "doctor").await?;
    page.browser.grant_clipboard(&adapter.url()).await?;
    let at_first =
        page.script("return document.querySelector('.doctor-verdict').textContent", vec![]).await?;
    assert_eq!(at_first, json!("Hermes as it comes"), "nothing is read, so nothing is said of it");
    pick(&page, "doctor/cap-below-stale/config.yaml").await?;
    let rule = "[data-rule=cap-below-stale]";
    page.until("the trap", &format!("return !!document.querySelector('{rule}')")).await?;
    let said = format!(
        "const one = document.querySelector('{rule}'); const text = (part) => one.querySelector(part).textContent;\
         return [text('.warning-place'), text('.warning-line'), text('.warning-lines')]"
    );
    let expected = json!(["config.yaml line 5", "  stream_max_lifetime: 60", "  stream_max_lifetime: 180"]);
    assert_eq!(page.script(&said, vec![]).await?, expected);
    page.click(&format!("{rule} .warning-write button")).await?;
    page.until("the copy", "return await navigator.clipboard.readText() === '  stream_max_lifetime: 180'")
        .await?;
    let chain = "const timer = document.querySelector('[data-timer=stream_max_lifetime]'); timer.open = true;\
                 return [...timer.querySelectorAll('.timer-step .timer-value')].map((value) => value.textContent)";
    assert_eq!(
        page.script(chain, vec![]).await?,
        json!(["off", "60 s", "180 s"]),
        "how the value came about"
    );
    assert_eq!(overflows(&page).await?, json!(false));
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_configuration_that_cannot_be_read_has_its_line_and_column() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop, "doctor").await?;
    pick(&page, "doctor/duplicate-key/config.yaml").await?;
    page.until("the error", "return !!document.querySelector('[data-rule=config-unreadable]')").await?;
    let said = "return [document.querySelector('.doctor-verdict').textContent, document.querySelector('.warning-title').textContent]";
    let title = "Line 8, column 1: agent stands twice, first in line 4";
    assert_eq!(page.script(said, vec![]).await?, json!(["Hermes cannot read this configuration", title]));
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_log_is_told_in_order_with_the_settings_behind_it() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Phone, "log").await?;
    pick(&page, "log/breaker.log").await?;
    page.until("the story", "return !!document.querySelector('.log-event')").await?;
    let said = "const all = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);\
                const events = all('.log-title');\
                return { summary: all('.log-sentence'), settings: all('.log-change code'), first: events[0], last: events.at(-1), count: events.length }";
    let expected = json!({
        "summary": ["6 attempts were cut by the stale timeout of 6 s.", "The breaker ended the turn without asking the provider again."],
        "settings": ["providers.custom.stale_timeout_seconds", "HERMES_STREAM_STALE_TIMEOUT", "agent.local_stream_stale_timeout", "HERMES_STREAM_STALE_GIVEUP"],
        "first": "A turn began",
        "last": "The breaker stopped the call: 6 stale attempts in a row (×2)",
        "count": 18,
    });
    assert_eq!(page.script(said, vec![]).await?, expected);
    assert_eq!(overflows(&page).await?, json!(false));
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn the_adapter_reads_the_settings_of_its_hermes() -> anyhow::Result<()> {
    let home =
        e2e::workspace().join("crates/core/tests/fixtures/doctor/reasoning-swallowed").canonicalize()?;
    let arguments = vec!["--hermes-home".into(), home.into()];
    let adapter = Adapter::start_with(Setup { arguments, ..Setup::default() }).await?;
    let (adapter, page) = open_on(adapter, Screen::Desktop, "doctor").await?;
    page.click("[data-action=read-config]").await?;
    page.until(
        "the report",
        "return document.querySelector('.doctor-report')?.textContent.includes('Read by the adapter')",
    )
    .await?;
    let platforms = "return [...document.querySelectorAll('.doctor-table tbody tr')].map((row) => [...row.children].slice(0, 3).map((cell) => cell.textContent))";
    assert_eq!(
        page.script(platforms, vec![]).await?,
        json!([["telegram", "grow", "yes"], ["email", "come whole", "no"]])
    );
    assert_eq!(
        page.script("return !!document.querySelector('[data-rule=streaming-swallows-reasoning]')", vec![])
            .await?,
        json!(true)
    );
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}
