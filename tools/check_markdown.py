#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks the Markdown pages: links, anchors, table cells, the length of the README.

    tools/check_markdown.py              checks every page in the repository
    tools/check_markdown.py --self-test  shows that planted faults are found

A link must lead to a file of the repository, its anchor to a heading of that page; web addresses
are not opened. A page that a package contains alone, the wheel's README, has no links to files. A
path such as docs/guide/c.md must exist wherever code or a page mentions it. A table cell has at
most 160 characters; a link's address does not count, nor does a cell that is one value in `code`. A
list item begins with "- ": a "*" at the start of a line is a wrongly wrapped paragraph.
"""

import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
CELL_CHARACTERS_MAX = 160
README_LINES_MAX = 200
# Pages that are published without the repository: a link to its files would lead nowhere.
PUBLISHED = {"python/README.md"}
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)"
                  r"|<(?:img|a)\s[^>]*(?:src|href)=\"([^\"]+)\"")
PATH = re.compile(r"(?<![\w/.-])docs/[\w./-]+\.(?:md|svg|png)\b")
# Patches quote sources; this script's examples include paths that do not exist.
SKIPPED = re.compile(r"^(tests/faults/|tools/check_markdown\.py$)")


def without_code(text: str) -> str:
    """Returns the page with its code blanked out, line by line."""
    text = re.sub(r"^( *)(```+|~~~+).*?^ *\2 *$",
                  lambda match: "\n" * match.group().count("\n"), text, flags=re.M | re.S)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)",
                  lambda match: "`" * len(match.group()), text)


def anchors(text: str) -> set[str]:
    """Returns the anchors that GitHub gives to the page's headings."""
    found: set[str] = set()
    text = re.sub(r"^( *)(```+).*?^ *\2 *$", "", text, flags=re.M | re.S)
    for heading in re.findall(r"^#{1,6} +(.+?) *#* *$", text, re.M):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        count, name = 0, slug
        while name in found:
            count += 1
            name = f"{slug}-{count}"
        found.add(name)
    return found | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


def cells(text: str):
    """Yields the line number and the visible text of every table cell of prose."""
    for number, line in enumerate(text.split("\n"), 1):
        row = line.strip()
        if len(row) > 1 and row.startswith("|"):
            shown = re.sub(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", r"\1", row)
            for cell in re.split(r"(?<!\\)\|", shown.removesuffix("|"))[1:]:
                if not re.fullmatch(r"`\w+`", cell.strip()):
                    yield number, cell.strip()


def page_problems(name: str, pages: dict[str, str], files: set[str]) -> list[str]:
    text = pages[name]
    found = [
        f"{name}:{line}: a table cell of {len(cell)} characters: '{cell[:40]}...'"
        for line, cell in cells(text) if len(cell) > CELL_CHARACTERS_MAX
    ]
    # Lines of code blocks may begin with a pipe.
    found += [
        f"{name}:{number}: a table row without | at its end"
        for number, line in enumerate(without_code(text).split("\n"), 1)
        if line.startswith("|") and not line.rstrip().endswith("|")
    ]
    found += [
        f"{name}:{number}: a list item begins with '- '"
        for number, line in enumerate(without_code(text).split("\n"), 1)
        if line.startswith("* ")
    ]
    if name == "README.md" and text.count("\n") > README_LINES_MAX:
        found.append(f"{name}: {text.count(chr(10))} lines, more than {README_LINES_MAX}")
    plain = without_code(text)
    for match in LINK.finditer(plain):
        target = match[1] or match[2]
        if re.match(r"[a-z]+:", target):
            continue
        where = f"{name}:{plain.count(chr(10), 0, match.start()) + 1}"
        path, _, anchor = target.partition("#")
        if path and name in PUBLISHED:
            found.append(f"{where}: a link to a file, on a page that is published alone: {path}")
        path = normal(PurePosixPath(name).parent / path) if path else name
        if path not in files:
            found.append(f"{where}: no file {path}")
        elif anchor and path in pages and anchor not in anchors(pages[path]):
            found.append(f"{where}: {path} has no heading #{anchor}")
    return found


def normal(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def path_problems(name: str, text: str, files: set[str]) -> list[str]:
    return [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1}: no file {match.group()}"
        for match in PATH.finditer(text) if match.group() not in files
    ]


def self_test() -> int:
    files = {"README.md", "docs/a.md", "docs/b.svg", "docs", "python/README.md"}
    sound = "# A `b`\n\n# A b\n[x](docs/a.md#one-two) [y](#a-b-1) ![z](docs/b.svg) `[n](no.md)`\n"
    other = {"docs/a.md": "# One, two\n[up](../README.md)\n"}
    faults = [
        "[x](docs/none.md)\n", "[x](docs/a.md#three)\n", "![x](b.svg)\n", "[a\nb](none)\n",
        f"| {'w' * 161} |\n", "| a | b\nc |\n", "line\n" * 201, '<img src="docs/c.svg">\n',
        "text\n* text\n",
    ]
    wrong = [text for text in faults
             if not page_problems("README.md", {**other, "README.md": text}, files)]
    published = {"python/README.md": "# A\n[x](#a) [y](https://example.org/a.md)\n", **other}
    wrong += page_problems("python/README.md", published, files)
    published["python/README.md"] += "[z](../docs/a.md)\n"
    if not page_problems("python/README.md", published, files):
        wrong.append("a link from a page that is published alone")
    wrong += page_problems("README.md", {**other, "README.md": sound}, files)
    wrong += page_problems("docs/a.md", {**other, "README.md": sound}, files)
    if not path_problems("core/x.c", "see docs/none.md.", files) \
            or path_problems("core/x.c", "see docs/a.md.", files):
        wrong.append("paths")
    for text in wrong:
        print(f"wrong result: {text[:60]!r}")
    return 1 if wrong else 0


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.split("\0")
    names = [name for name in listed if (ROOT / name).is_file()]
    files = set(names) | {str(folder) for name in names for folder in PurePosixPath(name).parents}
    pages = {name: (ROOT / name).read_text("utf-8") for name in names if name.endswith(".md")}
    found = [problem for name in pages for problem in page_problems(name, pages, files)]
    for name in names:
        if not SKIPPED.match(name):
            text = (ROOT / name).read_bytes().decode("utf-8", "replace")
            found += path_problems(name, text, files)
    print("\n".join(found) if found else f"{len(pages)} pages: links, anchors and cells are sound")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
