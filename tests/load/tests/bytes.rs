//! What must hold of the cost of an answer. Bytes, not times: they are the same on every machine.

use std::time::Duration;

use load::{bytes, process};

/// An answer as long as the longest that people read, in the steps in which models say them.
const ANSWER: usize = 100_000;
const STEP: usize = 24;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_append_a_long_answer_costs_little_more_than_its_text() -> anyhow::Result<()> {
    let data = tempfile::tempdir()?;
    let (server, address) = process::here(data.path()).await?;
    let cost = bytes::answer(&address, ANSWER, STEP, Duration::ZERO, true).await?;
    println!("{cost:?}: {:.2} times the text", cost.ratio());
    assert!(cost.ratio() <= 1.3, "{cost:?}");
    server.stop().await?;
    Ok(())
}
