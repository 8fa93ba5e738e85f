// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest`: what it writes against the format's own example, what it finds in
//! directories that change, and which manifests it refuses.

mod common;

use std::fs::{self, File, FileTimes};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use common::{
    Done, Text, finalist, finalist_on_truncated, os, program, run_with, sparse, start, write,
};
use tempfile::TempDir;

/// The list in docs/manifest-format.md.
const LIST: &str = "\
# finalist-manifest-1
# algorithm: blake2b
# digest_bits: 64
# keyed: false
# salt:
# personal:
# size 3
BLAKE2b-64 (a.c) = d8bb14d833d59559
# size 0
BLAKE2b-64 (a/b) = e4a6a0577479b2b4
# vanished (a/gone)
# size 1
\\BLAKE2b-64 (new\\nline) = 4adf4367f96e584f
# count: 4
# root: 2710ed6234da8dd0
";

/// The leaf of the first row, and the root with a fifth row for the file `\xff`, from the page.
const LEAF: &str = "45e636fd05797959";
const ROOT_5: &str = "2e9e1db7599f6d16";

/// A directory with a directory `d` of files.
fn fixture() -> TempDir {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir_all(dir.path().join("d/a")).expect("a directory is made");
    for (name, content) in [("a.c", "abc"), ("a/b", ""), ("new\nline", "x")] {
        write(&dir, &format!("d/{name}"), content);
    }
    dir
}

/// Runs `finalist manifest` with the words of a line.
fn manifest(dir: &TempDir, line: &str) -> Done {
    manifest_with(dir, line, b"")
}

fn manifest_with(dir: &TempDir, line: &str, stdin: &[u8]) -> Done {
    let words: Vec<_> = ["manifest"]
        .into_iter()
        .chain(line.split_whitespace())
        .collect();
    run_with("finalist", dir.path(), &words, stdin)
}

/// Runs it and wants this code, with these outputs.
#[track_caller]
fn gives(dir: &TempDir, line: &str, code: i32, stdout: &str, stderr: &str) {
    let expected = Done {
        code: Some(code),
        stdout: Text(stdout.into()),
        stderr: Text(stderr.into()),
    };
    assert_eq!(manifest(dir, line), expected, "{line}");
}

/// Runs it successfully; what it prints.
#[track_caller]
fn prints(dir: &TempDir, line: &str) -> String {
    let done = manifest(dir, line);
    assert_eq!(done.code, Some(0), "{line}: {done:?}");
    String::from_utf8(done.stdout.0).expect("it is text")
}

fn names(dir: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(dir.path()).expect("a directory");
    let mut names: Vec<_> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("text")
        })
        .collect();
    names.sort();
    names
}

#[test]
fn the_list_is_that_of_the_format() {
    let dir = fixture();
    let listed = b"./new\nline\0a/gone\0a/b\0a.c\0";
    let done = manifest_with(&dir, "create d -l 64 --files0-from -", listed);
    assert_eq!(done.stdout, LIST);
    assert_eq!(
        done.stderr,
        "finalist: d/a/gone: No such file or directory\n"
    );
    assert_eq!(done.code, Some(1));
}

#[test]
fn both_forms_hold_the_same_rows_and_root() {
    let dir = fixture();
    fs::write(dir.path().join("d").join(os(b"\xff")), "\\\n").expect("a file is written");
    let listed = b"a.c\0a/b\0a/gone\0new\nline\0\xff";
    for name in ["M.parquet", "M.list"] {
        let line = format!("create d -l 64 -o {name} --files0-from -");
        let root = format!("RFC9162-BLAKE2b-64-manifest-1 ({name}) = {ROOT_5}\n");
        assert_eq!(manifest_with(&dir, &line, listed).stdout, root.as_str());
        assert_eq!(prints(&dir, &format!("root {name}")), root);
        gives(
            &dir,
            &format!("verify --root {ROOT_5} {name}"),
            0,
            &format!("{name}: OK\n"),
            "",
        );
    }
    assert_eq!(names(&dir), ["M.list", "M.parquet", "d"]);
    gives(&dir, "diff M.list M.parquet", 0, "", "");
    let other = format!("finalist: M.list: the root is {ROOT_5}, not '{LEAF}'\n");
    gives(&dir, &format!("verify --root {LEAF} M.list"), 1, "", &other);
    // A checksum list like any other.
    fs::rename(dir.path().join("M.list"), dir.path().join("d/M.list")).expect("it is renamed");
    let checked = finalist(
        &dir.path().join("d"),
        &["check", "--strict", "--quiet", "M.list"],
    );
    assert_eq!((checked.code, checked.stdout), (Some(0), Text(vec![])));
}

