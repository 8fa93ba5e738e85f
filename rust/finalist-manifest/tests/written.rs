// SPDX-License-Identifier: MIT OR Apache-2.0
//! A manifest that was just written is read from the open file, not by its name.

use std::error::Error;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use finalist::Algorithm;
use finalist_files::progress::Progress;
use finalist_files::threads::Threads;
use finalist_manifest::{
    Content, Function, Manifest, Metadata, NoDigest, Observer, Parameters, Paths, Row, Scan, Stamp,
    Target,
};

struct Quiet;

impl Observer for Quiet {
    fn message(&mut self, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }
}

fn rows(manifest: &Manifest) -> Result<Vec<Row>, Box<dyn Error>> {
    Ok(manifest.rows()?.collect::<Result<Vec<_>, _>>()?)
}

const FUNCTION: Function = Function {
    algorithm: Algorithm::Blake2b,
    digest_bytes: 32,
};

/// Creates a manifest in this file.
fn created(scan: &Scan, file: PathBuf) -> Result<Manifest, Box<dyn Error>> {
    let by = Arc::new(Parameters::default());
    let made = Manifest::create(scan, FUNCTION, by, &Target::File(file), &mut Quiet)?;
    Ok(made.manifest.ok_or("it was written to a file")?)
}

#[test]
fn rows_are_given_in_the_order_of_their_paths() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("M.list");
    let row = |path: &str| Row {
        path: path.into(),
        content: Err(NoDigest::Vanished),
        metadata: Metadata::default(),
    };
    for (paths, text) in [
        (["a", "a"], "a: the path stands twice"),
        (["b", "a"], "a: the rows are not sorted by path"),
    ] {
        let by = Arc::new(Parameters::default());
        let made = Manifest::write(paths.map(row), FUNCTION, by, &file);
        assert_eq!(
            made.err().map(|error| error.to_string()).as_deref(),
            Some(text)
        );
        assert!(!file.exists());
    }
    Ok(())
}

#[test]
fn rows_differ_in_size_digest_or_status() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let content = |size, byte| {
        Ok(Content {
            size,
            digest: vec![byte; 32],
            stamp: Stamp::default(),
        })
    };
    let contents = [
        content(1, 7),
        content(2, 7),
        content(1, 8),
        Err(NoDigest::Unreadable),
        Err(NoDigest::Vanished),
    ];
    let row = |content: &std::result::Result<Content, NoDigest>| Row {
        path: b"file".to_vec(),
        content: content.clone(),
        metadata: Metadata::default(),
    };
    for old in &contents {
        let by = Arc::new(Parameters::default());
        let made = Manifest::write([row(old)], FUNCTION, by, &dir.path().join("M.list"))?;
        for new in &contents {
            let found = made.compare([Ok(row(new))])?;
            assert_eq!(found.len(), usize::from(old != new), "{old:?}, {new:?}");
        }
    }
    Ok(())
}

#[test]
fn a_new_scan_reads_all_files_without_metadata_and_follows_no_links() -> Result<(), Box<dyn Error>>
{
    let dir = tempfile::tempdir()?;
    let files = dir.path().join("files");
    fs::create_dir_all(files.join("folder"))?;
    for name in [".hidden", "file", "folder/file"] {
        fs::write(files.join(name), "content")?;
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("file", files.join("link"))?;
    let made = created(&Scan::new(&files), dir.path().join("M.list"))?;
    let paths = made.rows()?.map(|row| row.map(|row| row.path));
    let paths = paths.collect::<Result<Vec<_>, _>>()?;
    assert_eq!(paths, [&b".hidden"[..], b"file", b"folder/file"]);
    assert!(!made.header().metadata);
    Ok(())
}

#[test]
fn a_missing_key_is_told_from_an_unwanted_one() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    for (own, given, complaint) in [
        (&b"key"[..], None, ": keyed, and no key is given"),
        (b"", Some(&b"key"[..]), ": it has no key, and one is given"),
    ] {
        let file = dir.path().join("M.list");
        let by = Parameters {
            key: own.to_vec().into(),
            ..Parameters::default()
        };
        Manifest::write([], FUNCTION, Arc::new(by), &file)?;
        let error = Manifest::open(&file, given).err().ok_or("no error")?;
        let text = error.to_string();
        assert!(text.ends_with(complaint), "{text}");
    }
    Ok(())
}

