#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Models an implementation's cycles per block on other CPUs. A model, not a measurement.

    tools/model.py LIBRARY ALGORITHM IMPLEMENTATION CPU...
    tools/model.py build/gcc/libfinalist.a blake2b avx512 sapphirerapids icelake-server

To find the executed instructions, a small program hashes a few blocks with the CPU's trap flag set
and records each instruction's address. The instructions of one block in the middle, without
branches, are the loop that llvm-mca runs. CPUs are llvm-mca's names (llc -march=x86-64 -mcpu=help).
Needs x86-64, Linux, gcc, objdump and llvm-mca (the newest installed version is used). The
implementation must run on this machine, except XOP, which the tests' library emulates:

    tools/model.py build/gcc/tests/libfinalist_xop.a blake256 xop bdver2
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
#define _GNU_SOURCE
#include "finalist.h"
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>
enum { STEPS = 200000 };
static unsigned long trace[STEPS];
static size_t steps;
static void on_step(int number, siginfo_t *information, void *context)
{
    (void)number;
    (void)information;
    if (steps < STEPS) {
        trace[steps++] = (unsigned long)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    }
}
int main(int count, char **arguments)
{
    static uint8_t message[8 * 128];
    fin_algorithm algorithm;
    fin_context context;
    struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
    (void)count;
    if (fin_algorithm_by_name(arguments[1], &algorithm) != FIN_OK ||
        fin_impl_select(algorithm, arguments[2]) != FIN_OK) {
        return 1;
    }
    const size_t bytes = BLOCKS * fin_algorithm_describe(algorithm)->block_bytes + 1;
    fin_init(&context, algorithm, NULL);
    sigaction(SIGTRAP, &action, NULL);
    __asm__ volatile("pushfq\\n\\torl $0x100, (%rsp)\\n\\tpopfq");
    fin_update(&context, message, bytes);
    __asm__ volatile("pushfq\\n\\tandl $~0x100, (%rsp)\\n\\tpopfq");
    for (size_t i = 0; i < steps; i++) {
        printf("%lx\\n", trace[i]);
    }
    return 0;
}
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


def listing_of(program: Path) -> dict[int, str]:
    """Returns the library's instructions by address."""
    found, inside = {}, False
    for line in run("objdump", "-d", "--no-show-raw-insn", str(program)).splitlines():
        head = re.match(r"^[0-9a-f]+ <([^>]+)>:$", line)
        if head:
            inside = head[1].startswith("fin_")
        match = re.match(r"^ *([0-9a-f]+):\t(.*)$", line)
        if match and inside:
            found[int(match[1], 16)] = re.sub(r"#.*|<[^>]*>", "", match[2]).strip()
    return found


def trace_of(program: Path, algorithm: str, implementation: str, listing: dict) -> list[int]:
    """Returns the library's addresses in the order of execution. Emulated XOP instructions right
    after another do not trap, so gaps behind a vector instruction are filled in."""
    following = dict(zip(sorted(listing), sorted(listing)[1:], strict=False))
    trace: list[int] = []
    for word in run(str(program), algorithm, implementation).split():
        pc = int(word, 16)
        while trace and listing[trace[-1]].startswith("v") and following[trace[-1]] <= pc:
            if following[trace[-1]] == pc:
                break
            trace.append(following[trace[-1]])
        if pc in listing:
            trace.append(pc)
    if not trace:
        sys.exit(f"model.py: {algorithm} {implementation} was not reached; does this CPU run it?")
    return trace


def one_block(trace: list[int], instructions: dict[int, str]) -> list[str]:
    """Returns the instructions between the second and third visit of an address visited once a
    block."""
    visits = collections.defaultdict(list)
    for i, pc in enumerate(trace):
        visits[pc].append(i)
    # A short loop inside a block may also repeat BLOCKS times; the longest repetition is the
    # block's.
    turns = [at[1:3] for at in visits.values() if len(at) == BLOCKS]
    if not turns:
        sys.exit("model.py: found no loop over the blocks")
    first, last = max(turns, key=lambda turn: turn[1] - turn[0])
    body = [instructions[pc] for pc in trace[first:last]]
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
            ["gcc", "-O1", "-no-pie", "-mno-red-zone", f"-DBLOCKS={BLOCKS}",
             f"-I{ROOT}/include", str(source), str(arguments.library), "-o", str(program)],
            check=True,
        )  # fmt: skip
        listing = listing_of(program)
        trace = trace_of(program, arguments.algorithm, arguments.implementation, listing)
        block = one_block(trace, listing)
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
