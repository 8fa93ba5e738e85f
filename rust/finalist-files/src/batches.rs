// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashes files: small ones in batches, large ones one at a time.
//!
//! A worker reads small files into its buffer until they fill the lanes of vector registers, then
//! hashes them together. Reading a file shows its length, which saves a system call. A file longer
//! than its part of the buffer is hashed while it is read.

use std::io;
use std::mem;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use finalist::{Hasher, Implementation, hash_many, implementations};

use crate::chunks::ChunkHash;
use crate::digest::{Digest, INLINE_BYTES_MAX};
use crate::files::{
    Location, Opened, Opener, ReadContext, Ready, fill_to, hash_file, hash_rest, hash_stdin,
};
use crate::function::{Function, Parameters};
use crate::ordered::{Deliver, Place, Worker};
use crate::platform::{OPENS_AT_ONCE, stat};
use crate::progress::Progress;
use crate::stdin::is_stdin;
use crate::tag::algorithm_of_length;
use crate::threads::{Threads, buffer_bytes};

/// Largest buffer of a worker: one small file for each lane of 64-bit words.
pub const BUFFER_BYTES: usize = 16 << 20;
/// Memory for one file outside of a batch.
pub const SINGLE_BYTES: usize = 256 << 10;
/// Files of this length or more are hashed one at a time.
const SMALL_BYTES: usize = 1 << 20;
/// Results are delivered in groups of this size.
const FILES_MAX: usize = 64;
/// Do not pass the results of smaller batches to another thread: it would cost too much.
const BATCH_BYTES_MIN: usize = 256 << 10;
/// Opening a file takes about as long as hashing this number of bytes.
const OPENING_BYTES: usize = 4096;
/// Each file starts at a cache line, and in another set of the first-level cache than the previous
/// file. Otherwise the lines in use of adjacent 16 KiB files would all fall into two sets: on Zen
/// 4, `finalist sum -j1` over 10,000 of them would take 8 to 12 % longer.
const LINE_BYTES: usize = 64;

/// A file to hash.
pub trait FileTask {
    /// Returns its name for messages; `-` is standard input.
    fn name(&self) -> &Path;
    /// Returns the location from which to open it.
    fn location(&self) -> Location<'_> {
        Location {
            root: None,
            name: self.name(),
        }
    }
    /// Returns the function to hash it with.
    fn function(&self) -> Function;
    /// Returns true if it was a regular file when it was found.
    fn is_regular(&self) -> bool;
    /// Returns the chunk size if the result is the root of a Merkle tree instead of a digest.
    fn chunk_bytes(&self) -> Option<u64> {
        None
    }
    /// Receives the open file. Returns its length if the system reported one: the file is then not
    /// read beyond that, and `ended` must ask again.
    ///
    /// # Errors
    /// The file must not be hashed.
    fn opened(&mut self, _: &Opened) -> io::Result<Option<u64>> {
        Ok(None)
    }
    /// Returns the state of a long file that an earlier run stored: the number of hashed bytes and
    /// the hasher.
    fn resumed(&mut self) -> Option<(u64, Hasher)> {
        None
    }
    /// Receives the hasher after this number of bytes of a long file that one thread hashes.
    fn reached(&self, _bytes: u64, _hasher: &Hasher) {}
    /// Receives the number of bytes read, at the file's end.
    ///
    /// # Errors
    /// The file is no longer the one that was opened.
    fn ended(&mut self, _: &Opened, _bytes: u64) -> io::Result<()> {
        Ok(())
    }
}

/// Approximate memory for results that wait for earlier ones.
const WAITING_BYTES: u64 = 8 << 20;
/// Memory of a result besides its digest, with a name of moderate length.
const RESULT_BYTES: u64 = 192;

/// Returns how many results of this digest length may wait for earlier ones. The state that
/// computes a long digest is smaller than the longest digest that is stored.
pub fn window(digest_bytes: u64) -> u64 {
    WAITING_BYTES / (RESULT_BYTES + digest_bytes.min(INLINE_BYTES_MAX))
}

