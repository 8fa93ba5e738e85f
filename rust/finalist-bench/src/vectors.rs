// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parses test vectors: one JSON object a line, in the format of vectors/README.md.

use finalist::{Algorithm, Params, TreeMode};
use finalist_files::message::counted;
use serde::{Deserialize, Serialize};

/// The maximal length of generated messages that are built whole, in chunks or in batches.
const GENERATED_BYTES_MAX: u64 = 1 << 24;

/// The only rule for generating batches.
const BATCH_RULE: &str = "msg_i = SHAKE256(\"batch\" || i as 4 bytes big-endian)[:msg_bytes]";

/// One known answer.
pub struct Vector {
    pub algorithm: Algorithm,
    pub given: Given,
    pub question: Question,
}

/// The parameters of a vector besides the message.
#[derive(Default)]
pub struct Given {
    digest_bytes: Option<u64>,
    unknown_length: bool,
    key: Vec<u8>,
    salt: Vec<u8>,
    personal: Vec<u8>,
    derive_key_context: Option<Vec<u8>>,
    tree: Option<TreeMode>,
}

/// A question and its answer.
pub enum Question {
    /// The digest of one message.
    Message {
        message: Message,
        bits: u64,
        digest: Vec<u8>,
    },
    /// The root of a tree of depth two.
    TwoLevelTree {
        message: Vec<u8>,
        tree: TwoLevelTree,
        digest: Vec<u8>,
    },
    /// NIST's Monte Carlo test: the digest after every thousand iterations.
    MonteCarlo {
        seed: Vec<u8>,
        digests: Vec<Vec<u8>>,
    },
    /// Many messages of one length: the digest of all digests, the first and the last one.
    Batch {
        batch: Batch,
        of_all: Vec<u8>,
        first: Option<Vec<u8>>,
        last: Option<Vec<u8>>,
    },
    /// SUPERCOP's checksum over messages of many lengths.
    Checksum {
        size: ChecksumSize,
        checksum: Vec<u8>,
    },
}

pub enum Message {
    Whole(Vec<u8>),
    Chunks { bytes: Vec<u8>, lengths: Vec<usize> },
    Repeated(Repeated),
}

/// `text`, repeated `count` times.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Repeated {
    #[serde(with = "hex::serde")]
    pub text: Vec<u8>,
    pub count: u64,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TwoLevelTree {
    pub fanout: u8,
    #[serde(rename = "leaf_size")]
    pub leaf_bytes: u32,
    #[serde(rename = "inner_size")]
    pub inner_bytes: u8,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    #[serde(rename = "msg_bytes")]
    pub message_bytes: u64,
    pub count: u32,
    rule: String,
}

#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChecksumSize {
    Small,
    Big,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct TreeNode {
    fanout: u8,
    depth: u8,
    leaf_size: u32,
    node_offset: u64,
    node_depth: u8,
    inner_size: u8,
    #[serde(default)]
    last_node: bool,
}

#[derive(Deserialize, Serialize)]
#[serde(transparent)]
struct Hex(#[serde(with = "hex::serde")] Vec<u8>);

/// The fields of a line. Each kind of vector removes its own; remaining ones are errors.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    alg: Option<String>,
    len_bits: Option<u64>,
    msg: Option<Hex>,
    md: Option<Hex>,
    out_bytes: Option<u64>,
    key: Option<Hex>,
    salt: Option<Hex>,
    personal: Option<Hex>,
    derive_key_context: Option<Hex>,
    r#gen: Option<Repeated>,
    chunks: Option<Vec<usize>>,
    tree: Option<TreeNode>,
    two_level_tree: Option<TwoLevelTree>,
    xof_unknown_length: Option<bool>,
    mct_seed: Option<Hex>,
    mct_md: Option<Vec<Hex>>,
    batch: Option<Batch>,
    md_of_mds: Option<Hex>,
    md_first: Option<Hex>,
    md_last: Option<Hex>,
    size: Option<ChecksumSize>,
    checksum: Option<Hex>,
    source: Option<serde_json::Value>,
}

impl Vector {
    /// Reads one line.
    ///
    /// # Errors
    /// Returns a description of the line's fault.
    pub fn parse(line: &[u8]) -> Result<Vector, String> {
        // The parser would also accept the fields' values in an array.
        if !line.trim_ascii_start().starts_with(b"{") {
            return Err("not a JSON object".into());
        }
        let mut line: Fields = serde_json::from_slice(line).map_err(|error| {
            // The line of the position is always 1.
            error
                .to_string()
                .replacen("at line 1 column", "at column", 1)
        })?;
        line.source = None;
        let name = required(&mut line.alg, "alg")?;
        let algorithm = Algorithm::from_name(&name).map_err(|e| format!("alg '{name}': {e}"))?;
        let given = line.take_given();
        let vector = Vector {
            algorithm,
            question: line.take_question(&given)?,
            given,
        };
        line.nothing_left()?;
        vector.check_lengths()?;
        Ok(vector)
    }

