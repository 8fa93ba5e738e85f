// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the exact text of the tool's messages. Those of b2sum are from GNU coreutils 9.11, even if
//! older versions differ.

mod common;

use std::thread;

use common::{Done, done, finalist, fixture, run_with, words, write};

const A: &str = "63e36e4569cd772ba719ec50f6627e07ab6764c5ddffc84607abdff7f0083511\
                 dd276f3949c66386ca236cd123b5adc4919875d5abb17d17bbabdeabf0db7e9f";

/// Checks a list of these lines with these options, read from a file named list.
fn check(options: &str, list: &str) -> Done {
    let dir = fixture();
    write(&dir, "list", list);
    words(&dir, &format!("check {options} list"))
}

#[test]
fn results() {
    let wrong = A.replace('6', "7");
    assert_eq!(check("", &format!("{A}  a\n")), done(0, "a: OK\n", ""));
    assert_eq!(
        check("", &format!("{wrong}  a\n")),
        done(
            1,
            "a: FAILED\n",
            "finalist: WARNING: 1 computed checksum did NOT match\n\
             finalist: hint: lines that name no algorithm were taken for BLAKE2b's; -a names another one\n"
        )
    );
    assert_eq!(
        check(
            "",
            &format!("{wrong}  a\n{A}  gone\n{A}  d\nx\n{A}  a\n{wrong}  empty\n")
        ),
        done(
            1,
            "a: FAILED\ngone: FAILED open or read\nd: FAILED open or read\na: OK\nempty: FAILED\n",
            "finalist: gone: No such file or directory\n\
             finalist: d: Is a directory\n\
             finalist: WARNING: 1 line is improperly formatted\n\
             finalist: WARNING: 2 listed files could not be read\n\
             finalist: WARNING: 2 computed checksums did NOT match\n"
        )
    );
    assert_eq!(
        check("", &format!("x\ny\n{A}  a\n{A}  gone\n")),
        done(
            1,
            "a: OK\ngone: FAILED open or read\n",
            "finalist: gone: No such file or directory\n\
             finalist: WARNING: 2 lines are improperly formatted\n\
             finalist: WARNING: 1 listed file could not be read\n"
        )
    );
}

#[test]
fn lists_that_say_nothing() {
    let nothing = "finalist: list: no properly formatted checksum lines found\n";
    assert_eq!(check("", ""), done(1, "", nothing));
    assert_eq!(check("--status", "# x\n\nrubbish\n"), done(1, "", nothing));
    let dir = fixture();
    assert_eq!(
        run_with("finalist", dir.path(), &["check"], b"x\n"),
        done(
            1,
            "",
            "finalist: 'standard input': no properly formatted checksum lines found\n"
        )
    );
    let dash = format!("{A}  -\n");
    assert_eq!(
        run_with(
            "finalist",
            dir.path(),
            &["check", "--warn"],
            dash.as_bytes()
        ),
        done(
            1,
            "",
            "finalist: 'standard input': 1: improperly formatted BLAKE2b checksum line\n\
             finalist: 'standard input': no properly formatted checksum lines found\n"
        )
    );
    assert_eq!(
        words(&dir, "check gone"),
        done(1, "", "finalist: gone: No such file or directory\n")
    );
    // Windows does not even open it.
    let text = if cfg!(windows) {
        "Is a directory"
    } else {
        "read error"
    };
    assert_eq!(
        words(&dir, "check d"),
        done(1, "", &format!("finalist: d: {text}\n"))
    );
}

#[test]
fn options_of_check() {
    let mixed = format!("x\n{A}  a\n");
    let improper = "finalist: WARNING: 1 line is improperly formatted\n";
    let warned =
        format!("finalist: list: 1: improperly formatted BLAKE2b checksum line\n{improper}");
    assert_eq!(check("", &mixed), done(0, "a: OK\n", improper));
    assert_eq!(check("--strict", &mixed), done(1, "a: OK\n", improper));
    assert_eq!(check("-w", &mixed), done(0, "a: OK\n", &warned));
    assert_eq!(check("--quiet", &mixed), done(0, "", improper));
    assert_eq!(check("--status", &mixed), done(0, "", ""));
    assert_eq!(
        check("--quiet --status --warn", &mixed),
        done(0, "a: OK\n", &warned)
    );
    assert_eq!(check("--warn --quiet --status", &mixed), done(0, "", ""));
    assert_eq!(check("--status --quiet", &mixed), done(0, "", improper));

    let gone = format!("{A}  gone\n");
    assert_eq!(
        check("--ignore-missing", &gone),
        done(1, "", "finalist: list: no file was verified\n")
    );
    assert_eq!(
        check("--ignore-missing", &format!("{gone}{A}  a\n")),
        done(0, "a: OK\n", "")
    );
    assert_eq!(
        check("--status", &gone),
        done(1, "", "finalist: gone: No such file or directory\n")
    );
}

