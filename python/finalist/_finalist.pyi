# SPDX-License-Identifier: MIT OR Apache-2.0
# Types of the extension module, whose docstrings document the functions.
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import (
    Any,
    Final,
    Literal,
    Protocol,
    Self,
    SupportsIndex,
    TypeAlias,
    final,
    overload,
)

from typing_extensions import Buffer

ALGORITHMS: Final[tuple[str, ...]]
__version__: Final[str]

class ArrowArrayExportable(Protocol):
    def __arrow_c_array__(
        self, requested_schema: object | None = None, /
    ) -> tuple[object, object]: ...

class ArrowStreamExportable(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None, /) -> object: ...

# Objects that pyarrow converts to Arrow data: pandas objects and arrays, Datasets, Scanners, and
# Hugging Face's.
class _Array(Protocol):
    def __array__(self, *arguments: Any, **parameters: Any) -> Any: ...

class _ArrowArray(Protocol):
    def __arrow_array__(self, *arguments: Any, **parameters: Any) -> Any: ...

class _Dataset(Protocol):
    def scanner(self, *arguments: Any, **parameters: Any) -> Any: ...

class _Scanner(Protocol):
    def to_reader(self) -> Any: ...

class _Batches(Protocol):
    def with_format(self, *arguments: Any, **parameters: Any) -> Any: ...
    def iter(self, *arguments: Any, **parameters: Any) -> Any: ...

ArrowData: TypeAlias = (
    ArrowArrayExportable
    | ArrowStreamExportable
    | _Array
    | _ArrowArray
    | _Dataset
    | _Scanner
    | _Batches
    | dict[str, Any]
    | list[Any]
    | tuple[Any, ...]
)

class Hash:
    MAX_DIGEST_SIZE: Final[int]
    MAX_KEY_SIZE: Final[int]
    SALT_SIZE: Final[int]
    PERSON_SIZE: Final[int]
    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, data: Buffer, /) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def copy(self) -> Self: ...

# These classes exist only in the stub. Each is for algorithms with the same arguments.
class _Blake(Hash):
    def __new__(
        cls, data: Buffer = b"", /, *, salt: Buffer = b"", usedforsecurity: bool = True
    ) -> Self: ...

class _Blake2(Hash):
    def __new__(
        cls,
        data: Buffer = b"",
        /,
        *,
        digest_size: SupportsIndex = ...,
        key: Buffer = b"",
        salt: Buffer = b"",
        person: Buffer = b"",
        fanout: SupportsIndex = 1,
        depth: SupportsIndex = 1,
        leaf_size: SupportsIndex = 0,
        node_offset: SupportsIndex = 0,
        node_depth: SupportsIndex = 0,
        inner_size: SupportsIndex = 0,
        last_node: bool = False,
        usedforsecurity: bool = True,
    ) -> Self: ...

class _Blake2Leaves(Hash):
    def __new__(
        cls,
        data: Buffer = b"",
        /,
        *,
        digest_size: SupportsIndex = ...,
        key: Buffer = b"",
        salt: Buffer = b"",
        person: Buffer = b"",
        threads: int = 1,
        usedforsecurity: bool = True,
    ) -> Self: ...

class _Blake2X(Hash):
    def __new__(
        cls,
        data: Buffer = b"",
        /,
        *,
        digest_size: SupportsIndex | None = None,
        key: Buffer = b"",
        salt: Buffer = b"",
        person: Buffer = b"",
        usedforsecurity: bool = True,
    ) -> Self: ...
    def digest(self, length: int | None = None, /) -> bytes: ...
    def hexdigest(self, length: int | None = None, /) -> str: ...

class _Groestl(Hash):
    def __new__(
        cls,
        data: Buffer = b"",
        /,
        *,
        digest_size: SupportsIndex = ...,
        usedforsecurity: bool = True,
    ) -> Self: ...

@final
class blake224(_Blake): ...

@final
class blake256(_Blake): ...

@final
class blake384(_Blake): ...

@final
class blake512(_Blake): ...

@final
class blake28(_Blake): ...

@final
class blake32(_Blake): ...

@final
class blake48(_Blake): ...

@final
class blake64(_Blake): ...

@final
class blake2b(_Blake2): ...

@final
class blake2s(_Blake2): ...

