// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of the command line in the words of the GNU tools.

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::failure::Failure;
use crate::quote::excerpt;

/// What is wrong with the arguments.
pub fn misuse(error: &clap::Error, command: Command, arguments: &[OsString]) -> Failure {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => excerpt(text),
        _ => String::new(),
    };
    let argument = context(ContextKind::InvalidArg);
    // "--length <BITS>" names the option before its value.
    let option = argument.split(' ').next().unwrap_or(&argument);
    let value = context(ContextKind::InvalidValue);
    Failure::misuse(match error.kind() {
        ErrorKind::UnknownArgument => match argument.strip_prefix('-') {
            Some(letter) if !letter.starts_with('-') => format!("invalid option -- '{letter}'"),
            _ => match possibilities(option, &named(command, arguments).1).as_slice() {
                [] => format!("unrecognized option '{option}'"),
                several => format!(
                    "option '{option}' is ambiguous; possibilities: {}",
                    several.join(" ")
                ),
            },
        },
        ErrorKind::InvalidSubcommand => {
            format!(
                "unknown command '{}'",
                context(ContextKind::InvalidSubcommand)
            )
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "missing command".to_owned()
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("option '{option}' requires an argument")
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            format!("invalid argument '{value}' for '{option}'")
        }
        ErrorKind::MissingRequiredArgument => match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(missing)) => {
                format!("missing argument: {}", missing.join(", "))
            }
            _ => "missing argument".to_owned(),
        },
        ErrorKind::TooManyValues => format!("option '{option}' doesn't allow an argument"),
        _ => {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or_default();
            excerpt(line.strip_prefix("error: ").unwrap_or(line))
        }
    })
}

/// The subcommand that the arguments name, and its name with those of the commands above it.
pub fn named(mut command: Command, arguments: &[OsString]) -> (String, Command) {
    // Adds the options for help and version.
    command.build();
    let mut name = command.get_name().to_owned();
    for argument in arguments.iter().skip(1) {
        let argument = argument.to_str().unwrap_or_default();
        if let Some(inner) = command.find_subcommand(argument).cloned() {
            name = format!("{name} {argument}");
            command = inner;
        }
    }
    (name, command)
}

/// The long options of a command that start like this one, quoted.
fn possibilities(option: &str, command: &Command) -> Vec<String> {
    let Some(start) = option.strip_prefix("--") else {
        return Vec::new();
    };
    let names = command.get_arguments().filter_map(clap::Arg::get_long);
    let names = names.filter(|name| name.starts_with(start));
    names.map(|name| format!("'--{name}'")).collect()
}
