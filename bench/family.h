// BENCH_FAMILY stamps what the bench needs of a type and an operator: the library's scans, the
// data, the check of a result.
#ifndef BENCH_FAMILY_H_
#define BENCH_FAMILY_H_

#include "bench/bench.h"
#include "bench/data.h"

typedef struct {
  void *data;
  size_t n;
  const uint32_t *starts;  // as in bench_verification
} bench_filling;

SCAN_DEVICE size_t bench_thread(void) { return (size_t)blockIdx.x * blockDim.x + threadIdx.x; }
SCAN_DEVICE size_t bench_threads(void) { return (size_t)gridDim.x * blockDim.x; }

// Whether a segment starts with element i; `starts` as in bench_verification.
SCAN_DEVICE bool bench_starts_at(const uint32_t *starts, size_t i) {
  return starts != NULL && (starts[i / 32] >> (i % 32) & 1) != 0;
}

SCAN_DEVICE bool bench_same(const void *a, const void *b, size_t size) {
  bool same = true;
  for (size_t i = 0; i < size; i++)
    same = same && ((const uint8_t *)a)[i] == ((const uint8_t *)b)[i];
  return same;
}

// BENCH_FAMILY(name, T, op, value, identity) with value: T value(uint64_t index), the data. In
// parts:
//   BENCH_FAMILY_VALUE  T name_at(starts, index), what the data is; of its own where starts matter
//   BENCH_FAMILY_DATA   fills with it, and checks: out[i] against its neighbour and one element, so
//                       that all of out is right if every step is
//   BENCH_FAMILY_CALLS  the calls of SCAN_DEFINE
#define BENCH_FAMILY(name, T, op, value, ...) \
  SCAN_DEFINE_AS(name, T, op, __VA_ARGS__)    \
  BENCH_FAMILY_VALUE(name, T, value)          \
  BENCH_FAMILY_DATA(name, T, op, __VA_ARGS__) \
  BENCH_FAMILY_CALLS(name, T)
#define BENCH_FAMILY_VALUE(name, T, value)                          \
  SCAN_DEVICE T name##_at(const uint32_t *starts, uint64_t index) { \
    (void)starts;                                                   \
    return value(index);                                            \
  }
#define BENCH_FAMILY_DATA(name, T, op, ...)                                                       \
  SCAN_KERNEL(name##_fill_kernel, bench_filling, p) {                                             \
    for (size_t i = bench_thread(); i < p.n; i += bench_threads())                                \
      ((T *)p.data)[i] = name##_at(p.starts, i);                                                  \
  }                                                                                               \
  SCAN_DEVICE T name##_expected(const bench_verification *p, size_t i) {                          \
    const T *out = (const T *)p->out, *seed = (const T *)p->options.seed;                         \
    const bool reverse = p->options.reverse != 0;                                                 \
    if (i == (reverse ? p->n - 1 : 0)) {                                                          \
      const T identity = __VA_ARGS__;                                                             \
      if (p->options.exclusive) return seed != NULL ? *seed : identity;                           \
      if (seed == NULL) return name##_at(p->starts, i);                                           \
      return reverse ? op(name##_at(p->starts, i), *seed) : op(*seed, name##_at(p->starts, i));   \
    }                                                                                             \
    if (bench_starts_at(p->starts, i)) return name##_at(p->starts, i);                            \
    if (reverse) return op(name##_at(p->starts, p->options.exclusive ? i + 1 : i), out[i + 1]);   \
    return op(out[i - 1], name##_at(p->starts, p->options.exclusive ? i - 1 : i));                \
  }                                                                                               \
  SCAN_KERNEL(name##_verify_kernel, bench_verification, p) {                                      \
    const T *out = (const T *)p.out;                                                              \
    uint64_t wrong = UINT64_MAX;                                                                  \
    for (size_t i = bench_thread(); i < p.n; i += bench_threads()) {                              \
      const T expected = name##_expected(&p, i);                                                  \
      if (wrong == UINT64_MAX && !bench_same(&out[i], &expected, sizeof(T))) wrong = i;           \
    }                                                                                             \
    if (bench_thread() == 0 && p.options.total != NULL) {                                         \
      const T last = p.options.reverse ? out[0] : out[p.n - 1];                                   \
      if (!bench_same(p.options.total, &last, sizeof(T))) wrong = p.n;                            \
    }                                                                                             \
    p.wrong[bench_thread()] = wrong;                                                              \
  }                                                                                               \
  static cudaError_t name##_bench_fill(void *data, size_t n, const uint32_t *starts,              \
                                       cudaStream_t stream) {                                     \
    const bench_filling filling = {data, n, starts};                                              \
    const size_t blocks = (n + BENCH_BLOCK - 1) / BENCH_BLOCK;                                    \
    return SCAN_LAUNCH(name##_fill_kernel, blocks < 4096 ? (unsigned)blocks : 4096u, BENCH_BLOCK, \
                       0, stream, filling);                                                       \
  }                                                                                               \
  static cudaError_t name##_bench_verify(const bench_verification *verification, unsigned blocks, \
                                         cudaStream_t stream) {                                   \
    return SCAN_LAUNCH(name##_verify_kernel, blocks, BENCH_BLOCK, 0, stream, *verification);      \
  }
#define BENCH_FAMILY_CALLS(name, T)                                                                \
  static cudaError_t name##_bench_run(scan_workspace *workspace, const void *in, void *out,        \
                                      size_t n, const bench_options *given, cudaStream_t stream) { \
    name##_options options = name##_options_default();                                             \
    options.exclusive = given->exclusive;                                                          \
    options.reverse = given->reverse;                                                              \
    options.seed = (const T *)given->seed;                                                         \
    options.total = (T *)given->total;                                                             \
    return name##_run(workspace, (const T *)in, (T *)out, n, options, stream);                     \
  }                                                                                                \
  static cudaError_t name##_bench_reduce(scan_workspace *workspace, const void *in, void *out,     \
                                         size_t n, cudaStream_t stream) {                          \
    return name##_reduce(workspace, (const T *)in, (T *)out, n, stream);                           \
  }

// Its line in a table of families.
#define BENCH_FAMILY_ENTRY(operation, type, name, T)                                           \
  {                                                                                            \
    operation, type, sizeof(T), name##_workspace_bytes, name##_bench_run, name##_bench_reduce, \
        name##_bench_fill, name##_bench_verify, NULL                                           \
  }
#define BENCH_FAMILY_END \
  { NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL }

#endif  // BENCH_FAMILY_H_
