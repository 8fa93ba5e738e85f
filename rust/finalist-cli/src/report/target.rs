// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a report goes: a file that is replaced when it is complete, a folder of charts, or standard
//! output.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Format;
use super::charts;
use super::page::Chart;
use crate::failure::{Failure, reason};
use crate::new_file::NewFile;
use crate::stdio;

pub enum Target {
    Output,
    /// A file that is to be made or replaced, and its name.
    File(NewFile, PathBuf),
    /// What is no regular file, as `/dev/null`.
    Device(PathBuf),
    Folder(PathBuf),
}

impl Target {
    /// Checks that the place can be written.
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
        Ok(Target::File(begin(path)?, path.to_owned()))
    }

    fn folder(path: &Path) -> Result<Target, Failure> {
        fs::create_dir_all(path).map_err(|error| io_failure(path, &error))?;
        NamedTempFile::new_in(path).map_err(|error| io_failure(path, &error))?;
        Ok(Target::Folder(path.to_owned()))
    }

    pub fn write(self, text: &str) -> Result<(), Failure> {
        match self {
            Target::Output => stdio::print(text.as_bytes()),
            Target::File(file, path) => complete(file, &path, text),
            Target::Device(path) => {
                fs::write(&path, text).map_err(|error| io_failure(&path, &error))
            }
            Target::Folder(path) => Err(failure(&path, "is a folder")),
        }
    }

    /// Writes charts into the folder.
    pub fn write_charts(self, all: &[&Chart]) -> Result<(), Failure> {
        match self {
            Target::Folder(path) => write_all(&path, all),
            _ => Err(Failure::message("report: charts need a folder")),
        }
    }

    /// Writes charts into a folder with the name of the file but its extension, and tells its name.
    /// Standard output has none.
    pub fn write_charts_beside(&self, all: &[&Chart]) -> Result<Option<String>, Failure> {
        let Target::File(_, path) = self else {
            return Ok(None);
        };
        let folder = path.with_extension("");
        if all.is_empty() || folder == *path {
            return Ok(None);
        }
        fs::create_dir_all(&folder).map_err(|error| io_failure(&folder, &error))?;
        write_all(&folder, all)?;
        Ok(folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned()))
    }
}

fn write_all(folder: &Path, all: &[&Chart]) -> Result<(), Failure> {
    for chart in all {
        let path = folder.join(format!("{}.svg", chart.name));
        complete(begin(&path)?, &path, &charts::standalone(&chart.svg))?;
    }
    Ok(())
}

fn begin(path: &Path) -> Result<NewFile, Failure> {
    NewFile::create(path, None).map_err(|error| io_failure(path, &error))
}

fn complete(file: NewFile, path: &Path, text: &str) -> Result<(), Failure> {
    let written = file
        .writer()
        .and_then(|mut out| out.write_all(text.as_bytes()));
    written
        .and_then(|()| file.complete())
        .map_err(|error| io_failure(path, &error))
}

fn failure(path: &Path, what: &str) -> Failure {
    Failure::message(format!("report: {}: {what}", path.display()))
}

fn io_failure(path: &Path, error: &io::Error) -> Failure {
    failure(path, &reason(error))
}
