// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests `finalist report` with made-up files of measurements and a short one of this machine.

mod common;

use std::fs;
use std::path::Path;

use common::reports::{folder, measured, report, text, write_measured};
use common::{program, write};
use serde_json::{Value, json};

#[test]
fn every_format_is_written() {
    let dir = folder();
    write_measured(&dir, "m.json", |_| {});
    let page = report(&dir, "m.json -o page.html");
    assert_eq!(page.code, Some(0), "{page:?}");
    assert_eq!(text(&page.stdout), "page.html\n");
    let html = std::fs::read_to_string(dir.path().join("page.html")).expect("the page");
    assert!(html.contains("A &lt;brand&gt;") && html.contains("<svg"));
    for outside in ["<script", "src=", "href=\"http", "url(", "@import"] {
        assert!(!html.contains(outside), "{outside}");
    }
    let svg = report(&dir, "m.json --format svg -o charts");
    assert_eq!(svg.code, Some(0), "{svg:?}");
    assert_eq!(text(&svg.stdout), "charts\n");
    let charts = std::fs::read_dir(dir.path().join("charts")).expect("the charts");
    let mut charts: Vec<_> = charts
        .map(|each| each.expect("a chart").file_name())
        .collect();
    charts.sort();
    assert_eq!(
        charts,
        ["blake2b-single.svg", "lengths.svg", "selected.svg"]
    );
    // Without a name, a report and its charts have these.
    for (line, name) in [
        ("m.json", "report.html"),
        ("m.json --format svg", "report-charts"),
    ] {
        let done = report(&dir, line);
        assert_eq!(text(&done.stdout), format!("{name}\n"), "{done:?}");
        assert!(dir.path().join(name).exists(), "{name}");
    }
    // A report replaces an older one, and needs no extension.
    let page = report(&dir, "m.json -o page.html");
    assert_eq!(text(&page.stdout), "page.html\n");
    let page = report(&dir, "m.json --format md -o page");
    assert_eq!(text(&page.stdout), "page\n");
    // Without charts, no folder lies beside it.
    let page = report(&dir, "m.json --format md --only method -o method.md");
    assert_eq!(text(&page.stdout), "method.md\n");
    assert!(!dir.path().join("method").exists());
    let csv = report(&dir, "m.json --format csv");
    assert_eq!(text(&csv.stdout).lines().count(), 9, "{csv:?}");
    let md = report(&dir, "m.json --format md --only selected");
    assert!(
        text(&md.stdout).contains("| blake2b | 3.70 | avx512 | 384 | 3.00 | 867 | 1.33 |"),
        "{md:?}"
    );
    let json = report(&dir, "m.json --format json");
    let mut again: Value = serde_json::from_slice(&json.stdout.0).expect("JSON");
    again["machine"]
        .as_object_mut()
        .expect("an object")
        .remove("remark");
    assert_eq!(again, measured());
}

#[test]
fn a_bad_file_is_named_and_the_rest_is_shown() {
    let dir = folder();
    write_measured(&dir, "good.json", |_| {});
    write_measured(&dir, "version.json", |value| value["version"] = json!(2));
    write_measured(&dir, "unit.json", |value| {
        value["unit"] = json!("ns per byte")
    });
    write_measured(&dir, "unknown.json", |value| {
        value["rows"][0]["implementation"] = json!("magic");
        value["rows"][1]["cycles"] = json!(-1.0);
        value["rows"][2]["bytes"] = json!("four");
    });
    let whole = measured().to_string();
    write(&dir, "short.json", &whole[..whole.len() / 2]);
    write(&dir, "other.json", "[1, 2]");
    let line = "good.json version.json unit.json unknown.json short.json other.json missing.json \
                -o page.html";
    let done = report(&dir, line);
    assert_eq!(done.code, Some(1), "{done:?}");
    let html = std::fs::read_to_string(dir.path().join("page.html")).expect("the page");
    for expected in [
        "version.json: is of version 2",
        "unit.json: its unit is 'ns per byte'",
        "unknown.json: row 2: a figure is not positive",
        "unknown.json: row 3: invalid type",
        "unknown.json: blake2b=magic is not among",
        "short.json: is cut short",
        "other.json: is not a file of finalist report",
        "missing.json: No such file",
    ] {
        assert!(
            text(&done.stderr).contains(expected),
            "{expected}: {done:?}"
        );
        let quoted = expected.replace('\'', "&#39;");
        assert!(
            html.contains(expected) || html.contains(&quoted),
            "{expected}"
        );
    }
    assert!(html.contains("blake2b"));
    let rows = report(&dir, "unknown.json --format csv").stdout;
    assert!(
        text(&rows).contains("blake2b") && !text(&rows).contains("magic"),
        "{rows:?}"
    );
    let nothing = report(&dir, "short.json");
    assert_eq!(nothing.code, Some(1));
    assert!(
        text(&nothing.stderr).contains("none of the files can be shown"),
        "{nothing:?}"
    );
}

