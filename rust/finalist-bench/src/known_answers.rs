// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks vectors with each implementation of the library.

use std::collections::BTreeMap;
use std::sync::Arc;

use finalist::{
    Algorithm, Error, Hasher, Implementation, Params, TreeMode, hash, hash_bits, hash_into,
    hash_many, select,
};
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::Serialize;
use tiny_keccak::{Hasher as _, Shake, Xof};
use zlib_rs::{InflateConfig, ReturnCode, decompress_slice};

use crate::checksum::checksum;
use crate::vectors::{Batch, Message, Question, Repeated, TwoLevelTree, Vector};

/// Generated messages are fed in parts of at least this length.
const PIECE_BYTES: usize = 1 << 16;
/// The number of messages of a batch that are made and hashed together.
const BATCH_PIECE: usize = 1000;
/// They take about this much memory, or as much as a single one.
const BATCH_BYTES: usize = 16 << 20;
const MONTE_CARLO_STEPS: usize = 1000;
/// The number of bytes of a wrong digest to show, from the first wrong byte on.
const SHOWN_BYTES: usize = 8;

/// The length of the built-in vectors, and the zlib stream of their text.
const COMPRESSED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/compact.zlib"));
const COMPACT_NAME: &str = "compact.jsonl";

/// A vector and its location.
pub struct Case {
    file: Arc<str>,
    line: usize,
    vector: Vector,
}

/// A failure and its location. A line that is not a vector has no algorithm.
#[derive(Debug, Serialize)]
pub struct Failed {
    pub file: Arc<str>,
    pub line: usize,
    pub algorithm: Option<&'static str>,
    pub implementation: Option<&'static str>,
    pub what: String,
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: ", self.file, self.line)?;
        if let (Some(algorithm), Some(implementation)) = (self.algorithm, self.implementation) {
            write!(f, "{algorithm}, {implementation}: ")?;
        }
        f.write_str(&self.what)
    }
}

/// The result of one vector through one implementation.
pub struct Answer {
    pub implementation: &'static str,
    pub compression: &'static str,
    pub failed: Option<Failed>,
}

/// Returns the cases in a file's text, and the lines that are not vectors.
pub fn parse(file: &str, text: &[u8]) -> (Vec<Case>, Vec<Failed>) {
    let file: Arc<str> = file.into();
    let (mut cases, mut malformed) = (Vec::new(), Vec::new());
    for (index, text) in text.split(|&byte| byte == b'\n').enumerate() {
        if text.trim_ascii().is_empty() {
            continue;
        }
        let (file, line) = (file.clone(), index + 1);
        match Vector::parse(text) {
            Ok(vector) => cases.push(Case { file, line, vector }),
            Err(error) => malformed.push(Failed {
                file,
                line,
                algorithm: None,
                implementation: None,
                what: format!("malformed: {error}"),
            }),
        }
    }
    (cases, malformed)
}

/// Returns the text of the vectors built into the tool.
pub fn compact_text() -> String {
    let (length, stream) = COMPRESSED.split_first_chunk().expect("a length");
    let mut text = vec![0; u64::from_le_bytes(*length) as usize];
    let (_, code) = decompress_slice(&mut text, stream, InflateConfig::default());
    assert_eq!(code, ReturnCode::Ok, "the built-in vectors are sound");
    String::from_utf8(text).expect("the built-in vectors are text")
}

/// Returns the cases built into the tool.
pub fn compact() -> Vec<Case> {
    let (cases, malformed) = parse(COMPACT_NAME, compact_text().as_bytes());
    assert!(malformed.is_empty(), "{malformed:?}");
    cases
}

/// Returns an algorithm that uses the compression function.
pub fn user_of(compression: &str) -> Option<Algorithm> {
    Algorithm::all()
        .iter()
        .copied()
        .find(|algorithm| algorithm.info().compression == compression)
}