/// Result of [`FileHasher::start`].
enum Start {
    /// The file ended after this number of bytes.
    Whole(usize),
    /// The file continues after this number of bytes, or it may be a pipe.
    Part(Opened, usize),
}

/// Parameters that all workers share.
pub struct HashJob {
    /// Key, salt and the other parameters.
    pub parameters: Arc<Parameters>,
    /// Receives the progress.
    pub progress: Arc<dyn Progress>,
    /// Size of each worker's buffer.
    pub buffer_bytes: usize,
    /// Threads for a file that is not in a batch.
    pub threads_per_file: Threads,
    /// Threads for one Merkle tree.
    pub threads: Threads,
}

impl HashJob {
    /// Returns the root of the Merkle tree over a file's chunks.
    fn root(&self, wanted: &impl FileTask, chunk_bytes: u64) -> io::Result<Vec<u8>> {
        let function = wanted.function();
        let leaves = ChunkHash {
            algorithm: function.algorithm,
            params: self.parameters.params(function),
            progress: &*self.progress,
        };
        let threads = self.threads.start()?;
        let file = match is_stdin(wanted.name()) {
            true => wanted.name(),
            false => wanted.location().name,
        };
        let tree = threads.install(|| leaves.tree(file, chunk_bytes))?;
        tree.root().map_err(io::Error::other)
    }

    /// Returns the digest of the message that the hasher has processed.
    fn digest(&self, hasher: Box<Hasher>, function: Function) -> io::Result<Digest> {
        Digest::of(hasher, function.digest_bytes, self.parameters.seek)
    }

    fn context<'a>(&'a self, function: Function, buffer: &'a mut [u8]) -> ReadContext<'a> {
        ReadContext {
            buffer,
            progress: &*self.progress,
            threads: self.threads_per_file,
            params: self.parameters.params(function),
            reached: None,
        }
    }
}

/// A worker that hashes files.
pub struct FileHasher<W, F> {
    job: Arc<HashJob>,
    /// Converts a file's digest to a result.
    outcome: F,
    lanes: Lanes,
    buffer: Vec<u8>,
    opener: Opener,
    /// The small files read so far, all for one function.
    batch: Vec<(Place, W, Content)>,
    /// Offset of the first free byte of the buffer.
    free: usize,
    /// Cost of the batch and of its longest file, in bytes of hashing.
    effort: usize,
    effort_longest: usize,
}

/// Result of reading a file of a batch: the range of its bytes in the buffer.
type Content = io::Result<Range<usize>>;

impl<W: FileTask, F> FileHasher<W, F> {
    /// Returns a worker that passes each digest to `outcome` and delivers the results.
    pub fn new(job: Arc<HashJob>, outcome: F) -> FileHasher<W, F> {
        FileHasher {
            job,
            outcome,
            lanes: Lanes::default(),
            buffer: Vec::new(),
            opener: Opener::default(),
            batch: Vec::new(),
            free: 0,
            effort: 0,
            effort_longest: 0,
        }
    }

    /// Returns the number of bytes reserved for a small file.
    fn small_bytes(&self) -> usize {
        SMALL_BYTES.min(self.buffer.len())
    }

    fn add(&mut self, place: Place, wanted: W, content: Content) {
        let bytes = content.as_ref().map_or(0, Range::len);
        if let Ok(content) = &content {
            self.free = content.end.next_multiple_of(LINE_BYTES) + LINE_BYTES;
        }
        let effort = bytes + OPENING_BYTES;
        self.effort += effort;
        self.effort_longest = self.effort_longest.max(effort);
        self.batch.push((place, wanted, content));
    }

    /// Returns true if the batch is large enough. It takes as long as its longest file in one lane;
    /// once the other lanes are busy for as long, more files would only keep other threads waiting
    /// at the end.
    fn is_full(&mut self) -> bool {
        self.batch.len() >= FILES_MAX
            || self.free + self.small_bytes() > self.buffer.len()
            || self.effort >= BATCH_BYTES_MIN
                && self.effort >= self.lanes.count() * self.effort_longest
    }

