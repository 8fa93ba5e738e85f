// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the files that `finalist manifest` leaves or finds beside a manifest: unfinished ones and
//! journals.

mod common;

use std::fs::{self, File};
#[cfg(unix)]
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt, symlink};
#[cfg(unix)]
use std::path::Path;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use common::manifests::{gives, manifest, names, prints};
use common::{Done, Text, program, run_with, sparse, start, write};
use tempfile::TempDir;

const JOURNAL: &str = "M.parquet.journal";

/// Returns a directory with 300 small files and a key.
fn directory() -> TempDir {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir(dir.path().join("d")).expect("a directory is made");
    for index in 100..400 {
        write(&dir, &format!("d/{index}"), format!("{index}"));
    }
    write(&dir, "key", "secret");
    write(&dir, "other", "another");
    dir
}

/// Starts a run that records 300 files and kills it at the next. Returns the unfinished files that
/// it had beside the manifest.
fn interrupt(dir: &TempDir, line: &str) -> Vec<PathBuf> {
    sparse(dir, "d/z", 1 << 40);
    let journal = dir.path().join(JOURNAL);
    let words = ["manifest"].into_iter().chain(line.split_whitespace());
    let mut child = start(program("finalist", dir.path()).args(words), b"");
    let started = Instant::now();
    let lines = || fs::read(&journal).map_or(0, |text| text.split(|&byte| byte == b'\n').count());
    while lines() < 302 {
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "nothing is noted"
        );
        thread::sleep(Duration::from_millis(5));
    }
    let partial = names(dir)
        .into_iter()
        .filter(|name| name.ends_with(".partial"));
    let partial = partial.map(|name| dir.path().join(name)).collect();
    child.kill().expect("it runs");
    child.wait().expect("it was started");
    File::create(dir.path().join("d/z")).expect("a file is shortened");
    partial
}

fn finished(dir: &TempDir, line: &str) -> Done {
    let done = manifest(dir, line);
    assert_eq!(done.code, Some(0), "{done:?}");
    done
}

/// Returns the number of files that the run reports as read by an earlier one.
fn taken_over(done: &Done) -> usize {
    let text = String::from_utf8_lossy(&done.stderr.0).into_owned();
    let number = text.lines().find_map(|line| {
        let rest = line.strip_prefix("finalist: M.parquet: going on after ")?;
        rest.split(' ').next()?.parse().ok()
    });
    number.unwrap_or(0)
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    path.symlink_metadata().expect("it is there").mode() & 0o777
}

#[cfg(unix)]
#[test]
fn unfinished_files_are_their_owners_alone() {
    let dir = directory();
    // The predictable name of an earlier version would lead to this file.
    write(&dir, "victim", "victim");
    symlink("victim", dir.path().join("M.parquet.partial")).expect("a link");
    let partial = interrupt(&dir, "create d -o M.parquet");
    let link = dir.path().join("M.parquet.partial");
    let new = partial
        .iter()
        .find(|name| **name != link)
        .expect("an unfinished file");
    assert_eq!(mode(new), 0o600);
    assert_eq!(mode(&dir.path().join(JOURNAL)), 0o600);
    assert_eq!(
        fs::read_to_string(dir.path().join("victim")).expect("it is there"),
        "victim"
    );
    finished(&dir, "create d -o M.parquet");
    assert_eq!(
        names(&dir),
        [
            "M.parquet",
            "M.parquet.partial",
            "d",
            "key",
            "other",
            "victim"
        ]
    );
    let made = fs::read(dir.path().join("M.parquet")).expect("it is there");
    assert!(made.starts_with(b"PAR1"));
    // Its permissions are those of any new file.
    let other = dir.path().join("other");
    assert_eq!(mode(&dir.path().join("M.parquet")), mode(&other));
    let mask = [
        "-c",
        "umask 027; exec \"$0\" manifest create d -o N.list",
        env!("CARGO_BIN_EXE_finalist"),
    ];
    let done = common::run_with("sh", dir.path(), &mask, b"");
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(mode(&dir.path().join("N.list")), 0o640);
}

