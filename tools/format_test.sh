#!/usr/bin/env bash
# Fails where clang-format would change a file: format_test.sh CLANG_FORMAT FILE...
# To format them all: clang-format -i FILE...
set -euo pipefail

clang_format="$1"
shift
"$clang_format" --dry-run --Werror --style=file "$@"
echo "$# files are as clang-format leaves them"
