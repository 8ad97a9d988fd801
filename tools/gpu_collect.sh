#!/usr/bin/env bash
# Builds every GPU test and copies all of them, with what they need to run, into one folder: tools/gpu_collect.sh DIR
#
# The folder runs on a machine that has a GPU and its driver, but neither Bazel nor CUDA: see tools/gpu_run.sh, which is
# copied along. Run it where nvcc is; a GPU is not needed.
set -euo pipefail

if [[ $# != 1 ]]; then
  echo "usage: tools/gpu_collect.sh DIR" >&2
  exit 2
fi
mkdir -p "$1"
folder="$(cd "$1" && pwd)"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [[ -n "$(ls -A "$folder")" && ! -e "$folder/cases.txt" ]]; then
  echo "gpu_collect: $folder has files in it that are not of this script's making" >&2
  exit 1
fi

mapfile -t cases < <(./bazelw query --noshow_progress 'kind("gpu_case rule", //...)' | sort)
if [[ ${#cases[@]} == 0 ]]; then
  echo "gpu_collect: no GPU tests found" >&2
  exit 1
fi
./bazelw build --noshow_progress -- "${cases[@]}"

rm -rf "${folder:?}"/*
for label in "${cases[@]}"; do
  path="${label#//}"
  path="${path/://}"
  if [[ ! -e "bazel-bin/$path" ]]; then
    echo "gpu_collect: $label was not built: is nvcc there?" >&2
    exit 1
  fi
  # What the test needs lies below the name of the workspace, or below _main where Bazel has modules.
  needed="bazel-bin/$path.runfiles/scan"
  [[ -d "$needed" ]] || needed="bazel-bin/$path.runfiles/_main"
  cp -RLf "$needed/." "$folder"
  echo "$path" >>"$folder/cases.txt"
done
chmod -R u+w "$folder"
cp tools/gpu_run.sh "$folder"
find "$folder" -type f -name '*_bin' -exec strip {} +
echo "gpu_collect: ${#cases[@]} tests, $(du -sm "$folder" | cut -f1) MiB in $folder"
