//! `POST pair`, as the app does it.

use anyhow::Context;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// The token for the device that shows this code.
pub(crate) async fn token(port: u16, code: &str, name: &str) -> anyhow::Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let body = json!({"code": code, "name": name}).to_string();
    let head = format!(
        "POST /pair HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").context("half an answer")?;
    anyhow::ensure!(head.starts_with("HTTP/1.1 200 "), "pairing failed: {answer}");
    let body: Value = serde_json::from_str(body)?;
    Ok(body.get("token").and_then(Value::as_str).context("no token")?.to_owned())
}
