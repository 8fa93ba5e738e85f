// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the exact messages for wrong command lines and environments.

mod common;

use std::collections::BTreeSet;

use common::{Done, Text, done, finish, fixture, program, start, words, write};
use serde_json::Value;
use tempfile::TempDir;

#[test]
fn wrong_use() {
    let dir = fixture();
    // A command's name is not taken for the file's.
    write(&dir, "verify", "");
    for (line, message, help) in [
        ("", "missing command", "finalist"),
        (
            "smu a",
            "unknown command 'smu'\nDid you mean 'sum'?",
            "finalist",
        ),
        ("xyzzy", "unknown command 'xyzzy'", "finalist"),
        (
            "merkle prof",
            "unknown command 'prof'\nDid you mean 'prove'?",
            "finalist merkle",
        ),
        (
            "check --quite",
            "unrecognized option '--quite'\nDid you mean '--quiet'?",
            "finalist check",
        ),
        (
            "list blake2",
            "invalid argument 'blake2' for 'ALGORITHM'\n\
             Did you mean 'blake2b' or 'blake2s'?",
            "finalist list",
        ),
        (
            "sum --tag --text",
            "--tag does not support --text mode",
            "finalist sum",
        ),
        (
            "sum --text --tag",
            "--tag does not support --text mode",
            "finalist sum",
        ),
        ("--nonsense", "unrecognized option '--nonsense'", "finalist"),
        (
            "sum --nonsense",
            "unrecognized option '--nonsense'",
            "finalist sum",
        ),
        ("check -y", "invalid option -- 'y'", "finalist check"),
        ("sum -1 a", "invalid option -- '1'", "finalist sum"),
        (
            "check --quiet=1",
            "option '--quiet' doesn't allow an argument",
            "finalist check",
        ),
        (
            "check --st list",
            "option '--st' is ambiguous; possibilities: '--status' '--strict'",
            "finalist check",
        ),
        (
            "selftest --ve x",
            "option '--ve' is ambiguous; possibilities: '--vectors' '--version'",
            "finalist selftest",
        ),
        (
            "merkle root --x",
            "unrecognized option '--x'",
            "finalist merkle root",
        ),
        (
            "sum -l",
            "option '--length' requires an argument",
            "finalist sum",
        ),
        (
            "sum -j 0",
            "invalid argument '0' for '--jobs'\n'--jobs' takes a number from 1 to 1024",
            "finalist sum",
        ),
        (
            "sum -j many",
            "invalid argument 'many' for '--jobs'\n'--jobs' takes a number from 1 to 1024",
            "finalist sum",
        ),
        (
            "sum -a blake3 --seek 4x a",
            "invalid argument '4x' for '--seek'\n'--seek' takes bytes from 0 to 18446744073709551615, \
             also with a suffix: k, M or G, as in 64k",
            "finalist sum",
        ),
        (
            "report --seconds x",
            "invalid argument 'x' for '--seconds'\n\
             '--seconds' takes a number from 1 to 86400",
            "finalist report",
        ),
        (
            "--check list",
            "unrecognized option '--check'\n'--check' is an option of 'finalist sum'",
            "finalist",
        ),
        (
            "merkle root --derive-key purpose a",
            "unrecognized option '--derive-key'\n\
             '--derive-key' is an option of 'finalist sum', 'finalist check'",
            "finalist merkle root",
        ),
        (
            "manifest create -o m --derive-key=purpose a",
            "unrecognized option '--derive-key'\n\
             '--derive-key' is an option of 'finalist sum', 'finalist check'",
            "finalist manifest create",
        ),
        (
            "duplicates a",
            "unknown command 'duplicates'\nDid you mean 'manifest duplicates'?",
            "finalist",
        ),
        (
            "verify a",
            "unknown command 'verify'\nDid you mean 'merkle verify' or 'manifest verify'?",
            "finalist",
        ),
        (
            "empty",
            "unknown command 'empty'\nDid you mean 'sum empty'?",
            "finalist",
        ),
        ("merkle empty", "unknown command 'empty'", "finalist merkle"),
        (
            "list blake2b blake2s",
            "extra operand 'blake2s'",
            "finalist list",
        ),
        (
            "selftest extra",
            "extra operand 'extra'",
            "finalist selftest",
        ),
        (
            "manifest root a -",
            "extra operand '-'",
            "finalist manifest root",
        ),
        (
            "check --tag",
            "the --tag option is meaningless when verifying checksums",
            "finalist check",
        ),
        (
            "check -z",
            "the --zero option is not supported when verifying checksums",
            "finalist check",
        ),
        (
            "sum -c -r a",
            "the --recursive option is meaningless when verifying checksums",
            "finalist sum",
        ),
        (
            "sum --quiet",
            "the --quiet option is meaningful only when verifying checksums",
            "finalist sum",
        ),
        (
            "sum --follow a",
            "the --follow option is meaningful only with --recursive",
            "finalist sum",
        ),
    ] {
        let message = format!("finalist: {message}\nTry '{help} --help' for more information.\n");
        assert_eq!(words(&dir, line), done(1, "", &message), "{line}");
    }
}

