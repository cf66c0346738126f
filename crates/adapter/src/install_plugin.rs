//! `iris-adapter install-plugin`: puts the plugin into Hermes' folder and says which lines of Hermes' settings are still
//! missing. It reads those settings and never writes them: they are the user's.

use std::{
    env,
    fmt::{self, Display},
    fs,
    path::{Path, PathBuf},
};

use clap::Args;
use serde_json::{Map, Value, json};

use crate::backend::gateway::plugin::{PluginError, hermes_home, install};

/// The options of `install-plugin`.
#[derive(Debug, Args)]
pub struct InstallPlugin {
    /// Hermes' own folder [default: HERMES_HOME, or ~/.hermes]
    #[arg(long, value_name = "DIR", env = "IRIS_HERMES_HOME")]
    pub hermes_home: Option<PathBuf>,
}

/// Who talks to Hermes through Iris, as Hermes' list of allowed users names them.
const USER: &str = "iris";
/// The settings, and what is right for each.
const WANTED: [(&[&str], Wanted); 5] = [
    (&["plugins", "enabled"], Wanted::Among("iris")),
    (&["plugins", "stream_reasoning_deltas"], Wanted::On),
    (&["platforms", "iris", "enabled"], Wanted::On),
    (&["streaming", "enabled"], Wanted::On),
    (&["display", "platforms", "iris", "streaming"], Wanted::NotOff),
];

