// Segmented sums, and sums of lifted elements, which carry their heads with them.
#include "bench/family.h"

#define BENCH_SEGMENTED(type, T, ...)                                                            \
  SCAN_DEFINE_SEGMENTED_AS(bench_##type, T, bench_add_##type, __VA_ARGS__)                       \
  BENCH_FAMILY_VALUE(bench_##type, T, bench_value_##type)                                        \
  BENCH_FAMILY_DATA(bench_##type, T, bench_add_##type, __VA_ARGS__)                              \
  static cudaError_t bench_##type##_bench_run(scan_workspace *workspace, const void *in,         \
                                              void *out, size_t n, const bench_options *options, \
                                              cudaStream_t stream) {                             \
    return bench_##type##_segmented_inclusive(workspace, (const T *)in, *options->segments,      \
                                              (T *)out, n, stream);                              \
  }
#define BENCH_SEGMENTED_ENTRY(type, T)                                                          \
  {                                                                                             \
    "segmented", #type, sizeof(T), bench_##type##_segmented_workspace_bytes,                    \
        bench_##type##_bench_run, NULL, bench_##type##_bench_fill, bench_##type##_bench_verify, \
        NULL                                                                                    \
  }

BENCH_OPERATOR int8_t bench_value_i8(uint64_t index) { return (int8_t)bench_step(index, 0); }
BENCH_OPERATOR float bench_value_f32(uint64_t index) { return (float)bench_step(index, 0); }
BENCH_OPERATOR double bench_value_f64(uint64_t index) { return (double)bench_step(index, 0); }
BENCH_STRUCT_VALUE(bench_b16, float, 4, bench_value_b16)

BENCH_SEGMENTED(i8, int8_t, 0)
BENCH_SEGMENTED(f32, float, 0.0f)
BENCH_SEGMENTED(f64, double, 0.0)
BENCH_SEGMENTED(b16, bench_b16, {{0}})

SCAN_DEFINE_LIFTED_AS(bench_f32, float, bench_add_f32, 0.0f)
SCAN_DEVICE bench_f32_lifted bench_f32_lifted_at(const uint32_t *starts, uint64_t index) {
  bench_f32_lifted element;
  element.value = bench_value_f32(index);
  element.head = bench_starts_at(starts, index);
  return element;
}
BENCH_FAMILY_DATA(bench_f32_lifted, bench_f32_lifted, bench_f32_lift_, {0.0f, 0})
BENCH_FAMILY_CALLS(bench_f32_lifted, bench_f32_lifted)

static const bench_family bench_family_unlifted = BENCH_SEGMENTED_ENTRY(f32, float);

const bench_family bench_families_segmented[] = {
    BENCH_SEGMENTED_ENTRY(i8, int8_t),
    BENCH_SEGMENTED_ENTRY(f32, float),
    BENCH_SEGMENTED_ENTRY(f64, double),
    BENCH_SEGMENTED_ENTRY(b16, bench_b16),
    {"lifted", "f32", sizeof(bench_f32_lifted), bench_f32_lifted_workspace_bytes,
     bench_f32_lifted_bench_run, bench_f32_lifted_bench_reduce, bench_f32_lifted_bench_fill,
     bench_f32_lifted_bench_verify, &bench_family_unlifted},
    BENCH_FAMILY_END};
