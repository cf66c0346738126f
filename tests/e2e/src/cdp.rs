//! What only Chromium can do, over its DevTools protocol: emulate devices and media, run a script before the page's own.

use std::sync::Arc;

use anyhow::Context;
use serde_json::{Value, json};
use thirtyfour::cdp::Cdp;

use crate::browser::{Browser, Screen};

impl Browser {
    /// Sends one command of the DevTools protocol.
    ///
    /// # Errors
    /// When Chromium refuses it.
    pub async fn cdp(&self, method: &str, params: Value) -> anyhow::Result<Value> {
        Ok(Cdp::new(Arc::clone(self.driver.handle())).send_raw(method, params).await?)
    }

    /// Makes the window a device.
    ///
    /// # Errors
    /// When Chromium refuses it.
    pub async fn emulate(&self, screen: Screen) -> anyhow::Result<()> {
        let (width, height) = screen.size();
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": screen.touch()});
        self.cdp("Emulation.setDeviceMetricsOverride", metrics).await?;
        self.cdp("Emulation.setTouchEmulationEnabled", json!({"enabled": screen.touch()})).await?;
        Ok(())
    }

    /// Sets a media feature (`prefers-color-scheme`, `prefers-reduced-motion`).
    ///
    /// # Errors
    /// When Chromium refuses it.
    pub async fn media(&self, features: &[(&str, &str)]) -> anyhow::Result<()> {
        let features: Vec<Value> =
            features.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        self.cdp("Emulation.setEmulatedMedia", json!({"features": features})).await?;
        Ok(())
    }

    /// Runs `source` in every page before the page's own scripts.
    ///
    /// # Errors
    /// When Chromium refuses it.
    pub async fn before_each_page(&self, source: &str) -> anyhow::Result<()> {
        self.cdp("Page.addScriptToEvaluateOnNewDocument", json!({"source": source})).await?;
        Ok(())
    }

    /// Makes the processor so many times slower for the page.
    ///
    /// # Errors
    /// When Chromium refuses it.
    pub async fn throttle(&self, rate: u32) -> anyhow::Result<()> {
        self.cdp("Emulation.setCPUThrottlingRate", json!({"rate": rate})).await?;
        Ok(())
    }

    /// Takes the network away from the page, or gives it back.
    ///
    /// # Errors
    /// When Chromium refuses it.
    pub async fn offline(&self, offline: bool) -> anyhow::Result<()> {
        self.cdp("Network.enable", json!({})).await?;
        let network =
            json!({"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
        self.cdp("Network.emulateNetworkConditions", network).await?;
        Ok(())
    }

    /// One of Chromium's own counters of the page: `TaskDuration` in seconds, `JSEventListeners`, `Nodes`.
    ///
    /// # Errors
    /// When there is no such counter.
    pub async fn counter(&self, name: &str) -> anyhow::Result<f64> {
        self.cdp("Performance.enable", json!({})).await?;
        let metrics = self.cdp("Performance.getMetrics", json!({})).await?;
        let all = metrics.get("metrics").and_then(Value::as_array).context("no metrics")?;
        let one = all.iter().find(|metric| metric.get("name").and_then(Value::as_str) == Some(name));
        one.and_then(|metric| metric.get("value")?.as_f64()).with_context(|| format!("no counter {name}"))
    }

    /// Has the page forget what nothing holds any more.
    ///
    /// # Errors
    /// When Chromium refuses it.
    pub async fn collect_garbage(&self) -> anyhow::Result<()> {
        self.cdp("HeapProfiler.collectGarbage", json!({})).await?;
        Ok(())
    }

    /// Lets the page of this origin read and write the clipboard.
    ///
    /// # Errors
    /// When Chromium refuses it.
    pub async fn grant_clipboard(&self, origin: &str) -> anyhow::Result<()> {
        let permissions = json!(["clipboardReadWrite", "clipboardSanitizedWrite"]);
        self.cdp("Browser.grantPermissions", json!({"origin": origin, "permissions": permissions})).await?;
        Ok(())
    }
}
