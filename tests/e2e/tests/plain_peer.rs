//! An adapter that sends only the plain frames, without `hello`: the least that a peer may be. And every field, hostile.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::hostile::VECTORS;
use e2e::page::Page;
use e2e::scripted::Scripted;
use serde_json::json;

async fn open() -> anyhow::Result<(Scripted, Page)> {
    let headers = Adapter::start(1.0).await?.headers().await?;
    assert!(headers.iter().any(|(name, _)| name == "content-security-policy"), "{headers:?}");
    let peer = Scripted::start(&headers).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &peer.url()).await?;
    page.until_online().await?;
    Ok((peer, page))
}

#[tokio::test]
async fn a_typical_turn_without_hello_is_shown_whole() -> anyhow::Result<()> {
    let (peer, page) = open().await?;
    page.send("summarize the repo").await?;
    let sent = peer.next("message.send").await?;
    assert_eq!(sent.get("text"), Some(&json!("summarize the repo")));
    for frame in [
        json!({"type": "typing", "on": true}),
        json!({"type": "message.start", "message_id": "m1", "role": "assistant"}),
        json!({"type": "message.update", "message_id": "m1", "text": "Let me look"}),
        json!({"type": "message.update", "message_id": "m1", "text": "Let me look at it."}),
        json!({"type": "message.stop", "message_id": "m1", "final_text": "Let me look at it."}),
        json!({"type": "tool.start", "index": 1, "name": "terminal", "preview": "ls -la", "args": {"command": "ls -la"}}),
        json!({"type": "tool.end", "index": 1, "name": "terminal", "ok": true, "duration": 0.4, "output_preview": "README.md"}),
        json!({"type": "tool.start", "index": 2, "name": "read_file", "preview": "README.md", "args": {}}),
        json!({"type": "commentary", "message_id": "m2", "text": "Found 12 files."}),
        json!({"type": "message.start", "message_id": "m3"}),
        json!({"type": "message.update", "message_id": "m3", "text": "The repo is small."}),
        json!({"type": "message.stop", "message_id": "m3", "final_text": "The repo is **small**.", "reasoning": "Short.", "model": "hermes-4", "tokens": 42}),
        json!({"type": "typing", "on": false}),
    ] {
        peer.send(&frame);
    }
    page.until("the final text", "return /The repo is small\\./.test(document.body.innerText) && !!document.querySelector('[data-row=answer] strong')")
        .await?;
    page.until_quiet().await?;
    let rows = page.transcript().await?;
    let kinds: Vec<&str> = rows.iter().map(|row| row.kind.as_str()).collect();
    assert_eq!(kinds, ["user", "answer", "tools", "commentary", "answer"], "{rows:#?}");
    let tools: Vec<&str> = rows.iter().flat_map(|row| &row.tools).map(|tool| tool.state.as_str()).collect();
    assert_eq!(tools, ["ok", "no-result"], "a tool that nobody ended has no result");
    let last = rows.last().expect("rows");
    assert_eq!(last.reasoning.as_deref(), Some("Short."));
    assert!(
        last.footer.as_deref().is_some_and(|footer| footer.contains("hermes-4") && footer.contains("42")),
        "{last:?}"
    );
    page.assert_healthy(&peer.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_hostile_string_is_text_in_every_field() -> anyhow::Result<()> {
    let (peer, page) = open().await?;
    page.send("go").await?;
    peer.next("message.send").await?;
    for (n, (_, vector)) in VECTORS.iter().enumerate() {
        let index = n + 1;
        for frame in [
            json!({"type": "tool.start", "index": index, "name": vector, "preview": vector, "args": {(*vector): vector, "nested": {(*vector): [vector]}}}),
            json!({"type": "tool.progress", "index": index, "name": vector, "note": vector}),
            json!({"type": "tool.end", "index": index, "name": vector, "ok": n % 2 == 0, "duration": 0.1, "output_preview": vector}),
            json!({"type": "commentary", "message_id": format!("c{n}"), "text": vector}),
            json!({"type": "notice", "level": "warning", "code": vector, "text": vector, "detail": vector}),
            json!({"type": "ask", "ask_id": format!("a{n}"), "kind": "approval", "text": vector, "command": vector, "choices": [{"id": vector, "label": vector}]}),
            json!({"type": "message", "message_id": format!("m{n}"), "text": vector, "reasoning": vector, "model": vector, "tokens": 1}),
        ] {
            peer.send(&frame);
        }
    }
    peer.send(&json!({"type": "typing", "on": false}));
    let all = format!("return document.querySelectorAll('[data-row=answer]').length === {}", VECTORS.len());
    page.until("every answer", &all).await?;
    page.until_quiet().await?;
    page.script("for (const b of document.querySelectorAll('[data-tool] button, [data-row] [aria-expanded=false]')) b.click()", vec![]).await?;
    page.assert_inert().await?;
    page.assert_healthy(&peer.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn malformed_frames_are_survived_and_the_next_good_one_is_shown() -> anyhow::Result<()> {
    let (peer, page) = open().await?;
    page.send("go").await?;
    peer.next("message.send").await?;
    for bad in [
        json!([]),
        json!(5),
        json!({"type": 5}),
        json!({"no": "type"}),
        json!({"type": "message.update"}),
        json!({"type": "from.the.future", "x": 1}),
        json!({"type": "tool.end", "index": -1, "name": 7}),
    ] {
        peer.send(&bad);
    }
    peer.send_raw("{\"type\":\"message\",\"message_id\":\"s\",\"text\":\"half \\ud83d\"}");
    peer.send_raw("not json at all");
    peer.send(&json!({"type": "message", "message_id": "m", "text": "Still here."}));
    page.until("the good frame", "return /Still here\\./.test(document.body.innerText)").await?;
    assert!(
        page.transcript().await?.iter().any(|row| row.text.starts_with("half")),
        "a lone surrogate loses no message"
    );
    page.browser.quit().await
}

#[tokio::test]
async fn a_question_is_answered_once_however_often_its_buttons_are_pressed() -> anyhow::Result<()> {
    let (peer, page) = open().await?;
    page.send("go").await?;
    peer.next("message.send").await?;
    let choices = json!([{"id": "once", "label": "Allow once"}, {"id": "deny", "label": "Deny"}]);
    peer.send(&json!({"type": "ask", "ask_id": "a1", "kind": "approval", "text": "May it?", "command": "rm -rf build", "choices": choices}));
    page.until("the question", "return document.querySelectorAll('[data-choice]').length === 2").await?;
    let press = "const all = [...document.querySelectorAll('[data-choice]')]; for (const b of [all[1], ...all, ...all]) b.click()";
    page.script(press, vec![]).await?;
    let answer = peer.next("ask.answer").await?;
    assert_eq!((answer.get("ask_id"), answer.get("choice")), (Some(&json!("a1")), Some(&json!("deny"))));
    peer.send(&json!({"type": "ask.closed", "ask_id": "a1", "outcome": "Denied"}));
    peer.send(&json!({"type": "typing", "on": false}));
    page.until_quiet().await?;
    page.send("next").await?;
    let (_, before) = peer.next_and_before("message.send").await?;
    let again = before.iter().filter(|frame| frame.get("type") == Some(&json!("ask.answer"))).count();
    assert_eq!(again, 0, "{before:?}");
    page.assert_healthy(&peer.url()).await?;
    page.browser.quit().await
}
