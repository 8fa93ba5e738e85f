// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist merkle`: roots and proofs of Merkle trees over files.

mod options;
mod slice;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use finalist::{Algorithm, Error, merkle};

use crate::failure::{Failure, report};
use crate::hash_options::{HashOptions, read_hex};
use crate::json;
use crate::output::result_line;
use crate::progress::ProgressLine;
use crate::proof::{CONSISTENCY, Hash, INCLUSION, Proof};
use crate::proof_file::read_proof;
use crate::root::read_root;
use crate::stdio::print;
use finalist_files::checklist::tagged_line;
use finalist_files::chunks::ChunkHash;
use finalist_files::function::{Function, Parameters};
use finalist_files::message::{about, counted, reason};
use finalist_files::platform::{bytes_of, expanded};
use finalist_files::progress::Progress;
use finalist_files::stdin::is_stdin;
use finalist_files::tag::root_tag;
use finalist_files::threads::Threads;
pub use options::{ABOUT, EXAMPLES, MerkleCommand};
use options::{ConsistencyArgs, LeafOptions, ProveArgs, RootArgs, VerifyArgs};

pub fn run(command: &MerkleCommand) -> Result<ExitCode, Failure> {
    match command {
        MerkleCommand::Root(args) => root(args),
        MerkleCommand::Prove(args) => match &args.slice {
            Some(range) => slice::prove(args, range),
            None => prove(args),
        },
        MerkleCommand::Verify(args) => match &args.slice {
            Some(range) => slice::verify(args, range),
            None => verify(args),
        },
        MerkleCommand::Consistency(args) => match &args.verify {
            Some(proof) => verify_consistency(args, proof),
            None => prove_consistency(args),
        },
    }
}

/// The hash function of a tree.
struct NodeHash {
    function: Function,
    parameters: Parameters,
    progress: ProgressLine,
}

impl NodeHash {
    /// Returns the function that the options name, or else `claimed`.
    fn new(
        options: &HashOptions,
        claimed: Option<&Proof>,
        stdin_is_read: bool,
    ) -> Result<NodeHash, Failure> {
        let named = claimed.map(|proof| &proof.algorithm[..]);
        let named = named.map(Algorithm::from_name).transpose();
        let named = named.map_err(|error| Failure::message(format!("proof: {error}")))?;
        let asked = options.algorithm()?;
        let contradicts = |option: &str, claim: &str, asked: &str| {
            let text = format!("{option}: the proof is of '{claim}', not of '{asked}'");
            Failure::message(text)
        };
        let algorithm = match (named, asked) {
            (Some(named), Some(asked)) if named != asked => {
                return Err(contradicts("--algorithm", named.name(), asked.name()));
            }
            (named, asked) => named.or(asked).unwrap_or(Algorithm::Blake2b),
        };
        let info = algorithm.info();
        let asked = options.digest_bytes(&info)?;
        let digest_bytes = claimed.map_or(asked, |proof| proof.digest_bits / 8);
        let range =
            info.digest_bytes_min..=info.digest_bytes_max.min(merkle::HASH_BYTES_MAX as u64);
        if claimed.is_some() && !range.contains(&digest_bytes) {
            let [least, most, bits] = [*range.start(), *range.end(), digest_bytes].map(|n| n * 8);
            let text = format!(
                "proof: 'digest_bits' is {bits}: trees of {algorithm} have {least} to {most}"
            );
            return Err(Failure::message(text));
        }
        if asked != digest_bytes && asked != info.digest_bytes as u64 {
            let (claim, asked) = (digest_bytes * 8, asked * 8);
            return Err(contradicts(
                "--length",
                &claim.to_string(),
                &asked.to_string(),
            ));
        }
        let hash = NodeHash {
            function: Function {
                algorithm,
                digest_bytes,
            },
            parameters: options.parameters(Some(&info), stdin_is_read)?,
            progress: ProgressLine::new(!options.no_progress),
        };
        options.select_implementation(&[algorithm])?;
        hash.tree()?;
        Ok(hash)
    }

