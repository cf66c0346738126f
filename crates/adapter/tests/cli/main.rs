//! The command-line backend on its own line, as the hub has it: what becomes of whatever a `hermes` process does.
//! The processes are real, keeper and signals too; what Hermes itself would say is played by `hermes.sh`, from recordings
//! of the real one and from what no Hermes should ever say.

#![cfg(unix)]
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test stops where it is wrong, in its helpers too"
)]

mod ends;
mod hostile;
mod keeper;
mod order;
mod session;
mod stop;
mod support;
