// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests `finalist manifest`: its output against the format's example, and its results for
//! directories that change.

mod common;

use std::fs::{self, File, FileTimes};
#[cfg(unix)]
use std::os::unix::fs::symlink;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use common::manifests::{
    LEAF, LIST, ROOT_5, THIRD, fixture, gives, manifest, manifest_with, names, prints,
};
use common::{Text, finalist, finalist_on_truncated, os, program, sparse, start, write};
use tempfile::TempDir;

#[test]
#[cfg_attr(windows, ignore = "Windows has no such names")]
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
#[cfg_attr(windows, ignore = "Windows has no such names")]
fn both_forms_hold_the_same_rows_and_root() {
    let dir = fixture();
    fs::write(dir.path().join("d").join(os(b"\xff")), "\\\n").expect("a file is written");
    let listed = b"a.c\0a/b\0a/gone\0new\nline\0\xff";
    for name in ["M.parquet", "M.list"] {
        let line = format!("create d -l 64 -o {name} --files0-from -");
        let root = format!("Finalist-BLAKE2b-64-manifest-2 ({name}) = {ROOT_5}\n");
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
    let other = format!("finalist: M.list: the root is {ROOT_5}, not {LEAF}\n");
    gives(&dir, &format!("verify --root {LEAF} M.list"), 1, "", &other);
    // It is an ordinary checksum list.
    fs::rename(dir.path().join("M.list"), dir.path().join("d/M.list")).expect("it is renamed");
    let checked = finalist(
        &dir.path().join("d"),
        &["check", "--strict", "--quiet", "M.list"],
    );
    assert_eq!((checked.code, checked.stdout), (Some(0), Text(vec![])));
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
    // Nor by a name without a directory.
    let first = root("create . -o M.parquet");
    assert_eq!(root("create . -o M.parquet"), first);
    fs::remove_file(dir.path().join("M.parquet")).expect("it is removed");
    assert_eq!(root("create . -o M.parquet"), first);
    // Another directory's file of that name is listed.
    write(&dir, "d/a/M.parquet", "");
    prints(&dir, "create d -o d/M.parquet");
    gives(
        &dir,
        "verify d/M.parquet d",
        0,
        "d/M.parquet: OK, 4 files\n",
        "",
    );
    fs::remove_file(dir.path().join("d/a/M.parquet")).expect("it is removed");
    prints(&dir, "create d -o d/M.parquet");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("d/M.parquet", dir.path().join("link")).expect("it is linked");
        gives(&dir, "verify link d", 0, "link: OK, 3 files\n", "");
    }
}

/// Another path leads to its directory: a link, or the mount of a directory.
#[cfg(unix)]
#[test]
fn a_manifest_does_not_list_itself_by_another_path() {
    let dir = fixture();
    symlink("a", dir.path().join("d/link")).expect("it is linked");
    let root = |line: &str| prints(&dir, line).rsplit(' ').next().map(str::to_owned);
    let outside = root("create d --follow -o M.list");
    for _ in 0..2 {
        assert_eq!(root("create d --follow -o d/a/M.list"), outside);
    }
    gives(
        &dir,
        "verify d/a/M.list d --follow",
        0,
        "d/a/M.list: OK, 4 files\n",
        "",
    );
    fs::remove_file(dir.path().join("d/a/M.list")).expect("it is removed");
    fs::create_dir(dir.path().join("mounted")).expect("it is made");
    let script = "mount --bind d mounted || exit 77
                  \"$0\" manifest create d -o mounted/M.list
                  exec \"$0\" manifest verify d/M.list mounted";
    if let Some(printed) = with_mounts(&dir, script) {
        assert!(printed.ends_with("d/M.list: OK, 3 files\n"), "{printed}");
    }
}

/// Only the manifest that it writes: an older one beside it is a file like others.
#[cfg(unix)]
#[test]
fn an_update_lists_an_older_manifest_that_it_keeps() {
    let dir = fixture();
    let root = |line: &str| prints(&dir, line).rsplit(' ').next().map(str::to_owned);
    let outside = root("create d -o M.list");
    prints(&dir, "create d -o d/M.list");
    symlink("M.list", dir.path().join("d/link")).expect("it is linked");
    for name in ["d/M.list", "d/link"] {
        let own = format!("update {name} d");
        assert_eq!(root(&format!("{own} --exclude link")), outside, "{name}");
        let kept = format!("{own} -o d/N.list --exclude link");
        assert_eq!(root(&kept), root("create d -o N.list --exclude [Nl]*"));
        let verified = "d/N.list: OK, 4 files\n";
        gives(&dir, "verify d/N.list d --exclude link", 0, verified, "");
        // It takes the older one's place, and still has a row for it.
        fs::rename(dir.path().join("d/N.list"), dir.path().join("d/M.list"))
            .expect("it is renamed");
        for named in ["d/M.list d", "d/link d", "d/M.list d --follow"] {
            let line = format!("verify {named} --exclude link");
            let is = named.split(' ').next().expect("a name");
            gives(&dir, &line, 0, &format!("{is}: OK, 3 files\n"), "");
        }
        assert_eq!(root("update d/link d --follow"), outside, "{name}");
    }
}

