//! What a file is, found by looking at its first bytes and never by its name; and how it may be shown.

/// Bytes that are looked at.
pub(crate) const HEAD: usize = 8192;

const TEXT: &str = "text/plain";
const UNKNOWN: &str = "application/octet-stream";

/// The media type of a file that begins with `head`; `more`: it goes on after that.
pub(crate) fn of(head: &[u8], more: bool) -> &'static str {
    match infer::get(head) {
        Some(kind) => kind.mime_type(),
        None if is_text(head, more) => TEXT,
        None => UNKNOWN,
    }
}

/// Whether a browser may show it in place: pictures made of pixels, which can do nothing. SVG and HTML are documents.
pub(crate) fn is_picture(media_type: &str) -> bool {
    matches!(media_type, "image/png" | "image/jpeg" | "image/gif" | "image/webp")
}

/// The type under which it is served: exact where it is shown, harmless everywhere else.
pub(crate) fn served_as(media_type: &str) -> &str {
    match media_type {
        picture if is_picture(picture) => picture,
        text if text.starts_with("text/") => "text/plain; charset=utf-8",
        _ => UNKNOWN,
    }
}

/// UTF-8 without control characters. A character that is cut by the end of the head is no fault.
fn is_text(head: &[u8], more: bool) -> bool {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if more && error.error_len().is_none() => {
            let whole = head.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(whole).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !text.chars().any(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{c}' | '\u{1b}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_bytes_say() {
        for (bytes, expected, served) in [
            (&b"\x89PNG\r\n\x1a\n"[..], "image/png", "image/png"),
            (b"\xff\xd8\xff\xe0", "image/jpeg", "image/jpeg"),
            (b"GIF89a", "image/gif", "image/gif"),
            (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp", "image/webp"),
            (b"%PDF-1.7", "application/pdf", UNKNOWN),
            (b"<!DOCTYPE html><html>", "text/html", "text/plain; charset=utf-8"),
            (b"<svg onload=alert(1)>", TEXT, "text/plain; charset=utf-8"),
            (b"", TEXT, "text/plain; charset=utf-8"),
            ("Grüße\n".as_bytes(), TEXT, "text/plain; charset=utf-8"),
            (b"\0\x01\x02", UNKNOWN, UNKNOWN),
            (b"\xc3\x28", UNKNOWN, UNKNOWN),
        ] {
            assert_eq!((of(bytes, false), served_as(of(bytes, false))), (expected, served), "{bytes:?}");
        }
    }

    #[test]
    fn a_character_that_is_cut_by_the_end_of_the_head_is_no_fault() {
        let text = "aé".as_bytes();
        assert_eq!(of(&text[..2], true), TEXT);
        assert_eq!(of(&text[..2], false), UNKNOWN);
    }
}
