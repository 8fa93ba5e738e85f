#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Compares the shared library's ABI with that of another commit. Fails if a function or a type of the
# public header was removed or changed.
#
#   packaging/check_abi.sh BASE      a commit or tag
set -euo pipefail
base=${1:?name the commit or tag to compare with}
top=$(cd "$(dirname "$0")/.." && pwd)
out=$top/build/abi
mkdir -p "$out"

build() { # sources, name
    cmake -S "$1" -B "$out/$2" -DFIN_TESTS=OFF -DBUILD_SHARED_LIBS=ON \
        -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-g -O1" >/dev/null
    cmake --build "$out/$2" -j "$(nproc)" >/dev/null
}

rm -rf "$out/source"
mkdir "$out/source"
git -C "$top" archive "$base" | tar -C "$out/source" -xf -
build "$out/source" base
build "$top" head
abidiff --no-added-syms --headers-dir1 "$out/source/include" --headers-dir2 "$top/include" \
    "$out/base/libfinalist.so" "$out/head/libfinalist.so"
echo "packaging/check_abi.sh: programs linked with $base run with this library"
