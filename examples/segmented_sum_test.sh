#!/bin/sh
# Drives segmented_sum as a user would, and compares it with awk: segmented_sum_test.sh SEGMENTED_SUM
set -u
. "$(dirname "$0")/drive.sh"
program=$1
small=$(dirname "$0")/small.mtx

# multiplies WHAT: reads $work/input by both programs and compares 12 digits: the others are for rounding.
multiplies() {
  awk 'NR == 1 { mirror = tolower($5) ~ /^skew/ ? -1 : tolower($5) == "symmetric"; pattern = $4 == "pattern"; next }
    /^%/ || NF == 0 { next }
    !sizes { sizes = 1; rows = $1; next }
    { value = pattern ? 1 : $3 + 0; sum[$1 + 0] += value * $2 }
    mirror && $1 != $2 { sum[$2 + 0] += mirror * value * $1 }
    END { for (i = 1; i <= rows; i++) printf "%.12g\n", sum[i] }' "$work/input" >"$work/expected"
  run 0 "$program" "$work/input"
  awk '{ printf "%.12g\n", $1 + 0 }' "$work/out" >"$work/rounded"
  check "$1" cmp -s "$work/expected" "$work/rounded"
  check "$1: one line" test "$(wc -l <"$work/err")" -eq 1
}

# shows TEXT: the line has it.
shows() {
  check "the line shows: $1" grep -Fq "$1" "$work/err"
}

# make_matrix SYMMETRY SIZE COUNT: integers in a square, every fifth row empty; a different one at every call.
make_matrix() {
  made=$((${made:-0} + 1))
  awk -v symmetry="$1" -v size="$2" -v count="$3" -v seed="$((seed + made))" 'BEGIN {
    srand(seed)
    print "%%MatrixMarket matrix coordinate integer " symmetry
    print size, size, count
    while (count > 0) {
      row = 1 + int(rand() * size)
      column = 1 + int(rand() * (symmetry == "general" ? size : row))
      if (row % 5 == 0 || symmetry == "skew-symmetric" && row == column) continue
      print row, column, int(rand() * 2001) - 1000
      count--
    }
  }'
}

banner='%%%%MatrixMarket matrix coordinate'

# The matrix of the repository.
cp "$small" "$work/input" && multiplies "the small matrix"
shows "9 rows (1 empty), 8 columns, 24 entries (8 in the longest row): 3 rows exactly as by one loop, 6 within rounding"
check "the line names the device" grep -Eq '\((host|CUDA) target, .+\)$' "$work/err"
check "an empty row is 0" test "$(sed -n 4p "$work/out")" = 0
cp "$work/out" "$work/expected"
run 0 "$program" - <"$small"
check "- is standard input" cmp -s "$work/expected" "$work/out"
sed 's/$/\r/' "$small" >"$work/input"
run 0 "$program" "$work/input"
check "lines that end in CR LF" cmp -s "$work/expected" "$work/out"
printf '%s' "$(cat "$small")" >"$work/input"
run 0 "$program" "$work/input"
check "no last newline" cmp -s "$work/expected" "$work/out"

# Kinds of matrices.
for symmetry in general symmetric skew-symmetric; do
  make_matrix $symmetry 3000 20000 >"$work/input" && multiplies "$symmetry"
  make_matrix $symmetry 7 100 >"$work/input" && multiplies "$symmetry, many entries in one place"
done
printf "$banner pattern general\n4 5 4\n1 5\n4 1\n1 1\n4 1\n" >"$work/input" && multiplies "pattern"
shows "4 rows (2 empty), 5 columns, 4 entries (2 in the longest row): 4 rows exactly as by one loop, 0 within"
printf "$banner pattern symmetric\n3 3 2\n2 1\n3 3\n" >"$work/input" && multiplies "pattern symmetric"
shows "3 rows (0 empty), 3 columns, 3 entries"
printf "%%%%matrixmarket MATRIX Coordinate REAL General \n1 1 1\n1 1 2\n" >"$work/input" && multiplies "upper case"
printf "$banner real general\n%%\n\n \t\n%% 1 1 1\n 3 4 1 \n\n\t02  004\t-1.25e-3  \n\n" >"$work/input" && multiplies "blanks"
printf "$banner real general\n3 4 0\n" >"$work/input" && multiplies "no entries"
printf "$banner real general\n0 0 0\n" >"$work/input" && multiplies "no rows"
check "no rows, no elements" test ! -s "$work/out"
printf "$banner real general\n1 3 3\n1 1 4503599627370496\n1 2 4503599627370496\n1 3 -1\n" >"$work/input"
multiplies "integers beyond 2^53 in sum"
shows "0 rows exactly as by one loop, 1 within rounding"
make_matrix general 1 100000 >"$work/input" && multiplies "a single row"
make_matrix general 100000 1000 >"$work/input" && multiplies "mostly empty rows"

