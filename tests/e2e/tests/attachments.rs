//! Files on the screen: attached, sent, shown again after a reload, and saved.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use serde_json::json;

/// A picture of one red pixel.
const PIXEL: [u8; 69] = [
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0,
    0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 0x0c, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63,
    0xf8, 0xcf, 0xc0, 0, 0, 3, 1, 1, 0, 0xc9, 0xfe, 0x92, 0xef, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae,
    0x42, 0x60, 0x82,
];

#[tokio::test]
async fn an_image_and_a_text_go_with_a_message_and_come_back_after_a_reload() -> anyhow::Result<()> {
    let adapter = Adapter::start(8.0).await?;
    let folder = tempfile::tempdir()?;
    let (image, notes) = (folder.path().join("pixel.png"), folder.path().join("notes.txt"));
    std::fs::write(&image, PIXEL)?;
    std::fs::write(&notes, "Bread, butter")?;
    let page = Page::open(Browser::chromium(Screen::Phone).await?, &adapter.url()).await?;
    page.until_online().await?;
    page.attach(&image).await?;
    page.attach(&notes).await?;
    page.until("both", "return document.querySelectorAll('[data-upload=ready]').length === 2").await?;
    page.paste_and_send("What is this?").await?;
    page.until_quiet().await?;
    assert_eq!(
        page.script("return document.querySelectorAll('[data-upload]').length", vec![]).await?,
        json!(0)
    );
    let shown = "const image = document.querySelector('[data-row=user] [data-attachment=\"pixel.png\"] img');
        return image?.naturalWidth === 1 && !!document.querySelector('[data-row=user] [data-attachment=\"notes.txt\"]')";
    page.until("the files with the message", shown).await?;
    page.browser.driver.refresh().await?;
    page.until_online().await?;
    page.until("the files again", shown).await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn what_is_dropped_on_the_page_is_attached_and_can_be_taken_away() -> anyhow::Result<()> {
    let adapter = Adapter::start(8.0).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    let drop = "const data = new DataTransfer(); data.items.add(new File(['Bread'], 'list.txt', { type: 'text/plain' }));
        for (const kind of ['dragover', arguments[0]]) document.querySelector('[data-scroller]').dispatchEvent(
            new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));";
    page.script(drop, vec![json!("dragleave")]).await?;
    page.until("nothing to show", "return !document.querySelector('.drop, [data-upload]')").await?;
    page.script(drop, vec![json!("drop")]).await?;
    page.until(
        "the file",
        "return document.querySelector('[data-upload=ready]')?.innerText.includes('list.txt')",
    )
    .await?;
    page.click("[data-action=detach]").await?;
    page.until("the file to go", "return !document.querySelector('[data-upload]')").await?;
    let paste = "const data = new DataTransfer(); data.items.add(new File(['Butter'], 'pasted.txt', { type: 'text/plain' }));
        document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }));";
    page.script(paste, vec![]).await?;
    page.until(
        "what was pasted",
        "return document.querySelector('[data-upload=ready]')?.innerText.includes('pasted.txt')",
    )
    .await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}
