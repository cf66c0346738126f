//! A silence in a recorded run is told by the player's clock, a burst of notices is one line, and nothing goes on where
//! nothing happens.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use e2e::runs::STANDS;
use serde_json::{Value, json};

/// The model is silent for 100 seconds, which play in two, from 2 s on.
const SILENCE: &str = r#"{"type":"system","subtype":"init","model":"demo","session_id":"s","timestamp":1764500000000}
{"type":"text","text":"First ","timestamp":1764500001000}
{"type":"text","text":"words","timestamp":1764500002000}
{"type":"text","text":", then more.","timestamp":1764500102000}
{"type":"tool_use","name":"terminal","input":{"command":"ls"},"timestamp":1764500103000}
{"type":"tool_result","name":"terminal","output":"a","duration_ms":8000,"is_error":false,"timestamp":1764500111000}
{"type":"result","session_id":"s","exit_code":0,"text":"End.","duration_ms":112000,"timestamp":1764500112000}
"#;

/// Counts the intervals that run, under `window.__intervals`; not the one of each list of chats, which looks once a minute
/// how long ago they were.
const INTERVALS: &str = "window.__intervals = new Set(); const [start, stop] = [window.setInterval, window.clearInterval];\
    window.setInterval = (...what) => { const id = start.call(window, ...what); if (what[1] < 30000) window.__intervals.add(id); return id; };\
    window.clearInterval = (id) => { window.__intervals.delete(id); stop.call(window, id); };";

/// What the line by the player says.
const LINE: &str = "const line = document.querySelector('.replay .working');\
    const said = line ? line.innerText.trim() : '';";

async fn open(screen: Screen) -> anyhow::Result<(Adapter, Page)> {
    let adapter = Adapter::start(10.0).await?;
    let browser = Browser::chromium(screen).await?;
    browser.before_each_page(INTERVALS).await?;
    let page = Page::open(browser, &adapter.url()).await?;
    page.until_online().await?;
    Ok((adapter, page))
}

async fn until_line(page: &Page, expected: &str) -> anyhow::Result<()> {
    let says = format!("{LINE} return said === {}", json!(expected));
    page.until(&format!("the line “{expected}”"), &says).await?;
    Ok(())
}

async fn assert_nothing_goes_on(page: &Page) -> anyhow::Result<()> {
    let moving = "return [document.querySelectorAll('.replay :is(.working, .dots, .tool-mark.running, [data-running])').length,\
        document.getAnimations().filter((one) => one.playState === 'running' && one.effect?.getTiming().iterations === Infinity).length,\
        window.__intervals.size]";
    page.until("the last animations to end", "return document.getAnimations().length === 0").await?;
    assert_eq!(page.script(moving, vec![]).await?, json!([0, 0, 0]), "lines and marks, animations, timers");
    Ok(())
}

