//! Settings, drafts, keys and layout: what this device keeps, and how the page behaves under a hand.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use serde_json::json;

async fn open(screen: Screen) -> anyhow::Result<(Adapter, Page)> {
    let adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(screen).await?, &adapter.url()).await?;
    page.until_online().await?;
    Ok((adapter, page))
}

#[tokio::test]
async fn settings_act_at_once_and_are_kept_over_a_reload() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop).await?;
    page.open_settings().await?;
    page.set("theme", "dark").await?;
    page.until("the dark theme", "return document.documentElement.dataset.theme === 'dark'").await?;
    page.set("tool-detail", "nothing").await?;
    page.set("streaming", "").await?;
    let speed = "const s = document.querySelector('[data-setting=speed] input'); s.value = '0.2'; s.dispatchEvent(new Event('input', { bubbles: true }));";
    page.script(speed, vec![]).await?;
    page.browser.driver.refresh().await?;
    page.until_online().await?;
    assert_eq!(page.script("return document.documentElement.dataset.theme", vec![]).await?, json!("dark"));
    let stored = page.script("return JSON.parse(localStorage.getItem('iris.settings'))", vec![]).await?;
    assert_eq!(stored, json!({"speed": 0.2, "streaming": false, "tool_detail": "nothing", "theme": "dark"}));
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_draft_survives_a_reload_and_shift_enter_makes_a_line() -> anyhow::Result<()> {
    use thirtyfour::prelude::*;
    let (_adapter, page) = open(Screen::Desktop).await?;
    let composer = page.browser.driver.find(By::Css("textarea")).await?;
    composer.send_keys("first").await?;
    composer.send_keys(Key::Shift + Key::Enter).await?;
    composer.send_keys("second").await?;
    assert_eq!(page.count("[data-row=user]").await?, 0, "Shift+Enter does not send");
    page.browser.driver.refresh().await?;
    page.until_online().await?;
    let draft = page.until("the draft", "return document.querySelector('textarea').value").await?;
    assert_eq!(draft, json!("first\nsecond"));
    page.browser.quit().await
}

#[tokio::test]
async fn what_was_sent_is_no_draft_any_more_when_the_answer_is_there() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop).await?;
    let write = "const box = document.querySelector('textarea'); box.focus(); box.value = 'Hello there';
        box.dispatchEvent(new InputEvent('input', { bubbles: true }));";
    page.script(write, vec![]).await?;
    page.until("the draft on the device", "return !!localStorage['iris.drafts']").await?;
    page.click("[data-action=send]").await?;
    let drafts = page
        .until(
            "its row",
            "return document.querySelector('[data-row=user]') && (localStorage['iris.drafts'] ?? 'none')",
        )
        .await?;
    assert_eq!(drafts, json!("none"), "a page that dies now brings it back as a message only");
    page.until_quiet().await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn the_detail_of_tools_changes_on_the_cards_that_are_there() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop).await?;
    page.suggest("ummari").await?;
    page.until_quiet().await?;
    let cards = "return [...document.querySelectorAll('[data-tool]')].map((t) => t.querySelector('[aria-expanded]').ariaExpanded)";
    page.open_settings().await?;
    for (detail, expected) in [
        ("everything", json!(["true", "true", "true"])),
        ("nothing", json!([])),
        ("truncated", json!(["false", "false", "false"])),
    ] {
        page.set("tool-detail", detail).await?;
        assert_eq!(page.script(cards, vec![]).await?, expected, "{detail}");
    }
    page.close_settings().await?;
    page.click("[data-tool] [aria-expanded]").await?;
    page.until("the arguments", "return /ls/.test(document.querySelector('[data-tool] pre')?.innerText)")
        .await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn without_streaming_a_reply_appears_once_and_complete() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop).await?;
    page.open_settings().await?;
    page.set("streaming", "").await?;
    page.close_settings().await?;
    let watch = "window.__seen = []; new MutationObserver(() => {
            const text = document.querySelector('[data-row=answer] [data-text]')?.innerText ?? '';
            if (text && text !== window.__seen.at(-1)) window.__seen.push(text);
        }).observe(document.body, { subtree: true, childList: true, characterData: true });";
    page.script(watch, vec![]).await?;
    let text = "word ".repeat(200);
    page.paste_and_send(&text).await?;
    page.until_quiet().await?;
    assert_eq!(page.script("return window.__seen", vec![]).await?, json!([text.trim()]));
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn enter_makes_a_line_on_a_touch_keyboard_and_the_button_sends() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Phone).await?;
    page.send("first").await?;
    page.browser.driver.find(thirtyfour::By::Css("textarea")).await?.send_keys("second").await?;
    assert_eq!(page.count("[data-row=user]").await?, 0, "Enter does not send");
    page.click("[data-action=send]").await?;
    page.until_quiet().await?;
    let rows = page.transcript().await?;
    assert_eq!(rows.first().map(|row| row.text.as_str()), Some("first\nsecond"));
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn nothing_is_wider_than_the_screen() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Phone).await?;
    let wide = format!(
        "| {}\n| {}\n| {}\n\n```\n{}\n```\n\n{}",
        "a very wide heading | ".repeat(12),
        "--- | ".repeat(12),
        "cell | ".repeat(12),
        "x".repeat(400),
        "w".repeat(300)
    );
    page.paste_and_send(&wide).await?;
    page.until("the answer", "return document.querySelectorAll('[data-row=answer] td').length > 3").await?;
    page.until_quiet().await?;
    page.suggest("ummari").await?;
    page.until("the second message", "return document.querySelectorAll('[data-row=user]').length === 2")
        .await?;
    page.until_quiet().await?;
    for screen in [Screen::Phone, Screen::Tablet, Screen::Desktop] {
        page.browser.emulate(screen).await?;
        for opened in [false, true] {
            if opened {
                page.open_settings().await?;
            }
            let (width, height) = screen.size();
            let size = format!("return innerWidth === {width} && innerHeight === {height}");
            page.until("the window to have its size", &size).await?;
            assert_eq!(
                page.script(TOO_WIDE, vec![]).await?,
                json!([]),
                "{screen:?}, settings open: {opened}"
            );
        }
        page.close_settings().await?;
    }
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

