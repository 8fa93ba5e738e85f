#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Installs the programs that `make test` and `make lint` need beyond gcc, CMake and Rust. As root on
# Debian and its derivatives it installs packages; elsewhere it names the missing ones and fails.
#
#   tools/install_needs.sh [GOAL]...    test, cross (emulated targets), fuzz, windows, avr,
#                                       python, engines (Spark, Ray and Dask), wheels (a
#                                       release's), browser (the WebAssembly page), packaging,
#                                       proofs, lint or cache (of compiled objects); default: all
set -euo pipefail

# A need is a command (or a described check) and the Debian packages that provide it, best first.
commands_of_test=(
    "gcc|gcc"
    "g++|g++"
    "cmake|cmake"
    "python3|python3"
    "nm|binutils"
    "b2sum|coreutils"
    "valgrind|valgrind"
    "patch|patch"
    "clang-19 clang|clang-19 clang"
)
# The emulators that cmake/targets.def names, and their packages.
commands_of_cross=(
    "python3|python3"
    "node|nodejs"
)
while read -r command _; do
    case "$command" in
    qemu-*) commands_of_cross+=("$command|qemu-user-static") ;;
    esac
done < <(sed -n 's/^FIN_TARGET(.*"\([^"]*\)")$/\1/p' "$(dirname "$0")/../cmake/targets.def")
commands_of_fuzz=(
    "cmake|cmake"
    "clang-19 clang|clang-19 clang"
)
commands_of_windows=(
    "cmake|cmake"
    "x86_64-w64-mingw32-gcc|gcc-mingw-w64-x86-64"
    "wine|wine"
    "wineserver|wine64"
)
commands_of_avr=(
    "gcc|gcc"
    "python3|python3"
    "avr-gcc|gcc-avr"
    "avr-as|binutils-avr"
)
commands_of_python=(
    "gcc|gcc"
    "cmake|cmake"
    "python3|python3"
)
# Needs of the engines' tests beyond those of the Python package: Spark runs on Java 17 or later.
commands_of_engines=(
    "${commands_of_python[@]}"
    "java|openjdk-17-jdk-headless default-jdk-headless"
    "javac|openjdk-17-jdk-headless default-jdk-headless"
)
commands_of_browser=(
    "node|nodejs"
    "npm|npm"
    "chromium|chromium"
)
commands_of_packaging=(
    "python3|python3"
    "dpkg-buildpackage|dpkg-dev"
    "dh|debhelper"
    "lintian|lintian"
    "abidiff|abigail-tools"
    "ruby|ruby"
    "nix-instantiate|nix-bin"
)
commands_of_proofs=(
    "gcc|gcc"
    "python3|python3"
    "patch|patch"
    "cbmc|cbmc"
)
commands_of_lint=(
    "clang-19 clang|clang-19 clang"
    "clang-format-19|clang-format-19"
    "run-clang-tidy-19|clang-tidy-19"
    "mandoc|mandoc"
    "python3|python3"
)

# Debian 12 has no cbmc, but runs Debian 11's, which its mirrors still have.
cbmc_file=pool/main/c/cbmc/cbmc_5.12-5_amd64.deb
cbmc_sha256=25fd26a1fad6b9334aaf498b12b6c094e8d0fb15384281fef5f1c5eaff047f20

missing_packages=()
missing_needs=()

have_any() {
    local name
    for name in $1; do
        if command -v "$name" >/dev/null; then
            return 0
        fi
    done
    return 1
}

# Look packages up only when something is missing, since that takes longest.
choose_package() {
    local name
    for name in $1; do
        if apt-cache show "$name" >/dev/null 2>&1; then
            echo "$name"
            return
        fi
    done
    echo "${1%% *}"
}

# Downloads Debian 11's cbmc into a folder, from apt's mirror.
download_cbmc() {
    local mirror
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' |
        head -n 1)
    chmod 755 "$1"
    /usr/lib/apt/apt-helper -qq -o APT::Sandbox::User=root download-file \
        "${mirror%/}/$cbmc_file" "$1/cbmc.deb" "SHA256:$cbmc_sha256"
}

need() {
    missing_needs+=("$1 (Debian: ${2// / or })")
    missing_packages+=("$2")
}

need_commands() {
    local row
    for row in "$@"; do
        have_any "${row%%|*}" || need "${row%%|*}" "${row##*|}"
    done
}

links() {
    echo 'int main(void) { return 0; }' | "$@" -x c - -o /dev/null 2>/dev/null
}

need_compilers() {
    if [ "$(uname -m)" = x86_64 ]; then
        links gcc -m32 || need "a 32-bit C library for gcc -m32" gcc-multilib
    fi
    links gcc -fsanitize=address,undefined || need "gcc's sanitizers" gcc
}

need_openssl() {
    echo '#include <openssl/core_dispatch.h>' | gcc -E -x c - >/dev/null 2>&1 ||
        need "OpenSSL 3's headers" libssl-dev
}

need_fuzzer() {
    local compiler
    compiler=$(command -v clang-19 || command -v clang || echo clang-19)
    links "$compiler" -fsanitize=fuzzer-no-link,address,undefined ||
        need "clang's sanitizers and libFuzzer" libclang-rt-19-dev
}