/// A negative number is an option's wrong value, not another option.
#[test]
fn negative_numbers_are_values() {
    let dir = fixture();
    let bytes = "bytes from";
    let number = "a number from";
    let pair = "OFFSET,BYTES: two numbers";
    for (line, option, value, takes) in [
        ("sum -a blake3 --seek -1 a", "--seek", "-1", bytes),
        ("sum -j -1 a", "--jobs", "-1", number),
        ("manifest create -j -2 d", "--jobs", "-2", number),
        ("merkle root -j -2 a", "--jobs", "-2", number),
        ("merkle root --chunk -1 a", "--chunk", "-1", bytes),
        ("merkle prove --index -1 a", "--index", "-1", number),
        ("merkle prove --slice -1,2 a", "--slice", "-1,2", pair),
        (
            "merkle verify --root 00 --slice -1,2 p",
            "--slice",
            "-1,2",
            pair,
        ),
        (
            "merkle verify --root 00 --leaves -3 p",
            "--leaves",
            "-3",
            number,
        ),
        (
            "merkle verify --root 00 --index -3 p",
            "--index",
            "-3",
            number,
        ),
        (
            "merkle consistency --old-leaves -3 a",
            "--old-leaves",
            "-3",
            number,
        ),
        ("merkle consistency --leaves -3 a", "--leaves", "-3", number),
        ("table diff a b --key k --rows -3", "--rows", "-3", number),
        ("bench --bytes 1,-64", "--bytes", "-64", bytes),
        ("bench --bytes -64,1", "--bytes", "-64", bytes),
        ("report --seconds -5", "--seconds", "-5", number),
    ] {
        let found = words(&dir, line);
        let text = format!(
            "finalist: invalid argument '{value}' for '{option}'\n'{option}' takes {takes}"
        );
        assert!(
            found.stderr.0.starts_with(text.as_bytes()),
            "{line}: {found:?}"
        );
        assert_ne!(found.code, Some(0), "{line}");
    }
}

