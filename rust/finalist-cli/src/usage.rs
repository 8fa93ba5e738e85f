// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of the command line in the words of the GNU tools.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::failure::Failure;

/// What is wrong with the command line.
pub fn misuse(error: &clap::Error) -> Failure {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let argument = context(ContextKind::InvalidArg);
    // "--length <BITS>" names the option before its value.
    let option = argument.split(' ').next().unwrap_or(argument);
    let value = context(ContextKind::InvalidValue);
    Failure::misuse(match error.kind() {
        ErrorKind::UnknownArgument => match argument.strip_prefix('-') {
            Some(letter) if !letter.starts_with('-') => format!("invalid option -- '{letter}'"),
            _ => format!("unrecognized option '{option}'"),
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
            line.strip_prefix("error: ").unwrap_or(line).to_owned()
        }
    })
}
