//! Streams that freeze other clients, in the built app: what a step costs does not grow, the page answers in between, and
//! nothing is left behind. The names begin with the complaints that they answer.
//!
//! Times are compared with other times of the same run, never with a clock.

#![allow(clippy::string_slice, reason = "a test fails by panicking, and its texts are ASCII")]

use std::time::Duration;

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use e2e::scripted::Scripted;
use serde_json::{Value, json};

/// The turn of a screen, in which at most one step is sent.
const TURN: Duration = Duration::from_millis(16);

/// Notes when each frame began, and each press of a button until the page has heard of it.
const RECORD: &str = "window.__frames = []; window.__press = null;
const look = () => { __frames.push(performance.now()); requestAnimationFrame(look); };
requestAnimationFrame(look);
addEventListener('click', (event) => { __press = performance.now() - event.timeStamp; }, true);";

/// The longest time without a frame, as a share of all the time.
const LONGEST: &str = "const gaps = __frames.slice(1).map((at, n) => at - __frames[n]);
return Math.max(...gaps) / (__frames.at(-1) - __frames[0]);";

async fn open(before: &str) -> anyhow::Result<(Scripted, Page)> {
    let headers = Adapter::start(1.0).await?.headers().await?;
    let peer = Scripted::start(&headers).await?;
    let browser = Browser::chromium(Screen::Desktop).await?;
    browser.before_each_page(before).await?;
    let page = Page::open(browser, &peer.url()).await?;
    page.until_online().await?;
    page.send("go").await?;
    peer.next("message.send").await?;
    peer.send(&json!({"type": "typing", "on": true}));
    peer.send(&json!({"type": "message.start", "message_id": "m"}));
    Ok((peer, page))
}

/// Sends a text piece by piece, one each turn of the screen: as what was added, or as all of it so far.
async fn stream(peer: &Scripted, text: &str, from: usize, to: usize, step: usize, whole: bool) {
    let mut at = from;
    while at < to {
        let end = (at + step).min(to);
        peer.send(&if whole {
            json!({"type": "message.update", "message_id": "m", "text": text[..end]})
        } else {
            json!({"type": "message.append", "message_id": "m", "at": at, "text": text[at..end]})
        });
        at = end;
        tokio::time::sleep(TURN).await;
    }
}

/// Ends the message and the turn.
async fn finish(peer: &Scripted, page: &Page) -> anyhow::Result<()> {
    peer.send(&json!({"type": "message.stop", "message_id": "m"}));
    peer.send(&json!({"type": "typing", "on": false}));
    page.until_quiet().await
}

/// Waits until the answer has these words.
async fn until_shown(page: &Page, words: &str) -> anyhow::Result<()> {
    let source = format!(
        "return document.querySelector('[data-row=answer] [data-text]')?.textContent.includes({})",
        json!(words)
    );
    page.until(words, &source).await.map(drop)
}

/// The end of the last sentence that is whole in a text.
fn last_sentence(text: &str) -> &str {
    let end = text.rfind(". ").unwrap_or(text.len());
    let from = text[..end].rfind("number").unwrap_or(0);
    &text[from..=end]
}

async fn number(page: &Page, source: &str) -> anyhow::Result<f64> {
    Ok(page.script(source, vec![]).await?.as_f64().unwrap_or(f64::NAN))
}

/// Prose in paragraphs; each sentence has its number.
fn prose(bytes: usize) -> String {
    let sentence = "A sentence of an answer that goes on, *and* on, with `code` in it, number";
    let end = |n: usize| if n % 5 == 4 { "\n\n" } else { "" };
    (0..bytes / sentence.len()).map(|n| format!("{sentence} {n}. {}", end(n))).collect()
}

#[tokio::test]
async fn b002_a_long_answer_costs_the_same_at_its_end_and_is_not_stored() -> anyhow::Result<()> {
    let stored = "window.__stored = 0; const set = Storage.prototype.setItem;
        Storage.prototype.setItem = function (key, value) { __stored += value.length; return set.call(this, key, value); };";
    let text = prose(96_000);
    for whole in [false, true] {
        let (peer, page) = open(stored).await?;
        let before = number(&page, "return __stored").await?;
        let mut costs = Vec::new();
        let third = text.len() / 3;
        for n in 0..3 {
            let from = page.browser.counter("TaskDuration").await?;
            stream(&peer, &text, n * third, (n + 1) * third, 240, whole).await;
            until_shown(&page, last_sentence(&text[..(n + 1) * third])).await?;
            costs.push(page.browser.counter("TaskDuration").await? - from);
        }
        peer.send(&json!({"type": "message.stop", "message_id": "m"}));
        peer.send(&json!({"type": "typing", "on": false}));
        page.until_quiet().await?;
        let stored = number(&page, "return __stored").await? - before;
        assert!(stored < 4_000.0, "{stored} characters stored in one turn");
        // A peer that says all of it each time makes the page read all of it each time; ours does not.
        let most = if whole { 3.0 } else { 1.5 };
        assert!(costs[2] < costs[0] * most, "whole texts: {whole}; the thirds took {costs:?} s");
        page.browser.quit().await?;
    }
    Ok(())
}

