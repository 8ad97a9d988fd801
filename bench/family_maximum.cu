// Maxima of scalars.
#include <float.h>

#include "bench/family.h"

// The climb is as slow as the type is narrow.
#define BENCH_MAXIMUM(type, T, shift, lowest)                                                  \
  BENCH_OPERATOR T bench_value_##type(uint64_t index) { return (T)bench_climb(index, shift); } \
  BENCH_FAMILY(bench_maximum_##type, T, bench_max_##type, bench_value_##type, lowest)

BENCH_MAXIMUM(i8, int8_t, 23, INT8_MIN)
BENCH_MAXIMUM(i16, int16_t, 16, INT16_MIN)
BENCH_MAXIMUM(i32, int32_t, 2, INT32_MIN)
BENCH_MAXIMUM(i64, int64_t, 0, INT64_MIN)
BENCH_MAXIMUM(f32, float, 8, -FLT_MAX)
BENCH_MAXIMUM(f64, double, 2, -DBL_MAX)
#if BENCH_HAVE_F16
BENCH_OPERATOR __half bench_value_f16(uint64_t index) {
  return __float2half((float)bench_climb(index, 19));
}
BENCH_FAMILY(bench_maximum_f16, __half, bench_max_f16, bench_value_f16, __float2half(-65504.0f))
#endif

const bench_family bench_families_maximum[] = {
    BENCH_FAMILY_ENTRY("max", "i8", bench_maximum_i8, int8_t),
    BENCH_FAMILY_ENTRY("max", "i16", bench_maximum_i16, int16_t),
#if BENCH_HAVE_F16
    BENCH_FAMILY_ENTRY("max", "f16", bench_maximum_f16, __half),
#endif
    BENCH_FAMILY_ENTRY("max", "i32", bench_maximum_i32, int32_t),
    BENCH_FAMILY_ENTRY("max", "f32", bench_maximum_f32, float),
    BENCH_FAMILY_ENTRY("max", "i64", bench_maximum_i64, int64_t),
    BENCH_FAMILY_ENTRY("max", "f64", bench_maximum_f64, double),
    BENCH_FAMILY_END};
