// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks that every command has a man page and completions, and runs the examples of the help.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use finalist::Algorithm;
use finalist_bench::known_answers::compact_text;

use common::{done, finalist, program, run_with, write};
use tempfile::TempDir;

/// Returns the files of a directory by name.
fn contents(dir: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let files = entries.map(|entry| {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("it is text");
        (name, fs::read_to_string(entry.path()).expect("it is text"))
    });
    files.collect()
}

/// Returns the names of the commands that the help of the tool or of a command lists.
fn commands(of: &[&str]) -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let help = finalist(here, &[of, &["--help"]].concat());
    let help = String::from_utf8(help.stdout.0).expect("it is text");
    let list = help.split_once("Commands:\n").map_or("", |(_, list)| list);
    let lines = list.lines().take_while(|line| !line.is_empty());
    lines
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_has_a_man_page_and_completions() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    assert_eq!(finalist(dir.path(), &["generate", "."]).code, Some(0));
    let pages = contents(&dir.path().join("man"));
    let completions = contents(&dir.path().join("completions"));
    assert_eq!(completions.len(), 3);
    let check = |page: &str, command: &str| {
        assert!(pages[page].contains(command), "{page}");
        for (shell, text) in &completions {
            assert!(
                text.contains(command),
                "{shell} does not complete {command}"
            );
        }
    };
    let all = commands(&[]);
    assert!(all.len() >= 8, "{all:?}");
    for command in &all {
        check(&format!("finalist-{command}.1"), command);
        for below in commands(&[command]) {
            check(&format!("finalist-{command}-{below}.1"), &below);
        }
    }
}

#[test]
fn completions_offer_values_and_not_what_is_hidden() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    assert_eq!(finalist(dir.path(), &["generate", "."]).code, Some(0));
    for (shell, text) in contents(&dir.path().join("completions")) {
        assert!(!text.contains("generate"), "{shell}");
        for value in ["groestl0-256", "portable", "multi"] {
            assert!(text.contains(value), "{shell} does not offer {value}");
        }
    }
    let bash = fs::read_to_string(dir.path().join("completions/finalist.bash"));
    let bash = bash.expect("it was written");
    // Ask bash for its completions.
    let offered = |words: &str| {
        let script = format!(
            "{bash}\nCOMP_WORDS=({words} ''); COMP_CWORD=$(({} - 1))\n\
             _finalist finalist '' \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; echo \"${{COMPREPLY[*]}}\"",
            words.split(' ').count() + 1
        );
        let done = run_with("bash", dir.path(), &["-c", &script], b"");
        String::from_utf8(done.stdout.0).expect("it is text")
    };
    if cfg!(unix) {
        write(&dir, "here", "");
        assert!(offered("finalist sum -a").contains("blake2sp"));
        assert!(offered("finalist sum --impl").contains("portable"));
        assert!(offered("finalist sum --key-file").contains("here"));
        assert!(!offered("finalist sum --salt").contains("here"));
        assert!(offered("finalist tree").contains("consistency"));
        assert!(offered("finalist list").contains("blake2sp"));
        assert!(!offered("finalist check -").contains("--tag"));
        // Without words, bash completes names of files.
        for operand in [
            "sum",
            "merkle root",
            "tree root",
            "manifest create",
            "manifest verify here",
        ] {
            assert_eq!(offered(&format!("finalist {operand}")), "\n", "{operand}");
        }
        assert!(bash.contains("-C)\n                    COMPREPLY=()\n"));
    }
}

#[test]
fn completions_tell_directories_from_files() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    assert_eq!(finalist(dir.path(), &["generate", "."]).code, Some(0));
    let script = fs::read_to_string(dir.path().join("completions/_finalist"));
    let script = script.expect("it was written");
    let mut names = BTreeSet::new();
    for line in script.lines() {
        let is_directory = line.contains(":DIR:") || line.contains(":directory -- ");
        assert_eq!(line.contains(":_files -/'"), is_directory, "{line}");
        // An operand: ':name -- text:kind', after more colons and a star if it need not be there.
        let operand = line.trim_start_matches(['\'', '*']).strip_prefix(':');
        if let Some((name, _)) = operand.and_then(|operand| operand.split_once(" -- ")) {
            let name = name.trim_start_matches(':');
            let is_file = !["algorithm", "path"].contains(&name);
            assert_eq!(line.contains(":_files"), is_file, "{line}");
            names.insert(name);
        }
    }
    let expected = "algorithm directory file files leaf manifest new old other path proof table";
    assert!(names.into_iter().eq(expected.split(' ')));
}

