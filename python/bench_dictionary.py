# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures dictionary-encoded columns: a million rows of 1,000 distinct values of about 20 bytes,
hashed with BLAKE2s.

    python -P python/bench_dictionary.py [ROWS]

pyarrow, pandas and Polars must be installed. A round runs all ways one after the other; prints the
medians of nine rounds of CPU time, in nanoseconds a row.
"""

import statistics
import sys
import time

import finalist
import finalist.polars
import numpy
import pandas
import polars
import pyarrow

ROUNDS = 9
VALUES = 1000


def ways(rows):
    """Returns functions by name."""
    rng = numpy.random.default_rng(1)
    values = [f"value number {number} of all" for number in range(VALUES)]
    indices = rng.integers(0, VALUES, rows).astype(numpy.int32)

    def arrow(dictionary, mask=None):
        rows_ = pyarrow.array(indices, mask=mask)
        return pyarrow.DictionaryArray.from_arrays(rows_, pyarrow.array(dictionary))

    plain = pyarrow.array(numpy.array(values, dtype=object)[indices])
    enum = polars.Series("x", plain).cast(polars.Enum(values))
    categorical = enum.cast(polars.String).cast(polars.Categorical)
    columns = {
        "Arrow": arrow(values),
        "Arrow, a tenth of the rows null": arrow(values, rng.random(rows) < 0.1),
        "Arrow, null in the dictionary": arrow([None, *values[1:]]),
        "pandas Categorical": pandas.Series(pandas.Categorical.from_codes(indices, values)),
        "Polars Categorical": categorical,
        "Polars Enum": enum,
        "strings without a dictionary": plain,
    }
    found = {
        f"hash_column, {name}": lambda column=column: finalist.hash_column("blake2s", column)
        for name, column in columns.items()
    }
    for series in (categorical, enum):
        frame, digest = series.to_frame(), polars.col("x").fin.blake2s()
        name = f"fin.blake2s, Polars {str(series.dtype).split('(')[0]}"
        found[name] = lambda frame=frame, digest=digest: frame.select(digest)
    return found


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    functions = ways(rows)
    times = {name: [] for name in functions}
    for _ in range(ROUNDS):
        for name, function in functions.items():
            start = time.process_time()
            function()
            times[name].append((time.process_time() - start) / rows * 1e9)
    for name, found in times.items():
        print(f"{name:46}{statistics.median(found):7.1f}")


if __name__ == "__main__":
    main()
