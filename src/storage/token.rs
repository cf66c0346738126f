//! The proof that this browser is paired with the adapter that serves the page.

/// The key in `localStorage`.
pub const TOKEN_KEY: &str = "iris.token";

/// The token, if this browser is paired.
pub fn load_token() -> Option<String> {
    super::read(TOKEN_KEY).filter(|token| !token.is_empty())
}

/// Stores it, or forgets it. False if the browser did not let us: it then lasts as long as the page.
pub fn save_token(token: Option<&str>) -> bool {
    match token {
        Some(token) => super::write(TOKEN_KEY, token),
        None => super::forget(TOKEN_KEY),
    }
}
