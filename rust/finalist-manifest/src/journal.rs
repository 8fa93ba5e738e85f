// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records the progress of a run, so that an interrupted one can be resumed. The journal is a CSV
//! file beside the incomplete manifest: rows of files that were read, in the order of their paths,
//! and marks for the progress in long files.
//!
//! Each record ends with a tag over itself and the tag before it. With a key, only its owner can
//! write a record; without one, tags detect damage and records of other runs.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use csv::{ByteRecord, Reader, ReaderBuilder, Writer, WriterBuilder};
use finalist::{Algorithm, Hasher, Params};
use parquet::file::reader::Length;

use crate::contents::{Contents, From};
use crate::error::{Error, failed, refused};
use crate::header::Header;
use crate::record::{MARK_FIELDS, Mark, mark, record_of, row};
use crate::row::{Row, Stamp};
use crate::writer::with_end;
use finalist_files::function::{Key, Parameters};
use finalist_files::message::{about, counted};
use finalist_files::platform::{Exclusive, bytes_of, not_a_directory, open_alone, release};
use finalist_table::Encoder;

const FORMAT: &[u8] = b"finalist-journal-2";
const PERSONAL: &[u8; 16] = b"finalist-journal";
const TAG_BYTES: u64 = 32;
const RUN_BYTES: usize = 16;
/// More than a record takes whose path has the longest length, all of it quotation marks.
const RECORD_BYTES_MAX: u64 = 4 << 20;

/// The journal of a run.
pub struct Journal {
    file: PathBuf,
    contents: Contents,
    opened: Arc<File>,
    out: Writer<Arc<File>>,
    /// True after the run: other threads then record nothing more.
    is_closed: bool,
    /// Tag of the last record.
    tags: Tags,
    /// Path of the last row in the file.
    last: Vec<u8>,
    found: WorkItem,
}

/// A journal for several threads.
pub type Shared = Arc<Mutex<Journal>>;

/// Locks a journal. A thread that panicked ends the process, at the latest when it is joined.
pub fn lock(journal: &Shared) -> MutexGuard<'_, Journal> {
    journal.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The content of a record.
enum Entry {
    Row(Row),
    Mark(Mark),
}

impl Entry {
    fn row(self) -> Option<Row> {
        match self {
            Entry::Row(row) => Some(row),
            Entry::Mark(_) => None,
        }
    }
}

/// Records of earlier runs.
#[derive(Default)]
struct WorkItem {
    rows: u64,
    /// The first later record that is damaged or of another run: its number, after the run's own.
    damaged: Option<u64>,
    /// Path of the last row.
    last: Vec<u8>,
    /// End of the last row's record.
    end: u64,
    /// Last marks of files that have no row.
    marks: HashMap<Vec<u8>, Mark>,
}

impl Journal {
    /// Returns the name of a manifest's journal.
    pub fn name(manifest: &Path) -> PathBuf {
        with_end(manifest, ".journal")
    }

    /// Opens or creates the journal of a manifest. An existing journal must have the same files and
    /// parameters.
    pub fn open(
        manifest: &Path,
        root: &Path,
        header: &Header,
        parameters: &Parameters,
    ) -> Result<Journal, Error> {
        let about_run = about_run(root, header, parameters)?;
        let file = Journal::name(manifest);
        let complain = |text: &str| refused(&file, text);
        let io = |error| failed(&file, error);
        let opened = match open_alone(&file).map_err(io)? {
            Exclusive::File(opened) => Arc::new(opened),
            Exclusive::Busy => return Err(complain("another run writes this manifest")),
            Exclusive::Foreign => {
                let text = "it is no file that this user alone owns and can write: remove it";
                return Err(complain(text));
            }
        };
        let contents = Contents::new(opened.clone());
        let mut noted = Noted::new(&contents, header, parameters).map_err(io)?;
        let found = match noted.begin(&about_run) {
            Begin::Empty => WorkItem::default(),
            Begin::Whole => noted.find(),
            Begin::Other => {
                return Err(complain(
                    "it is of an unfinished run over other files or with other options: \
                     repeat that one, or remove the file",
                ));
            }
            Begin::Damaged => return Err(complain("its first record is damaged: remove the file")),
        };
        let mut tags = noted.tags;
        opened
            .set_len(found.end)
            .and_then(|()| (&*opened).seek(SeekFrom::Start(found.end)))
            .map_err(io)?;
        let mut out = WriterBuilder::new()
            .flexible(true)
            .from_writer(opened.clone());
        if found.end == 0 {
            tags.run = fastrand::u128(..).to_le_bytes();
            let mut record = about_run;
            record.push_field(hex::encode(tags.run).as_bytes());
            tags.end(&mut record);
            let written = out.write_byte_record(&record);
            written.map_err(|error| io(of_csv(error)))?;
            out.flush().map_err(io)?;
        }
        Ok(Journal {
            last: found.last.clone(),
            file,
            contents,
            opened,
            out,
            is_closed: false,
            tags,
            found,
        })
    }

