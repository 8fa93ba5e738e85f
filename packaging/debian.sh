#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Builds the Debian source and binary packages of the committed tree, and checks them with lintian.
#
#   packaging/debian.sh [FOLDER]     output folder; default: build/debian
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
out=$(mkdir -p "${1:-$top/build/debian}" && cd "${1:-$top/build/debian}" && pwd)
version=$(sed -n '1s/^finalist (\(.*\)-[^-]*) .*/\1/p' "$top/packaging/debian/changelog")

rm -rf "$out/finalist-$version"
git -C "$top" archive --prefix="finalist-$version/" HEAD |
    gzip -n > "$out/finalist_$version.orig.tar.gz"
tar -C "$out" -xf "$out/finalist_$version.orig.tar.gz"
cp -r "$top/packaging/debian" "$out/finalist-$version/debian"
cd "$out/finalist-$version"
dpkg-buildpackage --no-sign
lintian --fail-on error,warning "../finalist_$version"-*_*.changes
echo "packaging/debian.sh: the packages are in $out"
