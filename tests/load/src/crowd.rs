//! Many devices on one chat, of which some hardly read: how long a call of Hermes takes to the others.

use std::time::Duration;

use anyhow::Context;
use iris_core::ids::ChatId;
use serde::Deserialize;
use tokio::task::JoinSet;

use crate::{
    play::now_us,
    process::Address,
    report::Spread,
    script::{Script, Stream},
    socket::{Manner, Socket, Takes},
};

/// Who is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowd {
    /// Devices that read as fast as they can.
    pub quick: usize,
    /// Devices that read a frame now and then.
    pub slow: usize,
    /// Devices that never read.
    pub deaf: usize,
}

/// A slow device reads a frame so often.
const SLOW: Duration = Duration::from_millis(300);
/// What the system of a device that hardly reads takes in for it.
const SMALL: u32 = 4096;

/// What a reader looks at; the rest of a message is not decoded, so that the readers do not slow what is measured.
#[derive(Deserialize)]
#[serde(untagged)]
enum Glance<'a> {
    Continuation(String),
    Frame {
        #[serde(rename = "type")]
        kind: &'a str,
        #[serde(default)]
        text: String,
    },
}

/// Streams a text to all of them; from the call to each quick device, step by step.
///
/// # Errors
/// When a device is not let in, or does not see the turn's end.
pub async fn latency(address: &Address, crowd: Crowd, stream: Stream) -> anyhow::Result<Spread> {
    let quick = Manner { takes: Takes::Continuations, buffer: None };
    // Whole texts, into a small buffer: the adapter must notice soon that they do not read.
    let others = Manner { takes: Takes::Whole, buffer: Some(SMALL) };
    let mut sender = Socket::connect(address, quick).await?;
    let chat = sender.new_chat().await?;
    let mut readers = JoinSet::new();
    for _ in 0..crowd.quick {
        let device = listening(address, quick, &chat).await?;
        readers.spawn(read(device));
    }
    let mut bystanders = JoinSet::new();
    let mut deaf = Vec::new();
    for _ in 0..crowd.slow {
        bystanders.spawn(read_slowly(listening(address, others, &chat).await?));
    }
    for _ in 0..crowd.deaf {
        deaf.push(listening(address, others, &chat).await?);
    }
    sender.send(&chat, Script::Stream(stream).text()).await?;
    let mut times = Vec::new();
    while let Some(read) = readers.join_next().await {
        times.extend(read??);
    }
    bystanders.abort_all();
    Ok(Spread::of(times))
}

async fn listening(address: &Address, manner: Manner, chat: &ChatId) -> anyhow::Result<Socket> {
    let mut device = Socket::connect(address, manner).await?;
    device.subscribe(chat, None).await?;
    Ok(device)
}

/// Reads to the turn's end; how old every step was when it came.
async fn read(mut device: Socket) -> anyhow::Result<Vec<u64>> {
    let mut times = Vec::new();
    loop {
        let text = device.next_text().await?;
        let arrived = now_us();
        match serde_json::from_str(&text).context("a frame")? {
            Glance::Continuation(text) | Glance::Frame { kind: "message.append", text } => {
                times.extend(ages(&text, arrived));
            }
            Glance::Frame { kind: "turn.end", .. } => return Ok(times),
            Glance::Frame { .. } => {}
        }
    }
}

/// How long ago each step of a text was said: steps begin with the time.
fn ages(text: &str, arrived: u64) -> impl Iterator<Item = u64> {
    let stamps = text.split_whitespace().filter(|word| word.len() == 16).filter_map(|word| word.parse().ok());
    stamps.map(move |said: u64| arrived.saturating_sub(said))
}

async fn read_slowly(mut device: Socket) -> anyhow::Result<()> {
    loop {
        device.next_text().await?;
        tokio::time::sleep(SLOW).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_of_an_append_has_an_age() {
        let text = "1796052386281000 and so 1796052386281500 and so ";
        assert_eq!(ages(text, 1_796_052_386_282_000).collect::<Vec<_>>(), [1000, 500]);
        assert_eq!(ages("no stamp", 5).count(), 0);
    }
}
