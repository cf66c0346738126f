//! The typed tree that Markdown becomes. There is no raw-HTML node: HTML in a message is visible text.

use super::url::SafeUrl;

/// How many lines of code stand together: what is drawn and laid out anew when one of them changes.
pub const CHUNK_LINES: usize = 64;

/// A node and what is inside it. Blocks hold blocks or inlines, leaves hold nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// What it holds, in reading order.
    pub children: Vec<Node>,
}

/// What a node is. The set is closed: what is not here cannot reach the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A paragraph of inlines.
    Paragraph,
    /// A heading; level 1 to 6.
    Heading(u8),
    /// A quotation.
    BlockQuote,
    /// A GitHub alert; its children are the body.
    Alert(AlertKind),
    /// A list of items.
    List {
        /// The first number of an ordered list; `None` is a bullet list.
        start: Option<u64>,
        /// Whether any item is a task.
        tasks: bool,
        /// No blank line stands between its items or in them: their paragraphs are drawn without space around them.
        tight: bool,
    },
    /// An item of blocks; `Some(done)` for a task.
    Item(Option<bool>),
    /// Code, fenced or indented. Its children are [`Kind::Lines`], none when it is empty.
    CodeBlock {
        /// The language, from the allowed characters of the info string's first word; may be empty.
        lang: String,
        /// The closing fence has come, or there is none to come (indented code).
        closed: bool,
    },
    /// Some lines of a code block, byte for byte: [`CHUNK_LINES`] of them, fewer at the end of the block.
    Lines(String),
    /// A horizontal rule.
    Rule,
    /// A table of rows; the first is the header.
    Table,
    /// A row of cells.
    Row {
        /// The header row.
        header: bool,
    },
    /// A cell of inlines.
    Cell(Align),
    /// Where a footnote is defined, by its name. Nothing is shown here: what it holds is shown in the note.
    Definition(String),
    /// A footnote of blocks, in the list of them; its number if a reference leads to it.
    Note(Option<u32>),
    /// A reference to a footnote.
    NoteRef {
        /// The name, as it is written.
        name: String,
        /// The number of the note. Without one there is no such note, and `[^name]` is what is shown.
        number: Option<u32>,
    },
    /// HTML from the source, to be shown as the text it is.
    HtmlSource(String),
    /// Text.
    Text(String),
    /// A line break that shows.
    Break,
    /// Code in a line.
    Code(String),
    /// A formula in TeX. Only a closed one is a formula; until then it is text.
    Math {
        /// The TeX, without what delimits it.
        tex: String,
        /// It stands on a line of its own.
        display: bool,
    },
    /// Emphasis.
    Emphasis,
    /// Strong emphasis.
    Strong,
    /// Struck-out text.
    Strikethrough,
    /// A link that is safe to follow; an unsafe one is its text.
    Link {
        /// Where it goes.
        url: SafeUrl,
        /// Its title; may be empty.
        title: String,
        /// The host it really goes to, when its text claims another.
        claims_other_host: bool,
    },
    /// An image. Remote ones are never loaded by themselves.
    Image {
        /// Where it is; `None` when the address is not one we would ever load.
        source: Option<SafeUrl>,
        /// What it shows, in words.
        alt: String,
        /// Its title; may be empty.
        title: String,
    },
    /// A limit: what is left out, or shown in a plainer form. Its children are what is shown of it, often nothing.
    Shortened(Limit),
}

/// Why something is not shown as it is. The message's source has all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Quotes and lists nested deeper than can be drawn; the child is their source.
    Nesting,
    /// A table with more columns than can be drawn; the child is its source.
    Columns,
    /// The further rows of a table are left out.
    Rows,
    /// The rest of a line, or of a word without an end, is left out.
    Line,
    /// The further lines of the message are left out. As each block takes one, this is the limit of blocks too.
    Lines,
    /// The rest of the message is left out.
    Message,
}

/// The alignment of a table column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// As the page has it.
    #[default]
    Default,
    /// Left.
    Left,
    /// Centre.
    Center,
    /// Right.
    Right,
}

/// The kinds of GitHub alerts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlertKind {
    /// Note.
    Note,
    /// Tip.
    Tip,
    /// Important.
    Important,
    /// Warning.
    Warning,
    /// Caution.
    Caution,
}

impl Node {
    /// A node without children.
    pub fn leaf(kind: Kind) -> Self {
        Self { kind, children: Vec::new() }
    }

    /// A code block that holds `text`, in chunks of [`CHUNK_LINES`] lines.
    pub fn code_block(lang: String, text: &str, closed: bool) -> Self {
        let mut block = Self::leaf(Kind::CodeBlock { lang, closed });
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.match_indices('\n').nth(CHUNK_LINES - 1).map_or(rest.len(), |(at, _)| at + 1);
            let (chunk, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            block.children.push(Self::leaf(Kind::Lines(chunk.to_owned())));
            rest = after;
        }
        block
    }
}