/// Every pair of options that exclude one another, and every option that another one needs.
#[test]
fn options_exclude_and_need_others() {
    let dir = fixture();
    let command_of = |line: &str| {
        let words = line.split(' ');
        let names = words.take_while(|word| word.starts_with(char::is_lowercase));
        names.collect::<Vec<_>>().join(" ")
    };
    let refuse = |line: &str, message: &str| {
        let code = 1 + i32::from(line.starts_with("table "));
        let help = format!("finalist {}", command_of(line));
        let message = format!("finalist: {message}\nTry '{help} --help' for more information.\n");
        assert_eq!(words(&dir, line), done(code, "", &message), "{line}");
    };
    for (line, one, other) in [
        ("sum --keyed --key-file K A", "--keyed", "--key-file <FILE>"),
        ("sum --files0-from L A", "--files0-from <FILE>", "[FILE]..."),
        (
            "sum -a blake3 --derive-key C --key-file K",
            "--derive-key <CONTEXT>",
            "--key-file <FILE>",
        ),
        (
            "sum -a blake3 --derive-key C --keyed",
            "--derive-key <CONTEXT>",
            "--keyed",
        ),
        (
            "manifest verify --files0-from L --exclude G M D",
            "--files0-from <FILE>",
            "--exclude <GLOB>",
        ),
        (
            "manifest prove --verify P --root 00 F A",
            "--verify <PROOF>",
            "[PATH]",
        ),
        ("manifest prove --root 00 M A", "--root <ROOT>", "[PATH]"),
        (
            "table root --column A --columns B T",
            "--column <NAME>",
            "--columns <NAME,...>",
        ),
        ("merkle root --count --json A", "--count", "--json"),
        (
            "merkle root --leaf-files --chunk 1 A",
            "--leaf-files",
            "--chunk <BYTES>",
        ),
        (
            "merkle prove --slice 0,1 --index 0 A",
            "--slice <OFFSET,BYTES>",
            "--index <N>",
        ),
        (
            "merkle prove --slice 0,1 --chunk 1 A",
            "--slice <OFFSET,BYTES>",
            "--chunk <BYTES>",
        ),
        (
            "merkle prove --slice 0,1 --leaf-files A",
            "--slice <OFFSET,BYTES>",
            "--leaf-files",
        ),
        (
            "merkle verify --root 00 --slice 0,1 --leaves 1 P",
            "--slice <OFFSET,BYTES>",
            "--leaves <N>",
        ),
        (
            "merkle verify --root 00 --slice 0,1 --index 1 P",
            "--slice <OFFSET,BYTES>",
            "--index <N>",
        ),
        (
            "merkle verify --root 00 --slice 0,1 --leaf-hash 00 P",
            "--slice <OFFSET,BYTES>",
            "--leaf-hash <HEX>",
        ),
        (
            "merkle verify --root 00 --leaf-hash 00 P A",
            "--leaf-hash <HEX>",
            "[LEAF]",
        ),
        (
            "merkle consistency --verify P --old-root 00 --root 00 A",
            "--verify <PROOF>",
            "[FILE]...",
        ),
        (
            "merkle consistency --verify P --old-root 00 --root 00 --chunk 1",
            "--verify <PROOF>",
            "--chunk <BYTES>",
        ),
        (
            "merkle consistency --verify P --old-root 00 --root 00 --leaf-files",
            "--verify <PROOF>",
            "--leaf-files",
        ),
        ("report --quick --seconds 1", "--quick", "--seconds <N>"),
        (
            "report --compare A B M",
            "--compare <OLD> <NEW>",
            "[MEASURED]...",
        ),
        (
            "report --compare A B --measure",
            "--compare <OLD> <NEW>",
            "--measure",
        ),
        (
            "report --compare A B --seconds 1",
            "--compare <OLD> <NEW>",
            "--seconds <N>",
        ),
    ] {
        let message = format!("the argument '{one}' cannot be used with '{other}'");
        refuse(line, &message);
    }
    for (line, missing) in [
        ("manifest create --json A", "--output <FILE>"),
        ("manifest verify --follow M", "<DIRECTORY>"),
        ("manifest verify --exclude G M", "<DIRECTORY>"),
        ("manifest verify --files0-from L M", "<DIRECTORY>"),
        ("manifest prove", "<MANIFEST|FILE>, <PATH>"),
        ("manifest prove M", "<PATH>"),
        ("manifest prove --verify P", "--root <ROOT>"),
        ("merkle prove A", "--index <N>"),
        ("merkle verify P", "--root <ROOT>"),
        ("merkle consistency A", "--old-leaves <N>"),
        (
            "merkle consistency --verify P --old-root 00",
            "--root <ROOT>",
        ),
        (
            "merkle consistency --verify P --root 00",
            "--old-root <ROOT>",
        ),
        (
            "merkle consistency --old-leaves 1 --old-root 00",
            "--root <ROOT>, --verify <PROOF>",
        ),
        (
            "merkle consistency --old-leaves 1 --root 00",
            "--old-root <ROOT>, --verify <PROOF>",
        ),
        (
            "merkle consistency --old-leaves 1 --leaves 1",
            "--old-root <ROOT>, --root <ROOT>, --verify <PROOF>",
        ),
        ("table diff A B", "--key <NAME>"),
        ("table buckets --key A T", "--output <FILE>"),
        ("table rows -o A T", "--key <NAME>"),
    ] {
        refuse(line, &format!("missing argument: {missing}"));
    }
}

