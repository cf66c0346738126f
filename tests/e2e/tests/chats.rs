//! Several chats: told apart, changed in place, found again, and the same on every device.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use e2e::scripted::Scripted;
use serde_json::json;
use thirtyfour::Key;

async fn open(screen: Screen, speed: f64) -> anyhow::Result<(Adapter, Page)> {
    let adapter = Adapter::start(speed).await?;
    let page = Page::open(Browser::chromium(screen).await?, &adapter.url()).await?;
    page.until_online().await?;
    Ok((adapter, page))
}

async fn say(page: &Page, text: &str) -> anyhow::Result<()> {
    // On a phone Enter makes a line.
    page.paste_and_send(text).await?;
    page.until_quiet().await
}

async fn titles(page: &Page) -> anyhow::Result<Vec<String>> {
    Ok(page.chats().await?.into_iter().map(|chat| chat.title).collect())
}

#[tokio::test]
async fn two_chats_are_kept_apart_and_a_second_device_sees_both() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop, 8.0).await?;
    say(&page, "Of apples").await?;
    page.new_chat().await?;
    say(&page, "Of oranges").await?;
    page.chat("Of oranges").await?;
    assert_eq!(titles(&page).await?, ["Of oranges", "Of apples"], "the newest first");
    page.open_chat("Of apples").await?;
    page.until("its rows", "return document.querySelector('[data-row=user]')?.innerText.includes('apples')")
        .await?;
    assert_eq!(page.transcript().await?.iter().filter(|row| row.kind == "user").count(), 1);
    let current: Vec<_> =
        page.chats().await?.into_iter().filter(|chat| chat.current).map(|chat| chat.title).collect();
    assert_eq!(current, ["Of apples"]);
    let other = Page::open(Browser::chromium(Screen::Phone).await?, &adapter.url()).await?;
    other.until_online().await?;
    assert_eq!(titles(&other).await?, ["Of oranges", "Of apples"]);
    page.assert_healthy(&adapter.url()).await?;
    other.assert_healthy(&adapter.url()).await?;
    other.browser.quit().await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_chat_is_renamed_and_deleted_on_every_device() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop, 8.0).await?;
    say(&page, "Of apples").await?;
    page.new_chat().await?;
    say(&page, "Of oranges").await?;
    let other = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    other.until_online().await?;
    page.rename_chat("Of apples", "Of pears").await?;
    other.chat("Of pears").await?;
    page.delete_chat("Of pears").await?;
    other.until("the chat to go", "return document.querySelectorAll('[data-chat]').length === 1").await?;
    assert_eq!(titles(&page).await?, ["Of oranges"]);
    // A page that comes later finds the same.
    page.browser.driver.refresh().await?;
    page.until_online().await?;
    page.chat("Of oranges").await?;
    assert_eq!(titles(&page).await?, ["Of oranges"]);
    other.browser.quit().await?;
    page.browser.quit().await
}

#[tokio::test]
async fn the_drawer_of_a_phone_keeps_the_focus_and_goes_on_a_choice_or_escape() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Phone, 8.0).await?;
    say(&page, "Of apples").await?;
    let gone = "return !document.querySelector('[data-chats]')
        && document.activeElement?.dataset.action === 'chats'";
    page.click("[data-action=chats]").await?;
    page.until("the drawer", "return !!document.querySelector('dialog[open] [data-chat]')").await?;
    for _ in 0..12 {
        page.browser.driver.action_chain().send_keys(Key::Tab + "").perform().await?;
        let inside = page
            .script(
                "const at = document.activeElement; return at === document.body || !!at.closest('dialog')",
                vec![],
            )
            .await?;
        assert_eq!(inside, json!(true), "the focus left the drawer");
    }
    page.browser.driver.action_chain().send_keys(Key::Escape + "").perform().await?;
    page.until("the drawer to go and the focus to be back", gone).await?;
    page.open_chat("Of apples").await?;
    page.until("the drawer to go", "return !document.querySelector('dialog[open]')").await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn the_list_of_a_wide_screen_folds_away_and_stays_so() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop, 8.0).await?;
    page.show_chats().await?;
    page.click("[data-action=chats]").await?;
    page.until("the list to go", "return !document.querySelector('[data-chats]')").await?;
    page.browser.driver.refresh().await?;
    page.until_online().await?;
    assert_eq!(
        page.script("return document.querySelectorAll('[data-chats]').length", vec![]).await?,
        json!(0)
    );
    page.show_chats().await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_search_leads_to_the_place_in_another_chat() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop, 8.0).await?;
    say(&page, "Where did the quetzal fly?").await?;
    page.new_chat().await?;
    say(&page, "Of oranges").await?;
    let hits = page.search("quetzal").await?;
    assert!(hits.iter().all(|hit| hit.matched == "quetzal" && hit.text.contains("quetzal")), "{hits:?}");
    page.click("[data-hit]").await?;
    let found = "return document.querySelector('.found')?.innerText.includes('quetzal')";
    page.until("the place, pointed out", found).await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

