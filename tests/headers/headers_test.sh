#!/usr/bin/env bash
# Compiles each header alone, and twice in one unit: headers_test.sh host|c_client|cuda COMPILER CUDA_INCLUDE HEADER...
#
#   host      every header of the host target as C11
#   c_client  what a C file of a CUDA build includes, scan/scan.h, as C11
#   cuda      every header of the CUDA target in a .cu file, for each of its ways to load tiles
set -uo pipefail

target="$1"
compiler="$2"
cuda_include="$3"
shift 3

# What a client may warn of.
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wcast-qual -Wcast-align -Wstrict-prototypes
  -Wmissing-prototypes -Werror)

# A header that knows one machine does not compile for the other.
belongs() {
  case "$target" in
    host) [[ "$1" != scan/target/cuda*.h ]] ;;
    c_client) [[ "$1" == scan/scan.h ]] ;;
    cuda) [[ "$1" != scan/target/host*.h ]] ;;
  esac
}

compile() {
  local unit="$1"
  case "$target" in
    host) "$compiler" -std=c11 "${warnings[@]}" -I. -c "$unit.c" -o "$unit.o" ;;
    c_client)
      "$compiler" -std=c11 "${warnings[@]}" -DSCAN_TARGET_CUDA -I. -isystem "$cuda_include" \
        -c "$unit.c" -o "$unit.o"
      ;;
    cuda)
      "$compiler" -gencode=arch=compute_75,code=sm_75 -gencode=arch=compute_80,code=sm_80 \
        -gencode=arch=compute_90,code=sm_90 -Werror=all-warnings -Xcompiler=-Wall,-Wextra,-Werror -I. -objtemp \
        -c "$unit.cu" -o "$unit.o"
      ;;
  esac
}

check() {
  local header="$1" unit="$TEST_TMPDIR/${1//[\/.]/_}" said
  printf '#include "%s"\n#include "%s"\ntypedef int some_declaration;\n' "$header" "$header" >"$unit.c"
  cp "$unit.c" "$unit.cu"
  if ! said="$(compile "$unit" 2>&1)" || [[ -n "$said" ]]; then
    echo "$header does not compile alone:"
    echo "$said"
    return 1
  fi
}

count=0
failed=0
for header in "$@"; do
  belongs "$header" || continue
  count=$((count + 1))
  check "$header" || failed=$((failed + 1))
done
echo "$count headers compiled alone for $target, $failed failed"
[[ $failed == 0 && $count -gt 0 ]]