    fn job(&self) -> ChunkHash<'_> {
        ChunkHash {
            progress: &self.progress,
            algorithm: self.function.algorithm,
            params: self.parameters.params(self.function),
        }
    }

    fn tree(&self) -> Result<merkle::Tree, Failure> {
        let job = self.job();
        merkle::Tree::new(job.algorithm, &job.params).map_err(|error| {
            let bits = merkle::HASH_BYTES_MAX * 8;
            Failure::message(match error {
                Error::DigestLength => {
                    format!("{}: hashes of trees have 8 to {bits} bits", job.algorithm)
                }
                error => format!("{}: {error}", job.algorithm),
            })
        })
    }
}

impl LeafOptions {
    fn files(&self) -> Vec<PathBuf> {
        match self.files.as_slice() {
            [] => vec!["-".into()],
            files => expanded(files.to_vec()),
        }
    }

    fn stdin_is_read(&self) -> bool {
        self.files().iter().any(|file| is_stdin(file))
    }

    fn in_pool<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
        let pool = Threads::Jobs(self.jobs).start();
        let pool =
            pool.map_err(|error| Failure::message(format!("cannot start a thread: {error}")))?;
        Ok(pool.install(work))
    }

    /// Returns the bytes of a chunk, in the form of a proof.
    fn chunk_bytes(&self) -> Option<u64> {
        (!self.leaf_files).then_some(self.chunk)
    }

    /// Returns the one file of a proof about chunks.
    fn single_file(&self) -> Result<PathBuf, Failure> {
        match self.files().as_slice() {
            [file] => Ok(file.clone()),
            _ => Err(Failure::misuse(
                "a proof is about the chunks of one FILE, or with --leaf-files about all FILEs",
            )),
        }
    }

    /// Returns the hashes of all leaves.
    fn hashes(&self, node: &NodeHash) -> Result<Vec<u8>, Failure> {
        let mut all = Vec::new();
        if self.leaf_files {
            for file in self.files() {
                let hash = self.in_pool(|| node.job().hash_file(&file))?;
                all.extend(hash.map_err(|error| failed(&file, &error))?);
            }
            return Ok(all);
        }
        let file = self.single_file()?;
        let chunk_bytes = self.chunk as usize;
        let job = node.job();
        let done = self.in_pool(|| {
            job.hash_chunks(&file, chunk_bytes, |hashes| {
                all.extend(hashes);
                Ok(())
            })
        })?;
        done.map_err(|error| failed(&file, &error))?;
        Ok(all)
    }
}

fn failed(file: &Path, error: &io::Error) -> Failure {
    Failure::message(about(&bytes_of(file), &reason(error)))
}

