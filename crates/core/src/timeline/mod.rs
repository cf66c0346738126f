//! What a chat shows, made from frames: frames in, items and changes out. Pure.
//!
//! One `Timeline` is one chat; which chat a frame belongs to is the caller's business.

mod activity;
mod answers;
mod apply;
mod burst;
mod held;
pub mod item;
mod notices;
mod older;
mod remarks;
mod rows;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod tools;
mod turn;
mod user;

pub use activity::{Activity, Glimpse};
pub use apply::Timeline;
pub use item::{
    Answer, Ask, Change, FileItem, Item, ItemKey, ItemKind, Notice, Pending, Phase, Tool, ToolState,
    TurnFooter, UserMessage,
};