/// Returns the place in a text of each of these words.
fn places(text: &str, words: &[&str]) -> Vec<usize> {
    let is_end =
        |byte: Option<&u8>| byte.is_none_or(|&byte| !byte.is_ascii_alphanumeric() && byte != b'-');
    let place = |word: &&str| {
        let found = text.match_indices(word).find(|(start, _)| {
            let bytes = text.as_bytes();
            is_end(bytes[..*start].last()) && is_end(bytes.get(start + word.len()))
        });
        found
            .unwrap_or_else(|| panic!("{word} is missing: {text}"))
            .0
    };
    words.iter().map(place).collect()
}

#[test]
fn names_of_algorithms_have_one_order() {
    let names: Vec<_> = Algorithm::all().iter().map(|each| each.name()).collect();
    assert_eq!(names[..2], ["blake3", "blake2b"]);
    let superseded = ["blake28", "blake32", "blake48", "blake64"];
    assert_eq!(names[names.len() - 8..][..4], superseded);
    assert!(
        names[names.len() - 4..]
            .iter()
            .all(|name| name.starts_with("groestl0-"))
    );
    let dir = TempDir::new().expect("a temporary directory can be made");
    assert_eq!(finalist(dir.path(), &["generate", "."]).code, Some(0));
    let completions = contents(&dir.path().join("completions"));
    let after = |file: &str, words: &[&str]| {
        words.iter().fold(completions[file].clone(), |text, word| {
            text.split_once(word).expect("it is there").1.to_owned()
        })
    };
    // The description names the default.
    let fish = after("finalist.fish", &["-l algorithm", "blake2b"]);
    assert!(fish.starts_with("]' -r -f -k -a "), "{fish}");
    let operand = after("finalist.fish", &["subcommand list\" -f -k -a \""]);
    assert!(operand.starts_with("blake3 blake2b "), "{operand}");
    let zsh = after("_finalist", &["--algorithm=", "blake2b"]);
    assert!(zsh.contains("{compadd -V algorithms "), "{zsh}");
    let bash = after("finalist.bash", &["--algorithm)"]);
    let said = |line: &str| {
        let done = finalist(dir.path(), &line.split(' ').collect::<Vec<_>>());
        String::from_utf8([done.stdout.0, done.stderr.0].concat()).expect("it is text")
    };
    let (help, unknown) = (said("sum --help"), said("sum -a md5"));
    let (_, help) = help.split_once("[default: blake2b]").expect("it is there");
    for text in [&fish, &zsh, &bash, help, &unknown] {
        let places = places(&text.replace("\\t", " "), &names);
        assert!(places.is_sorted(), "{places:?}: {text}");
    }
    let listed = said("list");
    let first = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let listed: Vec<_> = listed.lines().skip(1).map(first).collect();
    let mut compressions: Vec<_> = Algorithm::all()
        .iter()
        .map(|each| each.info().compression)
        .collect();
    let mut seen = BTreeSet::new();
    compressions.retain(|name| seen.insert(*name));
    assert_eq!(listed[..compressions.len()], compressions);
}