/// Returns the number of answers that [`ask`] will give.
pub fn count(cases: &[Case], implementations: &[Implementation]) -> usize {
    let answers = |implementation| {
        cases
            .iter()
            .filter(|case| case.suits(implementation))
            .count()
    };
    implementations.iter().map(answers).sum()
}

/// The implementations checked at the same time, by compression function.
type Round<'a> = BTreeMap<&'static str, &'a Implementation>;

/// Checks every case with each implementation of its compression function. The choice of an
/// implementation holds for the whole process, so there is a round for the first implementation of
/// every compression function, then one for the second, and so on; within a round the cases run in
/// parallel.
pub fn ask(
    cases: &[Case],
    implementations: &[Implementation],
    progress: &ProgressBar,
) -> Vec<Answer> {
    let mut rounds: Vec<Round> = Vec::new();
    for implementation in implementations {
        let compression = implementation.algorithm;
        match rounds
            .iter_mut()
            .find(|round| !round.contains_key(compression))
        {
            Some(round) => round.insert(compression, implementation),
            None => {
                rounds.push(BTreeMap::from([(compression, implementation)]));
                None
            }
        };
    }
    let answers = rounds
        .iter()
        .flat_map(|round| ask_round(cases, round, progress))
        .collect();
    for compression in rounds.iter().flat_map(|round| round.keys()) {
        let restored = user_of(compression).map(|algorithm| select(algorithm, None));
        debug_assert!(restored.is_none_or(|restored| restored.is_ok()));
    }
    answers
}

fn ask_round(cases: &[Case], round: &Round, progress: &ProgressBar) -> Vec<Answer> {
    let selected: BTreeMap<&str, Result<(), Error>> = round
        .iter()
        .map(|(&compression, implementation)| {
            let algorithm = user_of(compression).ok_or(Error::Algorithm);
            (
                compression,
                algorithm.and_then(|algorithm| select(algorithm, Some(implementation.name))),
            )
        })
        .collect();
    let answer = |case: &Case| {
        let compression = case.vector.compression();
        let &implementation = round.get(compression)?;
        if !case.suits(implementation) {
            return None;
        }
        let result = match selected[compression] {
            Ok(()) if implementation.lanes > 1 => case.vector.check_lanes(implementation.lanes),
            Ok(()) => case.vector.check(),
            Err(error) => Err(error.to_string()),
        };
        progress.inc(1);
        let failed = result
            .err()
            .map(|what| case.failed(implementation.name, what));
        Some(Answer {
            implementation: implementation.name,
            compression: implementation.algorithm,
            failed,
        })
    };
    cases.par_iter().filter_map(answer).collect()
}

impl Case {
    /// Returns true if the implementation takes part in the answer. Those of many messages take
    /// whole bytes given at once, and batches.
    fn suits(&self, implementation: &Implementation) -> bool {
        let vector = &self.vector;
        vector.compression() == implementation.algorithm
            && (implementation.lanes == 1 || vector.fits_lanes())
    }

    fn failed(&self, implementation: &'static str, what: String) -> Failed {
        Failed {
            file: self.file.clone(),
            line: self.line,
            algorithm: Some(self.vector.algorithm.name()),
            implementation: Some(implementation),
            what,
        }
    }
}

impl Vector {
    /// Checks the library's answers.
    ///
    /// # Errors
    /// Returns a description of the difference between answers, or the library's error.
    fn check(&self) -> Result<(), String> {
        match &self.question {
            Question::Message {
                message,
                bits,
                digest,
            } => {
                let found = self
                    .hash_message(message, *bits)
                    .map_err(|e| e.to_string())?;
                compare("md", &found, digest)
            }
            Question::TwoLevelTree {
                message,
                tree,
                digest,
            } => {
                let found = self.hash_tree(message, tree).map_err(|e| e.to_string())?;
                compare("md", &found, digest)
            }
            Question::MonteCarlo { seed, digests } => self.check_monte_carlo(seed, digests),
            Question::Batch {
                batch,
                of_all,
                first,
                last,
            } => self.check_batch(batch, of_all, [first.as_deref(), last.as_deref()]),
            Question::Checksum {
                size,
                checksum: expected,
            } => {
                let found = checksum(*size, |message| self.hash(message));
                compare("checksum", &found.map_err(|e| e.to_string())?, expected)
            }
        }
    }

