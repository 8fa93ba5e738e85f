// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hand-written journals with valid tags: the reader must check every field.

#![cfg(unix)]

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use csv::{ByteRecord, ReaderBuilder, WriterBuilder};
use finalist::{Algorithm, Hasher, Params};
use finalist_manifest::parsers::{Journal, Tags};
use finalist_manifest::{
    Content, Function, Header, Manifest, Metadata, Observer, Parameters, Row, Scan, Stamp, Target,
};
use tempfile::TempDir;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const BYTES: usize = 5 << 20;
const FUNCTION: Function = Function {
    algorithm: Algorithm::Blake2b,
    digest_bytes: 32,
};

/// The messages of a run.
#[derive(Default)]
struct Recorder(String);

impl Observer for Recorder {
    fn message(&mut self, text: &[u8]) -> io::Result<()> {
        self.0 += &String::from_utf8_lossy(text);
        self.0.push('\n');
        Ok(())
    }
}

/// Makes a directory of this name, which no file can replace.
struct Taker(PathBuf);

impl Observer for Taker {
    fn message(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn idle(&mut self) -> io::Result<()> {
        fs::create_dir_all(&self.0)
    }
}

/// A directory with a file long enough for marks.
struct Run(TempDir);

impl Run {
    fn new() -> Result<Run> {
        let run = Run(tempfile::tempdir()?);
        fs::create_dir(run.files())?;
        fs::write(run.long(), vec![7; BYTES])?;
        Ok(run)
    }

    fn files(&self) -> PathBuf {
        self.0.path().join("files")
    }

    fn long(&self) -> PathBuf {
        self.files().join("long")
    }

    fn manifest(&self) -> PathBuf {
        self.0.path().join("M")
    }

    /// Makes a manifest. Returns its root and the run's messages.
    fn create(&self) -> Result<(Vec<u8>, String)> {
        let (scan, target) = (Scan::new(self.files()), Target::File(self.manifest()));
        let mut heard = Recorder::default();
        let parameters = Arc::new(Parameters::default());
        let made = Manifest::create(&scan, FUNCTION, parameters, &target, &mut heard)?;
        Ok((made.totals.root, heard.0))
    }

    /// Writes a journal with one mark in the long file.
    fn write_mark(&self, bytes: usize, midstate: &[u8]) -> Result<()> {
        self.write_mark_of(BYTES, bytes, midstate)
    }

