//! Who is measured, and what is known about each from its own documentation.

/// A renderer of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// Its name in the page and on the command line.
    pub name: &'static str,
    /// The npm package that has its version; Iris has none.
    pub package: Option<&'static str>,
    /// It parses the whole text at every chunk with a parser that follows CommonMark, so that what it shows is always right.
    pub exact: bool,
    /// How it is used.
    pub mode: &'static str,
}

/// Ours.
pub const IRIS: &str = "iris";
/// The floor: it never looks back, and so it is not CommonMark.
pub const FLOOR: &str = "streaming-markdown";
/// All ratios are taken to it.
pub const REFERENCE: &str = "react-markdown";

/// All of them, in the order of the tables and of even repetitions.
pub const ALL: [Peer; 8] = [
    Peer { name: IRIS, package: None, exact: true, mode: "`LiveText`, the app's renderer, as WebAssembly" },
    peer(FLOOR, "streaming-markdown", false, "`parser_write` with its own DOM renderer"),
    peer(
        "markstream-vue",
        "markstream-vue",
        false,
        "`mode=\"chat\"`, pacing and fading off, no optional highlighter",
    ),
    peer("streamdown", "streamdown", false, "`mode=\"streaming\"`, controls and plugins off"),
    peer(
        "incremark",
        "@incremark/react",
        false,
        "`useIncremark` with `append`; it highlights code with Shiki",
    ),
    peer("markdown-it", "markdown-it", true, "the whole text again into `innerHTML`"),
    peer("marked", "marked", true, "the whole text again into `innerHTML`"),
    peer(REFERENCE, "react-markdown", true, "the whole text again, with remark-gfm"),
];

const fn peer(name: &'static str, package: &'static str, exact: bool, mode: &'static str) -> Peer {
    Peer { name, package: Some(package), exact, mode }
}
