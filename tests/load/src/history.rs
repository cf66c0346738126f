//! A long chat, opened while another streams.

use std::time::{Duration, Instant};

use iris_core::{ids::ChatId, protocol::frame::ServerFrame};

use crate::{
    process::Address,
    script::{Script, Stream},
    socket::{Manner, Socket, Takes},
};

const DEVICE: Manner = Manner { takes: Takes::Continuations, buffer: None };

/// What opening a chat took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opened {
    /// From asking to the end of the sync.
    pub took: Duration,
    /// What came.
    pub bytes: u64,
}

/// Makes a chat of so many messages, through the hub and into its journal.
///
/// # Errors
/// When the adapter does not do as it is asked.
pub async fn write(address: &Address, messages: usize) -> anyhow::Result<ChatId> {
    let mut device = Socket::connect(address, DEVICE).await?;
    let chat = device.new_chat().await?;
    device.subscribe(&chat, None).await?;
    device.send(&chat, Script::History { messages }.text()).await?;
    let last = format!("Question {}:", messages / 2);
    device
        .until(|frame| matches!(frame, ServerFrame::UserMessage { text, .. } if text.starts_with(&last)))
        .await?;
    device.until(|frame| matches!(frame, ServerFrame::TurnEnd { .. })).await?;
    Ok(chat)
}

/// Opens the chat on a fresh device, several times, while another chat streams.
///
/// # Errors
/// When the adapter does not do as it is asked.
pub async fn open(
    address: &Address,
    chat: &ChatId,
    limit: Option<u32>,
    times: usize,
    stream: Stream,
) -> anyhow::Result<Vec<Opened>> {
    let mut other = Socket::connect(address, DEVICE).await?;
    let busy = other.new_chat().await?;
    other.subscribe(&busy, None).await?;
    other.send(&busy, Script::Stream(stream).text()).await?;
    other.until(|frame| matches!(frame, ServerFrame::MessageStart { .. })).await?;
    let streaming = tokio::spawn(async move {
        other.until(|frame| matches!(frame, ServerFrame::TurnEnd { .. })).await.map(drop)
    });
    let mut opened = Vec::new();
    for _ in 0..times {
        let mut device = Socket::connect(address, DEVICE).await?;
        let (before, begun) = (device.received(), Instant::now());
        device.subscribe(chat, limit).await?;
        opened.push(Opened { took: begun.elapsed(), bytes: device.received() - before });
    }
    anyhow::ensure!(!streaming.is_finished(), "the other chat was done too soon");
    streaming.abort();
    Ok(opened)
}
