// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs the documents' console sessions and examples of the tool and compares their output.
//!
//! The sessions are those of a Unix shell.

#![cfg(unix)]

#[path = "common/tables.rs"]
#[allow(dead_code, reason = "what manifests alone need")]
mod tables;

use std::path::Path;
use std::process::Command;

/// Returns the commands of the ```console blocks, each with the lines that follow it.
fn sessions(readme: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => {
                if let Some(command) = line.strip_prefix("$ ") {
                    commands.push((command.to_owned(), String::new()));
                } else {
                    let (_, output) = commands.last_mut().expect("output after a command");
                    *output += line;
                    *output += "\n";
                }
            }
        }
    }
    commands
}

#[test]
fn the_pages_sessions_print_what_they_say() {
    for page in [
        "README.md",
        "docs/guide/recipes.md",
        "docs/guide/tables.md",
        "docs/guide/tool.md",
    ] {
        run_sessions(page);
    }
}

/// Writes the two small tables that docs/guide/tables.md compares, and those of recipes.md.
fn write_tables(folder: &Path) {
    let schema =
        "required int64 id; optional binary name (STRING); optional int64 price; ".to_owned();
    for (file, rows) in [
        (
            "old.parquet",
            [(1, "one", 5), (2, "two", 6), (3, "three", 7)],
        ),
        (
            "new.parquet",
            [(3, "three", 7), (1, "ONE", 5), (4, "four", 8)],
        ),
    ] {
        let rows = rows.map(|(id, name, price)| {
            let number = tables::Value::Number;
            vec![number(id), tables::bytes(name), number(price)]
        });
        let table = tables::Table {
            schema: schema.clone(),
            rows: rows.to_vec(),
            metadata: Vec::new(),
        };
        table.write(&folder.join(file));
    }
    let old = folder.join("old");
    std::fs::create_dir(&old).expect("a folder");
    for (file, copy) in [("old.parquet", old), ("new.parquet", folder.to_owned())] {
        std::fs::copy(folder.join(file), copy.join("orders.parquet")).expect("a copy");
    }
}

/// Runs a page's sessions in a folder that contains the licences and two small tables.
fn run_sessions(page: &str) {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let folder = tempfile::tempdir().expect("a folder");
    for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
        std::fs::copy(root.join(license), folder.path().join(license)).expect("a copy");
    }
    write_tables(folder.path());
    let tool = Path::new(env!("CARGO_BIN_EXE_finalist"));
    let path = std::env::join_paths(
        std::iter::once(tool.parent().expect("a folder").to_owned()).chain(std::env::split_paths(
            &std::env::var_os("PATH").expect("PATH"),
        )),
    );
    let text = std::fs::read_to_string(root.join(page)).expect(page);
    let commands = sessions(&text);
    assert!(!commands.is_empty(), "{page} has no console sessions");
    for (command, expected) in commands {
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(folder.path())
            .env("PATH", path.as_ref().expect("a PATH"))
            .output()
            .expect("sh");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{command}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(printed, expected, "{command}");
    }
}

#[test]
fn the_manifest_format_s_list_is_what_the_tool_writes() {
    let page = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/format/manifests.md"
    );
    let page = std::fs::read_to_string(page).expect("docs/format/manifests.md");
    let start = page.find("# finalist-manifest-2\n").expect("a list");
    let (list, _) = page[start..].split_once("```").expect("its end");

    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("a")).expect("a folder");
    for (name, content) in [("a.c", "abc"), ("a/b", ""), ("new\nline", "x")] {
        std::fs::write(folder.path().join(name), content).expect("a file");
    }
    std::fs::write(folder.path().join("names"), "a.c\0a/b\0a/gone\0new\nline").expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_finalist"))
        .args([
            "manifest",
            "create",
            ".",
            "-l",
            "64",
            "--files0-from",
            "names",
        ])
        .current_dir(folder.path())
        .output()
        .expect("finalist");
    assert_eq!(String::from_utf8_lossy(&output.stdout), list);
}
