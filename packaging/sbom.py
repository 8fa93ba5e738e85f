#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes the bill of materials of the tool: CycloneDX 1.6 as JSON.

    packaging/sbom.py OUTPUT

Components are the C library, which has no dependencies, and the crates that cargo links into the
tool, pinned by Cargo.lock. The same tree gives the same bytes.
"""

import json
import subprocess
import sys
import uuid
from datetime import UTC, datetime
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

TOP = Path(__file__).resolve().parent.parent
TOOL = "finalist-cli"


def linked_packages(metadata):
    """Returns the packages that become part of the tool, each with its dependencies."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = next(p["id"] for p in metadata["packages"] if p["name"] == TOOL)
    linked, waiting = {}, [root]
    while waiting:
        name = waiting.pop()
        if name in linked:
            continue
        normal = [
            dep["pkg"]
            for dep in nodes[name]["deps"]
            if any(kind["kind"] is None for kind in dep["dep_kinds"])
        ]
        linked[name] = normal
        waiting.extend(normal)
    return root, linked


def component(package, kind):
    licence = package["license"].replace("/", " OR ") if package["license"] else None
    return Component(
        type=kind,
        name=package["name"],
        version=package["version"],
        bom_ref=f"{package['name']}@{package['version']}",
        licenses=[LicenseFactory().make_from_string(licence)] if licence else [],
        purl=PackageURL("cargo", None, package["name"], package["version"]),
    )


def main():
    metadata = json.loads(
        subprocess.run(
            ["cargo", "metadata", "--locked", "--format-version=1", "--filter-platform", host()],
            cwd=TOP,
            check=True,
            stdout=subprocess.PIPE,
        ).stdout
    )
    packages = {package["id"]: package for package in metadata["packages"]}
    root, linked = linked_packages(metadata)
    components = {
        name: component(
            packages[name],
            ComponentType.APPLICATION if name == root else ComponentType.LIBRARY,
        )
        for name in linked
    }
    library = Component(
        type=ComponentType.LIBRARY,
        name="libfinalist",
        version=packages[root]["version"],
        bom_ref="libfinalist",
        licenses=[LicenseFactory().make_from_string(packages[root]["license"])],
    )
    bom = Bom(
        serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"finalist@{packages[root]['version']}")
    )
    # The commit's time, so that the same tree gives the same bytes.
    seconds = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=TOP, check=True, stdout=subprocess.PIPE
    ).stdout
    bom.metadata.timestamp = datetime.fromtimestamp(int(seconds), UTC)
    bom.metadata.component = components[root]
    bom.components.add(library)
    for name, dependencies in linked.items():
        if name != root:
            bom.components.add(components[name])
        needed = [components[each] for each in dependencies]
        if packages[name]["name"] == "finalist-sys":
            needed.append(library)
        bom.register_dependency(components[name], needed)
    bom.register_dependency(library, [])

    text = JsonV1Dot6(bom).output_as_string(indent=1)
    errors = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if errors:
        sys.exit(f"packaging/sbom.py: not CycloneDX 1.6: {errors}")
    Path(sys.argv[1]).write_text(text + "\n", encoding="utf-8")


def host():
    listing = subprocess.run(["rustc", "-vV"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return next(line.split()[1] for line in listing.splitlines() if line.startswith("host:"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
