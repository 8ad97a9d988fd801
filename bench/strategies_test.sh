#!/usr/bin/env bash
# The strategies' table as a program, of counts: its list, its options, a quick run with its CSV: strategies_test.sh STRATEGIES
set -euo pipefail

strategies="$1"
csv="$TEST_TMPDIR/rows.csv"
output="$TEST_TMPDIR/output"

for wrong in --no-such-option stray --csv; do
  code=0
  "$strategies" "$wrong" >"$output" 2>&1 || code=$?
  if [[ $code != 2 || ! -s "$output" ]]; then
    echo "strategies $wrong: exit code $code, expected 2 and a message" >&2
    exit 1
  fi
done

listed="$("$strategies" --list | wc -l)"
"$strategies" --quick --csv "$csv" --commit 0123abc >"$output"
if [[ "$(head -n 1 "$csv")" != device,block,items,type,n,operators,steps,barriers,shared,global,status,commit ]]; then
  echo "another head: $(head -n 1 "$csv")" >&2
  exit 1
fi
# One thread: n - 1 operations, each element read and written once.
if ! grep -q '^sequential,none,1,f32,1024,1023,0,0,0,2048,0,0123abc$' "$csv"; then
  echo "another count of the sequential scan: $(grep '^sequential,' "$csv")" >&2
  exit 1
fi
for n in 1024 16384; do
  rows="$(grep -c "^[a-z_]*,[a-z_]*,[14],[fb][0-9]*[a-z_]*,$n,\([0-9]*,\)\{6\}0123abc\$" "$csv")"
  if [[ "$rows" == 0 || "$rows" != "$listed" ]]; then
    echo "$listed rows listed, $rows of $n elements in the CSV" >&2
    exit 1
  fi
done
echo "strategies: $rows rows counted and checked at 2 sizes; wrong options refused"
