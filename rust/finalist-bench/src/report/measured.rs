// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of measurements, `measured/*.json`: a machine, its clock, the implementations and a row
//! for each figure.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use finalist::{Implementation, implementations};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::machine::Machine;
use finalist_files::message::reason;

pub const FORMAT: &str = "finalist-measured";
pub const VERSION: u64 = 1;
/// A hundred times the length of the longest file so far.
const FILE_BYTES_MAX: u64 = 32 << 20;
pub const CORE_CYCLES: &str = "core cycles per byte";
/// The name for the library's own choice.
pub const AUTOMATIC: &str = "automatic";

/// One machine, measured once.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The unit of `cycles`, `q1`, `q3`, `low` and `high` of a row.
    pub unit: String,
    pub machine: Machine,
    pub build: Build,
    pub clock: Calibration,
    pub method: Method,
    pub implementations: Vec<Known>,
    pub rows: Vec<Cost>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Build {
    pub finalist: String,
    pub compiler: String,
    pub flags: String,
}

/// Core cycles in a tick, over all measurements.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Calibration {
    pub tick: String,
    /// Ticks in a second.
    pub frequency: Option<f64>,
    pub cycles_per_tick: f64,
    pub q1: f64,
    pub q3: f64,
}

impl Calibration {
    /// Returns the quartiles' distance divided by the median.
    pub fn spread(&self) -> f64 {
        (self.q3 - self.q1) / self.cycles_per_tick
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Method {
    pub date: String,
    pub command: String,
    /// Visits to each row, all rows in turn.
    pub rounds: usize,
    pub seconds: f64,
    /// Batches during which another hyperthread shared the core were repeated.
    #[serde(default)]
    pub alone: bool,
    /// Batches during which the system took the core away were repeated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undisturbed: bool,
}

/// An implementation as `finalist list` shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Known {
    pub algorithm: String,
    pub implementation: String,
    pub mode: String,
    pub lanes: u32,
    pub block_bytes: usize,
    pub bound_cycles: Option<u32>,
    pub constant_time: bool,
    pub supported: bool,
    pub selected: bool,
    pub technique: String,
    pub source: String,
}

impl From<Implementation> for Known {
    fn from(each: Implementation) -> Known {
        Known {
            algorithm: each.algorithm.to_owned(),
            implementation: each.name.to_owned(),
            mode: each.mode.to_owned(),
            lanes: each.lanes,
            block_bytes: each.block_bytes,
            bound_cycles: each.bound_cycles,
            constant_time: each.constant_time,
            supported: each.supported,
            selected: each.selected,
            technique: each.technique.to_owned(),
            source: each.source.to_owned(),
        }
    }
}

impl Known {
    pub fn all() -> Vec<Known> {
        implementations().into_iter().map(Known::from).collect()
    }
}

/// The cost of a byte: a row of the file. `low` and `high` are the median's bootstrap interval.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cost {
    pub algorithm: String,
    pub implementation: String,
    pub mode: String,
    pub threads: u32,
    /// The number of messages hashed by one call.
    pub messages: usize,
    /// The length of one message.
    pub bytes: usize,
    pub cycles: f64,
    pub q1: f64,
    pub q3: f64,
    #[serde(default)]
    pub low: Option<f64>,
    #[serde(default)]
    pub high: Option<f64>,
    pub ticks: f64,
    /// Every batch was disturbed by another program, so that the quartiles may agree on a wrong
    /// figure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disturbed: bool,
}

/// The key of a row in its file.
pub type Key<'a> = (&'a str, &'a str, &'a str, u32, usize, usize);

impl Cost {
    pub fn key(&self) -> Key<'_> {
        (
            &self.algorithm,
            &self.implementation,
            &self.mode,
            self.threads,
            self.messages,
            self.bytes,
        )
    }

    /// Returns the quartiles' distance divided by the median.
    pub fn spread(&self) -> f64 {
        (self.q3 - self.q1) / self.cycles
    }
}

impl Measured {
    /// Returns the description of an implementation.
    pub fn known(&self, algorithm: &str, implementation: &str) -> Option<&Known> {
        self.implementations
            .iter()
            .find(|known| known.algorithm == algorithm && known.implementation == implementation)
    }

    pub fn find(&self, key: Key<'_>) -> Option<&Cost> {
        self.rows.iter().find(|row| row.key() == key)
    }