#[test]
fn a_proof_of_a_row_verifies() {
    let dir = fixture();
    write(&dir, "M.list", LIST);
    write(&dir, "proof", prints(&dir, "prove M.list a.c"));
    let root = LIST.trim_end().rsplit(' ').next().expect("a root");
    let verify = |leaf: &str| {
        let words = [
            "tree",
            "verify",
            "--root",
            root,
            "--leaf-hash",
            leaf,
            "proof",
        ];
        finalist(dir.path(), &words).stdout
    };
    assert_eq!(verify(LEAF), "proof: OK\n");
    assert_eq!(verify(ROOT_5), "proof: FAILED\n");
    gives(
        &dir,
        "prove M.list b",
        1,
        "",
        "finalist: b: the manifest has no row for it\n",
    );
}

/// Every row of trees of all small sizes, and of one that takes more than a batch.
#[test]
fn proofs_verify_in_trees_of_every_shape() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir(dir.path().join("d")).expect("a directory is made");
    for count in 1..=9 {
        write(&dir, &format!("d/{count}"), "");
        let line = prints(&dir, "create d -a blake2s -o M.parquet");
        let root = line.trim_end().rsplit(' ').next().expect("a root");
        for index in 1..=count {
            let proof = prints(&dir, &format!("prove M.parquet {index}"));
            write(&dir, "proof", proof);
            let python = "import hashlib,struct,sys
def part(tag, data): return bytes([tag]) + struct.pack('<Q', len(data)) + data
hash = lambda data: hashlib.blake2s(data).digest()
row = b'\\1' + part(6, b'finalist-manifest-1') + part(5, sys.argv[1].encode())
row += b'\\2' + bytes(8) + part(5, hash(b'')) + part(6, b'ok')
print(hash(b'\\0' + row).hex())";
            let leaf = run_with(
                "python3",
                dir.path(),
                &["-c", python, &index.to_string()],
                b"",
            );
            let leaf = String::from_utf8(leaf.stdout.0).expect("it is text");
            let words = [
                "tree",
                "verify",
                "--root",
                root,
                "--leaf-hash",
                leaf.trim(),
                "proof",
            ];
            assert_eq!(
                finalist(dir.path(), &words).stdout,
                "proof: OK\n",
                "{index} of {count}"
            );
        }
    }
}

#[test]
fn files_are_found_in_the_order_of_their_paths() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    for directory in ["d/a", "d/a.d", "d/ab", "d/b/c"] {
        fs::create_dir_all(dir.path().join(directory)).expect("a directory is made");
    }
    let mut names = [
        "a-", "a.c", "a/x", "a/y", "a.d/z", "a0", "ab/", "b/c/d", "b/c.d",
    ];
    names[6] = "ab/q";
    for name in names {
        write(&dir, &format!("d/{name}"), name);
    }
    names.sort_unstable();
    let list = prints(&dir, "create d");
    let lines = list
        .lines()
        .filter_map(|line| line.strip_prefix("BLAKE2b ("));
    let found: Vec<_> = lines
        .filter_map(|line| Some(line.split_once(')')?.0))
        .collect();
    assert_eq!(found, names);
    for jobs in ["-j1", "-j2", "-j7", "-j3 --sequential"] {
        assert_eq!(prints(&dir, &format!("create d {jobs}")), list);
    }
    let list = prints(&dir, "create d --exclude a.* --exclude b/c");
    let count = list.lines().find(|line| line.starts_with("# count"));
    assert_eq!(count, Some("# count: 6"));
}

