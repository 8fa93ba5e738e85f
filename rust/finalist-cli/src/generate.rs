// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist generate`: writes the man pages and shell completions that packages install. Hidden from
//! the help.

use std::fs::create_dir_all;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::{Failure, about, reason};
use crate::hash_options::path;
use crate::platform::bytes_of;

#[derive(Args)]
pub struct GenerateArgs {
    /// Where to create man/ and completions/
    #[arg(value_name = "DIRECTORY", value_parser = path())]
    directory: PathBuf,
}

pub fn run(args: &GenerateArgs, command: Command) -> Result<ExitCode, Failure> {
    let directory = args.directory.as_path();
    write(directory, command)
        .map_err(|error| Failure::message(about(&bytes_of(directory), &reason(&error))))?;
    Ok(ExitCode::SUCCESS)
}

fn write(directory: &Path, mut command: Command) -> io::Result<()> {
    let (man, completions) = (directory.join("man"), directory.join("completions"));
    create_dir_all(&man)?;
    create_dir_all(&completions)?;
    clap_mangen::generate_to(command.clone(), man)?;
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut command, "finalist", &completions)?;
    }
    Ok(())
}