    /// Formats JSON with one row on a line.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let mut text = String::from("{\n");
        let mut field = |name: &str, value: String| {
            let comma = if name == "rows" { "" } else { "," };
            text.push_str(&format!("  \"{name}\": {value}{comma}\n"));
        };
        field("format", serde_json::to_string(FORMAT)?);
        field("version", VERSION.to_string());
        field("unit", serde_json::to_string(&self.unit)?);
        field("machine", serde_json::to_string(&self.machine)?);
        field("build", serde_json::to_string(&self.build)?);
        field("clock", serde_json::to_string(&self.clock)?);
        field("method", serde_json::to_string(&self.method)?);
        field("implementations", lines(&self.implementations)?);
        field("rows", lines(&self.rows)?);
        text.push_str("}\n");
        Ok(text)
    }

    /// Reads a file. Errors that leave the rest usable go to `problems`.
    ///
    /// # Errors
    /// Returns the reason why the file is unusable.
    pub fn read(path: &Path, problems: &mut Vec<String>) -> Result<Measured, String> {
        let name = path.display();
        let mut text = String::new();
        let read =
            File::open(path).and_then(|file| file.take(FILE_BYTES_MAX).read_to_string(&mut text));
        let bytes = read.map_err(|error| format!("{name}: {}", reason(&error)))?;
        if bytes as u64 == FILE_BYTES_MAX {
            return Err(format!("{name}: longer than any file that report writes"));
        }
        Measured::parse(&text, &name.to_string(), problems)
            .map_err(|what| format!("{name}: {what}"))
    }

    pub fn parse(text: &str, name: &str, problems: &mut Vec<String>) -> Result<Measured, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| match error.is_eof() {
            true => format!("is cut short: ends in line {}", error.line()),
            false => format!("is not JSON: {error}"),
        })?;
        let Value::Object(mut object) = value else {
            return Err("is not a file of finalist report --format json".to_owned());
        };
        check_format(&object)?;
        let rows = take(&mut object, "rows")?;
        let mut measured = Measured {
            unit: take(&mut object, "unit")?,
            machine: take(&mut object, "machine")?,
            build: take(&mut object, "build")?,
            clock: take(&mut object, "clock")?,
            method: take(&mut object, "method")?,
            implementations: take(&mut object, "implementations")?,
            rows: Vec::new(),
        };
        measured.take_rows(rows, name, problems);
        if measured.unit != CORE_CYCLES {
            let unit = &measured.unit;
            problems.push(format!(
                "{name}: its unit is '{unit}', not '{CORE_CYCLES}': not compared with other machines"
            ));
        }
        Ok(measured)
    }

    /// Keeps the rows that can be shown, and names the others.
    fn take_rows(&mut self, rows: Vec<Value>, name: &str, problems: &mut Vec<String>) {
        let mut unknown = BTreeSet::new();
        for (index, row) in rows.into_iter().enumerate() {
            let row: Cost = match serde_json::from_value(row) {
                Ok(row) => row,
                Err(error) => {
                    problems.push(format!("{name}: row {}: {error}", index + 1));
                    continue;
                }
            };
            let figures = [row.cycles, row.q1, row.q3];
            let sound = figures
                .iter()
                .all(|figure| figure.is_finite() && *figure > 0.0);
            if !sound || row.bytes == 0 || row.messages == 0 {
                problems.push(format!(
                    "{name}: row {}: a figure is not positive",
                    index + 1
                ));
                continue;
            }
            if row.implementation != AUTOMATIC
                && self.known(&row.algorithm, &row.implementation).is_none()
            {
                unknown.insert(format!("{}={}", row.algorithm, row.implementation));
                continue;
            }
            self.rows.push(row);
        }
        for what in unknown {
            problems.push(format!(
                "{name}: {what} is not among the file's implementations: left out"
            ));
        }
    }
}

/// Formats a JSON array with one element on a line.
fn lines<T: Serialize>(elements: &[T]) -> Result<String, serde_json::Error> {
    let lines: Result<Vec<String>, _> = elements.iter().map(serde_json::to_string).collect();
    Ok(format!("[\n    {}\n  ]", lines?.join(",\n    ")))
}

fn check_format(object: &Map<String, Value>) -> Result<(), String> {
    if object.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err("is not a file of finalist report --format json".to_owned());
    }
    match object.get("version").and_then(Value::as_u64) {
        Some(VERSION) => Ok(()),
        Some(version) => Err(format!(
            "is of version {version} of the format, and this finalist reads version {VERSION}"
        )),
        None => Err("does not say its version".to_owned()),
    }
}

fn take<T: DeserializeOwned>(object: &mut Map<String, Value>, field: &str) -> Result<T, String> {
    let value = object
        .remove(field)
        .ok_or_else(|| format!("has no '{field}'"))?;
    serde_json::from_value(value).map_err(|error| format!("'{field}': {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn implementations_are_those_of_the_library() {
        for (known, each) in Known::all().iter().zip(implementations()) {
            let expected = json!({
                "algorithm": each.algorithm,
                "implementation": each.name,
                "mode": each.mode,
                "lanes": each.lanes,
                "block_bytes": each.block_bytes,
                "bound_cycles": each.bound_cycles,
                "constant_time": each.constant_time,
                "supported": each.supported,
                "selected": each.selected,
                "technique": each.technique,
                "source": each.source,
            });
            assert_eq!(json!(known), expected);
        }
        assert_eq!(Known::all().len(), implementations().len());
    }
}