#[test]
fn a_machine_with_more_than_a_quarter_of_noisy_rows_says_so() {
    let dir = folder();
    for (noisy, is_said) in [(2, false), (3, true)] {
        write_measured(&dir, "noisy.json", |value| {
            let rows = value["rows"].as_array_mut().expect("rows");
            for row in rows.iter_mut().rev().take(noisy) {
                row["q3"] = json!(row["cycles"].as_f64().expect("a figure") * 1.2);
            }
        });
        let md = report(&dir, "noisy.json --format md");
        let said = text(&md.stdout).contains("too noisy for its figures");
        assert_eq!(said, is_said, "{noisy} of 8: {md:?}");
        assert!(text(&md.stdout).contains("\\~3.00"), "{md:?}");
    }
}

#[test]
fn a_papers_table_has_a_column_for_the_machine_if_one_of_its_figures_can_be_measured() {
    let dir = folder();
    write_measured(&dir, "m.json", |_| {});
    let md = report(&dir, "m.json --format md --only papers");
    for (paper, is_there) in [("BLAKE2b README", true), ("Grøstl guide, table 2", false)] {
        let (_, table) = text(&md.stdout).split_once(paper).expect("a table");
        let heading = table.lines().find(|line| line.starts_with("| what"));
        let heading = heading.expect("a heading");
        assert_eq!(heading.contains("AMD Zen 4"), is_there, "{heading}");
    }
}

#[test]
fn trees_over_the_longest_message_are_shown() {
    let dir = folder();
    write_measured(&dir, "m.json", |value| {
        let rows = value["rows"].as_array_mut().expect("rows");
        for (mebibytes, threads, cycles) in [(1, 1, 8.1), (16, 1, 8.2), (16, 4, 2.3)] {
            let mut tree = rows[0].clone();
            tree["algorithm"] = json!("tree of blake2b");
            tree["implementation"] = json!("automatic");
            tree["mode"] = json!("tree");
            tree["bytes"] = json!(mebibytes << 20);
            tree["threads"] = json!(threads);
            for field in ["cycles", "q1", "q3"] {
                tree[field] = json!(cycles);
            }
            rows.push(tree);
        }
    });
    let md = report(&dir, "m.json --format md --only trees");
    assert!(text(&md.stdout).contains("One message of 16 MiB"), "{md:?}");
    let heading =
        "| tree, core cycles per byte | 1 thread | 1 thread, MB/s | 4 threads | 4 threads, MB/s |";
    assert!(text(&md.stdout).contains(heading), "{md:?}");
    let row = text(&md.stdout)
        .lines()
        .find(|line| line.starts_with("| tree of blake2b | "));
    let row = row.expect("a row");
    assert!(
        row.contains(" 8.20 | ") && row.contains(" 2.30 | "),
        "{row}"
    );
    report(&dir, "m.json --format svg -o charts");
    let svg = std::fs::read_to_string(dir.path().join("charts/trees.svg")).expect("the chart");
    let is_shown = ["8.10", "8.20", "2.30", "4 threads"].map(|text| svg.contains(text));
    assert_eq!(is_shown, [false, true, true, true], "{svg}");
}