/// Older versions print these names differently and accept two spaces after a tag.
#[test]
#[cfg_attr(windows, ignore = "Windows has no such names")]
fn names_in_results_are_quoted() {
    let dir = fixture();
    let sums = finalist(
        dir.path(),
        &["sum", "back\\slash", "carriage\rreturn", "new\nline"],
    );
    write(&dir, "list", &sums.stdout.0);
    assert_eq!(
        words(&dir, "check list"),
        done(
            0,
            "'back\\slash': OK\n'carriage'$'\\r''return': OK\n'new'$'\\n''line': OK\n",
            ""
        )
    );
    write(&dir, "list", format!("BLAKE2b  (a) = {A}\n"));
    let nothing = "finalist: list: no properly formatted checksum lines found\n";
    assert_eq!(words(&dir, "check list"), done(1, "", nothing));
}

#[test]
fn warnings_name_the_algorithm_of_the_last_tag() {
    let list = format!(
        "x\nGroestl-512 (a) = 00\nx\nBLAKE-256 (a) = 00\nBLAKE2s (a\nBLAKE2b (a) = {A}\nx\n"
    );
    let warned = |titles: [&str; 6]| {
        let lines = [1, 2, 3, 4, 5, 7].into_iter().zip(titles);
        let lines = lines.map(|(line, title)| {
            format!("finalist: list: {line}: improperly formatted {title} checksum line\n")
        });
        let lines: String = lines.collect();
        lines + "finalist: WARNING: 6 lines are improperly formatted\n"
    };
    let groestl = "Groestl-512";
    let titles = [
        "BLAKE2b",
        groestl,
        groestl,
        "BLAKE-256",
        "BLAKE2s",
        "BLAKE2b",
    ];
    assert_eq!(check("-w", &list), done(0, "a: OK\n", &warned(titles)));
    assert_eq!(
        check("-w -a blake2b", &list),
        done(0, "a: OK\n", &warned(["BLAKE2b"; 6]))
    );
}

/// There is no hint with -a, if an untagged line matched, or if no untagged line mismatched.
#[test]
fn a_hint_names_the_algorithm_that_was_assumed() {
    let wrong = A.replace('6', "7");
    let tagged = format!("BLAKE2b (a) = {wrong}\n");
    for (options, list, hinted) in [
        ("", format!("{wrong}  a\n{wrong}  a\n"), true),
        ("", format!("{wrong}  a\nBLAKE2b (a) = {A}\n"), true),
        ("", format!("{}  a\n", &A[..64]), true),
        ("", format!("{wrong}  a\n{A}  a\n"), false),
        ("", tagged, false),
        ("-a blake2b", format!("{wrong}  a\n"), false),
        ("--status", format!("{wrong}  a\n"), false),
        ("", format!("{A}  gone\n"), false),
    ] {
        let done = check(options, &list);
        let text = String::from_utf8(done.stderr.0).expect("it is text");
        assert_eq!(text.contains("hint: "), hinted, "{list}: {text}");
    }
}

#[test]
fn a_hint_tells_how_directories_are_hashed() {
    let dir = fixture();
    let hint = "finalist: hint: with -r, the files under directories are hashed\n";
    let refused = words(&dir, "sum d a d").stderr.0.escape_ascii().to_string();
    assert_eq!(refused.matches("hint: with -r").count(), 1, "{refused}");
    if cfg!(unix) {
        let message = format!("finalist: d: Is a directory\n{hint}");
        assert_eq!(words(&dir, "sum d"), done(1, "", &message));
    }
}