#[test]
fn a_manifest_does_not_list_itself() {
    let dir = fixture();
    let root = |line: &str| prints(&dir, line).rsplit(' ').next().map(str::to_owned);
    let outside = root("create d -o M.parquet");
    assert_eq!(root("create d -o d/M.parquet"), outside);
    assert_eq!(root("create d -o ./d/a/../M.parquet"), outside);
    gives(
        &dir,
        "verify d/M.parquet d",
        0,
        "d/M.parquet: OK, 3 files\n",
        "",
    );
}

#[test]
fn differences_are_told() {
    let dir = fixture();
    for name in ["same", "old name", "empty", "gone"] {
        write(
            &dir,
            &format!("d/{name}"),
            if name == "empty" { "" } else { name },
        );
    }
    prints(&dir, "create d -o OLD.parquet");
    gives(
        &dir,
        "verify OLD.parquet d",
        0,
        "OLD.parquet: OK, 7 files\n",
        "",
    );
    write(&dir, "d/a.c", "abd");
    for (old, new) in [("old name", "a/new name"), ("empty", "blank")] {
        let path = |name: &str| dir.path().join("d").join(name);
        fs::rename(path(old), path(new)).expect("it is renamed");
    }
    fs::remove_file(dir.path().join("d/gone")).expect("it is removed");
    let lines = "changed a.c\nadded 'a/new name'\nadded blank\nremoved empty\nremoved gone\n\
                 removed 'old name'\nOLD.parquet: FAILED, 6 differences\n";
    gives(&dir, "verify OLD.parquet d", 1, lines, "");
    prints(&dir, "create d -o NEW.list");
    let lines = "changed a.c\nmoved 'old name' -> 'a/new name'\nadded blank\nremoved empty\n\
                 removed gone\n";
    gives(&dir, "diff OLD.parquet NEW.list", 1, lines, "");
    prints(&dir, "create d -l 256 -o SHORT.list");
    let text = "the manifests differ in algorithm, length, key, salt or personalisation";
    let text = format!("finalist: SHORT.list: {text}\n");
    gives(&dir, "diff OLD.parquet SHORT.list", 1, "", &text);
}

/// Gives a file another content of the same length, and its old time.
fn replace_unseen(path: &Path, content: &str) {
    let time = path.metadata().and_then(|metadata| metadata.modified());
    fs::write(path, content).expect("a file is written");
    let times = FileTimes::new().set_modified(time.expect("a file has a time"));
    let file = File::options().write(true).open(path).expect("a file");
    file.set_times(times).expect("a time can be set");
}

#[test]
fn update_reads_what_has_another_size_or_time() {
    let dir = fixture();
    prints(&dir, "create d -o M.parquet");
    // What shows that it was not read.
    replace_unseen(&dir.path().join("d/a.c"), "xyz");
    write(&dir, "d/added", "");
    let new_time = SystemTime::now() + Duration::from_secs(60);
    let file = File::options()
        .write(true)
        .open(dir.path().join("d/new\nline"))
        .expect("a file");
    file.set_modified(new_time).expect("a time can be set");
    let done = manifest(&dir, "update M.parquet d -o N.parquet");
    let said = "finalist: N.parquet: 4 files: 2 read, 2 of the same size and time\n";
    assert_eq!((done.code, done.stderr), (Some(0), Text(said.into())));
    gives(&dir, "diff M.parquet N.parquet", 1, "added added\n", "");
    gives(
        &dir,
        "verify N.parquet d",
        1,
        "changed a.c\nN.parquet: FAILED, 1 differences\n",
        "",
    );
    // In place; a list knows no times.
    let done = manifest(&dir, "update M.parquet d");
    assert_eq!(done.code, Some(0));
    gives(&dir, "diff M.parquet N.parquet", 0, "", "");
    prints(&dir, "create d -o L.list");
    let done = manifest(&dir, "update L.list d");
    assert_eq!(
        done.stderr,
        "finalist: L.list: 4 files: 4 read, 0 of the same size and time\n"
    );
}

