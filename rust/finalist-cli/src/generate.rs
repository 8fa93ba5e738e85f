// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist generate`: writes the man pages and shell completions that packages install. The help
//! does not list it, so that neither pages nor completions offer it.

mod completions;
mod man;

use std::ffi::OsString;
use std::fs::create_dir_all;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Command, CommandFactory, Parser};

use crate::failure::Failure;
use crate::hash_options::path;
use crate::{stdio, usage};
use finalist_files::message::{about, reason};
use finalist_files::platform::bytes_of;

const EXAMPLES: &str = "\
Examples:
  finalist generate DIRECTORY
  SOURCE_DATE_EPOCH=0 finalist generate DIRECTORY   pages of a fixed date";

/// Write the man pages and the completions of shells.
#[derive(Parser)]
#[command(name = "finalist generate", bin_name = "finalist generate", after_help = EXAMPLES)]
struct GenerateArgs {
    /// Where to create man/ and completions/
    #[arg(value_name = "DIRECTORY", value_parser = path())]
    directory: PathBuf,
}

/// Runs the command with the arguments from the word `generate` on.
pub fn run(arguments: &[OsString], command: Command) -> Result<ExitCode, Failure> {
    let args = match GenerateArgs::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) if !error.use_stderr() => {
            stdio::print(error.render().to_string().as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        Err(error) => {
            return Err(usage::misuse(&error, GenerateArgs::command(), arguments));
        }
    };
    let directory = args.directory.as_path();
    write(directory, command)
        .map_err(|error| Failure::message(about(&bytes_of(directory), &reason(&error))))?;
    Ok(ExitCode::SUCCESS)
}

fn write(directory: &Path, mut command: Command) -> io::Result<()> {
    if directory.as_os_str().is_empty() {
        return Err(io::Error::other("the directory has no name"));
    }
    let (man, completions) = (directory.join("man"), directory.join("completions"));
    create_dir_all(&man)?;
    create_dir_all(&completions)?;
    command = command.disable_help_subcommand(true);
    command.build();
    man::write(&command, &man)?;
    completions::write(&command, &completions)
}
