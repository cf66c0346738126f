//! `SafeUrl`: the only form in which an address reaches the page.

/// An address that is safe to put into `href`: scheme https, http, mailto or tel, or a fragment of this page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SafeUrl(String);

impl SafeUrl {
    /// The address, as it goes into an attribute.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
