// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command-line tool `finalist`: checksums with BLAKE, BLAKE2, BLAKE3 and Grøstl.

#![deny(unsafe_code)]

mod bench;
mod check;
mod check_options;
mod choice;
mod failure;
mod generate;
mod hash_options;
mod json;
mod list;
mod manifest;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod math;
mod memory;
mod merkle;
mod old_and_new;
mod options;
mod output;
mod progress;
mod proof;
mod proof_file;
mod report;
mod root;
mod selftest;
mod stdio;
mod sum;
mod table;
mod tables;
mod tally;
mod usage;
mod value;

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::check_options::CheckOptions;
use crate::failure::{Failure, report};
use crate::options::{Options, star};
use finalist_files::message::reason;
use finalist_files::quote;

/// Checksums with the hash functions BLAKE, BLAKE2, BLAKE3 and Grøstl, at the speed of the CPU.
#[derive(Parser)]
#[command(
    name = "finalist",
    version,
    propagate_version = true,
    infer_long_args = true,
    subcommand_required = true
)]
#[command(after_help = "\
Examples:
  finalist sum -r DIRECTORY > LIST                 checksums of all files in it
  finalist check LIST                              verify the files
  finalist manifest create DIRECTORY -o M.parquet  one root over all files

Environment:
  FINALIST_IMPL=blake256=portable,groestl256=ttable64   choose implementations
  FINALIST_CPU=-avx512,-avx2                            hide CPU features")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

// Deferred: only the options of the chosen command are built.
#[derive(Subcommand)]
#[command(defer = true)]
enum Command {
    /// Print checksums of files
    #[command(long_about = SUM_ABOUT, after_help = SUM_EXAMPLES)]
    Sum(Box<Options>),
    /// Verify files against lists of checksums
    #[command(long_about = CHECK_ABOUT, after_help = CHECK_EXAMPLES)]
    Check(Box<CheckOptions>),
    /// Print roots and proofs of Merkle trees over files
    // Its name was "tree"; the alias remains until 0.2.
    #[command(subcommand, alias = "tree", long_about = merkle::ABOUT, after_help = merkle::EXAMPLES)]
    Merkle(merkle::MerkleCommand),
    /// Record the files of a directory with their digests and one root
    #[command(subcommand, long_about = manifest::ABOUT, after_help = manifest::EXAMPLES)]
    Manifest(manifest::ManifestCommand),
    /// Compare tables in Parquet, and print their roots
    #[command(subcommand, long_about = tables::ABOUT, after_help = tables::EXAMPLES)]
    Table(tables::TableCommand),
    /// List the implementations in this build
    #[command(after_help = list::EXAMPLES)]
    List(list::ListArgs),
    /// Test every implementation that this CPU supports with known answers
    #[command(after_help = selftest::EXAMPLES)]
    Selftest(selftest::SelftestArgs),
    /// Measure the speed of the implementations, in core cycles
    #[command(after_help = bench::EXAMPLES)]
    Bench(bench::BenchArgs),
    /// Compare all implementations on this CPU, in charts and tables
    #[command(long_about = report::ABOUT, after_help = report::EXAMPLES)]
    Report(report::ReportArgs),
}

const SUM_ABOUT: &str = "\
Print checksums of files. With no FILE, or when FILE is -, read standard input.

A line is: digest, space, space (or * with --binary), name. A name with a backslash, newline or \
carriage return is escaped, and its line starts with a backslash. Lines of blake2b are those of \
b2sum, lines of blake3 those of b3sum; but --length is in bits.

Lines do not record --key-file, --keyed, --derive-key, --seek, --salt and --personal: give them \
again to verify the lines.";

const SUM_EXAMPLES: &str = "\
Examples:
  finalist sum FILE                          BLAKE2b-512, as b2sum
  finalist sum -a groestl256 --tag *.iso     lines that name the algorithm
  finalist sum -r DIRECTORY > LIST           all files under a directory
  finalist sum -l 256 --key-file KEY FILE    keyed BLAKE2b with 256 bits
  finalist sum -a blake3 FILE                BLAKE3, as b3sum";

