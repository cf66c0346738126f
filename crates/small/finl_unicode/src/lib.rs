//! The Unicode categories of characters that comrak asks for; emphasis depends on where punctuation and symbols are.
//!
//! finl_unicode itself finds the category of any character at once, by way of 46 kB of pages. Here each question has a list
//! of lengths of its own, and what nobody asks is left out of the program. `crates/small/tables` writes them, from
//! finl_unicode.

mod tables;

/// What comrak imports.
pub mod categories {
    use crate::tables;

    /// Questions about a character's category.
    #[expect(clippy::wrong_self_convention, reason = "the names are finl_unicode's")]
    pub trait CharacterCategories {
        /// Whether it is a letter (L).
        fn is_letter(self) -> bool;
        /// Whether it is a mark (M).
        fn is_mark(self) -> bool;
        /// Whether it is a number (N).
        fn is_number(self) -> bool;
        /// Whether it is punctuation (P).
        fn is_punctuation(self) -> bool;
        /// Whether it is punctuation that connects (Pc).
        fn is_punctuation_connector(self) -> bool;
        /// Whether it is a symbol (S).
        fn is_symbol(self) -> bool;
    }

    impl CharacterCategories for char {
        fn is_letter(self) -> bool {
            is_in(tables::LETTERS, self)
        }

        fn is_mark(self) -> bool {
            is_in(tables::MARKS, self)
        }

        fn is_number(self) -> bool {
            is_in(tables::NUMBERS, self)
        }

        fn is_punctuation(self) -> bool {
            is_in(tables::PUNCTUATION, self)
        }

        fn is_punctuation_connector(self) -> bool {
            is_in(tables::CONNECTORS, self)
        }

        fn is_symbol(self) -> bool {
            is_in(tables::SYMBOLS, self)
        }
    }

    /// The table has how many characters in a row are outside, then inside, then outside, and so on. What comes first is soon
    /// found, and that is most of any text.
    fn is_in(lengths: &[u16], c: char) -> bool {
        let (mut rest, mut inside) = (u32::from(c), false);
        for &length in lengths {
            match rest.checked_sub(length.into()) {
                Some(less) => rest = less,
                None => return inside,
            }
            inside = !inside;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{categories::CharacterCategories, tables};

    fn check(is: fn(char) -> bool, sum: u64, yes: &[char], no: &[char]) {
        let answers = ('\0'..=char::MAX).map(|c| u64::from(is(c)));
        let actual = answers
            .fold(0xcbf2_9ce4_8422_2325, |sum: u64, answer| (sum ^ answer).wrapping_mul(0x0100_0000_01b3));
        assert_eq!(actual, sum);
        assert!(yes.iter().all(|&c| is(c)) && !no.iter().any(|&c| is(c)));
    }

    #[test]
    fn every_character_is_what_finl_unicode_says() {
        check(char::is_letter, tables::LETTERS_SUM, &['a', 'ß', '日'], &['1', '_', '\u{301}']);
        check(char::is_mark, tables::MARKS_SUM, &['\u{301}', '\u{e0100}'], &['a', '´']);
        check(char::is_number, tables::NUMBERS_SUM, &['0', '½', 'Ⅷ'], &['a', '.']);
        check(char::is_punctuation, tables::PUNCTUATION_SUM, &['!', '_', '。', '«'], &['$', 'a']);
        check(char::is_punctuation_connector, tables::CONNECTORS_SUM, &['_', '‿'], &['-', 'a']);
        check(char::is_symbol, tables::SYMBOLS_SUM, &['$', '+', '€', '😀'], &['!', 'a', char::MAX]);
    }
}