/// A chat of a hundred turns, as an adapter with history hands it out: the newest ten first, then as many again.
async fn hand_out(peer: &Scripted) -> anyhow::Result<()> {
    let turn = |number: u64| {
        let text =
            format!("Message number {number}, long enough to take more than a line of a phone's screen.");
        [
            json!({"type": "user.message", "chat": "c", "seq": number * 10, "message_id": format!("u{number}"), "text": text}),
            json!({"type": "message", "chat": "c", "seq": number * 10 + 1, "message_id": format!("m{number}"), "text": "Heard."}),
        ]
    };
    // What is said before a page is there is lost.
    peer.next("hello").await?;
    peer.send(&json!({"type": "hello", "protocol": 1, "capabilities": ["history"],
        "chats": [{"id": "c", "title": "Long", "updated_ms": 1_796_040_000_000_u64}]}));
    peer.next("subscribe").await?;
    peer.send(&json!({"type": "sync.begin", "chat": "c", "reset": true, "to_seq": 1000, "before_seq": 900}));
    (90..100).flat_map(turn).for_each(|frame| peer.send(&frame));
    peer.send(&json!({"type": "sync.end", "chat": "c"}));
    for end in (10..=90).rev().step_by(10) {
        let asked = peer.next("history").await?;
        anyhow::ensure!(asked.get("before_seq") == Some(&json!(end * 10)), "{asked} instead of {}", end * 10);
        let frames: Vec<_> = (end - 10..end).flat_map(turn).collect();
        let before = Some((end - 10) * 10).filter(|before| *before > 0);
        peer.send(&json!({"type": "history.page", "chat": "c", "before_seq": before, "frames": frames}));
    }
    Ok(())
}

#[tokio::test]
async fn going_back_in_a_long_chat_moves_nothing_that_is_read() -> anyhow::Result<()> {
    let headers = Adapter::start(1.0).await?.headers().await?;
    let peer = Scripted::start(&headers).await?;
    let page = Page::open(Browser::chromium(Screen::Phone).await?, &peer.url()).await?;
    let (handed_out, seen) = tokio::join!(hand_out(&peer), go_back(&page));
    seen?;
    handed_out?;
    page.assert_healthy(&peer.url()).await?;
    page.browser.quit().await
}

async fn go_back(page: &Page) -> anyhow::Result<()> {
    // The page goes to the end by itself, in a frame after the one in which the rows are there.
    let end = "const scroller = document.querySelector('[data-scroller]');
        return document.querySelectorAll('[data-row=user]').length >= 10
            && scroller.scrollTop > 0 && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 2";
    page.until("the end of the chat", end).await?;
    // The first row is watched from the moment on that the reader has arrived there.
    let watch = "const scroller = document.querySelector('[data-scroller]');
        window.watched = document.querySelector('[data-row]'); window.places = [];
        scroller.scrollTop = 0;
        // After the frame is painted: what a reader sees.
        const note = () => { window.places.push(window.watched.getBoundingClientRect().top); next(); };
        const next = () => requestAnimationFrame(() => setTimeout(note));
        next();";
    page.script(watch, vec![]).await?;
    page.until("older rows above it", "return document.querySelector('[data-row]') !== window.watched")
        .await?;
    page.until(
        "frames after that",
        "window.seen ??= window.places.length; return window.places.length > window.seen + 3",
    )
    .await?;
    let moved = page.script("return Math.max(...window.places) - Math.min(...window.places)", vec![]).await?;
    assert!(moved.as_f64().is_some_and(|px| px <= 2.0), "the reader's place moved by {moved} px");
    let back = "document.querySelector('[data-scroller]').scrollTop = 0;
        return [...document.querySelectorAll('.older')].some((e) => e.innerText === 'Beginning of the chat')";
    page.until("the beginning of the chat", back).await?;
    let rows = page.transcript().await?;
    let users: Vec<_> = rows.iter().filter(|row| row.kind == "user").collect();
    assert_eq!(users.len(), 100);
    let in_order =
        users.iter().enumerate().all(|(at, row)| row.text.starts_with(&format!("Message number {at},")));
    assert!(in_order, "{users:#?}");
    Ok(())
}
