// SPDX-License-Identifier: MIT OR Apache-2.0
//! Creates and updates manifests.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use finalist_files::function::{Function, Parameters};
use finalist_files::message::about;
use finalist_files::new_file::NewFile;
use finalist_files::ordered;
use finalist_files::platform::bytes_of;

use crate::compare::Difference;
use crate::directory::Scan;
use crate::error::{Error, bad_path, failed, refused};
use crate::header::{Header, Totals};
use crate::journal::{Journal, Shared, lock};
use crate::known::Known;
use crate::reader::Manifest;
use crate::row::Row;
use crate::scan::Scanned;
use crate::writer::{Target, Writer};

/// Receives messages while the files of a directory are read.
pub trait Observer {
    /// Receives a message of the form `name: text`: the reason why a file has no digest, or the
    /// notice that an unfinished run is resumed.
    ///
    /// # Errors
    /// Ends the work.
    fn message(&mut self, text: &[u8]) -> io::Result<()>;

    /// Receives a file that differs from the manifest.
    ///
    /// # Errors
    /// Ends the work.
    fn difference(&mut self, _difference: &Difference) -> io::Result<()> {
        Ok(())
    }

    /// Receives the row of a file that cannot be read, after its message. The row names the cause.
    ///
    /// # Errors
    /// Ends the work.
    fn unread(&mut self, _row: &Row) -> io::Result<()> {
        Ok(())
    }

    /// Receives a file that an update found corrupt, after its message.
    ///
    /// # Errors
    /// Ends the work.
    fn corrupt(&mut self, _difference: &Difference) -> io::Result<()> {
        Ok(())
    }

