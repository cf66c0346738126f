//! Waiting for a condition, never for a time. A wait that fails says what it waited for.

use std::future::Future;
use std::time::{Duration, Instant};

/// How long anything may take before a test gives up: long, since the machine may be busy.
pub const PATIENCE: Duration = Duration::from_secs(45);

/// Asks until the answer is `Some`.
///
/// # Errors
/// When `PATIENCE` is over; the message names `what` and the last error.
pub async fn until<T, F, Fut>(what: &str, mut ask: F) -> anyhow::Result<T>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = anyhow::Result<Option<T>>>,
{
    let start = Instant::now();
    let mut last = String::new();
    while start.elapsed() < PATIENCE {
        match ask().await {
            Ok(Some(value)) => return Ok(value),
            Ok(None) => last.clear(),
            Err(error) => last = format!(" (last error: {error:#})"),
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    anyhow::bail!("waited {} s for {what}, in vain{last}", PATIENCE.as_secs())
}
