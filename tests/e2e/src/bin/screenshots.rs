//! Pictures of the app in every state that matters: `screenshots OUT_DIR`, or `screenshots --readme` for `docs/screenshots`.
//!
//! Nothing is staged: the real adapter plays recordings of the real Hermes into a real browser.

use std::path::{Path, PathBuf};

use anyhow::Context;
use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use thirtyfour::Key;

/// The few that the README shows.
const README: &[&str] =
    &["tools-desktop-light", "tools-phone-light", "streaming-phone-dark", "chats-phone-light"];

/// Whether every motion that has an end has come to it. A spinner has none.
const RESTS: &str = "return document.getAnimations().every((a) =>
    a.playState !== 'running' || a.effect.getComputedTiming().endTime === Infinity)";

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let argument = std::env::args().nth(1).context("usage: screenshots OUT_DIR | --readme")?;
    let readme = argument == "--readme";
    let folder = if readme { e2e::workspace().join("docs/screenshots") } else { PathBuf::from(argument) };
    std::fs::create_dir_all(&folder)?;
    for screen in [Screen::Phone, Screen::Tablet, Screen::Desktop] {
        for theme in ["light", "dark"] {
            let suffix = format!("{}-{theme}", screen.name());
            let wanted: Vec<&str> = README.iter().copied().filter(|name| name.ends_with(&suffix)).collect();
            if !readme || !wanted.is_empty() {
                Camera { folder: folder.clone(), suffix, only: readme.then_some(wanted) }
                    .tour(screen, theme)
                    .await?;
            }
        }
    }
    println!("{}", folder.display());
    Ok(())
}

/// Takes the pictures of one screen in one theme.
struct Camera {
    folder: PathBuf,
    suffix: String,
    only: Option<Vec<&'static str>>,
}

impl Camera {
    async fn tour(&self, screen: Screen, theme: &str) -> anyhow::Result<()> {
        let mut adapter = Adapter::start(2.0).await?;
        let browser = Browser::chromium(screen).await?;
        browser.media(&[("prefers-color-scheme", theme)]).await?;
        let page = Page::open(browser, &adapter.url()).await?;
        page.until_online().await?;
        page.suggestions().await?;
        self.take(&page, "idle").await?;
        self.new_device(&adapter, screen, theme).await?;
        self.turn_with_tools(&page).await?;
        self.settings(&page).await?;
        self.long_answer(&page).await?;
        self.question(&page).await?;
        self.files(&page).await?;
        self.chats(&page).await?;
        adapter.kill().await?;
        page.until("the banner", "return !!document.querySelector('[data-connection=offline]') && !!document.querySelector('[data-action=reconnect]')")
            .await?;
        self.take(&page, "offline").await?;
        page.browser.quit().await
    }

    async fn turn_with_tools(&self, page: &Page) -> anyhow::Result<()> {
        page.suggest("ummari").await?;
        page.until("a running tool", "return document.querySelector('[data-tool]')").await?;
        self.take(page, "tool-running").await?;
        let text = "return [...document.querySelectorAll('[data-row=answer] [data-text]')].at(-1)?.innerText.length > 420";
        page.until("some of the answer", text).await?;
        self.take(page, "streaming").await?;
        page.until_quiet().await?;
        self.scroll_to(page, 0).await?;
        self.take(page, "tools").await
    }

    async fn settings(&self, page: &Page) -> anyhow::Result<()> {
        page.open_settings().await?;
        self.take(page, "settings").await?;
        page.close_settings().await
    }

    async fn long_answer(&self, page: &Page) -> anyhow::Result<()> {
        page.new_chat().await?;
        page.suggest("long").await?;
        page.until_quiet().await?;
        self.scroll_to(page, 600).await?;
        self.take(page, "long").await
    }

    async fn question(&self, page: &Page) -> anyhow::Result<()> {
        page.new_chat().await?;
        page.suggest("Ask").await?;
        page.until("a question", "return document.querySelector('[data-choice]') && !document.querySelector('[data-phase=streaming]')").await?;
        self.take(page, "question").await?;
        page.play_to_the_end("once").await
    }

    /// The page of a device that the adapter does not know yet.
    async fn new_device(&self, adapter: &Adapter, screen: Screen, theme: &str) -> anyhow::Result<()> {
        let browser = Browser::chromium(screen).await?;
        browser.media(&[("prefers-color-scheme", theme)]).await?;
        let page = Page::open_unpaired(browser, &adapter.url()).await?;
        self.take(&page, "new-device").await?;
        page.browser.quit().await
    }

    /// A message with a picture, and one that is written while Hermes works.
    async fn files(&self, page: &Page) -> anyhow::Result<()> {
        page.new_chat().await?;
        let picture = e2e::workspace().join("public/icons/iris-192.png").canonicalize()?;
        page.attach(&picture).await?;
        self.take(page, "attached").await?;
        page.paste_and_send("What does this picture show? Take your time, and describe it in every detail.")
            .await?;
        page.until_running().await?;
        page.until("the picture", "return document.querySelector('[data-attachment] img')?.naturalWidth")
            .await?;
        let write =
            "const box = document.querySelector('textarea'); box.focus(); box.value = 'And its colours';
            box.dispatchEvent(new InputEvent('input', { bubbles: true }));";
        page.script(write, vec![]).await?;
        self.take(page, "at-work").await?;
        page.until_quiet().await?;
        page.script(&write.replace("And its colours", ""), vec![]).await?;
        Ok(())
    }

    async fn chats(&self, page: &Page) -> anyhow::Result<()> {
        page.chats().await?;
        self.take(page, "chats").await?;
        page.search("repo").await?;
        self.take(page, "search").await?;
        // Out of the search, and out of a drawer.
        for _ in 0..2 {
            page.browser.driver.action_chain().send_keys(Key::Escape + "").perform().await?;
        }
        Ok(())
    }

    /// Scrolls up from the end, and waits for the way back.
    async fn scroll_to(&self, page: &Page, top: u32) -> anyhow::Result<()> {
        let scroll = format!("document.querySelector('[data-scroller]').scrollTop = {top}");
        page.script(&scroll, vec![]).await?;
        page.until("the way back to the end", "return !!document.querySelector('[data-action=below]')")
            .await?;
        Ok(())
    }

    async fn take(&self, page: &Page, name: &str) -> anyhow::Result<()> {
        let name = format!("{name}-{}", self.suffix);
        if self.only.as_ref().is_some_and(|only| !only.contains(&name.as_str())) {
            return Ok(());
        }
        page.until("what moves to come to rest", RESTS).await?;
        let path: &Path = &self.folder.join(format!("{name}.png"));
        Ok(page.browser.driver.screenshot(path).await?)
    }
}
