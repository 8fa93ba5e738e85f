// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist report`: what every implementation is worth on this CPU, in charts and tables.

mod compare;
mod target;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use finalist_bench::report::measure::{self, Plan};
use finalist_bench::report::measured::Measured;
use finalist_bench::report::{MACHINES, SECTIONS, charts_of, csv, html, markdown, page};

use self::target::Target;
use crate::failure::{Failure, report};
use crate::hash_options::check_output;
use crate::value::number;

/// A day.
const SECONDS_MAX: u64 = 24 * 60 * 60;
const NOT_MEASURED: &str =
    "--quick, --seconds and --remark are for measuring: with files to read they need --measure";

pub const ABOUT: &str = "\
Compare all implementations on this CPU, in charts and tables, with the papers' figures.

Without MEASURED files, the report measures this machine, which takes about seven minutes, or one \
with --quick. With files that \"finalist report --format json\" wrote, it shows them side by side, and \
with --measure also this machine.";

pub const EXAMPLES: &str = "\
Examples:
  finalist report                              measure; write report.html
  finalist report --quick -o quick.html        the same in about a minute
  finalist report --format json -o zen4.json   measure; keep the raw figures
  finalist report zen4.json golden-cove.json   two machines side by side
  finalist report --format svg -o charts zen4.json
  finalist report --compare before.json after.json";

#[derive(Args)]
pub struct ReportArgs {
    /// Files of measurements to show
    #[arg(value_name = "MEASURED")]
    files: Vec<PathBuf>,

    /// Write to FILE, of svg a folder [default: report.html; standard output for json, csv and md]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Format of the report: a page, charts, raw figures (json, csv), or tables
    #[arg(long, value_enum, default_value_t = Format::Html)]
    format: Format,

    /// Write this section only
    #[arg(long, value_name = "SECTION", value_parser = PossibleValuesParser::new(SECTIONS))]
    only: Option<String>,

    /// Measure for one minute instead of seven
    #[arg(long)]
    quick: bool,

    /// Measure for N seconds, and trees as with --quick
    #[arg(long, value_name = "N", allow_hyphen_values = true, conflicts_with = "quick",
          value_parser = number(1..=SECONDS_MAX))]
    seconds: Option<u64>,

    /// Also measure this machine if files are given
    #[arg(long)]
    measure: bool,

    /// A remark about the machine
    #[arg(long, value_name = "TEXT", default_value = "")]
    remark: String,

    /// Show which rows are slower or faster in the second file than in the first
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"],
          conflicts_with_all = ["files", "output", "format", "only", "measure", "quick", "seconds", "remark"])]
    compare: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Html,
    Svg,
    Json,
    Csv,
    Md,
}

pub fn run(args: &ReportArgs) -> Result<ExitCode, Failure> {
    if let [old, new] = args.compare.as_slice() {
        let (files, _) = read(&[old.clone(), new.clone()])?;
        return match files.as_slice() {
            [old, new] => compare::run(old, new),
            _ => Ok(ExitCode::FAILURE),
        };
    }
    let is_measured = args.files.is_empty() || args.measure;
    if !is_measured && (args.quick || args.seconds.is_some() || !args.remark.is_empty()) {
        return Err(Failure::misuse(NOT_MEASURED));
    }
    // Fail before minutes of measurement, not after.
    let count = args.files.len() + usize::from(is_measured);
    if count == 1 && args.only.as_deref() == Some(MACHINES) {
        let text = format!("--only {MACHINES} compares machines: name several files");
        return Err(Failure::misuse(text));
    }
    if count > 1 && args.format == Format::Json {
        return Err(Failure::misuse("--format json is of one machine"));
    }
    if args.only.is_some() && matches!(args.format, Format::Json | Format::Csv) {
        return Err(Failure::misuse(
            "--only is for the formats html, svg and md",
        ));
    }
    let target = Target::open(args.output.as_deref(), args.format)?;
    if let Target::File(file) = &target {
        check_output(file, &args.files)?;
    }
    let (mut machines, problems) = read(&args.files)?;
    if is_measured {
        machines.insert(0, measure_here(args)?);
    }
    if machines.is_empty() {
        return Err(Failure::message("report: none of the files can be shown"));
    }
    write(args, target, &machines, &problems)?;
    Ok(match problems.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Reads all readable files. Reports and returns problems.
fn read(paths: &[PathBuf]) -> Result<(Vec<Measured>, Vec<String>), Failure> {
    let mut problems = Vec::new();
    let mut files = Vec::new();
    for path in paths {
        match Measured::read(path, &mut problems) {
            Ok(file) => files.push(file),
            Err(problem) => problems.push(problem),
        }
    }
    for problem in &problems {
        report(format!("report: {problem}").as_bytes());
    }
    Ok((files, problems))
}

fn measure_here(args: &ReportArgs) -> Result<Measured, Failure> {
    let (plan, option) = match args.seconds {
        Some(seconds) => (Plan::seconds(seconds), format!(" --seconds {seconds}")),
        None if args.quick => (Plan::quick(), " --quick".to_owned()),
        None => (Plan::whole(), String::new()),
    };
    let command = format!("finalist report{option}");
    let measured = measure::measure(&plan, command, &args.remark, &mut |text| {
        report(text.as_bytes());
    })?;
    if let Some(noise) = measured.noise() {
        report(format!("report: {noise}").as_bytes());
    }
    Ok(measured)
}

fn write(
    args: &ReportArgs,
    target: Target,
    machines: &[Measured],
    problems: &[String],
) -> Result<(), Failure> {
    match args.format {
        Format::Json => {
            // There is one.
            let text = machines[0].to_json();
            let text = text.map_err(|error| Failure::message(format!("report: {error}")))?;
            target.write(&text)
        }
        Format::Csv => target.write(&csv::text(machines)?),
        Format::Html => target.write(&html::page(&page(
            machines,
            problems,
            args.only.as_deref(),
        )?)),
        Format::Md => {
            let page = page(machines, problems, args.only.as_deref())?;
            let folder = target.write_charts_beside(&charts_of(&page.sections), &args.files)?;
            let folder = folder.as_deref();
            match (&args.only, page.sections.as_slice()) {
                (Some(_), [section]) => target.write(&markdown::section(section, folder)),
                _ => target.write(&markdown::page(&page, folder)),
            }
        }
        Format::Svg => {
            let page = page(machines, problems, args.only.as_deref())?;
            target.write_charts(&charts_of(&page.sections), &args.files)
        }
    }
}
