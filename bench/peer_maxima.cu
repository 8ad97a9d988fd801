// CUB's inclusive scans of scalars, with a user's own operator.
#include "bench/peer_cub.cuh"

namespace {
BENCH_PEER_OPERATOR(int8_t, bench_max_i8)
BENCH_PEER_OPERATOR(int16_t, bench_max_i16)
BENCH_PEER_OPERATOR(__half, bench_max_f16)
BENCH_PEER_OPERATOR(int32_t, bench_max_i32)
BENCH_PEER_OPERATOR(float, bench_max_f32)
BENCH_PEER_OPERATOR(int64_t, bench_max_i64)
BENCH_PEER_OPERATOR(double, bench_max_f64)
}  // namespace

BENCH_PEER_FILE(maxima, {"inclusive_max", "i8", inclusive_scan<int8_t, bench_max_i8_functor>},
                {"inclusive_max", "i16", inclusive_scan<int16_t, bench_max_i16_functor>},
                {"inclusive_max", "f16", inclusive_scan<__half, bench_max_f16_functor>},
                {"inclusive_max", "i32", inclusive_scan<int32_t, bench_max_i32_functor>},
                {"inclusive_max", "f32", inclusive_scan<float, bench_max_f32_functor>},
                {"inclusive_max", "i64", inclusive_scan<int64_t, bench_max_i64_functor>},
                {"inclusive_max", "f64", inclusive_scan<double, bench_max_f64_functor>})
