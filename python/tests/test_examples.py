# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs the examples in README.md, docs/guide/python.md, the package's README and docstrings."""

import doctest
import importlib
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parents[2]


PAGES = [
    "README.md",
    "docs/guide/python.md",
    "docs/guide/recipes.md",
    "docs/guide/tables.md",
    "python/README.md",
]


@pytest.mark.parametrize("page", PAGES)
def test_pages(page):
    failed, count = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert count > 4
    assert failed == 0


@pytest.mark.parametrize(
    "name", ["", ".merkle", ".changes", ".manifest", ".parquet", ".polars", ".duckdb", ".tables"]
)
def test_docstrings(name):
    failed, count = doctest.testmod(importlib.import_module("finalist" + name))
    assert count > 1
    assert failed == 0