/// `tree` is the former name of `merkle`: it is not offered, but completed like it.
#[test]
#[cfg_attr(windows, ignore = "it runs a Unix shell")]
fn aliases_are_completed_like_their_commands() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    assert_eq!(finalist(dir.path(), &["generate", "."]).code, Some(0));
    let completions = contents(&dir.path().join("completions"));
    let (fish, zsh) = (&completions["finalist.fish"], &completions["_finalist"]);
    let of_merkle = |line: &&str| line.contains("__fish_finalist_using_subcommand merkle");
    assert!(fish.lines().filter(of_merkle).count() > 50);
    for line in fish.lines().filter(of_merkle) {
        assert!(line.contains("using_subcommand merkle tree"), "{line}");
    }
    assert!(!fish.contains("-a \"tree\""), "{fish}");
    assert!(zsh.contains("(merkle|tree)\n_arguments"), "{zsh}");
    assert!(!zsh.contains("'tree:"), "{zsh}");
    // Without fish, this prints nothing.
    let offered = |words: &str| {
        let script = format!("source completions/finalist.fish; complete -C '{words}'");
        let script = format!("command -v fish > fish-is-here && fish -c \"{script}\"");
        String::from_utf8(run_with("sh", dir.path(), &["-c", &script], b"").stdout.0).expect("text")
    };
    for rest in ["", "root -", "root -a ", "prove --in"] {
        let [own, alias] =
            ["merkle", "tree"].map(|name| offered(&format!("finalist {name} {rest}")));
        assert_eq!(own, alias, "{rest}");
    }
}

/// Terminals have 80 columns; tables of `list` may have 100, except with --wide.
#[test]
fn help_and_lists_fit_the_terminal() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let mut paths = vec![Vec::new(), vec!["generate".to_owned()]];
    for command in commands(&[]) {
        let below = commands(&[&command]).into_iter();
        paths.extend(below.map(|name| vec![command.clone(), name]));
        paths.push(vec![command]);
    }
    assert!(paths.len() > 20, "{paths:?}");
    for path in paths {
        for option in ["-h", "--help"] {
            let mut command = program("finalist", dir.path());
            command.args(&path).arg(option).env("COLUMNS", "80");
            let done = common::finish(common::start(&mut command, b""));
            let help = String::from_utf8(done.stdout.0).expect("it is text");
            assert!(
                help.contains("Usage: finalist"),
                "{path:?} {option}: {help}"
            );
            for line in help.lines() {
                assert!(line.chars().count() <= 80, "{path:?} {option}: {line}");
            }
        }
    }
    for line in ["list", "list --selected", "list --supported"] {
        let done = finalist(dir.path(), &line.split(' ').collect::<Vec<_>>());
        let table = String::from_utf8(done.stdout.0).expect("it is text");
        assert!(table.lines().count() > 3, "{line}: {table}");
        for row in table.lines() {
            assert!(row.chars().count() <= 100, "{line}: {row}");
        }
    }
    for &algorithm in Algorithm::all() {
        let done = finalist(dir.path(), &["list", algorithm.name()]);
        let table = String::from_utf8(done.stdout.0).expect("it is text");
        for row in table.lines() {
            assert!(row.chars().count() <= 100, "{algorithm}: {row}");
        }
    }
}