#[test]
fn noisy_figures_are_counted_by_section_and_drawn_hollow() {
    let dir = folder();
    write_measured(&dir, "quiet.json", |_| {});
    write_measured(&dir, "noisy.json", |value| {
        // This is the row of avx512 at 4096 bytes.
        value["rows"][7]["q3"] = json!(3.9);
    });
    let quiet = report(&dir, "quiet.json --format md --only implementations");
    assert!(!text(&quiet.stdout).contains("noisy"), "{quiet:?}");
    for (section, counted) in [
        ("selected", "1 of the 2 figures here"),
        ("implementations", "1 of the 6 figures here"),
        ("lengths", "1 of the 8 figures here"),
    ] {
        let noisy = report(&dir, &format!("noisy.json --format md --only {section}"));
        assert!(text(&noisy.stdout).contains(counted), "{noisy:?}");
    }
    // Quartiles may agree although every batch was disturbed.
    write_measured(&dir, "disturbed.json", |value| {
        value["rows"][7]["disturbed"] = json!(true);
    });
    let disturbed = report(&dir, "disturbed.json --format md --only implementations");
    let said = text(&disturbed.stdout);
    assert!(said.contains("1 of the 6 figures here is noisy"), "{said}");
    let both = report(&dir, "noisy.json noisy.json --format md --only machines");
    assert!(
        text(&both.stdout).contains("2 of the 2 figures here"),
        "{both:?}"
    );
    write_measured(&dir, "portable.json", |value| {
        value["rows"][6]["q3"] = json!(9.9)
    });
    let portable = report(&dir, "portable.json --format md --only selected");
    assert!(
        text(&portable.stdout).contains("1 of the 2 figures here"),
        "{portable:?}"
    );
    for (file, fill) in [("quiet", "#1F6FD6"), ("noisy", "none")] {
        let charts = report(&dir, &format!("{file}.json --format svg -o {file}"));
        assert_eq!(charts.code, Some(0), "{charts:?}");
        let svg = dir.path().join(format!("{file}/selected.svg"));
        let svg = std::fs::read_to_string(svg).expect("the chart");
        // Find the bar: the legend's square is narrower.
        let bar = svg.lines().find(|line| {
            let width = line.split_once("<rect").and_then(|(_, rest)| {
                rest.split_once("width=\"")?
                    .1
                    .split_once('"')?
                    .0
                    .parse()
                    .ok()
            });
            width.is_some_and(|width: u32| width > 100)
        });
        let bar = bar.expect("a bar");
        assert!(bar.contains(&format!("fill=\"{fill}\"")), "{file}: {bar}");
    }
}

/// The first table does not name an algorithm that was replaced, however fast it is.
#[test]
fn the_first_table_names_current_algorithms_and_none_for_passwords() {
    let dir = folder();
    write_measured(&dir, "m.json", |value| {
        let old = |part: &Value, factor: f64| {
            let mut old = part.clone();
            old["algorithm"] = json!("groestl0-512");
            if old["cycles"].is_number() {
                old["cycles"] = json!(old["cycles"].as_f64().expect("a figure") * factor);
            }
            old
        };
        for field in ["implementations", "rows"] {
            let parts = value[field].as_array_mut().expect("an array");
            let more: Vec<_> = parts.iter().map(|part| old(part, 0.5)).collect();
            // They are also the first in the file.
            parts.splice(0..0, more);
        }
    });
    let md = report(&dir, "m.json --format md --only selected");
    let md = text(&md.stdout);
    assert!(
        md.contains("| one long message | **blake2b** | 867 | 3.00 | avx512 |"),
        "{md}"
    );
    assert!(md.contains("| files | **blake2b** |"), "{md}");
    assert!(md.contains("| passwords | **none of these** |"), "{md}");
    let place = |name: &str| {
        md.find(&format!("\n| {name} | 3.70"))
            .or(md.find(&format!("\n| {name} | 1.85")))
    };
    assert!(place("blake2b") < place("groestl0-512"), "{md}");
}