@final
class blake2bp(_Blake2Leaves): ...

@final
class blake2sp(_Blake2Leaves): ...

@final
class blake2xb(_Blake2X): ...

@final
class blake2xs(_Blake2X): ...

@final
class blake3(Hash):
    AUTO: Final[int]
    name: Final[str]  # type: ignore[override,unused-ignore]
    digest_size: Final[int]  # type: ignore[override,unused-ignore]
    block_size: Final[int]  # type: ignore[override,unused-ignore]
    key_size: Final[int]
    def __new__(
        cls,
        data: Buffer | None = None,
        /,
        *,
        key: Buffer | None = None,
        derive_key_context: str | None = None,
        digest_size: SupportsIndex = 32,
        max_threads: int = 1,
        usedforsecurity: bool = True,
    ) -> Self: ...
    def update(self, data: Buffer, /) -> Self: ...  # type: ignore[override]
    def update_mmap(self, path: str | PathLike[str]) -> Self: ...
    def digest(self, length: int | None = None, *, seek: int = 0) -> bytes: ...
    def hexdigest(self, length: int | None = None, *, seek: int = 0) -> str: ...
    def reset(self) -> None: ...

@final
class groestl224(_Groestl): ...

@final
class groestl256(_Groestl): ...

@final
class groestl384(_Groestl): ...

@final
class groestl512(_Groestl): ...

@final
class groestl0_224(_Groestl): ...

@final
class groestl0_256(_Groestl): ...

@final
class groestl0_384(_Groestl): ...

@final
class groestl0_512(_Groestl): ...

@final
class Digests:
    def __new__(cls, digests: bytes, digest_size: int, validity: bytes | None = None) -> Self: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def null_count(self) -> int: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> bytes | None: ...
    @overload
    def __getitem__(self, index: slice, /) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def hex(self) -> list[str | None]: ...
    def to_pylist(self) -> list[bytes | None]: ...
    def to_list(self) -> list[bytes | None]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def check_threads(threads: int, /) -> int: ...
def new(name: str, data: Buffer = b"", **keywords: Any) -> Any: ...
@overload
def hash_many(
    algorithm: str,
    messages: Iterable[Buffer],
    *,
    digest_size: SupportsIndex | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
    derive_key_context: str | None = None,
    threads: int = 1,
    joined: Literal[False] = False,
) -> list[bytes]: ...
@overload
def hash_many(
    algorithm: str,
    messages: Iterable[Buffer],
    *,
    digest_size: SupportsIndex | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
    derive_key_context: str | None = None,
    threads: int = 1,
    joined: Literal[True],
) -> bytes: ...
def hash_equal(
    algorithm: str,
    messages: Buffer,
    message_size: int,
    *,
    digest_size: SupportsIndex | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
    derive_key_context: str | None = None,
    threads: int = 1,
) -> bytes: ...
def hash_column(
    algorithm: str,
    column: ArrowData,
    *,
    digest_size: SupportsIndex | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
    derive_key_context: str | None = None,
    threads: int = 1,
) -> Digests: ...
def hash_rows(
    table: ArrowData,
    algorithm: str,
    columns: Sequence[str] | None = None,
    *,
    index: bool = False,
    version: Literal[1, 2] | None = None,
    numbers: Literal["exact", "by-value"] = "exact",
    digest_size: SupportsIndex | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
    derive_key_context: str | None = None,
    threads: int = 1,
) -> Digests: ...

@final
class Secret:
    def __new__(cls, value: Buffer) -> Self: ...
    def __len__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class KeyedRows:
    def __new__(
        cls, algorithm: str, key: Buffer, keys: list[str], columns: list[str], numbers: str
    ) -> Self: ...
    def walk(self, old: ArrowData, new: ArrowData, looks: int) -> list[bytes]: ...
    def records(self, table: ArrowData, threads: int) -> bytes: ...

@final
class Sums:
    def __new__(cls, rows: int) -> Self: ...
    def __len__(self) -> int: ...
    def add(self, rows: KeyedRows, table: ArrowData, threads: int) -> None: ...
    def unequal(self, other: Sums) -> Unequal: ...

@final
class Unequal:
    def __new__(cls, old: Buffer, new: Buffer) -> Self: ...
    @staticmethod
    def of_keys(records: Buffer) -> Unequal: ...
    def __len__(self) -> int: ...
    def places(self, rows: KeyedRows, table: ArrowData, threads: int) -> bytes: ...