#[tokio::test]
async fn b005_a_fast_stream_on_a_slow_phone_leaves_the_stop_button_alive() -> anyhow::Result<()> {
    let (peer, page) = open("").await?;
    page.script(RECORD, vec![]).await?;
    page.browser.throttle(8).await?;
    let text = prose(60_000);
    let half = text.len() / 2;
    stream(&peer, &text, 0, half, 320, false).await;
    let streaming = async {
        stream(&peer, &text, half, text.len(), 320, false).await;
        anyhow::Ok(())
    };
    let pressing = async {
        page.click("[data-action=stop]").await?;
        peer.next("turn.stop").await
    };
    tokio::try_join!(streaming, pressing)?;
    until_shown(&page, last_sentence(&text)).await?;
    let longest = number(&page, LONGEST).await?;
    let press = number(&page, "return __press / (__frames.at(-1) - __frames[0])").await?;
    page.browser.throttle(1).await?;
    finish(&peer, &page).await?;
    assert!(longest < 0.2, "the page stood still for {longest} of the time");
    assert!(press < 0.1, "the press was heard after {press} of the time");
    page.browser.quit().await
}

#[tokio::test]
async fn b006_a_long_thought_can_be_scrolled_and_closed_while_it_comes() -> anyhow::Result<()> {
    let (peer, page) = open("").await?;
    let thought =
        "A thought that goes on for a line and a half, since that is what thoughts do when they are let. \n";
    let mut at = 0;
    let mut costs = Vec::new();
    for n in 0..300 {
        let text = thought.repeat(7);
        peer.send(&json!({"type": "reasoning.append", "message_id": "m", "at": at, "text": text}));
        at += text.len();
        tokio::time::sleep(TURN).await;
        match n {
            2 => {
                page.until("the block", "return document.querySelector('.reasoning-toggle')").await?;
                if page.count(".reasoning.open").await? == 0 {
                    page.click(".reasoning-toggle").await?;
                }
            }
            10 | 110 | 190 | 290 => costs.push(page.browser.counter("TaskDuration").await?),
            _ => {}
        }
    }
    assert!(at > 200_000);
    page.script(RECORD, vec![]).await?;
    let frames = page
        .script(
            "const body = document.querySelector('.reasoning-body'); const at = __frames.length;
             document.querySelector('[data-scroller]').scrollTop -= 400;
             document.querySelector('.reasoning-toggle').click();
             return new Promise((done) => { const look = () => body.hidden ? done(__frames.length - at) : requestAnimationFrame(look); look(); });",
            vec![],
        )
        .await?;
    assert!(frames.as_u64().is_some_and(|frames| frames <= 2), "closed after {frames} frames");
    let (first, last) = (costs[1] - costs[0], costs[3] - costs[2]);
    assert!(last < first * 1.5, "a hundred steps took {first} s, and {last} s at the end");
    finish(&peer, &page).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn b014_twenty_thousand_lines_of_one_paragraph_leave_the_page_alive() -> anyhow::Result<()> {
    let (peer, page) = open("").await?;
    page.script(RECORD, vec![]).await?;
    let text: String = (1..=20_000).map(|n| format!("{n}\n")).collect();
    stream(&peer, &text, 0, text.len(), 360, false).await;
    finish(&peer, &page).await?;
    let longest = number(&page, LONGEST).await?;
    until_shown(&page, "20000").await?;
    assert_eq!(page.count("[data-row=answer] .markdown > p").await?, 1);
    assert_eq!(page.count("[data-row=answer] .markdown br").await?, 19_999);
    assert!(longest < 0.2, "the page stood still for {longest} of the time");
    page.browser.quit().await
}

#[tokio::test]
async fn b174_and_b036_a_long_formula_is_typeset_once_and_only_when_it_is_closed() -> anyhow::Result<()> {
    let (peer, page) = open("").await?;
    let watch = "window.__early = 0; window.__closed = false; window.__times = 0;
        new MutationObserver((records) => {
          for (const record of records) for (const node of record.addedNodes) {
            if (node.matches?.('.math, math')) { __times += node.matches('math'); __early += !__closed; }
          }
        }).observe(document.body, { childList: true, subtree: true });";
    page.script(watch, vec![]).await?;
    let formula =
        format!("So:\n\n$$\\begin{{align}} {} c &= d \\end{{align}}", "a &= \\frac{b}{2} \\\\ ".repeat(150));
    let text = format!("{formula}$$\n\nAnd $x$.");
    stream(&peer, &text, 0, formula.len(), 20, false).await;
    // The reveal is behind: wait until it has all of what is open, which is shown as text.
    page.script("__closed = true", vec![]).await?;
    stream(&peer, &text, formula.len(), text.len(), 20, false).await;
    finish(&peer, &page).await?;
    page.until("two formulas", "return document.querySelectorAll('[data-row=answer] math').length === 2")
        .await?;
    assert_eq!(page.script("return [__early, __times]", vec![]).await?, json!([0, 2]));
    page.browser.quit().await
}

#[tokio::test]
async fn b060_odd_messages_on_the_socket_cost_nothing_but_themselves() -> anyhow::Result<()> {
    let (peer, page) = open("").await?;
    let frame = |id: &str, text: &str| json!({"type": "message", "message_id": id, "text": text}).to_string();
    peer.send_raw(&format!("{}\r\n", frame("a", "With a line end.")));
    peer.send_raw(&format!("  \n{}", frame("b", "After white space.")));
    // Two objects in one message are none, and neither is half of one, nothing, or bytes.
    peer.send_raw(&format!("{}{}", frame("x", "One."), frame("y", "Two.")));
    peer.send_raw(frame("z", "Half.").split_at(20).0);
    peer.send_raw("");
    peer.send_binary(frame("w", "Bytes.").as_bytes());
    peer.send_raw(&frame("c", &format!("{}\n\nVery long.", "word ".repeat(200_000))));
    peer.send_raw(&frame("d", "The last one."));
    page.until("the last one", "return document.body.innerText.includes('The last one.')").await?;
    peer.send(&json!({"type": "typing", "on": false}));
    let rows = page.transcript().await?;
    let shown: Vec<&str> = rows.iter().map(|row| row.text.rsplit('\n').next().unwrap_or_default()).collect();
    for text in ["With a line end.", "After white space.", "The last one."] {
        assert!(shown.contains(&text), "{text} of {shown:?}");
    }
    for text in ["One.", "Two.", "Half.", "Bytes."] {
        assert!(!shown.iter().any(|row| row.contains(text)), "{text} of {shown:?}");
    }
    page.browser.quit().await
}

#[tokio::test]
async fn b024_what_shows_that_something_runs_moves_without_the_main_thread() -> anyhow::Result<()> {
    let (peer, page) = open("").await?;
    peer.send(
        &json!({"type": "tool.start", "index": 1, "name": "terminal", "args": {"command": "sleep 90"}}),
    );
    page.until("a running tool", "return document.querySelector('[data-state=running]')").await?;
    let moving = "const done = ['offset', 'easing', 'composite', 'computedOffset'];
        const running = document.getAnimations().filter((one) => one.playState === 'running' && one.effect.getComputedTiming().iterations === Infinity);
        const what = running.flatMap((one) => one.effect.getKeyframes().flatMap((frame) => Object.keys(frame).filter((key) => !done.includes(key))));
        return [...new Set(what)].sort();";
    let what = page.script(moving, vec![]).await?;
    let what: Vec<&str> = what.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert!(!what.is_empty(), "nothing moves");
    assert!(what.iter().all(|name| ["transform", "rotate", "opacity"].contains(name)), "{what:?}");
    let elapsed = "return document.querySelector('.working')?.innerText";
    let before = page.script(elapsed, vec![]).await?;
    page.until(
        "the time to go on",
        &format!("return document.querySelector('.working')?.innerText !== {before}"),
    )
    .await?;
    finish(&peer, &page).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn b026_and_b197_chats_and_selections_leave_nothing_behind() -> anyhow::Result<()> {
    let adapter = Adapter::start(50.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    let mut counts = Vec::new();
    for n in 0..16 {
        page.paste_and_send(&format!(
            "Turn {n}: *words*, `code`\n\n```js\nlet a = 1;\n```\n\n| a |\n|---|\n| {n} |"
        ))
        .await?;
        page.until_quiet().await?;
        let select = "for (let n = 0; n < 25; n += 1) {
            getSelection().selectAllChildren(document.querySelector('[data-row=answer]'));
            document.execCommand('copy'); getSelection().removeAllRanges(); }";
        page.script(select, vec![]).await?;
        page.new_chat().await?;
        if n == 7 || n == 15 {
            page.browser.collect_garbage().await?;
            let (nodes, listeners) =
                (page.browser.counter("Nodes").await?, page.browser.counter("JSEventListeners").await?);
            counts.push((nodes, listeners));
        }
    }
    let [(nodes, listeners), (more_nodes, more_listeners)] = counts[..] else { anyhow::bail!("{counts:?}") };
    // Each chat has its place in the list; nothing else may stay of eight of them.
    let chats = 8.0;
    assert!(more_nodes - nodes < chats * 60.0, "{nodes} nodes became {more_nodes}");
    assert!(more_listeners - listeners < chats * 8.0, "{listeners} listeners became {more_listeners}");
    page.browser.quit().await
}
