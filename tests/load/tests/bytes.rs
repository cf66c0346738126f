//! What must hold of the cost of an answer. Bytes, not times: they are the same on every machine.

use std::time::Duration;

use load::{bytes, process, socket::Takes};

/// An answer as long as the longest that people read, in the steps in which models say them.
const ANSWER: usize = 100_000;
const STEP: usize = 24;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_append_a_long_answer_costs_little_more_than_its_text() -> anyhow::Result<()> {
    let data = tempfile::tempdir()?;
    let (server, address) = process::here(data.path()).await?;
    let cost = bytes::answer(&address, ANSWER, STEP, Duration::ZERO, Takes::Continuations).await?;
    println!("{cost:?}: {:.2} times the text", cost.ratio());
    assert!(cost.ratio() <= 1.3, "{cost:?}");
    server.stop().await?;
    Ok(())
}

/// The pace at which every step is a message of its own, which is Hermes' own, but quicker.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_it_does_when_every_step_is_told_by_itself() -> anyhow::Result<()> {
    let (data, pause) = (tempfile::tempdir()?, Duration::from_micros(500));
    let (server, address) = process::here_with(data.path(), Duration::ZERO).await?;
    let cost = bytes::answer(&address, ANSWER, STEP, pause, Takes::Continuations).await?;
    let appends = bytes::answer(&address, ANSWER, STEP, pause, Takes::Appends).await?;
    for (name, cost) in [("continuations", cost), ("appends", appends)] {
        println!("{name}: {cost:?}: {:.2} times the text", cost.ratio());
        assert!(cost.frames > 4_000, "steps were told together: {cost:?}");
    }
    assert!(cost.ratio() <= 1.3, "{cost:?}");
    assert!(appends.ratio() > 4.0, "the envelope is no longer than that: {appends:?}");
    server.stop().await?;
    Ok(())
}
