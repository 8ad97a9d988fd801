#!/usr/bin/env bash
# Installs the library, moves it, and builds a client by each way in: packaging_test.sh CMAKE PKG_CONFIG GCC
set -euo pipefail

cmake="$1"
pkg_config="$2"
gcc="$3"
# Copies, for the tree of a test is made of links.
work="$TEST_TMPDIR/work"
mkdir -p "$work/source/tools"
cp -RL scan CMakeLists.txt "$work/source"
cp -L tools/scan.pc "$work/source/tools"
cp -RL tests/packaging "$work/client"
cd "$work"

quietly() {
  "$@" >log 2>&1 || { cat log; return 1; }
}

echo "add_subdirectory:"
quietly "$cmake" -S client -B subdirectory -DSCAN_SOURCE_DIR="$work/source"
quietly "$cmake" --build subdirectory
subdirectory/client

echo "find_package, after the installed folder was moved:"
quietly "$cmake" -S source -B installation -DCMAKE_INSTALL_PREFIX="$work/first"
quietly "$cmake" --install installation
mv first prefix
quietly "$cmake" -S client -B package -DCMAKE_PREFIX_PATH="$work/prefix"
quietly "$cmake" --build package
package/client

echo "pkg-config:"
export PKG_CONFIG_PATH="$work/prefix/share/pkgconfig"
read -ra flags <<<"$("$pkg_config" --cflags --libs scan)"
quietly "$gcc" -std=c11 client/client.c -o with_pkg_config "${flags[@]}"
./with_pkg_config
