# SPDX-License-Identifier: MIT OR Apache-2.0
"""Digests of columns of Dask dataframes.

>>> import dask.dataframe
>>> import pandas
>>> import finalist.dask
>>> frame = dask.dataframe.from_pandas(pandas.DataFrame({"x": ["one", "two"]}), npartitions=2)
>>> digests = finalist.dask.digest(frame["x"], "blake2s", digest_size=4)
>>> digests.compute().tolist()
[b'\\x91\\xebq]', b'\\x0f\\x0c6\\xa5']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd  # type: ignore[import-untyped,unused-ignore]
import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]

from ._hashing import Hashing
from ._keys import redacted

if TYPE_CHECKING:
    from typing_extensions import Buffer


@redacted
def digest(
    series: Any,
    algorithm: str,
    *,
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> Any:
    """Returns the digests of a Dask series' values as a series, null for null.

    series: binary or string values (string[pyarrow], which is Dask's default for text, an
    ArrowDtype, or a category). The other parameters are as in finalist.hash_many. Its errors and a
    TypeError for other values are raised at once, before anything is computed. The key is part of
    the graph, but not of its names and representations.
    """
    hashing = Hashing.of(algorithm, digest_size, key, salt, person)
    empty = _digest_partition(series._meta, hashing)
    return series.map_partitions(_digest_partition, hashing, meta=empty)


def _digest_partition(values: Any, hashing: Hashing) -> Any:
    """Returns the digests of a pandas series."""
    digests = hashing.column(pa.array(values, from_pandas=True), str(values.name))
    return pd.Series(pd.arrays.ArrowExtensionArray(digests), index=values.index, name=values.name)
