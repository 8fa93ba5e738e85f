# SPDX-License-Identifier: MIT OR Apache-2.0
"""Digests of a column of a Dask dataframe, and the root of its rows.

    pip install . "dask[dataframe]" pyarrow
    python examples/dask_digests.py
"""

import dask
import dask.dataframe
import finalist.dask
import pandas as pd
from finalist import merkle

KEY = b"only the data's owner knows it"


def leaf_hashes(partition):
    """A partition's rows as leaves of a Merkle tree."""
    return merkle.row_hashes(partition, "blake2s", key=KEY)


def main():
    names = pd.DataFrame({"name": [f"customer {row}" for row in range(100_000)]})
    frame = dask.dataframe.from_pandas(names, npartitions=4)

    frame = frame.assign(digest=finalist.dask.digest(frame["name"], "blake2s", key=KEY))
    print(frame.head(3))

    # Each partition is a range of the tree, which begins where the one before it ended.
    hashes = dask.compute(*[dask.delayed(leaf_hashes)(part) for part in frame.to_delayed()])
    ranges, first = [], 0
    for part in hashes:
        ranges.append(merkle.range_root(part, "blake2s", first=first, key=KEY))
        first = ranges[-1].end
    root = merkle.combine(ranges, key=KEY).root(key=KEY)
    print(f"{first} rows, root {root.hex()}")

    # One piece has the same root.
    whole = merkle.range_root(leaf_hashes(frame.compute()), "blake2s", key=KEY)
    print("the same root" if whole.root(key=KEY) == root else "another root")


if __name__ == "__main__":
    main()
