// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests `finalist manifest create --metadata`: modes, directories and symbolic links.

#![cfg(unix)]

mod common;

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use common::manifests::{fixture, gives, manifest, prints};
use common::write;
use tempfile::TempDir;

/// The rows of `files` as a list with digests of 64 bits; docs/format/manifests.md has the same
/// root.
const LIST: &str = "\
# finalist-manifest-2-metadata
# algorithm: blake2b
# digest_bits: 64
# keyed: false
# salt:
# personal:
# mode 640
# size 3
BLAKE2b-64 (a.c) = d8bb14d833d59559
# mode 755
# directory (a/)
# target (../a.c)
# link (a/l)
# count: 3
# root: ROOT
";

fn set_mode(dir: &TempDir, name: &str, mode: u32) {
    fs::set_permissions(dir.path().join(name), Permissions::from_mode(mode)).expect("a mode");
}

/// Returns a directory `d` that contains a file, a directory, and a link.
fn files() -> TempDir {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir_all(dir.path().join("d/a")).expect("a directory is made");
    write(&dir, "d/a.c", "abc");
    symlink("../a.c", dir.path().join("d/a/l")).expect("a link is made");
    set_mode(&dir, "d/a.c", 0o640);
    set_mode(&dir, "d/a", 0o755);
    dir
}

fn root_of_page() -> String {
    let page = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/format/manifests.md"
    );
    let page = fs::read_to_string(page).expect("docs/format/manifests.md");
    let (_, rest) = page
        .split_once("and its root:")
        .expect("vectors of metadata");
    let root = rest
        .lines()
        .find_map(|line| line.strip_prefix('`')?.strip_suffix('`'));
    root.expect("a root").to_owned()
}

#[test]
fn a_list_is_that_of_the_page() {
    let dir = files();
    let list = LIST.replace("ROOT", &root_of_page());
    gives(&dir, "create d --metadata -l 64", 0, &list, "");
    write(&dir, "M.list", &list);
    gives(&dir, "verify M.list d", 0, "M.list: OK, 1 file\n", "");
    // In Parquet the root is the same.
    let line = prints(&dir, "create d --metadata -l 64 -o M.parquet");
    assert!(line.trim().ends_with(&root_of_page()), "{line}");
    gives(&dir, "diff M.list M.parquet", 0, "", "");
    // Files that are named, not found, have the same rows.
    write(&dir, "names", "a.c\0a/l");
    let named = prints(&dir, "create d --metadata -l 64 --files0-from names");
    let rows = "# mode 640\n# size 3\nBLAKE2b-64 (a.c) = d8bb14d833d59559\n\
                # target (../a.c)\n# link (a/l)\n# count: 2\n";
    assert!(named.contains(rows), "{named}");
}

#[test]
fn what_changed_is_noticed() {
    let dir = files();
    fs::create_dir(dir.path().join("d/empty")).expect("a directory is made");
    symlink("x", dir.path().join("d/gone")).expect("a link is made");
    prints(&dir, "create d --metadata -o OLD.parquet");
    prints(&dir, "create d --metadata -o OLD.list");
    prints(&dir, "create d -o PLAIN.parquet");

    let d = dir.path().join("d");
    fs::remove_dir(d.join("empty")).expect("removed");
    fs::remove_file(d.join("gone")).expect("removed");
    fs::remove_file(d.join("a/l")).expect("removed");
    symlink("../a.d", d.join("a/l")).expect("a link is made");
    fs::create_dir(d.join("new")).expect("a directory is made");
    set_mode(&dir, "d/a.c", 0o600);
    set_mode(&dir, "d/a", 0o700);

    let end = "FAILED, 6 differences\n";
    for manifest in ["OLD.parquet", "OLD.list"] {
        let lines = "mode a.c\nmode a/\nchanged a/l\nremoved empty/\nremoved gone\nadded new/\n";
        let stdout = prints_with(&dir, &format!("verify {manifest} d"), 1);
        let mut sorted: Vec<_> = stdout.lines().collect();
        sorted.pop();
        sorted.sort_by_key(|line| line.split_once(' ').expect("two words").1);
        assert_eq!(sorted.join("\n") + "\n", lines);
        assert!(stdout.ends_with(&format!("{manifest}: {end}")), "{stdout}");
    }
    gives(
        &dir,
        "verify PLAIN.parquet d",
        0,
        "PLAIN.parquet: OK, 1 file\n",
        "",
    );

    let updated = manifest(&dir, "update OLD.parquet d -o NEW.parquet");
    assert_eq!(updated.code, Some(0), "{updated:?}");
    let lines = "mode a.c\nmode a/\nchanged a/l\nremoved empty/\nremoved gone\nadded new/\n";
    gives(&dir, "diff OLD.parquet NEW.parquet", 1, lines, "");
    gives(
        &dir,
        "verify NEW.parquet d",
        0,
        "NEW.parquet: OK, 1 file\n",
        "",
    );
    let text = "finalist: PLAIN.parquet: the manifests differ in metadata (false, not true)\n";
    gives(&dir, "diff OLD.parquet PLAIN.parquet", 1, "", text);
}