#[test]
fn an_interrupted_run_is_taken_up() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir(dir.path().join("d")).expect("a directory is made");
    for index in 100..400 {
        write(&dir, &format!("d/{index}"), format!("{index}"));
    }
    // The run does not come past this one.
    sparse(&dir, "d/z", 1 << 40);
    let journal = dir.path().join("M.parquet.journal");
    let mut run = program("finalist", dir.path());
    let mut child = start(
        run.args(["manifest", "create", "d", "-o", "M.parquet"]),
        b"",
    );
    let started = Instant::now();
    let lines = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    while lines() < 301 {
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "nothing is noted"
        );
        thread::sleep(Duration::from_millis(5));
    }
    let busy = manifest(&dir, "create d -o M.parquet");
    let text = "finalist: M.parquet.journal: another run writes this manifest\n";
    assert_eq!((busy.code, busy.stderr), (Some(1), Text(text.into())));
    child.kill().expect("it runs");
    child.wait().expect("it was started");

    let text = "it is of an unfinished run over other files or with other options: \
                repeat that one, or remove the file";
    let text = format!("finalist: M.parquet.journal: {text}\n");
    gives(&dir, "create . -o M.parquet", 1, "", &text);
    gives(&dir, "create d -a blake2s -o M.parquet", 1, "", &text);

    File::create(dir.path().join("d/z")).expect("a file is shortened");
    write(&dir, "d/200", "200 changed");
    replace_unseen(&dir.path().join("d/300"), "xxx");
    // A line that was not written to its end.
    let noted = fs::read(&journal).expect("it is there");
    fs::write(&journal, [&noted[..], b"399x,1,1,00"].concat()).expect("it is written");
    let done = manifest(&dir, "create d -o M.parquet");
    let text = "finalist: M.parquet: going on after 300 files of another run\n";
    assert_eq!((done.code, done.stderr), (Some(0), Text(text.into())));
    assert_eq!(names(&dir), ["M.parquet", "d"]);
    gives(
        &dir,
        "verify M.parquet d",
        1,
        "changed 300\nM.parquet: FAILED, 1 differences\n",
        "",
    );
}

#[test]
fn what_cannot_be_read_has_a_status_and_the_rest_goes_on() {
    let dir = fixture();
    let link = |from: &str, to: &str| symlink(from, dir.path().join("d").join(to)).expect("a link");
    link("/proc/self/mem", "memory");
    link("nowhere", "nothing");
    link("..", "up");
    let done = manifest(&dir, "create d --follow -l 64");
    assert_eq!(done.code, Some(1));
    let list = String::from_utf8(done.stdout.0).expect("it is text");
    for line in [
        "# unreadable (memory)\n",
        "# vanished (nothing)\n",
        "# size 1\n",
        "# count: 6\n",
    ] {
        assert!(list.contains(line), "{line}{list}");
    }
    // The link leads to the directory above, in which d is met again.
    assert!(list.contains("# unlisted (up/d/)\n"), "{list}");
    write(&dir, "M.list", &list);
    gives(&dir, "verify M.list", 0, "M.list: OK\n", "");
    assert_eq!(manifest(&dir, "verify --follow M.list d").code, Some(1));
    prints(&dir, "create d -o N.list -l 64");
    let told = prints_differences(&dir, "diff N.list M.list");
    assert!(
        told.contains("unreadable memory\n") && told.contains("unlisted up/d/\n"),
        "{told}"
    );
}

/// The lines of a diff that finds differences.
fn prints_differences(dir: &TempDir, line: &str) -> String {
    let done = manifest(dir, line);
    assert_eq!(done.code, Some(1), "{line}: {done:?}");
    String::from_utf8(done.stdout.0).expect("it is text")
}

