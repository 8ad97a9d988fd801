#!/usr/bin/env bash
# What the hardware counts during our scans of 2^28 elements: bench/counters.sh PROGRAM, a bench that build_with_cub.sh built; needs ncu.
#
# One line a row of the bench: time under the profiler, DRAM traffic against its peak, instructions, how many of the issue slots and of the
# cycles of two units they take (alu: comparisons, selections, shifts, permutations; fma: products), bank conflicts.
set -euo pipefail

if [[ $# -ne 1 || ! -x "$1" ]]; then
  echo "usage: bench/counters.sh PROGRAM" >&2
  exit 2
fi
ncu="$(command -v ncu || echo /usr/local/cuda/bin/ncu)"
if [[ ! -x "$ncu" ]]; then
  echo "counters.sh: no ncu in PATH, nor in /usr/local/cuda/bin: it is what counts" >&2
  exit 1
fi
metrics=(gpu__time_duration.sum dram__bytes.sum dram__throughput.avg.pct_of_peak_sustained_elapsed
  smsp__inst_executed.sum smsp__issue_active.avg.pct_of_peak_sustained_active
  sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active
  l1tex__data_bank_conflicts_pipe_lsu.sum)
rows=("inclusive_add i8" "inclusive_add i16" "inclusive_add f32" "inclusive_add f64" "inclusive_add b3" "inclusive_add b16"
  "inclusive_add b32" "inclusive_add b64" "inclusive_max i8" "unaligned_add b3" "unaligned_add f64" "reduce_add f32"
  "segmented_bits 100 i8" "segmented_flags8 100 i8" "segmented_offsets 100 i8" "segmented_bits 100 f32" "segmented_offsets 100 f32")

echo "$("$ncu" --version | tail -1), $(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)"
printf '%-21s %-4s %9s %9s %7s %13s %8s %6s %6s %15s\n' work type us "DRAM GB" "peak %" instructions "issue %" "alu %" "fma %" "bank conflicts"
for row in "${rows[@]}"; do
  work="${row% *}"
  type="${row##* }"
  count=28
  [[ "$type" == b16 || "$type" == b32 || "$type" == b64 ]] && count=26
  "$ncu" --csv --print-units base --clock-control none --kernel-name regex:forward --launch-skip 2 --launch-count 1 \
    --metrics "$(IFS=, && echo "${metrics[*]}")" "$1" --filter "^$row 2\^$count graph\$" |
    awk -F'","' -v work="$work" -v type="$type" '
      /^"[0-9]/ { gsub(/[",]/, "", $NF); value[$(NF - 2)] = $NF }
      END {
        printf "%-21s %-4s %9.1f %9.2f %7.1f %13.0f %8.1f %6.1f %6.1f %15.0f\n", work, type, value["gpu__time_duration.sum"] / 1e3,
          value["dram__bytes.sum"] / 1e9, value["dram__throughput.avg.pct_of_peak_sustained_elapsed"],
          value["smsp__inst_executed.sum"], value["smsp__issue_active.avg.pct_of_peak_sustained_active"],
          value["sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"],
          value["sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"],
          value["l1tex__data_bank_conflicts_pipe_lsu.sum"]
      }'
done
