// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the forms in which sums and roots are written and read.

mod common;

use common::{Done, Text, finalist, fixture, run_with, write};
use std::fs;
use tempfile::TempDir;

fn words(dir: &TempDir, line: &str) -> Done {
    finalist(dir.path(), &line.split_whitespace().collect::<Vec<_>>())
}

/// Returns the output of a run that must not print a message.
fn written(dir: &TempDir, line: &str) -> String {
    let done = words(dir, line);
    assert_eq!(
        (done.code, &done.stderr),
        (Some(0), &Text(Vec::new())),
        "{line}"
    );
    String::from_utf8(done.stdout.0).expect("it is text")
}

/// Checks these lines and requires all files to match.
fn assert_verifies(dir: &TempDir, lines: &str, options: &str) {
    write(dir, "list", lines);
    let checked = words(dir, &format!("check --strict {options} list"));
    assert_eq!(
        (checked.code, checked.stderr),
        (Some(0), Text(Vec::new())),
        "{lines}"
    );
}

#[test]
fn base64_is_that_of_cksum_and_read_again() {
    let dir = fixture();
    for length in [8, 16, 32, 256, 504, 512] {
        let options = format!("--base64 -l {length}");
        let tagged = written(&dir, &format!("sum {options} --tag a empty"));
        if cfg!(unix) {
            let theirs = format!("-a blake2b {options} a empty");
            let theirs: Vec<_> = theirs.split_whitespace().collect();
            let cksum = run_with("cksum", dir.path(), &theirs, b"");
            // Versions before 9.2 have no --base64.
            if cksum.code == Some(0) {
                assert_eq!(cksum.stdout, tagged.as_str());
            }
        }
        assert_verifies(&dir, &tagged, "");
        assert_verifies(&dir, &written(&dir, &format!("sum {options} a empty")), "");
    }
    // Like cksum, accept unused bits that are not zero.
    let digits = format!("BLAKE2b{}==  a\n", "+".repeat(79));
    write(&dir, "list", digits);
    assert_eq!(words(&dir, "check list").stdout, "a: FAILED\n");
    let wrong = written(&dir, "sum --base64 a").replace("  a", "  empty");
    write(&dir, "list", wrong);
    assert_eq!(words(&dir, "check list").stdout, "empty: FAILED\n");
}

#[test]
fn json_is_one_object_a_line() {
    let dir = fixture();
    let hex = written(&dir, "sum -l 256 a");
    let digest = hex.split(' ').next().expect("a digest");
    assert_eq!(
        written(&dir, "sum --json -l 256 a"),
        format!(
            "{{\"file\":\"a\",\"algorithm\":\"blake2b\",\"digest_bits\":256,\"digest\":\"{digest}\"}}\n"
        )
    );
    let root = written(&dir, "merkle root a");
    let root = root.trim_end().rsplit(' ').next().expect("a root");
    assert_eq!(
        written(&dir, "merkle root --json a"),
        format!(
            "{{\"file\":\"a\",\"algorithm\":\"blake2b\",\"digest_bits\":512,\"chunk_bytes\":65536,\"leaf_count\":1,\"root\":\"{root}\"}}\n"
        )
    );
    assert!(
        written(&dir, "merkle root --json --leaf-files a empty").starts_with("{\"algorithm\":")
    );

    let wrong = hex.replace("  a", "  empty");
    write(&dir, "list", format!("{hex}{wrong}{digest}  absent\n"));
    let checked = words(&dir, "check --json list");
    assert_eq!(
        checked.stdout,
        "{\"file\":\"a\",\"list\":\"list\",\"result\":\"ok\"}\n\
         {\"file\":\"empty\",\"list\":\"list\",\"result\":\"failed\"}\n\
         {\"file\":\"absent\",\"list\":\"list\",\"result\":\"unreadable\",\
         \"reason\":\"No such file or directory\"}\n"
    );
    assert_eq!(checked.code, Some(1));
    assert_eq!(words(&dir, "check --json --status list").stdout, "");

    for other in [
        "--tag",
        "--untagged",
        "--text",
        "--raw",
        "--zero",
        "--no-names",
        "--base64",
    ] {
        let done = words(&dir, &format!("sum --json {other} a"));
        assert_eq!(
            (done.code, done.stdout),
            (Some(1), Text(Vec::new())),
            "{other}"
        );
    }
}