#[test]
fn the_cause_is_named() {
    let dir = fixture();
    write(&dir, "list", &words(&dir, "sum -a blake3 a").stdout.0);
    let nothing = "finalist: list: no properly formatted checksum lines found\n";
    let hint = "finalist: hint: --derive-key and --seek are for BLAKE3; \
                lines that name no algorithm need -a blake3\n";
    for (options, message) in [
        ("--derive-key x", format!("{nothing}{hint}")),
        ("--seek 10", format!("{nothing}{hint}")),
        (
            "-C gone",
            "finalist: gone: No such file or directory\n".to_owned(),
        ),
        ("-C a", "finalist: a: Not a directory\n".to_owned()),
    ] {
        // Windows has no such error for a file.
        if cfg!(windows) && options == "-C a" {
            continue;
        }
        let check = words(&dir, &format!("check {options} list"));
        assert_eq!(check, done(1, "", &message), "{options}");
    }
}

#[test]
fn the_help_of_check_is_its_own() {
    let dir = fixture();
    let help = words(&dir, "check --help").stdout.0;
    let help = String::from_utf8(help).expect("it is text");
    assert!(help.contains("per line: file, list, result\n"), "{help}");
    assert!(!help.contains("digest_bits"), "{help}");
    assert!(!help.contains("--help names all"), "{help}");
}

#[test]
fn sizes_have_suffixes() {
    let dir = fixture();
    let sought = |seek: &str| words(&dir, &format!("sum -a blake3 --seek {seek} a"));
    assert_eq!(sought("4k").code, Some(0));
    assert_eq!(sought("4KiB"), sought("4096"));
    assert_eq!(sought("4k"), sought("4096"));
    let root = |chunk: &str| words(&dir, &format!("merkle root --chunk {chunk} a"));
    assert_eq!(root("4k").code, Some(0));
    assert_eq!(root("4k"), root("4096"));
    let refused = "finalist: invalid argument '2G' for '--chunk'\n\
                   finalist: '--chunk' takes bytes from 1 to 1073741824, also with a suffix: k, M or G, as in 64k\n";
    let text = String::from_utf8(root("2G").stderr.0).expect("it is text");
    assert!(
        text.starts_with(&refused.replace("\nfinalist: '", "\n'")),
        "{text}"
    );
}

/// On a terminal, progress appears within 0.3 s, even if no file can be read.
#[test]
#[cfg_attr(windows, ignore = "it runs script")]
fn status_draws_no_progress_bar() {
    let dir = fixture();
    let sum = run_with("finalist", dir.path(), &["sum"], b"xy");
    write(&dir, "list", &sum.stdout.0);
    let slowly = "(printf x; sleep 0.8; printf y)";
    let terminal = |options: &str| {
        let finalist = env!("CARGO_BIN_EXE_finalist");
        let line = format!("{slowly} | {finalist} check {options} list");
        run_with("script", dir.path(), &["-qec", &line, "/dev/null"], b"")
            .stdout
            .0
    };
    assert!(terminal("").windows(3).any(|text| text == b"B/s"));
    assert_eq!(terminal("--status").escape_ascii().to_string(), "");
}

/// The total is shown from the start for names on the command line; for directories, once all files
/// are found, which one thread finds one after another.
#[test]
#[cfg_attr(windows, ignore = "it runs script")]
fn progress_counts_the_files() {
    let dir = fixture();
    let finalist = env!("CARGO_BIN_EXE_finalist");
    for (columns, arguments, expected, refused) in [
        (80, "-j2 a - empty", " of 3  ", "%%"),
        (80, "-j1 a - empty", "file 2 of 3  ", "file 2  "),
        (80, "-j1 -r a - empty", "file 2  1001 B  ", "%%"),
        (80, "-j1 -r a empty -", "file 3 of 3  ", "%%"),
        (80, "-j1 -", "B/s", "file"),
        (80, "-j1 -", "B/s", " of "),
        (80, "-j1 - a", " left  ", "%%"),
        (30, "-j2 a - empty", " of 3  100 %", "B/s"),
    ] {
        let line = format!(
            "stty rows 24 cols {columns}; (printf x; sleep 0.8; printf y) | {finalist} sum {arguments}"
        );
        let shown = run_with("script", dir.path(), &["-qec", &line, "/dev/null"], b"");
        let shown = String::from_utf8_lossy(&shown.stdout.0).into_owned();
        assert!(shown.contains(expected), "{arguments}: {shown:?}");
        assert!(!shown.contains(refused), "{arguments}: {shown:?}");
    }
    // The file of a root counts once, and so does standard input.
    let lines = ["sum a", "merkle root a", "sum -"].map(|line| words(&dir, line).stdout.0);
    write(&dir, "list", lines.concat());
    let line = format!("(sleep 0.8; printf y) | {finalist} check -j2 list");
    let shown = run_with("script", dir.path(), &["-qec", &line, "/dev/null"], b"");
    let shown = String::from_utf8_lossy(&shown.stdout.0).into_owned();
    assert!(shown.contains("file 3 of 3  "), "{shown:?}");
}

