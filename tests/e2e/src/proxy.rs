//! A reverse proxy as somebody may have one: it serves the adapter below a path, takes that path off, and leaves every
//! header as it is.

use std::sync::Arc;

use anyhow::Context;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// The path below which the adapter is served.
const PATH: &str = "/iris";

/// A place for a proxy whose address is known before what it leads to.
pub struct Place {
    listener: TcpListener,
    port: u16,
}

/// A running proxy. Stops when dropped.
pub struct Proxy {
    task: JoinHandle<()>,
}

impl Place {
    /// Takes a free port.
    ///
    /// # Errors
    /// When there is none.
    pub async fn take() -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port })
    }

    /// The address of the app there.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}/", self.port)
    }

    /// Leads every connection to this address (`host:port`).
    pub fn lead_to(self, target: String) -> Proxy {
        let target = Arc::new(target);
        let task = tokio::spawn(async move {
            while let Ok((from, _)) = self.listener.accept().await {
                let target = Arc::clone(&target);
                // A connection that breaks is the browser's to notice.
                tokio::spawn(async move { pass_on(from, &target).await.ok() });
            }
        });
        Proxy { task }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// One request, or one WebSocket: only the first line is changed, so a connection carries no second request.
async fn pass_on(mut from: TcpStream, target: &str) -> anyhow::Result<()> {
    let mut head = Vec::new();
    while !head.windows(4).any(|four| four == b"\r\n\r\n") {
        anyhow::ensure!(from.read_buf(&mut head).await? > 0, "closed in the middle of the head");
    }
    let text = String::from_utf8_lossy(&head).into_owned();
    let Some(request) = below(&text) else {
        from.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await?;
        return Ok(());
    };
    let mut to = TcpStream::connect(target).await.context("the adapter is away")?;
    to.write_all(request.as_bytes()).await?;
    copy_bidirectional(&mut from, &mut to).await?;
    Ok(())
}

/// The request without the path; `None`: it is not below it.
fn below(request: &str) -> Option<String> {
    let (line, rest) = request.split_once("\r\n")?;
    let (method, path) = line.split_once(' ')?;
    let inner = path.strip_prefix(PATH).filter(|inner| inner.starts_with('/'))?;
    Some(format!(
        "{method} {inner}\r\n{}",
        rest.replace("Connection: keep-alive\r\n", "Connection: close\r\n")
    ))
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn only_the_path_is_taken_off() {
        let request =
            |path: &str| format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n");
        let expected = Some("GET /boot.js HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        assert_eq!(below(&request("/iris/boot.js")).as_deref(), expected);
        for outside in ["/boot.js", "/iris", "/irisx/boot.js", "/"] {
            assert_eq!(below(&request(outside)), None, "{outside}");
        }
    }
}
