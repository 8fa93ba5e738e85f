# SPDX-License-Identifier: MIT OR Apache-2.0
"""Keys do not appear in errors, tracebacks or printed objects."""

import ast
import pathlib
import traceback

import duckdb
import finalist
import finalist.duckdb
import finalist.merkle
import finalist.parquet
import finalist.polars
import polars
import pytest
from finalist import _finalist, _keys
from finalist._hashing import Hashing


def interrupted():
    yield b""
    raise KeyboardInterrupt


def test_keys_are_in_no_variable_of_a_traceback():
    key = b"correct horse battery staple"
    expression = polars.col("x")
    connection = duckdb.connect()
    calls = [
        lambda: finalist.blake2b(b"", key=key, digest_size=65),
        lambda: finalist.hash_many("blake2b", [5], key=key),
        lambda: finalist.hash_column("blake2b", 5, key=key),
        lambda: finalist.polars.hash(expression, "blake2b", key=key, digest_size=65),
        lambda: expression.fin.hash("blake2b", key=key, digest_size=65),
        lambda: expression.fin.blake2b(key=key, digest_size=65),
        lambda: finalist.duckdb.register(connection, "blake2b", key=key, digest_size=65),
        lambda: finalist.merkle.Tree("blake2b", key=key, digest_size=65),
        lambda: finalist.merkle.root([5], "blake2b", key=key),
        lambda: finalist.merkle.leaf_hashes(interrupted(), "blake2b", key=key),
        lambda: finalist.merkle.row_hashes(5, "blake2b", key=key),
        lambda: finalist.merkle.range_root(b"5", "blake2b", key=key),
        lambda: finalist.merkle.combine([], key=key),
        lambda: finalist.parquet.hash_parquet("", "", "md5", column="x", key=key),
    ]
    for call in calls:
        with pytest.raises((TypeError, ValueError, KeyboardInterrupt)) as caught:
            call()
        trace = caught.value.__traceback__
        own = 2  # Frames of this test.
        for _ in range(own):
            trace = trace.tb_next
        shown = traceback.TracebackException(
            type(caught.value), caught.value, trace, capture_locals=True
        )
        assert "horse" not in "".join(shown.format()), call


def test_the_callers_own_error_keeps_its_traceback():
    try:
        raise LookupError("the caller's")
    except LookupError as own:
        with pytest.raises(ValueError) as caught:
            finalist.merkle.combine([], key=b"key")
        assert caught.value.__context__ is own
        assert own.__traceback__ is not None


def test_all_errors_behind_an_error_lose_their_tracebacks():
    """Python prints the cause or the context; a debugger shows both."""

    @_keys.redacted
    def fail(key):
        try:
            raise LookupError("the cause")
        except LookupError as error:
            cause = error
        try:
            raise OSError("the context")
        except OSError:
            raise ValueError("wrong") from cause

    with pytest.raises(ValueError, match="wrong") as caught:
        fail(b"key")
    assert str(caught.value.__cause__) == "the cause"
    assert str(caught.value.__context__) == "the context"
    assert caught.value.__cause__.__traceback__ is caught.value.__context__.__traceback__ is None


def test_an_error_that_is_its_own_cause_ends():
    def leaves():
        error = ValueError("wrong")
        raise error from error
        yield

    with pytest.raises(ValueError, match="wrong"):
        finalist.merkle.leaf_hashes(leaves(), key=b"key")


def test_keys_are_hidden_wherever_they_are_taken():
    """All functions of public modules hide them, also for engines that are not installed here."""
    taking = []
    for file in pathlib.Path(finalist.__file__).parent.glob("[!_]*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.FunctionDef):
                continue
            names = {argument.arg for argument in [*node.args.args, *node.args.kwonlyargs]}
            if "key" in names and (node.name.startswith("__") or node.name[0] != "_"):
                taking.append(node.name)
                decorators = {name.id for name in node.decorator_list if isinstance(name, ast.Name)}
                assert "redacted" in decorators, f"{file.name}: {node.name}"
    assert len(taking) > 20


def test_the_names_of_tasks_do_not_depend_on_the_key():
    """Dask names equal tasks alike, whose results it may keep; names of keyed ones are random."""
    for key in (b"", b"key"):
        names = {Hashing.of("blake2s", key=key).__dask_tokenize__() for _ in range(3)}
        assert len(names) == (3 if key else 1)


def test_an_error_with_a_cause_of_its_own_while_another_is_handled():
    @_keys.redacted
    def fail():
        raise ValueError("wrong") from KeyError("cause")

    try:
        raise OSError
    except OSError:
        with pytest.raises(ValueError, match="wrong"):
            fail()


def test_a_kept_key_cannot_be_changed():
    kept = _finalist.Secret(bytearray(b"a key"))
    view = memoryview(kept)
    assert view.readonly and bytes(view) == b"a key" and len(kept) == 5
    with pytest.raises(TypeError):
        view[0] = 0


def test_a_kept_key_is_wiped_only_after_its_views():
    views = [memoryview(_finalist.Secret(bytes([place]) * 5000)) for place in range(20)]
    assert [bytes(view) for view in views] == [bytes([place]) * 5000 for place in range(20)]
