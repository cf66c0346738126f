//! What must never happen on any page: a CSP violation, an error on the console, a request to a foreign host.

use serde_json::Value;

use crate::browser::Browser;

/// Collects in the page what `Browser::health` reads.
pub(crate) const COLLECT: &str = r"
window.__health = [];
const note = (kind, text) => window.__health.push(kind + ': ' + text);
addEventListener('securitypolicyviolation', e => note('csp', e.violatedDirective + ' ' + e.blockedURI));
addEventListener('error', e => note('error', e.message));
addEventListener('unhandledrejection', e => note('rejection', String(e.reason)));
";

impl Browser {
    /// Everything that went wrong since the session began (or since the last call), a line each.
    ///
    /// `allowed` lists the hosts (`host:port`) that the page may speak to. A connection refused by one of them is
    /// no fault: the tests kill the adapter on purpose, and Chromium logs each failed socket.
    ///
    /// # Errors
    /// When the driver does not answer.
    pub async fn faults(&self, allowed: &[&str]) -> anyhow::Result<Vec<String>> {
        let mut faults: Vec<String> =
            self.driver.execute("return window.__health ?? []", vec![]).await?.convert()?;
        for entry in self.driver.get_log("browser").await? {
            let lost = entry.message.contains("ERR_CONNECTION_REFUSED")
                || entry.message.contains("WebSocket connection to");
            if entry.level == "SEVERE" && !(lost && allowed.iter().any(|host| entry.message.contains(host))) {
                faults.push(format!("console: {}", entry.message));
            }
        }
        for entry in self.driver.get_log("performance").await? {
            let Some(url) = requested_url(&entry.message) else { continue };
            let host = url.split("://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default();
            let local = ["data:", "blob:", "chrome:", "chrome-extension:", "about:", "devtools:"];
            if !local.iter().any(|scheme| url.starts_with(scheme)) && !allowed.contains(&host) {
                faults.push(format!("request: {url}"));
            }
        }
        Ok(faults)
    }
}

impl Browser {
    /// The addresses that the page asked for since the last call, whether or not they were let out.
    ///
    /// # Errors
    /// When the driver does not answer.
    pub async fn requests(&self) -> anyhow::Result<Vec<String>> {
        let log = self.driver.get_log("performance").await?;
        Ok(log.iter().filter_map(|entry| requested_url(&entry.message)).collect())
    }

    /// The addresses that the page was answered from or failed to reach over the network since the last call:
    /// a request that the policy blocked never left.
    ///
    /// # Errors
    /// When the driver does not answer.
    pub async fn requests_that_left(&self) -> anyhow::Result<Vec<String>> {
        let mut asked = std::collections::HashMap::new();
        let mut left = Vec::new();
        for entry in self.driver.get_log("performance").await? {
            let Ok(event) = serde_json::from_str::<Value>(&entry.message) else { continue };
            let id = event
                .pointer("/message/params/requestId")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned();
            if let Some(url) = requested_url(&entry.message) {
                asked.insert(id, url);
                continue;
            }
            let method = event.pointer("/message/method").and_then(Value::as_str);
            let blocked = event.pointer("/message/params/blockedReason").is_some();
            let over = matches!(method, Some("Network.responseReceived" | "Network.loadingFailed"));
            if over
                && !blocked
                && let Some(url) = asked.remove(&id)
            {
                left.push(url);
            }
        }
        Ok(left)
    }
}

/// The address in a line of Chromium's performance log, when the line is about a request that starts.
fn requested_url(message: &str) -> Option<String> {
    let event: Value = serde_json::from_str(message).ok()?;
    let event = event.get("message")?;
    let params = event.get("params")?;
    let url = match event.get("method")?.as_str()? {
        "Network.requestWillBeSent" => params.pointer("/request/url"),
        "Network.webSocketCreated" => params.get("url"),
        _ => None,
    };
    url?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::requested_url;

    #[test]
    fn only_lines_about_requests_hold_an_address() {
        let request =
            r#"{"message":{"method":"Network.requestWillBeSent","params":{"request":{"url":"http://a/"}}}}"#;
        let socket = r#"{"message":{"method":"Network.webSocketCreated","params":{"url":"ws://a/ws"}}}"#;
        let other = r#"{"message":{"method":"Network.dataReceived","params":{"url":"http://a/"}}}"#;
        assert_eq!(requested_url(request).as_deref(), Some("http://a/"));
        assert_eq!(requested_url(socket).as_deref(), Some("ws://a/ws"));
        assert_eq!(requested_url(other), None);
        assert_eq!(requested_url("not json"), None);
    }
}