/// Returns the output of a script whose mounts nobody else sees and in which `$0` is the tool; `None`
/// if they are not permitted: the script then ends with 77.
#[cfg(unix)]
fn with_mounts(dir: &TempDir, script: &str) -> Option<String> {
    let tool = env!("CARGO_BIN_EXE_finalist");
    let words = ["--mount", "sh", "-c", script, tool];
    // The program is missing on some systems.
    let done = program("unshare", dir.path()).args(words).output().ok()?;
    let is_refused = done.status.code() == Some(77) || done.stderr.starts_with(b"unshare: ");
    (!is_refused).then(|| String::from_utf8_lossy(&done.stdout).into_owned())
}

/// The roots of two file systems have the same inode number.
#[cfg(unix)]
#[test]
fn a_file_of_another_file_system_is_not_the_manifest() {
    let dir = fixture();
    for name in ["one", "other"] {
        fs::create_dir(dir.path().join(name)).expect("it is made");
    }
    let script = "for each in one other; do mount -t tmpfs none $each || exit 77; done
                  echo text > other/M.list
                  \"$0\" manifest create other -o one/M.list
                  exec \"$0\" manifest verify one/M.list other";
    if let Some(printed) = with_mounts(&dir, script) {
        assert!(printed.ends_with("one/M.list: OK, 1 file\n"), "{printed}");
    }
}

#[test]
fn differences_are_printed() {
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
    let lines = "changed a.c\nmoved 'old name' -> 'a/new name'\nadded blank\nremoved empty\n\
                 removed gone\n";
    let verified = format!("{lines}OLD.parquet: FAILED, 5 differences\n");
    gives(&dir, "verify OLD.parquet d", 1, &verified, "");
    prints(&dir, "create d -o NEW.list");
    gives(&dir, "diff OLD.parquet NEW.list", 1, lines, "");
    prints(&dir, "create d -l 256 -o SHORT.list");
    let text = "the manifests differ in digest_bits (256, not 512)";
    let text = format!("finalist: SHORT.list: {text}\n");
    gives(&dir, "diff OLD.parquet SHORT.list", 1, "", &text);
}

/// Files that were not read are not missing.
#[test]
fn rows_of_files_that_are_left_out_are_not_compared() {
    let dir = fixture();
    write(&dir, "names", "a.c\0");
    prints(&dir, "create d -o M.parquet");
    for (options, count) in [
        ("--exclude a", "2 files"),
        ("--exclude a.c", "2 files"),
        ("--exclude a/b", "2 files"),
        ("--exclude *", "0 files"),
        ("--files0-from names", "1 file"),
    ] {
        let line = format!("verify M.parquet d {options}");
        let text = format!("M.parquet: OK, {count}\n");
        gives(&dir, &line, 0, &text, "");
    }
    fs::remove_file(dir.path().join("d/a/b")).expect("it is removed");
    let text = "removed a/b\nM.parquet: FAILED, 1 difference\n";
    gives(&dir, "verify M.parquet d --exclude a.c", 1, text, "");
    prints(&dir, "create d --metadata -o M.parquet");
    gives(
        &dir,
        "verify M.parquet d --exclude a",
        0,
        "M.parquet: OK, 2 files\n",
        "",
    );
}

/// Gives a file different content of the same length and restores its time.
fn replace_unseen(path: &Path, content: &str) {
    let time = path.metadata().and_then(|metadata| metadata.modified());
    fs::write(path, content).expect("a file is written");
    let times = FileTimes::new().set_modified(time.expect("a file has a time"));
    let file = File::options().write(true).open(path).expect("a file");
    file.set_times(times).expect("a time can be set");
}

/// Windows does not report changes of metadata to the tool.
const SEES_TIMES_SET_BACK: bool = !cfg!(windows);

