#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Tests the wheel for aarch64 on x86-64: Debian's Python for arm64 runs under qemu, with the pinned
# packages of python/requirements-test.txt for aarch64. Nothing is installed in the system.
#
#   tools/test_wheel_aarch64.sh DIRECTORY PIP WHEEL [PYTEST ARGUMENTS]
#
# Empties DIRECTORY.
set -euo pipefail
directory=$(realpath -m "$1")
pip=$2
wheel=$3
shift 3

rm -rf "$directory"
mkdir -p "$directory"/{root,packages,debs,lists/partial,cache/archives/partial}
touch "$directory/status"
cat > "$directory/apt.conf" << END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "root";
Dir::State::lists "$directory/lists";
Dir::State::status "$directory/status";
Dir::Cache "$directory/cache";
END
export APT_CONFIG=$directory/apt.conf
apt-get update -qq
packages=(python3.11-minimal libpython3.11-minimal libpython3.11-stdlib libc6 libgcc-s1 libstdc++6
  libexpat1 zlib1g libssl3 libffi8 libbz2-1.0 liblzma5 libuuid1 libsqlite3-0)
(cd "$directory/debs" && apt-get download -qq "${packages[@]}")
for package in "$directory"/debs/*.deb; do
  dpkg-deb --extract "$package" "$directory/root"
done

mapfile -t pinned < <(grep -E '^(duckdb|hypothesis|numpy|pandas|polars|pyarrow|pytest)==' python/requirements-test.txt)
"$pip" install --quiet --target "$directory/packages" --only-binary=:all: --python-version 3.11 \
  --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 "${pinned[@]}" "$wheel"

root=$directory/root
libraries=$root/lib/aarch64-linux-gnu:$root/usr/lib/aarch64-linux-gnu
exec qemu-aarch64-static -L "$root" -E PYTHONHOME="$root/usr" -E LD_LIBRARY_PATH="$libraries" \
  -E PYTHONPATH="$directory/packages" "$root/usr/bin/python3.11" -B -m pytest -q \
  -p no:cacheprovider "$@"
