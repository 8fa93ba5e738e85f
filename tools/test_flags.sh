#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Builds the library with the flags that users and distributions set, with each compiler named, and
# checks known answers with every implementation, every kernel of lanes against the portable one,
# and that no unit has an instruction above the flags and its line in core/isa.def; with -O2, the
# default of distributions, that kernels need no more stack than calls with a key erase. With -flto
# objects hold no instructions, and clang's archives need an llvm-ar of its version, so -flto builds
# a shared library and runs only known answers and random messages.
#
#     tools/test_flags.sh [--only PATTERN] FOLDER COMPILER...
#
#   FOLDER    folder of the builds, one subfolder each
#   PATTERN   shell pattern: only the flags that match
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
only='*'
if [ "${1-}" = --only ]; then
  only=$2
  shift 2
fi
if [ $# -lt 2 ]; then
  echo "usage: tools/test_flags.sh [--only PATTERN] FOLDER COMPILER..." >&2
  exit 2
fi
folder=$1
shift

flags_here() {
  case $(uname -m) in
  x86_64)
    printf '%s\n' -march=x86-64-v3 -march=x86-64-v4 -march=haswell -march=znver2 -mavx2 \
      "-m32 -march=native"
    ;;
  esac
  printf '%s\n' -march=native -O0 -O2 -O3 -Os -flto
}

# A program for a newer CPU ends with SIGILL (128 + 4).
run() {
  status=0
  "$@" || status=$?
  if [ $status -eq 132 ]; then
    echo "built, but not run: this CPU lacks features that the flags require"
    return 0
  fi
  return $status
}

check() {
  compiler=$1 flags=$2
  build=$folder/$(basename "$compiler")$(echo "$flags" | tr -d ' =' | tr -c 'A-Za-z0-9-\n' '_')
  echo "== $compiler $flags"
  # Flags without an optimisation level use the release's.
  case $flags in
  *-O*) type=None ;;
  *) type=Release ;;
  esac
  case $flags in
  *-flto*) shared=ON second=differential ;;
  *) shared=OFF second=lanes ;;
  esac
  cmake -S "$source" -B "$build" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=$type \
    -DBUILD_SHARED_LIBS=$shared -DCMAKE_C_FLAGS="$flags" -DFIN_WARNINGS_AS_ERRORS=ON \
    >"$build.log" 2>&1 &&
    cmake --build "$build" -j "$(nproc)" --target finalist test_kat test_$second \
      >>"$build.log" 2>&1 || {
    grep -m 20 -E 'error|Error|FAILED' "$build.log" || tail -n 20 "$build.log"
    return 1
  }
  run "$build/tests/test_kat" "$source/vectors/blake-salt.jsonl" \
    "$source/vectors/blake2b-kat.jsonl" "$source/vectors/blake2s-kat.jsonl" \
    "$source/vectors/groestl256-short-bytes.jsonl" \
    "$source/vectors/groestl512-short-bytes.jsonl" || return 1
  run "$build/tests/test_$second" || return 1
  case $flags in
  *-flto*) ;;
  *) (cd "$build" && ctest --output-on-failure --no-tests=error -R '^isa$') || return 1 ;;
  esac
  case $(uname -m)$flags in
  x86_64-O2) "$source/tools/check_frames.py" "$build"/CMakeFiles/finalist.dir/core/unit/*.o ;;
  esac
}

mkdir -p "$folder"
flags_here | while read -r flags; do
  # shellcheck disable=SC2254 # a pattern
  case $flags in
  $only) ;;
  *) continue ;;
  esac
  for compiler; do
    check "$compiler" "$flags" || { echo "failed: $compiler $flags" >&2; exit 1; }
  done
done
