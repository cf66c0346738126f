//! Chromium behind its driver, with the switches of a measurement, and what its DevTools protocol counts.

use std::{collections::HashMap, env, net::TcpListener, process::Stdio, sync::Arc, time::Duration};

use anyhow::{Context, bail};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use thirtyfour::{cdp::Cdp, prelude::*};
use tokio::process::{Child, Command};

/// How long a single script may take.
const PATIENCE: Duration = Duration::from_secs(180);

/// The switches. Frames come as fast as they are done: a fast renderer then takes two seconds instead of twelve, and a slow
/// one loses nothing. Whether a frame would have missed its turn at 60 Hz is reckoned from the times between frames.
const SWITCHES: [&str; 14] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--no-first-run",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--window-size=900,900",
    "--disable-frame-rate-limit",
    "--disable-gpu-vsync",
];

/// A browser with one window. Browser and driver end when it is dropped.
pub struct Browser {
    driver: WebDriver,
    // Ended after the session: fields drop in this order.
    _process: Child,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts Chromium; `CHROMIUM` and `CHROMEDRIVER` name others than the usual ones.
    ///
    /// # Errors
    /// When driver or browser do not start.
    pub async fn start() -> anyhow::Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let program = env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".into());
        let process = Command::new(program)
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("starting chromedriver")?;
        let profile = tempfile::tempdir()?;
        let mut wanted = DesiredCapabilities::chrome();
        for switch in SWITCHES {
            wanted.add_arg(switch)?;
        }
        wanted.add_arg(&format!("--user-data-dir={}", profile.path().display()))?;
        if let Ok(program) = env::var("CHROMIUM") {
            wanted.set_binary(&program)?;
        }
        let driver = connect(&format!("http://127.0.0.1:{port}"), wanted).await?;
        driver.set_script_timeout(PATIENCE).await?;
        let browser = Self { driver, _process: process, _profile: profile };
        // The main thread's own time: what other programs take from it does not count.
        browser.command("Performance.enable", json!({"timeDomain": "threadTicks"})).await?;
        Ok(browser)
    }

    /// What it says it is: "Chrome/156.0.…".
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn version(&self) -> anyhow::Result<String> {
        let version = self.command("Browser.getVersion", json!({})).await?;
        Ok(version.get("product").and_then(Value::as_str).unwrap_or("an unknown browser").to_owned())
    }

    /// Opens an address; its scripts have run then.
    ///
    /// # Errors
    /// When the page does not come.
    pub async fn open(&self, address: &str) -> anyhow::Result<()> {
        Ok(self.driver.goto(address).await?)
    }

    /// Runs an expression that may be a promise; `words` are its arguments.
    ///
    /// # Errors
    /// When it throws; the message is the page's.
    pub async fn ask<T: DeserializeOwned>(&self, expression: &str, words: Vec<Value>) -> anyhow::Result<T> {
        #[derive(Deserialize)]
        struct Answer<T> {
            value: Option<T>,
            error: Option<String>,
        }
        let script = format!(
            "const words = [...arguments];
            const done = words.pop();
            (async () => {expression})().then(
              (value) => done({{ value: value ?? null }}),
              (error) => done({{ error: String(error?.stack ?? error) }}))"
        );
        let answer: Answer<T> = self.driver.execute_async(script, words).await?.convert()?;
        match (answer.value, answer.error) {
            (Some(value), _) => Ok(value),
            (None, Some(error)) => bail!("the page says: {error}"),
            (None, None) => Ok(serde_json::from_value(Value::Null)?),
        }
    }

    /// Sends one command of the DevTools protocol.
    ///
    /// # Errors
    /// When Chromium refuses it.
    pub async fn command(&self, method: &str, parameters: Value) -> anyhow::Result<Value> {
        Ok(Cdp::new(Arc::clone(self.driver.handle())).send_raw(method, parameters).await?)
    }

    /// Collects the garbage.
    ///
    /// # Errors
    /// When Chromium refuses it.
    pub async fn collect_garbage(&self) -> anyhow::Result<()> {
        self.command("HeapProfiler.collectGarbage", json!({})).await.map(drop)
    }

    /// Makes the processor so many times slower.
    ///
    /// # Errors
    /// When Chromium refuses it.
    pub async fn throttle(&self, rate: u32) -> anyhow::Result<()> {
        self.command("Emulation.setCPUThrottlingRate", json!({"rate": rate})).await.map(drop)
    }

    /// The counters of the page, as they are now.
    ///
    /// # Errors
    /// When Chromium refuses, or answers something else.
    pub async fn counters(&self) -> anyhow::Result<Counters> {
        #[derive(Deserialize)]
        struct Metric {
            name: String,
            value: f64,
        }
        #[derive(Deserialize)]
        struct Metrics {
            metrics: Vec<Metric>,
        }
        let answer = self.command("Performance.getMetrics", json!({})).await?;
        let metrics: Metrics = serde_json::from_value(answer)?;
        let all: HashMap<_, _> = metrics.metrics.into_iter().map(|one| (one.name, one.value)).collect();
        let of =
            |name: &str| all.get(name).copied().with_context(|| format!("Chromium does not count {name}"));
        Ok(Counters {
            script: of("ScriptDuration")? * 1000.0,
            task: of("TaskDuration")? * 1000.0,
            layout: (of("LayoutDuration")? + of("RecalcStyleDuration")?) * 1000.0,
            heap: of("JSHeapUsedSize")?,
        })
    }

    /// Ends the session in good order.
    ///
    /// # Errors
    /// When the driver does not answer.
    pub async fn quit(self) -> anyhow::Result<()> {
        Ok(self.driver.clone().quit().await?)
    }
}

/// What Chromium counts from the start of a page: milliseconds, and bytes of the JavaScript heap.
#[derive(Clone, Copy, Debug)]
pub struct Counters {
    /// Running scripts, WebAssembly among them.
    pub script: f64,
    /// Everything on the main thread.
    pub task: f64,
    /// Styles and layout.
    pub layout: f64,
    /// Bytes in use.
    pub heap: f64,
}

/// The driver needs a moment before it listens.
async fn connect(address: &str, wanted: thirtyfour::ChromeCapabilities) -> anyhow::Result<WebDriver> {
    let mut last = None;
    for _ in 0..100 {
        match WebDriver::new(address, wanted.clone()).await {
            Ok(driver) => return Ok(driver),
            Err(error) => last = Some(error),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err(last.map_or_else(|| anyhow::anyhow!("chromedriver does not answer"), Into::into))
}
