# SPDX-License-Identifier: MIT OR Apache-2.0
"""The hash functions BLAKE, BLAKE2, BLAKE3 and Groestl at the speed of the CPU they run on.

One message: hashlib's interface, for 23 algorithms.

>>> import finalist
>>> finalist.blake2b(b"message", digest_size=20).hexdigest()
'e92b7ca3c28b8da97f79d66334e75110e6a2f6b4'
>>> finalist.new("groestl256", b"message").digest_size
32

Many messages: hash_many for an iterable, hash_column for a column of Arrow, Polars, DuckDB,
pandas or numpy, hash_rows for the rows of their tables. They hash several messages side by side in
vector registers.

>>> finalist.hash_many([b"one", b"two"], "blake2s", digest_size=4)
[b'\\x91\\xebq]', b'\\x0f\\x0c6\\xa5']

Lengths are in bytes. docs/guide/python.md has more examples.
"""

from __future__ import annotations

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

# Importing typing would take longer than all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

#: Names that new, hash_many and hash_column take; each is a constructor's name, too.
algorithms_guaranteed = set(ALGORITHMS)
#: The same: nothing depends on the platform.
algorithms_available = set(ALGORITHMS)


def file_digest(fileobj: Any, digest: str | Callable[[], Any], /) -> Any:
    """The hash object of a file's content, as hashlib.file_digest.

    fileobj: a file open for reading in binary mode, read to its end. digest: a name of
    algorithms_available, or a function that returns a hash object. Errors: ValueError for a wrong
    name or a file that is not binary; OSError from reading.
    """
    import hashlib

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