#[test]
fn a_file_that_changes_while_it_is_read_has_that_status() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    write(&dir, "a", "");
    write(&dir, "names", "a\0long");
    let words = [
        "manifest",
        "create",
        ".",
        "--files0-from",
        "names",
        "-o",
        "M.list",
    ];
    let done = finalist_on_truncated(&dir, &words);
    assert_eq!(done.code, Some(1), "{done:?}");
    let list = fs::read_to_string(dir.path().join("M.list")).expect("it is there");
    assert!(list.contains("# changed (long)\n# count: 2\n"), "{list}");
}

#[test]
fn a_keyed_manifest_needs_its_key() {
    let dir = fixture();
    write(&dir, "key", "secret");
    write(&dir, "other", "another");
    prints(&dir, "create d --key-file key --salt 00ff -o M.parquet");
    gives(
        &dir,
        "verify --key-file key M.parquet d",
        0,
        "M.parquet: OK, 3 files\n",
        "",
    );
    let text = "finalist: M.parquet: the manifest is keyed: --key-file is missing\n";
    gives(&dir, "verify M.parquet", 1, "", text);
    let text = "finalist: M.parquet: the leaf of a.c is not that of its row\n";
    gives(&dir, "root --key-file other M.parquet", 1, "", text);
    let bytes = fs::read(dir.path().join("M.parquet")).expect("it is there");
    assert!(!bytes.windows(6).any(|window| window == b"secret"));
}

/// What is wrong with a manifest that is the page's list with one text in the place of another.
#[track_caller]
fn refused(from: &str, to: &str, text: &str) {
    let dir = fixture();
    let damaged = LIST.replacen(from, to, 1);
    assert_ne!(damaged, LIST);
    write(&dir, "M.list", damaged);
    let text = format!("finalist: M.list: {text}\n");
    for line in [
        "root M.list",
        "diff M.list M.list",
        "prove M.list a.c",
        "verify M.list d",
    ] {
        gives(&dir, line, 1, "", &text);
    }
    gives(&dir, "update M.list d -o N.list", 1, "", &text);
    assert_eq!(names(&dir), ["M.list", "d"]);
}

#[test]
fn wrong_manifests_are_refused_and_named() {
    let version =
        "the manifest has the format 'finalist-manifest-2'; 'finalist-manifest-1' is read";
    refused("manifest-1", "manifest-2", version);
    refused("# finalist-manifest-1\n", "", "not a manifest");
    refused("blake2b", "md5", "invalid algorithm: 'md5'");
    refused(": 64", ": 63", "invalid digest_bits: '63'");
    refused(": false", ": 0", "invalid keyed: '0'");
    refused("# salt:", "# salt: 0", "invalid salt: '0'");
    refused("# salt:\n", "", "improper line: '# personal:'");
    refused(
        "(a.c)",
        "(b.c)",
        "row 1, a/b: the rows are not sorted by path",
    );
    refused("(a.c)", "(a/b)", "row 1, a/b: the path stands twice");
    refused("(a.c)", "(../a.c)", "row 0, ../a.c: the path contains '..'");
    refused("(a.c)", "(/a.c)", "row 0, /a.c: the path is absolute");
    refused(
        "(a.c)",
        "(a//c)",
        "row 0, a//c: the path has an empty component, or '.'",
    );
    refused(
        "(a.c)",
        "(./a.c)",
        "row 0, ./a.c: the path has an empty component, or '.'",
    );
    refused("(a.c)", "()", "row 0, '': the path is empty");
    refused(
        "(a/gone)",
        "(a/gone/)",
        "row 2, a/gone/: the path has an empty component, or '.'",
    );
    refused(
        "vanished",
        "unlisted",
        "row 2, a/gone: the path of a directory does not end with '/'",
    );
    refused(
        "(a/gone)",
        "(a\\gone)",
        "improper line: '# vanished (a\\\\gone)'",
    );
    refused("vanished", "lost", "improper line: '# lost (a/gone)'");
    refused("d8bb", "d8bc", "the root is not that of the rows");
    refused("size 3", "size 4", "the root is not that of the rows");
    refused("vanished", "changed", "the root is not that of the rows");
    refused("2710", "2711", "the root is not that of the rows");
    refused(
        "count: 4",
        "count: 5",
        "the manifest has 4 rows and claims 5",
    );
    refused("size 3", "size 03", "improper line: '# size 03'");
    refused(
        "size 3",
        "size 9223372036854775808",
        "row 0, a.c: the size is negative",
    );
    refused(
        "BLAKE2b-64 (a.c)",
        "BLAKE2b-64(a.c)",
        "improper line: 'BLAKE2b-64(a.c) = d8bb14d833d59559'",
    );
    refused(
        "BLAKE2b-64 (a.c)",
        "BLAKE2s-64 (a.c)",
        "improper line: 'BLAKE2s-64 (a.c) = d8bb14d833d59559'",
    );
    refused("8dd0\n", "8dd0\n\n", "there is more after the root");
    let cut = "the list is cut short: it does not end with its root";
    for end in [
        "# root: 2710ed6234da8dd0\n",
        "# count: 4\n# root: 2710ed6234da8dd0\n",
    ] {
        refused(end, "", cut);
    }
    refused("8dd0\n", "8d\n", "invalid root: '2710ed6234da8d'");
}