#[test]
#[cfg_attr(windows, ignore = "it runs a Unix shell")]
fn man_pages_have_the_usual_sections_and_a_date() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let mut command = program("finalist", dir.path());
    command
        .args(["generate", "."])
        .env("SOURCE_DATE_EPOCH", "86400");
    let done = common::finish(common::start(&mut command, b""));
    assert_eq!(done.code, Some(0), "{done:?}");
    let pages = contents(&dir.path().join("man"));
    for (name, page) in &pages {
        assert!(
            page.contains("1970\\-01\\-02") || page.contains("1970-01-02"),
            "{name}"
        );
        for section in ["\"EXIT STATUS\"", "ENVIRONMENT", "\"SEE ALSO\""] {
            assert!(
                page.contains(&format!(".SH {section}\n")),
                "{name}: {section}"
            );
        }
        assert!(!page.contains("[paragraph]"), "{name}");
        let is_of_tables = name.starts_with("finalist-table");
        let (_, status) = page.split_once("EXIT STATUS").expect("the section");
        let (status, _) = status.split_once(".SH").expect("the next section");
        let says_two = status.replace('\n', " ").contains("2 after errors");
        assert_eq!(says_two, is_of_tables, "{name}: {status}");
        let says_two = status
            .replace('\n', " ")
            .contains("2 if a file is corrupt.");
        let may_be_corrupt = ["update", "verify", "diff"].map(|name| format!("manifest-{name}."));
        let may_be_corrupt = may_be_corrupt.iter().any(|of| name.contains(of.as_str()));
        assert_eq!(says_two, may_be_corrupt, "{name}: {status}");
        let title = format!(".TH {} 1 ", name.trim_end_matches(".1").to_uppercase());
        assert!(page.contains(&title), "{name}");
        let product = concat!("\"finalist ", env!("CARGO_PKG_VERSION"), "\" Finalist\n");
        assert!(page.contains(product), "{name}");
        for (variable, what) in [("IMPL", "Implementations to use"), ("CPU", "CPU features")] {
            let start = format!("\\fBFINALIST_{variable}\\fR\n{what} ");
            assert!(page.contains(&start), "{name}: {variable}");
        }
        assert!(page.contains(".SH EXAMPLES\n.nf\nfinalist "), "{name}");
        // The text of the help after them follows; the environment has a section of its own.
        let is_of_trees = name == "finalist-merkle.1";
        assert_eq!(page.contains(".fi\n.PP\n"), is_of_trees, "{name}");
    }
    for (name, start) in [
        ("sum", "0 if all files were hashed"),
        ("check", "0 if every list has lines"),
        ("manifest-verify", "0 if nothing differs"),
        ("manifest-diff", "0 if nothing differs"),
        ("manifest-update", "0 if all files were read"),
        ("selftest", "0 if every answer was right"),
        ("table-diff", "0 if the tables are equal, 1 if they"),
        ("table-root", "0 on success, 2 after errors"),
        ("list", "0 on success, 1 otherwise"),
    ] {
        let page = &pages[&format!("finalist-{name}.1")];
        let start = format!(".SH \"EXIT STATUS\"\n{start}");
        assert!(page.contains(&start), "{name}");
    }
    let usage = "\\fBfinalist table diff\\fR [OPTIONS] \\-\\-key <NAME> <OLD> <NEW>\n";
    assert!(pages["finalist-table-diff.1"].contains(usage));
    let pages: Vec<_> = pages
        .into_keys()
        .map(|name| format!("man/{name}"))
        .collect();
    let lint = |pages: &[String]| {
        let line = format!("command -v mandoc && mandoc -T lint {}", pages.join(" "));
        run_with("sh", dir.path(), &["-c", &line], b"")
    };
    // Without mandoc, this prints nothing either.
    let said = String::from_utf8(lint(&pages).stdout.0).expect("it is text");
    assert!(said.lines().count() <= 1, "{said}");
}

#[test]
fn every_command_has_two_examples() {
    let commands_of = |of: &[&str]| -> Vec<Vec<String>> {
        let below = commands(of).into_iter();
        let path = |name| {
            of.iter()
                .map(|&word| word.to_owned())
                .chain([name])
                .collect()
        };
        below.map(path).collect()
    };
    for command in commands_of(&[]) {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let mut all = commands_of(&words);
        all.push(command.clone());
        for command in all {
            let here = Path::new(env!("CARGO_MANIFEST_DIR"));
            let mut words: Vec<&str> = command.iter().map(String::as_str).collect();
            words.push("--help");
            let help = finalist(here, &words).stdout.0;
            let help = String::from_utf8(help).expect("it is text");
            let (_, examples) = help.split_once("Examples:\n").expect("there are examples");
            let count = examples.matches("  finalist ").count();
            assert!(count >= 2, "{command:?}: {examples}");
        }
    }
}

#[test]
fn an_empty_name_is_not_the_current_directory() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let text = "finalist: '': the directory has no name\n";
    assert_eq!(finalist(dir.path(), &["generate", ""]), done(1, "", text));
    assert_eq!(contents(dir.path()), BTreeMap::new());
}

#[test]
fn the_help_of_generate_names_the_program() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let help = finalist(here, &["generate", "--help"]).stdout.0;
    let help = String::from_utf8(help).expect("it is text");
    assert!(
        help.contains("Usage: finalist generate <DIRECTORY>\n"),
        "{help}"
    );
    assert!(help.contains("Examples:\n  finalist generate "), "{help}");
}

