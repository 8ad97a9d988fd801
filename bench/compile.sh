#!/usr/bin/env bash
# What a client pays to compile: times and objects of small units, ours and CUB's: bench/compile.sh [--csv FILE]
#
# nvcc -O3, for $NVCC_ARCH (sm_90 if unset), in the median of three compilations that take turns; keep the machine quiet.
# CUB is the toolkit's, and a newer release where build_with_cub.sh would find one: the goals are against the better of them.
set -euo pipefail

usage="usage: bench/compile.sh [--csv FILE]"
csv=""
while [[ $# -gt 0 ]]; do
  case "$1" in
    --csv)
      if [[ $# -lt 2 ]]; then
        echo "compile.sh: --csv needs a file; $usage" >&2
        exit 2
      fi
      csv="$(realpath -m "$2")"
      shift 2
      ;;
    --csv=*)
      csv="$(realpath -m "${1#--csv=}")"
      shift
      ;;
    --help)
      echo "$usage"
      exit 0
      ;;
    *)
      echo "compile.sh: '$1' is not understood; $usage" >&2
      exit 2
      ;;
  esac
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
nvcc="$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)"
if [[ ! -x "$nvcc" ]]; then
  echo "compile.sh: no nvcc in PATH, nor in /usr/local/cuda/bin: it is what this measures" >&2
  exit 1
fi
arch="${NVCC_ARCH:-sm_90}"
cccl="${SCAN_CCCL:-bench/cccl/cuda/cccl/headers/include}"
rounds=3
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

# The units. scan_N stamps N scans and calls each.
echo '__global__ void empty(void) {}
void call(cudaStream_t stream) { empty<<<1, 32, 0, stream>>>(); }' >"$folder/empty.cu"
types=(float int double int64_t)
for count in 1 2 3 4; do
  {
    echo '#include "scan/scan.h"'
    for type in "${types[@]:0:count}"; do
      echo "SCAN_OPERATOR $type add_$type($type earlier, $type later) { return earlier + later; }
SCAN_DEFINE($type, add_$type, 0)
cudaError_t call_$type(scan_workspace *workspace, const $type *in, $type *out, size_t n, cudaStream_t stream) {
  return scan_${type}_add_${type}_inclusive(workspace, in, out, n, stream);
}"
    done
  } >"$folder/scan_$count.cu"
done
echo '#include <cub/device/device_scan.cuh>
cudaError_t call(void *temporary, size_t *bytes, const float *in, float *out, unsigned n, cudaStream_t stream) {
  return cub::DeviceScan::InclusiveSum(temporary, *bytes, in, out, n, stream);
}' >"$folder/cub_toolkit.cu"
units=(empty scan_1 scan_2 scan_3 scan_4 cub_toolkit)
if [[ -e "$cccl/cub/version.cuh" ]]; then
  cp "$folder/cub_toolkit.cu" "$folder/cub_newest.cu"
  units+=(cub_newest)
fi

# compile UNIT: prints user, system and wall seconds
compile() {
  local flags=(-O3 "-arch=$arch" -I.)
  [[ "$1" == cub_* ]] && flags+=(-std=c++17)
  [[ "$1" == cub_newest ]] && flags+=("-I$cccl")
  local TIMEFORMAT="%U %S %R"
  if ! { time "$nvcc" -c "${flags[@]}" "$folder/$1.cu" -o "$folder/$1.o" >"$folder/log" 2>&1; } 2>"$folder/time"; then
    cat "$folder/log" >&2
    echo "compile.sh: nvcc failed on the unit $1" >&2
    exit 1
  fi
  cat "$folder/time"
}

# The first compilation of all reads files that later ones find in memory: it does not count.
compile empty >"$folder/first"
for ((round = 0; round < rounds; round++)); do
  for unit in "${units[@]}"; do
    compile "$unit" >>"$folder/$unit.times"
  done
done

{
  echo "unit,cpu_s,wall_s,object_bytes,nvcc"
  release="$("$nvcc" --version | sed -n 's/.*release [0-9.]*, V//p')"
  for unit in "${units[@]}"; do
    cpu="$(awk '{ printf "%.2f\n", $1 + $2 }' "$folder/$unit.times" | sort -n | sed -n "$((rounds / 2 + 1))p")"
    wall="$(awk '{ printf "%.2f\n", $3 }' "$folder/$unit.times" | sort -n | sed -n "$((rounds / 2 + 1))p")"
    echo "$unit,$cpu,$wall,$(stat -c %s "$folder/$unit.o"),$release"
  done
} >"$folder/rows.csv"
[[ -z "$csv" ]] || cp "$folder/rows.csv" "$csv"

awk -F, -v arch="$arch" -v rounds="$rounds" '
  function row(what, value, goal, unit) {
    printf "%-52s %8.2f %-2s at most %5.2f   %s\n", what, value, unit, goal, value <= goal ? "met" : "missed"
    met += value <= goal
    goals++
  }
  NR == 1 { next }
  { cpu[$1] = $2; bytes[$1] = $4; nvcc = $5; unit[NR - 1] = $1; wall[$1] = $3 }
  $1 ~ /^cub_/ && (cub_cpu == "" || $2 + 0 < cub_cpu) { cub_cpu = $2 + 0 }
  $1 ~ /^cub_/ && (cub_bytes == "" || $4 + 0 < cub_bytes) { cub_bytes = $4 + 0 }
  END {
    printf "nvcc %s -O3 -arch=%s, medians of %d; cpu: user and system time\n\n", nvcc, arch, rounds
    printf "%-12s %8s %8s %12s %10s %10s\n", "unit", "cpu s", "wall s", "object KiB", "to empty", "to CUB"
    for (i = 1; i < NR; i++) {
      name = unit[i]
      printf "%-12s %8.2f %8.2f %12.1f %10.2f %10.2f\n", name, cpu[name], wall[name], bytes[name] / 1024,
        cpu[name] / cpu["empty"], cpu[name] / cub_cpu
    }
    printf "\n"
    row("one scan, cpu time to that of CUB", cpu["scan_1"] / cub_cpu, 0.25, "")
    row("one scan, cpu time to that of an empty kernel", cpu["scan_1"] / cpu["empty"], 2, "")
    row("each further scan, cpu time (three more, the mean)", (cpu["scan_4"] - cpu["scan_1"]) / 3, 0.6, "s")
    row("one scan, object to that of CUB", bytes["scan_1"] / cub_bytes, 1, "")
    printf "\n%d of %d goals met\n", met, goals
  }' "$folder/rows.csv"
