// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes all rows of all machines as CSV.

use super::measured::Measured;
use crate::error::Error;

const HEAD: [&str; 15] = [
    "machine",
    "date",
    "algorithm",
    "implementation",
    "mode",
    "threads",
    "messages",
    "bytes",
    "unit",
    "median",
    "q1",
    "q3",
    "low",
    "high",
    "ticks_per_byte",
];

pub fn text(machines: &[Measured]) -> Result<String, Error> {
    let failure = |error: String| Error::message(format!("report: CSV: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer
        .write_record(HEAD)
        .map_err(|error| failure(error.to_string()))?;
    for measured in machines {
        let machine = measured.machine.name();
        for row in &measured.rows {
            let optional = |value: Option<f64>| value.map_or(String::new(), |v| v.to_string());
            let record = [
                machine.clone(),
                measured.method.date.clone(),
                row.algorithm.clone(),
                row.implementation.clone(),
                row.mode.clone(),
                row.threads.to_string(),
                row.messages.to_string(),
                row.bytes.to_string(),
                measured.unit.clone(),
                row.cycles.to_string(),
                row.q1.to_string(),
                row.q3.to_string(),
                optional(row.low),
                optional(row.high),
                row.ticks.to_string(),
            ];
            writer
                .write_record(record)
                .map_err(|error| failure(error.to_string()))?;
        }
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| failure(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| failure(error.to_string()))
}
