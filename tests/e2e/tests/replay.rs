//! The page's second program: recorded runs are replayed by the app's own components, without any adapter having a part in it.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use serde_json::{Value, json};

/// Opens the demo.
async fn open(screen: Screen) -> anyhow::Result<(Adapter, Page)> {
    let adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(screen).await?, &adapter.url()).await?;
    page.until_online().await?;
    Ok((adapter, page))
}

/// How many files of the second program the page has loaded.
async fn loaded(page: &Page) -> anyhow::Result<Value> {
    let names = "return performance.getEntriesByType('resource').map((entry) => entry.name)\
                 .filter((name) => name.includes('/modules/desk')).length";
    page.script(names, vec![]).await
}

#[tokio::test]
async fn a_page_of_the_desk_is_loaded_when_its_address_asks_for_it() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop).await?;
    assert_eq!(loaded(&page).await?, json!(0), "nothing of it before");
    let before = page.script("return location.href", vec![]).await?;
    page.script("location.hash = 'doctor'", vec![]).await?;
    page.until("the sheet", "return document.querySelector('.desk-sheet[data-page=doctor] h2') !== null")
        .await?;
    assert_eq!(page.script("return location.href", vec![]).await?, before, "the chat's address is back");
    assert_eq!(loaded(&page).await?, json!(2), "the script and the program");
    page.click(".desk-sheet [aria-label=Close]").await?;
    page.until("no sheet", "return document.querySelector('.desk-sheet') === null").await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}
