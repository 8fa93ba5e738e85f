# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests the package's effects on its process: signals, forks, subinterpreters, time and size."""

import _thread
import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import finalist
import pyarrow as pa
import pytest

EXTENSION = pathlib.Path(finalist._finalist.__file__)


def run(program):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("call", ["blake2b()", "new('blake3')", "hash_many('blake2s', [b''])"])
def test_a_wrong_variable_of_the_environment_is_no_error_of_the_call(call):
    program = f"""
import finalist
try:
    finalist.{call}
except RuntimeError as error:
    print(error)
"""
    environment = {**os.environ, "FINALIST_IMPL": "nosuch"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    assert "FINALIST_IMPL" in done.stdout, done


#: Calls that hash for many seconds on any CPU, with little memory.
PROGRAMS = {
    "many rows": """
        column = pa.array([bytes(4096)] * 4096, pa.binary())
        column = pa.chunked_array([column] * 4000)
        finalist.hash_column("groestl512", column, threads=THREADS)
    """,
    "one long value": """
        column = pa.array([bytes(1 << 30)], pa.large_binary())
        column = pa.chunked_array([column] * 60)
        finalist.hash_column("groestl512", column, threads=THREADS)
    """,
    "many rows of one array": """
        views = struct.pack("=i4sii", 4096, bytes(4), 0, 0) * 4_000_000
        buffers = [None, pa.py_buffer(views), pa.py_buffer(bytes(4096))]
        column = pa.Array.from_buffers(pa.binary_view(), 4_000_000, buffers)
        finalist.hash_column("groestl512", column, threads=THREADS)
    """,
    "many rows of one table": """
        views = struct.pack("=i4sii", 4096, bytes(4), 0, 0) * 4_000_000
        buffers = [None, pa.py_buffer(views), pa.py_buffer(bytes(4096))]
        column = pa.Array.from_buffers(pa.binary_view(), 4_000_000, buffers)
        finalist.hash_rows(pa.table({"x": column}), "groestl512", threads=THREADS)
    """,
    "messages of one length": """
        messages = mmap.mmap(-1, 8 << 30, prot=mmap.PROT_READ)
        finalist.hash_equal("groestl512", messages, 4096, threads=THREADS)
    """,
}


@pytest.mark.slow
@pytest.mark.parametrize("call", PROGRAMS.values(), ids=PROGRAMS.keys())
@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupt_stops_a_long_call_within_a_second(call, threads):
    *before, call = textwrap.dedent(call).strip().splitlines()
    before = "\n".join(before)
    program = f"""
import finalist, mmap, os, pyarrow as pa, signal, struct, threading, time
{before}
sent = []
def interrupt():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.3, interrupt).start()
try:
    {call.replace("THREADS", str(threads))}
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
"""
    result = run(program)
    assert result.returncode == 0, result.stderr
    assert float(result.stdout) < 1


def test_another_threads_interrupt_is_its_own():
    """A thread that hashes beside the main one runs to its end."""
    found = []
    column = pa.array([bytes(1000)] * 100_000, pa.binary())
    worker = threading.Thread(target=lambda: found.append(finalist.hash_column("blake2b", column)))
    with pytest.raises(KeyboardInterrupt):
        worker.start()
        _thread.interrupt_main()
        time.sleep(5)
    worker.join()
    assert len(found[0]) == 100_000


def digests_of(threads):
    column = pa.array([b"%d" % i for i in range(20_000)], pa.binary())
    return finalist.hash_column("blake2s", column, threads=threads).to_list()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_hashes():
    expected = digests_of(2)
    finalist.blake2bp(bytes(1 << 21), threads=2)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for found in pool.map_async(digests_of, [1, 2, 3]).get(timeout=60):
            assert found == expected


@pytest.mark.parametrize("is_first", [True, False])
def test_subinterpreters_are_refused(is_first):
    """Otherwise the process could end: objects of PyO3 would outlive their interpreter."""
    result = run(
        f"""
        import sys
        if not {is_first}:
            import finalist
        if sys.version_info >= (3, 13):
            import _interpreters as interpreters
            others = [interpreters.create(kind) for kind in ("isolated", "legacy")]
        else:
            import _xxsubinterpreters as interpreters
            others = [interpreters.create(isolated=flag) for flag in (True, False)]
        program = '''if True:
            try:
                import finalist
            except ImportError as error:
                assert "subinterpreter" in str(error), error
            else:
                raise AssertionError("imported")
        '''
        for other in others:
            failed = interpreters.run_string(other, program)
            assert failed is None, failed
            interpreters.destroy(other)
        import finalist
        assert finalist.blake2b(b"x").digest_size == 64
        """
    )
    assert result.returncode == 0, result.stderr


def test_import_takes_at_most_20_ms():
    program = """
        import time
        start = time.perf_counter()
        import finalist
        print(time.perf_counter() - start)
    """
    assert min(float(run(program).stdout) for _ in range(7)) < 0.020


def test_import_needs_nothing_else():
    result = run(
        """
        import sys
        import __future__
        before = set(sys.modules)
        import finalist
        print(sorted(set(sys.modules) - before))
        """
    )
    assert result.stdout.strip() == "['finalist', 'finalist._finalist']", result.stdout


def test_signal_is_delivered_between_messages():
    """An interrupt also ends hash_many over an endless iterable."""
    result = run(
        """
        import finalist, itertools, os, signal, threading
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            finalist.hash_many("blake2s", itertools.repeat(b"x"), joined=True)
        except KeyboardInterrupt:
            print("stopped")
        """
    )
    assert result.stdout.strip() == "stopped", result.stderr
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
