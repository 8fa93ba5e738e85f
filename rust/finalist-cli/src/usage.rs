// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of the command line, worded like those of the GNU tools.

use std::error::Error;
use std::ffi::OsString;
use std::num::ParseIntError;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use crate::failure::Failure;
use crate::value::{alternatives, did_you_mean, did_you_mean_one, nearest, number_from, plain};
use finalist_files::quote::excerpt;

/// Describes the error in the arguments.
pub fn misuse(error: &clap::Error, command: Command, arguments: &[OsString]) -> Failure {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => excerpt(text),
        _ => String::new(),
    };
    let argument = context(ContextKind::InvalidArg);
    // "--length <BITS>" names the option before its value.
    let option = argument.split(' ').next().unwrap_or(&argument);
    // An argument without an option is [FILE]... or <FILE>.
    let option = option.trim_matches(['[', ']', '<', '>', '.']);
    let value = context(ContextKind::InvalidValue);
    let mut more = Vec::new();
    let line = match error.kind() {
        ErrorKind::UnknownArgument => {
            let (_, inner) = named(command.clone(), arguments);
            let line = unknown_option(&argument, option, &inner, &mut more);
            more.extend(commands_with(option, command));
            line
        }
        ErrorKind::InvalidSubcommand => {
            let name = context(ContextKind::InvalidSubcommand);
            let (_, command) = named(command, arguments);
            let commands: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
            more.extend(did_you_mean(&name, &commands).or_else(|| meant(&name, &command)));
            format!("unknown command '{name}'")
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "missing command".to_owned()
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("option '{option}' requires an argument")
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            if let Some(ContextValue::Strings(valid)) = error.get(ContextKind::ValidValue) {
                let (_, command) = named(command, arguments);
                more = match with_length(&value, valid, &command) {
                    Some(hint) => vec![hint],
                    None => alternatives(&value, valid),
                };
            }
            more.extend(
                error
                    .source()
                    .map(|takes| match takes.is::<ParseIntError>() {
                        true => format!("'{option}' takes {}", number_from(0..=u64::MAX)),
                        false => format!("'{option}' takes {takes}"),
                    }),
            );
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
    };
    more.insert(0, line);
    Failure::Misuse(more)
}

/// Suggests commands for a name that is one's own only with another's before it, or a file's.
fn meant(name: &str, command: &Command) -> Option<String> {
    let has_it = |outer: &&Command| outer.find_subcommand(name).is_some();
    let outer = command.get_subcommands().filter(has_it);
    let mut lines: Vec<_> = outer
        .map(|outer| format!("{} {name}", outer.get_name()))
        .collect();
    if lines.is_empty() && command.find_subcommand("sum").is_some() && Path::new(name).is_file() {
        lines.push(format!("sum {name}"));
    }
    did_you_mean_one(&lines)
}

/// Returns the algorithm and the option that give what a name such as blake2b-256 means.
fn with_length(value: &str, valid: &[String], command: &Command) -> Option<String> {
    let value = plain(value);
    let with_bits = valid.iter().filter_map(|name| {
        let bits: u64 = value.strip_prefix(name.as_str())?.parse().ok()?;
        (bits != 0 && bits % 8 == 0).then_some((name, bits))
    });
    // blake3-256 also begins with blake32.
    let (name, bits) = with_bits.max_by_key(|(_, bits)| *bits)?;
    let takes_length = |each: &Arg| each.get_id() == "length" && !each.is_hide_set();
    Some(match command.get_arguments().any(takes_length) {
        true => format!("Did you mean '{name}' with '-l {bits}'?"),
        false => format!("Did you mean '{name}'?"),
    })
}

/// Returns true if the error is in `help --help`: clap takes the option for a command's name.
pub fn asks_for_help(error: &clap::Error) -> bool {
    let name = error.get(ContextKind::InvalidSubcommand);
    matches!(name, Some(ContextValue::String(name)) if name == "--help" || name == "-h")
}

fn unknown_option(
    argument: &str,
    option: &str,
    command: &Command,
    more: &mut Vec<String>,
) -> String {
    if argument == "-" || !argument.starts_with('-') {
        return format!("extra operand '{argument}'");
    }
    if let Some(letter) = argument
        .strip_prefix('-')
        .filter(|rest| !rest.starts_with('-'))
    {
        return format!("invalid option -- '{letter}'");
    }
    match possibilities(option, command).as_slice() {
        [] => {
            let shown = command.get_arguments().filter(|each| !each.is_hide_set());
            let names: Vec<_> = shown.filter_map(clap::Arg::get_long).collect();
            let name = option.trim_start_matches('-');
            let near = nearest(name, names)
                .first()
                .map(|near| format!("Did you mean '--{near}'?"));
            more.extend(near);
            format!("unrecognized option '{option}'")
        }
        several => format!(
            "option '{option}' is ambiguous; possibilities: {}",
            several.join(" ")
        ),
    }
}

/// Names the commands that have this option, which the user took for another's, too.
fn commands_with(option: &str, mut all: Command) -> Option<String> {
    // This adds the options of all commands.
    all.build();
    let name = option.strip_prefix("--")?;
    let has_it = |each: &&Arg| each.get_long() == Some(name) && !each.is_hide_set();
    let commands = all.get_subcommands();
    let commands = commands.filter(|command| command.get_arguments().any(|each| has_it(&each)));
    let names: Vec<_> = commands
        .map(|command| format!("'finalist {}'", command.get_name()))
        .collect();
    (!names.is_empty()).then(|| format!("'{option}' is an option of {}", names.join(", ")))
}

/// Returns the subcommand that the arguments name, and its name after its parents' names.
pub fn named(mut command: Command, arguments: &[OsString]) -> (String, Command) {
    // This adds the options for help and version.
    command.build();
    let mut name = command.get_name().to_owned();
    for argument in arguments.iter().skip(1) {
        let argument = argument.to_str().unwrap_or_default();
        let Some(inner) = command.find_subcommand(argument).cloned() else {
            break;
        };
        name = format!("{name} {}", inner.get_name());
        command = inner;
    }
    (name, command)
}

/// Returns the long options of a command that start like this one, quoted.
fn possibilities(option: &str, command: &Command) -> Vec<String> {
    let Some(start) = option.strip_prefix("--") else {
        return Vec::new();
    };
    let names = command.get_arguments().filter_map(clap::Arg::get_long);
    let names = names.filter(|name| name.starts_with(start));
    names.map(|name| format!("'--{name}'")).collect()
}