const CHECK_ABOUT: &str = "\
Verify files against lists of checksums, as \"finalist sum\", b2sum and others write them. With no \
FILE, or when FILE is -, read the list from standard input.

A tagged line names its algorithm; if -a names another one, the line counts as improperly formatted. \
For other lines -a names the algorithm (default: BLAKE2b), and the number of digits is the digest's \
length.

Lines do not record --key-file, --keyed, --derive-key, --seek, --salt and --personal: give the options \
with which they were made.";

const CHECK_EXAMPLES: &str = "\
Examples:
  finalist check LIST
  finalist check --quiet --strict LIST       print failures only
  finalist check -a blake2sp LIST            untagged lines of BLAKE2sp
  finalist check -C DIRECTORY LIST           files below another directory";

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let error = match arguments.get(1).is_some_and(|word| word == "table") {
        true => ExitCode::from(tables::ERROR),
        false => ExitCode::FAILURE,
    };
    match run(&arguments) {
        Ok(code) => code,
        Err(Failure::Message(text)) => {
            report(&text);
            error
        }
        Err(Failure::Misuse(lines)) => {
            complain(&lines, &arguments);
            error
        }
        // The reader of the lines has closed the pipe on purpose.
        Err(Failure::Output(cause)) if cause.kind() == ErrorKind::BrokenPipe => error,
        Err(Failure::Output(cause)) => {
            report(format!("write error: {}", reason(&cause)).as_bytes());
            error
        }
    }
}

fn run(arguments: &[OsString]) -> Result<ExitCode, Failure> {
    if arguments.get(1).is_some_and(|word| word == "generate") {
        return generate::run(&arguments[1..], Cli::command());
    }
    let mut matches = match Cli::command().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) if !error.use_stderr() => {
            stdio::print(error.render().to_string().as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        Err(error) if usage::asks_for_help(&error) => {
            let others = arguments.iter().filter(|word| *word != "help");
            return run(&others.cloned().collect::<Vec<_>>());
        }
        Err(error) => return Err(usage::misuse(&error, Cli::command(), arguments)),
    };
    let star = star(inner(&matches));
    let json = json::is_wanted(&matches);
    let cli = Cli::from_arg_matches_mut(&mut matches)
        .map_err(|error| usage::misuse(&error, Cli::command(), arguments))?;
    perform(cli.command, star).inspect_err(|failure| {
        if let (true, Failure::Message(text)) = (json, failure) {
            let text = quote::cleaned(text);
            let line = json::line(None, json::Verdict::error(&text));
            // A failure to write it must not hide the first one.
            let _ = stdio::print(&line);
        }
    })
}

fn perform(command: Command, star: Option<bool>) -> Result<ExitCode, Failure> {
    finalist::check_environment().map_err(|error| choice::unknown_item(&error))?;
    let code = match command {
        Command::Sum(mut options) => {
            options.star = star;
            match options.check {
                true => check::run(*options),
                false => sum::run(*options),
            }
        }
        Command::Check(options) => {
            let mut options = options.0;
            options.star = star;
            options.check = true;
            check::run(options)
        }
        Command::Merkle(command) => merkle::run(&command),
        Command::Manifest(command) => manifest::run(&command),
        Command::Table(command) => tables::run(&command),
        Command::List(args) => list::run(&args),
        Command::Selftest(args) => selftest::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Report(args) => report::run(&args),
    }?;
    stdio::check_stdin()?;
    Ok(code)
}

/// Returns the matches of the subcommand.
fn inner(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, inner)| inner)
}

/// Writes the errors of the command line, the first line after the tool's name, and a pointer to
/// the help.
fn complain(lines: &[String], arguments: &[OsString]) {
    let (name, _) = usage::named(Cli::command(), arguments);
    let lines = lines.join("\n");
    let lines = finalist_files::quote::cleaned(lines.as_bytes());
    let text = format!("finalist: {lines}\nTry '{name} --help' for more information.\n");
    // A failure to write to standard error cannot be reported.
    let _ = io::stderr().write_all(text.as_bytes());
}
