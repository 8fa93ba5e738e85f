// SPDX-License-Identifier: MIT OR Apache-2.0
//! The options of `finalist merkle`.

use std::ffi::OsString;
use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::slice::range;
use crate::hash_options::{HashOptions, OUTPUT, SPEED, WHAT, path};
use crate::value::{jobs, number, size};
use finalist_files::chunks::CHUNK_BYTES_MAX;

const CHUNK_BYTES: u64 = 64 * 1024;

pub const ABOUT: &str = "\
Roots and proofs of Merkle trees over files, after RFC 9162, section 2.1.

The leaves of a tree are the chunks of one file or, with --leaf-files, the FILEs. The hash of a leaf \
covers the byte 00 and the leaf; the hash of an inner node covers the byte 01 and the hashes of its \
two children. Of n leaves, the largest power of two smaller than n is in the left subtree. -a names \
the hash function (default: BLAKE2b).";

pub const EXAMPLES: &str = "\
Examples:
  finalist merkle root --count FILE            a line that check verifies
  finalist merkle prove --index 3 FILE > PROOF
  finalist merkle verify --root HEX --leaves 7 --index 3 PROOF CHUNK
  finalist merkle prove --slice 4096,100 FILE > PROOF
  finalist merkle verify --root DIGEST --slice 4096,100 PROOF BYTES
  finalist merkle consistency --old-leaves 5 LOG > PROOF
  finalist merkle consistency --verify PROOF --old-root HEX --old-leaves 5 \\
      --root HEX --leaves 7

A proof states the size of its tree, and a forged one may state any size: get the number of leaves \
from the source of the root.";

#[derive(Subcommand)]
#[command(defer = true)]
pub enum MerkleCommand {
    /// Print the root
    #[command(after_help = "\
Examples:
  finalist merkle root FILE                    over chunks of 64 KiB
  finalist merkle root --chunk 1M -a blake2s FILE")]
    Root(RootArgs),
    /// Print a proof that a leaf is in the tree
    #[command(after_help = "\
Examples:
  finalist merkle prove --index 3 FILE > PROOF
  finalist merkle prove --leaf-files --index 0 FILE LOG > PROOF
  finalist merkle prove --slice 4096,100 FILE > PROOF")]
    Prove(ProveArgs),
    /// Verify a proof that a leaf is in a tree
    #[command(after_help = "\
Examples:
  finalist merkle verify --root HEX --leaves 7 --index 3 PROOF CHUNK
  finalist merkle verify --root \"$(cat ROOT)\" --leaves 7 --index 3 PROOF < CHUNK
  finalist merkle verify --root DIGEST --slice 4096,100 PROOF BYTES
  finalist merkle verify --root \"$(b3sum FILE)\" --slice 4096,100 PROOF BYTES")]
    Verify(VerifyArgs),
    /// Print, or verify, a proof that an older tree is the beginning of a tree
    #[command(after_help = "\