/// The last of an option that is given twice counts, as in the GNU tools.
#[test]
fn an_option_that_is_given_again_replaces_the_first() {
    let dir = fixture();
    for line in [
        "sum KEYS a",
        "check KEYS a",
        "manifest create KEYS .",
        "manifest update KEYS M .",
        "manifest verify KEYS M",
        "manifest diff KEYS M N",
        "manifest duplicates KEYS M",
        "manifest root KEYS M",
        "manifest prove KEYS M a",
        "merkle root KEYS a",
        "merkle prove --index 0 KEYS a",
        "merkle verify --root 00 --slice 0,1 KEYS p a",
        "merkle consistency --old-leaves 1 KEYS a",
        "table diff --key id KEYS S T",
        "table buckets --key id KEYS -o B T",
        "table rows --key id KEYS -o R T",
        "table root KEYS T",
    ] {
        let line = line.replace("KEYS", "--key-file first --key-file second");
        let found = words(&dir, &line);
        let start = "finalist: second: ";
        assert!(
            found.stderr.0.starts_with(start.as_bytes()),
            "{line}: {found:?}"
        );
    }
}

#[test]
fn help_has_help() {
    let dir = fixture();
    for (line, help) in [
        ("help --help", "--help"),
        ("help -h", "-h"),
        ("help sum --help", "sum --help"),
        ("manifest help --help", "manifest --help"),
    ] {
        let expected = words(&dir, help);
        assert_eq!(expected.code, Some(0));
        assert_eq!(words(&dir, line), expected, "{line}");
    }
}

#[test]
fn unknown_names() {
    let dir = fixture();
    for (line, option) in [
        (
            "sum -a sha256 a",
            "invalid argument 'sha256' for '--algorithm'",
        ),
        (
            "sum --impl nosuch a",
            "invalid argument 'nosuch' for '--impl'",
        ),
        (
            "sum -a groestl256 --impl xxx a",
            "invalid argument 'xxx' for '--impl'",
        ),
    ] {
        let refused = words(&dir, line);
        let text = String::from_utf8(refused.stderr.0).expect("it is text");
        let start = format!("finalist: {option}\nValid arguments are:\n  - '");
        assert!(text.starts_with(&start), "{text}");
        let help = &line[..line.find(' ').expect("there is one")];
        let end = format!("'\nTry 'finalist {help} --help' for more information.\n");
        assert!(text.ends_with(&end), "{text}");
        assert_eq!((refused.code, refused.stdout), (Some(1), Text(Vec::new())));
    }
    for (line, near) in [
        ("check -a BLAKE2B a", "'blake2b'"),
        ("sum -a blake2 a", "'blake2b' or 'blake2s'"),
        ("sum -a Blake2b-256 a", "'blake2b' with '-l 256'"),
        ("sum -a blake3-256 a", "'blake3' with '-l 256'"),
        ("list blake2b-256", "'blake2b'"),
        ("check -a blake2b-256 a", "'blake2b'"),
        ("sum -a blake2b-0 a", "'blake2b'"),
        ("sum -a BLAKE-384 a", "'blake384'"),
        ("sum -a groestl-256 a", "'groestl256'"),
        ("sum -a blake2b --impl portabel a", "'portable'"),
        ("selftest --impl blake2b=portabel", "'blake2b=portable'"),
        ("bench -a blake2B", "'blake2b'"),
    ] {
        let refused = words(&dir, line).stderr.0.escape_ascii().to_string();
        assert!(
            refused.contains(&format!("Did you mean {}?", near.escape_default())),
            "{refused}"
        );
    }
}