/// Prints a line for each file or, if files are leaves, one root without a name.
fn root(args: &RootArgs) -> Result<ExitCode, Failure> {
    let leaves = &args.leaf_options;
    let node = NodeHash::new(&args.hash, None, leaves.stdin_is_read())?;
    if leaves.leaf_files {
        let mut tree = node.tree()?;
        let root = tree
            .append(&leaves.hashes(&node)?)
            .and_then(|()| tree.root());
        let root = root.map_err(|error| Failure::message(error.to_string()))?;
        let count = tree.leaf_count();
        print(&match args.json {
            true => json::line(
                None,
                json::Root::new(node.function.algorithm, None, count, &root),
            ),
            false => format!("{}{}\n", count_line(args, count), hex::encode(root)).into_bytes(),
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut code = ExitCode::SUCCESS;
    for file in leaves.files() {
        let job = node.job();
        let tree = leaves.in_pool(|| job.tree(&file, leaves.chunk))?;
        let root = tree.and_then(|tree| {
            let root = tree.root().map_err(io::Error::other)?;
            Ok((tree.leaf_count(), root))
        });
        node.progress.finish();
        let name = &bytes_of(&file);
        match root {
            Ok((count, root)) => print(&root_line(args, &node, name, count, &root))?,
            Err(error) => {
                let reason = reason(&error);
                if args.json {
                    print(&json::line(Some(name), json::Verdict::unreadable(&reason)))?;
                }
                report(&about(name, &reason));
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

/// Returns the comment with the number of leaves, if requested.
fn count_line(args: &RootArgs, count: u64) -> String {
    match args.count {
        true => format!("# leaves: {count}\n"),
        false => String::new(),
    }
}

/// Returns the line of a file's root.
fn root_line(args: &RootArgs, node: &NodeHash, name: &[u8], count: u64, root: &[u8]) -> Vec<u8> {
    let (algorithm, chunk_bytes) = (node.function.algorithm, args.leaf_options.chunk);
    if args.json {
        let root = json::Root::new(algorithm, Some(chunk_bytes), count, root);
        return json::line(Some(name), root);
    }
    let tag = root_tag(&algorithm.info(), node.function.digest_bytes, chunk_bytes);
    let mut line = count_line(args, count).into_bytes();
    line.extend(tagged_line(&tag, name, root));
    line.push(b'\n');
    line
}

/// Returns a proof about the leaves of a command line, without the fields of its kind.
fn proof(
    format: &str,
    node: &NodeHash,
    leaves: &LeafOptions,
    leaf_count: usize,
    nodes: &[u8],
) -> Proof {
    let nodes = nodes.chunks(node.function.digest_bytes as usize);
    Proof {
        format: format.to_owned(),
        algorithm: node.function.algorithm.name().to_owned(),
        digest_bits: node.function.digest_bytes * 8,
        chunk_bytes: leaves.chunk_bytes(),
        leaf_count: leaf_count as u64,
        index: None,
        old_leaf_count: None,
        hashes: nodes.map(|hash| Hash(hash.to_vec())).collect(),
    }
}

pub fn print_proof(proof: &Proof) -> Result<ExitCode, Failure> {
    let text = serde_json::to_string_pretty(proof);
    let text = text.map_err(|error| Failure::message(error.to_string()))?;
    print(format!("{text}\n").as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn prove(args: &ProveArgs) -> Result<ExitCode, Failure> {
    let node = NodeHash::new(&args.hash, None, args.leaf_options.stdin_is_read())?;
    let hashes = args.leaf_options.hashes(&node)?;
    let leaf_count = hashes.len() / node.function.digest_bytes as usize;
    let job = node.job();
    let leaf = args.index.unwrap_or_default();
    let index = usize::try_from(leaf).unwrap_or(usize::MAX);
    let nodes = merkle::inclusion(job.algorithm, &job.params, &hashes, index);
    let nodes = nodes.map_err(|error| {
        Failure::message(match error {
            Error::Index => format!(
                "--index: there is no leaf {leaf}: the tree has {}",
                leaves(leaf_count)
            ),
            error => error.to_string(),
        })
    })?;
    let mut proof = proof(INCLUSION, &node, &args.leaf_options, leaf_count, &nodes);
    proof.index = Some(leaf);
    print_proof(&proof)
}

fn leaves(count: usize) -> String {
    let leaves = counted(count, "leaf", "leaves");
    match count {
        1 => format!("{leaves}, leaf 0"),
        _ => leaves,
    }
}

fn prove_consistency(args: &ConsistencyArgs) -> Result<ExitCode, Failure> {
    let node = NodeHash::new(&args.hash, None, args.leaf_options.stdin_is_read())?;
    let hashes = args.leaf_options.hashes(&node)?;
    let leaf_count = hashes.len() / node.function.digest_bytes as usize;
    let job = node.job();
    let old_leaves = args.old_leaves.unwrap_or_default();
    let old = usize::try_from(old_leaves).unwrap_or(usize::MAX);
    let nodes = merkle::consistency(job.algorithm, &job.params, &hashes, old);
    let nodes = nodes.map_err(|error| {
        Failure::message(match error {
            Error::Index => format!(
                "--old-leaves: {old_leaves} is not from 1 to the tree's number of leaves, \
                 {leaf_count}"
            ),
            error => error.to_string(),
        })
    })?;
    let mut proof = proof(CONSISTENCY, &node, &args.leaf_options, leaf_count, &nodes);
    proof.old_leaf_count = Some(old_leaves);
    print_proof(&proof)
}

/// Reads a root on the command line, for a proof.
fn root_for(text: &OsStr, what: &str, node: &NodeHash, proof: &Proof) -> Result<Vec<u8>, Failure> {
    let Function {
        algorithm,
        digest_bytes,
    } = node.function;
    let tag = proof.chunk_bytes;
    let tag = tag.map(|chunk_bytes| root_tag(&algorithm.info(), digest_bytes, chunk_bytes));
    fitting(read_root(text, what, tag.as_deref())?, what, node)
}

/// Refuses a hash whose length differs from the proof's hashes.
fn fitting(hash: Vec<u8>, what: &str, node: &NodeHash) -> Result<Vec<u8>, Failure> {
    let bits = node.function.digest_bytes * 8;
    if hash.len() as u64 != node.function.digest_bytes {
        let hash = hex::encode(hash);
        let text = format!("invalid {what}: '{hash}'\nthe proof's hashes have {bits} bits");
        return Err(Failure::message(text));
    }
    Ok(hash)
}

/// Refuses a proof whose number differs from the command line's, which is required: a forger
/// chooses the proof's numbers, and with suitable ones an inner node passes for a leaf.
fn check_number(option: &str, given: Option<u64>, claimed: Option<u64>) -> Result<u64, Failure> {
    let given = given.ok_or_else(|| {
        Failure::misuse(format!(
            "{option} is missing: a root alone does not tell how many leaves its tree has, and the \
             proof's own numbers may be made up; give those that came with the root"
        ))
    })?;
    match claimed {
        Some(claimed) if claimed != given => {
            let text = format!("{option}: the proof says {claimed}, not {given}");
            Err(Failure::message(text))
        }
        _ => Ok(given),
    }
}

fn verify(args: &VerifyArgs) -> Result<ExitCode, Failure> {
    let leaf = args.leaf.clone().unwrap_or_else(|| "-".into());
    let leaf_is_stdin = args.leaf_hash.is_none() && is_stdin(&leaf);
    if leaf_is_stdin && is_stdin(&args.proof) {
        let text = "standard input cannot be both proof and leaf";
        return Err(Failure::message(text));
    }
    let proof = read_proof(&args.proof, INCLUSION)?;
    let stdin_is_read = leaf_is_stdin || is_stdin(&args.proof);
    let node = NodeHash::new(&args.hash, Some(&proof), stdin_is_read)?;
    let root = root_for(&args.root, "root", &node, &proof)?;
    let leaf_count = check_number("--leaves", args.leaves, Some(proof.leaf_count))?;
    let index = check_number("--index", args.index, proof.index)?;
    let job = node.job();
    let (hash, name) = match &args.leaf_hash {
        Some(text) => {
            let hash = read_hex(Some(text), "leaf hash")?;
            (fitting(hash, "leaf hash", &node)?, &args.proof)
        }
        None => {
            let hash = job.hash_file(&leaf);
            (hash.map_err(|error| failed(&leaf, &error))?, &leaf)
        }
    };
    let verdict = match proof.nodes(hash.len()) {
        Some(nodes) => merkle::verify_inclusion(
            job.algorithm,
            &job.params,
            &hash,
            index,
            leaf_count,
            &nodes,
            &root,
        ),
        None => Err(Error::Proof),
    };
    tell(name, verdict, args.json)
}

fn verify_consistency(args: &ConsistencyArgs, file: &Path) -> Result<ExitCode, Failure> {
    let proof = read_proof(file, CONSISTENCY)?;
    let node = NodeHash::new(&args.hash, Some(&proof), is_stdin(file))?;
    let root_for = |text: &Option<OsString>, what| {
        root_for(text.as_deref().unwrap_or_default(), what, &node, &proof)
    };
    let old_root = root_for(&args.old_root, "old root")?;
    let root = root_for(&args.root, "root")?;
    let old_count = check_number("--old-leaves", args.old_leaves, proof.old_leaf_count)?;
    let leaf_count = check_number("--leaves", args.leaves, Some(proof.leaf_count))?;
    let job = node.job();
    let verdict = match proof.nodes(root.len()) {
        Some(nodes) => merkle::verify_consistency(
            job.algorithm,
            &job.params,
            old_count,
            &old_root,
            leaf_count,
            &root,
            &nodes,
        ),
        None => Err(Error::Proof),
    };
    tell(file, verdict, args.json)
}

/// Prints `NAME: OK`, or `NAME: FAILED` with the reason, or either as JSON.
fn tell(name: &Path, verdict: Result<(), Error>, json: bool) -> Result<ExitCode, Failure> {
    let name = &bytes_of(name);
    let why = verdict.err().map(|error| error.to_string());
    if json {
        print(&json::line(Some(name), json::Verdict::new(why.as_deref())))?;
        return Ok(ExitCode::from(u8::from(why.is_some())));
    }
    let word = if why.is_none() { "OK\n" } else { "FAILED\n" };
    print(&result_line(name, word))?;
    Ok(match why {
        None => ExitCode::SUCCESS,
        Some(error) => {
            report(error.as_bytes());
            ExitCode::FAILURE
        }
    })
}