    /// Reads a file into a part of the buffer, to its end if it fits.
    /// `found_bytes` is the length that the system reported before, if it did: reading as many bytes
    /// in one call ends at the file's end, since there is space for more.
    fn start(
        &mut self,
        wanted: &mut W,
        found_bytes: Option<u64>,
        space: Range<usize>,
    ) -> io::Result<Start> {
        let file = self.opener.open(wanted.location())?;
        let length = wanted.opened(&file)?.or(found_bytes);
        let mut ready = Ready::new(&file);
        let bytes = fill_to(length, &mut ready, &mut self.buffer[space.clone()])?;
        // A pipe without a writer seems to be empty.
        if bytes == space.len() || ready.waits || bytes == 0 && !file.stat()?.is_file() {
            return Ok(Start::Part(file, bytes));
        }
        wanted.ended(&file, bytes as u64)?;
        Ok(Start::Whole(bytes))
    }

    /// Returns the digest of a file whose start is in the buffer.
    fn hash_rest(
        &mut self,
        file: &Opened,
        start: Range<usize>,
        wanted: &mut W,
    ) -> io::Result<Digest> {
        file.wait()?;
        let function = wanted.function();
        let hasher = self.job.parameters.hasher(function);
        let mut hasher = hasher.map_err(io::Error::other)?;
        let mut context = self.job.context(function, &mut self.buffer);
        let mut start = start;
        let mut before = 0;
        if let Some((bytes, resumed)) = wanted.resumed() {
            before = file.seek(bytes)?;
            (*hasher, start) = (resumed, 0..0);
            context.progress.skipped(before);
        }
        let read = before + start.len() as u64;
        let reached = |bytes, hasher: &Hasher| wanted.reached(read + bytes, hasher);
        context.reached = Some(&reached);
        let bytes = before + hash_rest(file, start, &mut hasher, context)?;
        wanted.ended(file, bytes)?;
        self.job.digest(hasher, function)
    }

    /// Hashes one file or standard input.
    fn hash_alone(&mut self, wanted: &W) -> io::Result<Digest> {
        if let Some(chunk_bytes) = wanted.chunk_bytes() {
            return self.job.root(wanted, chunk_bytes).map(Digest::Inline);
        }
        let function = wanted.function();
        let hasher = self.job.parameters.hasher(function);
        let mut hasher = hasher.map_err(io::Error::other)?;
        let context = self.job.context(function, &mut self.buffer);
        match is_stdin(wanted.name()) {
            true => hash_stdin(&mut hasher, context)?,
            false => hash_file(wanted.location().name, &mut hasher, context)?,
        };
        self.job.digest(hasher, function)
    }
}