    /// Writes a journal with one mark in the long file as if that had this size.
    fn write_mark_of(&self, size: usize, bytes: usize, midstate: &[u8]) -> Result<()> {
        let parameters = Parameters::default();
        let header = Header::new(FUNCTION, &parameters)?;
        drop(Journal::open(
            &self.manifest(),
            &self.files(),
            &header,
            &parameters,
        )?);
        let name = Journal::name(&self.manifest());
        let mut tags = tags_after_first(&name)?;
        let metadata = fs::metadata(self.long())?;
        let nanoseconds = |seconds: i64, rest: i64| {
            let whole = seconds.checked_mul(1_000_000_000);
            whole.map_or(String::new(), |whole| (whole + rest).to_string())
        };
        let mut record = ByteRecord::from(vec![
            "long".to_owned(),
            size.to_string(),
            nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
            metadata.ino().to_string(),
            hex::encode(midstate),
            bytes.to_string(),
        ]);
        tags.end(&mut record);
        let file = File::options().append(true).open(name)?;
        let mut out = WriterBuilder::new().flexible(true).from_writer(file);
        out.write_byte_record(&record)?;
        Ok(out.flush()?)
    }
}

/// Returns the tags for the records after the first.
fn tags_after_first(journal: &Path) -> Result<Tags> {
    let mut reader = ReaderBuilder::new();
    let mut reader = reader
        .has_headers(false)
        .flexible(true)
        .from_path(journal)?;
    let first = reader.records().next().ok_or("no record")??;
    let field = |from_end: usize| hex::decode(&first[first.len() - from_end]);
    Ok(Tags {
        key: Vec::new().into(),
        run: field(2)?.try_into().map_err(|_| "no run")?,
        last: field(1)?,
    })
}

/// Returns a midstate after this many bytes of another file.
fn midstate(algorithm: Algorithm, digest_bytes: u64, bytes: usize) -> Result<Vec<u8>> {
    let mut hasher = Hasher::new(algorithm, &Params::new().digest_bytes(digest_bytes))?;
    hasher.update(&vec![8; bytes])?;
    Ok(hasher.save()?)
}

fn going_on(bytes: usize) -> String {
    format!(
        "going on after 0 files of another run, and {bytes} bytes of those that it was reading\n"
    )
}

#[test]
fn a_journal_stays_if_the_manifest_does_not_get_its_name() -> Result<()> {
    let run = Run::new()?;
    let (scan, target) = (Scan::new(run.files()), Target::File(run.manifest()));
    let mut taker = Taker(run.manifest());
    let made = Manifest::create(&scan, FUNCTION, Arc::default(), &target, &mut taker);
    assert!(made.is_err());
    fs::remove_dir(run.manifest())?;
    let heard = run.create()?.1;
    assert!(heard.contains("going on after 1 file"), "{heard}");
    assert!(!Journal::name(&run.manifest()).exists());
    Ok(())
}

/// A journal has no modes: they are those of the listed files.
#[test]
fn a_run_that_goes_on_records_the_modes() -> Result<()> {
    let run = Run::new()?;
    let (mut scan, target) = (Scan::new(run.files()), Target::File(run.manifest()));
    scan.metadata = true;
    let mut taker = Taker(run.manifest());
    let made = Manifest::create(&scan, FUNCTION, Arc::default(), &target, &mut taker);
    assert!(made.is_err());
    fs::remove_dir(run.manifest())?;
    let mut heard = Recorder::default();
    let resumed = Manifest::create(&scan, FUNCTION, Arc::default(), &target, &mut heard)?;
    assert!(heard.0.contains("going on after 1 file"), "{}", heard.0);
    let whole = Manifest::create(&scan, FUNCTION, Arc::default(), &target, &mut heard)?;
    assert_eq!(resumed.totals.root, whole.totals.root);
    Ok(())
}

#[test]
fn a_mark_is_taken_up_to_the_end_of_its_file_and_not_beyond() -> Result<()> {
    let run = Run::new()?;
    let (root, _) = run.create()?;
    for bytes in [BYTES / 2, BYTES] {
        run.write_mark(bytes, &midstate(Algorithm::Blake2b, 32, bytes)?)?;
        let (found, heard) = run.create()?;
        assert!(heard.ends_with(&going_on(bytes)), "{heard}");
        assert_ne!(found, root, "the bytes of the mark are not read again");
    }
    run.write_mark(BYTES + 1, &midstate(Algorithm::Blake2b, 32, BYTES + 1)?)?;
    let (found, heard) = run.create()?;
    assert!(heard.contains("record 1 is damaged"), "{heard}");
    assert_eq!(found, root);
    Ok(())
}

#[test]
fn a_midstate_of_another_function_is_not_taken() -> Result<()> {
    let run = Run::new()?;
    let (root, _) = run.create()?;
    let others = [
        (Algorithm::Blake2b, 64),
        (Algorithm::Blake2s, 32),
        (Algorithm::Blake3, 32),
        (Algorithm::Groestl256, 32),
    ];
    for (algorithm, digest_bytes) in others {
        run.write_mark(BYTES / 2, &midstate(algorithm, digest_bytes, BYTES / 2)?)?;
        assert_eq!(run.create()?.0, root, "{algorithm} of {digest_bytes} bytes");
    }
    run.write_mark(BYTES / 2, b"no midstate")?;
    assert_eq!(run.create()?.0, root);
    Ok(())
}

/// Another version of the tool may go on with a run.
#[test]
fn the_tag_of_a_record_stays_the_same() {
    let mut tags = Tags {
        key: Vec::new().into(),
        run: [7; 16],
        last: Vec::new(),
    };
    let mut record = ByteRecord::from(vec!["long", "9"]);
    tags.end(&mut record);
    // BLAKE2b of hashlib in Python, with digest_size=32, salt=16 * b"\7" and
    // person=b"finalist-journal", over the last tag (empty) and the fields as in
    // docs/format/rows.md.
    let expected = "4c57cffd05ba62c981e3d767eb8bf045e39fcfbb82e85f0f51c559ed07b6bf94";
    assert_eq!(&record[2], expected.as_bytes());
}

/// A midstate of BLAKE3 holds the key.
#[test]
fn a_keyed_run_stores_no_midstate() -> Result<()> {
    let function = Function {
        algorithm: Algorithm::Blake3,
        digest_bytes: 32,
    };
    for (key, marks) in [(Vec::new(), 1), (vec![7; 32], 0)] {
        let run = Run::new()?;
        let parameters = Parameters {
            key: key.into(),
            ..Parameters::default()
        };
        let header = Header::new(function, &parameters)?;
        let mut journal = Journal::open(&run.manifest(), &run.files(), &header, &parameters)?;
        let hasher = parameters.hasher(function)?;
        journal.mark(b"long", 9, &Stamp::default(), 5, &hasher);
        let text = fs::read_to_string(Journal::name(&run.manifest()))?;
        assert_eq!(text.lines().skip(1).count(), marks, "{text}");
    }
    Ok(())
}

#[test]
fn a_journal_is_the_same_run_until_it_is_removed() -> Result<()> {
    let run = Run::new()?;
    let parameters = Parameters::default();
    let header = Header::new(FUNCTION, &parameters)?;
    let open = || Journal::open(&run.manifest(), &run.files(), &header, &parameters);
    let name = open()?.run();
    // The incomplete file's name shows a part of the secret only.
    let secret = tags_after_first(&Journal::name(&run.manifest()))?.run;
    assert_eq!(name, hex::encode(&secret[..8]));
    let row = Row {
        path: b"file".to_vec(),
        content: Ok(Content {
            size: 1,
            digest: vec![0; 32],
            stamp: Stamp::default(),
        }),
        metadata: Metadata::default(),
    };
    // A run that goes on pushes the rows of the earlier ones, too.
    for count in [0, 1, 1] {
        let mut journal = open()?;
        assert_eq!((journal.run(), journal.count()), (name.clone(), count));
        journal.push(&row)?;
        journal.close()?;
        // A thread that has not ended yet; another run may have begun.
        let hasher = parameters.hasher(FUNCTION)?;
        journal.mark(b"long", 9, &Stamp::default(), 5, &hasher);
        let text = fs::read_to_string(Journal::name(&run.manifest()))?;
        assert_eq!(text.lines().count(), 2, "{text}");
    }
    Ok(())
}

#[test]
fn a_first_record_has_exactly_the_fields_of_its_run() -> Result<()> {
    let run = Run::new()?;
    let parameters = Parameters::default();
    let header = Header::new(FUNCTION, &parameters)?;
    let open = || Journal::open(&run.manifest(), &run.files(), &header, &parameters);
    drop(open()?);
    let name = Journal::name(&run.manifest());
    let text = fs::read_to_string(&name)?;
    let fields: Vec<&str> = text.trim_end().split(',').collect();
    let about_run = &fields[..fields.len() - 2];
    let secret = "07".repeat(16);
    for (more, is_whole) in [
        (vec![], false),
        (vec![&secret[..]], true),
        (vec![&secret[..], ""], false),
    ] {
        let mut record = ByteRecord::from([about_run, &more[..]].concat());
        let mut tags = Tags {
            key: Vec::new().into(),
            run: if more.is_empty() { [0; 16] } else { [7; 16] },
            last: Vec::new(),
        };
        tags.end(&mut record);
        WriterBuilder::new()
            .from_path(&name)?
            .write_byte_record(&record)?;
        match open() {
            Ok(_) => assert!(is_whole, "{more:?}"),
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("its first record is damaged"), "{text}");
                assert!(!is_whole, "{more:?}");
            }
        }
    }
    Ok(())
}

