#!/usr/bin/env bash
# Runs the GPU tests that tools/gpu_collect.sh put into a folder, without Bazel: tools/gpu_run.sh DIR [PATTERN]
#
# PATTERN, a regular expression, picks tests by name. Each test's output is kept in $LOGS (DIR/logs if unset), each may
# take $TEST_TIMEOUT seconds (300 if unset). Prints a line for each test and closes on 'N passed, N failed'.
set -uo pipefail

if [[ $# -lt 1 || $# -gt 2 || ! -e "$1/cases.txt" ]]; then
  echo "usage: tools/gpu_run.sh DIR [PATTERN], DIR as tools/gpu_collect.sh leaves it" >&2
  exit 2
fi
cd "$1" || exit 2
logs="${LOGS:-$PWD/logs}"
mkdir -p "$logs" || exit 2

passed=0
failed=0
while read -r path; do
  [[ "$path" =~ ${2:-.} ]] || continue
  name="${path//\//.}"
  log="$logs/$name.log"
  TEST_TMPDIR="$(mktemp -d)"
  export TEST_TMPDIR
  started="$(date +%s.%N)"
  timeout --kill-after=10 "${TEST_TIMEOUT:-300}" bash "$path" </dev/null >"$log" 2>&1
  code=$?
  seconds="$(awk -v a="$started" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')"
  rm -rf "$TEST_TMPDIR"
  if [[ $code == 0 ]]; then
    passed=$((passed + 1))
    echo "PASS $path (${seconds} s)"
  else
    failed=$((failed + 1))
    [[ $code == 124 || $code == 137 ]] && reason="timed out" || reason="exit code $code"
    echo "FAIL $path ($reason, ${seconds} s)"
    tail -n 20 "$log" | sed 's/^/    /'
  fi
done <cases.txt
echo "$passed passed, $failed failed"
[[ $failed == 0 && $passed -gt 0 ]]