@final
class Matches:
    def __new__(cls, old: Buffer) -> Self: ...
    def add(self, new: Buffer) -> bytes: ...
    def finish(self) -> list[bytes]: ...

@final
class SortedRows:
    def __new__(cls, rows: int) -> Self: ...
    def add(self, digests: Buffer) -> None: ...
    def add_keyed(self, rows: KeyedRows, table: ArrowData, threads: int) -> None: ...
    def __len__(self) -> int: ...
    def matches(self) -> Matches: ...
    def records(self, first: int, count: int) -> bytes: ...
    def key_digests(self, rows: Sequence[int]) -> list[bytes]: ...
    def leaf_hashes(self, tree: MerkleTree, first: int = 0, count: int = ...) -> bytes: ...
    def root(self, tree: MerkleTree, head: bytes) -> bytes: ...
    def parts(self, bits: int) -> list[bytes]: ...

@final
class MerkleTree:
    def __new__(
        cls,
        algorithm: str,
        digest_size: SupportsIndex | None,
        key: Buffer,
        salt: Buffer,
        person: Buffer,
    ) -> Self: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    def __len__(self) -> int: ...
    def leaf_hash(self, leaf: Buffer) -> bytes: ...
    def row_hashes(
        self,
        table: ArrowData,
        columns: Sequence[str] | None,
        index: bool,
        numbers: Literal["exact", "by-value"],
        threads: int,
    ) -> bytes: ...
    def parents(self, hashes: Buffer) -> bytes: ...
    def extend(self, leaves: Iterable[Buffer], threads: int) -> None: ...
    def root(self) -> bytes: ...
    def inclusion(self, index: int) -> tuple[int, list[bytes]]: ...
    def consistency(self, old_count: int) -> tuple[int, list[bytes]]: ...
    def verify_consistency(
        self, old_count: int, old_root: bytes, leaf_count: int, root: bytes, proof: bytes
    ) -> bool: ...

class ManifestError(ValueError): ...

_Told: TypeAlias = Callable[[int, int, int, int, bytes], object]
#: path, size, digest, status; modified_ns, changed_ns, inode, mode; target
_Row: TypeAlias = tuple[
    bytes,
    int | None,
    bytes | None,
    str,
    int | None,
    int | None,
    int | None,
    int | None,
    bytes | None,
]

@final
class Manifest:
    @staticmethod
    def open(copy: str, file: str, key: Buffer) -> Manifest: ...
    @staticmethod
    def create(
        directory: str,
        file: str,
        algorithm: str,
        digest_size: SupportsIndex | None,
        key: Buffer,
        salt: Buffer,
        person: Buffer,
        threads: int,
        metadata: bool,
        callback: _Told | None,
    ) -> Manifest: ...
    @staticmethod
    def write(
        rows: Iterable[_Row],
        file: str,
        algorithm: str,
        digest_size: SupportsIndex | None,
        key: Buffer,
        salt: Buffer,
        person: Buffer,
    ) -> Manifest: ...
    def update(
        self, directory: str, file: str, threads: int, callback: _Told | None
    ) -> Manifest: ...
    def verify(
        self, directory: str, threads: int, callback: _Told | None
    ) -> list[tuple[str, bytes, bytes | None]]: ...
    def compare(self, rows: Iterable[_Row]) -> list[tuple[str, bytes, bytes | None]]: ...
    def diff(self, new: Manifest) -> list[tuple[str, bytes, bytes | None]]: ...
    def prove(self, path: bytes) -> str: ...
    def duplicates(
        self, other: Manifest | None
    ) -> list[tuple[int, bytes, tuple[bytes, ...], tuple[bytes, ...]]]: ...
    def rows(self) -> ManifestRows: ...
    def secrets(self) -> tuple[Secret, bytes, bytes]: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def metadata(self) -> bool: ...
    @property
    def count(self) -> int: ...
    @property
    def root(self) -> bytes: ...
    @property
    def statuses(self) -> dict[str, int]: ...

@final
class ManifestRows:
    def batch(self) -> list[_Row]: ...

def proved(proof: bytes, key: Buffer) -> tuple[_Row, bytes]: ...
