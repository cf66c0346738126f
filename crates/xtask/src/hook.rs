//! What Trunk calls before and after it builds (see `Trunk.toml`), so that `trunk serve` and `trunk build` give the same
//! result as `cargo xtask build`.

use crate::{
    compress, glue,
    modules::{self, Form},
    paths::Paths,
    split, stylesheet,
};
use anyhow::{Context, Result};
use std::{env, path::PathBuf};

/// When Trunk calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Before index.html is read.
    PreBuild,
    /// When everything is in the staging folder.
    PostBuild,
}

impl Stage {
    /// Reads the name that stands in `Trunk.toml`.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "pre-build" => Some(Self::PreBuild),
            "post-build" => Some(Self::PostBuild),
            _ => None,
        }
    }
}

/// Does this stage's work.
pub(crate) fn run(paths: &Paths, stage: Stage) -> Result<()> {
    match stage {
        Stage::PreBuild => {
            stylesheet::bundle(&paths.root.join("style"), &paths.root.join("target/trunk/iris.css"))
        }
        Stage::PostBuild => {
            let variable = |name| {
                env::var_os(name).with_context(|| format!("Trunk sets {name}; this hook is for Trunk"))
            };
            let folder = PathBuf::from(variable("TRUNK_STAGING_DIR")?);
            let form = match variable("TRUNK_PROFILE")? {
                profile if profile == "release" => Form::Release,
                _ => Form::Development,
            };
            split::cut(paths, &folder, form)?;
            if form == Form::Development {
                return modules::bundle(paths, &folder, form);
            }
            glue::shrink(&folder)?;
            modules::bundle(paths, &folder, form)?;
            compress::folder(&folder)
        }
    }
}
