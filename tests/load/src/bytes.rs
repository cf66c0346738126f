//! What an answer costs on the wire.

use std::time::Duration;

use anyhow::Context;
use iris_core::protocol::frame::ServerFrame;

use crate::{
    process::Address,
    script::{Script, Stream},
    socket::{Manner, Socket, Takes},
};

/// What one answer cost one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Bytes of the answer's text.
    pub text: u64,
    /// Bytes that came over TCP from the turn's start to its end, with everything else that was said about it.
    pub wire: u64,
    /// Frames of it.
    pub frames: u64,
}

impl Cost {
    /// How many times the text.
    #[allow(clippy::cast_precision_loss, reason = "a ratio for people")]
    pub fn ratio(&self) -> f64 {
        self.wire as f64 / self.text as f64
    }
}

/// Streams an answer of `text` bytes in steps of `step` characters to a device that takes this of it.
///
/// # Errors
/// When the adapter does not do as it is asked, or the text arrives otherwise than it was said.
pub async fn answer(
    address: &Address,
    text: usize,
    step: usize,
    pause: Duration,
    takes: Takes,
) -> anyhow::Result<Cost> {
    let mut device = Socket::connect(address, Manner { takes, buffer: None }).await?;
    let chat = device.new_chat().await?;
    device.subscribe(&chat, None).await?;
    let before = device.received();
    let stream = Stream { base: 0, steps: text / step, step, pause };
    device.send(&chat, Script::Stream(stream).text()).await?;
    let (mut shown, mut frames) = (String::new(), 0);
    loop {
        let frame = device.next().await?.frame;
        frames += 1;
        match frame {
            ServerFrame::MessageUpdate { text, .. } => shown = text,
            ServerFrame::MessageAppend { at, text, .. } => {
                anyhow::ensure!(at == shown.len() as u64, "an append at {at} after {}", shown.len());
                shown.push_str(&text);
            }
            ServerFrame::MessageStop { final_text: Some(text), .. } => shown = text,
            ServerFrame::TurnEnd { .. } => break,
            _ => {}
        }
    }
    let said = stream.steps * step;
    anyhow::ensure!(shown.len().abs_diff(said) <= 1, "{} bytes of {said} arrived", shown.len());
    let text = u64::try_from(shown.len()).context("a long text")?;
    Ok(Cost { text, wire: device.received() - before, frames })
}
