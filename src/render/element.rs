//! The closed table from a kind of node to its element: tags, classes and attributes. Builds nothing.

use iris_core::markdown::{AlertKind, Align, Kind, Limit, SafeUrl};

/// What the ancestors of a node say about it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Context {
    /// Inside a link: nothing in here may be a link of its own.
    in_link: bool,
    /// Inside the header row of a table.
    in_header: bool,
}

impl Context {
    /// The context of the children of `kind`.
    pub(super) fn inside(self, kind: &Kind) -> Self {
        match kind {
            Kind::Link { .. } => Self { in_link: true, ..self },
            Kind::Row { header } => Self { in_header: *header, ..self },
            _ => self,
        }
    }

    /// Whether a node here may be a link.
    pub(super) fn may_link(self) -> bool {
        !self.in_link
    }
}

/// The tag of a node that is one element with its children straight inside; `None` for every other kind.
pub(super) fn plain_tag(kind: &Kind, context: Context) -> Option<&'static str> {
    Some(match kind {
        Kind::Paragraph => "p",
        Kind::Heading(1) => "h1",
        Kind::Heading(2) => "h2",
        Kind::Heading(3) => "h3",
        Kind::Heading(4) => "h4",
        Kind::Heading(5) => "h5",
        Kind::Heading(_) => "h6",
        Kind::BlockQuote => "blockquote",
        Kind::List { start: Some(_), .. } => "ol",
        Kind::List { start: None, .. } => "ul",
        Kind::Item(_) | Kind::Note(_) => "li",
        Kind::Row { .. } => "tr",
        Kind::Cell(_) if context.in_header => "th",
        Kind::Cell(_) => "td",
        Kind::Emphasis => "em",
        Kind::Strong => "strong",
        Kind::Strikethrough => "del",
        Kind::Rule => "hr",
        Kind::Break => "br",
        _ => return None,
    })
}

/// The class of a `plain_tag` element; empty for none.
pub(super) fn class(kind: &Kind) -> &'static str {
    match kind {
        Kind::List { tasks: true, tight: true, .. } => "tight tasks",
        Kind::List { tasks: true, .. } => "tasks",
        Kind::List { tight: true, .. } => "tight",
        Kind::Item(Some(_)) => "task",
        Kind::Cell(Align::Left) => "left",
        Kind::Cell(Align::Center) => "center",
        Kind::Cell(Align::Right) => "right",
        _ => "",
    }
}

/// Whether the element of `old` can become that of `new` by its attributes, texts and children alone.
pub(super) fn same_element(old: &Kind, new: &Kind) -> bool {
    match (old, new) {
        (Kind::Heading(a), Kind::Heading(b)) => a == b,
        (Kind::Alert(a), Kind::Alert(b)) => a == b,
        (Kind::Shortened(a), Kind::Shortened(b)) => a == b,
        (Kind::List { start: a, .. }, Kind::List { start: b, .. }) => a.is_some() == b.is_some(),
        (Kind::Item(a), Kind::Item(b)) => a.is_some() == b.is_some(),
        (Kind::Row { header: a }, Kind::Row { header: b }) => a == b,
        (Kind::Link { .. }, Kind::Link { .. }) => link_form(old) == link_form(new),
        (Kind::Image { .. }, Kind::Image { .. })
        | (Kind::Note(_), Kind::Note(_))
        | (Kind::NoteRef { .. }, Kind::NoteRef { .. })
        | (Kind::Math { .. }, Kind::Math { .. }) => old == new,
        _ => std::mem::discriminant(old) == std::mem::discriminant(new),
    }
}

/// How a link stands on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkForm {
    /// Its text alone. A message has no anchors, and a fragment of *this page* may carry pairing data: never link to one.
    Words,
    /// A link.
    Plain,
    /// A link, followed by the host that it really goes to.
    WithHost,
}

/// The form of a link.
pub(super) fn link_form(kind: &Kind) -> LinkForm {
    match kind {
        Kind::Link { url, .. } if url.as_str().starts_with('#') => LinkForm::Words,
        Kind::Link { claims_other_host: true, .. } => LinkForm::WithHost,
        _ => LinkForm::Plain,
    }
}

/// The name of an alert: its class and its title.
pub(super) fn alert(kind: AlertKind) -> (&'static str, &'static str) {
    match kind {
        AlertKind::Note => ("alert note", "Note"),
        AlertKind::Tip => ("alert tip", "Tip"),
        AlertKind::Important => ("alert important", "Important"),
        AlertKind::Warning => ("alert warning", "Warning"),
        AlertKind::Caution => ("alert caution", "Caution"),
    }
}

/// The tag of a note that something was shortened, and its words.
pub(super) fn shortened(limit: Limit) -> (&'static str, &'static str) {
    match limit {
        Limit::Nesting => ("div", "Nested too deep to draw. This is its source"),
        Limit::Columns => ("div", "Too many columns to draw. This is the table’s source"),
        Limit::Rows => ("div", "Shortened: copy the message to get all rows"),
        Limit::Line => ("span", "line shortened"),
        Limit::Lines | Limit::Message => ("div", "Shortened: copy the message to get all of it"),
    }
}

/// The place an address goes to, for people: the host of a web address, otherwise what follows the scheme.
pub(super) fn host(url: &SafeUrl) -> &str {
    let rest = || url.as_str().split_once(':').map_or(url.as_str(), |(_, rest)| rest);
    url.host().unwrap_or_else(rest)
}

/// The tooltip of a link: first where it goes, then what its author says about it.
pub(super) fn link_title(url: &SafeUrl, title: &str) -> String {
    let host = host(url);
    if title.is_empty() { host.to_owned() } else { format!("{host} – {title}") }
}