#[test]
fn update_reads_what_has_another_size_time_or_inode() {
    let dir = fixture();
    prints(&dir, "create d -o M.parquet");
    replace_unseen(&dir.path().join("d/a.c"), "xyz");
    write(&dir, "d/added", "");
    let new_time = SystemTime::now() + Duration::from_secs(60);
    let file = File::options()
        .write(true)
        .open(dir.path().join("d").join(THIRD))
        .expect("a file");
    file.set_modified(new_time).expect("a time can be set");
    let done = manifest(&dir, "update M.parquet d -o N.parquet");
    let said = "finalist: N.parquet: 4 files: 3 read, 1 unchanged\n";
    let unseen = "finalist: N.parquet: 4 files: 2 read, 2 unchanged\n";
    let corrupt = "finalist: a.c: corrupt: the content changed, its size and time did not\n";
    let (code, said) = match SEES_TIMES_SET_BACK {
        true => (2, format!("{corrupt}{said}")),
        false => (0, unseen.to_owned()),
    };
    assert_eq!((done.code, done.stderr), (Some(code), Text(said.into())));
    if SEES_TIMES_SET_BACK {
        // Its time was set back.
        let lines = "corrupt a.c\nadded added\n";
        gives(&dir, "diff M.parquet N.parquet", 2, lines, "");
        gives(
            &dir,
            "verify N.parquet d",
            0,
            "N.parquet: OK, 4 files\n",
            "",
        );
    }
    // This is another file with the same content, size and time.
    let path = |name: &str| dir.path().join("d").join(name);
    fs::copy(path("a.c"), path("copy")).expect("it is copied");
    let time = path("a.c")
        .metadata()
        .and_then(|metadata| metadata.modified());
    let copy = File::options()
        .write(true)
        .open(path("copy"))
        .expect("a file");
    copy.set_modified(time.expect("a time"))
        .expect("a time can be set");
    fs::rename(path("copy"), path("a.c")).expect("it is renamed");
    let done = manifest(&dir, "update N.parquet d -o O.parquet");
    let said = "finalist: O.parquet: 4 files: 1 read, 3 unchanged\n";
    let (read, said) = match SEES_TIMES_SET_BACK {
        true => (0, said.to_owned()),
        false => (2, format!("{corrupt}{said}")),
    };
    assert_eq!((done.code, done.stderr), (Some(read), Text(said.into())));
    if !SEES_TIMES_SET_BACK {
        return;
    }
    // This updates in place; a list contains no times.
    let done = manifest(&dir, "update M.parquet d --json");
    assert_eq!(done.code, Some(code), "{done:?}");
    let lines = String::from_utf8(done.stdout.0).expect("text");
    let (names, last) = lines.trim_end().rsplit_once('\n').unwrap_or(("", &lines));
    let last: serde_json::Value = serde_json::from_str(last).expect("an object");
    assert_eq!(last["corrupt"], 1);
    assert_eq!(names, "{\"file\":\"a.c\",\"result\":\"corrupt\"}");
    gives(&dir, "diff M.parquet N.parquet", 0, "", "");
    prints(&dir, "create d -o L.list");
    let done = manifest(&dir, "update L.list d");
    assert_eq!(
        done.stderr,
        "finalist: L.list: 4 files: 4 read, 0 unchanged\n"
    );
}

#[test]
fn an_interrupted_run_is_taken_up() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir(dir.path().join("d")).expect("a directory is made");
    for index in 100..400 {
        write(&dir, &format!("d/{index}"), format!("{index}"));
    }
    // The run cannot finish this file.
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
    // This is an incomplete line.
    let noted = fs::read(&journal).expect("it is there");
    fs::write(&journal, [&noted[..], b"399x,1,1,00"].concat()).expect("it is written");
    let done = manifest(&dir, "create d -o M.parquet");
    let text = "finalist: M.parquet: going on after 300 files of another run\n";
    assert_eq!((done.code, done.stderr), (Some(0), Text(text.into())));
    assert_eq!(names(&dir), ["M.parquet", "d"]);
    if SEES_TIMES_SET_BACK {
        gives(
            &dir,
            "verify M.parquet d",
            0,
            "M.parquet: OK, 301 files\n",
            "",
        );
    }
}

#[cfg(unix)]
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
    // The link leads to the parent directory, in which d is found again.
    assert!(list.contains("# unlisted (up/d/)\n"), "{list}");
    write(&dir, "M.list", &list);
    gives(&dir, "verify M.list", 0, "M.list: OK\n", "");
    let done = manifest(&dir, "verify --follow M.list d");
    assert_eq!(done.code, Some(1));
    assert_eq!(done.stdout, "M.list: FAILED, 3 of 6 files not read\n");
    prints(&dir, "create d -o N.list -l 64");
    let told = prints_differences(&dir, "diff N.list M.list");
    assert!(
        told.contains("unreadable memory\n") && told.contains("unlisted up/d/\n"),
        "{told}"
    );
}

/// Returns the lines of a diff that finds differences.
#[cfg(unix)]
fn prints_differences(dir: &TempDir, line: &str) -> String {
    let done = manifest(dir, line);
    assert_eq!(done.code, Some(1), "{line}: {done:?}");
    String::from_utf8(done.stdout.0).expect("it is text")
}

#[test]
#[cfg_attr(windows, ignore = "it reads /proc")]
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
    let text =
        "finalist: M.parquet: the leaf of a.c is not that of its row, or the key is another one\n";
    gives(&dir, "root --key-file other M.parquet", 1, "", text);
    prints(&dir, "create d -o plain.parquet");
    let text = "finalist: plain.parquet: the manifest has no key: --key-file is given\n";
    gives(&dir, "verify --key-file key plain.parquet d", 1, "", text);
    gives(
        &dir,
        "diff --key-file key M.parquet plain.parquet",
        1,
        "",
        text,
    );
    let bytes = fs::read(dir.path().join("M.parquet")).expect("it is there");
    assert!(!bytes.windows(6).any(|window| window == b"secret"));
    let other = LIST
        .replace("blake2b", "blake256")
        .replace(": 64", ": 256")
        .replace(": false", ": true");
    write(&dir, "other.list", other);
    let text = "finalist: other.list: 'BLAKE-256' takes no key\n";
    gives(&dir, "verify --key-file key other.list", 1, "", text);
}
