#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks that no load in short messages waits for several stores. Linux on x86-64.

    tools/check_forwarding.py [--self-test] [--quick] TEST_STEPS

A load can take its bytes from one store that has not yet reached the cache. If its bytes come from
several such stores, or from a store and the cache, it waits until all of them have left the core,
and so for the previous call: short messages then no longer overlap. Runs TEST_STEPS
(tests/secrets/steps.c, linked statically) for one message of each compression function, one-shot
and in parts, with and without key, salt and tree, and names every such load. Ends with 1 if there
is one; with 77 if the process may not be traced here.
"""

import argparse
import collections
import re
import struct
import subprocess
import sys

FUNCTIONS = ["blake256", "blake512", "blake2s", "blake2b", "groestl256", "groestl512"]
WAYS = ["plain", "keyed", "salted", "tree", "stream", "keyed-stream", "salted-stream", "many"]
LENGTHS = [0, 1, 13, 64, 65, 100, 128, 200]
QUICK_LENGTHS = [13, 100]
# The size of the largest store buffer (Golden Cove).
STORE_BUFFER = 112
# Tracing many messages is slow, so --quick leaves them out. A load counts if it waits in SEVERAL
# groups of 64 messages.
MANY_LENGTHS = [50]
SEVERAL = 3
NOT_FOLLOWED = 3
SKIPPED = 77
WORDS = 17

NAMES = "rip rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15".split()
NUMBERS = {name: number for number, name in enumerate(NAMES)}
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
INSTRUCTION = re.compile(r"^ +([0-9a-f]+):\t(.*)$")
MEMORY = re.compile(r"(%[a-z]s:)?(-?0x[0-9a-f]+)?\(([^)]*)\)")
PREFIX = re.compile(r"^((rep[nz]*|lock|notrack|bnd|data16|cs|ds|es) )+")
NO_ACCESS = re.compile(r"^(lea|nop|prefetch|clflush|jmp\b.*%rip|v?p?gather|vp?gather|vpscatter)")
TO_MEMORY = re.compile(r"^(v?mov|v?pextr|v?extract|set|stos|vpcompress|vpmov)")
READ_ONLY = re.compile(r"^(cmp|test|push|call|jmp|bt[lqw]?\b|v?ptest|v?u?comis|mul|i?div|imul)")

# Operand sizes by mnemonic where registers do not imply one; the first match counts.
SIZES = [
    (re.compile(r"^v?(broadcast|insert|extract)[if](32x4|64x2|128)"), 16),
    (re.compile(r"^v?(broadcast|insert|extract)[if](32x8|64x4)"), 32),
    (re.compile(r"^v?(movq|movhp|movlp|pinsrq|pextrq|movsd|movddup|pbroadcastq|broadcastsd)"), 8),
    (re.compile(r"^v?(movd|pinsrd|pextrd|movss|pbroadcastd|broadcastss)\b"), 4),
    (re.compile(r"^v?(pinsrw|pextrw|pbroadcastw)|^mov[zs]w"), 2),
    (re.compile(r"^v?(pinsrb|pextrb|pbroadcastb)|^mov[zs]b|^set"), 1),
    (re.compile(r"^movslq|^cvtsi2sdl"), 4),
]
REGISTER_SIZES = [
    (re.compile(r"%zmm"), 64),
    (re.compile(r"%ymm"), 32),
    (re.compile(r"%xmm"), 16),
    (re.compile(r"%(r[a-ds][xip]|r[bs]p|r\d+|mm\d)\b"), 8),
    (re.compile(r"%(e[a-ds][xip]|e[bs]p|r\d+d)\b"), 4),
    (re.compile(r"%([a-ds][xi]|[bs]p|r\d+w)\b"), 2),
    (re.compile(r"%([a-d][lh]|[sd]il|[sb]pl|r\d+b)\b"), 1),
]
SUFFIX_SIZES = {"b": 1, "w": 2, "l": 4, "q": 8}


def size_of(mnemonic, operands):
    """Returns the size of an instruction's operand in memory."""
    if re.search(r"\{1to\d+\}", operands):
        return 8 if mnemonic.endswith(("q", "pd")) else 4
    for pattern, size in SIZES:
        if pattern.match(mnemonic) and not (mnemonic == "movq" and "mm" not in operands):
            return size
    registers = MEMORY.sub("", operands)
    for pattern, size in REGISTER_SIZES:
        if pattern.search(registers):
            return size
    return SUFFIX_SIZES.get(mnemonic[-1], 8)


