//! A QR code for a terminal: two modules a character, in colours of its own, so that it can be read on a dark terminal
//! and on a light one.

use qrcode::{Color, EcLevel, QrCode, types::QrError};

/// Empty modules around it, which cameras need.
const QUIET: usize = 4;
/// Black on white, whatever the terminal's own colours are.
const COLOURS: &str = "\x1b[38;5;16;48;5;231m";
const RESET: &str = "\x1b[0m";

/// Draws `text`, a line of characters for every two lines of modules.
pub(crate) fn draw(text: &str) -> Result<String, QrError> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L)?;
    let width = code.width();
    let colours = code.to_colors();
    let is_dark = |x: usize, y: usize| {
        let inside = |at: usize| at.checked_sub(QUIET).filter(|at| *at < width);
        let at = inside(x).zip(inside(y)).map(|(x, y)| y * width + x);
        at.and_then(|at| colours.get(at)).is_some_and(|colour| *colour == Color::Dark)
    };
    let side = width + 2 * QUIET;
    let lines = (0..side).step_by(2).map(|y| {
        let line: String = (0..side).map(|x| half_blocks(is_dark(x, y), is_dark(x, y + 1))).collect();
        format!("{COLOURS}{line}{RESET}\n")
    });
    Ok(lines.collect())
}

fn half_blocks(upper: bool, lower: bool) -> char {
    match (upper, lower) {
        (true, true) => '█',
        (true, false) => '▀',
        (false, true) => '▄',
        (false, false) => ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_is_drawn_where_it_belongs() {
        let text = format!("https://iris.example/#pair={}", "0123456789abcdef".repeat(4));
        let drawn = draw(&text).unwrap();
        let rows: Vec<(String, String)> = drawn
            .lines()
            .map(|line| {
                let blocks = line.strip_prefix(COLOURS).unwrap().strip_suffix(RESET).unwrap();
                let half = |dark: [char; 2]| {
                    blocks.chars().map(|c| if c == '█' || dark.contains(&c) { '#' } else { '.' }).collect()
                };
                (half(['▀', '▀']), half(['▄', '▄']))
            })
            .collect();
        let modules: Vec<String> = rows.into_iter().flat_map(|(upper, lower)| [upper, lower]).collect();
        let code = QrCode::with_error_correction_level(&text, EcLevel::L).unwrap();
        let expected = code.to_debug_str('#', '.');
        for (drawn, expected) in modules[QUIET..].iter().zip(expected.lines()) {
            let quiet = ".".repeat(QUIET);
            assert_eq!(*drawn, format!("{quiet}{expected}{quiet}"));
        }
        assert!(modules[..QUIET].iter().all(|row| !row.contains('#')));
        assert!(code.width() <= 45, "it fits on a terminal of 80 characters");
    }
}
