// Sums of structs of 3 to 64 bytes.
#include "bench/family.h"

#define BENCH_STRUCT(type, X, count)                             \
  BENCH_STRUCT_VALUE(bench_##type, X, count, bench_value_##type) \
  BENCH_FAMILY(bench_sum_##type, bench_##type, bench_add_##type, bench_value_##type, {{0}})

BENCH_STRUCT(b3, uint8_t, 3)
BENCH_STRUCT(b12, float, 3)
BENCH_STRUCT(b16, float, 4)
BENCH_STRUCT(b32, float, 8)
BENCH_STRUCT(b64, float, 16)

const bench_family bench_families_struct[] = {
    BENCH_FAMILY_ENTRY("add", "b3", bench_sum_b3, bench_b3),
    BENCH_FAMILY_ENTRY("add", "b12", bench_sum_b12, bench_b12),
    BENCH_FAMILY_ENTRY("add", "b16", bench_sum_b16, bench_b16),
    BENCH_FAMILY_ENTRY("add", "b32", bench_sum_b32, bench_b32),
    BENCH_FAMILY_ENTRY("add", "b64", bench_sum_b64, bench_b64),
    BENCH_FAMILY_END};