/// Sizes, times and inodes beyond 32 bits, and times before 1970.
#[test]
fn numbers_of_64_bits_are_kept() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let row = |path: &str, size: u64, [modified_ns, changed_ns, inode]: [i64; 3]| Row {
        path: path.into(),
        content: Ok(Content {
            size,
            digest: vec![7; 32],
            stamp: Stamp {
                modified_ns: Some(modified_ns),
                changed_ns: Some(changed_ns),
                inode: Some(inode),
            },
        }),
        metadata: Metadata::default(),
    };
    let rows = [
        row("a", 1, [-1, 1 << 40, 1 << 41]),
        row("b", 1 + (1 << 32), [i64::MIN, 0, -1]),
        row("c", i64::MAX as u64, [i64::MAX, -(1 << 40), i64::MIN]),
    ];
    let by = || Arc::new(Parameters::default());
    for (name, has_stamps) in [("M.parquet", true), ("M.list", false)] {
        let file = dir.path().join(name);
        Manifest::write(rows.clone(), FUNCTION, by(), &file)?;
        let found = Manifest::open(&file, None)?.rows()?;
        let found = found.collect::<Result<Vec<_>, _>>()?;
        let mut expected = rows.clone();
        for content in expected
            .iter_mut()
            .filter_map(|row| row.content.as_mut().ok())
        {
            content.stamp = Some(content.stamp)
                .filter(|_| has_stamps)
                .unwrap_or_default();
        }
        assert_eq!(found, expected, "{name}");
    }
    // Parquet says what wrote it.
    let text = fs::read(dir.path().join("M.parquet"))?;
    let writer = concat!("finalist ", env!("CARGO_PKG_VERSION"));
    assert!(
        text.windows(writer.len())
            .any(|part| part == writer.as_bytes())
    );
    // The leaf has the whole size.
    let roots = [1, 1 + (1 << 32)].map(|size| {
        let file = dir.path().join("M.list");
        let made = Manifest::write([row("a", size, [0; 3])], FUNCTION, by(), &file);
        made.map(|made| made.totals().root.clone())
    });
    let [one, other] = roots;
    assert_ne!(one?, other?);
    Ok(())
}

/// Some systems have no modes.
#[test]
fn an_unknown_mode_is_no_difference() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let row = |mode| Row {
        path: b"file".to_vec(),
        content: Err(NoDigest::Vanished),
        metadata: Metadata { mode, target: None },
    };
    let (by, file) = (Arc::new(Parameters::default()), dir.path().join("M.list"));
    let made = Manifest::write([row(None)], FUNCTION, by, &file)?;
    assert_eq!(made.compare([Ok(row(Some(0o640)))])?, []);
    assert!(row(Some(0o640)).has_mode_of(&row(None)));
    assert!(!row(Some(0o640)).has_mode_of(&row(Some(0o600))));
    Ok(())
}

#[test]
fn equal_files_move_in_the_order_of_their_paths() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let row = |path: &str| Row {
        path: path.into(),
        content: Ok(Content {
            size: 1,
            digest: vec![7; 32],
            stamp: Stamp::default(),
        }),
        metadata: Metadata::default(),
    };
    let (by, file) = (Arc::new(Parameters::default()), dir.path().join("M.list"));
    let made = Manifest::write(["a", "b", "c"].map(row), FUNCTION, by, &file)?;
    let found = made.compare(["x", "y"].map(|path| Ok(row(path))))?;
    let lines: Vec<_> = found.iter().map(|each| each.line()).collect();
    let expected = ["removed c", "moved a -> x", "moved b -> y"];
    assert_eq!(lines, expected.map(|line| line.as_bytes().to_vec()));
    Ok(())
}

#[test]
fn groups_of_equal_files_are_sorted_by_the_bytes_that_they_waste() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let row = |(path, size): (&str, u64)| Row {
        path: path.into(),
        content: Ok(Content {
            size,
            digest: vec![size as u8; 32],
            stamp: Stamp::default(),
        }),
        metadata: Metadata::default(),
    };
    let files = [("a", 9), ("b", 9), ("c", 4), ("d", 4), ("e", 4), ("f", 4)];
    let (by, file) = (Arc::new(Parameters::default()), dir.path().join("M.list"));
    let made = Manifest::write(files.map(row), FUNCTION, by, &file)?;
    let groups = made.duplicates(None)?;
    let found: Vec<_> = groups
        .iter()
        .map(|group| (group.size, group.wasted()))
        .collect();
    assert_eq!(found, [(4, 12), (9, 9)]);
    Ok(())
}

/// Takes no message.
struct Deaf;

impl Observer for Deaf {
    fn message(&mut self, _: &[u8]) -> std::io::Result<()> {
        Err(ErrorKind::BrokenPipe.into())
    }
}

