// CUB's inclusive sums by key; structs with a user's own operator.
#include "bench/peer_cub.cuh"

namespace {
BENCH_PEER_OPERATOR(bench_b16, bench_add_b16)
}  // namespace

BENCH_PEER_FILE(by_key, {"segmented_add", "i8", nullptr, sum_by_key<int8_t>},
                {"segmented_add", "f32", nullptr, sum_by_key<float>},
                {"segmented_add", "f64", nullptr, sum_by_key<double>},
                {"segmented_add", "b16", nullptr, scan_by_key<bench_b16, bench_add_b16_functor>})
