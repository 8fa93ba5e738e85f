// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an interrupted run had done: the rows of files that were read, beside the manifest to be,
//! as CSV in the order of their paths.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::str;

use csv::{ByteRecord, Reader, ReaderBuilder, Writer, WriterBuilder};
use finalist::merkle::HASH_BYTES_MAX;

use super::header::{FORMAT, Header};
use super::row::{Content, Row};
use super::writer::{failed, with_end};
use crate::failure::{Failure, about};
use crate::hash_options::Parameters;
use crate::platform::{bytes_of, open_alone};

pub struct Journal {
    file: PathBuf,
    out: Writer<File>,
    /// The path of the last row in the file.
    last: Vec<u8>,
    /// Rows of earlier runs.
    pub count: u64,
}

impl Journal {
    pub fn name(manifest: &Path) -> PathBuf {
        with_end(manifest, ".journal")
    }

    /// Opens the journal of a manifest, or begins it. It must be of the same files and parameters.
    pub fn open(
        manifest: &Path,
        root: &Path,
        header: &Header,
        parameters: &Parameters,
    ) -> Result<Journal, Failure> {
        let file = Journal::name(manifest);
        let complain = |text: &str| Failure::message(about(&bytes_of(&file), text));
        let io = |error| failed(&file, &error);
        let out = open_alone(&file).map_err(io)?;
        let mut out = out.ok_or_else(|| complain("another run writes this manifest"))?;
        let first = first_record(root, header, parameters)?;
        let bytes = out.seek(SeekFrom::End(0)).map_err(io)?;
        let is_whole = ends_line(&mut out, bytes).map_err(io)?;
        let mut records = Records::new(&file).map_err(io)?;
        let mut end = 0;
        let (mut count, mut last) = (0, Vec::new());
        // A record that reaches the end of the file without ending its line was cut off.
        while let Some(record) = records.next() {
            if records.position() == bytes && !is_whole {
                break;
            }
            if end == 0 && record != first {
                return Err(complain(
                    "it is of an unfinished run over other files or with other options: \
                     repeat that one, or remove the file",
                ));
            }
            if end != 0 {
                let Some(row) = row(&record, header) else {
                    break;
                };
                (count, last) = (count + 1, row.path);
            }
            end = records.position();
        }
        out.set_len(end)
            .and_then(|()| out.seek(SeekFrom::Start(end)))
            .map_err(io)?;
        let mut out = WriterBuilder::new().flexible(true).from_writer(out);
        if end == 0 {
            out.write_byte_record(&first)
                .map_err(|error| io(error.into()))?;
            out.flush().map_err(io)?;
        }
        Ok(Journal {
            file,
            out,
            last,
            count,
        })
    }

    /// The rows of earlier runs.
    pub fn rows(
        &self,
        header: &Header,
    ) -> Result<impl Iterator<Item = Result<Row, Failure>> + Send + use<>, Failure> {
        let records = Records::new(&self.file);
        let records = records.map_err(|error| failed(&self.file, &error))?;
        let header = header.clone();
        // The first record is not of a row.
        let rows = records
            .skip(1)
            .map_while(move |record| row(&record, &header));
        Ok(rows.take(self.count as usize).map(Ok))
    }

    /// Notes a row, if its path is after those of all others.
    pub fn push(&mut self, row: &Row) -> Result<(), Failure> {
        let Ok(content) = &row.content else {
            return Ok(());
        };
        if row.path <= self.last {
            return Ok(());
        }
        let size = content.size.to_string();
        let modified = content
            .modified_ns
            .map_or(String::new(), |time| time.to_string());
        let mut digest = [0; 2 * HASH_BYTES_MAX];
        let digest = &mut digest[..2 * content.digest.len()];
        hex::encode_to_slice(&content.digest, digest).expect("it has the place");
        let fields = [&row.path[..], size.as_bytes(), modified.as_bytes(), digest];
        let written = self.out.write_record(fields);
        written.map_err(|error| failed(&self.file, &error.into()))
    }

    /// Writes what was noted.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(|error| failed(&self.file, &error))
    }

    /// The manifest is complete.
    pub fn remove(self) -> Result<(), Failure> {
        fs::remove_file(&self.file).map_err(|error| failed(&self.file, &error))
    }
}

/// What tells this run from others: the directory and how it is hashed. Another key shows in the
/// digest of nothing.
fn first_record(
    root: &Path,
    header: &Header,
    parameters: &Parameters,
) -> Result<ByteRecord, Failure> {
    let root = root.canonicalize().map_err(|error| failed(root, &error))?;
    let hasher = parameters.hasher(header.function);
    let nothing = hasher.and_then(|mut hasher| hasher.finalize());
    let nothing = nothing.map_err(|error| Failure::message(error.to_string()))?;
    let mut record = ByteRecord::new();
    record.push_field(FORMAT.as_bytes());
    record.push_field(&bytes_of(&root));
    for (_, value) in header.pairs() {
        record.push_field(value.as_bytes());
    }
    record.push_field(hex::encode(nothing).as_bytes());
    Ok(record)
}

/// The row in a record; `None` if there is none.
fn row(record: &ByteRecord, header: &Header) -> Option<Row> {
    let fields: Vec<&[u8]> = record.iter().collect();
    let [path, size, modified_ns, digest] = fields.try_into().ok()?;
    let text = |field| str::from_utf8(field).ok();
    let modified_ns = match text(modified_ns)? {
        "" => None,
        time => Some(time.parse().ok()?),
    };
    let row = Row {
        path: path.to_vec(),
        content: Ok(Content {
            size: text(size)?.parse().ok()?,
            digest: hex::decode(digest).ok()?,
            modified_ns,
        }),
    };
    row.complaint(header.function.digest_bytes)
        .is_none()
        .then_some(row)
}

/// Whether a file of that length is empty or ends with a newline.
fn ends_line(file: &mut File, bytes: u64) -> io::Result<bool> {
    let mut last = [b'\n'];
    if bytes != 0 {
        file.seek(SeekFrom::Start(bytes - 1))?;
        file.read_exact(&mut last)?;
    }
    Ok(last == [b'\n'])
}

/// The records of a journal, up to one that cannot be read.
struct Records(Reader<BufReader<File>>);

impl Records {
    fn new(file: &Path) -> io::Result<Records> {
        let mut builder = ReaderBuilder::new();
        let builder = builder.has_headers(false).flexible(true);
        Ok(Records(
            builder.from_reader(BufReader::new(File::open(file)?)),
        ))
    }

    /// Where the record last read ends.
    fn position(&self) -> u64 {
        self.0.position().byte()
    }
}

impl Iterator for Records {
    type Item = ByteRecord;

    fn next(&mut self) -> Option<ByteRecord> {
        let mut record = ByteRecord::new();
        let found = self.0.read_byte_record(&mut record).unwrap_or(false);
        found.then_some(record)
    }
}