    /// Returns the parameters for the library.
    pub fn params(&self) -> Params<'_> {
        let given = &self.given;
        let params = Params::new()
            .key(&given.key)
            .salt(&given.salt)
            .personal(&given.personal);
        let params = given.tree.map_or(params, |tree| params.tree_mode(tree));
        let context = given.derive_key_context.as_ref();
        let params = context.map_or(params, |context| params.derive_key_context(context));
        match given.digest_bytes {
            _ if given.unknown_length => params.unknown_length(),
            Some(bytes) => params.digest_bytes(bytes),
            None => params,
        }
    }

    /// Returns the length of a digest.
    pub fn digest_bytes(&self) -> usize {
        let own = self.algorithm.info().digest_bytes;
        self.given
            .digest_bytes
            .map_or(own, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// Returns the compression function. Grøstl's depends on the digest's length.
    pub fn compression(&self) -> &'static str {
        let short = match self.algorithm {
            long if self.digest_bytes() > 32 => long,
            Algorithm::Groestl384 | Algorithm::Groestl512 => Algorithm::Groestl256,
            Algorithm::Groestl0_384 | Algorithm::Groestl0_512 => Algorithm::Groestl0_256,
            other => other,
        };
        short.info().compression
    }

    /// Checks lengths: a digest of a wrong length is an error of the line, not of the library.
    fn check_lengths(&self) -> Result<(), String> {
        let expected = self.digest_bytes();
        let check = |digest: &Vec<u8>, field: &str| match digest.len() {
            found if found == expected => Ok(()),
            found => Err(format!(
                "{field} has {} where the digest has {expected}",
                counted(found, "byte", "bytes")
            )),
        };
        match &self.question {
            Question::Message { digest, .. } | Question::TwoLevelTree { digest, .. } => {
                check(digest, "md")
            }
            Question::MonteCarlo { digests, .. } => digests
                .iter()
                .try_for_each(|digest| check(digest, "mct_md")),
            Question::Batch {
                of_all,
                first,
                last,
                ..
            } => {
                check(of_all, "md_of_mds")?;
                first
                    .iter()
                    .try_for_each(|digest| check(digest, "md_first"))?;
                last.iter().try_for_each(|digest| check(digest, "md_last"))
            }
            Question::Checksum { checksum, .. } if checksum.len() != 32 => {
                let bytes = counted(checksum.len(), "byte", "bytes");
                Err(format!("checksum has {bytes}, not 32"))
            }
            Question::Checksum { .. } => Ok(()),
        }
    }
}

impl Fields {
    fn take_given(&mut self) -> Given {
        Given {
            digest_bytes: self.out_bytes.take(),
            unknown_length: self.xof_unknown_length.take().unwrap_or(false),
            key: bytes(&mut self.key),
            salt: bytes(&mut self.salt),
            personal: bytes(&mut self.personal),
            derive_key_context: self.derive_key_context.take().map(|Hex(bytes)| bytes),
            tree: self.tree.take().map(|node| TreeMode {
                fanout: node.fanout,
                depth: node.depth,
                leaf_bytes: node.leaf_size,
                node_offset: node.node_offset,
                node_depth: node.node_depth,
                inner_bytes: node.inner_size,
                last_node: node.last_node,
            }),
        }
    }

    fn take_question(&mut self, given: &Given) -> Result<Question, String> {
        if self.mct_seed.is_some() {
            self.take_monte_carlo()
        } else if let Some(batch) = self.batch.take() {
            self.take_batch(batch)
        } else if self.checksum.is_some() {
            Ok(Question::Checksum {
                size: required(&mut self.size, "size")?,
                checksum: required_bytes(&mut self.checksum, "checksum")?,
            })
        } else if let Some(tree) = self.two_level_tree.take() {
            self.take_two_level_tree(tree, given)
        } else {
            self.take_message()
        }
    }

