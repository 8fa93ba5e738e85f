#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Models an implementation's cycles a block on CPUs that are not here. A model, no measurement.

    tools/model.py LIBRARY ALGORITHM IMPLEMENTATION CPU...
    tools/model.py build/gcc/libfinalist.a blake2b avx512 sapphirerapids icelake-server

The object code alone does not tell what is executed, so a small program hashes a few blocks under
gdb, instruction by instruction; the instructions of one block in the middle, branches left out, are
the loop that llvm-mca then runs. CPUs are llvm-mca's names (llc -march=x86-64 -mcpu=help).
Needs gcc, gdb, objdump and llvm-mca (any version, the newest is taken). The implementation must run
on this machine.
"""

import argparse
import collections
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCKS = 4

DRIVER = """
#include "finalist.h"
int main(int count, char **arguments)
{
    static uint8_t message[8 * 128];
    fin_algorithm algorithm;
    fin_context context;
    (void)count;
    if (fin_algorithm_by_name(arguments[1], &algorithm) != FIN_OK ||
        fin_impl_select(algorithm, arguments[2]) != FIN_OK) {
        return 1;
    }
    fin_init(&context, algorithm, NULL);
    return fin_update(&context, message,
                      BLOCKS * fin_algorithm_describe(algorithm)->block_bytes + 1) != FIN_OK;
}
"""

STEPS = """
import gdb
end = int(gdb.parse_and_eval('*(long *)$rsp'))
trace = []
while True:
    pc = int(gdb.parse_and_eval('$pc'))
    if pc == end or len(trace) > 200000:
        break
    trace.append(pc)
    gdb.execute('stepi', to_string=True)
print('TRACE', *trace)
"""

NOT_MODELLED = re.compile(r"^(j|call|ret|nop|cs nop|data16|xchg +%ax,%ax|notrack|endbr|vzeroupper)")


def run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def llvm_mca() -> str:
    names = [f"llvm-mca-{version}" for version in range(25, 13, -1)] + ["llvm-mca"]
    for name in names:
        if shutil.which(name):
            return name
    sys.exit("model.py: llvm-mca is missing (Debian package llvm)")


def trace_of(program: Path, algorithm: str, implementation: str) -> list[int]:
    function = "fin_" + f"{algorithm}_{implementation}".replace("-", "_")
    steps = program.with_suffix(".steps.py")
    steps.write_text(STEPS)
    output = run(
        "gdb", "-q", "-batch", "-nx", "-ex", f"break *{function}",
        "-ex", f"run {algorithm} {implementation}", "-ex", f"source {steps}", str(program),
    )  # fmt: skip
    for line in output.splitlines():
        if line.startswith("TRACE "):
            return [int(pc) for pc in line.split()[1:]]
    sys.exit(f"model.py: {function} was not reached; does this CPU run {implementation}?")


def instructions_of(program: Path) -> dict[int, str]:
    found = {}
    for line in run("objdump", "-d", "--no-show-raw-insn", str(program)).splitlines():
        match = re.match(r"^ *([0-9a-f]+):\t(.*)$", line)
        if match:
            found[int(match[1], 16)] = re.sub(r"#.*|<[^>]*>", "", match[2]).strip()
    return found


def one_block(trace: list[int], instructions: dict[int, str]) -> list[str]:
    """From the second to the third visit of the first address that each block visits once."""
    visits = collections.Counter(trace)
    head = next((pc for pc in trace if visits[pc] == BLOCKS), None)
    if head is None:
        sys.exit("model.py: found no loop over the blocks")
    at = [i for i, pc in enumerate(trace) if pc == head]
    body = [instructions[pc] for pc in trace[at[1] : at[2]]]
    return [text for text in body if not NOT_MODELLED.match(text)]


def cycles(body: Path, cpu: str, iterations: int) -> int | None:
    output = run(
        llvm_mca(), "-mtriple=x86_64", f"-mcpu={cpu}", f"-iterations={iterations}", str(body)
    )
    match = re.search(r"Total Cycles: +(\d+)", output)
    return int(match[1]) if match else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("algorithm")
    parser.add_argument("implementation")
    parser.add_argument("cpu", nargs="+")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "driver.c", Path(folder) / "driver"
        source.write_text(DRIVER)
        subprocess.run(
            ["gcc", "-O1", "-no-pie", f"-DBLOCKS={BLOCKS}", f"-I{ROOT}/include", str(source),
             str(arguments.library), "-o", str(program)],
            check=True,
        )  # fmt: skip
        trace = trace_of(program, arguments.algorithm, arguments.implementation)
        block = one_block(trace, instructions_of(program))
        body = Path(folder) / "block.s"
        body.write_text("\n".join(block) + "\n")
        subject = f"{arguments.algorithm} {arguments.implementation}"
        print(f"{subject}: {len(block)} instructions a block")
        for cpu in arguments.cpu:
            few, many = cycles(body, cpu, 2), cycles(body, cpu, 12)
            if few is None or many is None:
                print(f"  {cpu}: llvm-mca does not model it")
            else:
                print(f"  {cpu}: {(many - few) / 10:.0f} cycles a block (model)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
