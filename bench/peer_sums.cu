// CUB's inclusive sums of scalars.
#include "bench/peer_cub.cuh"

BENCH_PEER_FILE(sums, {"inclusive_add", "i8", inclusive_sum_wide<int8_t>},
                {"inclusive_add", "i16", inclusive_sum<int16_t>},
                {"inclusive_add", "f16", inclusive_sum<__half>},
                {"inclusive_add", "i32", inclusive_sum<int32_t>},
                {"inclusive_add", "f32", inclusive_sum<float>},
                {"inclusive_add", "i64", inclusive_sum<int64_t>},
                {"inclusive_add", "f64", inclusive_sum<double>})
