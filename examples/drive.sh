# What the tests of the examples that read files share; to be sourced.
checks=0
failures=0
seed=${SCAN_TEST_SEED:-$(date +%s)}
work=$(mktemp -d "${TEST_TMPDIR:-${TMPDIR:-/tmp}}/examples.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# check WHAT COMMAND...: counts, and says WHAT if the command fails.
check() {
  what=$1
  shift
  checks=$((checks + 1))
  "$@" && return
  failures=$((failures + 1))
  echo "FAILED (seed $seed): $what" >&2
}

# run STATUS COMMAND...: runs it into $work/out and $work/err and checks its exit status.
run() {
  expected_status=$1
  shift
  "$@" >"$work/out" 2>"$work/err"
  status=$?
  check "exit status $status, not $expected_status, of: $* ($(cat "$work/err"))" test $status -eq "$expected_status"
}

# full WHAT PROGRAM ARG...: what cannot be written to standard output fails, and the reason is said.
full() {
  what=$1
  shift
  "$@" >/dev/full 2>"$work/err"
  check "$what to a full device: exit status" test $? -eq 1
  check "$what to a full device" grep -q '^standard output: No space left' "$work/err"
}

# make_numbers N: random numbers of all lengths, a different sequence at every call.
make_numbers() {
  made=$((${made:-0} + 1))
  awk -v n="$1" -v seed="$((seed + made))" 'BEGIN {
    srand(seed)
    for (i = 0; i < n; i++) printf "%.0f\n", int(rand() * 2 ^ int(rand() * 33))
  }'
}

