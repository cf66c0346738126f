//! `cargo xtask mutants`: takes the corrections of the Markdown rule away, one at a time, in a copy of the sources, and
//! looks whether the fast tests notice.
//!
//! `crates/core/tests/mutants.txt` lists them. The tests are run on the unchanged copy first: a suite that fails anyway
//! notices everything.

use crate::{
    paths::Paths,
    process::{self, Echo, Step},
};
use anyhow::{Context, Result, bail, ensure};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The list, in the checkout.
const LIST: &str = "crates/core/tests/mutants.txt";

/// One correction taken away: some lines of one file replaced.
#[derive(Debug, PartialEq, Eq)]
struct Mutant {
    name: String,
    file: String,
    old: String,
    new: String,
}

/// Tries all mutants, or those with `filter` in their names. Fails when one survives.
pub(crate) fn run(paths: &Paths, filter: Option<&str>) -> Result<()> {
    let list = fs::read_to_string(paths.root.join(LIST)).with_context(|| format!("cannot read {LIST}"))?;
    let mut mutants = parse(&list)?;
    mutants.retain(|mutant| filter.is_none_or(|filter| mutant.name.contains(filter)));
    ensure!(!mutants.is_empty(), "no mutant is called like that; {LIST} has their names");
    let copy = copy(paths)?;
    ensure!(tests_pass(paths, &copy, "the unchanged sources")?, "the tests fail without any change");
    let mut report = Vec::new();
    for mutant in &mutants {
        let path = copy.join(&mutant.file);
        let source = fs::read_to_string(&path).with_context(|| format!("cannot read {}", mutant.file))?;
        fs::write(&path, mutant.apply(&source)?)?;
        let survived = tests_pass(paths, &copy, &mutant.name)?;
        fs::write(&path, source)?;
        report.push((survived, &mutant.name));
    }
    println!("\n── mutants ──");
    for (survived, name) in &report {
        println!("{} {name}", if *survived { "✗ survived" } else { "✓ noticed " });
    }
    let survivors = report.iter().filter(|(survived, _)| *survived).count();
    println!("\n{} noticed, {survivors} survived", report.len() - survivors);
    ensure!(survivors == 0, "no test depends on a correction that is listed");
    Ok(())
}

impl Mutant {
    /// The source with the replacement made, at the one place where it can be.
    fn apply(&self, source: &str) -> Result<String> {
        let places = source.matches(&self.old).count();
        ensure!(
            places == 1,
            "\"{}\": its lines are {places} times in {}; the list is out of date",
            self.name,
            self.file
        );
        Ok(source.replace(&self.old, &self.new))
    }
}

/// The list: `# name`, `file: path`, lines with `- ` to find and lines with `+ ` to put there; anything else is prose.
fn parse(list: &str) -> Result<Vec<Mutant>> {
    let mut mutants: Vec<Mutant> = Vec::new();
    for line in list.lines() {
        if let Some(name) = line.strip_prefix("# ") {
            let mutant =
                Mutant { name: name.into(), file: String::new(), old: String::new(), new: String::new() };
            mutants.push(mutant);
            continue;
        }
        let Some(mutant) = mutants.last_mut() else { continue };
        if let Some(file) = line.strip_prefix("file: ") {
            mutant.file = file.into();
        } else if let Some(old) = line.strip_prefix("- ") {
            mutant.old.push_str(old);
            mutant.old.push('\n');
        } else if let Some(new) = line.strip_prefix("+ ") {
            mutant.new.push_str(new);
            mutant.new.push('\n');
        }
    }
    if let Some(mutant) = mutants.iter().find(|mutant| mutant.file.is_empty() || mutant.old.is_empty()) {
        bail!("{LIST}: \"{}\" needs a file and a line to find", mutant.name);
    }
    Ok(mutants)
}

/// The files that git knows, as they are now, in a folder that later runs use again.
fn copy(paths: &Paths) -> Result<PathBuf> {
    let copy = paths.target.join("mutants/sources");
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(&paths.root)
        .output()
        .context("cannot start git")?;
    let listed = String::from_utf8(listed.stdout).context("a file's name is not UTF-8")?;
    for name in listed.split('\0').filter(|name| !name.is_empty()) {
        let (from, to) = (paths.root.join(name), copy.join(name));
        // A file that was deleted and not committed is listed all the same.
        let Ok(content) = fs::read(&from) else { continue };
        // What is the same keeps its time, and is not compiled again.
        if fs::read(&to).is_ok_and(|there| there == content) {
            continue;
        }
        let folder = to.parent().context("a file without a folder")?;
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        fs::write(&to, content).with_context(|| format!("cannot write {}", to.display()))?;
    }
    Ok(copy)
}

/// The Markdown tests that every run of the native ring has. A mutant that does not compile is an error of the list.
fn tests_pass(paths: &Paths, copy: &Path, name: &str) -> Result<bool> {
    let cargo = |words: &[&str]| {
        let mut command = Command::new("cargo");
        command.args(words).args(["--package", "iris-core", "--test", "markdown"]);
        command.current_dir(copy).env("CARGO_TARGET_DIR", paths.target.join("mutants/target"));
        command
    };
    let remedy = "the lines above";
    let name_of_step = format!("Building: {name}");
    let build = Step { name: &name_of_step, takes: "", remedy, echo: Echo::Progress };
    process::run(&build, cargo(&["test", "--no-run"]))?;
    let name_of_step = format!("Testing: {name}");
    let test = Step { name: &name_of_step, takes: "", remedy, echo: Echo::Progress };
    // A correction can be missing in the form of a loop without an end.
    Ok(process::observe(&test, limited(cargo(&["test"]), copy))?.ok)
}

/// The command with ten minutes to live, where `timeout` is there to see to it.
fn limited(command: Command, folder: &Path) -> Command {
    if !Command::new("timeout").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return command;
    }
    let mut limited = Command::new("timeout");
    limited.arg("600").arg(command.get_program()).args(command.get_args()).current_dir(folder);
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            limited.env(name, value);
        }
    }
    limited
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_names_files_and_lines_and_everything_else_is_prose() {
        let list = "About the list.\n\n# first\nfile: a.rs\nWhy.\n-     old\n- \n+     new\n\n# second\nfile: b.rs\n- gone\n";
        let expected = [("first", "a.rs", "    old\n\n", "    new\n"), ("second", "b.rs", "gone\n", "")].map(
            |(name, file, old, new)| Mutant {
                name: name.into(),
                file: file.into(),
                old: old.into(),
                new: new.into(),
            },
        );
        assert_eq!(parse(list).unwrap(), expected);
        assert!(parse("# nothing to do\n").is_err());
    }

    #[test]
    fn a_mutant_must_fit_at_exactly_one_place() {
        let mutant = parse("# m\nfile: a.rs\n- b\n+ c\n").unwrap().remove(0);
        assert_eq!(mutant.apply("a\nb\n").unwrap(), "a\nc\n");
        assert!(mutant.apply("a\n").unwrap_err().to_string().contains("0 times"));
        assert!(mutant.apply("b\nb\n").unwrap_err().to_string().contains("2 times"));
    }

    #[test]
    fn every_mutant_of_the_list_fits_the_sources() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let list = fs::read_to_string(root.join(LIST)).unwrap();
        for mutant in parse(&list).unwrap() {
            let source = fs::read_to_string(root.join(&mutant.file)).unwrap();
            mutant.apply(&source).unwrap();
        }
    }
}
