//! Whether the reader asked for less motion.

use web_sys::MediaQueryList;

thread_local! {
    /// The live query; `None` where there is no such thing.
    static REDUCED: Option<MediaQueryList> = web_sys::window()
        .and_then(|window| window.match_media("(prefers-reduced-motion: reduce)").ok().flatten());
}

/// Whether the reader asked for less motion, at this moment. Cheap enough to ask on every frame.
pub fn reduced() -> bool {
    REDUCED.with(|query| query.as_ref().is_some_and(MediaQueryList::matches))
}
