// SPDX-License-Identifier: MIT OR Apache-2.0
//! Targets for the parsers of manifests, of proofs of their rows, and of journals.

use std::cell::RefCell;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use bytes::Bytes;
use csv::{ReaderBuilder, WriterBuilder};
use finalist::Algorithm;
use tempfile::TempDir;

use finalist_manifest::parsers::{
    Journal, Leaves, ListWriter, ParquetWriter, ReadRows, Tags, WriteRows, open_file, open_list,
};
use finalist_manifest::{Function, Header, Parameters, Proof, Row, Totals};

/// A limit, since a page of zeros can claim any number of rows.
const BATCHES_MAX: usize = 4;

/// Reads the rows of a source, and its totals if it ends within BATCHES_MAX batches without error.
fn read(source: &mut impl ReadRows, header: &Header) -> (Vec<Row>, Option<Totals>) {
    let mut rows = Vec::new();
    for _ in 0..BATCHES_MAX {
        match source.batch() {
            Err(text) => {
                assert!(!text.is_empty() && text.chars().count() < 1000, "{text}");
                return (rows, None);
            }
            Ok(batch) if batch.rows.is_empty() => return (rows, source.totals().ok()),
            Ok(batch) => {
                assert!(
                    batch
                        .leaves
                        .is_none_or(|leaves| leaves.len() == batch.rows.len())
                );
                rows.extend(batch.rows);
            }
        }
        // Rows after a malformed one are not read.
        if rows.iter().any(|row| row.complaint(header).is_some()) {
            return (rows, None);
        }
    }
    (rows, None)
}

/// Writes to a buffer that outlives the writer.
struct Shared<'a>(&'a RefCell<Vec<u8>>);

impl Write for Shared<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Parses a manifest in the list format. An accepted one is written as the same bytes.
pub fn manifest_lists(input: &[u8]) -> usize {
    let Ok((header, mut source)) = open_list(input) else {
        return 0;
    };
    let (rows, totals) = read(&mut source, &header);
    let Some(totals) = totals else {
        return 0;
    };
    let out = RefCell::new(Vec::new());
    let mut sink = ListWriter::new(Shared(&out), &header).expect("memory takes all");
    sink.rows(&rows, &[]).expect("memory takes all");
    Box::new(sink).finish(&totals).expect("memory takes all");
    let written = out.into_inner();
    assert_eq!(
        written.escape_ascii().to_string(),
        input.escape_ascii().to_string()
    );
    1
}

/// Parses a manifest in Parquet. An accepted one still has the same rows after it is rewritten.
pub fn manifest_parquet(input: &[u8]) -> usize {
    let Ok((header, mut source)) = open_file(Bytes::copy_from_slice(input)) else {
        return 0;
    };
    let (rows, totals) = read(&mut source, &header);
    let Some(totals) = totals else {
        return 0;
    };
    let leaves = vec![0; rows.len() * header.function.digest_bytes as usize];
    let mut out = Vec::new();
    let mut sink = ParquetWriter::new(&mut out, header.clone()).expect("memory takes all");
    sink.rows(&rows, &leaves).expect("memory takes all");
    Box::new(sink).finish(&totals).expect("memory takes all");
    let (again, mut source) = open_file(Bytes::from(out)).expect("it was written");
    assert!(again == header);
    let (rows_again, totals_again) = read(&mut source, &header);
    assert_eq!((rows_again, totals_again), (rows, Some(totals)));
    1
}

/// Parses a proof of a row.
pub fn manifest_proofs(input: &[u8]) -> usize {
    let proof = match Proof::parse(input) {
        Ok(proof) => proof,
        Err(text) => {
            assert!(!text.is_empty() && text.chars().count() < 1000, "{text}");
            return 0;
        }
    };
    let again = Proof::parse(proof.to_json().as_bytes()).expect("it was written");
    assert!(again.header == proof.header && again.row == proof.row && again.hashes == proof.hashes);
    assert_eq!(
        (again.index, again.leaf_count),
        (proof.index, proof.leaf_count)
    );
    let parameters = Parameters {
        salt: proof.header.salt.clone(),
        personal: proof.header.personal.clone(),
        ..Parameters::default()
    };
    let leaves = Leaves::new(&proof.header, &parameters);
    if leaves.tree().is_ok() {
        let root = proof.root(&leaves).expect("a hash of that length");
        assert_eq!(root.len(), leaves.digest_bytes());
    }
    1
}

thread_local! {
    static FOLDER: TempDir = TempDir::new().expect("a temporary folder can be made");
}

/// Reads a journal twice: unchanged, and with valid tags appended to its lines, since no fuzzer
/// guesses those.
pub fn journals(input: &[u8]) -> usize {
    FOLDER.with(|folder| tagged_journal(folder.path(), input))
}

fn tagged_journal(folder: &Path, input: &[u8]) -> usize {
    let algorithm = Algorithm::Blake2b;
    let parameters = Parameters::default();
    let function = Function {
        algorithm,
        digest_bytes: 8,
    };
    let header = Header::new(function, &parameters);
    let header = header.expect("8 bytes are a valid hash length");
    let manifest = folder.join("M");
    let file = Journal::name(&manifest);
    let open = || Journal::open(&manifest, folder, &header, &parameters);
    fs::write(&file, input).expect("it is written");
    drop(open());
    fs::remove_file(&file).expect("it is there");
    drop(open().map_err(|_| ()).expect("a journal begins"));
    let mut builder = ReaderBuilder::new();
    let builder = builder.has_headers(false).flexible(true);
    let text = fs::read(&file).expect("it was written");
    let first = builder.from_reader(&text[..]).byte_records().next();
    let first = first.expect("a record").expect("the record can be read");
    let fields: Vec<_> = first.iter().rev().take(2).map(hex::decode).collect();
    let [Ok(last), Ok(run)] = &fields[..] else {
        panic!("the first record has no tag");
    };
    let mut tags = Tags {
        key: Vec::new().into(),
        run: run[..].try_into().expect("its length"),
        last: last.clone(),
    };
    let mut lines = WriterBuilder::new().flexible(true).from_writer(text);
    for record in builder.from_reader(input).byte_records() {
        let mut record = record.expect("memory can be read");
        tags.end(&mut record);
        lines.write_byte_record(&record).expect("memory takes all");
    }
    fs::write(&file, lines.into_inner().expect("memory takes all")).expect("it is written");
    let Ok(journal) = open() else {
        return 0;
    };
    let count = journal.count() as usize;
    let rows = journal
        .rows(&header, &parameters)
        .map_err(|_| ())
        .expect("it can be read");
    let rows: Vec<_> = rows
        .map(|row| row.map_err(|_| ()).expect("a row"))
        .collect();
    assert_eq!(rows.len(), count);
    assert!(rows.iter().all(|row| row.complaint(&header).is_none()));
    count
}