need_venv() {
    python3 -c 'import ensurepip, venv' 2>/dev/null || need "Python's venv module" python3-venv
}

need_simulator() {
    echo '#include <avr/io.h>' | avr-gcc -mmcu=atmega1284p -E -x c - >/dev/null 2>&1 ||
        need "a C library for avr-gcc" avr-libc
    { echo '#include <gelf.h>' | gcc -E -x c - >/dev/null 2>&1 && links gcc -lelf; } ||
        need "libelf" libelf-dev
    { echo '#include <simavr/sim_avr.h>' | gcc -E -x c - >/dev/null 2>&1 &&
        links gcc -Wl,--unresolved-symbols=ignore-in-shared-libs -lsimavr; } ||
        need "libsimavr" libsimavr-dev
}

# Succeeds if Rust's standard library for a target is installed.
have_rust_target() {
    [ -d "$(rustc --print sysroot)/lib/rustlib/$1/lib" ]
}

need_rust_target() {
    if have_rust_target "$1"; then
        return
    fi
    if ! command -v rustup >/dev/null || ! rustup target add "$1"; then
        echo "install_needs: Rust's target $1 is missing: rustup target add $1" >&2
        exit 1
    fi
}

need_rust() {
    if ! command -v cargo >/dev/null; then
        echo "install_needs: cargo is missing: install Rust from https://rustup.rs" >&2
        exit 1
    fi
    if [ "$1" = windows ]; then
        need_rust_target x86_64-pc-windows-gnu
    fi
    if [ "$1" = wheels ]; then
        local machine library
        for machine in x86_64 aarch64; do
            for library in gnu musl; do
                need_rust_target "$machine-unknown-linux-$library"
            done
        done
    fi
    if [ "$1" != lint ] || { cargo fmt --version && cargo clippy --version; } >/dev/null 2>&1; then
        return
    fi
    if ! command -v rustup >/dev/null || ! rustup component add rustfmt clippy; then
        echo "install_needs: rustfmt or clippy is missing: rustup component add rustfmt clippy" >&2
        exit 1
    fi
}

collect() {
    missing_packages=()
    missing_needs=()
    local goal
    for goal in "$@"; do
        case "$goal" in
        test)
            need_commands "${commands_of_test[@]}"
            need_compilers
            need_openssl
            ;;
        cross)
            need_commands "${commands_of_cross[@]}"
            need_venv
            ;;
        fuzz)
            need_commands "${commands_of_fuzz[@]}"
            need_fuzzer
            ;;
        windows)
            need_commands "${commands_of_windows[@]}"
            ;;
        avr)
            need_commands "${commands_of_avr[@]}"
            need_simulator
            ;;
        python | engines)
            local -n commands="commands_of_$goal"
            need_commands "${commands[@]}"
            need_venv
            python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
                need "Python 3.11 or later" python3
            ;;
        wheels)
            need_commands "${commands_of_python[@]}"
            need_venv
            ;;
        browser)
            need_commands "${commands_of_browser[@]}"
            ;;
        packaging)
            need_commands "${commands_of_packaging[@]}"
            need_venv
            ;;
        proofs)
            need_commands "${commands_of_proofs[@]}"
            ;;
        lint)
            need_commands "${commands_of_lint[@]}"
            need_venv
            ;;
        cache)
            need_commands "ccache|ccache"
            ;;
        *)
            echo "install_needs: '$goal': use test, cross, fuzz, windows, avr, python," \
                "engines, wheels, browser, packaging, proofs, lint or cache" >&2
            exit 1
            ;;
        esac
    done
}

name_missing() {
    printf 'install_needs: missing: %s\n' "${missing_needs[@]}" >&2
}

goals=("$@")
if [ ${#goals[@]} -eq 0 ]; then
    goals=(test cross fuzz windows avr python engines wheels browser packaging proofs lint cache)
fi
for goal in "${goals[@]}"; do
    [ "$goal" = avr ] || [ "$goal" = proofs ] || need_rust "$goal"
done
collect "${goals[@]}"
if [ ${#missing_needs[@]} -eq 0 ]; then
    exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    name_missing
    echo "install_needs: install these, or run as root where apt-get is" >&2
    exit 1
fi
# Steps of one make may run this at the same time, and another may have installed what is missing.
exec 9<"$0"
flock 9
collect "${goals[@]}"
if [ ${#missing_needs[@]} -eq 0 ]; then
    exit 0
fi
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
packages=()
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
for candidates in "${missing_packages[@]}"; do
    if [ "$candidates" = cbmc ] && ! apt-cache show cbmc >/dev/null 2>&1; then
        download_cbmc "$folder"
        packages+=("$folder/cbmc.deb")
    else
        packages+=("$(choose_package "$candidates")")
    fi
done
apt-get -qq install -y --no-install-recommends "${packages[@]}" >/dev/null
collect "${goals[@]}"
if [ ${#missing_needs[@]} -ne 0 ]; then
    name_missing
    exit 1
fi
