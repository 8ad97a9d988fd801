#!/bin/sh
# Drives stream_compaction as a user would, and compares it with awk: stream_compaction_test.sh STREAM_COMPACTION
set -u
. "$(dirname "$0")/drive.sh"
program=$1

# keeps WHAT MIN MAX: filters $work/input by both programs and compares.
keeps() {
  awk -v min="$2" -v max="$3" '$1 + 0 >= min + 0 && $1 + 0 <= max + 0' "$work/input" >"$work/expected"
  run 0 "$program" "$work/input" --min "$2" --max "$3"
  check "$1" cmp -s "$work/expected" "$work/out"
  check "$1: one line of how many" grep -Eqx "stream_compaction: $(wc -l <"$work/expected") of $(awk 'END { print NR }' \
"$work/input") numbers kept in [0-9.]+ ms on (host|CUDA) target, .+" "$work/err"
}

# Values.
printf '' >"$work/input" && keeps "empty input" 0 4294967295
printf '7\n' >"$work/input" && keeps "one number, kept" 7 7
printf '7\n' >"$work/input" && keeps "one number, too small" 8 9
printf '7\n' >"$work/input" && keeps "one number, too large" 5 6
printf '3\n1\n2' >"$work/input" && keeps "no last newline" 2 3
printf '4294967295\n0\n4294967294\n2147483648\n1\n0\n4294967295\n' >"$work/input"
keeps "everything" 0 4294967295
keeps "zeros" 0 0
keeps "greatest values" 4294967295 4294967295
keeps "an empty range" 2 1
make_numbers 1000003 >"$work/input"
keeps "a million numbers, about half" 100 1000000
keeps "a million numbers, few" 4000000000 4000100000
keeps "a million numbers, all" 0 4294967295
keeps "a million numbers, none" 1 0
for n in 255 256 257 65537; do
  make_numbers $n >"$work/input" && keeps "$n numbers" 1000 3000000000
done

common_tests "--min 0 --max 4294967295"

# Bounds.
printf '1\n2\n' >"$work/input"
refuses() {
  run 2 "$program" "$work/input" "$@"
  check "refused: $*: nothing written" test ! -s "$work/out"
  check "refused: $*: says why" grep -q -e "$says" "$work/err"
}
says='--max is missing' && refuses --min 1
says='--min is missing' && refuses --max 1
says='--min is missing' && refuses
says="requires an argument" && refuses --min 1 --max
says='--min 01: a number has no leading zero' && refuses --min 01 --max 2
says='--min -1: not a number' && refuses --min -1 --max 2
says='--max 4294967296: a number is at most' && refuses --min 1 --max 4294967296
says='--max : there is no number' && refuses --min 1 --max ''
says='--max 2x: not a number' && refuses --min 1 --max 2x
run 0 "$program" --max=2 --min=2 "$work/input"
check "options before FILE, joined by =" test "$(cat "$work/out")" = 2

run 0 "$program" --min 1000 --max 2000000
check "made-up numbers are checked" grep -q 'all as kept by one loop' "$work/out"
check "made-up numbers have the line too" grep -Eq '^stream_compaction: [0-9]+ of 1000000 numbers kept in ' "$work/err"

finish stream_compaction_test
