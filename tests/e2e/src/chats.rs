//! What stands around the transcript, in a user's terms: the list of chats, the search, and the page of a new device.
//!
//! Owns the selectors of those parts, as `page.rs` owns the others.

use serde::Deserialize;
use serde_json::json;
use thirtyfour::prelude::*;

use crate::browser::Browser;
use crate::health;
use crate::page::Page;

/// One chat in the list.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Chat {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// It is the one on screen.
    pub current: bool,
    /// A turn runs in it.
    pub running: bool,
}

/// One place that a search found.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Hit {
    /// The title of its chat.
    pub title: String,
    /// The words around what matched, and these.
    pub text: String,
    /// What matched.
    pub matched: String,
}

const CHATS: &str = "return [...document.querySelectorAll('[data-chat]')].map((chat) => ({
  id: chat.dataset.chat, title: chat.querySelector('.chat-title').innerText,
  current: chat.ariaCurrent === 'true', running: 'running' in chat.dataset,
}));";

const HITS: &str = "const hits = [...document.querySelectorAll('[data-hit]')];
return hits.length && hits.map((hit) => ({
  title: hit.querySelector('.chat-title').innerText, text: hit.querySelector('.hit-text').textContent,
  matched: hit.querySelector('mark').innerText,
}));";

impl Page {
    /// Shows the list of chats, where it is not in sight already.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn show_chats(&self) -> anyhow::Result<()> {
        let press = "const list = document.querySelector('[data-chats]');
            if (!list) document.querySelector('[data-action=chats]')?.click(); return !!list;";
        self.until("the list of chats", press).await?;
        Ok(())
    }

    /// The chats, as the list in sight has them.
    ///
    /// # Errors
    /// When the page does not answer.
    pub async fn chats(&self) -> anyhow::Result<Vec<Chat>> {
        self.show_chats().await?;
        Ok(serde_json::from_value(self.script(CHATS, vec![]).await?)?)
    }

    /// Waits until the list has a chat with this title; it.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn chat(&self, title: &str) -> anyhow::Result<Chat> {
        self.show_chats().await?;
        let found = format!(
            "const all = (() => {{ {CHATS} }})(); return all.find((chat) => chat.title === {});",
            json!(title)
        );
        Ok(serde_json::from_value(self.until(&format!("the chat {title:?}"), &found).await?)?)
    }

    /// Opens the chat with this title and waits until it is on screen.
    ///
    /// # Errors
    /// When there is none.
    pub async fn open_chat(&self, title: &str) -> anyhow::Result<()> {
        let chat = self.chat(title).await?;
        self.click(&format!("[data-chat={}]", json!(chat.id))).await?;
        let shown = format!("return document.querySelector('.top-title')?.innerText === {}", json!(title));
        self.until("the chat on screen", &shown).await?;
        Ok(())
    }

    /// Opens what can be done with a chat.
    async fn chat_menu(&self, title: &str) -> anyhow::Result<()> {
        let chat = self.chat(title).await?;
        let open =
            "document.querySelector(`[data-chat=\"${arguments[0]}\"] + [data-action=chat-menu]`).click()";
        self.script(open, vec![json!(chat.id)]).await?;
        self.until("what can be done", "return document.querySelector('[data-action=rename-chat]')").await?;
        Ok(())
    }

    /// Gives a chat another title.
    ///
    /// # Errors
    /// When there is none with that title.
    pub async fn rename_chat(&self, title: &str, new: &str) -> anyhow::Result<()> {
        self.chat_menu(title).await?;
        self.click("[data-action=rename-chat]").await?;
        // The title is selected, and what is typed takes its place: `send_keys` on the field would move the caret first.
        self.until("the field", "return document.activeElement?.matches('.chat-input')").await?;
        self.browser.driver.action_chain().send_keys(new.to_owned() + Key::Enter).perform().await?;
        self.chat(new).await?;
        Ok(())
    }

    /// Deletes a chat, and says so twice.
    ///
    /// # Errors
    /// When there is none with that title, or it does not go.
    pub async fn delete_chat(&self, title: &str) -> anyhow::Result<()> {
        let chat = self.chat(title).await?;
        self.chat_menu(title).await?;
        self.click("[data-action=delete-chat]").await?;
        self.click("[data-action=confirm-delete]").await?;
        let gone = format!("return !document.querySelector('[data-chat={}]')", json!(chat.id));
        self.until("the chat to go", &gone).await?;
        Ok(())
    }

    /// Looks for words in every chat, and waits until something is found.
    ///
    /// # Errors
    /// When nothing is.
    pub async fn search(&self, words: &str) -> anyhow::Result<Vec<Hit>> {
        self.show_chats().await?;
        let field = self.browser.driver.find(By::Css("[data-search]")).await?;
        field.clear().await?;
        field.send_keys(words).await?;
        Ok(serde_json::from_value(self.until("something found", HITS).await?)?)
    }

    /// Opens the page of an adapter that does not know this browser.
    ///
    /// # Errors
    /// When it does not ask to be connected.
    pub async fn open_unpaired(browser: Browser, link: &str) -> anyhow::Result<Self> {
        browser.before_each_page(health::COLLECT).await?;
        browser.driver.goto(link).await?;
        let page = Self { browser };
        page.until("the page of a new device", "return !!document.querySelector('[data-pairing]')").await?;
        Ok(page)
    }

    /// Connects this browser: with the code of the link that led here, or with this one.
    ///
    /// # Errors
    /// When there is nothing to press.
    pub async fn pair(&self, code: Option<&str>, name: &str) -> anyhow::Result<()> {
        let fields = code.map(|code| ("code", code)).into_iter().chain([("device", name)]);
        for (field, text) in fields {
            let input = self.browser.driver.find(By::Css(format!("[data-pairing] [name={field}]"))).await?;
            input.clear().await?;
            input.send_keys(text).await?;
        }
        self.click("[data-action=pair]").await
    }
}
