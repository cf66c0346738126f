//! Points in time, as people say them (`2h`, `2026-11-30`) and read them. Everything is UTC: a server's table means the same
//! wherever it is read.

use anyhow::bail;

const DAY_MS: u64 = 86_400_000;

/// Reads a point in time, milliseconds since 1970: so long before `now_ms` (`30m`, `2h`, `7d`), or a day (`2026-11-30`).
pub(super) fn read(text: &str, now_ms: u64) -> anyhow::Result<u64> {
    if let Some(ms) = ago(text) {
        return Ok(now_ms.saturating_sub(ms));
    }
    match day(text) {
        Some(ms) => Ok(ms),
        None => bail!("`{text}` is no time: say how long ago (30m, 2h, 7d), or a day (2026-11-30)"),
    }
}

fn ago(text: &str) -> Option<u64> {
    let unit = match text.chars().next_back()? {
        'm' => 60_000,
        'h' => 3_600_000,
        'd' => DAY_MS,
        _ => return None,
    };
    let count = text.get(..text.len().checked_sub(1)?)?;
    count.parse::<u64>().ok()?.checked_mul(unit)
}

fn day(text: &str) -> Option<u64> {
    let mut parts = text.splitn(3, '-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1970..=9_999).contains(&year) || !(1..=12).contains(&month) || day < 1 || day > days_in(year, month)
    {
        return None;
    }
    let years: u64 = (1970..year).map(days_of).sum();
    let months: u64 = (1..month).map(|month| days_in(year, month)).sum();
    Some((years + months + day - 1) * DAY_MS)
}

fn days_of(year: u64) -> u64 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    if leap { 366 } else { 365 }
}

fn days_in(year: u64, month: u64) -> u64 {
    match month {
        2 => days_of(year) - 337,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// `2026-11-30 10:58:33`.
pub(super) fn utc(ms: u64) -> String {
    // Whoever kept something later than this did not keep a time.
    let (mut days, rest) = ((ms / DAY_MS).min(2_932_896), ms % DAY_MS / 1_000);
    let mut year = 1970;
    while days >= days_of(year) {
        days -= days_of(year);
        year += 1;
    }
    let mut month = 1;
    while days >= days_in(year, month) {
        days -= days_in(year, month);
        month += 1;
    }
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{:02} {hour:02}:{minute:02}:{second:02}", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        let now = 1_796_036_313_565;
        for (text, ms) in [
            ("30m", now - 1_800_000),
            ("2h", now - 7_200_000),
            ("7d", now - 604_800_000),
            ("1970-01-01", 0),
            ("2024-02-29", 1_709_164_800_000),
            ("2026-11-30", 1_795_996_800_000),
            ("99999999d", 0),
        ] {
            assert_eq!(read(text, now).unwrap(), ms, "{text}");
        }
        for text in ["", "h", "2", "-1h", "2026-02-29", "2026-13-01", "2026-11", "yesterday", "é"] {
            let error = read(text, now).unwrap_err().to_string();
            assert!(error.contains("is no time"), "{text}: {error}");
        }
    }

    #[test]
    fn times_are_written() {
        for (ms, text) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_399_999, "2000-02-28 23:59:59"),
            (951_782_400_000, "2000-02-29 00:00:00"),
            (1_796_036_313_565, "2026-11-30 10:58:33"),
        ] {
            assert_eq!(utc(ms), text);
        }
        assert!(utc(u64::MAX).starts_with("9999-12-31"));
    }
}