#[test]
fn lanes_of_long_messages_are_no_wrong_selection() {
    let dir = folder();
    let with = |automatic: f64| {
        write_measured(&dir, "m.json", |value| {
            let part = |value: &Value, name: &str, mode: &str, cycles: f64| {
                let mut part = value.clone();
                part["implementation"] = json!(name);
                part["mode"] = json!(mode);
                part["selected"] = json!(name == "short-x8");
                part["cycles"] = json!(cycles);
                part
            };
            let known = value["implementations"][0].clone();
            let row = value["rows"].as_array().expect("rows").iter();
            let row = row
                .clone()
                .find(|row| row["bytes"] == 4096)
                .expect("a row")
                .clone();
            let implementations = value["implementations"].as_array_mut().expect("an array");
            implementations
                .extend(["short-x8", "long-x8"].map(|name| part(&known, name, "multi", 0.0)));
            let rows = value["rows"].as_array_mut().expect("rows");
            for (name, cycles) in [
                ("short-x8", 0.8),
                ("long-x8", 0.5),
                ("automatic", automatic),
            ] {
                rows.push(part(&row, name, "multi", cycles));
            }
        });
        text(&report(&dir, "m.json --format md --only selected").stdout).to_owned()
    };
    let other = with(0.6);
    assert!(
        other.contains("Many long messages of blake2b have other lanes"),
        "{other}"
    );
    assert!(other.contains("| automatic | 0.60 |"), "{other}");
    assert!(!other.contains("Faster than what is selected"), "{other}");
    let wrong = with(0.8);
    assert!(
        wrong.contains("Faster than what is selected: blake2b long-x8"),
        "{wrong}"
    );
    assert!(wrong.contains("| short-x8 | 0.80 |"), "{wrong}");
}

#[test]
fn several_machines_have_their_names_remarks_methods_and_blanks() {
    let dir = folder();
    write_measured(&dir, "one.json", |_| {});
    write_measured(&dir, "two.json", |value| {
        value["machine"]["microarchitecture"] = json!("Zen 5");
        value["machine"]["remark"] = json!("A remark.");
        value["method"]["command"] = json!("another command");
        // The selected implementation was not measured.
        let rows = value["rows"].as_array_mut().expect("rows");
        rows.retain(|row| row["implementation"] != "avx512");
    });
    let md = report(&dir, "one.json two.json --format md");
    let md = text(&md.stdout);
    for expected in [
        "# Finalist on AMD Zen 4, AMD Zen 5\n",
        "\nA remark.\n",
        "| command | finalist report |",
        "| command | another command |",
        "| blake2b | avx512 | 3.00 |  |  |  |",
    ] {
        assert!(md.contains(expected), "{expected}: {md}");
    }
}

/// A background job of a shell without job control ignores SIGINT; GNU env restores it.
#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_report_leaves_nothing() {
    let dir = folder();
    for line in [
        "--seconds 30 -o a.html",
        "--seconds 30 --format svg -o charts/here",
    ] {
        let mut child = program("env", dir.path())
            .args([
                "--default-signal=INT",
                env!("CARGO_BIN_EXE_finalist"),
                "report",
            ])
            .args(line.split_whitespace())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the tool starts");
        std::thread::sleep(std::time::Duration::from_secs(1));
        let id = child.id().to_string();
        let sent = program("kill", dir.path()).args(["-INT", &id]).status();
        assert!(sent.expect("kill runs").success());
        let status = child.wait().expect("the tool ends");
        assert!(
            !status.success(),
            "{line}: it ended before it was interrupted"
        );
        let left: Vec<_> = std::fs::read_dir(dir.path()).expect("the folder").collect();
        assert!(left.is_empty(), "{line}: {left:?}");
    }
}

#[test]
fn a_section_that_there_is_not_is_told_before_measuring() {
    let dir = folder();
    write_measured(&dir, "m.json", |_| {});
    let start = std::time::Instant::now();
    for (line, expected) in [
        ("--only length", "Did you mean 'lengths'?"),
        ("--only BOGUS", "invalid argument 'BOGUS' for '--only'"),
        (
            "--only machines",
            "--only machines compares machines: name several files",
        ),
        (
            "m.json --only machines",
            "--only machines compares machines",
        ),
    ] {
        let done = report(&dir, line);
        assert!(text(&done.stderr).contains(expected), "{done:?}");
        assert_ne!(done.code, Some(0));
    }
    assert!(start.elapsed().as_secs() < 10);
    for section in finalist_bench::report::SECTIONS {
        let line = format!("m.json m.json --format md --only {section}");
        assert_eq!(report(&dir, &line).code, Some(0), "{section}");
    }
}

