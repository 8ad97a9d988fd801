// Sums of floats.
#include "bench/family.h"

BENCH_OPERATOR float bench_value_f32(uint64_t index) { return (float)bench_step(index, 0); }
BENCH_OPERATOR double bench_value_f64(uint64_t index) { return (double)bench_step(index, 0); }
BENCH_FAMILY(bench_sum_f32, float, bench_add_f32, bench_value_f32, 0.0f)
BENCH_FAMILY(bench_sum_f64, double, bench_add_f64, bench_value_f64, 0.0)
#if BENCH_HAVE_F16
// Smaller steps: a reduction that adds elements out of order stays exact in a half, too.
BENCH_OPERATOR __half bench_value_f16(uint64_t index) {
  return __float2half((float)((bench_level(index + 1, 0) >> 6) - (bench_level(index, 0) >> 6)));
}
BENCH_FAMILY(bench_sum_f16, __half, bench_add_f16, bench_value_f16, __float2half(0.0f))
#endif

const bench_family bench_families_float[] = {
#if BENCH_HAVE_F16
    BENCH_FAMILY_ENTRY("add", "f16", bench_sum_f16, __half),
#endif
    BENCH_FAMILY_ENTRY("add", "f32", bench_sum_f32, float),
    BENCH_FAMILY_ENTRY("add", "f64", bench_sum_f64, double), BENCH_FAMILY_END};
