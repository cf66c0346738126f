//! Lines of a pipe, one at a time, none longer than a limit: what stands beyond it is read and thrown away, so that a
//! line without an end costs no memory.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// A line without its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Its text; bytes that are no UTF-8 are replaced.
    Text(String),
    /// It had this many bytes, more than the limit, and is gone.
    TooLong(usize),
}

/// Reads lines. `next` may be given up at any time; nothing is lost by it.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    limit: usize,
    line: Vec<u8>,
    /// Bytes of the present line, those that were thrown away too.
    length: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(pipe: R, limit: usize) -> Self {
        Self { reader: BufReader::new(pipe), limit, line: Vec::new(), length: 0 }
    }

    /// The next line; `None` at the end.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let buffer = self.reader.fill_buf().await?;
            if buffer.is_empty() {
                return Ok((self.length > 0).then(|| self.take()));
            }
            let (part, ended) = match buffer.iter().position(|byte| *byte == b'\n') {
                Some(end) => (buffer.get(..end).unwrap_or_default(), true),
                None => (buffer, false),
            };
            let room = self.limit.saturating_sub(self.line.len());
            self.line.extend_from_slice(part.get(..room.min(part.len())).unwrap_or_default());
            let read = part.len();
            self.length = self.length.saturating_add(read);
            self.reader.consume(read + usize::from(ended));
            if ended {
                return Ok(Some(self.take()));
            }
        }
    }

    /// The next line is here already, whole.
    pub(super) fn is_ready(&self) -> bool {
        self.reader.buffer().contains(&b'\n')
    }

    fn take(&mut self) -> Line {
        let (line, length) = (std::mem::take(&mut self.line), std::mem::take(&mut self.length));
        if length > self.limit {
            return Line::TooLong(length);
        }
        Line::Text(String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn check(input: &[u8], expected: &[Line]) {
        let mut lines = Lines::new(input, 8);
        let mut read = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            read.push(line);
        }
        assert_eq!(read, expected, "{input:?}");
    }

    fn text(line: &str) -> Line {
        Line::Text(line.to_owned())
    }

    #[tokio::test]
    async fn lines_end_at_newlines_and_at_the_end() {
        check(b"", &[]).await;
        check(b"one\ntwo\r\n\nlast", &[text("one"), text("two"), text(""), text("last")]).await;
    }

    #[tokio::test]
    async fn a_line_beyond_the_limit_is_only_counted() {
        check(b"12345678\n123456789\nshort\n", &[text("12345678"), Line::TooLong(9), text("short")]).await;
        let endless = [b'x'; 100_000];
        check(&endless, &[Line::TooLong(100_000)]).await;
    }

    #[tokio::test]
    async fn what_is_no_utf_8_is_replaced() {
        check(b"a\xffb\n", &[text("a\u{fffd}b")]).await;
    }
}