/// Returns the lines after "Examples:" in the help of a command, without their comments.
fn examples(command: &str) -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let help = finalist(here, &[command, "--help"]);
    let help = String::from_utf8(help.stdout.0).expect("it is text");
    let (_, examples) = help.split_once("Examples:\n").expect("there are examples");
    let lines: Vec<_> = examples
        .replace("\\\n      ", "")
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("finalist "))
        .map(|line| {
            line.split_once("  ")
                .map_or(line, |(line, _)| line)
                .to_owned()
        })
        .collect();
    assert!(!lines.is_empty());
    lines
}

#[test]
#[cfg_attr(windows, ignore = "it runs in a Unix shell")]
fn the_examples_of_the_help_run() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    for name in ["FILE", "x.iso", "KEY", "LOG"] {
        write(&dir, name, "x".repeat(64));
    }
    write(&dir, "LOG", "y".repeat(7 << 16));
    write(&dir, "FILE", "y".repeat(7 << 16));
    write(&dir, "CHUNK", "y".repeat(1 << 16));
    write(&dir, "BYTES", "y".repeat(100));
    fs::create_dir(dir.path().join("DIRECTORY")).expect("a directory is made");
    write(&dir, "DIRECTORY/PATH", "z");
    write(&dir, "DIRECTORY/FILE", "y".repeat(7 << 16));
    write(
        &dir,
        "x.jsonl",
        compact_text().lines().next().expect("a vector"),
    );
    let tool = Path::new(env!("CARGO_BIN_EXE_finalist"));
    let root = |options: &[&str]| {
        let done = finalist(dir.path(), &[&["merkle", "root"], options].concat());
        let line = String::from_utf8(done.stdout.0).expect("it is text");
        line.trim().rsplit(' ').next().expect("a root").to_owned()
    };
    write(&dir, "old", "y".repeat(5 << 16));
    let (old, new) = (root(&["old"]), root(&["LOG"]));
    let setup = "finalist sum -a blake2sp FILE > LIST";
    let run = |line: &str| {
        let line = match line.contains("manifest prove --verify") {
            true => line.replace("HEX", "\"$(finalist manifest root M.parquet)\""),
            false => line.to_owned(),
        };
        let digest = "\"$(finalist sum -a blake3 FILE | cut -d' ' -f1)\"";
        let line = line
            .replace("--root DIGEST", &format!("--root {digest}"))
            .replace("--old-root HEX", &format!("--old-root {old}"))
            .replace("--root HEX", &format!("--root {new}"))
            .replace("finalist ", &format!("{} ", tool.display()));
        run_with("sh", dir.path(), &["-c", &line], b"")
    };
    let old_manifest = run("finalist manifest create DIRECTORY -o OLD.parquet");
    assert_eq!(old_manifest.code, Some(0));
    let mut count = 0;
    // The help of the tool itself, too.
    for command in [
        "--help", "sum", "check", "merkle", "manifest", "selftest", "bench",
    ] {
        for line in examples(command) {
            if line == "finalist bench" || line.ends_with("--mode tree") {
                continue; // This would take minutes.
            }
            let needs_list = command == "check";
            if needs_list {
                let options = if line.contains("blake2sp") {
                    setup
                } else {
                    "finalist sum FILE > LIST"
                };
                assert_eq!(run(options).code, Some(0));
            }
            let done = run(&line);
            assert_eq!(done.code, Some(0), "{line}: {done:?}");
            count += 1;
        }
    }
    assert!(count >= 20, "{count}");
}

#[test]
fn man_pages_name_the_pages_above_beside_and_below() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    assert_eq!(finalist(dir.path(), &["generate", "."]).code, Some(0));
    let pages = contents(&dir.path().join("man"));
    for (own, named, others) in [
        ("", "-sum -manifest -report", " -manifest-create"),
        (
            "-manifest-create",
            " -manifest -manifest-verify",
            "-manifest-create -sum -merkle-root",
        ),
    ] {
        let page = pages[&format!("finalist{own}.1")].replace('\\', "");
        let (_, list) = page.split_once("SEE ALSO").expect("the section");
        let names = |page: &str| list.contains(&format!("fBfinalist{page}fR(1)"));
        assert!(named.split(' ').all(names), "{own}: {list}");
        assert!(!others.split(' ').any(names), "{own}: {list}");
    }
}