/// Standard input is slow: progress appears before its end, if it is wanted.
#[test]
#[cfg_attr(windows, ignore = "it runs script")]
fn progress_is_shown_unless_refused() {
    let dir = fixture();
    words(&dir, "manifest create . -o M.list");
    let finalist = env!("CARGO_BIN_EXE_finalist");
    let is_shown = |command: &str, option: &str| {
        let line = format!("(sleep 0.8; printf a) | {finalist} {command} {option}");
        let done = run_with("script", dir.path(), &["-qec", &line, "/dev/null"], b"");
        done.stdout.0.windows(3).any(|text| text == b"B/s")
    };
    let is_shown = &is_shown;
    thread::scope(|scope| {
        for command in [
            "sum",
            "merkle root",
            "manifest create . --files0-from -",
            "manifest update M.list . -o N.list --files0-from -",
            "manifest verify M.list . --files0-from -",
        ] {
            scope.spawn(move || {
                assert!(is_shown(command, ""), "{command}");
                assert!(!is_shown(command, "--no-progress"), "{command}");
            });
        }
    });
}

#[test]
fn lengths() {
    let dir = fixture();
    for (options, second) in [
        ("-l 7", "length is not a multiple of 8"),
        ("-l +", ""),
        ("-l 513", "maximum digest length for 'BLAKE2b' is 512 bits"),
        (
            "-l 99999999999999999999999",
            "maximum digest length for 'BLAKE2b' is 512 bits",
        ),
        (
            "-a blake2s -l 264",
            "maximum digest length for 'BLAKE2s' is 256 bits",
        ),
        (
            "-a groestl384 -l 392",
            "maximum digest length for 'Groestl-384' is 384 bits",
        ),
        ("-a groestl384 -l 12", "length is not a multiple of 8"),
        (
            "-a blake2xs -l 524280",
            "maximum digest length for 'BLAKE2Xs' is 524272 bits",
        ),
        (
            "-a blake256 -l 224",
            "digest length for 'BLAKE-256' must be 256",
        ),
        // BLAKE3's limit in bits does not fit into 64 bits.
        (
            "-a blake3 -l 18446744073709551615",
            "length is not a multiple of 8",
        ),
    ] {
        let length = options.split_whitespace().last().expect("there is one");
        let mut message = format!("finalist: invalid length: '{length}'\n");
        if !second.is_empty() {
            message += &format!("finalist: {second}\n");
        }
        assert_eq!(
            words(&dir, &format!("sum {options} a")),
            done(1, "", &message)
        );
    }
    for (options, digits) in [
        ("-l 0", 128),
        ("-a blake2s -l 0", 64),
        ("-a blake256 -l 256", 64),
        ("-a groestl512 -l 8", 2),
        ("-a blake2xb", 128),
        ("-a blake2xb -l 4096", 1024),
        ("-a blake2xs -l 524272", 131_068),
    ] {
        let sum = words(&dir, &format!("sum {options} a"));
        assert_eq!(
            (sum.code, sum.stdout.0.len()),
            (Some(0), digits + "  a\n".len()),
            "{options}"
        );
    }
}