    /// Runs before the scan waits.
    ///
    /// # Errors
    /// Ends the work.
    fn idle(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The result of creating or updating a manifest.
pub struct Summary {
    /// Number of rows and root.
    pub totals: Totals,
    /// Number of rows of files that were not read because they are unchanged.
    pub known: u64,
    /// Number of rows of directories and links.
    pub others: u64,
    /// Number of rows of files that could not be read, and directories that could not be listed.
    pub failed: u64,
    /// Number of files whose content changed since the last reading, but not their size and time.
    pub corrupt: u64,
    /// The manifest if it was written to a file, which is not reopened by name.
    pub manifest: Option<Manifest>,
}

impl Manifest {
    /// Creates the manifest of a directory. An interrupted run is resumed when it is repeated with
    /// the same file: until the manifest is complete, `FILE.journal` keeps the results so far.
    ///
    /// # Errors
    /// The directory cannot be read, the manifest cannot be written, or the function does not take
    /// these parameters. A file that cannot be read is not an error: its row says so.
    pub fn create(
        scan: &Scan,
        function: Function,
        parameters: Arc<Parameters>,
        target: &Target,
        observer: &mut dyn Observer,
    ) -> Result<Summary, Error> {
        let header = Header {
            metadata: scan.metadata,
            ..Header::new(function, &parameters)?
        };
        run(scan, &header, parameters, target, None, observer)
    }

    /// Writes an updated manifest. Reads only files whose size, times or inode changed. A message
    /// names each file whose content changed while its size and time did not. If `output` is the
    /// name of this manifest and that is a link, the file that the link leads to is replaced.
    ///
    /// # Errors
    /// Those of [`Manifest::create`]; the output lies in this manifest, which is in parts.
    pub fn update(
        &self,
        scan: &Scan,
        output: &Path,
        observer: &mut dyn Observer,
    ) -> Result<Summary, Error> {
        let is_own = output == self.file;
        let file = if is_own { &self.place } else { output };
        if self.place.is_dir() {
            let apart = NewFile::check_apart(file, [&self.place]);
            apart.map_err(|error| failed(file, error))?;
        }
        let mut summary = run(
            scan,
            &self.header,
            self.parameters.clone(),
            &Target::File(file.to_owned()),
            Some(self),
            observer,
        )?;
        if let Some(new) = &mut summary.manifest {
            new.file = output.to_owned();
        }
        Ok(summary)
    }
}

impl Manifest {
    /// Writes the manifest of files that were read elsewhere, such as the objects of a store.
    ///
    /// # Errors
    /// The manifest cannot be written, its name belongs to a file that is no manifest, the function
    /// does not take these parameters, or a manifest cannot have these rows in this order.
    pub fn write(
        rows: impl IntoIterator<Item = Row>,
        function: Function,
        parameters: Arc<Parameters>,
        file: &Path,
    ) -> Result<Manifest, Error> {
        let header = Header::new(function, &parameters)?;
        check_replaces_manifest(file)?;
        let target = Target::File(file.to_owned());
        let mut writer = Writer::new(&target, None, &header, &parameters)?;
        for row in rows {
            if let Some(text) = row.complaint(&header) {
                return Err(bad_path(&row.path, &text));
            }
            writer.push(row)?;
        }
        let written = writer.finish()?;
        let manifest = Manifest::of_written(file, &header, &parameters, written);
        Ok(manifest.expect("it was written to a file"))
    }
}

/// Refuses to replace a file with content that is no manifest. It may be one of the files to read:
/// links and mounts lead to any file. A link itself has no content.
fn check_replaces_manifest(file: &Path) -> Result<(), Error> {
    let metadata = file.symlink_metadata();
    let has_content = metadata.is_ok_and(|found| found.is_file() && found.len() != 0);
    match has_content && !Manifest::is_one(file) {
        true => Err(refused(file, "it is no manifest: choose another name")),
        false => Ok(()),
    }
}

fn run(
    scan: &Scan,
    header: &Header,
    parameters: Arc<Parameters>,
    target: &Target,
    old: Option<&Manifest>,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let mut known = Vec::new();
    let mut own = Vec::new();
    let journal = match target {
        Target::Stdout => None,
        Target::File(file) => {
            own.extend([file.clone(), Journal::name(file)]);
            NewFile::check(file).map_err(|error| failed(file, error))?;
            check_replaces_manifest(file)?;
            let journal = Journal::open(file, &scan.directory, header, &parameters)?;
            if let Some(complaint) = journal.complaint() {
                observer.message(&complaint).map_err(Error::Output)?;
            }
            if let Some(text) = journal.going_on() {
                let text = about(&bytes_of(file), &text);
                observer.message(&text).map_err(Error::Output)?;
                known.push(Known::new(journal.rows(header, &parameters)?));
            }
            Some(Arc::new(Mutex::new(journal)))
        }
    };
    let run = journal.as_ref().map(|journal| lock(journal).run());
    let writer = Writer::new(target, run.as_deref(), header, &parameters)?;
    own.extend(writer.partial().map(Path::to_owned));
    if let Some(old) = old {
        if own.first() == Some(&old.place) {
            // Its name may be that of a link.
            own.push(old.file.clone());
        }
        known.push(Known::new(old.rows()?));
    }
    let mut rows = Rows {
        writer,
        journal: journal.clone(),
        observer,
        known: 0,
        others: 0,
        failed: 0,
        corrupt: 0,
        is_update: old.is_some(),
    };
    let scanned = scan.run(
        header,
        parameters.clone(),
        &own,
        known,
        journal.clone(),
        &mut rows,
    );
    let scanned = scanned.and_then(|()| rows.observer.idle().map_err(Error::Output));
    if let (Err(_), Some(journal)) = (&scanned, &journal) {
        // Ignore this error: the earlier one is returned.
        let _ = lock(journal).close();
    }
    scanned?;
    let (known, others, failed, corrupt) = (rows.known, rows.others, rows.failed, rows.corrupt);
    let written = rows.writer.finish()?;
    let journal = rows.journal.as_ref();
    journal.map_or(Ok(()), |journal| lock(journal).remove())?;
    let totals = written.totals.clone();
    let manifest = match target {
        Target::Stdout => None,
        Target::File(file) => Manifest::of_written(file, header, &parameters, written),
    };
    Ok(Summary {
        totals,
        known,
        others,
        failed,
        corrupt,
        manifest,
    })
}

/// Writes rows to the manifest.
struct Rows<'a> {
    writer: Writer<'a>,
    journal: Option<Shared>,
    observer: &'a mut dyn Observer,
    /// Number of rows of files that were not read.
    known: u64,
    others: u64,
    failed: u64,
    corrupt: u64,
    is_update: bool,
}

impl ordered::Sink<Result<Scanned, Error>> for Rows<'_> {
    type Error = Error;

    fn take(&mut self, scanned: Result<Scanned, Error>) -> Result<(), Error> {
        let mut scanned = scanned?;
        if let Some(old) = scanned.old.take().filter(|_| self.is_update) {
            let new = scanned.row.clone();
            let difference = Difference::Changed { old, new };
            if difference.is_corrupt() {
                self.corrupt += 1;
                let text = "corrupt: the content changed, its size and time did not";
                let message = about(&scanned.row.path, text);
                self.observer
                    .message(&message)
                    .and_then(|()| self.observer.corrupt(&difference))
                    .map_err(Error::Output)?;
            }
        }
        self.known += u64::from(scanned.is_known);
        self.others += u64::from(!scanned.row.is_file());
        if let Some(message) = &scanned.message {
            self.failed += 1;
            self.observer
                .message(message)
                .and_then(|()| self.observer.unread(&scanned.row))
                .map_err(Error::Output)?;
        }
        if let Some(journal) = &self.journal {
            lock(journal).push(&scanned.row)?;
        }
        self.writer.push(scanned.row)
    }

    fn idle(&mut self) -> Result<(), Error> {
        let journal = self.journal.as_ref();
        journal.map_or(Ok(()), |journal| lock(journal).flush())?;
        self.observer.idle().map_err(Error::Output)
    }
}
