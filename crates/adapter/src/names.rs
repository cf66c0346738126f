//! Names that others chose, made fit to be shown: of devices and of files.

/// One line without control characters and without the invisible ones that turn text around, at most `max` characters.
pub(crate) fn plain(name: &str, max: usize) -> String {
    let shown: String = name.chars().filter(|c| !c.is_control() && !is_invisible(*c)).collect();
    let short: String = shown.trim().chars().take(max).collect();
    short.trim_end().to_owned()
}

/// Zero-width marks, directions of writing, and the tag characters in which text can hide.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_visible_line() {
        for (name, expected) in [
            ("My phone", "My phone"),
            ("  Jürgens Telefon\n", "Jürgens Telefon"),
            ("gnp.\u{202e}exe", "gnp.exe"),
            ("a\0b\u{1b}[2Jc\u{e0041}", "ab[2Jc"),
            ("\u{200b}\u{feff}", ""),
            ("A name with a gap at the end", "A name with a g"),
            ("A name that is cut", "A name that is"),
        ] {
            assert_eq!(plain(name, 15), expected, "{name:?}");
        }
    }
}
