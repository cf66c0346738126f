//! Who reads and who follows, with real keys and real layout: whatever takes the reader up stays there, and the end stays in
//! sight of whoever is at it. The names begin with the complaints about other clients that they answer.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use e2e::scripted::Scripted;
use serde_json::{Value, json};
use thirtyfour::prelude::*;

/// How far the end is away, in pixels.
const TOP: &str = "return document.querySelector('[data-scroller]').scrollTop;";
const AT_END: &str = "const s = document.querySelector('[data-scroller]');
    return s.scrollHeight > s.clientHeight * 2 && s.scrollHeight - s.scrollTop - s.clientHeight <= 1;";

/// A page at the end of a long answer that goes on.
struct Reading {
    peer: Scripted,
    page: Page,
    text: String,
}

impl Reading {
    async fn begin() -> anyhow::Result<Self> {
        let headers = Adapter::start(1.0).await?.headers().await?;
        let peer = Scripted::start(&headers).await?;
        let page = Page::open(Browser::chromium(Screen::Desktop).await?, &peer.url()).await?;
        page.until_online().await?;
        page.send("go").await?;
        peer.next("message.send").await?;
        peer.send(&json!({"type": "typing", "on": true}));
        peer.send(&json!({"type": "message.start", "message_id": "m"}));
        let mut reading = Self { peer, page, text: String::new() };
        reading.grow(120).await?;
        reading.page.until("the end", AT_END).await?;
        Ok(reading)
    }

    /// So many paragraphs more, and the page shows them.
    async fn grow(&mut self, count: usize) -> anyhow::Result<()> {
        let from = self.text.matches("\n\n").count();
        for n in from..from + count {
            self.text.push_str(&format!("Paragraph number{n}x, which takes a line of its own.\n\n"));
        }
        self.peer.send(&json!({"type": "message.update", "message_id": "m", "text": self.text}));
        let last = format!("return document.body.innerText.includes('number{}x')", from + count - 1);
        self.page.until("the new text", &last).await?;
        Ok(())
    }

    async fn number(&self, source: &str) -> anyhow::Result<f64> {
        self.page.script(source, vec![]).await?.as_f64().ok_or_else(|| anyhow::anyhow!("no number: {source}"))
    }
}

#[tokio::test]
async fn b090_each_way_up_detaches_and_the_place_holds() -> anyhow::Result<()> {
    let mut reading = Reading::begin().await?;
    // The keys are the browser's own. A scrollbar says no more than that it has scrolled, and so does the search, which finds
    // but does not scroll in a browser without a window.
    let drag = "document.querySelector('[data-scroller]').scrollTop -= 300;";
    let find = "getSelection().removeAllRanges(); window.find('number7x', false, false, true); getSelection().anchorNode.parentElement.scrollIntoView({ block: 'center' });";
    for (what, key, script) in [
        ("PageUp", Some(Key::PageUp), ""),
        ("Home", Some(Key::Home), ""),
        ("ArrowUp", Some(Key::Up), ""),
        ("a scrollbar", None, drag),
        ("find in page", None, find),
    ] {
        if let Some(key) = key {
            reading.page.script("document.activeElement.blur();", vec![]).await?;
            reading.page.browser.driver.action_chain().send_keys(key + "").perform().await?;
        } else {
            reading.page.script(script, vec![]).await?;
        }
        reading.page.until(what, "return document.querySelector('[data-action=below]')").await?;
        // A smooth scroll of the browser's own begins some frames after the key, and comes to its end.
        let still = "const s = document.querySelector('[data-scroller]'); const was = window.__was; window.__was = s.scrollTop; return was === s.scrollTop && s.scrollHeight - s.clientHeight - s.scrollTop > 1;";
        reading.page.until("the scroll away from the end to be over", still).await?;
        let held = reading.number(TOP).await?;
        for _ in 0..3 {
            reading.grow(5).await?;
            let now = reading.number(TOP).await?;
            assert!((now - held).abs() < 1.0, "{what}: {held} became {now}");
        }
        reading.page.click("[data-action=below]").await?;
        reading.page.until("the end again", AT_END).await?;
        reading.grow(5).await?;
        reading.page.until("the end to be followed", AT_END).await?;
    }
    reading.page.browser.quit().await
}