#[test]
fn wrong_parquet_is_refused_and_named() {
    let dir = fixture();
    let root = prints(&dir, "create d -l 64 -o M.parquet").into_bytes();
    let whole = fs::read(dir.path().join("M.parquet")).expect("it is there");
    for bytes in [4, 100, whole.len() - 9, whole.len() - 1] {
        write(&dir, "M.parquet", &whole[..bytes]);
        let done = manifest(&dir, "update M.parquet d -o N.parquet");
        let text = String::from_utf8(done.stderr.0).expect("it is text");
        let start = "finalist: M.parquet: not a whole Parquet file: ";
        assert!(
            text.starts_with(start) && text.lines().count() == 1,
            "{bytes}: {text}"
        );
        assert_eq!((done.code, done.stdout), (Some(1), Text(vec![])));
    }
    // Any damage: refused, or without meaning, but never a crash.
    for at in (0..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0xff;
        write(&dir, "M.parquet", damaged);
        let done = manifest(&dir, "root M.parquet");
        let text = String::from_utf8_lossy(&done.stderr.0);
        match done.code {
            Some(0) => assert_eq!(done.stdout.0, root, "{at}"),
            code => {
                assert_eq!(code, Some(1), "{at}: {text}");
                assert!(text.starts_with("finalist: M.parquet: "), "{at}: {text}");
                assert_eq!(text.lines().count(), 1, "{at}: {text}");
            }
        }
    }
    assert_eq!(names(&dir), ["M.parquet", "d"]);
}

#[test]
fn wrong_lists_of_files_are_refused() {
    let dir = fixture();
    for (names_listed, text) in [
        ("a.c\0../a.c", "../a.c: the path contains '..'"),
        ("/etc/passwd", "/etc/passwd: the path is absolute"),
        ("a.c\0a/b\0./a.c", "a.c: the path stands twice"),
        ("a/", "a/: the path has an empty component, or '.'"),
    ] {
        write(&dir, "names", names_listed);
        let text = format!("finalist: names: {text}\n");
        gives(&dir, "create d --files0-from names -o M.list", 1, "", &text);
        assert!(!dir.path().join("M.list").exists());
    }
    write(&dir, "names", "a");
    let done = manifest(&dir, "create d --files0-from names");
    assert_eq!(done.stderr, "finalist: d/a: not a regular file\n");
}

#[test]
fn directories_that_are_none_are_refused() {
    let dir = fixture();
    gives(
        &dir,
        "create e",
        1,
        "",
        "finalist: e: No such file or directory\n",
    );
    gives(
        &dir,
        "create d/a.c",
        1,
        "",
        "finalist: d/a.c: Not a directory\n",
    );
    let text = "finalist: blake2xb: hashes of trees have 8 to 512 bits\n";
    gives(&dir, "create d -a blake2xb -l 1024", 1, "", text);
}