    /// Returns a secret that only this run and the runs that it resumes know.
    pub fn run(&self) -> String {
        hex::encode(&self.tags.run[..RUN_BYTES / 2])
    }

    /// Returns the message that this run resumes an earlier one.
    pub fn going_on(&self) -> Option<String> {
        let rows = self.found.rows;
        let files = counted(rows, "file", "files");
        let files = format!("going on after {files} of another run");
        match self.found.marks.values().map(|mark| mark.bytes).sum() {
            0_u64 => (rows != 0).then_some(files),
            bytes => Some(format!(
                "{files}, and {} of those that it was reading",
                counted(bytes, "byte", "bytes")
            )),
        }
    }

    /// Returns the earlier runs' progress in an unchanged file.
    pub fn resumed(&self, path: &[u8], size: u64, stamp: &Stamp) -> Option<(u64, Hasher)> {
        let mark = self.found.marks.get(path)?;
        let is_same = mark.size == size && mark.stamp == *stamp && stamp.modified_ns.is_some();
        let hasher = is_same.then(|| Hasher::restore(&mark.midstate).ok());
        Some((mark.bytes, hasher.flatten()?))
    }

    /// Records the progress in a file. Not for a keyed function: BLAKE3's midstates contain the
    /// key.
    pub fn mark(&mut self, path: &[u8], size: u64, stamp: &Stamp, bytes: u64, hasher: &Hasher) {
        if self.is_closed || !self.tags.key.is_empty() {
            return;
        }
        let Ok(midstate) = hasher.save() else {
            return;
        };
        let mut record = record_of(path, size, stamp);
        record.push_field(hex::encode(midstate).as_bytes());
        record.push_field(bytes.to_string().as_bytes());
        self.tags.end(&mut record);
        // If this write fails, so will that of the next row, which returns the error.
        let _ = self.out.write_byte_record(&record);
        let _ = self.out.flush();
    }

    /// Returns the number of rows of earlier runs.
    pub fn count(&self) -> u64 {
        self.found.rows
    }

    /// Returns a message if the journal is damaged.
    pub fn complaint(&self) -> Option<Vec<u8>> {
        let number = self.found.damaged?;
        let text = format!(
            "record {number} is damaged or of another run: from there on, files are read again"
        );
        Some(about(&bytes_of(&self.file), &text))
    }

    /// Returns the rows of earlier runs.
    pub fn rows(
        &self,
        header: &Header,
        parameters: &Parameters,
    ) -> Result<impl Iterator<Item = Result<Row, Error>> + Send + use<>, Error> {
        let noted = Noted::new(&self.contents, header, parameters);
        let mut noted = noted.map_err(|error| failed(&self.file, error))?;
        noted.tags.run = self.tags.run;
        if let Some(first) = noted.record() {
            noted.tags.is_whole(&first);
        }
        let rows = noted.map_while(Result::ok).filter_map(Entry::row);
        Ok(rows.take(self.found.rows as usize).map(Ok))
    }

