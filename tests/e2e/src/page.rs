//! The page in a user's terms: what can be done, and what can be read.
//!
//! Owns every selector of the app's markup, so that a change of markup is a change of this file.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Value, json};
use thirtyfour::prelude::*;

use crate::adapter;
use crate::browser::Browser;
use crate::health;
use crate::wait;

/// One row of the transcript, as it stands on the screen.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Row {
    /// `user`, `answer`, `commentary`, `tools`, `notice` or `ask`.
    pub kind: String,
    /// What a reader reads in it (without buttons and footers).
    pub text: String,
    /// An answer's reasoning.
    pub reasoning: Option<String>,
    /// An answer that its turn did not bring to an end.
    pub cut: bool,
    /// What stands below a finished answer.
    pub footer: Option<String>,
    /// The tools of a run of tools.
    pub tools: Vec<Tool>,
}

/// One tool card.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// `running`, `ok`, `failed`, `unknown` or `no-result`.
    pub state: String,
}

/// Reads the transcript. One script, so that what it returns is one moment.
const TRANSCRIPT: &str = r#"
const text = (e) => e ? e.innerText.trim() : null;
return [...document.querySelectorAll('[data-row]')].map((row) => ({
  kind: row.dataset.row,
  text: text(row.querySelector('[data-text]')) ?? text(row) ?? '',
  cut: !!row.querySelector('.cut'),
  reasoning: row.querySelector('[data-reasoning]')?.textContent ?? null,
  footer: text(row.querySelector('[data-footer]')),
  tools: [...row.querySelectorAll('[data-tool]')].map((t) => ({ name: t.dataset.tool, state: t.dataset.state })),
}));
"#;

/// Whether nothing is under way, and something follows what the user said last.
const QUIET: &str = "(() => {
  const rows = [...document.querySelectorAll('[data-row]')].map((row) => row.dataset.row);
  return rows.includes('user') && rows.at(-1) !== 'user'
    && !document.querySelector('[data-action=stop], [data-phase=streaming], [data-state=running], [data-choice]:not([disabled])');
})()";

/// The app in a browser.
pub struct Page {
    /// The browser.
    pub browser: Browser,
}

impl Page {
    /// Opens the app and waits until it can be used. The browser is paired already if it is one of our adapters.
    ///
    /// # Errors
    /// When it does not come up.
    pub async fn open(browser: Browser, url: &str) -> anyhow::Result<Self> {
        browser.before_each_page(health::COLLECT).await?;
        let origin: String = url.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
        if let Some(token) = adapter::token_for(&origin) {
            let (origin, token) = (json!(origin), json!(token));
            let pair =
                format!("if (location.origin === {origin}) localStorage.setItem('iris.token', {token});");
            browser.before_each_page(&pair).await?;
        }
        browser.driver.goto(url).await?;
        let page = Self { browser };
        page.until("the composer to appear", "return !!document.querySelector('textarea')").await?;
        Ok(page)
    }

    /// Runs a script in the page.
    ///
    /// # Errors
    /// When it throws.
    pub async fn script(&self, source: &str, args: Vec<Value>) -> anyhow::Result<Value> {
        Ok(self.browser.driver.execute(source, args).await?.json().clone())
    }

    /// Waits until a script returns something true; a failure leaves a picture behind.
    ///
    /// # Errors
    /// When it does not in time.
    pub async fn until(&self, what: &str, source: &str) -> anyhow::Result<Value> {
        let asked = wait::until(what, || async {
            let value = self.script(source, vec![]).await?;
            let no =
                value.is_null() || value == Value::Bool(false) || value == json!(0) || value == json!("");
            Ok((!no).then_some(value))
        });
        match asked.await {
            Ok(value) => Ok(value),
            Err(error) => {
                let picture = std::env::temp_dir().join(format!("iris-e2e-{}.png", std::process::id()));
                self.browser.driver.screenshot(&picture).await?;
                Err(error.context(format!("the page looked like {}", picture.display())))
            }
        }
    }

