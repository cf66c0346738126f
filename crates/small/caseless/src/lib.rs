//! Unicode's default case folding of a string, which decides whether two reference labels of Markdown are the same.
//!
//! The table of caseless itself has 16 bytes for each of 1,557 characters. Most of them are in rows, a distance from their
//! folded forms: that is 200 runs, a third of the size when compressed. `crates/small/tables` writes them, from caseless.

mod table;

/// Folds the case of every character.
#[must_use]
pub fn default_case_fold_str(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        match table::LONGER.binary_search_by_key(&c, |&(longer, _)| longer) {
            Ok(at) => folded.extend(table::LONGER.get(at).map(|&(_, text)| text)),
            Err(_) => folded.push(single(c)),
        }
    }
    folded
}

/// The folded form of a character that has one character for it.
fn single(c: char) -> char {
    let code = u32::from(c);
    let after = table::RUNS.partition_point(|&(first, ..)| first <= code);
    let Some(&(first, count, every, distance)) = after.checked_sub(1).and_then(|at| table::RUNS.get(at))
    else {
        return c;
    };
    let (from_first, every) = (code - first, u32::from(every));
    let is_in = from_first % every == 0 && from_first / every < u32::from(count);
    let folded = if is_in { code.checked_add_signed(distance).and_then(char::from_u32) } else { None };
    folded.unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(default_case_fold_str(text), expected, "{text}");
    }

    #[test]
    fn every_character_folds_as_with_caseless() {
        let folded =
            ('\0'..=char::MAX).flat_map(|c| default_case_fold_str(c.encode_utf8(&mut [0; 4])).into_bytes());
        let sum = folded.fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        assert_eq!(sum, table::SUM);
    }

    #[test]
    fn texts_are_folded_character_by_character() {
        check("", "");
        check("Grüße, STRAẞE", "grüsse, strasse");
        check("ΑΣΊΑΣ \u{390}", "ασίασ ι\u{308}\u{301}");
        check("Ꭰꭰ Ÿ 日本", "ᎠᎠ ÿ 日本");
    }
}