    /// Records a row if its path is after all others.
    pub fn push(&mut self, row: &Row) -> Result<(), Error> {
        let Ok(content) = &row.content else {
            return Ok(());
        };
        if row.path <= self.last {
            return Ok(());
        }
        let mut record = record_of(&row.path, content.size, &content.stamp);
        record.push_field(hex::encode(&content.digest).as_bytes());
        self.tags.end(&mut record);
        let written = self.out.write_byte_record(&record);
        written.map_err(|error| failed(&self.file, of_csv(error)))
    }

    /// Writes the records to the file.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.out.flush().map_err(|error| failed(&self.file, error))
    }

    /// Ends a stopped run: writes its records, so that the next run can continue from them.
    pub fn close(&mut self) -> Result<(), Error> {
        self.is_closed = true;
        let written = self.flush();
        release(&self.opened);
        written
    }

    /// Removes the journal of a complete manifest.
    pub fn remove(&self) -> Result<(), Error> {
        fs::remove_file(&self.file).map_err(|error| failed(&self.file, error))
    }
}

/// Returns the system's error if there is one: converting loses its number.
fn of_csv(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// Returns the record that identifies a run: the directory and the hash parameters. The digest of
/// an empty message represents the key.
fn about_run(root: &Path, header: &Header, parameters: &Parameters) -> Result<ByteRecord, Error> {
    let place = root.canonicalize().map_err(|error| failed(root, error))?;
    if !place.is_dir() {
        return Err(failed(root, not_a_directory()));
    }
    let hasher = parameters.hasher(header.function);
    let nothing = hasher.and_then(|mut hasher| hasher.finalize());
    let nothing = nothing.map_err(Error::from)?;
    let mut record = ByteRecord::new();
    record.push_field(FORMAT);
    record.push_field(&bytes_of(&place));
    for (_, value) in header.pairs() {
        record.push_field(value.as_bytes());
    }
    record.push_field(hex::encode(nothing).as_bytes());
    Ok(record)
}

/// Makes the tags of a run's records. Each tag covers all earlier records.
pub struct Tags {
    /// The manifest's key.
    pub key: Key,
    /// Random bytes chosen when the journal was created.
    pub run: [u8; RUN_BYTES],
    /// Tag of the last record.
    pub last: Vec<u8>,
}

impl Tags {
    /// Returns the tag of the next record.
    fn next<'a>(&self, fields: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
        let mut message = Vec::new();
        let start = Encoder::new(&mut message).binary(&self.last);
        fields.fold(start, Encoder::binary);
        let params = Params::new()
            .digest_bytes(TAG_BYTES)
            .key(&self.key)
            .salt(&self.run)
            .personal(PERSONAL);
        let tag = Hasher::new_boxed(Algorithm::Blake2b, &params).and_then(|mut hasher| {
            hasher.update(&message)?;
            hasher.finalize()
        });
        tag.expect("BLAKE2b takes these lengths")
    }

    /// Appends a record's tag.
    pub fn end(&mut self, record: &mut ByteRecord) {
        self.last = self.next(record.iter());
        record.push_field(hex::encode(&self.last).as_bytes());
    }

    /// Returns true if a record ends with its tag, which the next tag will then cover.
    fn is_whole(&mut self, record: &ByteRecord) -> bool {
        let fields = record.len().saturating_sub(1);
        let tag = self.next(record.iter().take(fields));
        let is_whole = record.get(fields) == Some(hex::encode(&tag).as_bytes());
        if is_whole {
            self.last = tag;
        }
        is_whole
    }
}

/// State of a journal's first record.
enum Begin {
    Empty,
    Whole,
    /// It belongs to another run.
    Other,
    Damaged,
}

/// Reads the records of a journal.
struct Noted {
    records: Reader<Take<From>>,
    header: Header,
    tags: Tags,
    /// Length of the file.
    bytes: u64,
    /// True if the last line is incomplete.
    is_cut: bool,
}

