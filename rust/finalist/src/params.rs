// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters of an algorithm.

use core::fmt;
use core::ptr;

use finalist_sys as sys;

use crate::{Algorithm, Error};

/// Parameters of BLAKE2's tree mode for one node (BLAKE2 paper, section 2.10). The default is
/// sequential hashing: fanout 1, depth 1, the rest zero. [`tree_mode`](crate::tree_mode) hashes
/// whole trees.
///
/// ```
/// use finalist::{Algorithm, Params, TreeMode, hash};
/// let leaf = TreeMode { fanout: 2, depth: 2, inner_bytes: 64, ..TreeMode::default() };
/// hash(Algorithm::Blake2b, &Params::new().tree_mode(leaf), b"left half")?;
/// # Ok::<(), finalist::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TreeMode {
    /// Children of a node; 0: unlimited.
    pub fanout: u8,
    /// Levels of the tree, 1 to 255; 255: unlimited.
    pub depth: u8,
    /// Bytes of message in a leaf; 0: unlimited.
    pub leaf_bytes: u32,
    /// Index of this node in its level. BLAKE2s: below 2^48.
    pub node_offset: u64,
    /// Level of this node; 0: a leaf.
    pub node_depth: u8,
    /// Digest length of inner nodes: up to 64 (BLAKE2b), 32 (BLAKE2s).
    pub inner_bytes: u8,
    /// This node is the last of its level.
    pub last_node: bool,
}

impl Default for TreeMode {
    fn default() -> TreeMode {
        TreeMode {
            fanout: 1,
            depth: 1,
            leaf_bytes: 0,
            node_offset: 0,
            node_depth: 0,
            inner_bytes: 0,
            last_node: false,
        }
    }
}

impl TreeMode {
    fn to_c(self) -> sys::fin_tree_mode {
        sys::fin_tree_mode {
            fanout: self.fanout,
            depth: self.depth,
            leaf_bytes: self.leaf_bytes,
            node_offset: self.node_offset,
            node_depth: self.node_depth,
            inner_bytes: self.inner_bytes,
            last_node: self.last_node,
        }
    }
}

/// Parameters of an algorithm. [`Params::new`] means the plain function.
///
/// Nothing is checked here: [`Hasher::new`](crate::Hasher::new) and [`hash`](crate::hash) return
/// the error. Empty slices mean that the parameter is not used.
///
/// ```
/// use finalist::{Algorithm, Params, hash};
/// let params = Params::new().digest_bytes(32).key(b"secret").personal(b"invoice");
/// assert_eq!(hash(Algorithm::Blake2b, &params, b"")?.len(), 32);
/// # Ok::<(), finalist::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Params<'a> {
    digest_bytes: u64,
    key: &'a [u8],
    salt: &'a [u8],
    personal: &'a [u8],
    tree_mode: Option<TreeMode>,
    derive_key_context: Option<&'a [u8]>,
}

