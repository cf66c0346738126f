//! The search for any of a set of bytes that comrak asks for: a table and a loop.
//!
//! memchr-n itself chooses among a dozen kernels by what is in the set and by what the processor offers. Compiled for a
//! browser that is 12 kB of code to find the ends of lines a little sooner, in answers of a few kilobytes.

/// Searches for bytes of a fixed set.
#[derive(Clone, Debug)]
pub struct MemchrN {
    members: [bool; 256],
}

impl MemchrN {
    /// A searcher for the values in `bytes`.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        let mut members = [false; 256];
        for &byte in bytes {
            if let Some(member) = members.get_mut(usize::from(byte)) {
                *member = true;
            }
        }
        Self { members }
    }

    /// Where the first of them is in `haystack`.
    #[must_use]
    pub fn find(&self, haystack: &[u8]) -> Option<usize> {
        haystack.iter().position(|&byte| self.members.get(usize::from(byte)) == Some(&true))
    }

    /// Where all of them are in `haystack`.
    #[must_use]
    pub fn iter<'a>(&'a self, haystack: &'a [u8]) -> Iter<'a> {
        Iter { finder: self, haystack, at: 0 }
    }
}

/// The places in a haystack, first to last.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    finder: &'a MemchrN,
    haystack: &'a [u8],
    at: usize,
}

impl Iter<'_> {
    /// Leaves out what comes before `index`. Never goes back.
    pub fn advance_to(&mut self, index: usize) {
        self.at = self.at.max(index);
    }
}

impl Iterator for Iter<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let found = self.at + self.finder.find(self.haystack.get(self.at..)?)?;
        self.at = found + 1;
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(set: &[u8], haystack: &[u8], expected: &[usize]) {
        let finder = MemchrN::new(set);
        assert_eq!(finder.iter(haystack).collect::<Vec<_>>(), expected, "{set:?} in {haystack:?}");
        assert_eq!(finder.find(haystack), expected.first().copied(), "{set:?} in {haystack:?}");
    }

    #[test]
    fn every_byte_of_the_set_is_found_and_no_other() {
        check(b"\r\n", b"one\r\ntwo\n", &[3, 4, 8]);
        check(b"", b"one", &[]);
        check(b"`", b"", &[]);
        check(&[0, 255], &[255, 1, 0, 254], &[0, 2]);
    }

    #[test]
    fn advancing_skips_and_never_goes_back() {
        let finder = MemchrN::new(b"aeiou");
        let mut matches = finder.iter(b"hello world");
        assert_eq!(matches.next(), Some(1));
        matches.advance_to(4);
        assert_eq!(matches.next(), Some(4));
        matches.advance_to(1);
        assert_eq!(matches.next(), Some(7));
        matches.advance_to(99);
        assert_eq!(matches.next(), None);
        matches.advance_to(0);
        assert_eq!(matches.next(), None);
    }
}