/// Runs the tool with a feature hidden that other implementations need, where there are such.
fn without_avx2(dir: &TempDir, line: &str) -> Done {
    let mut command = program("finalist", dir.path());
    command.args(line.split(' '));
    if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
        command.env("FINALIST_CPU", "-avx2");
    }
    finish(start(&mut command, b""))
}

/// Returns the names of the implementations that are in these rows.
fn names_of(rows: &[Value], is_in: impl Fn(&Value) -> bool) -> BTreeSet<&str> {
    let rows = rows.iter().filter(|row| is_in(row));
    rows.map(|row| row["implementation"].as_str().expect("a name"))
        .collect()
}

/// They are those of the algorithm, or of all, that this CPU supports.
#[test]
fn implementations_that_can_be_chosen_are_named() {
    let dir = fixture();
    let list = without_avx2(&dir, "list --json");
    let rows: Vec<Value> = serde_json::from_slice(&list.stdout.0).expect("it is JSON");
    for (line, algorithm) in [
        ("sum -a groestl256 --impl nosuch a", Some("groestl256")),
        (
            "sum -a groestl512 -l 224 --impl nosuch a",
            Some("groestl256"),
        ),
        ("check --impl nosuch a", None),
    ] {
        let refused = String::from_utf8(without_avx2(&dir, line).stderr.0).expect("text");
        let named = refused.lines().filter_map(|line| line.strip_prefix("  - "));
        let named: BTreeSet<_> = named.map(|name| name.trim_matches('\'')).collect();
        let expected = names_of(&rows, |row| {
            row["supported"] == true && algorithm.is_none_or(|name| row["algorithm"] == name)
        });
        assert_eq!(named, expected, "{line}");
    }
}

/// Shorter digests of Groestl-512 are those of another compression function.
#[test]
fn an_implementation_of_the_digest_s_length_can_be_chosen() {
    let dir = fixture();
    write(&dir, "one", "");
    let list = words(&dir, "list --json");
    let rows: Vec<Value> = serde_json::from_slice(&list.stdout.0).expect("it is JSON");
    let supported = |name: &str| {
        names_of(&rows, |row| {
            row["supported"] == true && row["algorithm"] == name
        })
    };
    let (short, long) = (supported("groestl256"), supported("groestl512"));
    let Some(name) = short.difference(&long).next() else {
        return; // This CPU has none that only one of them has.
    };
    let sum = words(&dir, &format!("sum -a groestl512 -l 256 --impl {name} one"));
    assert_eq!((sum.code, &sum.stderr), (Some(0), &Text(Vec::new())));
    write(&dir, "list", &sum.stdout.0);
    let line = format!("check -a groestl512 --impl {name} list");
    assert_eq!(words(&dir, &line), done(0, "one: OK\n", ""));
    let line = format!("manifest create -a groestl512 -l 256 --impl {name} d -o M.list");
    assert_eq!(words(&dir, &line).code, Some(0));
}

#[test]
fn an_implementation_that_needs_a_hidden_feature_is_refused_with_those_that_run() {
    let dir = fixture();
    let list = without_avx2(&dir, "list blake2b --json");
    let rows: Vec<Value> = serde_json::from_slice(&list.stdout.0).expect("it is JSON");
    let lacking = rows.iter().find(|row| row["supported"] == false);
    // Elsewhere than on x86, all may be supported.
    let Some(row) = lacking else { return };
    let name = row["implementation"].as_str().expect("a name");
    let refused = without_avx2(&dir, &format!("sum --impl {name} a"));
    let refused = String::from_utf8(refused.stderr.0).expect("it is text");
    let feature = row["features"][0].as_str().expect("a feature");
    let start = format!(
        "finalist: --impl: '{name}' needs CPU features that are absent or masked: {feature}"
    );
    assert!(refused.starts_with(&start), "{refused}");
    let named = refused.lines().skip(2).flat_map(str::split_whitespace);
    let named: BTreeSet<_> = named.filter(|word| *word != "finalist:").collect();
    let expected = names_of(&rows, |row| row["supported"] == true);
    assert_eq!(named, expected, "{refused}");
}