#[test]
fn a_run_that_fails_leaves_nothing_unfinished() {
    let dir = directory();
    write(&dir, "names", "100\0../key");
    let done = manifest(&dir, "create d --files0-from names -o M.parquet");
    assert_eq!(done.code, Some(1));
    assert!(names(&dir).iter().all(|name| !name.ends_with(".partial")));
    gives(
        &dir,
        "create d -o d",
        1,
        "",
        "finalist: d: is a directory\n",
    );
    let left = ["d", "key", "names", "other"];
    assert_eq!(names(&dir), left);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_replaced() {
    let dir = directory();
    symlink("/dev/null", dir.path().join("null")).expect("a link");
    let text = "finalist: null: not a regular file\n";
    gives(&dir, "create d -o null", 1, "", text);
}

/// As its own output; another output that is a link becomes a file.
#[cfg(unix)]
#[test]
fn update_writes_the_manifest_that_a_link_leads_to() {
    let dir = directory();
    fs::create_dir(dir.path().join("store")).expect("a directory");
    let line = prints(&dir, "create d -o store/M.parquet");
    let link = |name: &str| symlink("store/M.parquet", dir.path().join(name)).expect("a link");
    link("first");
    symlink("first", dir.path().join("second")).expect("a link");
    write(&dir, "d/new", "new");
    let updated = prints(&dir, "update second d");
    assert_eq!(
        updated,
        prints(&dir, "root store/M.parquet").replace("store/M.parquet", "second")
    );
    assert_ne!(updated, line.replace("store/M.parquet", "second"));
    for (name, target) in [("second", "first"), ("first", "store/M.parquet")] {
        let found = fs::read_link(dir.path().join(name)).expect("a link");
        assert_eq!(found, Path::new(target));
    }
    let old = fs::read(dir.path().join("store/M.parquet")).expect("a file");
    link("third");
    write(&dir, "d/newer", "newer");
    prints(&dir, "update first d -o third");
    assert!(
        fs::symlink_metadata(dir.path().join("third"))
            .expect("it")
            .is_file()
    );
    assert_eq!(
        fs::read(dir.path().join("store/M.parquet")).expect("a file"),
        old
    );
}

#[cfg(unix)]
#[test]
fn a_journal_of_somebody_else_is_refused() {
    let dir = directory();
    let journal = dir.path().join(JOURNAL);
    let text = "it is no file that this user alone owns and can write: remove it";
    let text = format!("finalist: {JOURNAL}: {text}\n");
    let refused = || {
        gives(&dir, "create d -o M.parquet", 1, "", &text);
        fs::remove_file(&journal).expect("it is removed");
    };
    write(&dir, "victim", "victim");
    symlink("victim", &journal).expect("a link");
    refused();
    symlink("nothing", &journal).expect("a link");
    refused();
    fs::hard_link(dir.path().join("victim"), &journal).expect("a link");
    refused();
    let made = std::process::Command::new("mkfifo").arg(&journal).status();
    assert!(made.expect("mkfifo runs").success());
    refused();
    interrupt(&dir, "create d -o M.parquet");
    fs::set_permissions(&journal, fs::Permissions::from_mode(0o620)).expect("it is changed");
    refused();
    assert_eq!(
        fs::read_to_string(dir.path().join("victim")).expect("it is there"),
        "victim"
    );
    assert!(names(&dir).iter().all(|name| name != "nothing"));
    let text = "it is of an unfinished run over other files or with other options: repeat that \
                one, or remove the file";
    let text = format!("finalist: {JOURNAL}: {text}\n");
    // Neither a file of one line without an end nor one of nothing but line ends is a journal.
    // The beginning of another one is not this one's.
    for content in ["a secret key", "\n", "finalist-journal-2,/elsewhere"] {
        write(&dir, JOURNAL, content);
        gives(&dir, "create d -o M.parquet", 1, "", &text);
        assert_eq!(fs::read_to_string(&journal).expect("it is there"), content);
    }
}

/// A change of a journal's lines.
type Damage<'a> = dyn Fn(&mut Vec<String>) + 'a;

/// Changes the journal's lines without computing their tags.
fn change(dir: &TempDir, change: impl FnOnce(&mut Vec<String>)) {
    let path = dir.path().join(JOURNAL);
    let text = fs::read_to_string(&path).expect("it is there");
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    fs::write(&path, lines.join("\n") + "\n").expect("it is written");
}

/// A full disk shows in the journal first.
#[cfg(unix)]
#[test]
fn a_journal_that_cannot_be_written_is_reported() {
    let dir = directory();
    let script = "trap '' XFSZ; ulimit -f 2; exec \"$0\" manifest create d -o M.parquet";
    let words = ["-c", script, env!("CARGO_BIN_EXE_finalist")];
    let done = run_with("sh", dir.path(), &words, b"");
    let text = format!("finalist: {JOURNAL}: File too large\n");
    assert_eq!((done.code, done.stderr), (Some(1), Text(text.into())));
}

/// Whoever repeats an interrupted update may not have seen what the first run reported.
#[cfg(unix)]
#[test]
fn a_repeated_update_tells_of_corrupt_files_again() {
    let dir = directory();
    prints(&dir, "create d -o M.parquet");
    let file = File::options().write(true).open(dir.path().join("d/200"));
    let file = file.expect("it opens");
    let time = file.metadata().and_then(|metadata| metadata.modified());
    file.write_all_at(b"x", 0).expect("it is written");
    file.set_modified(time.expect("a time")).expect("it is set");
    interrupt(&dir, "update M.parquet d");
    let done = manifest(&dir, "update M.parquet d");
    let text = "finalist: 200: corrupt: the content changed, its size and time did not\n";
    assert!(taken_over(&done) >= 300, "{done:?}");
    assert!(
        String::from_utf8_lossy(&done.stderr.0).contains(text),
        "{done:?}"
    );
    assert_eq!(done.code, Some(2), "{done:?}");
}

#[test]
fn a_changed_record_ends_what_is_taken_over() {
    for options in ["", "--key-file key"] {
        let dir = directory();
        let line = format!("create d {options} -o M.parquet");
        let expected = prints(&dir, &line);
        interrupt(&dir, &line);
        let whole = fs::read(dir.path().join(JOURNAL)).expect("it is there");
        // Record 0 is the run's, record 1 is file 100's.
        let digit = |line: &mut String, at: usize| {
            let old = line.remove(at);
            line.insert(at, if old == '0' { '1' } else { '0' });
        };
        let fields = |line: &str| line.split(',').map(str::len).collect::<Vec<_>>();
        let cases: [(usize, &Damage<'_>); 6] = [
            // This changes a digest.
            (9, &|lines| {
                let lengths = fields(&lines[10]);
                let at = lines[10].len() - lengths[6] - 1 - lengths[5];
                digit(&mut lines[10], at);
            }),
            (19, &|lines| {
                let end = lines[20].len() - 1;
                digit(&mut lines[20], end);
            }),
            (4, &|lines| lines.swap(5, 6)),
            (6, &|lines| drop(lines.remove(7))),
            (0, &|lines| lines.insert(1, lines[1].clone() + "0")),
            (2, &|lines| lines.insert(3, lines[2].clone())),
        ];
        for (whole_rows, damage) in cases {
            fs::write(dir.path().join(JOURNAL), &whole).expect("it is written");
            change(&dir, |lines| damage(lines));
            let done = finished(&dir, &line);
            assert_eq!(taken_over(&done), whole_rows, "{done:?}");
            let text = format!(
                "finalist: {JOURNAL}: record {} is damaged or of another run: from there on, \
                 files are read again\n",
                whole_rows + 1
            );
            assert!(
                String::from_utf8_lossy(&done.stderr.0).starts_with(&text),
                "{done:?}"
            );
            assert_eq!(done.stdout.0.len(), expected.len());
            let verify = format!("verify {options} M.parquet d");
            gives(&dir, &verify, 0, "M.parquet: OK, 301 files\n", "");
        }
    }
}

#[test]
fn a_record_of_another_run_or_key_is_not_taken_over() {
    let dir = directory();
    let line = "create d --key-file key -o M.parquet";
    let journal = dir.path().join(JOURNAL);
    interrupt(&dir, line);
    let first = fs::read_to_string(&journal).expect("it is there");
    fs::remove_file(&journal).expect("it is removed");
    interrupt(&dir, line);
    let second = fs::read_to_string(&journal).expect("it is there");
    assert_ne!(first, second);
    let mut lines: Vec<_> = second.lines().take(3).collect();
    lines.extend(first.lines().skip(3));
    fs::write(&journal, lines.join("\n") + "\n").expect("it is written");
    assert_eq!(taken_over(&finished(&dir, line)), 2);
    // Without the key, nobody can begin a journal that a keyed run resumes.
    let text = "it is of an unfinished run over other files or with other options: \
                repeat that one, or remove the file";
    let text = format!("finalist: {JOURNAL}: {text}\n");
    for other in [
        "create d -o M.parquet",
        "create d --key-file other -o M.parquet",
    ] {
        fs::write(&journal, &first).expect("it is written");
        gives(&dir, other, 1, "", &text);
    }
    fs::write(&journal, first.replacen(",true,", ",false,", 1)).expect("it is written");
    gives(&dir, line, 1, "", &text);
    change(&dir, |lines| {
        *lines = first.lines().map(str::to_owned).collect()
    });
    change(&dir, |lines| lines[0].push('0'));
    let text = format!("finalist: {JOURNAL}: its first record is damaged: remove the file\n");
    gives(&dir, line, 1, "", &text);
    fs::write(&journal, &first).expect("it is written");
    assert_eq!(taken_over(&finished(&dir, line)), 300);
    assert_eq!(
        names(&dir).iter().filter(|name| *name == JOURNAL).count(),
        0
    );
}

/// Files that a killed run leaves are not taken for complete ones.
#[test]
fn a_journal_cut_anywhere_is_taken_up() {
    let dir = directory();
    let line = "create d -o M.parquet";
    interrupt(&dir, line);
    let whole = fs::read(dir.path().join(JOURNAL)).expect("it is there");
    for end in [0, 1, 100, 400, 1000, 1001, whole.len() - 1, whole.len()] {
        write(&dir, JOURNAL, &whole[..end]);
        let done = finished(&dir, line);
        let lines = whole[..end].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(
            taken_over(&done),
            lines.saturating_sub(1),
            "{end}: {done:?}"
        );
        gives(
            &dir,
            "verify M.parquet d",
            0,
            "M.parquet: OK, 301 files\n",
            "",
        );
    }
    let busy = Text(b"".to_vec());
    assert_eq!(manifest(&dir, line).stderr, busy);
}

/// A killed process had read part of a long file, which is not read again.
#[cfg(target_os = "linux")]
#[test]
fn a_long_file_is_gone_on_with() {
    const MARK_BYTES: u64 = 256 << 20;
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir(dir.path().join("d")).expect("a directory is made");
    // The file has holes, and bytes that no other part of it has.
    let long = fs::File::create(dir.path().join("d/long")).expect("a file is made");
    for part in 0..6 {
        long.write_all_at(format!("part {part}").as_bytes(), part * MARK_BYTES)
            .expect("it is written");
    }
    long.set_len(6 * MARK_BYTES + 1000).expect("it is long");
    drop(long);
    write(&dir, "d/short", "short");
    let create = [
        "manifest",
        "create",
        "-a",
        "blake2s",
        "-j2",
        "d",
        "-o",
        "M.list",
        "--no-progress",
    ];
    let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_finalist"));
    let mut run = run
        .args(create)
        .current_dir(dir.path())
        .spawn()
        .expect("it starts");
    let journal = dir.path().join("M.list.journal");
    let marks = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    // The first record is about the run, the next is a mark.
    while marks() < 2 && run.try_wait().expect("it can be asked").is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    run.kill().expect("it can be killed");
    run.wait().expect("it ends");
    let left = fs::read_to_string(&journal).expect("the run was killed before its end");
    assert!(left.lines().nth(1).expect("a mark").starts_with("long,"));
    let read = left
        .lines()
        .filter(|line| line.starts_with("long,"))
        .count() as u64;
    // The tool reads two mebibytes before it knows that the file is long.
    let read = read * MARK_BYTES + (2 << 20);
    let done = run_with("finalist", dir.path(), &create, b"");
    let text = format!(
        "finalist: M.list: going on after 0 files of another run, and {read} bytes of those that it \
         was reading\n"
    );
    assert_eq!((done.code, done.stderr), (Some(0), Text(text.into())));
    assert!(!journal.exists());
    let check = ["check", "--quiet", "-C", "d", "M.list"];
    let done = run_with("finalist", dir.path(), &check, b"");
    assert_eq!((done.code, done.stdout), (Some(0), Text(Vec::new())));
    // A file that was replaced is read from its beginning, whatever its name.
    fs::remove_file(dir.path().join("M.list")).expect("it is removed");
    fs::write(&journal, &left).expect("it is written");
    write(&dir, "d/long", "x".repeat(2 << 20));
    let done = run_with("finalist", dir.path(), &create, b"");
    assert_eq!(done.code, Some(0));
    let done = run_with("finalist", dir.path(), &check, b"");
    assert_eq!((done.code, done.stdout), (Some(0), Text(Vec::new())));
}