/// With --json, whoever reads standard output is told of every failure, too.
#[test]
fn failures_are_json_too() {
    let dir = fixture();
    let missing = "No such file or directory";
    let unreadable =
        format!("{{\"file\":\"absent\",\"result\":\"unreadable\",\"reason\":\"{missing}\"}}\n");
    for line in ["sum --json absent", "merkle root --json absent"] {
        let done = words(&dir, line);
        assert_eq!(
            (done.code, done.stdout, done.stderr),
            (
                Some(1),
                Text(unreadable.clone().into_bytes()),
                Text(format!("finalist: absent: {missing}\n").into_bytes())
            ),
            "{line}"
        );
    }
    write(&dir, "M", "no manifest");
    for (line, code) in [
        ("merkle prove --json --index 7 a", 1),
        ("merkle prove --json --slice 7,9 absent", 1),
        ("merkle consistency --json --old-leaves 7 a", 1),
        (
            "merkle consistency --json --verify a --old-root 00 --root 00",
            1,
        ),
        ("merkle root --json --leaf-files a absent", 1),
        ("merkle verify --json --root 00 a empty", 1),
        ("manifest root --json M", 1),
        ("manifest create --json absent -o N", 1),
        ("manifest verify --json M", 1),
        ("manifest diff --json M M", 1),
        ("manifest duplicates --json M", 1),
        ("manifest update --json M .", 1),
        ("manifest prove --json M a", 1),
        ("table root --json absent", 2),
        ("table diff --json absent absent --key id", 2),
        ("bench --json --impl absent", 1),
    ] {
        let done = words(&dir, line);
        assert_eq!(done.code, Some(code), "{line}");
        let lines = String::from_utf8(done.stderr.0).expect("text");
        let reason = lines.trim_end().replace("\nfinalist: ", "\n");
        let reason = reason.strip_prefix("finalist: ").expect("a message");
        let object: serde_json::Value = serde_json::from_slice(&done.stdout.0).expect(line);
        let expected = serde_json::json!({"result": "error", "reason": reason});
        assert_eq!(object, expected, "{line}");
        assert!(
            !words(&dir, &line.replace("--json", ""))
                .stdout
                .0
                .starts_with(b"{")
        );
    }
}

/// So it is of a list that cannot be read, has no proper line, or verifies nothing.
#[test]
fn failures_of_lists_are_json_too() {
    let dir = fixture();
    write(&dir, "L", common::sum(dir.path(), "a"));
    write(&dir, "M", "no list\n");
    write(
        &dir,
        "gone",
        common::sum(dir.path(), "a").replace("  a", "  absent"),
    );
    write(
        &dir,
        "both",
        format!("no line\n{}", common::sum(dir.path(), "a")),
    );
    let ok = "{\"file\":\"a\",\"list\":\"both\",\"result\":\"ok\"}\n";
    for (line, before, list, reason) in [
        ("absent", "", "absent", "No such file or directory"),
        ("M", "", "M", "no properly formatted checksum lines found"),
        ("gone --ignore-missing", "", "gone", "no file was verified"),
        (
            "both --strict",
            ok,
            "both",
            "1 line is improperly formatted",
        ),
        #[cfg(unix)]
        (".", "", ".", "read error"),
    ] {
        let done = words(&dir, &format!("check --json {line}"));
        let object = serde_json::json!({"list": list, "result": "error", "reason": reason});
        let printed = String::from_utf8(done.stdout.0).expect("text");
        let printed = printed.strip_prefix(before).expect(line);
        let printed: serde_json::Value = serde_json::from_str(printed).expect(line);
        assert_eq!((done.code, printed), (Some(1), object), "{line}");
        let done = words(&dir, &format!("check --json --status {line}"));
        assert_eq!((done.code, done.stdout), (Some(1), Text(Vec::new())));
    }
    let done = words(&dir, "check --json both");
    assert_eq!((done.code, done.stdout), (Some(0), Text(ok.into())));
    let done = words(&dir, "check --json --strict L");
    let ok = ok.replace("both", "L");
    assert_eq!((done.code, done.stdout), (Some(0), Text(ok.into())));
}