#[test]
fn the_source_of_an_observers_error_is_its_own() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let mut paths = Paths::default();
    paths.insert(b"gone")?;
    let scan = Scan {
        paths: Some(paths),
        ..Scan::new(dir.path())
    };
    let (target, by) = (
        Target::File(dir.path().join("M")),
        Arc::new(Parameters::default()),
    );
    let made = Manifest::create(&scan, FUNCTION, by, &target, &mut Deaf);
    let error = made.err().ok_or("no message was needed")?;
    let source = error
        .source()
        .and_then(|source| source.downcast_ref::<std::io::Error>());
    assert_eq!(
        source.map(std::io::Error::kind),
        Some(ErrorKind::BrokenPipe)
    );
    Ok(())
}

/// Notes the names of files after a while, which differs.
#[derive(Default)]
struct Slow(Mutex<Vec<PathBuf>>);

impl Progress for Slow {
    fn reading(&self, name: &Path) {
        let last = name.as_os_str().as_encoded_bytes().last();
        if last.is_some_and(|last| last % 2 == 0) {
            thread::sleep(Duration::from_millis(30));
        }
        self.0
            .lock()
            .expect("no thread panics")
            .push(name.to_owned());
    }
}

#[test]
fn files_are_read_one_after_the_other_on_request() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let files = dir.path().join("files");
    fs::create_dir(&files)?;
    for number in 10..40 {
        fs::write(files.join(number.to_string()), "1")?;
    }
    let noted = Arc::new(Slow::default());
    let scan = Scan {
        sequential: true,
        threads: Threads::Jobs(Some(4)),
        progress: noted.clone(),
        ..Scan::new(&files)
    };
    created(&scan, dir.path().join("M"))?;
    let names = noted.0.lock().expect("no thread panics");
    assert_eq!(names.len(), 30);
    assert!(names.is_sorted(), "{names:?}");
    Ok(())
}

/// Changes a file while it is read, and sets its time back.
#[cfg(unix)]
struct Meddler(PathBuf);

#[cfg(unix)]
impl Progress for Meddler {
    fn hashed(&self, _: u64) {
        use std::os::unix::fs::MetadataExt;

        let metadata = || fs::metadata(&self.0).expect("it is there");
        let changed = |metadata: fs::Metadata| (metadata.ctime(), metadata.ctime_nsec());
        let (time, before) = (metadata().modified().expect("a time"), changed(metadata()));
        while changed(metadata()) == before {
            let file = fs::File::options()
                .write(true)
                .open(&self.0)
                .expect("opened");
            file.set_modified(time).expect("set back");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_change_whose_time_was_set_back_is_noticed() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let files = dir.path().join("files");
    fs::create_dir(&files)?;
    fs::write(files.join("long"), vec![7; 3 << 20])?;
    let scan = Scan {
        progress: Arc::new(Meddler(files.join("long"))),
        ..Scan::new(&files)
    };
    let manifest = created(&scan, dir.path().join("M"))?;
    assert_eq!(manifest.counts().get("changed"), Some(&1));
    Ok(())
}

#[test]
fn the_longest_path_has_a_mebibyte() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("M.list");
    let row = |bytes| Row {
        path: vec![b'a'; bytes],
        content: Err(NoDigest::Vanished),
        metadata: Metadata::default(),
    };
    let by = Arc::new(Parameters::default());
    let made = Manifest::write([row(1 << 20)], FUNCTION, by.clone(), &file)?;
    assert_eq!(rows(&made)?, [row(1 << 20)]);
    let made = Manifest::write([row((1 << 20) + 1)], FUNCTION, by, &file);
    let text = made
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default();
    assert!(text.ends_with(": the path is longer than 1 MiB"), "{text}");
    Ok(())
}

#[test]
fn rows_written_have_no_metadata() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let vanished = NoDigest::Vanished;
    for (path, reason, mode, target) in [
        ("link", NoDigest::Link, None, None),
        ("directory/", NoDigest::Directory, None, None),
        ("file", vanished, Some(0o644), None),
        ("file", vanished, None, Some(b"target".to_vec())),
    ] {
        let row = Row {
            path: path.into(),
            content: Err(reason),
            metadata: Metadata { mode, target },
        };
        let by = Arc::new(Parameters::default());
        let made = Manifest::write([row], FUNCTION, by, &dir.path().join("M.list"));
        let text = made.err().map(|error| error.to_string());
        let complaint = "a directory, link, mode or target in a manifest without metadata";
        assert_eq!(text, Some(format!("{path}: {complaint}")));
    }
    Ok(())
}