/// Figures of several machines, and sections, have no place in some formats.
#[test]
fn a_format_that_cannot_hold_the_report_is_told_before_measuring() {
    let dir = folder();
    write_measured(&dir, "m.json", |_| {});
    let one = "--format json is of one machine";
    let whole = "--only is for the formats html, svg and md";
    for (line, expected) in [
        ("m.json --measure --seconds 1 --format json", one),
        ("m.json m.json --format json", one),
        ("m.json --format json --only trees", whole),
        ("m.json --format csv --only trees", whole),
    ] {
        let help = "Try 'finalist report --help' for more information.\n";
        let text = format!("finalist: {expected}\n{help}");
        assert_eq!(report(&dir, line), common::done(1, "", &text), "{line}");
    }
}

#[test]
fn a_place_that_cannot_be_written_is_told_before_measuring() {
    let dir = folder();
    let start = std::time::Instant::now();
    for (line, what) in [
        ("-o missing/report.html", "No such file"),
        ("--format json -o .", "is a folder"),
        ("--format svg -o /dev/null/charts", "Not a directory"),
    ] {
        if cfg!(windows) && line.contains("/dev/") {
            continue;
        }
        let done = report(&dir, line);
        assert_eq!(done.code, Some(1), "{done:?}");
        assert!(text(&done.stderr).contains(what), "{done:?}");
        assert!(!text(&done.stderr).contains("os error"), "{done:?}");
    }
    assert!(start.elapsed().as_secs() < 20);
}

/// A pipe or a device is written to, not replaced.
#[cfg(unix)]
#[test]
fn a_report_into_a_pipe_is_written_to_it() {
    use std::io::Read;
    use std::os::unix::fs::FileTypeExt;

    let dir = folder();
    write_measured(&dir, "m.json", |_| {});
    let pipe = dir.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    // Opened for both, it has a reader.
    let opened = std::fs::File::options().read(true).write(true).open(&pipe);
    let done = report(&dir, "m.json --format csv -o pipe");
    assert_eq!(done, common::done(0, "", ""));
    let kind = std::fs::symlink_metadata(&pipe).expect("a pipe");
    assert!(kind.file_type().is_fifo());
    let mut start = [0; 9];
    opened
        .and_then(|mut pipe| pipe.read_exact(&mut start))
        .expect("it was written to");
    let csv = report(&dir, "m.json --format csv");
    assert!(csv.stdout.0.starts_with(&start));
}

#[test]
fn options_of_measuring_are_refused_where_nothing_is_measured() {
    let dir = folder();
    write_measured(&dir, "m.json", |_| {});
    for (line, what) in [
        ("--seconds 0", "'--seconds' takes a number from 1 to 86400"),
        (
            "m.json --quick -o -",
            "with files to read they need --measure",
        ),
        (
            "m.json --seconds 1 -o -",
            "with files to read they need --measure",
        ),
        (
            "m.json --remark x -o -",
            "with files to read they need --measure",
        ),
        ("--compare m.json m.json --quick", "cannot be used with"),
        ("--compare m.json m.json -o x", "cannot be used with"),
        (
            "--compare m.json m.json --format csv",
            "cannot be used with",
        ),
        (
            "--compare m.json m.json --only trees",
            "cannot be used with",
        ),
        ("--compare m.json m.json --remark x", "cannot be used with"),
        // With --measure, --quick is accepted; then the output is refused.
        ("m.json --measure --quick -o m.json", "is also an input"),
    ] {
        let done = report(&dir, line);
        assert_eq!(done.code, Some(1), "{done:?}");
        assert!(text(&done.stderr).contains(what), "{done:?}");
    }
}

