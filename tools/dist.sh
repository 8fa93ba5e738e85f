#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Makes the archives of a release: the sources; for x86-64 Linux the tool as one static program with
# its man pages and completions, the static library and its header; and checksums, by the tool
# itself.
#
#   tools/dist.sh FOLDER    needs cargo-zigbuild and zig in PATH (tools/dist-requirements.txt)
#   tar -xzf finalist-VERSION-x86_64-linux.tar.gz -C /usr/local --strip-components=1    installs it
#
# The archives depend only on the commit and the versions of Rust, Zig and the C compiler: the build
# runs in a folder of its own and records no path of it. make dist makes them twice and compares.
set -euo pipefail

cd "$(dirname "$0")/.."
if [ $# -ne 1 ]; then
    echo "usage: tools/dist.sh FOLDER" >&2
    exit 2
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
version=$(sed -n 's/^#define FIN_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' include/finalist.h |
    paste -sd.)
sources=finalist-$version
program=finalist-$version-x86_64-linux
target=x86_64-unknown-linux-musl
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

rustup target list --installed | grep -qx $target || rustup target add $target

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive --format=tar --prefix="$sources/" HEAD >"$work/sources.tar"
tar -xf "$work/sources.tar" -C "$work"
gzip -9n <"$work/sources.tar" >"$out/$sources.tar.gz"

cd "$work/$sources"
export CARGO_TARGET_DIR=$work/target
export RUSTFLAGS="--remap-path-prefix=$PWD=. --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo \
-C strip=symbols"
export CARGO_PROFILE_RELEASE_LTO=fat # a tenth smaller
cargo zigbuild --quiet --release --locked --package finalist-cli --target $target
built=$work/target/$target/release/finalist
if ldd "$built" 2>/dev/null | grep -q '=>'; then
    echo "dist: the program is not static" >&2
    exit 1
fi

# The static library needs only functions like memcpy, so it links with any C library.
cmake -S . -B "$work/library" -DFIN_TESTS=OFF -DBUILD_SHARED_LIBS=OFF -DFIN_INSTALL_TOOL=ON \
    -DFIN_TOOL_PROGRAM="$built" -DCMAKE_INSTALL_PREFIX=/usr/local -DCMAKE_INSTALL_LIBDIR=lib >/dev/null
cmake --build "$work/library" -j "$(nproc)" >/dev/null
DESTDIR=$work/installed cmake --install "$work/library" >/dev/null
mv "$work/installed/usr/local" "$work/$program"
cp README.md LICENSE-MIT LICENSE-APACHE "$work/$program"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
    --mode=u=rwX,go=rX -C "$work" -cf - "$program" | gzip -9n >"$out/$program.tar.gz"

cd "$out"
"$built" sum -a blake2b --tag "$sources.tar.gz" "$program.tar.gz" >CHECKSUMS
"$built" check CHECKSUMS