/// The root does not depend on all of the header.
#[test]
fn its_header_stays_the_same() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("M.list");
    let by = Arc::new(Parameters::default());
    let made = Manifest::write([], FUNCTION, by, &file)?;
    let list = fs::read_to_string(&file)?;
    let salt = format!("# salt: {}\n", "07".repeat(16));
    fs::write(&file, list.replace("# salt:\n", &salt))?;
    let text = made.rows().err().ok_or("no error")?.to_string();
    let expected = "M.list: the manifest changed while it was read";
    assert!(text.replace('\'', "").ends_with(expected), "{text}");
    Ok(())
}

#[test]
fn a_list_has_any_other_name_than_a_table() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    for (name, start) in [
        ("M.parquet", &b"PAR1"[..]),
        ("parquet", b"# fi"),
        ("Mparquet", b"# fi"),
        ("M.parquet.old", b"# fi"),
    ] {
        let (by, file) = (Arc::new(Parameters::default()), dir.path().join(name));
        Manifest::write([], FUNCTION, by, &file)?;
        assert_eq!(&fs::read(&file)?[..4], start, "{name}");
    }
    Ok(())
}

/// The rows after the last file count, too.
#[test]
fn a_changed_one_is_not_updated() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let files = dir.path().join("files");
    fs::create_dir(&files)?;
    fs::write(files.join("one"), "1")?;
    let [old, new] = ["old.list", "new.list"].map(|name| dir.path().join(name));
    let scan = Scan::new(&files);
    let made = created(&scan, old.clone())?;
    let root = hex::encode(&made.totals().root);
    let text = fs::read_to_string(&old)?;
    fs::write(&old, text.replace(&root, &"0".repeat(root.len())))?;
    let error = made.update(&scan, &new, &mut Quiet).err();
    let text = error.map(|error| error.to_string()).unwrap_or_default();
    assert!(
        text.ends_with("the manifest changed while it was read"),
        "{text}"
    );
    assert!(!new.exists());
    Ok(())
}

#[test]
fn a_file_whose_directory_is_none_any_more_vanished() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let files = dir.path().join("files");
    fs::create_dir(&files)?;
    fs::write(files.join("one"), "1")?;
    let mut paths = Paths::default();
    paths.insert(b"gone")?;
    paths.insert(b"one/file")?;
    let scan = Scan {
        paths: Some(paths),
        ..Scan::new(&files)
    };
    let manifest = created(&scan, dir.path().join("M"))?;
    assert_eq!(manifest.counts().get("vanished"), Some(&2));
    Ok(())
}

#[test]
fn an_updated_one_has_the_name_of_its_own_file() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let files = dir.path().join("files");
    fs::create_dir(&files)?;
    let [old, new] = ["old.list", "new.list"].map(|name| dir.path().join(name));
    let scan = Scan::new(&files);
    let made = created(&scan, old.clone())?;
    for output in [new, old] {
        let updated = made.update(&scan, &output, &mut Quiet)?.manifest;
        let file = updated.map(|manifest| manifest.file().to_owned());
        assert_eq!(file, Some(output));
    }
    Ok(())
}

#[test]
fn its_name_may_be_another_files() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let files = dir.path().join("files");
    fs::create_dir(&files)?;
    fs::write(files.join("one"), "1")?;
    for (name, metadata) in [("M.list", false), ("M.parquet", false), ("N.parquet", true)] {
        let file = dir.path().join(name);
        let scan = Scan {
            metadata,
            ..Scan::new(&files)
        };
        let written = created(&scan, file.clone())?;
        let opened = Manifest::open(&file, None)?;
        fs::rename(&file, dir.path().join("old"))?;
        fs::write(&file, "another")?;

        assert_eq!(written.totals(), opened.totals());
        assert_eq!(written.counts(), opened.counts());
        assert!(written.header() == opened.header());
        assert_eq!(written.file(), file);
        assert_eq!(rows(&written)?, rows(&opened)?);
        assert_eq!(written.verify(&scan, &mut Quiet)?.differences, 0);

        let by = Arc::new(Parameters::default());
        let again = Manifest::write(rows(&opened)?, FUNCTION, by.clone(), &file);
        let text = again.err().map(|error| error.to_string());
        assert!(text.is_some_and(|text| text.contains("it is no manifest")));
        assert_eq!(fs::read(&file)?, b"another");
        fs::remove_file(&file)?;
        let again = Manifest::write(rows(&opened)?, FUNCTION, by, &file);
        match metadata {
            // Windows has no modes.
            true if cfg!(windows) => (),
            true => assert!(again.is_err(), "rows with metadata in a manifest without"),
            false => assert_eq!(again?.totals(), opened.totals()),
        }
    }
    Ok(())
}
