//! Which variables of the adapter's environment a Hermes process gets: those that a program needs to run at all, and
//! those in which a provider's keys and addresses are kept. The adapter's own are not among them, and neither are those
//! by which Hermes tells a process of its own that it is something else than a person's turn.

/// Whole names.
const NAMES: [&str; 24] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "TERM",
    "SSH_AUTH_SOCK",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "VIRTUAL_ENV",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
];
const BEGINNINGS: [&str; 7] = ["LC_", "XDG_", "HERMES_", "AWS_", "AZURE_", "GOOGLE_", "OLLAMA_"];
const ENDINGS: [&str; 4] = ["_API_KEY", "_TOKEN", "_BASE_URL", "_API_BASE"];
const NEVER: [&str; 6] = [
    "IRIS_",
    "HERMES_KANBAN_",
    "HERMES_SESSION_",
    "HERMES_TURN_",
    "HERMES_SINGLE_QUERY_",
    "HERMES_INTERACTIVE",
];

/// Whether a process of Hermes gets the variable; `more` are names that the user allows.
fn passes(name: &str, more: &[String]) -> bool {
    let upper = name.to_ascii_uppercase();
    if NEVER.iter().any(|beginning| upper.starts_with(beginning)) {
        return false;
    }
    NAMES.contains(&upper.as_str())
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || more.iter().any(|allowed| allowed == name)
}

/// The variables that pass.
pub(super) fn allowed(more: &[String]) -> Vec<(String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| passes(name, more))
        .collect()
}

/// The values among them that are secrets.
pub(super) fn secrets(variables: &[(String, String)]) -> Vec<String> {
    let is_secret =
        |name: &str| name.ends_with("_KEY") || name.ends_with("_TOKEN") || name.contains("SECRET");
    variables.iter().filter(|(name, _)| is_secret(name)).map(|(_, value)| value.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hermes_gets_what_it_needs_and_nothing_of_ours() {
        for name in
            ["PATH", "https_proxy", "LC_ALL", "OPENROUTER_API_KEY", "HERMES_HOME", "GITHUB_TOKEN", "MINE"]
        {
            assert!(passes(name, &["MINE".to_owned()]), "{name}");
        }
        for name in [
            "IRIS_TOKEN",
            "IRIS_API_KEY",
            "HERMES_KANBAN_TASK",
            "HERMES_TURN_AUTHOR",
            "LD_PRELOAD",
            "PYTHONPATH",
        ] {
            assert!(!passes(name, &["IRIS_TOKEN".to_owned()]), "{name}");
        }
    }

    #[test]
    fn the_values_of_keys_are_known_as_secrets() {
        let variables = [("PATH", "/bin"), ("X_API_KEY", "abc"), ("AWS_SECRET_ACCESS", "def")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(secrets(&variables), ["abc", "def"]);
    }
}
