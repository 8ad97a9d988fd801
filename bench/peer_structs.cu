// CUB's inclusive scans of structs, with a user's own operator.
#include "bench/peer_cub.cuh"

namespace {
BENCH_PEER_OPERATOR(bench_b3, bench_add_b3)
BENCH_PEER_OPERATOR(bench_b12, bench_add_b12)
BENCH_PEER_OPERATOR(bench_b16, bench_add_b16)
BENCH_PEER_OPERATOR(bench_b32, bench_add_b32)
BENCH_PEER_OPERATOR(bench_b64, bench_add_b64)
BENCH_PEER_OPERATOR(bench_affine, bench_compose)
BENCH_PEER_OPERATOR(bench_pair, bench_add_pair)
}  // namespace

BENCH_PEER_FILE(structs, {"inclusive_add", "b3", inclusive_scan<bench_b3, bench_add_b3_functor>},
                {"inclusive_add", "b12", inclusive_scan<bench_b12, bench_add_b12_functor>},
                {"inclusive_add", "b16", inclusive_scan<bench_b16, bench_add_b16_functor>},
                {"inclusive_add", "b32", inclusive_scan<bench_b32, bench_add_b32_functor>},
                {"inclusive_add", "b64", inclusive_scan<bench_b64, bench_add_b64_functor>},
                {"inclusive_affine", "b8", inclusive_scan<bench_affine, bench_compose_functor>},
                {"inclusive_pair", "b8", inclusive_scan<bench_pair, bench_add_pair_functor>})