/// A name that is not UTF-8 is written as bytes in hexadecimal.
#[cfg(unix)]
#[test]
fn json_of_names_that_are_no_text() {
    use common::os;
    use std::ffi::OsStr;

    let dir = fixture();
    let digest = written(&dir, "sum --no-names a").trim().to_owned();
    write(&dir, "list", format!("{digest}  empty\n"));
    let list = &os(b"\xfe");
    fs::rename(dir.path().join("list"), dir.path().join(list)).expect("a list");
    let check = ["check", "--json", "--quiet"].map(OsStr::new);
    let done = finalist(dir.path(), &[&check[..], &[list.as_os_str()]].concat());
    let lines = String::from_utf8(done.stdout.0).expect("text");
    assert!(
        lines.starts_with("{\"file\":\"empty\",\"list_hex\":\"fe\","),
        "{lines}"
    );

    let name = &os(b"\"\xff\n");
    fs::write(dir.path().join(name), "").expect("a file");
    let done = finalist(dir.path(), &[OsStr::new("sum"), OsStr::new("--json"), name]);
    let line = String::from_utf8(done.stdout.0).expect("text");
    assert!(line.starts_with("{\"file_hex\":\"22ff0a\","), "{line}");
}

#[test]
fn raw_untagged_and_nameless_sums() {
    let dir = fixture();
    let hex = written(&dir, "sum a");
    let digest = hex.split(' ').next().expect("a digest");
    assert_eq!(
        words(&dir, "sum --raw a").stdout.0,
        hex::decode(digest).expect("hex")
    );
    assert_eq!(written(&dir, "sum --tag --untagged a"), hex);
    assert_eq!(
        written(&dir, "sum --no-names a a"),
        format!("{digest}\n{digest}\n")
    );
    let checking =
        "the --base64, --raw and --no-names options are meaningless when verifying checksums";
    for (line, message) in [
        ("check --base64 a", checking),
        ("check --no-names a", checking),
        ("check --raw a", checking),
        (
            "sum --raw a empty",
            "the --raw option is not supported with multiple files",
        ),
        (
            "sum --raw -r a",
            "the --raw option is not supported with multiple files",
        ),
        (
            "sum --raw --files0-from a",
            "the --raw option is not supported with multiple files",
        ),
        (
            "sum --raw --base64 a",
            "--base64 and --raw are mutually exclusive",
        ),
        (
            "sum --no-names --tag a",
            "--no-names and --tag are mutually exclusive",
        ),
    ] {
        let stderr = String::from_utf8(words(&dir, line).stderr.0).expect("it is text");
        assert!(
            stderr.starts_with(&format!("finalist: {message}\n")),
            "{stderr}"
        );
    }
}

#[test]
fn tags_of_openssl_are_read() {
    let dir = fixture();
    for (algorithm, tags) in [
        ("blake2b", ["BLAKE2B-512", "BLAKE2b512"]),
        ("blake2s", ["BLAKE2S-256", "BLAKE2s256"]),
    ] {
        let digest = written(&dir, &format!("sum --no-names -a {algorithm} a"));
        for tag in tags {
            assert_verifies(&dir, &format!("{tag}(a)= {digest}"), "");
        }
    }
}

#[test]
fn roots_have_a_form_of_their_own_that_check_verifies() {
    let dir = fixture();
    for (options, tag) in [
        ("", "RFC9162-BLAKE2b-512-65536"),
        ("--chunk 1000 -a blake2s -l 128", "RFC9162-BLAKE2s-128-1000"),
        ("-a blake256 --chunk 1", "RFC9162-BLAKE-256-1"),
        ("-a groestl512", "RFC9162-Groestl-512-65536"),
    ] {
        let lines = written(&dir, &format!("merkle root {options} a empty"));
        assert!(lines.starts_with(&format!("{tag} (a) = ")), "{lines}");
        assert_verifies(&dir, &lines, "");
        assert_verifies(&dir, &lines, "-j1");
        write(&dir, "list", lines.replacen("(a)", "(empty)", 1));
        let checked = words(&dir, "check list");
        assert_eq!(
            (checked.code, checked.stdout),
            (Some(1), Text(b"empty: FAILED\nempty: OK\n".to_vec()))
        );
    }
    let line = written(&dir, "merkle root a");
    for (from, to) in [
        ("65536", "0"),
        ("65536", "065536"),
        ("65536", "1073741825"),
        ("-512", ""),
        ("-512", "-504"),
        ("RFC9162", "RFC6962"),
    ] {
        write(&dir, "list", line.replace(from, to));
        let checked = words(&dir, "check list");
        let nothing = "finalist: list: no properly formatted checksum lines found\n";
        assert_eq!(checked.stderr, nothing, "{from} {to}");
    }
}