fn prints_with(dir: &TempDir, line: &str, code: i32) -> String {
    let done = manifest(dir, line);
    assert_eq!(done.code, Some(code), "{line}: {done:?}");
    String::from_utf8(done.stdout.0).expect("it is text")
}

#[test]
fn a_moved_file_keeps_its_mode() {
    let dir = files();
    prints(&dir, "create d --metadata -o OLD.list");
    fs::rename(dir.path().join("d/a.c"), dir.path().join("d/b.c")).expect("renamed");
    for (mode, lines) in [
        (0o640, "moved a.c -> b.c\n"),
        (0o600, "removed a.c\nadded b.c\n"),
    ] {
        set_mode(&dir, "d/b.c", mode);
        prints(&dir, "create d --metadata -o NEW.list");
        gives(&dir, "diff OLD.list NEW.list", 1, lines, "");
    }
}

/// A file whose row is taken from an older manifest gets its current mode.
#[test]
fn unread_files_get_their_present_mode() {
    let dir = files();
    prints(&dir, "create d --metadata -o OLD.parquet");
    let printed = prints(&dir, "update OLD.parquet d -o NEW.parquet --json");
    assert!(printed.contains("\"read\":0,\"unchanged\":1"), "{printed}");
    // Directories and links are no files.
    let updated = manifest(&dir, "update OLD.parquet d -o NEW.parquet");
    let said = "finalist: NEW.parquet: 1 file: 0 read, 1 unchanged\n";
    assert_eq!(updated.stderr, said);
    gives(&dir, "diff OLD.parquet NEW.parquet", 0, "", "");
}

#[test]
fn a_directory_that_cannot_be_listed_has_one_row() {
    if fs::read_dir("/proc/1/map_files").is_ok() {
        return; // This user may list everything.
    }
    let dir = files();
    set_mode(&dir, "d/a", 0);
    let list = prints_with(&dir, "create d --metadata", 1);
    assert!(list.contains("# unlisted (a/)\n"), "{list}");
    assert!(!list.contains("# directory (a/)"), "{list}");
    set_mode(&dir, "d/a", 0o755);
}

#[test]
fn proofs_have_mode_and_target() {
    let dir = files();
    let printed = prints(&dir, "create d --metadata -l 64 -o M.parquet");
    let root = printed.trim().rsplit(' ').next().expect("a root");
    for (path, found) in [
        ("a/l", "\"target\": \"2e2e2f612e63\""),
        ("a.c", "\"mode\": 416"),
    ] {
        let proof = prints(&dir, &format!("prove M.parquet {path}"));
        assert!(proof.contains(found), "{proof}");
        write(&dir, "P", &proof);
        let line = format!("prove --verify P --root {root}");
        assert!(prints(&dir, &line).starts_with("P: OK"));
        for (from, to) in [("416", "420"), ("2e2e2f61", "2e2e2f62")] {
            if proof.contains(from) {
                write(&dir, "P", proof.replace(from, to));
                assert_eq!(manifest(&dir, &line).code, Some(1));
            }
        }
    }
}

/// Lists with invalid metadata are refused.
#[test]
fn bad_metadata_are_refused() {
    let dir = fixture();
    let list = LIST.replace("ROOT", &root_of_page());
    for (from, to, reason) in [
        ("-metadata\n", "\n", "improper line: '# mode 640'"),
        (
            "# mode 640\n",
            "# mode 0640\n",
            "improper line: '# mode 0640'",
        ),
        (
            "# mode 640\n",
            "# mode 10000\n",
            "row 0, a.c: the mode has more than twelve bits",
        ),
        (
            "# mode 640\n",
            "# mode 777777\n",
            "improper line: '# mode 777777'",
        ),
        ("# mode 640\n", "", "the root is not that of the rows"),
        (
            "# mode 640\n",
            "# mode 7777\n",
            "the root is not that of the rows",
        ),
        ("(../a.c)", "(x)", "the root is not that of the rows"),
        (
            "# mode 640\n",
            "# target (x)\n",
            "row 0, a.c: a link has a target, nothing else does",
        ),
        (
            "# target (../a.c)\n",
            "",
            "row 2, a/l: a link has a target, nothing else does",
        ),
        (
            "(../a.c)",
            "()",
            "row 2, a/l: the target is empty, contains NUL or is longer than 1 MiB",
        ),
        (
            "(../a.c)",
            "(a\0c)",
            "row 2, a/l: the target is empty, contains NUL or is longer than 1 MiB",
        ),
        // The line end before `c` must be escaped.
        (
            "(../a.c)",
            "(../a\rc)",
            "improper line: '# target (../a\\rc)'",
        ),
        (
            "# target",
            "# mode 777\n# target",
            "row 2, a/l: only files and directories have a mode",
        ),
        (
            "y (a/)",
            "y (a)",
            "row 1, a: the path of a directory does not end with '/'",
        ),
        (
            "-metadata\n",
            "-metadata-2\n",
            "the manifest has the format \
          'finalist-manifest-2-metadata-2'; 'finalist-manifest-2' is read",
        ),
    ] {
        assert!(list.contains(from), "{from}");
        write(&dir, "M.list", list.replacen(from, to, 1));
        let text = format!("finalist: M.list: {reason}\n");
        gives(&dir, "verify M.list", 1, "", &text);
    }
}
