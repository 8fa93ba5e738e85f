// SPDX-License-Identifier: MIT OR Apache-2.0
//! The target of a report: a file that is replaced when it is complete, a folder of charts, or
//! standard output.
//!
//! The target is tested before minutes of measurement, but nothing remains there until the report
//! is complete: an interrupted run leaves nothing to remove.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Format;
use crate::failure::Failure;
use crate::hash_options::check_output;
use crate::stdio;
use finalist_bench::report::charts;
use finalist_bench::report::page::Chart;
use finalist_files::message::reason;
use finalist_files::new_file::NewFile;

pub enum Target {
    Output,
    /// A file to create or replace.
    File(PathBuf),
    /// Not a regular file, such as `/dev/null`.
    Device(PathBuf),
    Folder(PathBuf),
}

impl Target {
    /// Checks that the target can be written.
    pub fn open(output: Option<&Path>, format: Format) -> Result<Target, Failure> {
        let path = match (output, format) {
            (Some(path), Format::Svg) => return Target::folder(path),
            (None, Format::Svg) => return Target::folder(Path::new("report-charts")),
            (Some(path), _) if path == Path::new("-") => return Ok(Target::Output),
            (Some(path), _) => path,
            (None, Format::Html) => Path::new("report.html"),
            (None, Format::Json | Format::Csv | Format::Md) => return Ok(Target::Output),
        };
        if path.is_dir() {
            return Err(failure(path, "is a folder"));
        }
        if path.exists() && !path.is_file() {
            return Ok(Target::Device(path.to_owned()));
        }
        drop(begin(path)?);
        Ok(Target::File(path.to_owned()))
    }

    fn folder(path: &Path) -> Result<Target, Failure> {
        let existing = path.ancestors().find(|each| each.exists());
        let existing = existing.unwrap_or(Path::new("."));
        NamedTempFile::new_in(existing).map_err(|error| io_failure(path, &error))?;
        Ok(Target::Folder(path.to_owned()))
    }

    /// Writes the report and prints its path unless it goes to standard output.
    pub fn write(self, text: &str) -> Result<(), Failure> {
        match self {
            Target::Output => stdio::print(text.as_bytes()),
            Target::File(path) => {
                complete(&path, text)?;
                tell(&path)
            }
            Target::Device(path) => {
                fs::write(&path, text).map_err(|error| io_failure(&path, &error))
            }
            Target::Folder(path) => Err(failure(&path, "is a folder")),
        }
    }

    /// Writes charts into the folder, unless one would replace an input.
    pub fn write_charts(self, all: &[&Chart], inputs: &[PathBuf]) -> Result<(), Failure> {
        match self {
            Target::Folder(path) => {
                write_all(&path, all, inputs)?;
                tell(&path)
            }
            _ => Err(Failure::message("report: charts need a folder")),
        }
    }

    /// Writes charts into a folder, named like the file without its extension, unless one would
    /// replace an input. Returns the folder's name, or `None` for standard output.
    pub fn write_charts_beside(
        &self,
        all: &[&Chart],
        inputs: &[PathBuf],
    ) -> Result<Option<String>, Failure> {
        let Target::File(path) = self else {
            return Ok(None);
        };
        let folder = path.with_extension("");
        if all.is_empty() || folder == *path {
            return Ok(None);
        }
        write_all(&folder, all, inputs)?;
        Ok(folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned()))
    }
}

fn write_all(folder: &Path, all: &[&Chart], inputs: &[PathBuf]) -> Result<(), Failure> {
    let file = |chart: &Chart| folder.join(format!("{}.svg", chart.name));
    for chart in all {
        check_output(&file(chart), inputs)?;
    }
    fs::create_dir_all(folder).map_err(|error| io_failure(folder, &error))?;
    for chart in all {
        let path = file(chart);
        complete(&path, &charts::standalone(&chart.svg.wide))?;
    }
    Ok(())
}

fn begin(path: &Path) -> Result<NewFile, Failure> {
    NewFile::create(path, None).map_err(|error| io_failure(path, &error))
}

/// Prints only the path to standard output.
fn tell(path: &Path) -> Result<(), Failure> {
    stdio::print(format!("{}\n", path.display()).as_bytes())
}

fn complete(path: &Path, text: &str) -> Result<(), Failure> {
    let file = begin(path)?;
    let written = file
        .writer()
        .and_then(|mut out| out.write_all(text.as_bytes()));
    written
        .and_then(|()| file.complete().map(drop))
        .map_err(|error| io_failure(path, &error))
}

fn failure(path: &Path, what: &str) -> Failure {
    Failure::message(format!("report: {}: {what}", path.display()))
}

fn io_failure(path: &Path, error: &io::Error) -> Failure {
    failure(path, &reason(error))
}