Examples:
  finalist merkle consistency --old-leaves 5 LOG > PROOF
  finalist merkle consistency --verify PROOF --old-root HEX --old-leaves 5 \\
      --root HEX --leaves 7")]
    Consistency(ConsistencyArgs),
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct RootArgs {
    /// Write one JSON object per line: file, algorithm, digest_bits, chunk_bytes, leaf_count, root
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
    /// Write the number of leaves in a comment before each root: "# leaves: 3"
    #[arg(long, conflicts_with = "json", help_heading = OUTPUT)]
    pub count: bool,
    #[command(flatten)]
    pub hash: HashOptions,
    #[command(flatten)]
    pub leaf_options: LeafOptions,
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct ProveArgs {
    /// The leaf's number, from 0
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number(0..=u64::MAX),
          required_unless_present = "slice")]
    pub index: Option<u64>,
    /// Prove these bytes of the file for its BLAKE3 digest, which sum -a blake3 and b3sum print
    #[arg(long, value_name = "OFFSET,BYTES", allow_hyphen_values = true, value_parser = range,
          conflicts_with_all = ["index", "chunk", "leaf_files"])]
    pub slice: Option<Range<u64>>,
    /// Write an error as a JSON object: result, reason; a proof always is one
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
    #[command(flatten)]
    pub hash: HashOptions,
    #[command(flatten)]
    pub leaf_options: LeafOptions,
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct VerifyArgs {
    /// The tree's root: hexadecimal, or the line that "merkle root" or "sum" prints
    #[arg(long, value_name = "ROOT")]
    pub root: OsString,
    /// The number of leaves of the tree, from the source of the root
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number(0..=u64::MAX))]
    pub leaves: Option<u64>,
    /// The leaf's number, from 0
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number(0..=u64::MAX))]
    pub index: Option<u64>,
    /// Verify that LEAF contains these bytes of the file whose BLAKE3 digest is ROOT
    #[arg(long, value_name = "OFFSET,BYTES", allow_hyphen_values = true, value_parser = range,
          conflicts_with_all = ["leaves", "index", "leaf_hash"])]
    pub slice: Option<Range<u64>>,
    /// The leaf's hash, instead of the leaf
    #[arg(long, value_name = "HEX", conflicts_with = "leaf")]
    pub leaf_hash: Option<String>,
    /// Write a JSON object: file, result, and the reason for a failure
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
    #[command(flatten)]
    pub hash: HashOptions,
    /// The proof, as "finalist merkle prove" prints it
    #[arg(value_name = "PROOF", value_parser = path())]
    pub proof: PathBuf,
    /// The leaf: a file that contains only the chunk, or the leaf file [default: standard input]
    #[arg(value_name = "LEAF", value_parser = path())]
    pub leaf: Option<PathBuf>,
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct ConsistencyArgs {
    /// The number of leaves of the older tree
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number(0..=u64::MAX),
          required_unless_present = "verify")]
    pub old_leaves: Option<u64>,
    /// Verify this proof
    #[arg(long, value_name = "PROOF", value_parser = path(), requires = "old_root",
          requires = "root", conflicts_with_all = ["files", "chunk", "leaf_files"])]
    pub verify: Option<PathBuf>,
    /// The older tree's root: hexadecimal, or the line that "merkle root" prints
    #[arg(long, value_name = "ROOT", requires = "verify")]
    pub old_root: Option<OsString>,
    /// The tree's root, in the same form
    #[arg(long, value_name = "ROOT", requires = "verify")]
    pub root: Option<OsString>,
    /// Write the result of --verify or an error as a JSON object; a proof always is one
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
    /// The number of leaves of the tree
    #[arg(long, value_name = "N", allow_hyphen_values = true,
          value_parser = number(0..=u64::MAX), requires = "verify")]
    pub leaves: Option<u64>,
    #[command(flatten)]
    pub hash: HashOptions,
    #[command(flatten)]
    pub leaf_options: LeafOptions,
}

// The leaves, and how they are hashed.
#[derive(Args)]
pub struct LeafOptions {
    /// Chunk size in bytes, 1 to 1G
    #[arg(long, value_name = "BYTES", default_value_t = CHUNK_BYTES, allow_hyphen_values = true,
          value_parser = size(1..=CHUNK_BYTES_MAX), help_heading = WHAT)]
    pub chunk: u64,

    /// Build one tree whose leaves are the FILEs
    #[arg(long, conflicts_with = "chunk", help_heading = WHAT)]
    pub leaf_files: bool,

    /// Threads, 1 to 1024 [default: one for each CPU]
    #[arg(short, long, value_name = "N", allow_hyphen_values = true,
          value_parser = jobs(), help_heading = SPEED)]
    pub jobs: Option<u16>,

    /// Files to read; without any, or for -, standard input
    #[arg(value_name = "FILE", value_parser = path())]
    pub files: Vec<PathBuf>,
}
