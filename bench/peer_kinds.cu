// CUB's other kinds of scan, and its reduction.
#include "bench/peer_cub.cuh"

BENCH_PEER_FILE(
    kinds, {"exclusive_add", "i32", exclusive_sum<int32_t>},
    {"exclusive_add", "f32", exclusive_sum<float>}, {"seeded_add", "i32", seeded_sum<int32_t>},
    {"seeded_add", "f32", seeded_sum<float>}, {"reverse_add", "i32", reverse_sum<int32_t>},
    {"reverse_add", "f32", reverse_sum<float>}, {"reduce_add", "i8", reduce_sum<int8_t>},
    {"reduce_add", "i16", reduce_sum<int16_t>}, {"reduce_add", "f16", reduce_sum<__half>},
    {"reduce_add", "i32", reduce_sum<int32_t>}, {"reduce_add", "f32", reduce_sum<float>},
    {"reduce_add", "i64", reduce_sum<int64_t>}, {"reduce_add", "f64", reduce_sum<double>})
