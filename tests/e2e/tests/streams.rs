//! The desk's list of streamed replies: what the adapter has on record, filtered, on a phone and on a wide screen, and what is
//! said when there is nothing or nobody to ask.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use serde_json::{Value, json};

/// The app over the demo, with nothing on record.
async fn start(screen: Screen) -> anyhow::Result<(Adapter, Page)> {
    let adapter = Adapter::start(50.0).await?;
    let page = Page::open(Browser::chromium(screen).await?, &adapter.url()).await?;
    page.until_online().await?;
    Ok((adapter, page))
}

async fn open(page: &Page) -> anyhow::Result<()> {
    page.script("location.hash = 'streams'", vec![]).await?;
    page.until("the page", "return !!document.querySelector('.desk-sheet .streams')").await?;
    Ok(())
}

/// Has the adapter answer with this record in place of its own.
async fn answer_with(page: &Page, body: &str) -> anyhow::Result<()> {
    let instead = "const [body] = arguments; const real = window.fetch;\
        window.fetch = (address, ...rest) => String(address) === 'streams'\
            ? Promise.resolve(new Response(body, { status: 200 })) : real(address, ...rest);";
    page.script(instead, vec![json!(body)]).await?;
    Ok(())
}

/// So many replies, every fifth of them cut, with two lines among them that are none.
fn many(count: u64) -> String {
    let record = |nth: u64| {
        let mut record = json!({
            "started_ms": 1_790_000_000_000_u64 - nth * 1_000, "chat": format!("c{}", nth % 3),
            "chat_title": format!("Chat {}", nth % 3), "turn": format!("t{nth}"), "iteration": 1, "attempt": 1,
            "model": if nth.is_multiple_of(2) { "<b>large</b>" } else { "small" }, "provider": "custom",
            "duration_ms": 4_000, "first_text_ms": 200 + nth % 100, "text_chars": 1_842, "reasoning_chars": 0,
            "end": "finished",
        });
        if nth.is_multiple_of(5) {
            let cause = if nth.is_multiple_of(10) { "stale" } else { "user" };
            let cut = json!({"end": "cut", "cut_by": cause, "silent_ms": 6_101, "why": "<img src=x onerror=\"window.__pwned=1\">"});
            if let (Some(record), Some(cut)) = (record.as_object_mut(), cut.as_object()) {
                record.extend(cut.clone());
            }
        }
        record
    };
    let odd = [json!({"end": "eclipsed"}), json!(7)];
    Value::Array(odd.into_iter().chain((0..count).map(record)).collect()).to_string()
}

/// Chooses the option of this name, as a reader does.
async fn choose(page: &Page, field: &str, words: &str) -> anyhow::Result<()> {
    let choose = "const [field, words] = arguments;\
        const select = document.querySelector(`[data-filter=${field}]`);\
        select.value = [...select.options].find((option) => option.textContent === words).value;\
        select.dispatchEvent(new Event('change', { bubbles: true }));";
    page.script(choose, vec![json!(field), json!(words)]).await?;
    Ok(())
}

async fn until_sum(page: &Page, start: &str) -> anyhow::Result<()> {
    let there =
        format!("return document.querySelector('.streams-sum')?.textContent.startsWith({})", json!(start));
    page.until(start, &there).await?;
    Ok(())
}

