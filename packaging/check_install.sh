#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Runs `make install` into an empty folder and uses everything installed: the tool, its man pages and
# completions, and the library through CMake and through pkg-config.
#
#   packaging/check_install.sh FOLDER      emptied first
set -euo pipefail
out=$(mkdir -p "${1:?name a folder}" && cd "$1" && pwd)
top=$(cd "$(dirname "$0")/.." && pwd)
root=$out/root
prefix=/opt/finalist

fail() {
    echo "packaging/check_install.sh: $*" >&2
    exit 1
}

rm -rf "$out"
mkdir "$out"
make -C "$top" install DESTDIR="$root" PREFIX="$prefix"
cd "$root$prefix"

digest=ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1
digest+=7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923
[ "$(printf abc | bin/finalist sum)" = "$digest  -" ] || fail "the tool's digest is wrong"

# Each command in the tool's help must have a man page, and a completion in each shell.
commands=$(bin/finalist --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$')
[ -n "$commands" ] || fail "the tool's help names no commands"
for command in $commands; do
    page=share/man/man1/finalist-$command.1
    [ -f "$page" ] || fail "no $page"
    for file in bash-completion/completions/finalist fish/vendor_completions.d/finalist.fish \
        zsh/site-functions/_finalist; do
        grep -qw -e "$command" "share/$file" || fail "share/$file lacks $command"
    done
done
if command -v man >/dev/null; then
    man --warnings -l -E UTF-8 -Tutf8 share/man/man1/finalist.1 2>&1 >/dev/null |
        grep . && fail "man complains"
fi
bash -c '. share/bash-completion/completions/finalist && complete -p finalist' >/dev/null ||
    fail "bash rejects the completions"

# The library, found the way users find it.
cmake -S "$top/packaging/abc" -B "$out/abc" -DCMAKE_PREFIX_PATH="$root$prefix" >/dev/null
cmake --build "$out/abc" >/dev/null
"$out/abc/abc" || fail "the program that found the CMake package has a wrong digest"
if command -v pkg-config >/dev/null; then
    # finalist.pc finds the prefix from its own location, so it needs neither prefix nor root.
    pc=$(dirname "$(find . -name finalist.pc)")
    flags=$(PKG_CONFIG_PATH=$PWD/$pc pkg-config --cflags --libs finalist)
    # shellcheck disable=SC2086
    cc -o "$out/abc/by-pkg-config" "$top/packaging/abc/abc.c" $flags
    "$out/abc/by-pkg-config" || fail "the program built by pkg-config has a wrong digest"
fi
find . -type f | sort
echo "packaging/check_install.sh: everything that make install installs works"
