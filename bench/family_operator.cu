// Operators of one's own on structs of 8 bytes: composition of affine maps, sums that begin anew at
// flags.
#include "bench/family.h"

// The maps up to `count` - 1 composed: x -> ±x + level.
BENCH_OPERATOR float bench_sign(uint64_t count) {
  return count == 0 || (bench_mix(count) & 1) != 0 ? 1.0f : -1.0f;
}
BENCH_OPERATOR bench_affine bench_value_affine(uint64_t index) {
  bench_affine step;
  step.a = bench_sign(index) * bench_sign(index + 1);
  step.b = (float)(bench_level(index + 1, 0) - (int)step.a * bench_level(index, 0));
  return step;
}
BENCH_FAMILY(bench_affine_b8, bench_affine, bench_compose, bench_value_affine, {1.0f, 0.0f})

BENCH_OPERATOR bench_pair bench_value_pair(uint64_t index) {
  bench_pair pair;
  pair.flag = bench_mix(index) % 1000 == 0;
  pair.value = (float)bench_step(index, 0);
  return pair;
}
BENCH_FAMILY(bench_pair_b8, bench_pair, bench_add_pair, bench_value_pair, {0, 0.0f})

const bench_family bench_families_operator[] = {
    BENCH_FAMILY_ENTRY("affine", "b8", bench_affine_b8, bench_affine),
    BENCH_FAMILY_ENTRY("pair", "b8", bench_pair_b8, bench_pair), BENCH_FAMILY_END};
