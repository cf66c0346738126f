//! A small part of the chaos, with fixed seeds, as ordinary tests.

use chaos::{
    run::{self, Kind},
    world::{Behind, World},
};

const SEED: u64 = 20_261_130;

async fn check(kind: Kind, behind: Behind, runs: u64) -> anyhow::Result<()> {
    let mut world = World::start(behind).await?;
    for number in 0..runs {
        let (outcome, result) = run::run(&mut world, kind, SEED, number).await;
        result.map_err(|error| error.context(format!("run {number}:\n{}", outcome.log.join("\n"))))?;
        assert!(outcome.messages > 1, "run {number} said too little to show anything");
    }
    world.done();
    Ok(())
}

#[tokio::test]
async fn an_adapter_that_is_killed_loses_and_doubles_nothing() -> anyhow::Result<()> {
    check(Kind::Adapter, Behind::Demo, 6).await
}

#[tokio::test]
async fn a_socket_that_is_cut_loses_and_doubles_nothing() -> anyhow::Result<()> {
    check(Kind::Socket, Behind::Demo, 6).await
}

#[tokio::test]
async fn an_adapter_that_is_killed_with_its_hermes_loses_and_doubles_nothing() -> anyhow::Result<()> {
    check(Kind::Adapter, Behind::Cli, 1).await
}

#[tokio::test]
async fn a_gateway_that_goes_on_without_its_adapter_is_told_to_the_end() -> anyhow::Result<()> {
    check(Kind::Adapter, Behind::Gateway, 2).await
}

#[tokio::test]
async fn a_gateway_that_is_killed_loses_and_doubles_nothing() -> anyhow::Result<()> {
    check(Kind::Gateway, Behind::Gateway, 2).await
}