#[test]
fn charts_never_replace_inputs() {
    let dir = folder();
    fs::create_dir(dir.path().join("charts")).expect("a folder");
    let name = "charts/blake2b-single.svg";
    write_measured(&dir, name, |_| {});
    let before = fs::read(dir.path().join(name)).expect("a file");
    for output in ["--format svg -o charts", "--format md -o charts.md"] {
        let text = format!("finalist: {name}: is also an input: write another file\n");
        let found = report(&dir, &format!("{name} {output}"));
        assert_eq!(found, common::done(1, "", &text));
        assert_eq!(fs::read(dir.path().join(name)).expect("a file"), before);
    }
    assert_eq!(
        report(&dir, &format!("{name} --format svg -o new")).code,
        Some(0)
    );
}

/// The sentence about bounds names the algorithms without one.
#[test]
fn bounds_are_said_to_be_missing_only_where_they_are() {
    let dir = folder();
    for (bound, said) in [
        (json!(288), "Kernels of lanes have none"),
        (json!(null), "blake2b and kernels of lanes have none"),
    ] {
        write_measured(&dir, "m.json", |value| {
            for known in value["implementations"].as_array_mut().expect("an array") {
                known["bound_cycles"] = bound.clone();
            }
        });
        for section in ["selected", "implementations"] {
            let md = report(&dir, &format!("m.json --format md --only {section}"));
            assert!(text(&md.stdout).contains(said), "{md:?}");
        }
    }
}

/// From the start, a terminal shows what is being measured and how long it will take.
#[test]
#[cfg_attr(windows, ignore = "it runs script")]
fn progress_is_shown_from_the_start() {
    let dir = folder();
    let shown = |arguments: &str| {
        let finalist = env!("CARGO_BIN_EXE_finalist");
        let line = format!("timeout 4 {finalist} {arguments}");
        let script = program("script", dir.path())
            .args(["-qec", &line, "/dev/null"])
            .stdin(std::process::Stdio::null())
            .output()
            .expect("script runs");
        String::from_utf8_lossy(&script.stdout).into_owned()
    };
    let report = shown("report --seconds 30 -o x.html");
    assert!(report.contains(" % known answers, about "), "{report:?}");
    assert!(!report.contains("about 0s left"), "{report:?}");
    let bench = shown("bench -a blake2s");
    assert!(
        bench.contains("1 of ") && !bench.contains("-1 of "),
        "{bench:?}"
    );
    assert!(shown("bench -a blake2s --mode tree").contains("blake2s"));
}

#[test]
fn this_machine_is_measured_and_shown() {
    let dir = folder();
    let done = report(
        &dir,
        "--seconds 1 --remark short --format json -o here.json",
    );
    assert_eq!(done.code, Some(0), "{done:?}");
    let file = std::fs::read(dir.path().join("here.json")).expect("the file");
    let file: Value = serde_json::from_slice(&file).expect("JSON");
    assert_eq!(file["machine"]["remark"], "short");
    assert!(
        file["method"]["rounds"].as_u64() >= Some(5),
        "{}",
        file["method"]
    );
    let rows = file["rows"].as_array().expect("rows");
    for implementation in file["implementations"].as_array().expect("implementations") {
        let is_there = rows.iter().any(|row| {
            ["algorithm", "implementation", "mode"]
                .iter()
                .all(|&f| row[f] == implementation[f])
        });
        assert_eq!(
            implementation["supported"] == true,
            is_there,
            "{implementation}"
        );
    }
    let page = report(&dir, "here.json --format md");
    assert_eq!(page.code, Some(0), "{page:?}");
    for section in [
        "what this CPU selects",
        "The papers' tables, redone",
        "How it was measured",
    ] {
        assert!(text(&page.stdout).contains(section), "{page:?}");
    }
}

/// Tables in documents are current, and a page for each machine can be written.
#[test]
#[cfg_attr(windows, ignore = "it runs Python")]
fn the_documents_are_those_of_the_measured_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = program("python3", &root)
        .args(["tools/measured_pages.py", "--check", "--tool"])
        .arg(env!("CARGO_BIN_EXE_finalist"))
        .output()
        .expect("python3 runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
