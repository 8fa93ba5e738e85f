#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks the symbols that the library defines and imports.

    tools/check_symbols.py [--nm NM] LIBRARY
    tools/check_symbols.py --self-test

Static library: every global name starts with fin_, and the only imports are four functions for
memory, the environment and, on Arm, the CPU's features. Shared library: it exports exactly the
functions in include/finalist.h, each with the version of the soname (docs/design/versions.md).
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

HEADER = Path(__file__).resolve().parent.parent / "include" / "finalist.h"

MEMORY = {"memcpy", "memset", "memmove", "memcmp"}
ENVIRONMENT = {"getenv", "secure_getenv", "issetugid"}
FEATURES = {"getauxval", "elf_aux_info", "sysctlbyname", "__x86_get_cpuid_feature_leaf"}
# Imports that compilers and linkers add: position-independent code, the stack guard, the frame of a
# shared library.
TOOLCHAIN = {
    "_GLOBAL_OFFSET_TABLE_",
    "__stack_chk_fail",
    "__stack_chk_fail_local",
    "__cxa_finalize",
    "__gmon_start__",
    "_ITM_deregisterTMCloneTable",
    "_ITM_registerTMCloneTable",
}
THUNK = re.compile(r"__x86\.get_pc_thunk\.\w+$")
# The compiler's own 64-bit arithmetic on 32-bit CPUs.
ARITHMETIC = re.compile(r"__(u?(div|mod|divmod|mul)|ashl|ashr|lshr|bswap)[sdt]i[234]$")
# Memory and arithmetic functions as the Arm EABI names them, and references of unwind tables.
EABI = re.compile(
    r"__aeabi_(mem(cpy|move|set|clr)[48]?|u?(l|i)div(mod)?|l(mul|ls[lr]|asr)|unwind_cpp_pr[01])$"
)
SYMBOL = re.compile(r"^(?:[0-9a-fA-F]+)?\s*([A-Za-z])\s+(\S+)$")


def symbols(listing):
    """Returns the defined and the undefined global names of an nm listing."""
    defined, undefined = set(), set()
    for line in listing.splitlines():
        match = SYMBOL.match(line.strip())
        if not match:
            continue
        kind, name = match.group(1), match.group(2).split("@")[0]
        (undefined if kind in "Uwv" else defined).add(name)
    return defined, undefined - defined


def wrong_undefined(undefined):
    allowed = MEMORY | ENVIRONMENT | FEATURES | TOOLCHAIN
    return [
        f"{name}: imported, but the library may not need it"
        for name in sorted(undefined - allowed)
        if not any(pattern.match(name) for pattern in (THUNK, ARITHMETIC, EABI))
    ]


def check_static(listing):
    defined, undefined = symbols(listing)
    problems = [
        f"{name}: a global name without the prefix fin_"
        for name in sorted(defined)
        if not name.startswith("fin_") and not THUNK.match(name)
    ]
    if not defined:
        problems.append("no symbols at all")
    return problems + wrong_undefined(undefined), len(defined)


def declared(header):
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    return set(re.findall(r"FIN_API\s[^;]*?\b(fin_\w+)\(", text))


def version_node(header):
    number = dict(re.findall(r"#define FIN_VERSION_(MAJOR|MINOR) (\d+)", header))
    return f"FINALIST_{number['MAJOR']}" + (f".{number['MINOR']}" if number["MAJOR"] == "0" else "")


def check_shared(listing, header):
    defined, undefined = symbols(listing)
    wanted = declared(header)
    node = version_node(header)
    defined -= {"_init", "_fini", node}
    problems = [f"{name}: exported, but not in finalist.h" for name in sorted(defined - wanted)]
    problems += [f"{name}: in finalist.h, but not exported" for name in sorted(wanted - defined)]
    exported = re.findall(r"\s[TWD] (fin_\S+)$", listing, flags=re.MULTILINE)
    problems += [f"{name}: not of {node}" for name in exported if not name.endswith("@@" + node)]
    return problems + wrong_undefined(undefined), len(defined)


def list_symbols(nm, library):
    dynamic = ["-D"] if ".so" in library.name else []
    command = [nm, "-g", *dynamic, str(library)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def self_test():
    """Checks that planted faults are found."""
    good = "0000 T fin_init\n         U memcpy\n         U secure_getenv@GLIBC_2.17\n"
    shared = good.replace("fin_init", "fin_init@@FINALIST_0.1") + "0000 A FINALIST_0.1\n"
    header = (
        "#define FIN_VERSION_MAJOR 0\n#define FIN_VERSION_MINOR 1\n"
        "FIN_API fin_status fin_init(fin_context *context);\n"
    )
    cases = [
        (check_static(good), 0),
        (check_static(good + "         U __udivmoddi4\n"), 0),
        (check_static(good + "         U getauxval\n         U __aeabi_memclr8\n"), 0),
        (check_static(good + "         U __aeabi_atexit\n"), 1),
        (check_static(good + "0000 T leaked\n"), 1),
        (check_static(good + "         U malloc\n"), 1),
        (check_static(good + "         U printf\n0000 D table\n"), 2),
        (check_static(""), 1),
        (check_shared(shared, header), 0),
        (check_shared(good, header), 1),
        (check_shared(shared.replace("@@FINALIST_0.1", "@@FINALIST_0.2"), header), 1),
        (check_shared(shared + "0000 T fin_dispatch@@FINALIST_0.1\n", header), 1),
        (check_shared(shared, header + "FIN_API void fin_wipe(fin_context *context);\n"), 1),
        (check_shared(shared + "         U malloc@GLIBC_2.2\n", header), 1),
    ]
    failed = [index for index, ((found, _), count) in enumerate(cases) if len(found) != count]
    for index in failed:
        print(f"self-test {index}: expected {cases[index][1]}, found {cases[index][0][0]}")
    print(f"{len(cases) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", nargs="?", type=Path)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if arguments.library is None:
        parser.error("name the library")
    listing = list_symbols(arguments.nm, arguments.library)
    if ".so" in arguments.library.name:
        problems, count = check_shared(listing, HEADER.read_text(encoding="utf-8"))
    else:
        problems, count = check_static(listing)
    for problem in problems:
        print(f"{arguments.library.name}: {problem}")
    print(f"{count} global names, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
