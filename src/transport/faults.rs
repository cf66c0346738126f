//! Counts what could not be read. One bad frame is skipped; a stream of nothing else is told to the reader, once.

/// So many unreadable messages in a row are a stream that cannot be read.
const HOPELESS: u32 = 5;

/// How reading goes.
#[derive(Default)]
pub(super) struct Faults {
    total: u32,
    row: u32,
}

impl Faults {
    /// A message was read.
    pub(super) fn readable(&mut self) {
        self.row = 0;
    }

    /// A message was not. True the one time that the reader should hear of it.
    pub(super) fn unreadable(&mut self) -> bool {
        self.total = self.total.saturating_add(1);
        self.row = self.row.saturating_add(1);
        self.row == HOPELESS
    }

    /// How many there were since the page opened.
    pub(super) fn total(&self) -> u32 {
        self.total
    }
}
