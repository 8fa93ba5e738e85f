#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Builds a CPython that no package registry has, from Debian's source packages: for musl, or
# free-threaded. For tests of wheels only: with few optimisations, without SSL.
#
#   tools/build_python.sh musl|free-threaded DIRECTORY
#
# Empties DIRECTORY; the interpreter is DIRECTORY/prefix/bin/python3. Builds 3.14 if Debian's mirror
# has its source, otherwise 3.13. Takes minutes. For musl it compiles with zig from the Python
# package ziglang. Installs nothing in the system.
set -euo pipefail
kind=$1
directory=$(realpath -m "$2")
prefix=$directory/prefix
jobs=$(nproc)

rm -rf "$directory"
mkdir -p "$directory"/{bin,build,sources,lists/partial,cache/archives/partial}
touch "$directory/status"

# The release of Debian to take each source from: later libffi packages lack their configure script.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' |
  head -n 1)
for suite in bookworm trixie forky; do
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main"
done > "$directory/sources.list"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" \
  >> "$directory/sources.list"
cat > "$directory/apt.conf" << END
APT::Sandbox::User "root";
Acquire::Languages "none";
Dir::Etc::sourcelist "$directory/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "$directory/lists";
Dir::State::status "$directory/status";
Dir::Cache "$directory/cache";
END
export APT_CONFIG=$directory/apt.conf
apt-get update -qq

download() {
  (cd "$directory/sources" && apt-get source -qq --download-only --tar-only "$1")
}

download zlib/bookworm
download libffi/bookworm
if download python3.14/forky; then
  version=3.14
else
  echo "build_python: $mirror has no source of python3.14: building 3.13" >&2
  download python3.13/trixie
  version=3.13
fi
for name in zlib libffi "python$version"; do
  mkdir "$directory/build/$name"
  tar -xf "$directory/sources/${name}"_*.orig.tar.* -C "$directory/build/$name" --strip-components 1
done

case $kind in
musl)
  # Other packages need a newer musl than Debian 12's.
  (cd "$directory/sources" && apt-get download -qq musl/trixie)
  dpkg-deb --extract "$directory"/sources/musl_*.deb "$directory/musl"
  loader=$directory/musl/usr/lib/$(uname -m)-linux-musl/libc.so
  zig=$(python3 -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')
  cat > "$directory/bin/cc" << END
#!/bin/sh
exec "$zig" cc -target $(uname -m)-linux-musl -dynamic -fno-sanitize=undefined -Wno-date-time "\$@"
END
  chmod +x "$directory/bin/cc"
  export CC=$directory/bin/cc
  export LDFLAGS=-Wl,--dynamic-linker=$loader
  # The configure script detects musl by a macro of musl's stdarg.h; zig includes clang's instead.
  options=(CPP="$CC -E -D__DEFINED_va_list")
  ;;
free-threaded)
  export CC=gcc
  options=(--disable-gil)
  ;;
*)
  echo "build_python: '$kind': use musl or free-threaded" >&2
  exit 1
  ;;
esac

# Find only the libraries built here.
export PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig
build() {
  make -s -j "$jobs" && make -s "$1"
}
trap 'tail -n 20 "$directory/log" >&2' ERR
(
  cd "$directory/build/zlib"
  CFLAGS="-O2 -fPIC" ./configure --static --prefix="$prefix"
  build install
  cd "$directory/build/libffi"
  ./configure --silent --disable-shared --with-pic --disable-docs --disable-exec-static-tramp \
    --prefix="$prefix"
  build install
  cd "$directory/build/python$version"
  ./configure --silent --prefix="$prefix" --without-ensurepip --disable-test-modules \
    "${options[@]}" CFLAGS=-O1
  build install
  # Keep only those of the interpreter's own tests that python/tests runs.
  tests=$prefix/lib/$(basename "$prefix"/lib/python3.*)/test
  mkdir -p "$tests"
  cp -r Lib/test/{__init__.py,support,test_hashlib.py} "$tests"
) > "$directory/log" 2>&1
trap - ERR
rm -rf "$directory"/{build,sources,lists,cache}
"$prefix/bin/python3" -c 'import ctypes, sys, sysconfig, zlib
print(sys.version, sysconfig.get_config_var("SOABI"))'
