# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads tests/mutants/survivors.toml: the faults that no test can see, with reasons."""

import sys
import tomllib

FILE = "tests/mutants/survivors.toml"
MEMBERS = {"file", "function", "before", "after", "nth", "reason"}


def read(root):
    """Returns the reasons by the keys of the faults."""
    with (root / FILE).open("rb") as file:
        entries = tomllib.load(file).get("survivor", [])
    result = {}
    for entry in entries:
        key = (entry.get("file"), entry.get("function"), entry.get("before"), entry.get("after"),
               entry.get("nth", 1))
        if None in key or not entry.get("reason") or set(entry) - MEMBERS or key in result:
            sys.exit(f"{FILE}: wrong or duplicate: {entry}")
        result[key] = entry["reason"]
    return result
