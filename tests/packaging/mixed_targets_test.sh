#!/usr/bin/env bash
# A C file for the CPU beside scans for CUDA is told so before main: mixed_targets_test.sh NVCC GCC
set -euo pipefail

nvcc="$1"
gcc="$2"
work="$TEST_TMPDIR"

"$nvcc" -arch=sm_90 -I. -c tests/extern_scans.cu -o "$work/scans.o" -objtemp
build() {
  for unit in extern_test extern_other; do
    "$gcc" -std=c11 -I. "$@" -c "tests/$unit.c" -o "$work/$unit.o"
  done
  "$nvcc" -arch=sm_90 "$work"/{scans,extern_test,extern_other}.o -lm -o "$work/program"
}

build
if "$work/program" >"$work/said" 2>&1; then
  echo "a program of both targets runs"
  exit 1
fi
grep -Eq '^scan: (scan_line_follow|totals) is compiled for CUDA, .*-DSCAN_TARGET_CUDA$' "$work/said" || { cat "$work/said"; exit 1; }
cat "$work/said"

# With the flag it comes to its own checks, which need a GPU.
build -DSCAN_TARGET_CUDA -isystem "$(dirname "$nvcc")/../include"
"$work/program" >"$work/said" 2>&1 || true
if grep -q 'is compiled for CUDA' "$work/said"; then
  cat "$work/said"
  exit 1
fi