impl<'a> Params<'a> {
    /// Makes the parameters of the plain function: the algorithm's own digest length, nothing else.
    ///
    /// ```
    /// use finalist::{Algorithm, Params, hash};
    /// assert_eq!(hash(Algorithm::Blake384, &Params::new(), b"")?.len(), 48);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub const fn new() -> Params<'a> {
        Params {
            digest_bytes: 0,
            key: &[],
            salt: &[],
            personal: &[],
            tree_mode: None,
            derive_key_context: None,
        }
    }

    /// Sets the digest length; 0: the algorithm's own.
    ///
    /// BLAKE: the algorithm's own only. BLAKE2: 1 to 64 (b) or 32 (s). BLAKE2X: up to 2^32 - 2 (Xb)
    /// or 2^16 - 2 (Xs); see also [`unknown_length`](Params::unknown_length). Grøstl: 1 to the
    /// named length; each length n has its own initial value (Grøstl-8n), so no digest is a
    /// truncation of another. BLAKE3: any; a short output is the beginning of every longer one.
    ///
    /// ```
    /// use finalist::{Algorithm, Params, hash};
    /// assert_eq!(hash(Algorithm::Groestl512, &Params::new().digest_bytes(40), b"")?.len(), 40);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub const fn digest_bytes(mut self, bytes: u64) -> Params<'a> {
        self.digest_bytes = bytes;
        self
    }

    /// Leaves the output's length open, BLAKE2X and BLAKE3 only. Take the output with
    /// [`Hasher::squeeze`](crate::Hasher::squeeze) or
    /// [`Hasher::finalize_into`](crate::Hasher::finalize_into).
    ///
    /// ```
    /// use finalist::{Algorithm, Params, hash_into};
    /// let mut output = [0; 300];
    /// hash_into(Algorithm::Blake2xs, &Params::new().unknown_length(), b"seed", &mut output)?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub const fn unknown_length(self) -> Params<'a> {
        self.digest_bytes(sys::FIN_XOF_UNKNOWN)
    }

    /// Sets the key. BLAKE2: up to 64 (b) or 32 (s) bytes. BLAKE3: exactly 32.
    ///
    /// ```
    /// use finalist::{Algorithm, Params, hash};
    /// let tag = hash(Algorithm::Blake2s, &Params::new().digest_bytes(16).key(b"secret"), b"text")?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub const fn key(mut self, key: &'a [u8]) -> Params<'a> {
        self.key = key;
        self
    }

    /// Sets the salt. BLAKE: exactly 16 (224, 256, 28, 32) or 32 bytes. BLAKE2: up to 16 (b) or 8
    /// (s), padded with zeros.
    ///
    /// ```
    /// use finalist::{Algorithm, Params, hash};
    /// hash(Algorithm::Blake256, &Params::new().salt(b"sixteen bytes..."), b"text")?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub const fn salt(mut self, salt: &'a [u8]) -> Params<'a> {
        self.salt = salt;
        self
    }

    /// Sets the personalisation, BLAKE2 only: up to 16 (b) or 8 (s) bytes, padded with zeros.
    ///
    /// ```
    /// use finalist::{Algorithm, Params, hash};
    /// // Zcash, ZIP 244: the digest of a transaction without transparent inputs and outputs.
    /// let zcash = Params::new().digest_bytes(32).personal(b"ZTxIdTranspaHash");
    /// assert_eq!(hash(Algorithm::Blake2b, &zcash, b"")?[..4], [0xc3, 0x3f, 0x2e, 0x95]);
    /// // Zcash, the Equihash of version 4 blocks: "ZcashPoW", n, k.
    /// let (n, k) = (200_u32, 9_u32);
    /// let personal = [&b"ZcashPoW"[..], &n.to_le_bytes(), &k.to_le_bytes()].concat();
    /// hash(Algorithm::Blake2b, &Params::new().digest_bytes(50).personal(&personal), b"header")?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub const fn personal(mut self, personal: &'a [u8]) -> Params<'a> {
        self.personal = personal;
        self
    }

    /// Sets the parameters of one node of a tree, BLAKE2b and BLAKE2s only.
    ///
    /// ```
    /// use finalist::{Algorithm, Params, TreeMode, hash};
    /// let root = TreeMode {
    ///     fanout: 0, depth: 2, node_depth: 1, inner_bytes: 32, last_node: true,
    ///     ..TreeMode::default()
    /// };
    /// let children = [[1; 32], [2; 32]].concat();
    /// hash(Algorithm::Blake2s, &Params::new().tree_mode(root), &children)?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub const fn tree_mode(mut self, tree_mode: TreeMode) -> Params<'a> {
        self.tree_mode = Some(tree_mode);
        self
    }

    /// Sets the context of BLAKE3's key derivation, which names the purpose of the derived key. It
    /// is hard-coded, unique in the world, and not secret. The message is the key material, the
    /// digest the derived key. Not together with a key.
    ///
    /// ```
    /// use finalist::{Algorithm, Params, hash};
    /// let purpose = Params::new().derive_key_context(b"example.com 2026-11-23 session tokens v1");
    /// let session_key = hash(Algorithm::Blake3, &purpose, b"key material")?;
    /// assert_eq!(session_key.len(), 32);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub const fn derive_key_context(mut self, context: &'a [u8]) -> Params<'a> {
        self.derive_key_context = Some(context);
        self
    }

    /// The same with this digest length, unless there is another one.
    pub(crate) fn of_digest_bytes(self, bytes: u64) -> Result<Params<'a>, Error> {
        if self.digest_bytes != 0 && self.digest_bytes != bytes {
            return Err(Error::DigestLength);
        }
        Ok(self.digest_bytes(bytes))
    }

    /// The same with a length that is not known in advance, unless there is one.
    pub(crate) fn or_unknown_length(self) -> Params<'a> {
        if self.digest_bytes == 0 {
            return self.unknown_length();
        }
        self
    }

    /// True if there is a key.
    pub(crate) const fn has_key(&self) -> bool {
        !self.key.is_empty()
    }

    /// Calls `with` with the parameters as the C library takes them.
    pub(crate) fn with_c<R>(&self, with: impl FnOnce(*const sys::fin_params) -> R) -> R {
        if self.is_default() {
            return with(ptr::null());
        }
        let tree_mode = self.tree_mode.map(TreeMode::to_c);
        with(&sys::fin_params {
            digest_bytes: self.digest_bytes,
            key: pointer(self.key),
            key_bytes: self.key.len(),
            salt: pointer(self.salt),
            salt_bytes: self.salt.len(),
            personal: pointer(self.personal),
            personal_bytes: self.personal.len(),
            tree_mode: tree_mode.as_ref().map_or(ptr::null(), ptr::from_ref),
            // Not null for an empty one, which is a context, too.
            derive_key_context: self
                .derive_key_context
                .map_or(ptr::null(), |context| context.as_ptr().cast()),
            derive_key_context_bytes: self.derive_key_context.map_or(0, <[u8]>::len),
        })
    }

    /// True if nothing is set: null in C, which has a shorter way for it.
    fn is_default(&self) -> bool {
        self.digest_bytes == 0
            && self.key.is_empty()
            && self.salt.is_empty()
            && self.personal.is_empty()
            && self.tree_mode.is_none()
            && self.derive_key_context.is_none()
    }

    /// The length of the digest in a `Vec`, so checked before anything is allocated.
    ///
    /// # Errors
    /// [`Error::DigestLength`], or [`Error::OutputLength`] if the length is not known.
    pub(crate) fn digest_length(&self, algorithm: Algorithm) -> Result<usize, Error> {
        let info = algorithm.description();
        match self.digest_bytes {
            0 => Ok(info.digest_bytes as usize),
            sys::FIN_XOF_UNKNOWN => Err(Error::OutputLength),
            bytes if bytes < info.digest_bytes_min || bytes > info.digest_bytes_max => {
                Err(Error::DigestLength)
            }
            bytes => usize::try_from(bytes).map_err(|_| Error::DigestLength),
        }
    }
}

/// Null for an empty slice, as the C library expects of a parameter that is not used.
fn pointer(bytes: &[u8]) -> *const u8 {
    if bytes.is_empty() {
        ptr::null()
    } else {
        bytes.as_ptr()
    }
}

/// Shows everything but the key, of which only the length.
impl fmt::Debug for Params<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Params")
            .field("digest_bytes", &self.digest_bytes)
            .field("key_bytes", &self.key.len())
            .field("salt", &self.salt)
            .field("personal", &self.personal)
            .field("tree_mode", &self.tree_mode)
            .field("derive_key_context", &self.derive_key_context)
            .finish()
    }
}