    /// Waits until the connection is live.
    ///
    /// # Errors
    /// When it does not become so.
    pub async fn until_online(&self) -> anyhow::Result<()> {
        self.until(
            "the connection to be live",
            "return !!document.querySelector('[data-connection=online]')",
        )
        .await?;
        Ok(())
    }

    /// Writes into the composer and sends, as a user does.
    ///
    /// # Errors
    /// When there is no composer.
    pub async fn send(&self, text: &str) -> anyhow::Result<()> {
        let composer = self.browser.driver.find(By::Css("textarea")).await?;
        composer.click().await?;
        composer.send_keys(text).await?;
        composer.send_keys(Key::Enter + "").await?;
        Ok(())
    }

    /// Puts a text that keys cannot type (control characters, many lines) into the composer, and sends it.
    ///
    /// # Errors
    /// When there is no composer.
    pub async fn paste_and_send(&self, text: &str) -> anyhow::Result<()> {
        let paste = "const box = document.querySelector('textarea'); box.focus(); box.value = arguments[0];
            box.dispatchEvent(new InputEvent('input', { bubbles: true }));";
        self.script(paste, vec![json!(text)]).await?;
        self.until(
            "the send button to wake up",
            "return document.querySelector('[data-action=send]:not([disabled])')",
        )
        .await?;
        self.click("[data-action=send]").await
    }

    /// Attaches a file of this machine to what is being written, and waits until the adapter has it.
    ///
    /// # Errors
    /// When it is not taken.
    pub async fn attach(&self, file: &Path) -> anyhow::Result<()> {
        let input = self.browser.driver.find(By::Css("input[type=file]")).await.context("no file input")?;
        input.send_keys(file.to_string_lossy().as_ref()).await?;
        self.until("the upload", "return !!document.querySelector('[data-upload=ready]')").await?;
        Ok(())
    }

    /// Clicks the first element that matches.
    ///
    /// # Errors
    /// When there is none, or something lies over it.
    pub async fn click(&self, selector: &str) -> anyhow::Result<()> {
        let element =
            self.browser.driver.find(By::Css(selector)).await.with_context(|| selector.to_owned())?;
        element.click().await.with_context(|| format!("clicking {selector}"))
    }

    /// The labels of the suggestions on screen.
    ///
    /// # Errors
    /// When the page does not answer.
    pub async fn suggestions(&self) -> anyhow::Result<Vec<String>> {
        let labels = "const all = [...document.querySelectorAll('[data-suggestion]')].map((b) => b.dataset.suggestion);
            return all.length && all";
        Ok(serde_json::from_value(self.until("the suggestions", labels).await?)?)
    }

    /// Presses the first suggestion whose label holds `part`, as soon as it is there.
    ///
    /// # Errors
    /// When there is none.
    pub async fn suggest(&self, part: &str) -> anyhow::Result<()> {
        let press = format!(
            "const b = [...document.querySelectorAll('[data-suggestion]')].find((b) => b.dataset.suggestion.includes({}));
             b?.click(); return !!b;",
            json!(part)
        );
        self.until(&format!("the suggestion {part:?}"), &press).await?;
        Ok(())
    }

    /// Waits until the agent works on something.
    ///
    /// # Errors
    /// When it does not begin.
    pub async fn until_running(&self) -> anyhow::Result<()> {
        self.until("a turn to begin", "return !!document.querySelector('[data-action=stop]')").await?;
        Ok(())
    }

    /// Waits until what the user said last has been dealt with: no turn runs, every answer has settled.
    ///
    /// Asks for what follows the user's words, not for the turn itself: a quick one is over before anybody looks.
    ///
    /// # Errors
    /// When something stays open.
    pub async fn until_quiet(&self) -> anyhow::Result<()> {
        self.until("the turn to end and everything to settle", &format!("return {QUIET}")).await?;
        Ok(())
    }