class Instruction:
    """An instruction and the address of its memory operand, if it has one."""

    def __init__(self, function, text):
        self.function = function
        self.text, _, comment = text.partition("#")
        self.text = self.text.strip()
        self.size = self.base = self.index = 0
        self.loads = self.stores = False
        self.constant = self.displacement = 0
        self.scale = 1
        plain = PREFIX.sub("", self.text)
        mnemonic, _, operands = plain.partition(" ")
        operands = operands.strip()
        # A push may load its operand from memory, then store it.
        self.pushes = mnemonic in ("push", "call") and "(" in operands
        if mnemonic in ("push", "call", "pop", "ret") and "(" not in operands:
            self.size, self.base = 8, NUMBERS["rsp"]
            self.stores = mnemonic in ("push", "call")
            self.loads = not self.stores
            self.displacement = -8 if self.stores else 0
            return
        match = MEMORY.search(operands)
        if match is None or NO_ACCESS.match(plain) or (match[1] or "%es:") != "%es:":
            return
        if not self.find_address(match, comment):
            return
        self.size = size_of(mnemonic, operands)
        is_target = re.search(r"\)(\{[^}]*\})*$", operands) and not operands.startswith("*")
        if is_target and TO_MEMORY.match(mnemonic) and "," in operands:
            self.stores = True
        elif is_target and "," in operands and not READ_ONLY.match(mnemonic):
            self.loads = self.stores = True
        elif is_target and re.match(r"(inc|dec|neg|not|set)", mnemonic):
            self.loads, self.stores = not mnemonic.startswith("set"), True
        else:
            self.loads = True

    def find_address(self, match, comment):
        """Returns false if the address depends on more than general registers."""
        parts = [part.strip().lstrip("%") for part in match[3].split(",")]
        if parts[0] == "rip":
            self.constant = int(comment.split()[0], 16)
            return True
        self.displacement = int(match[2], 16) if match[2] else 0
        if any(part and part not in NUMBERS for part in parts[:2]):
            return False
        self.base = NUMBERS[parts[0]] if parts[0] else None
        if len(parts) > 1:
            self.index = NUMBERS[parts[1]] if parts[1] else 0
            self.scale = int(parts[2]) if len(parts) > 2 else 1
        return True

    def address(self, words):
        if self.constant:
            return self.constant
        at = self.displacement + (words[self.base] if self.base else 0)
        return at + (words[self.index] * self.scale if self.index else 0)


def disassemble(objdump, path):
    """Returns the text of each instruction by address: (function, line)."""
    try:
        version = subprocess.run([objdump, "--version"], capture_output=True, text=True).stdout
    except OSError:
        version = ""
    if not version.startswith("GNU objdump"):
        raise SystemExit(f"check_forwarding: {objdump}: needs GNU's objdump (package binutils)")
    command = [objdump, "-d", "--no-show-raw-insn", path]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines, function = {}, None
    for line in text.splitlines():
        if match := INSTRUCTION.match(line):
            lines[int(match[1], 16)] = (function, match[2])
        elif match := FUNCTION.match(line):
            function = match[1]
    return lines


