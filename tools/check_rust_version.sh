#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Checks that the crates compile with the oldest Rust that Cargo.toml promises (rust-version). Uses
# rustup's toolchain of that version if there is one, otherwise Debian's package, which it unpacks
# below build/ and does not install. Does not build the C library.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)

if compiler=$(rustup which --toolchain "$version" rustc 2>/dev/null); then
    libraries=
else
    folder=build/rust-$version
    mkdir -p "$folder"
    cd "$folder"
    if [ ! -x root/usr/bin/rustc ]; then
        found=$(apt-cache madison rustc-web | awk -v "v=$version." 'index($3, v) == 1 { print $3; exit }')
        if [ -z "$found" ]; then
            echo "check_rust_version: no Rust $version: rustup toolchain install $version" >&2
            exit 1
        fi
        apt-get -qq download "rustc-web=$found" "libstd-rust-web-dev=$found" \
            "libstd-rust-web-$version=$found"
        for package in *.deb; do
            dpkg -x "$package" root
        done
        rm -- *.deb
    fi
    compiler=$PWD/root/usr/bin/rustc
    libraries=$PWD/root/usr/lib/$(uname -m)-linux-gnu
    cd ../..
fi
export RUSTC=$compiler LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
"$RUSTC" --version
DOCS_RS=1 cargo check --locked --workspace --all-features --all-targets \
    --target-dir "build/rust-$version/target"
