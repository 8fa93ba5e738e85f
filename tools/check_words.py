#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Finds the terms and patterns of tools/words.toml in code and pages.

    tools/check_words.py              names each occurrence, and what to write instead
    tools/check_words.py --self-test  shows that planted terms are found, across line breaks too

A term's `allowed` names the files, or folders ending in "/", in which it has its ordinary meaning.
"""

import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TERMS = ROOT / "tools" / "words.toml"
SUFFIXES = {
    ".c", ".h", ".S", ".inc", ".def", ".rs", ".py", ".pyi", ".mjs", ".ts", ".html", ".css", ".md",
    ".mk", ".sh", ".toml", ".cmake", ".txt",
}
# Generated files and mutants repeat words from elsewhere; this script contains the terms itself.
SKIPPED = re.compile(
    r"^(core/gen/|tests/(gen|mutants)/|vectors/.*\.txt|measured/|tools/(words\.toml|check_words\.py)$)"
)
# A space in a pattern also matches a line break inside a comment.
SPACE = r"\s+(?:(?:\*(?!/)|///?|//!|[#;])\s+)?"


@dataclass(frozen=True)
class Term:
    pattern: re.Pattern[str]
    instead: str
    allowed: tuple[str, ...]

    def allows(self, name: str) -> bool:
        return any(
            name.startswith(entry) if entry.endswith("/") else name == entry
            for entry in self.allowed
        )


def read_terms() -> list[Term]:
    return [
        Term(
            re.compile(entry["pattern"].replace(" ", SPACE), re.IGNORECASE | re.MULTILINE),
            entry["instead"],
            tuple(entry.get("allowed", [])),
        )
        for entry in tomllib.loads(TERMS.read_text("utf-8"))["term"]
    ]


def problems(name: str, text: str, terms: list[Term]) -> list[str]:
    found = []
    for term in terms:
        if not term.allows(name):
            for match in term.pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                words = " ".join(match.group().split())
                found.append(f"{name}:{line}: '{words}': write {term.instead}")
    return found


def files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.split("\0")
    return [
        ROOT / name for name in listed
        if (Path(name).suffix in SUFFIXES or Path(name).name == "Makefile")
        and not SKIPPED.match(name) and (ROOT / name).is_file()
    ]


def self_test(terms: list[Term]) -> int:
    faults = [
        "/* So many bytes. */", "/* of so\n * many bytes */", "# this stands for that\n",
        "/// What a file has.\n", "//! What a file has.\n", '    """What a file has."""\n',
        "/// How many files there are.\n", "/* Whether it is one. */\n", "/// Why it failed.\n",
        "/*\n * What batches cost.\n */\n", "/// Where a report goes.\n",
        "/* Where it ends: here. */\n",
        "x = 1\n# What it does.\n", "x = 1\n\n; Whether it is one\n", "/* Of a leaf. */\n",
        "# by\n# way of it\n", "/* are passed over */", "/* memcpy and its like */",
        "# they take turns\n",
        "/* a key that nobody knows */", "// some hundred nodes\n", "// it stands there\n",
        "// told apart\n", "/* A message that believes to be long. */",
    ]
    sound = [
        "/* count bytes */", "# What follows is in order? no: see below"[2:], "so, many",
        "/// Where to write the pages\n", "/// Where lengths are known, it is constant.\n",
        "# The first line\n# What comes second.\n", "/* Often, or if it is. */",
        "/* It passes over the state */",
        "/* standards */", "/* some thousandth */",
    ]
    wrong = [text for text in faults if not problems("core/x.c", text, terms)]
    wrong += [text for text in sound if problems("core/x.c", text, terms)]
    for text in wrong:
        print(f"wrong result: {text!r}")
    return 1 if wrong else 0


def main() -> int:
    terms = read_terms()
    if sys.argv[1:] == ["--self-test"]:
        return self_test([Term(term.pattern, term.instead, ()) for term in terms])
    found = []
    for path in files():
        found += problems(str(path.relative_to(ROOT)), path.read_text("utf-8"), terms)
    print("\n".join(found) if found else f"none of the {len(terms)} terms of words.toml occurs")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
