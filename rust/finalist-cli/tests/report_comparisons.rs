// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests `finalist report --compare` with made-up files of measurements.

mod common;

use common::reports::{folder, report, slow_down, text, write_measured};
use serde_json::{Value, json};

#[test]
fn a_kernel_that_lost_5_percent_is_flagged() {
    let dir = folder();
    write_measured(&dir, "old.json", |_| {});
    write_measured(&dir, "same.json", |value| slow_down(value, "avx512", 1.01));
    let same = report(&dir, "--compare old.json same.json");
    assert_eq!(same.code, Some(0), "{same:?}");
    assert!(text(&same.stdout).contains("No row changed"), "{same:?}");

    write_measured(&dir, "new.json", |value| {
        // With other rows and another clock, only the ratios show the change.
        let rows = value["rows"].as_array_mut().expect("rows");
        let mut third = rows[0].clone();
        third["bytes"] = json!(2048);
        rows.push(third);
        slow_down(value, "avx512", 1.05 * 1.1);
        slow_down(value, "portable", 1.1);
    });
    write_measured(&dir, "older.json", |value| {
        let rows = value["rows"].as_array_mut().expect("rows");
        let mut third = rows[0].clone();
        third["bytes"] = json!(2048);
        rows.push(third);
    });
    write_measured(&dir, "noisy.json", |value| {
        slow_down(value, "avx512", 1.05);
        for row in value["rows"].as_array_mut().expect("rows") {
            if row["implementation"] == "avx512" {
                row["q3"] = json!(4.0);
            }
        }
    });
    let noisy = report(&dir, "--compare old.json noisy.json");
    assert_eq!(noisy.code, Some(0), "{noisy:?}");
    assert!(
        text(&noisy.stdout).contains("4 left out as too noisy"),
        "{noisy:?}"
    );
    let noisy = report(&dir, "--compare noisy.json old.json");
    assert!(text(&noisy.stdout).contains("4 left out as too noisy"));
    let slower = report(&dir, "--compare older.json new.json");
    assert_eq!(slower.code, Some(1), "{slower:?}");
    let lines: Vec<_> = text(&slower.stdout)
        .lines()
        .filter(|l| l.starts_with("slower"))
        .collect();
    assert_eq!(lines.len(), 4, "{slower:?}");
    assert!(
        lines
            .iter()
            .all(|line| line.contains("avx512") && line.contains("1.050")),
        "{lines:?}"
    );
}

/// Sets the figures of the first row: cycles, and the ends of the median's interval.
fn set_first(value: &mut Value, cycles: f64, low: f64, high: f64) {
    let row = &mut value["rows"][0];
    for (field, figure) in [("cycles", cycles), ("low", low), ("high", high)] {
        row[field] = json!(figure);
    }
    (row["q1"], row["q3"]) = (json!(cycles), json!(cycles));
}

/// A row changed if it is more than 2.5 % from the others and the medians' intervals do not touch.
#[test]
fn a_change_is_large_and_sure() {
    let dir = folder();
    for (old, new, change) in [
        ([1.0, 1.0, 1.0], [1.025, 1.025, 1.025], None),
        ([1.0, 1.0, 1.0], [1.026, 1.026, 1.026], Some("slower")),
        ([1.0, 1.0, 1.0], [0.975, 0.975, 0.975], None),
        ([1.0, 1.0, 1.0], [0.974, 0.974, 0.974], Some("faster")),
        ([4.0, 3.5, 4.5], [5.0, 4.5, 5.5], None),
        ([4.0, 3.5, 4.5], [5.0, 4.6, 5.5], Some("slower")),
        ([4.0, 3.5, 4.5], [3.0, 2.5, 3.5], None),
        ([4.0, 3.5, 4.5], [3.0, 2.5, 3.4], Some("faster")),
    ] {
        for (name, [cycles, low, high]) in [("old.json", old), ("new.json", new)] {
            write_measured(&dir, name, |value| set_first(value, cycles, low, high));
        }
        let done = report(&dir, "--compare old.json new.json");
        assert_eq!(done.code, Some(i32::from(change == Some("slower"))));
        let printed = text(&done.stdout);
        assert!(
            printed.contains("7 rows (87.5 %) within 2 %\n"),
            "{printed}"
        );
        assert_eq!(printed.contains("No row changed.\n"), change.is_none());
        let changed = |word| printed.lines().any(|line| line.starts_with(word));
        for word in ["slower", "faster"] {
            assert_eq!(changed(word), change == Some(word), "{new:?}: {printed}");
        }
        if let Some(word) = change {
            let cells_after = |start: &str| {
                let line = printed
                    .lines()
                    .find(|line| line.trim_start().starts_with(start));
                let mut last: Vec<_> = line.unwrap_or_default().split_whitespace().rev().collect();
                last.truncate(3);
                last
            };
            assert_eq!(cells_after("row "), ["ratio", "new", "old"]);
            let ratio = format!("{:.3}", new[0] / old[0]);
            let [old, new] = [old, new].map(|[cycles, ..]| format!("{cycles:.2}"));
            assert_eq!(cells_after(word), [ratio, new, old]);
        }
    }
}

#[test]
fn rows_of_one_file_alone_and_other_cpus_are_told() {
    let dir = folder();
    write_measured(&dir, "all.json", |_| {});
    write_measured(&dir, "less.json", |value| {
        value["rows"].as_array_mut().expect("rows").remove(0);
    });
    write_measured(&dir, "other.json", |value| {
        value["machine"]["model"] = json!(18);
    });
    let alone = "only in the old file";
    let cpus = "The files are of different CPUs.\n";
    for (files, told, untold) in [
        ("all.json all.json", "8 rows compared", alone),
        ("all.json all.json", "8 rows compared", cpus),
        (
            "all.json less.json",
            "1 row only in the old file, 0 only in the new\n",
            cpus,
        ),
        (
            "less.json all.json",
            "0 rows only in the old file, 1 only in the new\n",
            cpus,
        ),
        ("all.json other.json", cpus, alone),
    ] {
        let done = report(&dir, &format!("--compare {files}"));
        assert_eq!(done.code, Some(0), "{done:?}");
        let printed = text(&done.stdout);
        assert!(printed.contains(told), "{files}: {printed}");
        assert!(!printed.contains(untold), "{files}: {printed}");
    }
}

#[test]
fn files_that_cannot_be_compared_are_refused() {
    let dir = folder();
    write_measured(&dir, "m.json", |_| {});
    write_measured(&dir, "ns.json", |value| {
        value["unit"] = json!("ns per byte")
    });
    let change_all = |field: &'static str, to: Value| {
        move |value: &mut Value| {
            for row in value["rows"].as_array_mut().expect("rows") {
                row[field] = to.clone();
            }
        }
    };
    write_measured(&dir, "other.json", change_all("bytes", json!(7)));
    write_measured(&dir, "noisy.json", change_all("q3", json!(9)));
    for (file, why) in [
        (
            "ns.json",
            "the units differ: 'core cycles per byte' and 'ns per byte'",
        ),
        ("other.json", "the two files have no row in common"),
        ("noisy.json", "every row is too noisy to compare"),
    ] {
        let refused = report(&dir, &format!("--compare m.json {file}"));
        assert_eq!((refused.code, text(&refused.stdout)), (Some(1), ""));
        let last = text(&refused.stderr).lines().last();
        assert_eq!(last, Some(&*format!("finalist: report: {why}")));
    }
}
