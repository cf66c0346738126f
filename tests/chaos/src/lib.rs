//! Kills the adapter, cuts sockets and kills Hermes' gateway at random moments of a turn, and looks afterwards whether
//! every acknowledged message is there once, in order, on every device, and whether anything is left running.
//!
//! Everything is real: processes, sockets, the journal on disk. Devices follow the app's rules, by the app's own code
//! (`iris_core`). Moments are drawn from a seed, so that a failure can be tried again; what the machine does between two
//! moments is its own business.

pub mod adapter;
pub mod check;
pub mod device;
mod model;
mod pairing;
pub mod proxy;
pub mod report;
pub mod run;
pub mod script;
pub mod world;

pub use device::Device;
pub use run::Kind;
pub use world::{Behind, World};
