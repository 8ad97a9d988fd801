#!/usr/bin/env bash
# Builds the bench with CUB beside ours by nvcc alone: bench/build_with_cub.sh PROGRAM
#
# Beside PROGRAM come PROGRAM_levels, the block and warp levels against CUB's, PROGRAM_overhead, the cost of a call,
# PROGRAM_widths, elements of many widths, PROGRAM_fused, fused scans, and PROGRAM_strategies, the strategies with CUB and
# Thrust beside them.
# The toolkit's CUB, and a newer release where its headers are: in the folder $SCAN_CCCL, or in bench/cccl after
#   pip install --no-deps --target bench/cccl cuda-cccl
# Objects are kept in $OBJECTS (build/bench/$NVCC_ARCH if unset) and made anew when a source or the newer CUB is newer;
# $NVCC_ARCH is sm_90 if unset.
set -euo pipefail

if [[ $# != 1 ]]; then
  echo "usage: bench/build_with_cub.sh PROGRAM" >&2
  exit 2
fi
program="$(realpath -m "$1")"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
nvcc="$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)"
arch="${NVCC_ARCH:-sm_90}"
objects="${OBJECTS:-build/bench/$arch}"
cccl="${SCAN_CCCL:-bench/cccl/cuda/cccl/headers/include}"
flags=(-O3 "-arch=$arch" -I.)
mkdir -p "$objects" "$(dirname "$program")"

# compile OBJECT DEPENDENCIES FLAG... SOURCE: with DEPENDENCIES a list of folders and files
compile() {
  local object="$objects/$1" dependencies="$2"
  shift 2
  # shellcheck disable=SC2086  # several words
  if [[ ! -e "$object" || -n "$(find $dependencies -newer "$object" -type f -print -quit)" ]]; then
    "$nvcc" -c "${flags[@]}" "$@" -o "$object.part"
    mv "$object.part" "$object"
  fi
}

releases=(toolkit)
[[ -e "$cccl/cub/version.cuh" ]] && releases+=(newest)
list=()
levels=()
strategies=()
for release in "${releases[@]}"; do
  defines=(-std=c++17 "-DBENCH_PEER_RELEASE=$release")
  peer="bench/peer_cub.cuh bench/peer.h bench/types.h bench/data.h"
  if [[ "$release" == newest ]]; then
    defines+=("-I$cccl") # before the toolkit's, which -isystem would not be
    peer+=" $cccl/cub/version.cuh"
  fi
  for unit in sums structs maxima kinds by_key; do
    compile "peer_${unit}_$release.o" "bench/peer_$unit.cu $peer" "${defines[@]}" "bench/peer_$unit.cu"
    list+=("$objects/peer_${unit}_$release.o")
  done
  compile "peer_levels_$release.o" "bench/peer_levels.cu bench/levels.h $peer" "${defines[@]}" bench/peer_levels.cu
  levels+=("$objects/peer_levels_$release.o")
  compile "peer_strategies_$release.o" "bench/peer_strategies.cu $peer" "${defines[@]}" bench/peer_strategies.cu
  strategies+=("$objects/peer_strategies_$release.o")
done
for unit in bench copy measure segments family_{float,integer,maximum,operator,segmented,struct}; do
  compile "$unit.o" "scan bench/$unit.cu bench/bench.h bench/family.h bench/segments.h bench/peer.h bench/types.h bench/data.h" \
    "bench/$unit.cu"
  list+=("$objects/$unit.o")
done
peers=("${releases[@]^^}")
peers=("${peers[@]/#/-DBENCH_PEERS_}")
"$nvcc" -c "${peers[@]}" -DSCAN_TARGET_CUDA -I. bench/peers.c -o "$objects/peers.o"
"$nvcc" "${list[@]}" "$objects/peers.o" -o "$program"

# An object for each number of releases, since these list them.
unit="levels_of_${#releases[@]}.o"
compile "$unit" \
  "scan bench/levels.cu bench/levels.h bench/report.h bench/bench.h bench/segments.h bench/peer.h bench/types.h bench/data.h" \
  "${peers[@]}" bench/levels.cu
"$nvcc" "$objects/$unit" "${levels[@]}" -o "${program}_levels"
unit="strategies_of_${#releases[@]}.o"
compile "$unit" \
  "scan bench/strategies.cu bench/family.h bench/report.h bench/bench.h bench/segments.h bench/peer.h bench/types.h bench/data.h" \
  "${peers[@]}" bench/strategies.cu
"$nvcc" "$objects/$unit" "${strategies[@]}" -o "${program}_strategies"
compile overhead.o "scan bench/overhead.cu bench/report.h bench/bench.h bench/segments.h bench/peer.h" bench/overhead.cu
"$nvcc" "$objects/overhead.o" -o "${program}_overhead"
compile widths.o "scan bench/widths.cu bench/report.h bench/bench.h bench/segments.h bench/peer.h bench/types.h bench/data.h" bench/widths.cu
"$nvcc" "$objects/widths.o" -o "${program}_widths"
compile fused.o "scan bench/fused.cu bench/report.h bench/bench.h bench/segments.h bench/peer.h bench/types.h bench/data.h" bench/fused.cu
"$nvcc" "$objects/fused.o" "$objects/copy.o" -o "${program}_fused"
echo "$program, ${program}_levels, ${program}_strategies: with CUB: ${releases[*]};" \
  "${program}_overhead, ${program}_widths, ${program}_fused"