    fn take_message(&mut self) -> Result<Question, String> {
        let digest = required_bytes(&mut self.md, "md")?;
        let bits = required(&mut self.len_bits, "len_bits")?;
        let chunks = self.chunks.take();
        let message = match (self.r#gen.take(), chunks) {
            (Some(repeated), None) => Message::Repeated(repeated),
            (Some(repeated), Some(lengths)) => Message::Chunks {
                bytes: repeated.whole()?,
                lengths,
            },
            (None, Some(lengths)) => Message::Chunks {
                bytes: bytes(&mut self.msg),
                lengths,
            },
            (None, None) => Message::Whole(bytes(&mut self.msg)),
        };
        let found = message
            .bytes()
            .ok_or("the message is longer than 2^64 bytes")?;
        if found != bits.div_ceil(8) {
            return Err(format!(
                "len_bits is {bits}, but the message has {}",
                counted(found, "byte", "bytes")
            ));
        }
        if let Message::Chunks { lengths, .. } = &message {
            let sum = lengths
                .iter()
                .try_fold(0u64, |sum, &bytes| sum.checked_add(bytes as u64));
            if sum != Some(found) {
                return Err(format!(
                    "the chunks do not add up to the message's {}",
                    counted(found, "byte", "bytes")
                ));
            }
        }
        Ok(Question::Message {
            message,
            bits,
            digest,
        })
    }

    fn take_two_level_tree(
        &mut self,
        tree: TwoLevelTree,
        given: &Given,
    ) -> Result<Question, String> {
        if !given.key.is_empty() || given.tree.is_some() || given.unknown_length {
            return Err("two_level_tree goes with no key, tree or xof_unknown_length".into());
        }
        if tree.leaf_bytes == 0 {
            return Err("leaf_size of a two_level_tree is at least 1".into());
        }
        match self.take_message()? {
            Question::Message {
                message: Message::Whole(message),
                bits,
                digest,
            } if bits % 8 == 0 => Ok(Question::TwoLevelTree {
                message,
                tree,
                digest,
            }),
            _ => Err("two_level_tree goes with a msg of whole bytes only".into()),
        }
    }

    fn take_monte_carlo(&mut self) -> Result<Question, String> {
        let seed = required_bytes(&mut self.mct_seed, "mct_seed")?;
        let digests = required(&mut self.mct_md, "mct_md")?;
        let digests: Vec<_> = digests.into_iter().map(|Hex(digest)| digest).collect();
        match digests.first() {
            Some(digest) if digest.len() <= seed.len() => {
                Ok(Question::MonteCarlo { seed, digests })
            }
            Some(_) => Err("mct_seed is shorter than a digest".into()),
            None => Err("mct_md is empty".into()),
        }
    }

    fn take_batch(&mut self, batch: Batch) -> Result<Question, String> {
        if batch.rule != BATCH_RULE {
            return Err(format!("unknown rule of a batch: '{}'", batch.rule));
        }
        if batch.count == 0 {
            return Err("count of a batch is at least 1".into());
        }
        if batch.message_bytes > GENERATED_BYTES_MAX {
            return Err(format!(
                "msg_bytes of a batch is at most {GENERATED_BYTES_MAX}"
            ));
        }
        Ok(Question::Batch {
            batch,
            of_all: required_bytes(&mut self.md_of_mds, "md_of_mds")?,
            first: self.md_first.take().map(|Hex(digest)| digest),
            last: self.md_last.take().map(|Hex(digest)| digest),
        })
    }

    /// # Errors
    /// Returns the names of the fields that no part of the vector used.
    fn nothing_left(&self) -> Result<(), String> {
        let fields = serde_json::to_value(self).map_err(|error| error.to_string())?;
        let left: Vec<_> = fields
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, _)| name.as_str())
            .collect();
        if left.is_empty() {
            return Ok(());
        }
        Err(format!(
            "fields that do not go with the others: {}",
            left.join(", ")
        ))
    }
}

impl Message {
    /// Returns the message's length, including a last byte of fewer bits.
    fn bytes(&self) -> Option<u64> {
        match self {
            Message::Whole(bytes) | Message::Chunks { bytes, .. } => Some(bytes.len() as u64),
            Message::Repeated(repeated) => repeated.bytes(),
        }
    }
}

impl Repeated {
    fn bytes(&self) -> Option<u64> {
        (self.text.len() as u64).checked_mul(self.count)
    }

    fn whole(&self) -> Result<Vec<u8>, String> {
        match self.bytes() {
            Some(bytes) if bytes <= GENERATED_BYTES_MAX => {
                Ok(self.text.repeat(self.count as usize))
            }
            _ => Err(format!(
                "a generated message in chunks has at most {GENERATED_BYTES_MAX} bytes"
            )),
        }
    }
}

fn bytes(field: &mut Option<Hex>) -> Vec<u8> {
    field.take().map_or_else(Vec::new, |Hex(bytes)| bytes)
}

fn required<T>(field: &mut Option<T>, name: &str) -> Result<T, String> {
    field
        .take()
        .ok_or_else(|| format!("the field {name} is missing"))
}

fn required_bytes(field: &mut Option<Hex>, name: &str) -> Result<Vec<u8>, String> {
    required(field, name).map(|Hex(bytes)| bytes)
}

#[cfg(test)]
mod tests;