#[test]
fn without_a_time_a_file_is_read_again() -> Result<()> {
    let run = Run::new()?;
    // Its nanoseconds do not fit into 64 bits.
    let far = UNIX_EPOCH + Duration::from_secs(10_000_000_000);
    File::options()
        .write(true)
        .open(run.long())?
        .set_modified(far)?;
    if fs::metadata(run.long())?.modified()? != far {
        return Ok(()); // the file system has no such times
    }
    let (root, _) = run.create()?;
    run.write_mark(BYTES / 2, &midstate(Algorithm::Blake2b, 32, BYTES / 2)?)?;
    assert_eq!(run.create()?.0, root);
    // An update knows no file without a time, although all else is the same.
    let file = run.0.path().join("M.parquet");
    let (scan, target) = (Scan::new(run.files()), Target::File(file.clone()));
    let (by, mut heard) = (Arc::new(Parameters::default()), Recorder::default());
    Manifest::create(&scan, FUNCTION, by, &target, &mut heard)?;
    let updated = Manifest::open(&file, None)?.update(&scan, &file, &mut heard)?;
    assert_eq!(updated.known, 0);
    Ok(())
}

#[test]
fn a_file_that_changed_since_its_mark_is_read_again() -> Result<()> {
    let run = Run::new()?;
    let (root, _) = run.create()?;
    let half = midstate(Algorithm::Blake2b, 32, BYTES / 2)?;
    run.write_mark_of(BYTES + 1, BYTES / 2, &half)?;
    assert_eq!(run.create()?.0, root, "the size changed, the times did not");
    run.write_mark(BYTES / 2, &half)?;
    File::options()
        .write(true)
        .open(run.long())?
        .set_modified(UNIX_EPOCH + Duration::from_secs(1))?;
    assert_eq!(run.create()?.0, root);
    // Its time was set back: the inode tells.
    run.write_mark(BYTES / 2, &half)?;
    let changed = || fs::metadata(run.long()).map(|now| (now.ctime(), now.ctime_nsec()));
    let before = changed()?;
    while changed()? == before {
        let long = File::options().write(true).open(run.long())?;
        long.set_modified(UNIX_EPOCH + Duration::from_secs(1))?;
    }
    assert_eq!(run.create()?.0, root);
    Ok(())
}

