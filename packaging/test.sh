#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Runs each packaging check that this machine can run, all of them even if one fails. Reports each as
# passed, failed or left out, with the reason. The logs are build/packaging/*.log.
#
#   packaging/test.sh [BASE]     the commit or tag whose programs must run with this library; default:
#                                the last tag
set -uo pipefail
cd "$(dirname "$0")/.."
out=$PWD/build/packaging
bin=$out/bin
base=${1:-$(git describe --tags --abbrev=0 2>/dev/null || true)}
failed=0
mkdir -p "$out"

say() {
    printf '%-12s %s\n' "$1" "$2"
}

# check NAME NEEDS COMMAND...: runs the command if all needs are installed.
check() {
    local name=$1 needs=$2 need
    shift 2
    for need in $needs; do
        if ! command -v "$need" >/dev/null; then
            say "$name" "left out: there is no $need"
            return
        fi
    done
    if "$@" >"$out/$name.log" 2>&1; then
        say "$name" passed
    else
        say "$name" "FAILED: see $out/$name.log"
        failed=1
    fi
}

conan_package() {
    export CONAN_HOME=$out/conan
    "$bin/conan" profile detect --force && "$bin/conan" create packaging/conan
}

homebrew_formula() {
    local archive=$out/source.tar.gz
    git archive -o "$archive" HEAD &&
        packaging/homebrew.sh "$archive" https://example.org/source.tar.gz >"$out/finalist.rb" &&
        ruby -c "$out/finalist.rb"
}

check install "cargo cmake" packaging/check_install.sh "$out/install"
check sbom "cargo $bin/python" "$bin/python" packaging/sbom.py build/finalist.cdx.json
check vcpkg "cmake" cmake -DOUT="$out/vcpkg" -P packaging/vcpkg/check.cmake
check conan "cmake $bin/conan" conan_package
check homebrew "ruby git" homebrew_formula
check nix "nix-instantiate" nix-instantiate --parse packaging/nix/default.nix
check debian "dpkg-buildpackage dh lintian git" packaging/debian.sh build/debian
if [ -n "$base" ]; then
    check abi "abidiff git" packaging/check_abi.sh "$base"
else
    say abi "left out: there is no tag to compare with; name a commit: make test-packaging BASE=COMMIT"
fi
exit $failed