#[tokio::test]
async fn a_reply_is_on_record_with_its_chat_and_what_cut_it_leads_to_the_doctor() -> anyhow::Result<()> {
    let (adapter, page) = start(Screen::Desktop).await?;
    open(&page).await?;
    page.until(
        "that there is nothing",
        "return document.querySelector('.streams-none')?.textContent.includes('No reply is on record yet')",
    )
    .await?;
    page.script("document.querySelector('.desk-head button').click()", vec![]).await?;

    page.send("Try a provider that hangs").await?;
    // The record follows the turn's end by a moment.
    open(&page).await?;
    page.until(
        "the line",
        "if (document.querySelector('.streamed.is-cut')) return true;\
         document.querySelector('[data-action=read-streams]:not(:disabled)')?.click(); return false",
    )
    .await?;
    let said = "const one = document.querySelector('.streamed.is-cut'); const text = (part) => one.querySelector(part).textContent;\
        return [text('.stream-chat'), text('.stream-more summary').startsWith('Cut by the breaker'), text('.stream-model').length > 0]";
    assert_eq!(page.script(said, vec![]).await?, json!(["Try a provider that hangs", true, true]));
    page.click(".streamed.is-cut summary").await?;
    page.click(".streamed.is-cut [data-action=ask-doctor]").await?;
    page.until(
        "the doctor with the timer that did it",
        "return document.querySelector('.doctor-report')?.textContent.includes('Read by the adapter')\
         && document.querySelector('[data-timer=stale_giveup]')?.open",
    )
    .await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn five_thousand_replies_are_filtered_and_only_some_of_them_are_drawn() -> anyhow::Result<()> {
    for screen in [Screen::Desktop, Screen::Phone] {
        let (adapter, page) = start(screen).await?;
        answer_with(&page, &many(5_000)).await?;
        open(&page).await?;
        until_sum(&page, "5,000 replies, 1,000 cut, by several causes alike. First text after 0.3 s").await?;
        let seen = "const all = (selector) => document.querySelectorAll(selector).length;\
            const sheet = document.querySelector('.desk-page');\
            return { rows: all('tbody tr'), cut: all('.streamed.is-cut'), stopped: all('.streamed.is-ended'), range: document.querySelector('.streams-range')?.textContent,\
                unread: document.querySelector('[data-unread]')?.textContent, wide: sheet.scrollWidth > sheet.clientWidth,\
                model: document.querySelector('.stream-model').textContent,\
                tall: [...document.querySelectorAll('tbody tr')].some((row) => row.offsetHeight > 200),\
                table: getComputedStyle(document.querySelector('tbody tr')).display === 'table-row' }";
        let words = "2 lines are left out: each is damaged or of another version of Iris than this page.";
        let expected = json!({"rows": 50, "cut": 5, "stopped": 5, "range": "1–50 of 5000", "unread": words, "wide": false, "model": "<b>large</b>", "tall": false, "table": matches!(screen, Screen::Desktop)});
        assert_eq!(page.script(seen, vec![]).await?, expected);
        page.click("[data-action=older]").await?;
        page.until(
            "the next ones",
            "return document.querySelector('.streams-range').textContent === '51–100 of 5000'",
        )
        .await?;

        choose(&page, "ends", "Cut by the stale watchdog").await?;
        until_sum(&page, "500 replies, 500 cut, all by the stale watchdog").await?;
        assert_eq!(
            page.script("return document.querySelector('.streams-range').textContent", vec![]).await?,
            json!("1–50 of 500")
        );
        choose(&page, "chat", "Chat 1").await?;
        until_sum(&page, "167 replies").await?;
        choose(&page, "model", "small").await?;
        // Every tenth is of the other model.
        page.until("that none fits", "return document.querySelector('.streams-none')?.textContent.includes('No reply that was cut fits')").await?;
        page.click("[data-action=all-streams]").await?;
        until_sum(&page, "5,000 replies").await?;
        let fields = "return [...document.querySelectorAll('[data-filter]')].map((field) => field.selectedOptions?.[0].textContent ?? field.value)";
        assert_eq!(page.script(fields, vec![]).await?, json!(["Any", "All", "All", "Any time", ""]));
        let words = "const field = document.querySelector('[data-filter=words]'); field.value = 'USER small';\
            field.dispatchEvent(new InputEvent('input', { bubbles: true }));";
        page.script(words, vec![]).await?;
        until_sum(&page, "500 replies, 500 cut, all by the user").await?;
        assert_eq!(page.script("return document.querySelector('.desk-page').scrollWidth > document.querySelector('.desk-page').clientWidth", vec![]).await?, json!(false));
        page.assert_inert().await?;
        page.assert_healthy(&adapter.url()).await?;
        page.browser.quit().await?;
    }
    Ok(())
}

#[tokio::test]
async fn an_adapter_that_is_gone_is_said_to_be_and_asked_again_on_a_click() -> anyhow::Result<()> {
    let (mut adapter, page) = start(Screen::Phone).await?;
    // What the desk is made of comes from the adapter too.
    open(&page).await?;
    page.until("that there is nothing", "return !!document.querySelector('.streams-none')").await?;
    adapter.kill().await?;
    page.click("[data-action=read-streams]").await?;
    let refused = "return document.querySelector('.streams-refused')?.textContent.startsWith('The adapter cannot be reached')";
    page.until("that nobody answers", refused).await?;
    adapter.restart().await?;
    page.until(
        "the answer",
        "if (document.querySelector('.streams-none')) return true;\
         document.querySelector('[data-action=read-streams]:not(:disabled)')?.click(); return false",
    )
    .await?;
    answer_with(&page, "<!doctype html>").await?;
    page.click("[data-action=read-streams]").await?;
    page.until(
        "that it is no record",
        "return document.querySelector('.streams-refused')?.textContent.includes('is no record')",
    )
    .await?;
    page.browser.quit().await
}
