// SPDX-License-Identifier: MIT OR Apache-2.0
//! The options of `check`.

use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::hash_options::OUTPUT;
use crate::options::{CHECKING, Options};

/// The options of `check`: those of `sum`, as in b2sum, but its help shows only the useful ones.
pub struct CheckOptions(pub Options);

impl Args for CheckOptions {
    fn augment_args(command: Command) -> Command {
        let command =
            Options::augment_args(command).mut_args(|argument| match argument.get_help_heading() {
                Some(CHECKING) => argument.help_heading(OUTPUT),
                _ => argument,
            });
        let command = command.mut_arg("files", |argument| {
            argument.help("Lists to check; without any, or for -, standard input")
        });
        let command = command.mut_arg("json", |argument| {
            let help = "Write one JSON object per line: file, list, result";
            argument
                .help(help)
                .long_help(format!("{help}\n\n{JSON_MORE}"))
        });
        SUM_ONLY.into_iter().fold(command, |command, option| {
            command.mut_arg(option, |argument| argument.hide(true))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        CheckOptions::augment_args(command)
    }
}

impl FromArgMatches for CheckOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<CheckOptions, clap::Error> {
        Options::from_arg_matches(matches).map(CheckOptions)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<CheckOptions, clap::Error> {
        Options::from_arg_matches_mut(matches).map(CheckOptions)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

const JSON_MORE: &str = "\
A name that is not UTF-8 is written in hexadecimal, as file_hex or list_hex. Messages still go to \
standard error.";

/// Options that are useless with `check` and hidden in its help.
const SUM_ONLY: [&str; 14] = [
    "length",
    "tag",
    "untagged",
    "base64",
    "raw",
    "no_names",
    "zero",
    "binary",
    "text",
    "recursive",
    "follow",
    "exclude",
    "files0_from",
    "check",
];