    fn fits_lanes(&self) -> bool {
        let squeezed = matches!(self.algorithm, Algorithm::Blake2xb | Algorithm::Blake2xs);
        let whole = match &self.question {
            Question::Message {
                message: Message::Whole(_),
                bits,
                ..
            } => bits % 8 == 0,
            Question::Batch { .. } => true,
            _ => false,
        };
        whole && !squeezed
    }

    /// Does the same as [`check`](Vector::check) among other messages, in each of the lanes.
    ///
    /// # Errors
    /// Returns a description of the difference and its lane, or the library's error.
    fn check_lanes(&self, lanes: u32) -> Result<(), String> {
        match &self.question {
            Question::Message {
                message: Message::Whole(message),
                digest,
                ..
            } => {
                for parity in 0..2 {
                    self.check_every_other(lanes as usize, parity, message, digest)?;
                }
                Ok(())
            }
            _ => self.check(),
        }
    }

    /// Hashes the message at every other index of a batch, with prefixes of it in between.
    fn check_every_other(
        &self,
        lanes: usize,
        parity: usize,
        message: &[u8],
        digest: &[u8],
    ) -> Result<(), String> {
        let messages: Vec<_> = (0..lanes + 2)
            .map(|place| match place % 2 == parity {
                true => message,
                false => &message[..message.len().saturating_sub(place)],
            })
            .collect();
        let found = hash_many(self.algorithm, &self.params(), &messages)
            .map_err(|error| error.to_string())?;
        let places = found.chunks(self.digest_bytes()).enumerate();
        for (place, found) in places.filter(|(place, _)| place % 2 == parity) {
            compare(&format!("md in place {place}"), found, digest)?;
        }
        Ok(())
    }

    /// Computes a digest in one call.
    fn hash(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let mut digest = vec![0; self.digest_bytes()];
        hash_into(self.algorithm, &self.params(), message, &mut digest)?;
        Ok(digest)
    }

    fn hash_message(&self, message: &Message, bits: u64) -> Result<Vec<u8>, Error> {
        if let Message::Whole(bytes) = message {
            return match bits % 8 {
                0 => self.hash(bytes),
                _ => hash_bits(self.algorithm, &self.params(), bytes, bits),
            };
        }
        let mut hasher = Hasher::new(self.algorithm, &self.params())?;
        let mut left = bits / 8;
        let mut last_byte = 0;
        let mut feed = |piece: &[u8]| {
            let (whole, rest) = piece.split_at(left.min(piece.len() as u64) as usize);
            left -= whole.len() as u64;
            last_byte = rest.first().copied().unwrap_or(last_byte);
            hasher.update(whole)
        };
        match message {
            Message::Whole(bytes) => feed(bytes)?,
            Message::Chunks { bytes, lengths } => {
                let mut rest = &bytes[..];
                for &length in lengths {
                    let (piece, after) = rest.split_at(length);
                    feed(piece)?;
                    rest = after;
                }
            }
            Message::Repeated(repeated) => feed_repeated(repeated, feed)?,
        }
        match bits % 8 {
            0 => {
                let mut digest = vec![0; self.digest_bytes()];
                hasher.finalize_into(&mut digest).map(|_| digest)
            }
            count => hasher.finalize_bits(last_byte, count as u32),
        }
    }

