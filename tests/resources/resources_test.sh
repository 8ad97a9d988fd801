#!/usr/bin/env bash
# Reads what the assembler says of every kernel and device function: resources_test.sh NVCC ARCH SOURCE
# Nothing may use stack or spill registers, for elements of any width.
set -euo pipefail

nvcc="$1"
arch="$2"
source="$3"

report="$("$nvcc" -arch="$arch" -O3 -cubin -Xptxas=-v -I. "$source" -o "$TEST_TMPDIR/output.cubin" 2>&1)"
lines="$(grep -c 'bytes stack frame' <<<"$report" || true)"
if [[ $lines == 0 ]]; then
  echo "no kernel in the report:"
  echo "$report"
  exit 1
fi
if grep 'bytes stack frame' <<<"$report" | grep -v '^ *0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads' >/dev/null; then
  echo "$source uses stack or spills on $arch:"
  grep -B1 -A1 'bytes stack frame' <<<"$report"
  exit 1
fi
registers="$(sed -nE 's/.*Used ([0-9]+) registers.*/\1/p' <<<"$report" | sort -n | uniq | tr '\n' ' ')"
echo "$arch: $lines kernels and functions, no stack, no spills; registers: $registers"
