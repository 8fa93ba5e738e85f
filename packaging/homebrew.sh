#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Prints the Homebrew formula of a release.
#
#   packaging/homebrew.sh ARCHIVE URL      the source archive and its download address
set -euo pipefail
archive=${1:?name the source archive}
url=${2:?say where the archive can be downloaded}
top=$(cd "$(dirname "$0")/.." && pwd)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$top/Cargo.toml" | head -1)
sum=$(sha256sum "$archive" | cut -d' ' -f1)
sed -e "s|@VERSION@|$version|; s|@URL@|$url|; s|@SHA256@|$sum|" "$top/packaging/homebrew/finalist.rb.in"