#[tokio::test]
async fn a_silence_is_told_by_the_players_clock() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop).await?;
    page.drop_files("body", &[("run.jsonl", SILENCE)]).await?;
    page.until_run().await?;
    page.until(
        "it plays",
        "return document.querySelector('.replay [data-running] .chat-when')?.innerText === 'Playing'",
    )
    .await?;
    page.click("[data-action=play]").await?;
    page.until("all of it is known", &format!("{STANDS} return end === 8000")).await?;
    for (to_ms, expected) in [
        (2_400, "Recorded: Hermes is answering · silent for 20 s"),
        (3_500, "Recorded: Hermes is answering · silent for 1 min 15 s"),
        (6_000, "Recorded: Running terminal · 1 min 47 s"),
        (1_500, "Recorded: Hermes is answering · 1 s"),
        (2_800, "Recorded: Hermes is answering · silent for 40 s"),
    ] {
        page.seek(to_ms).await?;
        until_line(&page, expected).await?;
        if to_ms == 6_000 {
            page.until(
                "the slider's words",
                "return document.querySelector('.player-seek').ariaValueText === '0:06 of 0:08, after terminal began'",
            )
            .await?;
            page.until(
                "the tool's time",
                "return document.querySelector('.replay .tool-took').innerText === '4 s'",
            )
            .await?;
        }
    }
    let still = "const [line, still] = [document.querySelector('.replay .working'), document.getAnimations().filter(\
        (one) => one.playState === 'running' && one.effect?.getTiming().iterations === Infinity)];\
        return [line.innerText.includes('silent for 40 s'), still.length, document.querySelectorAll('.replay [data-running]').length, window.__intervals.size]";
    page.until(
        "the buttons' animations to end",
        "return document.getAnimations().every((one) => one.playState !== 'running')",
    )
    .await?;
    assert_eq!(page.script(still, vec![]).await?, json!([true, 0, 0, 0]), "a pause stands still");

    // Everything that the line says from here to the end, and how long the page's clock took for it.
    let watch = format!(
        "window.__said = []; const began = performance.now(); const look = () => {{ {LINE}\
         if (window.__said.at(-1)?.[1] !== said) window.__said.push([performance.now() - began, said]); requestAnimationFrame(look); }}; look()"
    );
    page.script(&watch, vec![]).await?;
    page.click("[data-speed='×10']").await?;
    page.click("[data-action=play]").await?;
    page.until_run_ends().await?;
    let said = page.script("return window.__said", vec![]).await?;
    let seconds: Vec<u64> = said.as_array().into_iter().flatten().filter_map(silent_for).collect();
    assert!(seconds.len() >= 2 && seconds.is_sorted(), "it counts: {said}");
    assert!(seconds.last().is_some_and(|last| (60..=100).contains(last)), "up to what it was: {said}");
    assert_nothing_goes_on(&page).await?;
    page.until("the whole", "return document.querySelector('.run-whole').innerText === 'Of the whole recording, wherever it plays'")
        .await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

/// The seconds of a silence, in what the line said.
fn silent_for(said: &Value) -> Option<u64> {
    let words = said.get(1)?.as_str()?;
    let span = words.split_once("silent for ")?.1;
    let number = |text: &str| text.split_whitespace().next()?.parse::<u64>().ok();
    Some(match span.split_once(" min") {
        Some((minutes, rest)) => number(minutes)? * 60 + number(rest).unwrap_or(0),
        None => number(span)?,
    })
}

#[tokio::test]
async fn a_burst_of_notices_is_one_line_that_opens_and_after_the_end_nothing_goes_on() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Phone).await?;
    let stall = std::fs::read_to_string(e2e::workspace().join("tests/stalls/gateway-hang-no-delta.frames"))?;
    let mut run = String::from("{\"iris\":\"frames\",\"version\":1}\n");
    for line in stall.lines() {
        let (t_ms, frame) = line.split_once(' ').unwrap_or_default();
        let open = frame.strip_suffix('}').unwrap_or_default();
        run += &format!("{open},\"t\":{t_ms}}}\n");
    }
    page.drop_files("body", &[("stall.jsonl", &run)]).await?;
    page.until_run().await?;
    page.until("the end is known", &format!("{STANDS} return end > 2000")).await?;
    page.until(
        "the silence",
        &format!("{LINE} return said.startsWith('Recorded: Hermes is working · silent for ')"),
    )
    .await?;
    page.until_run_ends().await?;
    let notices =
        "return [...document.querySelectorAll('.replay [data-row=notice]')].map((row) => row.innerText)";
    let shown = page.script(notices, vec![]).await?;
    let burst: Vec<&Value> = shown.as_array().into_iter().flatten().collect();
    assert_eq!(burst.len(), 2, "the burst, and what has nothing to do with it: {shown}");
    assert_eq!(page.count(".replay .notice.error").await?, 1, "{shown}");
    page.click(".replay .notice.error .notice-more").await?;
    let all = "const text = document.querySelector('.replay .notice.error').innerText;\
        return ['attempt 1/3', 'attempt 2/3', 'after 3 attempts', 'Provider has been unresponsive'].filter((part) => !text.includes(part))";
    assert_eq!(page.script(all, vec![]).await?, json!([]), "all of it is there");
    assert_nothing_goes_on(&page).await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}
