//! Small choices of this device that are no settings: one word each, kept where the next visit finds it.

const PREFIX: &str = "iris.choice.";

/// The word that was chosen last for `what`.
pub fn load_choice(what: &str) -> Option<String> {
    super::read(&format!("{PREFIX}{what}"))
}

/// Keeps a choice. False if the browser did not let us: it then lasts as long as the page.
pub fn save_choice(what: &str, word: &str) -> bool {
    super::write(&format!("{PREFIX}{what}"), word)
}