impl Noted {
    fn new(contents: &Contents, header: &Header, parameters: &Parameters) -> io::Result<Noted> {
        let bytes = contents.len();
        let mut last = [b'\n'];
        if bytes != 0 {
            contents.from(bytes - 1).read_exact(&mut last)?;
        }
        let mut builder = ReaderBuilder::new();
        let builder = builder.has_headers(false).flexible(true);
        Ok(Noted {
            records: builder.from_reader(contents.from(0).take(0)),
            header: header.clone(),
            tags: Tags {
                key: parameters.key.clone(),
                run: [0; RUN_BYTES],
                last: Vec::new(),
            },
            bytes,
            is_cut: last != [b'\n'],
        })
    }

    /// Reads the next record. Of one that is too long, reads a part, whose tag is wrong.
    fn read(&mut self) -> Option<ByteRecord> {
        let mut record = ByteRecord::new();
        self.records.get_mut().set_limit(RECORD_BYTES_MAX);
        let found = self.records.read_byte_record(&mut record).unwrap_or(false);
        found.then_some(record)
    }

    /// Returns the next complete record.
    fn record(&mut self) -> Option<ByteRecord> {
        let record = self.read()?;
        let is_cut = self.is_cut && self.record_end() == self.bytes;
        (!is_cut).then_some(record)
    }

    /// Returns the end of the last record read.
    fn record_end(&self) -> u64 {
        self.records.position().byte()
    }

    /// Reads the first record.
    fn begin(&mut self, about_run: &ByteRecord) -> Begin {
        let Some(record) = self.read() else {
            return match self.bytes {
                0 => Begin::Empty,
                _ => Begin::Other,
            };
        };
        if self.is_cut && self.record_end() == self.bytes {
            // A file of somebody else's may have no line end, either.
            let last = record.len() - 1;
            let is_begun = |(index, field): (usize, &[u8])| match about_run.get(index) {
                Some(own) if index == last => own.starts_with(field),
                own => own.is_none_or(|own| own == field),
            };
            return match record.iter().enumerate().all(is_begun) {
                true => Begin::Empty,
                false => Begin::Other,
            };
        }
        let fields = about_run.len();
        if record.iter().take(fields).ne(about_run.iter()) {
            return Begin::Other;
        }
        let run = record.get(fields).and_then(|run| hex::decode(run).ok());
        self.tags.run = run.and_then(|run| run.try_into().ok()).unwrap_or_default();
        match record.len() == fields + 2 && self.tags.is_whole(&record) {
            true => Begin::Whole,
            false => Begin::Damaged,
        }
    }

    /// Reads all records after the first.
    fn find(&mut self) -> WorkItem {
        let mut found = WorkItem {
            end: self.record_end(),
            ..WorkItem::default()
        };
        while let Some(entry) = self.next() {
            match entry {
                Err(()) => {
                    found.damaged = Some(self.records.position().record() - 1);
                    break;
                }
                Ok(Entry::Mark(mark)) => drop(found.marks.insert(mark.path.clone(), mark)),
                Ok(Entry::Row(row)) => {
                    found.marks.remove(&row.path);
                    found.rows += 1;
                    found.last = row.path;
                }
            }
            found.end = self.record_end();
        }
        found
    }

    /// Returns the row or mark of a record, if the record is undamaged and in order.
    fn entry(&mut self, record: &ByteRecord) -> Option<Entry> {
        let entry = match record.len() {
            MARK_FIELDS => Entry::Mark(mark(record)?),
            _ => Entry::Row(row(record)?),
        };
        let is_sound = match &entry {
            Entry::Row(row) => row.complaint(&self.header).is_none(),
            Entry::Mark(mark) => mark.bytes <= mark.size,
        };
        (is_sound && self.tags.is_whole(record)).then_some(entry)
    }
}

impl Iterator for Noted {
    /// The content of a record, or an error if it is invalid.
    type Item = Result<Entry, ()>;

    fn next(&mut self) -> Option<Result<Entry, ()>> {
        let record = self.record()?;
        Some(self.entry(&record).ok_or(()))
    }
}
