#!/bin/sh
# Drives radix_sort as a user would, and compares it with sort -n: radix_sort_test.sh RADIX_SORT
set -u
. "$(dirname "$0")/drive.sh"
program=$1

# sorts WHAT: sorts $work/input by both programs and compares.
sorts() {
  LC_ALL=C sort -n "$work/input" >"$work/expected"
  run 0 "$program" "$work/input"
  check "$1" cmp -s "$work/expected" "$work/out"
  check "$1: one line of how many" grep -Eqx \
    "radix_sort: $(wc -l <"$work/expected") numbers sorted in [0-9.]+ ms on (host|CUDA) target, .+" "$work/err"
}

# Values.
printf '' >"$work/input" && sorts "empty input"
printf '7\n' >"$work/input" && sorts "one number"
printf '7' >"$work/input" && sorts "one number without a newline"
printf '3\n1\n2' >"$work/input" && sorts "no last newline"
printf '4294967295\n0\n4294967294\n2147483648\n2147483647\n0\n4294967295\n' >"$work/input" && sorts "extreme values"
make_numbers 1000003 >"$work/input" && sorts "a million numbers"
LC_ALL=C sort -n "$work/input" >"$work/sorted" && mv "$work/sorted" "$work/input" && sorts "sorted numbers"
LC_ALL=C sort -nr "$work/input" >"$work/sorted" && mv "$work/sorted" "$work/input" && sorts "numbers in reverse"
for n in 3967 3968 3969 7936 63488; do
  make_numbers $n >"$work/input" && sorts "$n numbers"
done

common_tests ""

run 0 "$program"
check "made-up numbers are checked" grep -q 'all as sorted by qsort' "$work/out"
check "made-up numbers have the line too" grep -q '^radix_sort: 1000000 numbers sorted in ' "$work/err"
run 2 "$program" --output "$work/unread"
check "--output without FILE is refused" test ! -e "$work/unread"

finish radix_sort_test
