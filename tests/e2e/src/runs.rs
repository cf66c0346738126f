//! Recorded runs in the page: how a reader brings them there, and how one sees where the player stands.

use serde_json::{Value, json};

use crate::page::Page;

/// Where the slider stands (`at`), and its end (`end`); the beginning of a script.
pub const STANDS: &str = "const seek = document.querySelector('.player-seek');\
                      if (!seek) return null; const [at, end] = [Number(seek.value), Number(seek.max)];";

impl Page {
    /// Lets files fall on the page, as if they were dragged from a folder: names and texts.
    ///
    /// # Errors
    /// When there is no such place.
    pub async fn drop_files(&self, selector: &str, files: &[(&str, &str)]) -> anyhow::Result<()> {
        let source = "const [selector, files] = arguments; const data = new DataTransfer();\
            for (const [name, text] of files) data.items.add(new File([text], name));\
            document.querySelector(selector).dispatchEvent(\
            new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));";
        self.script(source, vec![json!(selector), json!(files)]).await?;
        Ok(())
    }

    /// Waits until a recorded run is on screen.
    ///
    /// # Errors
    /// When none comes.
    pub async fn until_run(&self) -> anyhow::Result<()> {
        self.until("the replay", "return !!document.querySelector('.shell.replay .player-box')").await?;
        Ok(())
    }

    /// Waits until it stands at its end, where nothing of it is under way.
    ///
    /// # Errors
    /// When it does not get there.
    pub async fn until_run_ends(&self) -> anyhow::Result<()> {
        let stands = format!(
            "{STANDS} return at >= end && document.querySelector('.player-play').ariaLabel === 'Play'\
             && !document.querySelector('.replay [data-state=running], .replay [data-phase=streaming]')"
        );
        self.until("the end of the run", &stands).await?;
        Ok(())
    }

    /// Moves the slider to a played time.
    ///
    /// # Errors
    /// When there is none.
    pub async fn seek(&self, to_ms: u64) -> anyhow::Result<Value> {
        let slide = "const seek = document.querySelector('.player-seek'); seek.value = arguments[0];\
            seek.dispatchEvent(new InputEvent('input', { bubbles: true }))";
        self.script(slide, vec![json!(to_ms)]).await
    }
}