#[tokio::test]
async fn b093_a_reader_far_up_stays_there_when_the_line_breaks_and_comes_back() -> anyhow::Result<()> {
    let mut adapter = Adapter::start(50.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    for n in 0..4 {
        page.paste_and_send(&format!("Chapter{n}\n\n{}", "A paragraph of it.\n\n".repeat(30))).await?;
        page.until_quiet().await?;
    }
    page.until("the end", AT_END).await?;
    page.script("document.querySelectorAll('[data-row=answer]')[1].scrollIntoView();", vec![]).await?;
    page.until("no following", "return document.querySelector('[data-action=below]')").await?;
    let place = "return [...document.querySelectorAll('[data-row=answer]')].find((row) => row.innerText.includes('Chapter1'))?.getBoundingClientRect().top";
    let before = page.script(place, vec![]).await?.as_f64().unwrap_or(f64::NAN);
    for _ in 0..2 {
        adapter.kill().await?;
        page.until("the loss to be noticed", "return !document.querySelector('[data-connection=online]')")
            .await?;
        adapter.restart().await?;
        page.until_online().await?;
        page.until("the chat", "return document.querySelectorAll('[data-row=answer]').length === 4").await?;
        let now = page.script(place, vec![]).await?.as_f64().unwrap_or(f64::NAN);
        assert!((now - before).abs() <= 1.0, "{before} became {now}");
    }
    page.browser.quit().await
}

#[tokio::test]
async fn b093_a_reader_stays_in_mid_answer_when_the_line_breaks() -> anyhow::Result<()> {
    let mut reading = Reading::begin().await?;
    reading.page.script("document.querySelector('[data-scroller]').scrollTop -= 900;", vec![]).await?;
    reading.page.until("no following", "return document.querySelector('[data-action=below]')").await?;
    let held = reading.number(TOP).await?;
    reading.peer.hang_up();
    reading.page.until("the loss", "return !document.querySelector('[data-connection=online]')").await?;
    reading.page.until_online().await?;
    reading.grow(10).await?;
    assert!((reading.number(TOP).await? - held).abs() <= 1.0);
    reading.page.browser.quit().await
}

#[tokio::test]
async fn b086_a_composer_that_grows_leaves_the_last_line_in_sight() -> anyhow::Result<()> {
    let reading = Reading::begin().await?;
    let paste =
        "const box = document.querySelector('textarea'); box.focus(); box.value = 'line\\n'.repeat(8);
        box.dispatchEvent(new InputEvent('input', { bubbles: true })); return box.offsetHeight;";
    reading.page.script(paste, vec![]).await?;
    let grown = "return document.querySelector('textarea').offsetHeight > 100";
    reading.page.until("the composer to grow", grown).await?;
    let seen = "const paragraphs = document.querySelectorAll('[data-row=answer] p');
        const last = paragraphs[paragraphs.length - 1].getBoundingClientRect();
        return last.bottom <= document.querySelector('textarea').getBoundingClientRect().top && last.top > 0;";
    reading.page.until("the last line", seen).await?;
    reading.page.browser.quit().await
}

#[tokio::test]
async fn b089_nothing_scrolls_smoothly_by_itself() -> anyhow::Result<()> {
    let reading = Reading::begin().await?;
    let smooth = "return [...document.querySelectorAll('*')].filter((e) => getComputedStyle(e).scrollBehavior === 'smooth').length";
    assert_eq!(reading.page.script(smooth, vec![]).await?, json!(0));
    reading.page.browser.quit().await
}

#[tokio::test]
async fn b164_a_table_with_a_hash_stands_still_at_every_width() -> anyhow::Result<()> {
    let adapter = Adapter::start(50.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    let hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    page.paste_and_send(&format!("| file | sha256 | note |\n|---|---|---|\n| a | {hash} | some words that may wrap |\n| b | `{hash}` | x |")).await?;
    page.until_quiet().await?;
    let watch = "const frames = []; const box = document.querySelector('[data-row=answer] .wide');
        const look = (done) => requestAnimationFrame(() => {
          const { left, top, width, height } = box.getBoundingClientRect();
          frames.push([left, top, width, height, box.scrollWidth, document.documentElement.scrollWidth <= innerWidth].join());
          if (frames.length < 8) look(done); else done(new Set(frames.slice(2)).size === 1 && frames[7].endsWith('true'));
        });
        return new Promise(look);";
    for width in (500..=1400).step_by(90) {
        let metrics = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        page.browser.cdp("Emulation.setDeviceMetricsOverride", metrics).await?;
        assert_eq!(page.script(watch, vec![]).await?, Value::Bool(true), "{width} px");
    }
    page.browser.quit().await
}

#[tokio::test]
async fn b165_a_table_is_copied_with_its_header_its_lines_and_no_buttons() -> anyhow::Result<()> {
    let adapter = Adapter::start(50.0).await?;
    let browser = Browser::chromium(Screen::Desktop).await?;
    browser.grant_clipboard(adapter.url().trim_end_matches('/')).await?;
    let page = Page::open(browser, &adapter.url()).await?;
    page.until_online().await?;
    page.paste_and_send("| Name | Value |\n|---|---|\n| a | `1` |\n| b | 2 |").await?;
    page.until_quiet().await?;
    let copy = "getSelection().selectAllChildren(document.querySelector('[data-row=answer] .wide'));
        document.execCommand('copy');
        return navigator.clipboard.read().then(async ([item]) => Promise.all(['text/plain', 'text/html'].map(async (type) => (await item.getType(type)).text())));";
    let copied = page.script(copy, vec![]).await?;
    let text = copied.get(0).and_then(Value::as_str).unwrap_or_default();
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    assert_eq!(lines, ["Name\tValue", "a\t1", "b\t2"]);
    let html = copied.get(1).and_then(Value::as_str).unwrap_or_default();
    assert!(html.contains("<th") && html.contains("<td") && !html.contains("<button"), "{html}");
    page.browser.quit().await
}
