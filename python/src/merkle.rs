// SPDX-License-Identifier: MIT OR Apache-2.0
//! Merkle trees for finalist.merkle; its Python code adds functions and the file format of proofs.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use finalist::{Error, merkle};
use finalist_files::message::counted;
use finalist_sys as sys;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrow::table::Selection;
use crate::buffer::{Buffer, Input, Messages};
use crate::engine::{Failure, Job, Message, Rows, Work};
use crate::many::parameters_of;
use crate::parameters::{Argument, Names, Parameters, failure, status_failure};
use crate::rows::{Form, hash_table};

/// Prefixes of a leaf's message and of a node's.
const LEAF: &[u8] = &[0];
const NODE: u8 = 1;

/// Leaves to hash.
struct Leaves(Vec<Input>);

// SAFETY: fin_merkle_leaves writes a hash for each leaf.
unsafe impl Rows for Leaves {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn hash_range(
        &self,
        job: &Job<'_>,
        range: Range<usize>,
        digests: &mut [MaybeUninit<u8>],
        work: &mut Work<'_>,
    ) -> Result<(), Failure> {
        let leaves = &self.0[range];
        assert_eq!(digests.len(), leaves.len() * job.stride);
        work.messages.clear();
        work.messages
            .extend(leaves.iter().map(|leaf| Message::new(leaf.bytes())));
        // SAFETY: each message was made from a buffer that outlives the call, the parameters hold
        // what they point to, and there is a hash's length for each leaf.
        let status = unsafe {
            sys::fin_merkle_leaves(
                job.parameters.algorithm as sys::fin_algorithm,
                &job.parameters.c(),
                work.messages.as_ptr().cast(),
                work.messages.len(),
                digests.as_mut_ptr().cast(),
            )
        };
        status_failure(status).map_err(Failure::Python)?;
        work.watch.look()
    }

    fn bad_row(&self) -> PyErr {
        PyValueError::new_err("a leaf cannot be read")
    }
}

/// Contiguous hashes of children.
struct Children {
    hashes: Buffer,
    pair_bytes: usize,
}

// SAFETY: hash_messages writes a digest for each pair.
unsafe impl Rows for Children {
    fn len(&self) -> usize {
        self.hashes.bytes().len() / self.pair_bytes
    }

    fn hash_range(
        &self,
        job: &Job<'_>,
        range: Range<usize>,
        digests: &mut [MaybeUninit<u8>],
        work: &mut Work<'_>,
    ) -> Result<(), Failure> {
        let range = range.start * self.pair_bytes..range.end * self.pair_bytes;
        work.encoded.clear();
        for pair in self.hashes.bytes()[range].chunks_exact(self.pair_bytes) {
            work.encoded.push(NODE);
            work.encoded.extend_from_slice(pair);
        }
        let nodes = work.encoded.chunks_exact(1 + self.pair_bytes);
        work.messages.clear();
        work.messages.extend(nodes.map(Message::new));
        job.hash_messages(&work.messages, digests)?;
        work.watch.look()
    }

    fn bad_row(&self) -> PyErr {
        PyValueError::new_err("a hash cannot be read")
    }
}

/// A tree and the hashes of all its leaves, which proofs need.
struct State {
    /// Boxed: it contains the key, and a move would leave a copy.
    tree: Box<merkle::Tree>,
    leaf_hashes: Vec<u8>,
}

/// The number of the tree's leaves, which other threads may change, and the proof's hashes.
type Proof<'py> = (usize, Vec<Bound<'py, PyBytes>>);

// The tree of RFC 9162 behind finalist.merkle.Tree. Threads may share one.
#[pyclass(frozen, module = "finalist._finalist")]
pub struct MerkleTree {
    parameters: Parameters,
    hash_bytes: usize,
    state: Mutex<State>,
}

impl MerkleTree {
    /// Hashes leaves and returns their hashes, joined.
    pub fn leaf_hashes_of(&self, leaves: &[&[u8]]) -> Result<Vec<u8>, Error> {
        let parameters = &self.parameters;
        merkle::leaf_hashes(parameters.algorithm, &parameters.params(), leaves)
    }

    /// Returns the root over a leaf with the hash `head` and the leaves of buckets.
    pub fn root_of(&self, head: &[u8], rows: &finalist_table::Sorted) -> Result<Vec<u8>, Error> {
        let (algorithm, params) = (self.parameters.algorithm, self.parameters.params());
        let mut tree = merkle::Tree::new_boxed(algorithm, &params)?;
        tree.append(head)?;
        rows.append_to(&mut tree, algorithm, &params)?;
        tree.root()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn prove<'py>(
        &self,
        py: Python<'py>,
        place: usize,
        prover: impl FnOnce(&State) -> Result<Vec<u8>, Error>,
    ) -> PyResult<Proof<'py>> {
        let state = self.lock();
        let leaves = state.leaf_hashes.len() / self.hash_bytes;
        let proof = prover(&state).map_err(|error| match error {
            Error::Index => {
                let leaves = counted(leaves, "leaf", "leaves");
                PyIndexError::new_err(format!("{place} is out of range for {leaves}"))
            }
            error => failure(error),
        })?;
        drop(state);
        let hashes = proof.chunks(self.hash_bytes);
        let hashes = hashes.map(|hash| PyBytes::new(py, hash)).collect();
        Ok((leaves, hashes))
    }
}

