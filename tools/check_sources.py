#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks that every source cited in the code has an entry in docs/design/bibliography.md.

    tools/check_sources.py [PROGRAM]    PROGRAM lists a build's implementations (tools/list.c),
                                        whose sources are checked as well
    tools/check_sources.py --self-test  shows that citations without an entry are found

An entry starts with the names that the code uses, in bold: "- **AVX paper**, **another**: ...".
Citations are: a name before ", section 3" and similar; "X paper", "X guide" and so on with a
capitalised X; RFC, FIPS and EIP numbers; a title in quotes before a year.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIBLIOGRAPHY = ROOT / "docs" / "design" / "bibliography.md"
FOLDERS = ["core", "include", "rust", "avr", "wasm", "tests", "tools", "docs"]
SUFFIXES = {".c", ".h", ".S", ".inc", ".def", ".rs", ".py", ".mjs", ".md"}
# The bibliography itself, this script's own examples, and names of build products.
SKIPPED = {BIBLIOGRAPHY, Path(__file__).resolve()}
SKIPPED_FOLDERS = {"node_modules", "target", "build"}

KINDS = "paper|guide|slides|[Ss]pecification|[Mm]anual|proposal|README|standard|thesis|article"
CITATIONS = [
    # "RFC9162-" without a space is the tag of a root in the tool's lines, not a citation.
    re.compile(r"\bRFC \d+"),
    re.compile(r"\b(FIPS|EIP|ISO|NIST SP)[ -]?\d[\d-]*"),
    re.compile(r"\b[A-Z][\w-]*\d?(?:'s)?(?: (?:implementation|architecture|reference))?"
               rf" (?:{KINDS})\b(?=[,:;.)\"*]| of \d| and| \()"),
    re.compile(rf"(?:\b[\w'’.-]+ ){{0,4}}\b(?:{KINDS})(?=, (?:sections?|appendix|tables?|"
               r"equations?|volume|chapter|algorithm) [A-Z\d])"),
    re.compile(r'"[A-Z][^"\n]{15,}"(?=,? \(?(?:19|20)\d\d)'),
]
RECORD = re.compile(r'(?:\.source = |#define FIN_SOURCE\w* )"([^"]+)"')
# A first word that belongs to the sentence, not to the name.
LEADING = re.compile(r"^(?:The|This|That|A|After|From|In|See|Its|Of|Their|Whose|Where|Each|No|As) ")
BEYOND = "beyond the papers"


def bibliography():
    """Returns the names in bold at the start of each entry."""
    names = []
    for entry in re.findall(r"^- ((?:\*\*.+?\*\*(?:,\s+)?)+):", BIBLIOGRAPHY.read_text("utf-8"),
                            re.MULTILINE | re.DOTALL):
        names += [" ".join(name.split()) for name in re.findall(r"\*\*(.+?)\*\*", entry, re.DOTALL)]
    return names


def unwrapped(text):
    """Returns the text with the line breaks inside comments and strings removed."""
    return re.sub(r"[ \t]*\n[ \t]*(?:\*(?!/)|//[/!]?|;|#|\|)?[ \t]*", " ", text)


def known(citation, names):
    """Returns true if the citation contains a name or is the end of one: "Programmer's Manual". A
    lower-case name alone, "guide", does not cover "Intel guide"."""
    for name in names:
        if re.search(rf"\b{re.escape(name)}\b", citation):
            if name != name.lower() or citation == citation.lower():
                return True
        elif " " in citation and name.endswith(" " + citation):
            return True
    return False


def cited(text):
    for pattern in CITATIONS:
        for match in pattern.finditer(text):
            yield LEADING.sub("", match.group().strip())


def unknown_in(text, names):
    """Returns the citations of a file, and sources of its records, without an entry."""
    found = {citation for citation in cited(unwrapped(text)) if not known(citation, names)}
    return found | {source for source in RECORD.findall(text) if not record_known(source, names)}


def record_known(source, names):
    return source.startswith((BEYOND, ", ")) or any(source.startswith(name) for name in names)


def files():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.resolve() not in SKIPPED \
                    and not SKIPPED_FOLDERS & set(path.relative_to(ROOT).parts):
                yield path
    yield ROOT / "README.md"


def self_test(names):
    faults = [
        "/* As the Turtle paper, section 3, has it. */", "/* Intel manual, volume 2 */",
        "/* the Intel guide, section 2 */", "/* the guide to\n * Hashing manual, section 2 */",
        "/* RFC 9999, section 1 */", "/* FIPS 999 */", "/// EIP-9999\n", '.source = "Folklore",',
        '/* Somebody, "A circuit that nobody has seen" (2031). */',
    ]
    sound = [
        "/* (guide, section 2) */", "/* AVX paper, section 3; Groestl guide,\n * section 3.2 */",
        "/* A paper of theirs. */", '.source = "AVX paper",',
        '#define FIN_SOURCE "beyond the papers"',
    ]
    wrong = [text for text in faults if not unknown_in(text, names)]
    wrong += [text for text in sound if unknown_in(text, names)]
    for text in wrong:
        print(f"wrong result: {text!r}")
    return 1 if wrong else 0


def main():
    names = bibliography()
    if sys.argv[1:] == ["--self-test"]:
        return self_test(names)
    problems, texts = [], []
    for path in files():
        text = path.read_text(encoding="utf-8")
        texts.append(unwrapped(text).lower())
        problems += [f"{path.relative_to(ROOT)}: no entry for '{citation}'"
                     for citation in sorted(unknown_in(text, names))]
    if len(sys.argv) > 1:
        run = subprocess.run(sys.argv[1:2], check=True, stdout=subprocess.PIPE, text=True)
        sources = {json.loads(line)["source"] for line in run.stdout.splitlines()}
        problems += [f"a record's source: no entry for '{source}'"
                     for source in sorted(sources) if not record_known(source, names)]
    everything = "\n".join(texts)
    problems += [f"{BIBLIOGRAPHY.name}: nothing cites '{name}'"
                 for name in names if name.lower() not in everything]
    for problem in problems:
        print(problem)
    if problems:
        print("add the source to docs/design/bibliography.md, or cite it by an entry's name")
        return 1
    print(f"every cited source has one of the {len(names)} names in docs/design/bibliography.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