/// What reaches beyond the window: the page itself, or a part of the frame around the text.
const TOO_WIDE: &str = "
    const wide = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
    for (const e of document.querySelectorAll('header, main, textarea, [data-row], [data-scroller], dialog[open], [data-setting]')) {
        const r = e.getBoundingClientRect();
        if (r.left < -0.5 || r.right > innerWidth + 0.5) wide.push(`${e.tagName} ${e.className}: ${r.left}..${r.right}`);
    }
    const scroller = document.querySelector('[data-scroller]');
    if (scroller.scrollWidth > scroller.clientWidth) wide.push('the scroller');
    const composer = document.querySelector('textarea').getBoundingClientRect();
    if (composer.top < 0 || composer.bottom > innerHeight) wide.push('the composer is out of view');
    return wide;";

#[tokio::test]
async fn a_reader_who_scrolled_up_is_left_alone_and_told_of_new_text() -> anyhow::Result<()> {
    let adapter = Adapter::start(1.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    page.paste_and_send(&"A paragraph that fills the screen.\n\n".repeat(90)).await?;
    let long =
        "const s = document.querySelector('[data-scroller]'); return s.scrollHeight > s.clientHeight * 1.8";
    page.until("more text than the screen holds", long).await?;
    let pinned = "const s = document.querySelector('[data-scroller]'); return s.scrollHeight - s.scrollTop - s.clientHeight < 90";
    page.until("the page to follow", pinned).await?;
    let up = "const s = document.querySelector('[data-scroller]'); s.dispatchEvent(new WheelEvent('wheel', { deltaY: -300, bubbles: true })); s.scrollTop -= 300; window.__y = s.scrollTop;";
    page.script(up, vec![]).await?;
    page.until("the button", "return document.querySelector('[data-action=below]') !== null").await?;
    let more = "const s = document.querySelector('[data-scroller]'); window.__h ??= s.scrollHeight; return s.scrollHeight > window.__h + 200";
    page.until("more text to arrive", more).await?;
    let moved = page
        .script("return Math.abs(document.querySelector('[data-scroller]').scrollTop - window.__y)", vec![])
        .await?;
    assert!(moved.as_f64().is_some_and(|px| px < 2.0), "the reader was moved by {moved} px");
    page.click("[data-action=below]").await?;
    page.until("the page to follow again", pinned).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_page_that_was_hidden_shows_everything_when_it_comes_back() -> anyhow::Result<()> {
    let adapter = Adapter::start(4.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    let hide = "Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => arguments[0] });
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => arguments[0] === 'hidden' });
        document.dispatchEvent(new Event('visibilitychange'));";
    page.paste_and_send(&"word ".repeat(300)).await?;
    page.until_running().await?;
    page.script(&hide.replace("arguments[0]", "'hidden'"), vec![]).await?;
    page.until("the turn to end", "return !document.querySelector('[data-action=stop]')").await?;
    page.script(&hide.replace("arguments[0]", "'visible'"), vec![]).await?;
    let shown = page
        .script(
            "return document.querySelector('[data-row=answer] [data-text]').innerText.trim().length",
            vec![],
        )
        .await?;
    assert_eq!(shown, json!("word ".repeat(300).trim().len()), "no typewriter of old text");
    page.browser.quit().await
}

#[tokio::test]
async fn nothing_moves_for_a_reader_who_wants_less_motion() -> anyhow::Result<()> {
    let adapter = Adapter::start(2.0).await?;
    let browser = Browser::chromium(Screen::Desktop).await?;
    browser.media(&[("prefers-reduced-motion", "reduce")]).await?;
    let page = Page::open(browser, &adapter.url()).await?;
    page.until_online().await?;
    page.suggest("ummari").await?;
    page.until("a running tool", "return !!document.querySelector('[data-state=running]')").await?;
    let moving = "return document.getAnimations().filter((a) => a.playState === 'running').map((a) => a.effect.target.className)";
    assert_eq!(page.script(moving, vec![]).await?, json!([]));
    page.until_quiet().await?;
    page.open_settings().await?;
    assert_eq!(page.script(moving, vec![]).await?, json!([]));
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}
