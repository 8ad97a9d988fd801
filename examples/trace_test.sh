#!/bin/sh
# Drives trace as a user would: trace_test.sh TRACE
set -u
. "$(dirname "$0")/drive.sh"
program=$1
array="4 6 7 1 2 8 5 2"

# shows WHAT: $work/out has the lines of standard input.
shows() {
  cat >"$work/expected"
  check "$1" cmp -s "$work/expected" "$work/out"
}

# The chapter's exercises 8 and 7, and figure 8.7.
run 0 "$program" --strategy brent_kung $array
shows "brent_kung" <<END
input      4   6   7   1   2   8   5   2
step 1     4  10*  7   8*  2  10*  5   7*
step 2     4  10   7  18*  2  10   5  17*
step 3     4  10   7  18   2  10   5  35*
step 4     4  10   7  18   2  28*  5  35
step 5     4  10  17* 18  20* 28  33* 35
brent_kung, inclusive: 11 operations, 5 steps; all as by the sequential scan
END
run 0 "$program" -s kogge_stone_exclusive -e $array
shows "kogge_stone_exclusive" <<END
input      4   6   7   1   2   8   5   2
placed     -*  4*  6*  7*  1*  2*  8*  5*
step 1     -   4  10* 13*  8*  3* 10* 13*
step 2     -   4  10  17* 18* 16* 18* 16*
step 3     -   4  10  17  18  20* 28* 33*
result     0*  4  10  17  18  20  28  33
kogge_stone_exclusive, exclusive: 15 operations, 3 steps; all as by the sequential scan
END
run 0 "$program" -s three_phase 2 1 3 1 0 4 1 2 0 3 1 2 5 3 1 2
shows "three_phase" <<END
input      2   1   3   1   0   4   1   2   0   3   1   2   5   3   1   2
own items  2   3*  6*  7*  0   4*  5*  7*  0   3*  4*  6*  5   8*  9* 11*
step 1     2   3   6   7   0   4   5  14*  0   3   4  13*  5   8   9  17*
step 2     2   3   6   7   0   4   5  14   0   3   4  20*  5   8   9  31*
result     2   3   6   7   7* 11* 12* 14  14* 17* 18* 20  25* 28* 29* 31
three_phase, inclusive: 26 operations, 2 steps; all as by the sequential scan
END
run 0 "$program" --strategy kogge_stone 4294967295 4294967295
check "sums of more than 32 bits" grep -q '^step 1 .* 8589934590\*$' "$work/out"

# Pictures: a sign an operation that a state shows, well-formed where a reader of XML is there.
numbers=$(make_numbers 64)
for strategy in hillis_steele kogge_stone kogge_stone_exclusive brent_kung blelloch three_phase; do
  for exclusive in "" --exclusive; do
    run 0 "$program" --strategy $strategy $exclusive --svg "$work/new" $numbers
    check "$strategy $exclusive: closed" test "$(tail -n 1 "$work/new")" = "</svg>"
    if command -v xmllint >/dev/null; then
      check "$strategy $exclusive: XML" xmllint --noout "$work/new"
    elif command -v python3 >/dev/null; then
      check "$strategy $exclusive: XML" python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$work/new"
    fi
  done
done
run 0 "$program" --strategy kogge_stone --svg "$work/new" $array
check "kogge_stone: 17 additions" test "$(grep -c '<circle' "$work/new")" -eq 17
run 0 "$program" --strategy brent_kung --svg "$work/new" $array
check "brent_kung: 11 additions" test "$(grep -c '<circle' "$work/new")" -eq 11
check "brent_kung: a line to each" test "$(grep -c 'url(#arrow)' "$work/new")" -eq 11

# What is wrong is said, and nothing is lost.
refuses() {
  says=$1
  shift
  run 2 "$program" "$@"
  check "refused: $*: nothing shown" test ! -s "$work/out"
  check "refused: $*: says why" grep -q -e "$says" "$work/err"
}
known='there are: hillis_steele kogge_stone kogge_stone_exclusive brent_kung blelloch three_phase$'
refuses "no strategy 'brent'; $known" --strategy brent $array
refuses "strategy is missing; $known" $array
refuses '0 numbers: from 1 to 64' --strategy blelloch
refuses '65 numbers: from 1 to 64' --strategy blelloch $numbers 1
refuses "number 2: not a number in decimal digits: 'x'" --strategy blelloch 1 x
refuses "number 1: a number is at most 4294967295: '4294967296'" --strategy blelloch 4294967296
refuses "number 3: there is no number" --strategy blelloch 1 2 ''
refuses nonsense --nonsense --strategy blelloch 1
refuses 'requires an argument' 1 --svg
cp "$work/new" "$work/old"
run 2 "$program" --strategy blelloch --svg "$work/new" 1 2x
check "bad numbers leave an old picture" cmp -s "$work/old" "$work/new"
run 1 "$program" --strategy blelloch --svg "$work/missing/new" 1
check "a picture in no directory" grep -q "^$work/missing/new: No such file" "$work/err"
check "a picture in no directory: nothing shown" test ! -s "$work/out"
full "a table" "$program" --strategy blelloch 1 2
full "--help" "$program" --help
run 0 "$program" --strategy blelloch 1 2
cp "$work/out" "$work/table"
run 0 "$program" --strategy blelloch --svg /dev/stdout 1 2
check "a picture in front of the table" grep -q '^</svg>$' "$work/out"
check "the table behind the picture" test "$(tail -n "$(wc -l <"$work/table")" "$work/out")" = "$(cat "$work/table")"
run 0 "$program" --help
check "--help shows the usage" grep -q '^usage: ' "$work/out"

finish trace_test
