//! What components take from the page around them, one hook a file. Each cleans up with the owner that called it.

mod device_name;
mod use_media_query;
mod use_now;
mod use_stored_draft;
mod use_stored_settings;
mod use_theme;
mod use_title;
mod use_visual_viewport;

pub use device_name::{device_name, named};
pub use use_media_query::use_media_query;
pub use use_now::{provide_now, provide_time, use_now};
pub use use_stored_draft::use_stored_draft;
pub use use_stored_settings::use_stored_settings;
pub use use_theme::use_theme;
pub use use_title::use_title;
pub use use_visual_viewport::use_visual_viewport;