impl<W, T, F> Worker<W, T> for FileHasher<W, F>
where
    W: FileTask,
    F: FnMut(W, io::Result<Digest>) -> T,
{
    fn may_find_more(&self, more: bool) {
        self.job.progress.may_find_more(more);
    }

    fn take<E>(
        &mut self,
        place: Place,
        mut wanted: W,
        deliver: &mut Deliver<'_, T, E>,
    ) -> Result<bool, E> {
        if self.buffer.is_empty() {
            // The system zeroes this memory at its first use.
            self.buffer = vec![0; buffer_bytes(self.job.buffer_bytes)];
        }
        let function = wanted.function();
        if !self.lanes.are_for(function) {
            self.finish(deliver)?;
            self.lanes.choose(function);
        }
        // The hasher of a tree's leaves reports its file.
        if wanted.chunk_bytes().is_none() {
            self.job.progress.reading(wanted.name());
        }
        let sharing = sharing(&wanted);
        let (Sharing::Allowed { bytes: found_bytes }, 0) = (sharing, self.job.parameters.seek)
        else {
            self.finish(deliver)?;
            let digest = self.hash_alone(&wanted);
            deliver(vec![(place, (self.outcome)(wanted, digest))])?;
            return Ok(true);
        };
        let space = self.free..self.free + self.small_bytes();
        match self.start(&mut wanted, found_bytes, space.clone()) {
            Ok(Start::Whole(bytes)) => {
                self.add(place, wanted, Ok(space.start..space.start + bytes));
            }
            Err(error) => self.add(place, wanted, Err(error)),
            Ok(Start::Part(file, bytes)) => {
                self.finish(deliver)?;
                let start = space.start..space.start + bytes;
                let digest = self.hash_rest(&file, start, &mut wanted);
                deliver(vec![(place, (self.outcome)(wanted, digest))])?;
                return Ok(true);
            }
        }
        Ok(self.is_full())
    }

    fn finish<E>(&mut self, deliver: &mut Deliver<'_, T, E>) -> Result<(), E> {
        self.opener.close();
        let Some((_, first, _)) = self.batch.first() else {
            return Ok(());
        };
        let function = first.function();
        let contents = self.batch.iter().filter_map(|(_, _, content)| {
            let range = content.as_ref().ok()?;
            Some(&self.buffer[range.clone()])
        });
        let messages: Vec<&[u8]> = contents.collect();
        let params = self.job.parameters.params(function);
        let digests = hash_many(function.algorithm, &params, &messages);
        let bytes = messages.iter().map(|message| message.len() as u64).sum();
        self.job.progress.hashed(bytes);
        let mut at = 0;
        let mut next = || {
            let digests = digests.as_ref().map_err(|error| io::Error::other(*error))?;
            let end = at + function.digest_bytes as usize;
            Ok(Digest::Inline(
                digests[mem::replace(&mut at, end)..end].to_vec(),
            ))
        };
        let outcome = &mut self.outcome;
        let batch = self.batch.drain(..);
        let results = batch
            .map(|(place, wanted, content)| (place, outcome(wanted, content.and_then(|_| next()))));
        let results = results.collect();
        (self.free, self.effort, self.effort_longest) = (0, 0, 0);
        deliver(results)
    }
}

/// Permission for a file to be in a batch.
enum Sharing {
    /// It may; its length if the system reported one.
    Allowed { bytes: Option<u64> },
    /// It may not.
    Refused,
}

/// Refuses what can block the reader if the system opens pipes only when they have a writer. A missing
/// file takes no time.
fn sharing<W: FileTask>(wanted: &W) -> Sharing {
    if wanted.chunk_bytes().is_some()
        || is_stdin(wanted.name())
        || wanted.function().digest_bytes > INLINE_BYTES_MAX
    {
        return Sharing::Refused;
    }
    if wanted.is_regular() || OPENS_AT_ONCE {
        return Sharing::Allowed { bytes: None };
    }
    match stat(wanted.location().name) {
        Ok(stat) if !stat.is_file() => Sharing::Refused,
        stat => Sharing::Allowed {
            bytes: stat.ok().map(|stat| stat.bytes),
        },
    }
}

/// The number of messages that the current function hashes side by side.
#[derive(Default)]
struct Lanes {
    function: Option<Function>,
    count: Option<usize>,
}

impl Lanes {
    fn are_for(&self, function: Function) -> bool {
        self.function == Some(function)
    }

    fn choose(&mut self, function: Function) {
        self.function = Some(function);
        self.count = None;
    }

    /// Returns the number of lanes. It is determined only if needed: listing all implementations
    /// takes longer than hashing a small file.
    fn count(&mut self) -> usize {
        let function = self.function;
        *self
            .count
            .get_or_insert_with(|| function.map_or(1, lanes_of))
    }
}

fn lanes_of(function: Function) -> usize {
    static SELECTED: OnceLock<Vec<Implementation>> = OnceLock::new();
    let selected = SELECTED.get_or_init(|| {
        let mut all = implementations();
        all.retain(|each| each.mode == "multi" && each.selected);
        all
    });
    let info = function.algorithm.info();
    let compression = algorithm_of_length(&info, function.digest_bytes).compression;
    let mut selected = selected.iter();
    let selected = selected.find(|each| each.algorithm == compression);
    selected.map_or(1, |each| each.lanes as usize)
}

#[cfg(test)]
mod tests;
