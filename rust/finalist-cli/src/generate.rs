// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist generate`: writes the man pages and shell completions that packages install. The help
//! does not list it, so that neither pages nor completions offer it.

mod man;

use std::ffi::OsString;
use std::fs::create_dir_all;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory, Parser, ValueHint};
use clap_complete::Shell;
use finalist::implementations;

use crate::failure::Failure;
use crate::hash_options::path;
use crate::{stdio, usage};
use finalist_files::message::{about, reason};
use finalist_files::platform::bytes_of;

/// Write the man pages and the completions of shells.
#[derive(Parser)]
#[command(name = "finalist generate")]
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
    let (man, completions) = (directory.join("man"), directory.join("completions"));
    create_dir_all(&man)?;
    create_dir_all(&completions)?;
    command = command.disable_help_subcommand(true);
    command.build();
    man::write(&command, &man)?;
    let mut command = with_values(command);
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut command, "finalist", &completions)?;
    }
    Ok(())
}

/// Returns the command with the values that completions offer.
fn with_values(command: Command) -> Command {
    let mut names: Vec<_> = implementations()
        .into_iter()
        .map(|each| each.name)
        .collect();
    names.sort_unstable();
    names.dedup();
    with_values_of(command, &names)
}

fn with_values_of(command: Command, implementations: &[&'static str]) -> Command {
    command
        .mut_args(|argument| match argument.get_long() {
            Some("impl") => {
                argument.value_parser(PossibleValuesParser::new(implementations.iter().copied()))
            }
            _ => {
                let hint = hint_of(&argument);
                argument.value_hint(hint)
            }
        })
        .mut_subcommands(|inner| with_values_of(inner, implementations))
}

/// Returns the kind of a value by its name in the help.
fn hint_of(argument: &Arg) -> ValueHint {
    let is = |names: &[&str]| {
        let own = argument.get_value_names().unwrap_or_default();
        own.first().is_some_and(|own| names.contains(&own.as_str()))
    };
    if !argument
        .get_num_args()
        .is_some_and(|count| count.takes_values())
    {
        ValueHint::Unknown
    } else if is(&["DIRECTORY"]) {
        ValueHint::DirPath
    } else if is(&[
        "FILE",
        "MANIFEST",
        "MANIFEST|FILE",
        "PROOF",
        "LEAF",
        "OLD",
        "NEW",
        "MEASURED",
    ]) {
        ValueHint::FilePath
    } else {
        ValueHint::Other
    }
}