/// The run that was interrupted had read the file again.
#[test]
fn the_last_reading_of_a_file_counts() -> Result<()> {
    let run = Run::new()?;
    let (old, new) = ["OLD.parquet", "M"]
        .map(|name| run.0.path().join(name))
        .into();
    let (scan, target) = (Scan::new(run.files()), Target::File(old.clone()));
    let (by, mut heard) = (Arc::new(Parameters::default()), Recorder::default());
    Manifest::create(&scan, FUNCTION, by.clone(), &target, &mut heard)?;
    let old = Manifest::open(&old, None)?;
    let mut rows = old.rows()?.collect::<std::result::Result<Vec<_>, _>>()?;
    let content = rows[0].content.as_mut().map_err(|_| "no digest")?;
    content.digest = vec![7; 32];
    let note = |row: &Row| -> Result<()> {
        let mut journal = Journal::open(&new, &run.files(), old.header(), &by)?;
        journal.push(row)?;
        Ok(journal.close()?)
    };
    note(&rows[0])?;
    let updated = old.update(&scan, &new, &mut heard)?;
    assert_eq!((updated.known, updated.corrupt), (1, 1), "{}", heard.0);

    // If it has changed since, it is what the older manifest says again, and the run does not count.
    rows[0]
        .content
        .as_mut()
        .map_err(|_| "no digest")?
        .stamp
        .inode = Some(0);
    note(&rows[0])?;
    let updated = old.update(&scan, &new, &mut heard)?;
    assert_eq!((updated.known, updated.corrupt), (1, 0), "{}", heard.0);
    Ok(())
}

#[test]
fn rows_and_marks_come_back_as_they_were() -> Result<()> {
    let (run, by) = (Run::new()?, Parameters::default());
    let header = Header::new(FUNCTION, &by)?;
    let open = || Journal::open(&run.manifest(), &run.files(), &header, &by);
    let stamp = Stamp {
        modified_ns: Some(1),
        changed_ns: Some(2),
        inode: Some(-3),
    };
    let row = Row {
        path: b"a".to_vec(),
        content: Ok(Content {
            size: 4,
            digest: vec![7; 32],
            stamp,
        }),
        metadata: Metadata::default(),
    };
    let mut hasher = by.hasher(FUNCTION)?;
    hasher.update(&[5; 6])?;
    let mut journal = open()?;
    journal.push(&row)?;
    journal.mark(b"b", 7, &stamp, 6, &hasher);
    journal.close()?;
    drop(journal);
    let journal = open()?;
    let rows: std::result::Result<Vec<_>, _> = journal.rows(&header, &by)?.collect();
    assert_eq!(rows?, [row]);
    let (bytes, mut resumed) = journal.resumed(b"b", 7, &stamp).ok_or("no mark")?;
    assert_eq!((bytes, resumed.finalize()?), (6, hasher.finalize()?));
    assert!(journal.complaint().is_none());
    drop(journal);
    // Rows and marks are records alike.
    let file = File::options()
        .append(true)
        .open(Journal::name(&run.manifest()));
    file?.write_all(b"damaged\n")?;
    let complaint = open()?.complaint().ok_or("it is not seen")?;
    let complaint = String::from_utf8(complaint)?;
    assert!(complaint.contains("record 3 is damaged"), "{complaint}");
    Ok(())
}

/// A record of 4 GiB after a sound one is not read whole.
#[test]
#[cfg(target_os = "linux")]
fn a_record_is_bounded() -> Result<()> {
    let run = Run::new()?;
    let (root, _) = run.create()?;
    run.write_mark(BYTES / 2, &midstate(Algorithm::Blake2b, 32, BYTES / 2)?)?;
    let journal = File::options()
        .append(true)
        .open(Journal::name(&run.manifest()))?;
    journal.set_len(journal.metadata()?.len() + (4 << 30))?;
    let (found, heard) = run.create()?;
    assert!(heard.contains("record 2 is damaged"), "{heard}");
    assert!(heard.ends_with(&going_on(BYTES / 2)), "{heard}");
    assert_ne!(found, root, "the bytes of the mark are not read again");
    let status = fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = peak.and_then(|text| text.trim().strip_suffix(" kB"));
    let kib: u64 = kib.ok_or("no peak")?.parse()?;
    assert!(kib < 1 << 20, "{kib} KiB");
    Ok(())
}