# Lines that are not Matrix Market.
# bad LINE WHY TEXT: the text is refused in this line for this reason.
bad() {
  printf "$3" >"$work/bad"
  run 1 "$program" "$work/bad"
  check "'$3': said '$(cat "$work/err")'" grep -Fq "$work/bad:$1: $2" "$work/err"
  check "'$3': one message" test "$(wc -l <"$work/err")" -eq 1
  check "'$3': no output" test ! -s "$work/out"
}
# The header.
bad 1 'the file is empty' ''
bad 1 'a file begins with %%MatrixMarket' '\n'
bad 1 'a file begins with %%MatrixMarket' '1 1 1\n1 1 1\n'
bad 1 "a file begins with %%MatrixMarket: '%MatrixMarket matrix'" '%%MatrixMarket matrix\n'
bad 1 'a file begins with %%MatrixMarket' '%%%%MatrixMarketmatrix coordinate real general\n'
bad 1 "only a 'matrix' is read" '%%%%MatrixMarket vector coordinate real general\n'
bad 1 "only the format 'coordinate' is read" '%%%%MatrixMarket matrix array real general\n'
bad 1 "only the format 'coordinate' is read" '%%%%MatrixMarket matrix\n'
bad 1 "only 'real', 'integer' and 'pattern' are read" "$banner complex general\n"
bad 1 "only 'general', 'symmetric', 'skew-symmetric' are read" "$banner real hermitian\n"
bad 1 "only 'general', 'symmetric', 'skew-symmetric' are read" "$banner real\n"
bad 1 'there is more than belongs on this line' "$banner real general 1\n"
bad 1 'no pattern is skew-symmetric' "$banner pattern skew-symmetric\n2 2 1\n2 1\n"
# The sizes.
bad 2 'there is no line of sizes' "$banner real general"
bad 4 'there is no line of sizes' "$banner real general\n%% 1\n\n"
bad 3 "there is no number: '2 2'" "$banner real general\n%%\n2 2\n"
bad 2 'there is more than belongs on this line' "$banner real general\n2 2 1 1\n1 1 1\n"
bad 2 'not a number in decimal digits' "$banner real general\n2 x 1\n"
bad 2 'not a number in decimal digits' "$banner real general\n-2 2 1\n"
bad 2 'not a number in decimal digits' "$banner real general\n2 2 1.0\n"
bad 2 'a number is at most 4294967295' "$banner real general\n4294967296 2 1\n"
bad 2 'the matrix is not square' "$banner real symmetric\n2 3 1\n"
bad 2 'too many entries' "$banner real symmetric\n3 3 2147483648\n"
# The entries.
head="$banner real general\n3 4 2\n"
bad 3 "there is no such row: '0 1 1'" "${head}0 1 1\n1 1 1\n"
bad 3 'there is no such row' "${head}4 1 1\n1 1 1\n"
bad 4 'there is no such column' "${head}1 1 1\n1 0 1\n"
bad 6 'there is no such column' "${head}1 1 1\n\n\n1 5 1\n"
bad 3 'there is no such row' "$banner real general\n0 0 1\n1 1 1\n"
bad 3 'a number is at most 4294967295' "${head}4294967297 1 1\n"
bad 3 'not a number in decimal digits' "${head}-1 1 1\n"
bad 3 'not a number in decimal digits' "${head}1 1.0 1\n"
bad 3 'not a number in decimal digits' "${head}%% late\n1 1 1\n1 1 1\n"
bad 3 'there is no number' "${head}1\n"
bad 3 'there is no value' "${head}1 2\n3 1 1\n"
bad 4 'there is no value' "${head}1 2 1\n3 1"
for value in x 1x 1e 1e+ . - -- +-1 0x10 nan inf -infinity 1,5 1d3 '1\0002' '\000' '1.\360'; do
  bad 3 'the value is not a number' "${head}1 2 $value\n3 1 1\n"
done
bad 3 'the value is beyond what a double holds' "${head}1 2 -1e309\n3 1 1\n"
for value in 1.0 1e3 x 0x1; do
  bad 3 'the value is not an integer' "$banner integer general\n3 3 1\n1 2 $value\n"
done
bad 3 "there is more than belongs on this line: '1 2 3 4'" "${head}1 2 3 4\n3 1 1\n"
bad 3 'there is more than belongs on this line' "$banner pattern general\n3 4 1\n1 2 3\n"
bad 4 'there are fewer entries than promised' "${head}1 1 1\n"
bad 6 'there are fewer entries than promised' "${head}1 1 1\n\n\n"
bad 3 'there are fewer entries than promised' "$banner real general\n3 4 4294967295\n"
bad 5 "there are more entries than promised: '3 3 3'" "${head}1 1 1\n2 2 2\n3 3 3\n"
bad 3 'there are more entries than promised' "$banner real general\n3 4 0\nx\n"
bad 4 'only the lower triangle of a symmetric matrix is told' "$banner real symmetric\n3 3 2\n1 1 1\n1 2 1\n"
bad 3 'the diagonal of a skew-symmetric matrix is not told' "$banner real skew-symmetric\n3 3 1\n2 2 0\n"
printf "$banner real general\n1 1 1\n1 1 x\n" >"$work/bad"
run 1 "$program" - <"$work/bad"
check "a bad line of standard input is named" grep -q '^-:3: ' "$work/err"
printf "$banner real general\n2 2 2\n1 1 1\n2 2 1e308\n" >"$work/input"
run 1 "$program" "$work/input"
check "a row that is too large is named" grep -q 'row 2: the products are too large to add up' "$work/err"

# Files and the command line.
run 1 "$program" "$work/missing"
check "a missing file is named" grep -q "^$work/missing: No such file" "$work/err"
run 1 "$program" "$work"
check "a directory is no input" grep -q "^$work: Is a directory" "$work/err"
full "a product" "$program" "$small"
full "what is made up" "$program"
full "--help" "$program" --help
run 2 "$program" --nonsense
check "an unknown option is named" grep -q "nonsense" "$work/err"
run 2 "$program" "$small" "$small"
check "two files: says so" grep -q 'one FILE at most' "$work/err"
run 0 "$program" --help
check "--help shows the usage" grep -q '^usage: ' "$work/out"

SCAN_TEST_SEED=17 run 0 "$program"
check "a made-up matrix is checked" grep -q '^segmented_sum: made up from seed 17: .* 0 within rounding' "$work/out"
SCAN_TEST_SEED=17x run 1 "$program"
check "a seed that is no number" grep -q '^SCAN_TEST_SEED is not a number: 17x' "$work/err"

finish segmented_sum_test
