#!/bin/bash -eu
# SPDX-License-Identifier: MIT OR Apache-2.0
# Builds the fuzz targets as ClusterFuzzLite and OSS-Fuzz ask for them: compiler, flags and the
# fuzzing engine are given in CC, CFLAGS, CXX and LIB_FUZZING_ENGINE. Not run in this repository.
build=$WORK/build
cmake -S . -B "$build" -DFIN_TESTS=OFF -DCMAKE_BUILD_TYPE=None
cmake --build "$build" -j "$(nproc)"
for target in calls batches trees midstates; do
  for source in $target reference reference_groestl; do
    $CC $CFLAGS -std=gnu11 -Iinclude -c "fuzz/$source.c" -o "$build/$source.o"
  done
  $CXX $CXXFLAGS "$build/$target.o" "$build/reference.o" "$build/reference_groestl.o" \
    "$build/libfinalist.a" $LIB_FUZZING_ENGINE -o "$OUT/$target"
  zip -qj "$OUT/${target}_seed_corpus.zip" fuzz/corpus/$target/*
done