#[test]
fn directories_without_what_is_excluded() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    for name in [
        "t/a.rs",
        "t/b.o",
        "t/target/c.rs",
        "t/src/d.rs",
        "t/src/e.o",
        "t/src/x/f.o",
    ] {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory is made");
        fs::write(path, name).expect("a file is written");
    }
    let names = |options: &str| -> Vec<String> {
        let lines = written(&dir, &format!("sum -l 8 -r {options} t"));
        lines.lines().map(|line| line[6..].to_owned()).collect()
    };
    assert_eq!(names("--exclude *.o"), ["a.rs", "src/d.rs", "target/c.rs"]);
    assert_eq!(
        names("--exclude target --exclude src/*.o"),
        ["a.rs", "b.o", "src/d.rs", "src/x/f.o"]
    );
    assert_eq!(names("--exclude src/** --exclude [ab].*"), ["target/c.rs"]);
    let refused = words(&dir, "sum -r --exclude [ t");
    assert!(
        refused
            .stderr
            .0
            .starts_with(b"finalist: invalid glob: '['\n"),
        "{refused:?}"
    );
}

#[test]
#[cfg_attr(windows, ignore = "Windows has no such names")]
fn names_from_a_list() {
    let dir = fixture();
    write(&dir, "names", "a\0new\nline\0empty");
    let expected = finalist(dir.path(), &["sum", "a", "new\nline", "empty"]);
    assert_eq!(words(&dir, "sum --files0-from names"), expected);
    let piped = run_with(
        "finalist",
        dir.path(),
        &["sum", "--files0-from=-"],
        b"a\0new\nline\0empty\0",
    );
    assert_eq!(piped, expected);
    for (content, message) in [
        ("a\0\0", "names: name 2 is empty"),
        ("", "names: the list holds no names"),
    ] {
        write(&dir, "names", content);
        let refused = words(&dir, "sum --files0-from names");
        assert_eq!(refused.stderr, format!("finalist: {message}\n").as_str());
        assert_eq!((refused.code, refused.stdout), (Some(1), Text(Vec::new())));
    }
}

#[test]
fn lists_are_of_files_in_another_directory() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir_all(dir.path().join("elsewhere/in")).expect("a directory is made");
    write(&dir, "elsewhere/a", "a");
    write(&dir, "elsewhere/in/b", "b");
    write(&dir, "elsewhere/long", "x".repeat(2 << 20));
    let elsewhere = dir.path().join("elsewhere");
    let sums = run_with("finalist", &elsewhere, &["sum", "-r", "."], b"");
    let chunks = run_with("finalist", &elsewhere, &["merkle", "root", "in/b"], b"");
    write(&dir, "list", [sums.stdout.0, chunks.stdout.0].concat());
    let check = |options: &[&str]| {
        let words = [&["check"], options, &["list"]].concat();
        let done = finalist(dir.path(), &words);
        (done.code, done.stdout, done.stderr)
    };
    let all = "./a: OK\n./in/b: OK\n./long: OK\nin/b: OK\n";
    let passed = (Some(0), Text(all.into()), Text(Vec::new()));
    for jobs in ["-j1", "-j3"] {
        assert_eq!(check(&["-C", "elsewhere", jobs]), passed);
    }
    assert_eq!(check(&["--ignore-missing"]).0, Some(1));
    // An absolute name does not depend on -C.
    write(&dir, "here", "x");
    let here = dir.path().join("here");
    let sum = finalist(dir.path(), &["sum", here.to_str().expect("text")]);
    write(&dir, "list", &sum.stdout.0);
    assert_eq!(check(&["-C", "elsewhere"]).0, Some(0));
    let misused = finalist(dir.path(), &["sum", "-C", "elsewhere", "here"]);
    let text = "finalist: the --directory option is meaningful only when verifying checksums\n\
                Try 'finalist sum --help' for more information.\n";
    assert_eq!(misused.stderr, Text(text.into()));
}
