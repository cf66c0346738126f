//! A better place to cut: nothing that later text would turn into something else is shown in half.
//!
//! A pace knows nothing of Markdown, and would show a paragraph as a heading because the `-` below it has arrived and
//! the space after it has not. Here the end of what the pace allows is looked at as Markdown: if it lies inside of a
//! [`Unit`], none of the unit is shown before all of it can be. Only the cut moves; the text is never repaired.
//!
//! What a unit is, is a guess from the line it stands in: too long a wait for what turns out to be plain text, or a
//! flash, is all that a wrong guess costs. It reads the last line and a bounded stretch of what follows.
//! How long something may be held is not decided here (that is `clock`), what is shown never depends on it
//! (that is `markdown`).

mod inline;
mod line;

use super::boundary::floor;
use super::open::Open;
use crate::graphemes;
use inline::Piece;
use line::View;

/// How far a unit may reach beyond the cut, bytes: the address of a link, a header row and the row below it.
const AHEAD: usize = 512;
/// How much of a long line before the cut is read for what began there.
const BACK: usize = 512;

/// Text that is shown as a whole or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// The byte of the target at which it begins.
    pub start: usize,
    /// Where it ends; `None` when its end has not arrived.
    pub end: Option<usize>,
}

/// What is known about the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'t> {
    /// All text so far.
    pub target: &'t str,
    /// More of it will come.
    pub grows: bool,
    /// How many bytes of it are shown.
    pub shown: usize,
    /// What is open at the end of what is shown.
    pub open: Open,
}

/// Where a line begins, or the part of it that is read.
#[derive(Clone, Copy, Debug)]
struct Start {
    at: usize,
    /// It is the beginning of the line.
    fresh: bool,
    /// What is open there.
    open: Open,
}

impl Place<'_> {
    /// The unit that a cut at `at` would part, if it has not begun to be shown.
    pub(super) fn parted_by(&self, at: usize) -> Option<Unit> {
        if at <= self.shown || (at >= self.target.len() && !self.grows) {
            return None;
        }
        let mut line = self.line_of_shown();
        while let Some((text, _)) = self.target.get(line.at..at).and_then(|rest| rest.split_once('\n')) {
            let hidden = line.at >= self.shown;
            let near = hidden && at - line.at <= BACK;
            if let Some(unit) = near.then(|| self.unit_in(line, at)).flatten() {
                return Some(unit);
            }
            // Of a line that is shown in part, `open` knows already.
            let open = if hidden { line.open.after(text) } else { line.open };
            line = Start { at: line.at + text.len() + 1, fresh: true, open };
        }
        let read = line.at.max(floor(self.target, at.saturating_sub(BACK)));
        self.unit_in(Start { at: read, fresh: line.fresh && read == line.at, ..line }, at)
    }

    /// Where the line begins that is shown in part, or of which nothing is shown yet.
    fn line_of_shown(&self) -> Start {
        let back = floor(self.target, self.shown.saturating_sub(BACK));
        let line_end = self.target.get(back..self.shown).and_then(|before| before.rfind('\n'));
        let at = line_end.map_or(back, |found| back + found + 1);
        let ended = at == self.shown && self.target.get(..at).is_some_and(|text| text.ends_with("\n\n"));
        let open = if ended { self.open.after("") } else { self.open };
        Start { at, fresh: at == 0 || line_end.is_some(), open }
    }

    fn unit_in(&self, line: Start, at: usize) -> Option<Unit> {
        let limit = floor(self.target, at.saturating_add(AHEAD));
        let view = View {
            known: self.target.get(line.at..limit)?,
            grows: self.grows && limit == self.target.len(),
            table: line.open == Open::Table,
        };
        let shown = self.shown.saturating_sub(line.at);
        let unit = view.unit_at(at - line.at, shown, line)?;
        let unit = Unit { start: line.at + unit.start, end: unit.end.map(|end| line.at + end) };
        is_boundary(self.target, unit.start).then_some(unit)
    }
}

impl View<'_> {
    /// The unit around a place that begins in the first line, of those that begin where nothing is shown yet; in bytes of the line.
    fn unit_at(&self, at: usize, shown: usize, start: Start) -> Option<Unit> {
        let (mut reached, mut piece) = match (start.open, start.fresh) {
            (Open::Code, false) => return None,
            (Open::Code, true) => (0, self.fence_end()),
            (_, true) => self.beginning(),
            (_, false) => (0, Piece::Text(0)),
        };
        let mut begun = false;
        loop {
            let hidden = reached >= shown;
            match piece {
                Piece::Open if hidden => return Some(Unit { start: reached, end: None }),
                Piece::Whole(length) if reached + length > at => {
                    return hidden.then_some(Unit { start: reached, end: Some(reached + length) });
                }
                Piece::Whole(length) | Piece::Text(length) => reached += length,
                // It was held long enough. After the marks of a line, the line itself is read from the same place.
                Piece::Open if begun => {
                    reached += inline::run(self.line().get(reached..).unwrap_or_default())
                }
                Piece::Open => {}
            }
            if reached >= at.min(self.line().len()) || start.open == Open::Code {
                return None;
            }
            piece = inline::piece(self.line(), reached, self.line_grows());
            begun = true;
        }
    }
}

/// Whether a character as a reader sees it may end before this byte of ASCII. Only what is right before it can tell.
fn is_boundary(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back()).map_or(0, char::len_utf8);
    let next = text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let pair = text.get(at - before..at + next).unwrap_or_default();
    before == 0 || graphemes::first(pair) == before
}

#[cfg(test)]
mod tests;
