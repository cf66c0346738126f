//! What a chat shows, made from frames: frames in, items and changes out. Pure.

pub mod item;

pub use item::{
    Answer, Ask, Change, Item, ItemKey, ItemKind, Notice, Phase, Tool, ToolState, TurnFooter, UserMessage,
};