#[test]
fn environment() {
    let dir = fixture();
    let long = "a".repeat(100_000);
    for (variable, value, item) in [
        ("FINALIST_IMPL", "x=y", "x=y"),
        (
            "FINALIST_IMPL",
            "blake2b=portable,blake256=nosuch",
            "blake256=nosuch",
        ),
        ("FINALIST_CPU", "-nosuch", "-nosuch"),
        ("FINALIST_IMPL", "-avx2", "-avx2"),
        ("FINALIST_IMPL", &long, &long[..128]),
        ("FINALIST_CPU", &long, &long[..128]),
    ] {
        let mut command = program("finalist", dir.path());
        command.args(["sum", "gone"]).env(variable, value);
        let output = start(&mut command, b"")
            .wait_with_output()
            .expect("it was started");
        let text = String::from_utf8(output.stderr).expect("it is text");
        assert!(
            text.starts_with(&format!("finalist: {variable}: '{item}': ")),
            "{text}"
        );
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(!text.contains("did you mean"), "{text}");
        assert_eq!(output.status.code(), Some(1));
    }
}

#[test]
fn wrong_items_of_the_environment_are_named_with_the_nearest() {
    let dir = fixture();
    for (variable, item, near) in [
        ("FINALIST_IMPL", "blake2b=portabel", "blake2b=portable"),
        ("FINALIST_IMPL", "BLAKE2B=portable", "blake2b=portable"),
        ("FINALIST_CPU", "-sse24", "-sse2"),
        ("FINALIST_CPU", "avx2", "-avx2"),
    ] {
        let is_x86 = cfg!(any(target_arch = "x86", target_arch = "x86_64"));
        if !is_x86 && variable == "FINALIST_CPU" {
            continue;
        }
        let mut command = program("finalist", dir.path());
        command.args(["sum", "a"]).env(variable, item);
        let output = start(&mut command, b"").wait_with_output();
        let text = String::from_utf8(output.expect("it was started").stderr);
        let expected = format!("finalist: {variable}: '{item}': unknown; did you mean '{near}'?\n");
        assert_eq!(text.expect("it is text"), expected);
    }
}

#[test]
fn an_implementation_that_this_cpu_lacks_is_refused() {
    let dir = fixture();
    let list = without_avx2(&dir, "list --json");
    let rows: Vec<Value> = serde_json::from_slice(&list.stdout.0).expect("it is JSON");
    let has = |row: &&Value| row["supported"] == true;
    let name = |row: &Value| row["implementation"].as_str().map(str::to_owned);
    let supported: Vec<_> = rows.iter().filter(has).map(name).collect();
    let lacking = rows.iter().find(|row| !supported.contains(&name(row)));
    // This CPU may support everything that the library contains.
    let Some(row) = lacking else { return };
    let name = name(row).expect("a name");
    for command in ["selftest", "bench"] {
        let done = without_avx2(&dir, &format!("{command} --impl {name}"));
        let errors = String::from_utf8(done.stderr.0).expect("it is text");
        assert_eq!(done.code, Some(1), "{errors}");
        assert!(
            errors.starts_with(&format!("finalist: --impl: '{name}': ")),
            "{errors}"
        );
        let features = row["features"].as_array().expect("names").iter();
        let features: Vec<_> = features.filter_map(Value::as_str).collect();
        let end = format!(" ({})\n", features.join(", "));
        assert!(errors.ends_with(&end), "{errors}");
    }
}