    /// Answers whatever question waits with the choice `wanted` (or the first), until the turn is over.
    ///
    /// # Errors
    /// When something stays open.
    pub async fn play_to_the_end(&self, wanted: &str) -> anyhow::Result<()> {
        let answer = format!(
            "const open = [...document.querySelectorAll('[data-choice]:not([disabled])')];
             (open.find((b) => b.dataset.choice === '{wanted}') ?? open[0])?.click();
             return {QUIET};"
        );
        self.until("the turn to end and everything to settle", &answer).await?;
        Ok(())
    }

    /// Leaves the chat for an empty one.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn new_chat(&self) -> anyhow::Result<()> {
        self.click("[data-action=new-chat]").await?;
        let empty =
            "return !document.querySelector('[data-row]') && !!document.querySelector('[data-suggestion]')";
        self.until("an empty chat", empty).await?;
        Ok(())
    }

    /// Opens the settings, if they are not open.
    ///
    /// # Errors
    /// When they do not come.
    pub async fn open_settings(&self) -> anyhow::Result<()> {
        self.press_settings().await?;
        self.until_settings().await
    }

    /// Presses their button, whatever comes of it.
    ///
    /// # Errors
    /// When there is none.
    pub async fn press_settings(&self) -> anyhow::Result<()> {
        self.click("[data-action=settings]").await
    }

    /// Waits until the settings are drawn.
    ///
    /// # Errors
    /// When they are not.
    pub async fn until_settings(&self) -> anyhow::Result<()> {
        self.until("the settings", "return !!document.querySelector('dialog[open] [data-setting]')").await?;
        Ok(())
    }

    /// Waits until the open sheet says this of its content, which is in the app's second part.
    ///
    /// # Errors
    /// When it does not.
    pub async fn until_part_says(&self, words: &str) -> anyhow::Result<()> {
        let says = format!(
            "return document.querySelector('dialog[open] .later')?.textContent.includes({})",
            json!(words)
        );
        self.until(words, &says).await?;
        Ok(())
    }

    /// Presses the button that loads the second part once more.
    ///
    /// # Errors
    /// When there is none.
    pub async fn load_part_again(&self) -> anyhow::Result<()> {
        self.click("dialog[open] .later button").await
    }

    /// Closes the settings, as Escape does.
    ///
    /// # Errors
    /// When they do not go.
    pub async fn close_settings(&self) -> anyhow::Result<()> {
        self.browser.driver.action_chain().send_keys(Key::Escape + "").perform().await?;
        self.until("the settings to go", "return !document.querySelector('dialog[open]')").await?;
        Ok(())
    }

    /// Changes a setting in the open sheet: presses the radio button of that value, or the switch.
    ///
    /// # Errors
    /// When there is no such setting.
    pub async fn set(&self, setting: &str, value: &str) -> anyhow::Result<()> {
        let press = "const i = document.querySelector(`[data-setting=${arguments[0]}] input${arguments[1] && `[value=${arguments[1]}]`}`);
            i?.click(); return !!i;";
        let found = self.script(press, vec![json!(setting), json!(value)]).await?;
        anyhow::ensure!(found == Value::Bool(true), "no setting {setting} {value}");
        Ok(())
    }

    /// The transcript.
    ///
    /// # Errors
    /// When the page does not answer.
    pub async fn transcript(&self) -> anyhow::Result<Vec<Row>> {
        Ok(serde_json::from_value(self.script(TRANSCRIPT, vec![]).await?)?)
    }

    /// Asserts that nothing went wrong since the page opened.
    ///
    /// # Errors
    /// With every fault in it.
    pub async fn assert_healthy(&self, url: &str) -> anyhow::Result<()> {
        let host = url.trim_start_matches("http://").trim_end_matches('/');
        let faults = self.browser.faults(&[host]).await?;
        anyhow::ensure!(faults.is_empty(), "{}", faults.join("\n"));
        Ok(())
    }
}
