// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures trees in core cycles: one message over many leaves, with one thread and with one for
//! each CPU.

use std::hint::black_box;
use std::num::NonZero;
use std::thread::available_parallelism;

use finalist::{
    Algorithm, Hasher, Implementation, Params, implementations, merkle, select, tree_mode,
};
use finalist_files::message::counted;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::clock::Clock;
use crate::error::Error;
use crate::quartiles::Quartiles;
use crate::timing::{Summary, Timing, sample, summary_by};

const LEAF_BYTES: usize = 64 * 1024;

/// The tree over the message.
#[derive(Clone, Copy)]
enum Structure {
    /// BLAKE2bp, BLAKE2sp and BLAKE3: the algorithm's own tree.
    Own,
    /// BLAKE2's tree mode with chunks of 64 KiB and fanout 16.
    Tree,
    /// RFC 9162's tree over chunks of 64 KiB.
    Merkle,
}

const SUBJECTS: [(&str, Algorithm, Structure); 11] = [
    ("blake2bp", Algorithm::Blake2bp, Structure::Own),
    ("blake2sp", Algorithm::Blake2sp, Structure::Own),
    ("blake3", Algorithm::Blake3, Structure::Own),
    ("tree of blake2b", Algorithm::Blake2b, Structure::Tree),
    ("tree of blake2s", Algorithm::Blake2s, Structure::Tree),
    ("merkle of blake256", Algorithm::Blake256, Structure::Merkle),
    ("merkle of blake512", Algorithm::Blake512, Structure::Merkle),
    ("merkle of blake2b", Algorithm::Blake2b, Structure::Merkle),
    ("merkle of blake2s", Algorithm::Blake2s, Structure::Merkle),
    (
        "merkle of groestl256",
        Algorithm::Groestl256,
        Structure::Merkle,
    ),
    (
        "merkle of groestl512",
        Algorithm::Groestl512,
        Structure::Merkle,
    ),
];

/// Returns whether there is a structure over an algorithm.
pub fn has(algorithm: Algorithm) -> bool {
    SUBJECTS.iter().any(|&(_, own, _)| own == algorithm)
}

/// Times the structures over the algorithms that `wanted` accepts, with the selected
/// implementations or each of those in `asked`. `begin` receives the name of each before it is
/// timed.
pub fn measure(
    wanted: impl Fn(Algorithm) -> bool,
    asked: &[Implementation],
    lengths: &[usize],
    begin: &mut dyn FnMut(&str),
) -> Result<Vec<Timing>, Error> {
    let all = available_parallelism().map_or(1, NonZero::get);
    let mut counts = vec![1, all];
    counts.dedup();
    let pools: Vec<_> = counts.into_iter().map(pool).collect::<Result<_, _>>()?;
    let clock = Clock::new();
    let mut rows = Vec::new();
    for (name, algorithm, structure) in SUBJECTS {
        if !wanted(algorithm) {
            continue;
        }
        let failure = |error: finalist::Error| Error::message(format!("bench: {name}: {error}"));
        let compression = algorithm.info().compression;
        let of_it = asked.iter().filter(|each| each.algorithm == compression);
        let choices: Vec<_> = match asked {
            [] => vec![None],
            _ => of_it.map(|each| Some(each.name)).collect(),
        };
        for choice in choices {
            begin(name);
            select(algorithm, choice).map_err(failure)?;
            for &bytes in lengths {
                let message = vec![0xa5; bytes];
                for pool in &pools {
                    let work = Work {
                        name,
                        implementation: choice.unwrap_or("automatic"),
                        algorithm,
                        structure,
                        message: &message,
                    };
                    rows.push(work.row(&clock, pool).map_err(failure)?);
                }
            }
        }
        select(algorithm, None).map_err(failure)?;
    }
    Ok(rows)
}

fn pool(threads: usize) -> Result<ThreadPool, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| {
        let threads = counted(threads, "thread", "threads");
        Error::message(format!("cannot start {threads}: {error}"))
    })
}

/// Returns the lanes of the selected implementation, or fewer for few leaves.
fn lanes(algorithm: Algorithm) -> u32 {
    let compression = algorithm.info().compression;
    let selected = |each: &Implementation| each.selected && each.algorithm == compression;
    let of_it = implementations().into_iter().filter(selected);
    of_it.map(|each| each.lanes).max().unwrap_or(1)
}

struct Work<'a> {
    name: &'static str,
    implementation: &'static str,
    algorithm: Algorithm,
    structure: Structure,
    message: &'a [u8],
}

impl Work<'_> {
    /// Computes the root with the threads of the current pool.
    fn root(&self) -> Result<Vec<u8>, finalist::Error> {
        let params = Params::new();
        match self.structure {
            Structure::Own => {
                let mut hasher = Hasher::new(self.algorithm, &params)?;
                hasher.update_parallel(black_box(self.message))?;
                hasher.finalize()
            }
            Structure::Tree => {
                let shape = tree_mode::Shape {
                    fanout: 16,
                    depth: 255,
                    leaf_bytes: LEAF_BYTES as u32,
                    inner_bytes: self.algorithm.info().digest_bytes as u8,
                };
                let mut hasher = tree_mode::TreeModeHasher::new(self.algorithm, &params, shape)?;
                hasher.update_parallel(black_box(self.message))?;
                hasher.finalize()
            }
            Structure::Merkle => {
                let chunks: Vec<_> = black_box(self.message).chunks(LEAF_BYTES).collect();
                let hashes = merkle::leaf_hashes_parallel(self.algorithm, &params, &chunks)?;
                merkle::root(self.algorithm, &params, &hashes)
            }
        }
    }

    fn row(&self, clock: &Clock, pool: &ThreadPool) -> Result<Timing, finalist::Error> {
        // Run in a thread of the pool, since entering a pool takes as long as a short message.
        let samples = pool.install(|| {
            self.root()?;
            Ok(sample(clock, pool.current_num_threads(), || {
                let root = self.root();
                debug_assert!(root.is_ok());
                black_box(root.ok());
            }))
        })?;
        // Any other program on any core delays all threads.
        let Summary {
            ticks,
            cycles,
            is_disturbed,
        } = summary_by(&samples, Quartiles::of_slow);
        let shown = cycles.as_ref().unwrap_or(&ticks);
        let bytes = self.message.len();
        let blocks = bytes as f64 / self.algorithm.info().block_bytes as f64;
        Ok(Timing {
            algorithm: self.name,
            implementation: self.implementation,
            mode: "tree",
            lanes: lanes(self.algorithm),
            threads: pool.current_num_threads() as u32,
            bytes,
            tsc_per_byte: ticks.figure / bytes as f64,
            core_cycles_per_byte: cycles.as_ref().map(|cycles| cycles.figure / bytes as f64),
            core_cycles_per_block: cycles.as_ref().map(|cycles| cycles.figure / blocks),
            bound_core_cycles_per_byte: None,
            q1: shown.q1 / bytes as f64,
            q3: shown.q3 / bytes as f64,
            is_disturbed,
        })
    }
}