#[test]
fn parameters() {
    let dir = fixture();
    write(&dir, "k65", [0; 65]);
    write(&dir, "none", "");
    for (options, message) in [
        (
            "--salt xy",
            "invalid salt: 'xy'\nfinalist: salt is not one or more pairs of hexadecimal digits",
        ),
        (
            "--salt 123",
            "invalid salt: '123'\nfinalist: salt is not one or more pairs of hexadecimal digits",
        ),
        (
            "-a blake256 --salt 12",
            "invalid salt: '12'\nfinalist: salt for 'BLAKE-256' must be 16 bytes",
        ),
        (
            "-a blake2s --salt 112233445566778899",
            "invalid salt: '112233445566778899'\nfinalist: maximum salt for 'BLAKE2s' is 8 bytes",
        ),
        (
            "-a groestl256 --salt 12",
            "invalid salt: '12'\nfinalist: 'Groestl-256' takes no salt",
        ),
        (
            "-a blake64 --personal 12",
            "invalid personalisation: '12'\nfinalist: 'BLAKE-64' takes no personalisation",
        ),
        ("--key-file gone", "gone: No such file or directory"),
        ("--key-file d", "d: Is a directory"),
        ("--key-file none", "none: the key is empty"),
        (
            "--key-file k65",
            "k65: the key is longer than 64 bytes, the most that 'BLAKE2b' takes",
        ),
        (
            "--key-file /dev/zero -a blake2s",
            "/dev/zero: the key is longer than 32 bytes, the most that 'BLAKE2s' takes",
        ),
        (
            "-a blake256 --key-file a",
            "'BLAKE-256' takes no key; the --key-file option is for BLAKE2 and BLAKE3",
        ),
        (
            "-a blake3 --key-file k65",
            "k65: the key of 'BLAKE3' has 32 bytes, not 33",
        ),
        (
            "-a blake2b --derive-key purpose a",
            "'BLAKE2b' derives no keys; the --derive-key option is for BLAKE3",
        ),
        (
            "--key-file - -",
            "-: standard input cannot be both key and message",
        ),
    ] {
        if cfg!(windows) && options.contains("/dev/") {
            continue;
        }
        let sum = words(&dir, &format!("sum {options} a"));
        assert_eq!(
            sum,
            done(1, "", &format!("finalist: {message}\n")),
            "{options}"
        );
    }
}

/// With each command that reads a key, and all that may be read from standard input besides.
#[test]
fn standard_input_is_not_both_the_key_and_something_else() {
    let dir = fixture();
    write(&dir, "three", "abc");
    let proof = words(&dir, "merkle consistency --old-leaves 1 --chunk 1 three");
    assert_eq!(proof.code, Some(0));
    let text = "finalist: -: standard input cannot be both key and message\n";
    for line in [
        "sum --keyed",
        "sum --keyed three -",
        "sum --keyed --files0-from -",
        "check --keyed",
        "check --key-file - three -",
        "manifest create --keyed --files0-from - d",
        "merkle root --keyed",
        "merkle prove --keyed --index 0",
        "merkle prove --keyed --slice 0,1 -",
        "merkle consistency --keyed --old-leaves 1",
        "merkle consistency --keyed --verify - --old-root 00 --root 00",
    ] {
        let words: Vec<_> = line.split(' ').collect();
        let found = run_with("finalist", dir.path(), &words, &proof.stdout.0);
        assert_eq!(found, done(1, "", text), "{line}");
    }
}

/// Names in files are found after the key was read. A line of a list is improper then, as if the
/// list were standard input.
#[test]
fn no_file_names_standard_input_that_has_the_key() {
    let dir = fixture();
    write(&dir, "three", "abc");
    write(&dir, "key", "secret");
    write(&dir, "names", "three\0-\0");
    let sums = words(&dir, "sum --key-file key three -");
    write(&dir, "list", &sums.stdout.0);
    let both = "finalist: -: standard input cannot be both key and message\n";
    let improper = "finalist: WARNING: 1 line is improperly formatted\n";
    for (line, code, stdout, text) in [
        ("sum --keyed --files0-from names", 1, "", both),
        ("check --keyed --files0-from names", 1, "", both),
        ("check --keyed list", 0, "three: OK\n", improper),
        ("check --key-file - list", 0, "three: OK\n", improper),
    ] {
        let words: Vec<_> = line.split(' ').collect();
        let found = run_with("finalist", dir.path(), &words, b"secret");
        assert_eq!(found, done(code, stdout, text), "{line}");
    }
}

/// If both streams are one, each message stands where its line would.
#[cfg(unix)]
#[test]
fn messages_and_lines_keep_their_order() {
    let dir = fixture();
    write(&dir, "one", "");
    write(&dir, "two", "");
    let finalist = env!("CARGO_BIN_EXE_finalist");
    let line = format!("exec {finalist} sum -j1 -l8 one gone two 2>&1");
    let found = run_with("sh", dir.path(), &["-c", &line], b"");
    let text = "2e  one\nfinalist: gone: No such file or directory\n2e  two\n";
    assert_eq!(found, done(1, text, ""));
}
