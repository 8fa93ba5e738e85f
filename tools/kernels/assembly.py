# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes assembly files for core/asm: x86-64, AT&T syntax, the object formats of object.inc.

    asm = Assembly("tools/kernels/rows.py", "About the file.")
    asm.start_variant("blake2s")            # guarded by FIN_HAS_COMPRESSION
    asm.start_constants()
    asm.data("table", 32, [...], "about the table")
    asm.start_function("FIN_KERNEL", "fin_blake2s_name", about)
    asm.push("rbx")
    asm.frame(640)
    asm.op("vpaddd %xmm0, %xmm1, %xmm2", "a += b")
    asm.label("block")
    asm.op(f"jne {asm.local('block')}")
    asm.leave()
    asm.pop("rbx")
    asm.op("ret")
    asm.end_function()
    asm.end_variant()
    text = asm.finish()
"""

from collections.abc import Iterable, Sequence

WIDTH = 100
INDENT = " " * 8
REMARK = 60  # the column of remarks

HEAD = """/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Written by {script}: do not edit.
 *
{about} */
#include "asm/object.inc"
#include "names.h"
#include "parts.h"
"""


def wrapped(text: str, prefix: str) -> str:
    """Fills paragraphs, keeps indented lines, and puts the prefix before each line."""
    lines: list[str] = []
    for line in text.strip("\n").split("\n"):
        words = line.split(" ")
        current = words[0]
        for word in words[1:]:
            if len(prefix) + len(current) + 1 + len(word) > WIDTH:
                lines.append(current)
                current = word
            else:
                current += " " + word
        lines.append(current)
    return "".join((prefix + line).rstrip() + "\n" for line in lines)


class Assembly:
    """An assembly file, built line by line."""

    def __init__(self, script: str, about: str) -> None:
        self.parts = [HEAD.format(script=script, about=wrapped(about, " * "))]
        self.scope = ""
        self.saved = 0  # bytes pushed so far

    # ---- Lines ----

    def line(self, text: str = "") -> None:
        self.parts.append(text + "\n")

    def comment(self, text: str) -> None:
        """Adds a comment between lines of code."""
        if "\n" in text or len(text) + 6 > WIDTH:
            self.parts.append("/*\n" + wrapped(text, " * ") + " */\n")
        else:
            self.line(f"/* {text} */")

    def op(self, instruction: str, remark: str = "") -> None:
        """Adds an instruction or a directive, with a remark beside it."""
        mnemonic, _, operands = instruction.partition(" ")
        text = f"{INDENT}{mnemonic:<7} {operands}".rstrip()
        self.line(f"{text:<{REMARK - 1}} /* {remark} */" if remark else text)

    def ops(self, instructions: Iterable[str]) -> None:
        for instruction in instructions:
            self.op(instruction)

    def local(self, name: str) -> str:
        """Returns a label of this variant as an operand."""
        return f"FIN_LOCAL({name}_{self.scope})"

    def label(self, name: str) -> None:
        self.line(f"{self.local(name)}:")

    def align(self, count: int = 64) -> None:
        self.op(f".balign {count}")

    # ---- Sections ----

    def start_variant(self, name: str) -> None:
        """Starts the code of one compression function, under the condition that a build includes
        it."""
        self.scope = name
        self.line(f"\n#if FIN_HAS_COMPRESSION({name.upper()})")

    def end_variant(self) -> None:
        self.line("#endif")

    def start_constants(self) -> None:
        self.op("FIN_CONSTANTS")

    def data(self, name: str, bits: int, values: Sequence[int], about: str, line: int = 0) -> None:
        """Adds aligned words of 8, 32 or 64 bits, `line` of them in each line."""
        directive = {8: ".byte", 32: ".long", 64: ".quad"}[bits]
        line = line or {8: 16, 32: 4, 64: 2}[bits]
        self.comment(about)
        self.align()
        self.label(name)
        for start in range(0, len(values), line):
            part = values[start : start + line]
            texts = [str(value) if value < 100 else f"0x{value:0{bits // 4}x}" for value in part]
            self.op(f"{directive} {', '.join(texts)}")

    # ---- Functions ----

    def start_function(self, macro: str, name: str, about: str) -> None:
        """Starts a function. macro: FIN_KERNEL, or another one in tests/CMakeLists.txt; about: its
        task, prototype and registers."""
        self.line()
        self.comment(about)
        self.line(f"#define {macro} {name}")
        self.op(".text")
        self.op(f"FIN_FUNCTION({macro})")
        self.align()
        self.line(f"FIN_SYMBOL({macro}):")
        self.op(".cfi_startproc")
        self.op("endbr64")
        self.macro, self.saved = macro, 0

    def end_function(self) -> None:
        self.op(".cfi_endproc")
        self.op(f"FIN_END({self.macro})")
        self.line(f"#undef {self.macro}")

    def push(self, register: str) -> None:
        self.op(f"push %{register}")
        self.op(".cfi_adjust_cfa_offset 8")
        self.op(f".cfi_rel_offset %{register}, 0")
        self.saved += 8

    def pop(self, register: str) -> None:
        self.op(f"pop %{register}")
        self.op(".cfi_adjust_cfa_offset -8")
        self.op(f".cfi_restore %{register}")
        self.saved -= 8

    def frame(self, size: int, alignment: int = 64) -> None:
        """Allocates `size` aligned bytes at %rsp; %rbp keeps the old %rsp. leave() frees them."""
        self.push("rbp")
        self.op("mov %rsp, %rbp")
        self.op(".cfi_def_cfa_register %rbp")
        self.op(f"sub ${size}, %rsp")
        self.op(f"and $-{alignment}, %rsp")

    def leave(self) -> None:
        self.op("leave")
        self.saved -= 8
        self.op(f".cfi_def_cfa %rsp, {8 + self.saved}")
        self.op(".cfi_restore %rbp")

    def finish(self) -> str:
        return "".join([*self.parts, "\n", INDENT, "FIN_END_OF_FILE\n"])
