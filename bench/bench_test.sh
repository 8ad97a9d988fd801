#!/usr/bin/env bash
# The bench as a program: its list, its options, a run over every work and type with its CSV: bench_test.sh BENCH
set -euo pipefail

bench="$1"
csv="$TEST_TMPDIR/rows.csv"
output="$TEST_TMPDIR/output"
size=' 2\^10 graph$'

for wrong in --no-such-option '--filter=(' --filter=nothing_like_that stray; do
  code=0
  "$bench" "$wrong" >"$output" 2>&1 || code=$?
  if [[ $code != 2 || ! -s "$output" ]]; then
    echo "bench $wrong: exit code $code, expected 2 and a message" >&2
    exit 1
  fi
done

listed="$("$bench" --full --filter "$size" --list | wc -l)"
"$bench" --full --filter "$size" --csv "$csv" --commit 0123abc >"$output"
if [[ "$(head -n 1 "$csv")" != work,detail,type,n,mode,ours_us,cub_us,copy_us,gpu,commit ]]; then
  echo "another head: $(head -n 1 "$csv")" >&2
  exit 1
fi
rows="$(tail -n +2 "$csv" | grep -c '^[a-z_0-9]*,[a-z0-9]*,[a-z0-9]*,1024,graph,[0-9.]*,[0-9.]*,[0-9.]*,.*,0123abc$')"
if [[ "$rows" == 0 || "$rows" != "$listed" ]]; then
  echo "$listed rows listed, $rows in the CSV" >&2
  exit 1
fi
if "$bench" --full --filter "^inclusive_add +f32$size" --csv /dev/full >"$output" 2>&1; then
  echo "a CSV that could not be written went unnoticed" >&2
  exit 1
fi
grep -q '^/dev/full: not written completely$' "$output" || { cat "$output" >&2; exit 1; }
echo "bench: $rows works and types measured and checked at 1024 elements; wrong options and a full device refused"
