# SPDX-License-Identifier: MIT OR Apache-2.0
"""The hash functions BLAKE, BLAKE2, BLAKE3 and Groestl at the full speed of the CPU.

Use blake3 for new formats, blake2b or blake2s where they are specified or keys, salts and other
digest lengths are needed, blake256 to blake512 and groestl256 to groestl512 where they are
specified. None of them is suitable for passwords: use hashlib.scrypt.

All lengths are in bytes. Data is any contiguous bytes-like object.

One message
-----------

Each algorithm is a class with hashlib's interface: update, digest, hexdigest, copy, name,
digest_size, block_size.

>>> import finalist
>>> finalist.blake2b(b"message", digest_size=20).hexdigest()
'e92b7ca3c28b8da97f79d66334e75110e6a2f6b4'
>>> finalist.new("groestl256", b"message").digest_size
32

    class                            digest_size             other parameters
    blake3                           digest(length=32)       key (32), derive_key_context
    blake2b, blake2bp                1 to 64                 key (64), salt (16), person (16)
    blake2s, blake2sp                1 to 32                 key (32), salt (8), person (8)
    blake2xb, blake2xs               any, also unknown       as blake2b, blake2s
    blake224, blake256               28, 32                  salt (16)
    blake384, blake512               48, 64                  salt (32)
    groestl224 to groestl512         28, 32, 48, 64 or less
    blake28 to blake64, groestl0_*   first submissions of BLAKE and Groestl, for compatibility

The number after a parameter is its greatest length; blake3's key and BLAKE's salts must have
exactly this length. blake2b and blake2s also take hashlib's parameters of tree mode; blake2bp and
blake2sp take threads, blake3 max_threads. file_digest hashes a file; blake3's update_mmap reads
one with max_threads.

Many messages
-------------

hash_many hashes an iterable, hash_column a column of Arrow, Polars, DuckDB, pandas or numpy,
hash_rows the rows of a table, hash_equal messages of one length. They hash several messages side
by side in vector registers. Parameters apply to all messages of a call; threads share the work.

>>> finalist.hash_many("blake2s", [b"one", b"two"], digest_size=4)
[b'\\x91\\xebq]', b'\\x0f\\x0c6\\xa5']

Modules
-------

    finalist.merkle      Merkle trees of RFC 9162, proofs, trees computed in parts
    finalist.changes     proofs of which rows changed between two versions of a table
    finalist.manifest    tables of files with digests and one root; verification, comparison
    finalist.parquet     digests of a column or of the rows of Parquet files
    finalist.polars      expressions: pl.col("x").fin.blake3()
    finalist.duckdb      SQL functions: select blake3(x)
    finalist.spark, finalist.ray, finalist.dask    the same on clusters

Errors and secrets
------------------

A wrong parameter raises a ValueError or TypeError that names it, before anything is hashed.
Implementations selected by default take constant time in keys and messages, which the compiled
library wipes from its memory. Python frees your own key objects without wiping them: pass a
bytearray and overwrite it.
"""

from __future__ import annotations

try:
    from ._finalist import (
        ALGORITHMS,
        Digests,
        Hash,
        __version__,
        blake2b,
        blake2bp,
        blake2s,
        blake2sp,
        blake2xb,
        blake2xs,
        blake3,
        blake28,
        blake32,
        blake48,
        blake64,
        blake224,
        blake256,
        blake384,
        blake512,
        groestl0_224,
        groestl0_256,
        groestl0_384,
        groestl0_512,
        groestl224,
        groestl256,
        groestl384,
        groestl512,
        hash_column,
        hash_equal,
        hash_many,
        hash_rows,
        new,
    )
except ModuleNotFoundError as error:
    if error.name != f"{__name__}._finalist":
        raise
    raise ImportError(
        f"finalist's compiled module is not beside {__file__}. Python cannot load it from a zip"
        " file or from the sources: install the wheel, or on a cluster send an environment that"
        " has it (docs/guide/cluster.md)"
    ) from None

# Importing typing would take longer than the rest of this module.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .tables import diff as diff
    from .tables import fingerprint as fingerprint


class _DigestSize:
    """The attribute digest_size of blake3: the default of the class, and each object's own."""

    def __get__(self, message: Hash | None, _: object = None) -> int:
        size: int = 32 if message is None else Hash.digest_size.__get__(message)
        return size


setattr(blake3, "digest_size", _DigestSize())  # noqa: B010

#: Names that new, hash_many and hash_column accept; each is also the name of a constructor.
algorithms_guaranteed = set(ALGORITHMS)
#: The same names: the algorithms do not depend on the platform.
algorithms_available = set(ALGORITHMS)


def __getattr__(name: str) -> Any:
    """Imports finalist.diff and fingerprint on first use, since they need pyarrow."""
    if name not in ("diff", "fingerprint"):
        raise AttributeError(f"module 'finalist' has no attribute {name!r}")
    try:
        from . import tables
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        from ._given import without_pyarrow

        raise without_pyarrow(f"finalist.{name} needs") from None
    return getattr(tables, name)


def file_digest(fileobj: Any, digest: str | Callable[[], Any], /) -> Any:
    """Returns the hash object of a file's content, as hashlib.file_digest does.

    fileobj: a file open for reading in binary mode, read to its end. digest: a name of
    algorithms_available, or a function that returns a hash object. Errors: ValueError for a wrong
    name or a file that is not binary; OSError from reading.
    """
    import hashlib

    is_read = hasattr(fileobj, "readinto") and hasattr(fileobj, "readable") and fileobj.readable()
    if not (is_read or hasattr(fileobj, "getbuffer")):
        raise ValueError(
            f"a file open for reading in binary mode is required, not {type(fileobj).__name__!r}"
        )
    constructor = (lambda: new(digest)) if isinstance(digest, str) else digest
    return hashlib.file_digest(fileobj, constructor)


__all__ = [
    "__version__",
    "Digests",
    "Hash",
    "algorithms_available",
    "algorithms_guaranteed",
    "blake224",
    "blake256",
    "blake28",
    "blake2b",
    "blake2bp",
    "blake2s",
    "blake2sp",
    "blake2xb",
    "blake2xs",
    "blake3",
    "blake32",
    "blake384",
    "blake48",
    "blake512",
    "blake64",
    "file_digest",
    "groestl0_224",
    "groestl0_256",
    "groestl0_384",
    "groestl0_512",
    "groestl224",
    "groestl256",
    "groestl384",
    "groestl512",
    "hash_column",
    "hash_equal",
    "hash_many",
    "hash_rows",
    "new",
]
