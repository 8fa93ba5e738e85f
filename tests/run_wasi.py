#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs a program for WebAssembly's system interface (WASI) like a native one.

    python tests/run_wasi.py PROGRAM [ARGUMENT...]

The program sees the file system and the environment, and its exit status is passed on. Uses
wasmtime, since Node 20's WASI loses track of memory that grows and sometimes crashes
(nodejs/node#51303,
#53087).
"""

import os
import sys

import wasmtime


def main():
    if len(sys.argv) < 2:
        sys.exit("run_wasi: no program given")
    wasi = wasmtime.WasiConfig()
    wasi.argv = sys.argv[1:]
    wasi.env = list(os.environ.items())
    wasi.preopen_dir("/", "/")
    wasi.inherit_stdin()
    wasi.inherit_stdout()
    wasi.inherit_stderr()
    engine = wasmtime.Engine()
    linker = wasmtime.Linker(engine)
    linker.define_wasi()
    store = wasmtime.Store(engine)
    store.set_wasi(wasi)
    program = linker.instantiate(store, wasmtime.Module.from_file(engine, sys.argv[1]))
    try:
        program.exports(store)["_start"](store)
    except wasmtime.ExitTrap as exited:
        return exited.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