#[derive(Clone, Copy)]
enum Wanted {
    On,
    /// Absent is as good.
    NotOff,
    /// A list with this in it.
    Among(&'static str),
}

/// What was done, and what is left to do.
#[derive(Debug)]
pub struct Report {
    folder: PathBuf,
    config: PathBuf,
    env: PathBuf,
    /// The lines of `config.yaml` that are missing.
    missing: String,
    /// The lines of `.env`.
    missing_env: Option<String>,
    /// Why `config.yaml` could not be read.
    unreadable: Option<String>,
}

/// Installs the plugin, or the newest version of it.
///
/// # Errors
/// When there is no Hermes, or its folder cannot be written.
pub fn run(args: InstallPlugin) -> Result<Report, PluginError> {
    let home = hermes_home(args.hermes_home);
    let home = std::path::absolute(&home).unwrap_or(home);
    let installed = install(&home)?;
    let config = home.join("config.yaml");
    let (settings, unreadable) = match read(&config) {
        Ok(settings) => (settings, None),
        Err(why) => (Value::Null, Some(why)),
    };
    let env = home.join(".env");
    Ok(Report {
        folder: installed.folder().to_owned(),
        missing: missing(&settings),
        missing_env: missing_env(&fs::read_to_string(&env).unwrap_or_default()),
        config,
        env,
        unreadable,
    })
}

fn read(config: &Path) -> Result<Value, String> {
    match fs::read_to_string(config) {
        Ok(text) if text.trim().is_empty() => Ok(Value::Null),
        Ok(text) => serde_saphyr::from_str(&text).map_err(|error| error.to_string()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Value::Null),
        Err(error) => Err(error.to_string()),
    }
}

/// The missing settings, as lines of YAML.
fn missing(settings: &Value) -> String {
    let mut needed = Value::Object(Map::new());
    for (path, wanted) in WANTED {
        let found = path.iter().try_fold(settings, |at, key| at.get(key)).filter(|found| !found.is_null());
        let add = match (wanted, found) {
            (Wanted::On, Some(Value::Bool(true))) | (Wanted::NotOff, None) => None,
            (Wanted::NotOff, Some(found)) if *found != Value::Bool(false) => None,
            (Wanted::On | Wanted::NotOff, _) => Some(Value::Bool(true)),
            (Wanted::Among(name), Some(Value::Array(list))) if list.contains(&json!(name)) => None,
            (Wanted::Among(name), Some(Value::Array(list))) => {
                Some(list.iter().cloned().chain([json!(name)]).collect())
            }
            (Wanted::Among(name), _) => Some(json!([name])),
        };
        if let Some(add) = add {
            put(&mut needed, path, add);
        }
    }
    let mut lines = String::new();
    print(&needed, 0, &mut lines);
    lines
}

fn put(into: &mut Value, path: &[&str], value: Value) {
    match (path, into) {
        ([last], Value::Object(object)) => {
            object.insert((*last).to_owned(), value);
        }
        ([first, rest @ ..], Value::Object(object)) => {
            put(object.entry(*first).or_insert_with(|| Value::Object(Map::new())), rest, value);
        }
        _ => {}
    }
}

/// Objects as blocks, everything else in one line, which JSON and YAML write the same way.
fn print(value: &Value, depth: usize, lines: &mut String) {
    let Value::Object(object) = value else { return };
    for (key, value) in object {
        let indent = "  ".repeat(depth);
        if value.is_object() {
            lines.push_str(&format!("{indent}{key}:\n"));
            print(value, depth + 1, lines);
        } else {
            lines.push_str(&format!("{indent}{key}: {value}\n"));
        }
    }
}

/// The missing line of `.env`: Hermes listens only to users that it was told of.
fn missing_env(env: &str) -> Option<String> {
    let value = |name: &str| {
        let mut in_file = env.lines().filter_map(|line| {
            let line = line.trim();
            let (key, value) = line.strip_prefix("export ").unwrap_or(line).split_once('=')?;
            (key.trim() == name).then(|| value.trim().trim_matches(['"', '\'']).to_owned())
        });
        in_file.next_back().or_else(|| env::var(name).ok()).unwrap_or_default()
    };
    let on = |name: &str| matches!(value(name).to_ascii_lowercase().as_str(), "1" | "true" | "yes" | "on");
    let users = value("IRIS_ALLOWED_USERS");
    let mut listed = users.split(',').map(str::trim).filter(|user| !user.is_empty()).peekable();
    let allowed = listed.clone().any(|user| user == USER || user == "*");
    if allowed || on("IRIS_ALLOW_ALL_USERS") || on("GATEWAY_ALLOW_ALL_USERS") {
        return None;
    }
    let others = if listed.peek().is_some() { format!("{users},") } else { String::new() };
    Some(format!("IRIS_ALLOWED_USERS={others}{USER}"))
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "The Iris plugin is in {}.", self.folder.display())?;
        if let Some(why) = &self.unreadable {
            writeln!(
                f,
                "\n{} cannot be read ({why}), so this is everything that must be in it.",
                self.config.display()
            )?;
        }
        if !self.missing.is_empty() {
            writeln!(f, "\nMissing in {}:\n\n{}", self.config.display(), self.missing.trim_end())?;
        }
        if let Some(line) = &self.missing_env {
            writeln!(f, "\nMissing in {}:\n\n{line}", self.env.display())?;
        }
        if self.missing.is_empty() && self.missing_env.is_none() {
            writeln!(f, "Hermes' settings have everything it needs.")?;
        }
        write!(
            f,
            "\nThen restart Hermes' gateway (`hermes gateway run`) and start `iris-adapter serve --backend gateway`."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacks(config: &str, expected: &str) {
        let settings = serde_saphyr::from_str(config).unwrap();
        assert_eq!(missing(&settings), expected, "{config}");
    }

    const ALL: &str = "plugins:\n  enabled: [\"iris\"]\n  stream_reasoning_deltas: true\nplatforms:\n  iris:\n    enabled: true\nstreaming:\n  enabled: true\n";

    #[test]
    fn an_empty_config_lacks_everything_and_what_is_printed_is_all_of_it() {
        lacks("{}", ALL);
        lacks("model: {default: x}", ALL);
        lacks(ALL, "");
    }

    #[test]
    fn what_is_there_stays_and_what_is_off_is_named() {
        lacks(
            "plugins: {enabled: [weather], stream_reasoning_deltas: true}\nplatforms: {iris: {enabled: true}}\nstreaming: {enabled: true}",
            "plugins:\n  enabled: [\"weather\",\"iris\"]\n",
        );
        lacks(
            &ALL.replace("streaming:\n  enabled: true", "streaming:\n  enabled: false"),
            "streaming:\n  enabled: true\n",
        );
        lacks(
            &format!("{ALL}display: {{platforms: {{iris: {{streaming: false}}}}}}"),
            "display:\n  platforms:\n    iris:\n      streaming: true\n",
        );
    }

    #[test]
    fn a_config_of_another_shape_lacks_everything() {
        lacks("[1, 2]", ALL);
        lacks("plugins: on\nplatforms: [iris]", ALL);
    }

    #[test]
    fn hermes_must_know_the_user() {
        for (env, expected) in [
            ("", Some("IRIS_ALLOWED_USERS=iris")),
            ("# IRIS_ALLOWED_USERS=iris", Some("IRIS_ALLOWED_USERS=iris")),
            ("IRIS_ALLOWED_USERS=ada", Some("IRIS_ALLOWED_USERS=ada,iris")),
            ("IRIS_ALLOWED_USERS=\"ada, iris\"", None),
            ("export IRIS_ALLOWED_USERS=*", None),
            ("IRIS_ALLOW_ALL_USERS=true", None),
            ("IRIS_ALLOW_ALL_USERS=false", Some("IRIS_ALLOWED_USERS=iris")),
        ] {
            assert_eq!(missing_env(env).as_deref(), expected, "{env}");
        }
    }
}
