//! `cargo xtask bench`: measures, and prints a table.

use std::{path::Path, time::Duration};

use load::{
    bytes,
    crowd::{self, Crowd},
    history,
    process::{self, Adapter},
    report::{Report, Spread, ms},
    script::Stream,
    socket::Takes,
};

/// The answer of which the cost is counted.
const ANSWER: usize = 100_000;
const STEP: usize = 24;
/// Hermes edits a message about every so often.
const TICK: Duration = Duration::from_millis(50);
/// Messages of the long chat, and how many frames of its end a page asks for.
const MESSAGES: usize = 15_000;
const PAGE: u32 = 400;
const TIMES: usize = 20;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["serve", data] => process::serve(Path::new(data)).await,
        [] => measure().await,
        _ => anyhow::bail!("bench takes no words"),
    }
}

async fn measure() -> anyhow::Result<()> {
    let mut report = Report::default();
    wire(&mut report).await?;
    many(&mut report).await?;
    long(&mut report).await?;
    println!("\n{report}");
    Ok(())
}

/// (a) What a long answer costs on the wire.
async fn wire(report: &mut Report) -> anyhow::Result<()> {
    println!("The wire: 100 kB in steps of {STEP} characters");
    let steps = ANSWER / STEP;
    let whole = STEP * steps * (steps + 1) / 2;
    let figure = format!("{} × the text, {whole} bytes", whole / ANSWER);
    report.add("computed: every step told at once, as all of the text so far", figure);
    let data = tempfile::tempdir()?;
    let adapter = Adapter::start(data.path()).await?;
    for (name, pause, size) in [
        ("as fast as it can", Duration::ZERO, ANSWER),
        ("at Hermes' pace, its first 10 kB", TICK, ANSWER / 10),
    ] {
        for (kind, takes) in [
            ("with continuations", Takes::Continuations),
            ("with append alone", Takes::Appends),
            ("without", Takes::Whole),
        ] {
            let cost = bytes::answer(&adapter.address, size, STEP, pause, takes).await?;
            let figure =
                format!("{:.2} × the text, {} bytes in {} frames", cost.ratio(), cost.wire, cost.frames);
            report.add(format!("wire, {name}, {kind}"), figure);
        }
    }
    adapter.stop().await
}

/// (b) Many devices, some of which hardly read.
async fn many(report: &mut Report) -> anyhow::Result<()> {
    println!("500 sockets on one streaming chat");
    let stream = Stream { base: 50_000, steps: 300, step: STEP, pause: TICK };
    let mut medians = Vec::new();
    for (name, crowd) in [
        ("all read", Crowd { quick: 500, slow: 0, deaf: 0 }),
        ("30 hardly read", Crowd { quick: 470, slow: 15, deaf: 15 }),
    ] {
        let data = tempfile::tempdir()?;
        let adapter = Adapter::start(data.path()).await?;
        let spread = crowd::latency(&adapter.address, crowd, stream).await?;
        report.add(format!("call to socket, {name}"), spread.to_string());
        report.add(format!("memory of the adapter, {name}"), format!("{:.1} MB", adapter.peak_memory()?));
        medians.push(spread);
        adapter.stop().await?;
    }
    if let [all, some] = medians.as_slice() {
        let ratio = |a: Duration, b: Duration| format!("{:.2}", a.as_secs_f64() / b.as_secs_f64().max(1e-9));
        report.add("slow readers, median against none", ratio(some.median, all.median));
        report.add("slow readers, p99 against none", ratio(some.p99, all.p99));
    }
    Ok(())
}

/// (c) A long chat, from disk, while another streams.
async fn long(report: &mut Report) -> anyhow::Result<()> {
    println!("A chat of {MESSAGES} messages");
    let data = tempfile::tempdir()?;
    let adapter = Adapter::start(data.path()).await?;
    let chat = history::write(&adapter.address, MESSAGES).await?;
    adapter.stop().await?;
    let adapter = Adapter::start(data.path()).await?;
    let stream = Stream { base: 1000, steps: 4000, step: STEP, pause: TICK };
    for (name, limit, times) in [("its end", Some(PAGE), TIMES), ("all of it", None, 3)] {
        let opened = history::open(&adapter.address, &chat, limit, times, stream).await?;
        let took = |one: &history::Opened| u64::try_from(one.took.as_micros()).unwrap_or(u64::MAX);
        let spread = Spread::of(opened.iter().map(took).collect());
        let bytes = opened.first().map_or(0, |one| one.bytes);
        report.add(
            format!("opening {MESSAGES} messages, {name}"),
            format!("median {}, longest {}, {bytes} bytes", ms(spread.median), ms(spread.longest)),
        );
    }
    report.add("memory of the adapter, long chat", format!("{:.1} MB", adapter.peak_memory()?));
    adapter.stop().await
}