    fn hash_tree(&self, message: &[u8], tree: &TwoLevelTree) -> Result<Vec<u8>, Error> {
        let mut leaves: Vec<_> = message.chunks(tree.leaf_bytes as usize).collect();
        if leaves.is_empty() {
            leaves.push(&[]);
        }
        let node = |node_offset: u64, node_depth: u8, last_node: bool| TreeMode {
            fanout: tree.fanout,
            depth: 2,
            leaf_bytes: tree.leaf_bytes,
            node_offset,
            node_depth,
            inner_bytes: tree.inner_bytes,
            last_node,
        };
        let mut root = Hasher::new(self.algorithm, &self.params().tree_mode(node(0, 1, true)))?;
        for (index, leaf) in leaves.iter().enumerate() {
            let leaf_node = node(index as u64, 0, index + 1 == leaves.len());
            let params = self
                .params()
                .digest_bytes(tree.inner_bytes.into())
                .tree_mode(leaf_node);
            root.update(&hash(self.algorithm, &params, leaf)?)?;
        }
        root.finalize()
    }

    fn check_monte_carlo(&self, seed: &[u8], digests: &[Vec<u8>]) -> Result<(), String> {
        let mut message = seed.to_vec();
        for (index, expected) in digests.iter().enumerate() {
            for _ in 0..MONTE_CARLO_STEPS {
                let digest = self.hash(&message).map_err(|e| e.to_string())?;
                message.truncate(seed.len() - digest.len());
                message.splice(..0, digest);
            }
            compare(
                &format!("mct_md[{index}]"),
                &message[..expected.len()],
                expected,
            )?;
        }
        Ok(())
    }

    fn check_batch(
        &self,
        batch: &Batch,
        of_all: &[u8],
        [first, last]: [Option<&[u8]>; 2],
    ) -> Result<(), String> {
        let params: Params<'_> = self.params();
        let digest_bytes = self.digest_bytes();
        let mut digests = Hasher::new(self.algorithm, &params).map_err(|e| e.to_string())?;
        let message_bytes = batch.message_bytes as usize;
        let piece = (BATCH_BYTES / message_bytes.max(1)).clamp(1, BATCH_PIECE);
        let mut messages = vec![vec![0; message_bytes]; piece.min(batch.count as usize)];
        let mut index = 0;
        while index < batch.count {
            let left = (batch.count - index) as usize;
            messages.truncate(left);
            for message in &mut messages {
                let mut source = Shake::v256();
                source.update(b"batch");
                source.update(&index.to_be_bytes());
                source.squeeze(message);
                index += 1;
            }
            let found = hash_many(self.algorithm, &params, &messages).map_err(|e| e.to_string())?;
            digests.update(&found).map_err(|e| e.to_string())?;
            if let (true, Some(first)) = (index as usize == messages.len(), first) {
                compare("md_first", &found[..digest_bytes], first)?;
            }
            if let (true, Some(last)) = (index == batch.count, last) {
                compare("md_last", &found[found.len() - digest_bytes..], last)?;
            }
        }
        let mut found = vec![0; digest_bytes];
        digests
            .finalize_into(&mut found)
            .map_err(|e| e.to_string())?;
        compare("md_of_mds", &found, of_all)
    }
}

/// Feeds a generated message in parts of many copies.
fn feed_repeated(
    repeated: &Repeated,
    mut feed: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let text = &repeated.text;
    if text.is_empty() {
        return Ok(());
    }
    let copies = (PIECE_BYTES.div_ceil(text.len()) as u64).min(repeated.count);
    let piece = text.repeat(copies as usize);
    let mut left = repeated.count;
    while left >= copies && left > 0 {
        feed(&piece)?;
        left -= copies;
    }
    feed(&piece[..left as usize * text.len()])
}

/// # Errors
/// Returns a description of where two digests differ.
fn compare(field: &str, found: &[u8], expected: &[u8]) -> Result<(), String> {
    let Some(place) = found
        .iter()
        .zip(expected)
        .position(|(found, expected)| found != expected)
    else {
        return Ok(());
    };
    let part = |digest: &[u8]| {
        let part = &digest[place..digest.len().min(place + SHOWN_BYTES)];
        let cut = if place + part.len() < digest.len() {
            "..."
        } else {
            ""
        };
        format!("{}{cut}", hex::encode(part))
    };
    let (found, expected) = (part(found), part(expected));
    Err(format!(
        "{field} from byte {place} on: {found}, expected {expected}"
    ))
}

#[cfg(test)]
mod tests;
