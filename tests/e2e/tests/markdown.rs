//! What a message may look like, and what it may never do: text that the demo streams back as its answer.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::hostile::{CANARY, VECTORS};
use e2e::page::Page;
use serde_json::{Value, json};

const CORNERS: &str = "# Title\n\nA **strong** and *soft* line with `code`\nand a [link](https://example.org).\n\n- one\n- [x] done\n\n\
1. first\n2. second\n\n> quoted\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |\n\n```rust\nfn main() {}\n```\n\n---\n\n~~gone~~ <b>html</b>";

#[tokio::test]
async fn markdown_becomes_elements_and_html_stays_text() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    page.paste_and_send(CORNERS).await?;
    page.until_quiet().await?;
    let expected = [
        "h1",
        "strong",
        "em",
        "p code",
        "a[href='https://example.org']",
        "ul li",
        "input[type=checkbox]",
        "ol li",
        "blockquote",
        "th",
        "td",
        "pre",
        "hr",
        "del",
        "br",
    ];
    for selector in expected {
        assert!(page.count(&format!("[data-row=answer] {selector}")).await? > 0, "{selector}");
    }
    assert_eq!(page.count("[data-row=answer] b").await?, 0, "HTML is text");
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn hostile_messages_stay_text_while_they_stream_and_after() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    for (nth, (group, vector)) in VECTORS.iter().enumerate() {
        page.paste_and_send(vector).await?;
        let sent = format!("return document.querySelectorAll('[data-row=user]').length === {}", nth + 1);
        page.until("the message", &sent).await?;
        page.assert_inert().await.map_err(|error| error.context(format!("{group}: {vector}")))?;
        page.until_quiet().await?;
        page.assert_inert().await.map_err(|error| error.context(format!("{group}: {vector}")))?;
    }
    let rows = page.transcript().await?;
    assert_eq!(rows.iter().filter(|row| row.kind == "user").count(), VECTORS.len());
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn the_copy_button_puts_the_source_on_the_clipboard() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let browser = Browser::chromium(Screen::Desktop).await?;
    browser.grant_clipboard(adapter.url().trim_end_matches('/')).await?;
    let page = Page::open(browser, &adapter.url()).await?;
    page.until_online().await?;
    page.paste_and_send("```js\nlet a = '<b>';\n\n  let b;\n```").await?;
    page.until_quiet().await?;
    page.click("[data-row=answer] .code [data-action=copy]").await?;
    let read =
        "return window.__clip ?? (navigator.clipboard.readText().then((t) => window.__clip = t), null)";
    let copied = page.until("the clipboard", read).await?;
    assert_eq!(copied, json!("let a = '<b>';\n\n  let b;\n"));
    page.browser.quit().await
}

#[tokio::test]
async fn a_preview_of_html_runs_in_a_box_that_leaks_nothing() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    let payload = format!(
        "```html\n<h1>Hi</h1><script>fetch('http://{CANARY}/f').catch(()=>{{}});new Image().src='http://{CANARY}/i';\
         try{{top.location='http://{CANARY}/t'}}catch(e){{}}try{{parent.__pwned=1}}catch(e){{}}</script>\n```"
    );
    page.paste_and_send(&payload).await?;
    page.until_quiet().await?;
    assert_eq!(page.count("iframe").await?, 0, "nothing runs before the click");
    page.click("[data-action=preview]").await?;
    page.until("the frame", "return document.querySelector('iframe[sandbox=allow-scripts]') !== null")
        .await?;
    // The frame is of another origin: only the driver can look inside.
    let frame = page.browser.driver.find(thirtyfour::By::Css("iframe")).await?;
    frame.enter_frame().await?;
    page.until(
        "the preview to show its heading",
        "return document.querySelector('h1')?.textContent === 'Hi'",
    )
    .await?;
    page.browser.driver.enter_default_frame().await?;
    assert_eq!(page.script("return window.__pwned ?? null", vec![]).await?, Value::Null);
    assert_eq!(page.browser.driver.current_url().await?.host_str(), Some("127.0.0.1"));
    let reached: Vec<String> =
        page.browser.requests_that_left().await?.into_iter().filter(|url| url.contains(CANARY)).collect();
    assert_eq!(reached, Vec::<String>::new());
    page.browser.quit().await
}
