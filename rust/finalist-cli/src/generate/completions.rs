// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes the completions of shells: of what the help shows, and with file names where clap_complete
//! offers options or nothing.

use std::io;
use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, ValueHint};
use clap_complete::{Shell, generate};
use finalist::{Algorithm, implementations};

/// Separates the names of a command and of its subcommand in bash.
const BASH_SEPARATOR: &str = "__subcmd__";

/// Writes the completions of a built command.
pub fn write(command: &Command, directory: &Path) -> io::Result<()> {
    let mut names: Vec<_> = implementations()
        .into_iter()
        .map(|each| each.name)
        .collect();
    names.sort_unstable();
    names.dedup();
    let mut shown = shown(command, &names);
    for (shell, file) in [
        (Shell::Bash, "finalist.bash"),
        (Shell::Fish, "finalist.fish"),
        (Shell::Zsh, "_finalist"),
    ] {
        let mut script = Vec::new();
        generate(shell, &mut shown, "finalist", &mut script);
        let mut script = String::from_utf8(script).map_err(io::Error::other)?;
        match shell {
            Shell::Bash => mend_bash(&mut script, command, "finalist"),
            Shell::Fish => mend_fish(&mut script, command, &shown),
            _ => mend_zsh(&mut script, command),
        }
        std::fs::write(directory.join(file), script)?;
    }
    Ok(())
}

/// Returns the command without hidden arguments, which clap_complete offers, and with the values of
/// options.
fn shown(command: &Command, implementations: &[&'static str]) -> Command {
    let shown_arguments = command.get_arguments().filter(|each| !each.is_hide_set());
    let arguments = shown_arguments.map(|argument| match argument.get_long() {
        Some("impl") => {
            let names = PossibleValuesParser::new(implementations.iter().copied());
            argument.clone().value_parser(names)
        }
        _ => argument.clone().value_hint(hint_of(argument)),
    });
    let inner = command.get_subcommands();
    Command::new(command.get_name().to_owned())
        .about(command.get_about().cloned().unwrap_or_default())
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .args(arguments)
        .subcommands(inner.map(|each| shown(each, implementations)))
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
    } else if is(&["DIR", "DIRECTORY"]) {
        ValueHint::DirPath
    } else if is(&[
        "FILE",
        "FILE.parquet",
        "MANIFEST",
        "MANIFEST|FILE",
        "OTHER",
        "PROOF",
        "LEAF",
        "OLD",
        "NEW",
        "MEASURED",
        "TABLE",
    ]) {
        ValueHint::FilePath
    } else {
        ValueHint::Other
    }
}

/// Makes bash complete operands as names of files, and hidden aliases like their commands.
fn mend_bash(script: &mut String, command: &Command, path: &str) {
    for inner in command.get_subcommands() {
        let name = inner.get_name();
        for alias in inner.get_all_aliases() {
            let case = format!("{path},{name})");
            *script = script.replace(&case, &format!("{path},{name} | {path},{alias})"));
        }
        mend_bash(script, inner, &format!("{path}{BASH_SEPARATOR}{name}"));
    }
    if command
        .get_positionals()
        .any(|each| values_of(each).is_empty())
    {
        // Without words, bash completes names of files.
        let start = format!("\n        {path})\n");
        let empty = format!("{start}            [[ ${{cur}} == -* ]] && ");
        *script = script.replace(&format!("{start}            "), &empty);
    }
}

/// Makes fish offer the values of operands instead of files, keep the order of values, and complete
/// hidden aliases like their commands.
fn mend_fish(script: &mut String, command: &Command, shown: &Command) {
    for inner in shown.get_subcommands() {
        let name = inner.get_name();
        let values: Vec<_> = inner.get_positionals().flat_map(values_of).collect();
        if !values.is_empty() {
            let values = values.join(" ");
            *script += &format!(
                "complete -c finalist -n \"__fish_finalist_using_subcommand {name}\" -f -k -a \"{values}\"\n"
            );
        }
    }
    *script = script.replace(" -r -f -a \"", " -r -f -k -a \"");
    for inner in command.get_subcommands() {
        let condition = format!("__fish_finalist_using_subcommand {}", inner.get_name());
        for alias in inner.get_all_aliases() {
            for end in [";", "\""] {
                let (old, new) = (
                    format!("{condition}{end}"),
                    format!("{condition} {alias}{end}"),
                );
                *script = script.replace(&old, &new);
            }
        }
    }
}

/// Makes zsh keep the order of algorithms, and complete hidden aliases like their commands.
fn mend_zsh(script: &mut String, command: &Command) {
    let names = Vec::from_iter(Algorithm::all().iter().map(|each| each.name())).join(" ");
    let in_order = format!("{{compadd -V algorithms \"$expl[@]\" - {names}}}");
    *script = script.replace(&format!("({names})"), &in_order);
    for inner in command.get_subcommands() {
        let name = inner.get_name();
        for alias in inner.get_all_aliases() {
            let case = format!("({name})\n_arguments");
            *script = script.replace(&case, &format!("({name}|{alias})\n_arguments"));
        }
    }
}

fn values_of(argument: &Arg) -> Vec<String> {
    let values = argument.get_possible_values();
    values
        .iter()
        .map(|value| value.get_name().to_owned())
        .collect()
}
