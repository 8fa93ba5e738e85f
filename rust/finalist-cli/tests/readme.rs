// SPDX-License-Identifier: MIT OR Apache-2.0
//! README.md's console sessions of the tool print what it says.

use std::path::Path;
use std::process::Command;

/// The commands of the ```console blocks, each with the lines that follow it.
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
fn the_readme_s_sessions_print_what_it_says() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let folder = tempfile::tempdir().expect("a folder");
    for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
        std::fs::copy(root.join(license), folder.path().join(license)).expect("a copy");
    }
    let tool = Path::new(env!("CARGO_BIN_EXE_finalist"));
    let path = std::env::join_paths(
        std::iter::once(tool.parent().expect("a folder").to_owned()).chain(std::env::split_paths(
            &std::env::var_os("PATH").expect("PATH"),
        )),
    );
    let readme = std::fs::read_to_string(root.join("README.md")).expect("README.md");
    let commands = sessions(&readme);
    assert!(!commands.is_empty(), "README.md has no console sessions");
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