# Names and streams, bad lines, bad files and bad options, with the options that the program cannot do without.
common_tests() {
  options=$1
  printf '1\n20\n300\n' >"$work/input"
  cp "$work/input" "$work/expected"

  run 0 "$program" $options - <"$work/input"
  check "- is standard input" cmp -s "$work/expected" "$work/out"
  run 0 "$program" $options -- "$work/input"
  check "-- ends the options" cmp -s "$work/expected" "$work/out"
  cat "$work/input" | "$program" $options - 2>"$work/err" | cat >"$work/out"
  check "pipes on both sides" cmp -s "$work/expected" "$work/out"

  # --output.
  run 0 "$program" $options "$work/input" --output "$work/new"
  check "--output makes a file" cmp -s "$work/expected" "$work/new"
  check "--output leaves standard output alone" test ! -s "$work/out"
  echo "something longer than what replaces it" >"$work/new"
  chmod 640 "$work/new"
  ln -s new "$work/link"
  run 0 "$program" $options "$work/input" -o "$work/link"
  check "--output replaces a file" cmp -s "$work/expected" "$work/new"
  check "--output keeps a link" test -h "$work/link"
  check "--output keeps the permissions" test "$(ls -l "$work/new" | cut -c1-10)" = -rw-r-----
  cp "$work/input" "$work/same"
  run 0 "$program" $options "$work/same" --output "$work/same"
  check "--output may be the input" cmp -s "$work/expected" "$work/same"
  run 0 "$program" $options "$work/input" --output -
  check "--output - is standard output" cmp -s "$work/expected" "$work/out"
  ln -s /proc/self/fd/1 "$work/stdout" # what /dev/stdout is, in a folder of our own
  run 0 "$program" $options "$work/input" --output "$work/stdout"
  check "--output to what is standard output" cmp -s "$work/expected" "$work/out"
  "$program" $options "$work/input" --output "$work/stdout" 2>"$work/err" | cat >"$work/out"
  check "--output to what is standard output, a pipe" cmp -s "$work/expected" "$work/out"
  mkfifo "$work/fifo"
  timeout 10 cat "$work/fifo" >"$work/drained" &
  run 0 "$program" $options "$work/input" --output "$work/fifo"
  wait
  check "--output to a pipe" cmp -s "$work/expected" "$work/drained"
  check "--output to a pipe leaves it a pipe" test -p "$work/fifo"

  # Bad lines: where and why, and nothing written.
  bad_line 1 '\n'
  bad_line 2 '1\n\n2\n'
  bad_line 3 '1\n2\n\n'
  bad_line 2 '1\n2 \n3\n'
  bad_line 2 '1\n 2\n3\n'
  bad_line 1 '+1\n'
  bad_line 1 '-1\n'
  bad_line 1 '1.5\n'
  bad_line 1 '0x10\n'
  bad_line 1 '1e3\n'
  bad_line 2 '0\n00\n'
  bad_line 1 '01\n'
  bad_line 3 '1\n2\nabc'
  bad_line 2 '4294967295\n4294967296\n'
  bad_line 1 '18446744073709551617\n'
  bad_line 1 '99999999999999999999999999999999999999999999999999\n'
  bad_line 1 '1\r\n2\r\n'
  bad_line 2 '1\n2\0003\n4\n'
  bad_line 2 '1\n\000\n'
  bad_line 1 '\357\273\2771\n'
  bad_line 1 '1,2\n'
  { make_numbers 100000 && printf 'x\n' && make_numbers 10; } >"$work/late"
  run 1 "$program" $options "$work/late"
  check "a late bad line is named" grep -q "^$work/late:100001: " "$work/err"
  check "a late bad line: nothing written" test ! -s "$work/out"
  printf '1\nx\n' >"$work/bad"
  run 1 "$program" $options - <"$work/bad"
  check "a bad line of standard input is named" grep -q '^-:2: ' "$work/err"

  # Files that cannot be read or written.
  run 1 "$program" $options "$work/missing"
  check "a missing file is named" grep -q "^$work/missing: No such file" "$work/err"
  run 1 "$program" $options "$work"
  check "a directory is no input" grep -q "^$work: Is a directory" "$work/err"
  run 1 "$program" $options - <&-
  check "standard input closed" grep -q '^-: ' "$work/err"
  run 1 "$program" $options "$work/input" --output "$work/missing/new"
  check "an output in no directory" grep -q "^$work/missing/new: No such file" "$work/err"
  run 1 "$program" $options "$work/input" --output "$work"
  check "a directory is no output" grep -q "^$work: Is a directory" "$work/err"
  run 1 "$program" $options "$work/input" --output ''
  # Not where a program that is wrong could put a file in the device's place.
  if [ ! -w /dev ]; then
    run 1 "$program" $options "$work/input" --output /dev/full
    check "a full device" grep -q '^/dev/full: No space left' "$work/err"
  fi
  full "numbers" "$program" $options "$work/input"
  full "what is made up" "$program" $options
  full "--help" "$program" --help
  "$program" $options "$work/input" >&- 2>"$work/err"
  check "standard output closed: exit status" test $? -eq 1
  check "standard output closed" grep -q '^standard output: Bad file' "$work/err"
  make_numbers 100000 >"$work/large"
  # ThreadSanitizer reserves more than such a limit allows, so a program under it is let off.
  if ! grep -q __tsan_init "$program"; then
    echo before >"$work/new"
    (ulimit -f 8 && trap '' XFSZ && "$program" $options "$work/large" --output "$work/new" 2>"$work/err")
    check "no room for the output: exit status" test $? -eq 1
    check "no room for the output: the old file stays" test "$(cat "$work/new")" = before
  fi
  check "nothing partial is left" test -z "$(find "$work" -name '*partial*')"

  # The command line.
  run 2 "$program" $options "$work/input" --nonsense
  check "an unknown option is named" grep -q "nonsense" "$work/err"
  check "an unknown option: a hint" grep -q -e --help "$work/err"
  check "an unknown option: nothing written" test ! -s "$work/out"
  run 2 "$program" $options "$work/input" --output
  run 2 "$program" $options "$work/input" "$work/input"
  check "two files: says so" grep -q 'one FILE at most' "$work/err"
  run 0 "$program" --help
  check "--help shows the usage" grep -q '^usage: ' "$work/out"
  check "--help is no error" test ! -s "$work/err"
}

# bad_line LINE TEXT: the text has a bad line, from a file and with --output.
bad_line() {
  printf -- "$2" >"$work/bad"
  run 1 "$program" $options "$work/bad"
  check "bad line '$2' is named" grep -q "^$work/bad:$1: " "$work/err"
  check "bad line '$2': one message" test "$(wc -l <"$work/err")" -eq 1
  check "bad line '$2': nothing on standard output" test ! -s "$work/out"
  rm -f "$work/new"
  run 1 "$program" $options "$work/bad" --output "$work/new"
  check "bad line '$2': no output file" test ! -e "$work/new"
  check "bad line '$2': no partial file" test -z "$(find "$work" -name '*partial*')"
}

# finish NAME: the closing line and the exit status.
finish() {
  echo "$1: $((checks - failures)) of $checks checks passed (seed $seed)"
  test $failures -eq 0
  exit
}
