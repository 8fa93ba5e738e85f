// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes up files of measurements and runs `finalist report`.

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Done, Text, words, write};

/// Returns an empty folder.
pub fn folder() -> TempDir {
    TempDir::new().expect("a temporary directory can be made")
}

/// Returns an output as text.
pub fn text(bytes: &Text) -> &str {
    std::str::from_utf8(&bytes.0).expect("UTF-8")
}

/// Runs `finalist report` with the words of a line.
pub fn report(dir: &TempDir, line: &str) -> Done {
    words(dir, &format!("report {line}"))
}

/// Returns a small file of measurements.
pub fn measured() -> Value {
    let implementation = |name: &str, selected: bool| {
        json!({"algorithm": "blake2b", "implementation": name, "mode": "single", "lanes": 1,
            "block_bytes": 128, "bound_cycles": 288, "constant_time": true, "supported": true,
            "selected": selected, "technique": "t", "source": "s"})
    };
    let row = |name: &str, bytes: usize, cycles: f64| {
        let times = |factor: f64| (cycles * factor * 1e4).round() / 1e4;
        json!({"algorithm": "blake2b", "implementation": name, "mode": "single", "threads": 1,
            "messages": 1, "bytes": bytes, "cycles": cycles, "q1": times(0.998),
            "q3": times(1.002), "low": times(0.999), "high": times(1.001), "ticks": cycles})
    };
    let mut rows = Vec::new();
    for bytes in [1, 64, 1024, 4096] {
        rows.push(row("portable", bytes, 3.7));
        rows.push(row("avx512", bytes, 3.0));
    }
    json!({"format": "finalist-measured", "version": 1, "unit": "core cycles per byte",
        "machine": {"vendor": "AuthenticAMD", "family": 25, "model": 17, "stepping": 1,
            "brand": "A <brand>", "microarchitecture": "Zen 4", "core": "", "architecture": "x86_64",
            "system": "linux", "cpus": 2, "virtual": true},
        "build": {"finalist": "0.1.0", "compiler": "gcc", "flags": "-O3"},
        "clock": {"tick": "TSC", "frequency": 2.6e9, "cycles_per_tick": 1.4, "q1": 1.39, "q3": 1.41},
        "method": {"date": "2026-11-22", "command": "finalist report", "rounds": 9, "seconds": 1.0,
            "alone": true},
        "implementations": [implementation("portable", false), implementation("avx512", true)],
        "rows": rows})
}

/// Writes the small file with changes.
pub fn write_measured(dir: &TempDir, name: &str, change: impl FnOnce(&mut Value)) {
    let mut value = measured();
    change(&mut value);
    write(dir, name, value.to_string());
}

/// Multiplies the figures of an implementation's rows.
pub fn slow_down(value: &mut Value, implementation: &str, factor: f64) {
    for row in value["rows"].as_array_mut().expect("rows") {
        if row["implementation"] == implementation {
            for field in ["cycles", "q1", "q3", "low", "high"] {
                row[field] = json!(row[field].as_f64().expect("a figure") * factor);
            }
        }
    }
}
