#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Builds parts of the library and checks for each that the requested algorithms work, that every
# call with another algorithm returns an error, and the size of a program with it.
#
#     tools/test_parts.sh FOLDER [COMPILER]
#
#   FOLDER    folder of the builds, one subfolder each
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
if [ $# -lt 1 ]; then
  echo "usage: tools/test_parts.sh FOLDER [COMPILER]" >&2
  exit 2
fi
folder=$1
compiler=${2-gcc}

# FOLDER "ALGORITHMS" LIBRARY
run() {
  "$compiler" -std=gnu11 -O2 -Wall -Wextra -Werror -I"$source/include" -I"$source/tests/support" \
    "$source/tests/interface/parts.c" \
    "$source/fuzz/reference.c" "$source/fuzz/reference_blake3.c" \
    "$source/fuzz/reference_groestl.c" "$3" -o "$1/test_parts"
  # shellcheck disable=SC2086 # a list of names
  "$1/test_parts" $2
  FINALIST_IMPL=nosuch=portable "$1/test_parts" | grep "^FINALIST_IMPL: 'nosuch=portable': "
}

# Checks the same with the features of the crate: "ALGORITHMS" "UNITS".
check_crate() {
  out=$(cargo build --release --locked --manifest-path "$source/Cargo.toml" --package finalist-sys \
    --no-default-features --features "$1 $2" --target-dir "$folder/crate" --message-format json |
    sed -n 's/.*"build-script-executed".*"out_dir":"\([^"]*\)".*/\1/p')
  run "$folder/crate" "$1" "$out/libfinalist.a"
}

# NAME "ALGORITHMS" "UNITS" BYTES_MAX: BYTES_MAX is the largest size of a program with the first
# algorithm; 0 means no limit.
check() {
  build=$folder/$1
  lists=$(echo "$2" | tr ' ' ';')
  cmake -S "$source" -B "$build" -DCMAKE_C_COMPILER="$compiler" -DFIN_TESTS=OFF \
    -DFIN_WARNINGS_AS_ERRORS=ON -DFIN_ALGORITHMS="$lists" -DFIN_UNITS="$(echo "$3" | tr ' ' ';')" \
    >"$build.log"
  cmake --build "$build" -j "$(nproc)" >>"$build.log" || { cat "$build.log"; exit 1; }
  run "$build" "$2" "$build/libfinalist.a"
  cat >"$build/program.c" <<END
#include "finalist.h"
int main(int count, char **words)
{
    unsigned char digest[64];
    return fin_hash(FIN_$(echo "${2%% *}" | tr a-z- A-Z_), 0, words[0], (size_t)count, digest, 64);
}
END
  "$compiler" -O2 -s -I"$source/include" "$build/program.c" "$build/libfinalist.a" -o "$build/program"
  bytes=$(wc -c <"$build/program")
  echo "$1: a program with fin_hash takes $bytes bytes"
  if [ "$4" -ne 0 ] && [ "$bytes" -gt "$4" ]; then
    echo "test_parts: $1: more than $4 bytes" >&2
    exit 1
  fi
}

mkdir -p "$folder"
check one "blake2b" "" 345000
check tree "blake3" "" 294000
check tree_avx2 "blake3" "avx2" 122880
check two "blake2b blake2s" "portable" 100000
check three "groestl256 blake256 blake2xs" "avx2 neon" 0
all=$(sed -n 's/^FIN_ALGORITHM([^,]*, "\([^"]*\)".*/\1/p' "$source/core/alg.def" | tr '\n' ' ' |
  sed 's/ $//')
check levels "$all" "ssse3" 0
check_crate "blake2b groestl0-256" "ssse3 neon"
check_crate "$all" "ssse3"
