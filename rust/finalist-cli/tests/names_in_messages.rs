// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests names, arguments and lines that a message repeats: none of them controls the terminal or
//! fills it.

mod common;

#[cfg(unix)]
use common::{Done, done, program, start};
use common::{finalist, fixture, write};
#[cfg(unix)]
use tempfile::TempDir;

/// Runs the tool with a terminal that shows Unicode.
#[cfg(unix)]
fn in_unicode(dir: &TempDir, args: &[&str]) -> Done {
    let mut command = program("finalist", dir.path());
    common::finish(start(command.env("LC_ALL", "C.UTF-8").args(args), b""))
}

/// Bidirectional controls reorder the text after them on a terminal, and other characters are
/// invisible.
#[cfg(unix)]
#[test]
fn unseen_characters_are_escaped() {
    let dir = fixture();
    let name = "a\u{202e}\u{200b}b";
    let shown = "'a'$'\\342\\200\\256\\342\\200\\213''b'";
    let none = format!("finalist: {shown}: No such file or directory\n");
    assert_eq!(in_unicode(&dir, &["sum", name]), done(1, "", &none));
    write(&dir, name, "");
    // Lists preserve the bytes; results and messages do not.
    let sum = in_unicode(&dir, &["sum", name]);
    assert!(sum.stdout.0.ends_with(format!("  {name}\n").as_bytes()));
    write(&dir, "list", sum.stdout.0);
    let checked = in_unicode(&dir, &["check", "list"]);
    assert_eq!(checked, done(0, &format!("{shown}: OK\n"), ""));
    let text = "finalist: unknown command 'x\\342\\201\\246y'\n";
    let misused = in_unicode(&dir, &["x\u{2066}y"]);
    assert!(misused.stderr.0.starts_with(text.as_bytes()), "{misused:?}");
    let text = "finalist: invalid salt: '\\033[2J'\nfinalist: salt is not one or more pairs of \
                hexadecimal digits\n";
    assert_eq!(
        in_unicode(&dir, &["sum", "--salt", "\u{1b}[2J"]),
        done(1, "", text)
    );
}

/// The first variable that is not empty decides whether the terminal shows Unicode.
#[cfg(unix)]
#[test]
fn one_variable_decides_what_is_escaped() {
    let dir = fixture();
    for (all, ctype, lang, is_shown) in [
        ("C", "C.UTF-8", "C.UTF-8", false),
        ("C.UTF-8", "C", "C", true),
        ("", "C", "C.UTF-8", false),
        ("", "C.utf8", "C", true),
        ("", "", "C.UTF-8", true),
        ("", "", "", false),
    ] {
        let mut command = program("finalist", dir.path());
        command.env("LC_ALL", all).env("LC_CTYPE", ctype);
        command.env("LANG", lang).args(["sum", "\u{f8}"]);
        let said = common::finish(start(&mut command, b"")).stderr;
        let shown = if is_shown {
            "\u{f8}"
        } else {
            "''$'\\303\\270'"
        };
        let expected = format!("finalist: {shown}: No such file or directory\n");
        assert!(
            said.0 == expected.as_bytes(),
            "{all}, {ctype}, {lang}: {said:?}"
        );
    }
}

/// A terminal gets no name that controls it or reorders its text; pipes and files get all bytes.
#[cfg(target_os = "linux")]
#[test]
fn names_on_a_terminal_are_escaped() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let name = "\u{1b}[31m\u{e9}\u{202e}b\u{7f}";
    write(&dir, name, "");
    let tool = env!("CARGO_BIN_EXE_finalist");
    for (line, before, after) in [
        ("sum *", "  ", "\n"),
        ("sum --tag *", "BLAKE2b (", ") = "),
        ("manifest create . -l 8", "BLAKE2b-8 (", ") = "),
    ] {
        let line = format!("LC_ALL=C.UTF-8 {tool} {line}");
        let run = |program: &str, words: &[&str]| {
            let done = common::run_with(program, dir.path(), words, b"");
            String::from_utf8(done.stdout.0).expect("text")
        };
        let piped = run("sh", &["-c", &line]);
        assert!(piped.contains(&[before, name, after].concat()), "{piped:?}");
        let shown = run("script", &["-qec", &line, "/dev/null"]).replace('\r', "");
        let name = "\\033[31m\u{e9}\\342\\200\\256b\\177";
        assert!(shown.contains(&[before, name, after].concat()), "{shown:?}");
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
    }
}

/// No message repeats a long name, argument or line completely.
#[test]
fn long_names_are_cut() {
    let dir = fixture();
    let long = "n".repeat(100_000);
    let option = format!("--{long}");
    write(&dir, "M.list", format!("# finalist-manifest-{long}\n"));
    let header = "# finalist-manifest-2\n# algorithm: blake2b\n# digest_bits: 64\n";
    write(
        &dir,
        "N.list",
        format!("{header}# keyed: {long}\n# salt:\n# personal:\n"),
    );
    write(&dir, "proof", format!("{{\"{long}\": 1}}"));
    for args in [
        &["sum", &long][..],
        &["sum", &option],
        &["sum", "-a", &long],
        &["sum", "-l", &long],
        &["sum", "--salt", &long],
        &["sum", "--impl", &long],
        &[&long],
        &["check", &long],
        &["manifest", "create", &long],
        &["manifest", "root", "M.list"],
        &["manifest", "root", "N.list"],
        &["manifest", "root", &long],
        &["manifest", "prove", "--verify", "proof", "--root", "00"],
        &["merkle", "verify", "--root", "00", "proof", "a"],
        &["merkle", "verify", "--root", &long, "proof", "a"],
        &["list", &long],
        &["selftest", "--vectors", &long],
    ] {
        let got = finalist(dir.path(), args);
        let text = String::from_utf8(got.stderr.0).expect("it is text");
        assert_eq!(got.code, Some(1), "{text}");
        assert!(!text.contains(&"n".repeat(201)), "{args:?}");
        let line = text.lines().map(str::len).max();
        assert!(line <= Some(420), "{line:?}");
    }
}
