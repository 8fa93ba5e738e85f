#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Tests a wheel in the CPython of tools/build_python.sh, with the pinned packages of
# python/requirements-test.txt that have wheels for it. Nothing is installed in the system.
#
#   tools/test_wheel_built.sh DIRECTORY PIP WHEEL [PYTEST ARGUMENTS]
#
# DIRECTORY is that of build_python.sh.
set -euo pipefail
directory=$(realpath "$1")
pip=$2
wheel=$3
shift 3
python=$directory/prefix/bin/python3

soabi=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("SOABI"))')
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
abi=cp${version/./}
names='hypothesis|numpy|pandas|pyarrow|pytest'
case $soabi in
*musl*)
  platforms=(--platform musllinux_1_2_x86_64)
  names+='|polars'
  without=duckdb
  ;;
*t-*)
  platforms=(--platform manylinux_2_28_x86_64 --platform manylinux2014_x86_64)
  abi+=t
  without='duckdb polars'
  ;;
*)
  echo "test_wheel_built: $python is neither for musl nor free-threaded: $soabi" >&2
  exit 1
  ;;
esac
if [ "$abi" = cp313t ]; then
  # The last versions with wheels for it; for hypothesis, the last without an extension module.
  pinned=(hypothesis==6.131.0 numpy==2.4.6 pandas==3.0.3 pyarrow==24.0.0 pytest==9.2.0)
else
  mapfile -t pinned < <(grep -E "^($names)==" python/requirements-test.txt)
fi

rm -rf "$directory/packages"
"$pip" install --quiet --target "$directory/packages" --only-binary=:all: \
  --python-version "$version" --implementation cp --abi "$abi" --abi abi3 --abi none \
  "${platforms[@]}" "${pinned[@]}" "$wheel"
FINALIST_WITHOUT=$without PYTHONPATH=$directory/packages exec "$python" -B -m pytest -q \
  -p no:cacheprovider "$@"
