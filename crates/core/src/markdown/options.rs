//! The dialect: every comrak option that differs from its default, in one place.
//!
//! Each extension here closes over its own block, so that a settled block stays settled; of footnotes that is true as
//! `footnotes` has them read. Front matter, description lists, greentext and heading ids do not, and stay off.

use comrak::Options;
use comrak::options::BrokenLinkCallback;
use std::sync::Arc;

/// CommonMark with GitHub's tables, strikethrough, autolinks, task lists, alerts, footnotes and formulas.
///
/// A line end is a hard break, which `tree` decides; HTML is never passed through, which `tree` decides too.
pub(super) fn options<'c>(resolver: Arc<dyn BrokenLinkCallback + 'c>) -> Options<'c> {
    let mut options = Options::default();
    let extension = &mut options.extension;
    extension.table = true;
    extension.strikethrough = true;
    extension.autolink = true;
    extension.tasklist = true;
    extension.alerts = true;
    // `$…$`, `$$…$$`, `\(…\)` and `\[…\]` are inlines here, so they close over their block as emphasis does.
    extension.math_dollars = true;
    extension.math_latex = true;
    // Without it `**強調。**次` is not strong: there is no space to flank the stars.
    extension.cjk_friendly_emphasis = true;
    extension.footnotes = true;
    options.parse.leave_footnote_definitions = true;
    options.render.hardbreaks = true;
    options.parse.broken_link_callback = Some(resolver);
    options
}