#[pymethods]
impl MerkleTree {
    #[new]
    #[pyo3(signature = (algorithm, digest_size, key, salt, person))]
    fn new(
        algorithm: &Bound<'_, PyAny>,
        digest_size: Argument<'_, '_>,
        key: Argument<'_, '_>,
        salt: Argument<'_, '_>,
        person: Argument<'_, '_>,
    ) -> PyResult<MerkleTree> {
        let parameters = parameters_of(algorithm, digest_size, key, salt, person)?;
        let tree =
            merkle::Tree::new_boxed(parameters.algorithm, &parameters.params()).map_err(failure)?;
        Ok(MerkleTree {
            hash_bytes: tree.hash_bytes(),
            parameters,
            state: Mutex::new(State {
                tree,
                leaf_hashes: Vec::new(),
            }),
        })
    }

    // Returns the tool's name of the algorithm.
    #[getter]
    fn algorithm(&self) -> &'static str {
        self.parameters.algorithm.name()
    }

    #[getter]
    fn digest_size(&self) -> usize {
        self.hash_bytes
    }

    fn __len__(&self) -> usize {
        self.lock().leaf_hashes.len() / self.hash_bytes
    }

    // Hashes one leaf without appending it.
    fn leaf_hash<'py>(&self, leaf: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let leaves = Leaves(vec![Input::new(leaf.clone())?]);
        let hash = Job::new(&self.parameters, 1)?.hash_all(leaf.py(), &leaves)?;
        Ok(PyBytes::new(leaf.py(), &hash))
    }

    // Computes the leaf hashes of a table's rows in their encoding, joined.
    fn row_hashes<'py>(
        &self,
        py: Python<'py>,
        table: &Bound<'py, PyAny>,
        columns: Option<Names>,
        index: bool,
        numbers: &str,
        threads: i64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let job = Job::new(&self.parameters, threads)?;
        let selection = Selection {
            columns: columns.map(|names| names.0),
            index,
            form: Form::new(None, numbers)?,
        };
        let chunks = hash_table(py, &job, table, &selection, LEAF)?;
        let hashes: Vec<_> = chunks.into_iter().map(|chunk| chunk.digests).collect();
        Ok(PyBytes::new(py, &hashes.concat()))
    }

    // Computes the hashes of the nodes over contiguous pairs of hashes.
    fn parents<'py>(
        &self,
        py: Python<'py>,
        hashes: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let children = Children {
            hashes: Buffer::of_message(hashes)?,
            pair_bytes: 2 * self.hash_bytes,
        };
        if children.hashes.bytes().len() % children.pair_bytes != 0 {
            return Err(PyValueError::new_err("these are not pairs of hashes"));
        }
        let parents = Job::new(&self.parameters, 1)?.hash_all(py, &children)?;
        Ok(PyBytes::new(py, &parents))
    }

    fn extend(&self, py: Python<'_>, leaves: &Bound<'_, PyAny>, threads: i64) -> PyResult<()> {
        let job = Job::new(&self.parameters, threads)?;
        let mut leaves = Messages::of(leaves)?;
        // All leaves are hashed before one is appended: an error changes nothing.
        let mut all = Vec::new();
        loop {
            let buffers = Input::take(&mut leaves, job.messages_at_once(), |_, error| error)?;
            if buffers.is_empty() {
                break;
            }
            all.append(&mut job.hash_all(py, &Leaves(buffers))?);
        }
        py.detach(|| {
            let mut state = self.lock();
            state.tree.append(&all).map_err(failure)?;
            state.leaf_hashes.append(&mut all);
            Ok(())
        })
    }

    fn root<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let root = self.lock().tree.root().map_err(failure)?;
        Ok(PyBytes::new(py, &root))
    }

    fn inclusion<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Proof<'py>> {
        let (algorithm, params) = (self.parameters.algorithm, self.parameters.params());
        self.prove(py, index, |state| {
            merkle::inclusion(algorithm, &params, &state.leaf_hashes, index)
        })
    }

    fn consistency<'py>(&self, py: Python<'py>, old_count: usize) -> PyResult<Proof<'py>> {
        let (algorithm, params) = (self.parameters.algorithm, self.parameters.params());
        self.prove(py, old_count, |state| {
            merkle::consistency(algorithm, &params, &state.leaf_hashes, old_count)
        })
    }

    // Returns true if the proof leads from the old root to the root. Uses no leaf of this tree.
    fn verify_consistency(
        &self,
        old_count: u64,
        old_root: &[u8],
        leaf_count: u64,
        root: &[u8],
        proof: &[u8],
    ) -> PyResult<bool> {
        let (algorithm, params) = (self.parameters.algorithm, self.parameters.params());
        verdict(merkle::verify_consistency(
            algorithm, &params, old_count, old_root, leaf_count, root, proof,
        ))
    }
}

fn verdict(result: Result<(), Error>) -> PyResult<bool> {
    match result {
        Ok(()) => Ok(true),
        Err(Error::Proof | Error::Index) => Ok(false),
        Err(Error::DigestLength) => {
            Err(PyValueError::new_err("hashes of trees have 1 to 64 bytes"))
        }
        Err(error) => Err(failure(error)),
    }
}