class Checker:
    """Traces the calls of one program."""

    def __init__(self, objdump, path):
        self.path = path
        self.lines = disassemble(objdump, path)
        self.known = {}

    def instruction(self, at):
        if at not in self.known:
            if at not in self.lines:
                raise SystemExit(f"check_forwarding: no instruction at {at:#x} of {self.path}")
            self.known[at] = Instruction(*self.lines[at])
        return self.known[at]

    def steps(self, *case):
        """Returns the registers before each instruction; None if the process may not be traced."""
        process = subprocess.run([self.path, *case], capture_output=True, check=False)
        if process.returncode == NOT_FOLLOWED:
            return None
        if process.returncode != 0:
            raise SystemExit(f"check_forwarding: {self.path} {' '.join(case)} failed")
        return struct.iter_unpack(f"<{WORDS}Q", process.stdout)

    def waiting_loads(self, steps):
        """Returns (load, store) for every load that waits."""
        writer, stores, found, before = {}, [], [], None
        for words in steps:
            instruction = self.instruction(words[0])
            size, at = instruction.size, 0
            if size:
                at = instruction.address(words) & (2**64 - 1)
            if instruction.text.startswith("rep stos"):
                # rep stos counts as one store, although each iteration is a step.
                size = 0 if words[0] == before else size * words[NUMBERS["rcx"]]
            before = words[0]
            if instruction.loads:
                newest = max((writer.get(byte, -1) for byte in range(at, at + size)), default=-1)
                if newest >= 0 and len(stores) - newest <= STORE_BUFFER:
                    start, length, store = stores[newest]
                    if at < start or at + size > start + length:
                        found.append((instruction, store))
            if instruction.pushes:
                at, size = words[NUMBERS["rsp"]] - 8, 8
            if (instruction.stores or instruction.pushes) and size:
                for byte in range(at, at + size):
                    writer[byte] = len(stores)
                stores.append((at, size, instruction))
        return found


def exists(function, way):
    """Returns true if the function supports this kind of call."""
    is_blake2 = function.startswith("blake2") and function != "blake256"
    needs_blake2 = way.startswith("keyed") or way == "tree"
    return (not needs_blake2 or is_blake2) and not (
        way.startswith("salted") and function.startswith("groestl")
    )


def in_every_group(waiting):
    """Filters the loads of many messages: only repeated waits around kernels count, since a single
    one is the start of a call."""
    names = collections.Counter(describe(*pair) for pair in waiting)
    return [
        (load, store) for load, store in waiting
        if "_group" in load.function and names[describe(load, store)] >= SEVERAL
    ]


def describe(load, store):
    return f"{load.function}: {load.text} [{load.size}] <- {store.function}: {store.text}"


def check(checker, lengths):
    """Prints each waiting load once, with its cases. Returns None if nothing could be traced."""
    found, cases = {}, 0
    for function in FUNCTIONS:
        for way in (way for way in WAYS if exists(function, way)):
            if way == "many" and lengths is QUICK_LENGTHS:
                continue
            for length in MANY_LENGTHS if way == "many" else lengths:
                steps = checker.steps(function, way, str(length))
                if steps is None:
                    return None
                cases += 1
                waiting = checker.waiting_loads(steps)
                for load, store in in_every_group(waiting) if way == "many" else waiting:
                    name = describe(load, store)
                    found.setdefault(name, []).append(f"{function} {way} {length}")
    for name, where in found.items():
        more = f" and {len(where) - 3} more" if len(where) > 3 else ""
        print(f"waits: {name}\n    in {', '.join(where[:3])}{more}")
    print(f"{cases} cases, {len(found)} loads with bytes from several stores")
    return len(found)


def self_test(checker):
    """Checks that the load of sixteen bytes after two stores of eight is found."""
    steps = checker.steps("planted")
    if steps is None:
        return None
    found = [load.text for load, _ in checker.waiting_loads(steps)]
    if len(found) != 1 or not found[0].startswith("movdqu"):
        print(f"the planted load was not found, but {found}")
        return 1
    print("the planted load was found")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--objdump", default="objdump")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--quick", action="store_true", help="two lengths instead of eight")
    parser.add_argument("program", metavar="TEST_STEPS")
    options = parser.parse_args()
    checker = Checker(options.objdump, options.program)
    if options.self_test:
        count = self_test(checker)
    else:
        count = check(checker, QUICK_LENGTHS if options.quick else LENGTHS)
    if count is None:
        print("not checked: no process may be traced here")
        return SKIPPED
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
