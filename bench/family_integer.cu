// Sums of integers.
#include "bench/family.h"

#define BENCH_INTEGER(type, T)                                                            \
  BENCH_OPERATOR T bench_value_##type(uint64_t index) { return (T)bench_step(index, 0); } \
  BENCH_FAMILY(bench_sum_##type, T, bench_add_##type, bench_value_##type, 0)

BENCH_INTEGER(i8, int8_t)
BENCH_INTEGER(i16, int16_t)
BENCH_INTEGER(i32, int32_t)
BENCH_INTEGER(i64, int64_t)

const bench_family bench_families_integer[] = {
    BENCH_FAMILY_ENTRY("add", "i8", bench_sum_i8, int8_t),
    BENCH_FAMILY_ENTRY("add", "i16", bench_sum_i16, int16_t),
    BENCH_FAMILY_ENTRY("add", "i32", bench_sum_i32, int32_t),
    BENCH_FAMILY_ENTRY("add", "i64", bench_sum_i64, int64_t), BENCH_FAMILY_END};
