// SPDX-License-Identifier: MIT OR Apache-2.0
//! The arguments of commands that compare two files.

use std::path::PathBuf;

use clap::Args;

use crate::hash_options::path;

// A doc comment would become the commands' help.
#[derive(Args)]
pub struct OldAndNew {
    /// The older of the two
    #[arg(value_name = "OLD", value_parser = path())]
    pub old: PathBuf,

    /// The newer of the two
    #[arg(value_name = "NEW", value_parser = path())]
    pub new: PathBuf,
}
