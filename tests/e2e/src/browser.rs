//! A driver process and a browser session. What only Chromium can do is in `cdp.rs`.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::time::Duration;

use anyhow::Context;
use serde_json::json;
use thirtyfour::prelude::*;
use tokio::process::{Child, Command};

use crate::wait;

/// A size of the window, as a device has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// 390×844, touch.
    Phone,
    /// 820×1180, touch.
    Tablet,
    /// 1440×900, mouse.
    Desktop,
}

impl Screen {
    /// Width and height, CSS pixels.
    pub fn size(self) -> (u32, u32) {
        match self {
            Self::Phone => (390, 844),
            Self::Tablet => (820, 1180),
            Self::Desktop => (1440, 900),
        }
    }

    /// Whether fingers are what it is used with.
    pub fn touch(self) -> bool {
        self != Self::Desktop
    }

    /// Its name in file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Phone => "phone",
            Self::Tablet => "tablet",
            Self::Desktop => "desktop",
        }
    }
}

/// A browser with one window. The driver, and so the browser, ends when it is dropped.
pub struct Browser {
    /// The session.
    pub driver: WebDriver,
    port: u16,
    // Ended after the session: fields drop in this order.
    process: Child,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts headless Chromium.
    ///
    /// # Errors
    /// When driver or browser do not start.
    pub async fn chromium(screen: Screen) -> anyhow::Result<Self> {
        let port = free_port()?;
        let process = Command::new(crate::place("CHROMEDRIVER", "/usr/bin/chromedriver")?)
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("starting chromedriver")?;
        let profile = tempfile::tempdir()?;
        let caps = chromium_capabilities(screen, profile.path())?;
        let server = format!("http://127.0.0.1:{port}");
        let driver = wait::until("chromedriver to open a session", || async {
            Ok(Some(WebDriver::new(&server, caps.clone()).await?))
        })
        .await?;
        let browser = Self { driver, port, process, _profile: profile };
        browser.emulate(screen).await?;
        Ok(browser)
    }

    /// The driver's process.
    pub(crate) fn driver_process(&self) -> Option<u32> {
        self.process.id()
    }

    /// Ends the session in good order.
    ///
    /// # Errors
    /// When the driver does not answer.
    pub async fn quit(self) -> anyhow::Result<()> {
        Ok(self.driver.clone().quit().await?)
    }

    /// Ends the session without the runtime's help; what it answers no longer matters.
    fn close(&self) -> std::io::Result<()> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        let (session, port) = (self.driver.session_id(), self.port);
        write!(
            stream,
            "DELETE /session/{session} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
        )?;
        // The driver answers when the browser is gone, and keeps the line open.
        stream.read(&mut [0; 64]).map(drop)
    }
}

impl Drop for Browser {
    /// A failed test leaves its browser here. The session's own way of ending needs the runtime that this blocks: it
    /// would wait for two minutes.
    fn drop(&mut self) {
        if self.driver.clone().leak().is_ok()
            && let Err(error) = self.close()
        {
            eprintln!("the browser was not closed: {error}");
        }
    }
}

fn chromium_capabilities(
    screen: Screen,
    profile: &std::path::Path,
) -> anyhow::Result<thirtyfour::ChromeCapabilities> {
    let mut caps = DesiredCapabilities::chrome();
    let (width, height) = screen.size();
    for arg in [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--no-first-run",
        "--force-color-profile=srgb",
        "--hide-scrollbars",
        &format!("--window-size={width},{height}"),
        &format!("--user-data-dir={}", profile.display()),
    ] {
        caps.add_arg(arg)?;
    }
    let binary = crate::place("CHROMIUM", "/usr/bin/chromium")?;
    caps.set_binary(&binary.to_string_lossy())?;
    caps.set("goog:loggingPrefs", json!({"browser": "ALL", "performance": "ALL"}))?;
    Ok(caps)
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> anyhow::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
