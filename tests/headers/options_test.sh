#!/usr/bin/env bash
# Compiles clients' programs with the options that clients use, without a word and within a minute each:
# options_test.sh host|cuda COMPILER PROGRAM.cu...
set -uo pipefail

target="$1"
compiler="$2"
shift 2

case "$target" in
  host)
    command=("$compiler" -std=c11 -Wall -Wextra -Wpedantic -Werror -x c)
    options=(-O0 -Og -Os -O3)
    ;;
  cuda)
    command=("$compiler" -arch=sm_90 -Werror=all-warnings -Xcompiler=-Wall,-Wextra,-Werror -objtemp)
    options=(-G -rdc=true -std=c++20)
    ;;
esac

count=0
failed=0
for program in "$@"; do
  for option in "${options[@]}"; do
    count=$((count + 1))
    said="$(timeout 60 "${command[@]}" "$option" -I. -c "$program" -o "$TEST_TMPDIR/program.o" 2>&1)"
    code=$?
    [[ $code == 0 && -z "$said" ]] && continue
    failed=$((failed + 1))
    echo "$program does not compile with $option (exit code $code; 124 is a minute gone):"
    echo "$said"
  done
done
echo "$# programs compiled with ${options[*]}, $failed of $count failed"
[[ $failed == 0 && $count -gt 0 ]]
