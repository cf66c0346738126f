//! The backend `cli`: one `hermes chat` a turn. Seen by a device without a screen, by a browser, and by Hermes' own memory.

use e2e::{
    browser::{Browser, Screen},
    page::Page,
};
use hermes_lab::{
    Lab, client,
    product::Cli,
    transcript::{device_agrees, screen_agrees},
};
use iris_core::timeline::ToolState;

async fn browser(product: &Cli) -> anyhow::Result<Page> {
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &product.adapter.url()).await?;
    page.until_online().await?;
    Ok(page)
}

#[tokio::test]
async fn three_turns_with_tools_stand_on_every_screen_as_hermes_remembers_them() -> anyhow::Result<()> {
    let lab = Lab::start().await?;
    let product = Cli::start(&lab).await?;
    let page = browser(&product).await?;
    let mut device = product.client().await?;
    let chat = device.first_chat()?;
    device.subscribe(&chat).await?;

    for (nth, text) in
        ["@@tools Look around", "@@parallel All at once", "@@plain And goodbye"].into_iter().enumerate()
    {
        page.send(text).await?;
        device
            .until(&chat, "the turn", &|timeline| client::user_texts(timeline.items()).len() == nth + 1)
            .await?;
        device.until_quiet(&chat).await?;
        page.until_quiet().await?;
    }

    let states: Vec<_> = client::tools(device.items(&chat)).iter().map(|tool| tool.state).collect();
    assert_eq!(states.len(), 6);
    for (nth, state) in states.iter().enumerate() {
        let ok = matches!(state, ToolState::Done { ok: Some(true), .. });
        assert_eq!(ok, nth != 1, "only `cat missing.txt` fails: {states:?}");
    }
    let memory = product.memory()?;
    device_agrees(device.items(&chat), &memory)?;
    screen_agrees(&page.transcript().await?, &memory)?;
    page.assert_healthy(&product.adapter.url()).await?;
    page.browser.quit().await?;
    lab.done();
    Ok(())
}

#[tokio::test]
async fn a_stopped_turn_says_so_and_the_next_one_goes_on() -> anyhow::Result<()> {
    let lab = Lab::start().await?;
    let product = Cli::start(&lab).await?;
    let page = browser(&product).await?;
    let mut device = product.client().await?;
    let chat = device.first_chat()?;
    device.subscribe(&chat).await?;

    page.send("@@ticks:stop Count").await?;
    lab.provider.allow("stop", 5).await?;
    // The end of a growing text is held back a little.
    let four =
        "return document.querySelector('[data-row=answer] [data-text]')?.innerText.startsWith('1 2 3 4')";
    page.until("the ticks", four).await?;
    page.click("[data-action=stop]").await?;
    device.until(&chat, "the answer", &|timeline| !client::answers(timeline.items()).is_empty()).await?;
    device.until_quiet(&chat).await?;
    page.until_quiet().await?;
    let answers = client::answers(device.items(&chat));
    assert_eq!((answers.len(), answers[0].text.trim()), (1, "1 2 3 4 5"));
    assert!(answers[0].cut.is_some(), "{answers:?}");
    let rows = page.transcript().await?;
    assert!(rows.iter().any(|row| row.kind == "answer" && row.cut), "{rows:#?}");
    screen_agrees(&rows, &product.memory()?)?;

    page.send("@@plain Go on").await?;
    page.until("the second message", "return document.querySelectorAll('[data-row=user]').length === 2")
        .await?;
    page.until_quiet().await?;
    screen_agrees(&page.transcript().await?, &product.memory()?)?;
    page.assert_healthy(&product.adapter.url()).await?;
    page.browser.quit().await?;
    lab.done();
    Ok(())
}

#[tokio::test]
async fn a_provider_that_fails_is_told_in_words() -> anyhow::Result<()> {
    let lab = Lab::start().await?;
    let product = Cli::start(&lab).await?;
    let page = browser(&product).await?;
    page.send("@@error Summarize").await?;
    page.until_quiet().await?;
    let rows = page.transcript().await?;
    let told = rows.iter().filter(|row| row.kind != "user").map(|row| row.text.as_str()).collect::<String>();
    assert!(told.contains("server error") && told.contains("HTTP 500"), "{rows:#?}");
    screen_agrees(&rows, &product.memory()?)?;
    page.assert_healthy(&product.adapter.url()).await?;
    page.browser.quit().await?;
    lab.done();
    Ok(())
}
