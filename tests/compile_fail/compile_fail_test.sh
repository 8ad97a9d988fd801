#!/usr/bin/env bash
# A program that must not compile: compile_fail_test.sh gcc|clang|nvcc PATH_OF_COMPILER SOURCE
#
# The source's lines "// expect COMPILER: TEXT" (or "// expect: TEXT", for all) hold what the first error must say, each
# a part of it. With -DCORRECT the same source is the program without the mistake: it must compile without any warning.
# A mistake of the command line stands in a line "// options: …".
set -euo pipefail

name="$1"
compiler="$2"
source="$3"
output="$TEST_TMPDIR/output.o"

compile() {
  if [[ "$name" != nvcc ]]; then
    "$compiler" -std=c11 -Wall -Wextra -Wpedantic -I. -x c "$@" -c "$source" -o "$output" -pthread
  else
    "$compiler" -arch=sm_75 -Xcompiler=-Wall,-Wextra -I. "$@" -c "$source" -o "$output" -objtemp
  fi
}

if ! said="$(compile -DCORRECT 2>&1)" || [[ -n "$said" ]]; then
  echo "$source: with -DCORRECT it must compile without a word, but:"
  echo "$said"
  exit 1
fi
read -ra options < <(sed -nE "s|^// options: ||p" "$source") || true
if said="$(compile "${options[@]}" 2>&1)"; then
  echo "$source: it must not compile, but it does"
  exit 1
fi

first="$(grep -m1 -E '(: | )(fatal )?error[: ]' <<<"$said" || true)"
expected=0
while IFS= read -r text; do
  expected=$((expected + 1))
  if ! grep -qF -- "$text" <<<"$first"; then
    echo "$source: the first error must say: $text"
    echo "but it is:  $first"
    echo "of all this:"
    echo "$said"
    exit 1
  fi
done < <(sed -nE "s|^// expect( $name)?: ||p" "$source")
if [[ $expected == 0 ]]; then
  echo "$source: it names no text to expect"
  exit 1
fi
echo "$source: $first"
