// strategies_reduce_test.cu: the reductions, of the device and of a block: block tree, partials
// finished on the host, by a second kernel, by the last block, by atomics.
#define SCAN_STRATEGY_THREADS 96
#include "scan/strategies/strategies.h"
#include "tests/device_case.h"

// A stamped reduction `name` of T, its block's part, and an oracle.
typedef struct reduce_case {
  const char *name;
  size_t size;
  size_t section;
  void (*generate)(void *elements, size_t count);
  void (*combine)(void *out, const void *earlier, const void *later);
  void (*identity)(void *out);
  size_t (*workspace_bytes)(size_t n);
  cudaError_t (*reduce)(scan_workspace *workspace, const void *in, void *out, size_t n,
                        cudaStream_t stream);
  cudaError_t (*block)(unsigned block, const void *in, void *out);
} reduce_case;

#define TYPE(T, op, ...)                                                                \
  typedef struct reduce_##T##_parameters {                                              \
    const T *in;                                                                        \
    T *out;                                                                             \
  } reduce_##T##_parameters;                                                            \
  static void reduce_##T##_combine(void *out, const void *earlier, const void *later) { \
    *(T *)out = op(*(const T *)earlier, *(const T *)later);                             \
  }                                                                                     \
  static void reduce_##T##_identity(void *out) {                                        \
    const T identity = __VA_ARGS__;                                                     \
    memcpy(out, &identity, sizeof identity);                                            \
  }
#define REDUCTION(reduce, items, T, op, ...)                                                       \
  SCAN_DEFINE_REDUCE_WITH(T##_##reduce, reduce, items, T, op, __VA_ARGS__)                         \
  SCAN_KERNEL(T##_##reduce##_in_block, reduce_##T##_parameters, p) {                               \
    SCAN_SHARED_DYNAMIC(T##_##reduce##_block_scratch, scratch);                                    \
    const T once = T##_##reduce##_block_reduce(p.in[threadIdx.x], scratch);                        \
    const T again = T##_##reduce##_block_reduce(p.in[threadIdx.x], scratch);                       \
    p.out[threadIdx.x] = once;                                                                     \
    p.out[blockDim.x + threadIdx.x] = again;                                                       \
  }                                                                                                \
  static cudaError_t T##_##reduce##_block(unsigned block, const void *in, void *out) {             \
    reduce_##T##_parameters parameters;                                                            \
    parameters.in = (const T *)in;                                                                 \
    parameters.out = (T *)out;                                                                     \
    return SCAN_LAUNCH(T##_##reduce##_in_block, 1, block, sizeof(T##_##reduce##_block_scratch), 0, \
                       parameters);                                                                \
  }                                                                                                \
  static cudaError_t T##_##reduce##_call(scan_workspace *workspace, const void *in, void *out,     \
                                         size_t n, cudaStream_t stream) {                          \
    return T##_##reduce##_reduce(workspace, (const T *)in, (T *)out, n, stream);                   \
  }                                                                                                \
  static const reduce_case case_##T##_##reduce = {#T "_" #reduce,                                  \
                                                  sizeof(T),                                       \
                                                  (size_t)SCAN_STRATEGY_THREADS * items,           \
                                                  T##_generate,                                    \
                                                  reduce_##T##_combine,                            \
                                                  reduce_##T##_identity,                           \
                                                  T##_##reduce##_workspace_bytes,                  \
                                                  T##_##reduce##_call,                             \
                                                  T##_##reduce##_block};

SCAN_OPERATOR int smaller(int earlier, int later) { return earlier < later ? earlier : later; }
SCAN_OPERATOR_ATOMIC_MINIMUM(int, smaller)
static void int_generate(void *elements, size_t count) {
  test_random_bytes(elements, count * sizeof(int));
}
SCAN_OPERATOR int larger(int earlier, int later) { return earlier > later ? earlier : later; }
SCAN_OPERATOR_ATOMIC_MAXIMUM(int, larger)
SCAN_OPERATOR_ATOMIC_XOR(uint32_t, xor_uint32_t)
SCAN_OPERATOR_AND(uint32_t, and_uint32_t)
SCAN_OPERATOR_ATOMIC_AND(uint32_t, and_uint32_t)
SCAN_OPERATOR_OR(uint32_t, or_uint32_t)
SCAN_OPERATOR_ATOMIC_OR(uint32_t, or_uint32_t)
// Other names of types, for cases of their own.
typedef int int_larger;
typedef uint32_t bits_of_all, bits_of_any;
static void int_larger_generate(void *elements, size_t count) { int_generate(elements, count); }
// Of each bit few elements differ from the others, so that the last one counts.
static void bits_generate(uint32_t *elements, size_t count, uint32_t most) {
  size_t i;
  for (i = 0; i < count; i++) elements[i] = most;
  for (i = 0; i < 16 && count > 0; i++)
    elements[test_below(count)] ^= (uint32_t)1 << test_below(32);
}
static void bits_of_all_generate(void *elements, size_t count) {
  bits_generate((uint32_t *)elements, count, UINT32_MAX);
}
static void bits_of_any_generate(void *elements, size_t count) {
  bits_generate((uint32_t *)elements, count, 0);
}
/* Whole numbers: sums are exact in any order. */
SCAN_OPERATOR_ADD(float, add_float)
SCAN_OPERATOR_ATOMIC_ADD(float, add_float)

TYPE(interval_1, merge_1, INTERVAL_POISON_1)
TYPE(interval_12, merge_12, INTERVAL_POISON_12)
TYPE(interval_64, merge_64, INTERVAL_POISON_64)
TYPE(word, concatenate, {5, 3})
TYPE(int, smaller, 7)
TYPE(int_larger, larger, 7)
TYPE(uint32_t, xor_uint32_t, 7)
TYPE(bits_of_all, and_uint32_t, 7)
TYPE(bits_of_any, or_uint32_t, 7)
TYPE(float, add_float, 7.0f)
// Sums of these round, so that their bits show how they were associated.
typedef float rounding;
static void rounding_generate(void *elements, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) ((float *)elements)[i] = (float)test_below(1 << 20) / 1048573.0f;
}
TYPE(rounding, add_float, 7.0f)

#define ORDERED(X, ...)            \
  X(host_partials, 1, __VA_ARGS__) \
  X(second_kernel, 3, __VA_ARGS__) \
  X(last_block, 2, __VA_ARGS__)
#define STAMP(reduce, items, T, op, ...) REDUCTION(reduce, items, T, op, __VA_ARGS__)
#define CASE(reduce, items, T) &case_##T##_##reduce,

ORDERED(STAMP, interval_1, merge_1, INTERVAL_POISON_1)
ORDERED(STAMP, interval_12, merge_12, INTERVAL_POISON_12)
ORDERED(STAMP, interval_64, merge_64, INTERVAL_POISON_64)
ORDERED(STAMP, word, concatenate, {5, 3})
ORDERED(STAMP, rounding, add_float, 7.0f)
REDUCTION(atomic, 1, int, smaller, 7)
REDUCTION(atomic, 2, int_larger, larger, 7)
REDUCTION(atomic, 2, uint32_t, xor_uint32_t, 7)
REDUCTION(atomic, 1, bits_of_all, and_uint32_t, 7)
REDUCTION(atomic, 3, bits_of_any, or_uint32_t, 7)
REDUCTION(atomic, 3, float, add_float, 7.0f)

static const reduce_case *const cases[] = {
    ORDERED(CASE, interval_1) ORDERED(CASE, interval_12) ORDERED(CASE, interval_64)
            ORDERED(CASE, word) &
        case_int_atomic,
    &case_int_larger_atomic,
    &case_uint32_t_atomic,
    &case_bits_of_all_atomic,
    &case_bits_of_any_atomic,
    &case_float_atomic,
};

static const reduce_case *const repeatable[] = {ORDERED(CASE, rounding)};

enum { most_elements = 40000 };

static void fold(const reduce_case *tested, const unsigned char *elements, size_t n,
                 unsigned char *total) {
  size_t i;
  tested->identity(total);
  if (n != 0) memcpy(total, elements, tested->size);
  for (i = 1; i < n; i++) tested->combine(total, total, elements + i * tested->size);
}

static void check(device_fixture *fixture, const reduce_case *tested, size_t n) {
  const size_t size = tested->size;
  unsigned long long misuses = operator_misuses();
  TEST_ALIGNAS(16) unsigned char total[64];
  scan_workspace *workspace = NULL;
  void *in;
  void *out;
  int again;
  test_case("%s n=%zu", tested->name, n);
  tested->generate(fixture->elements, n);
  fold(tested, fixture->elements, n, total);
  MUST(scan_workspace_create(&workspace, tested->workspace_bytes(n), fixture->stream));
  for (again = 0; again < 2; again++) {
    in = test_buffer_place(&fixture->input, 0, n * size, fixture->elements);
    out = test_buffer_place(&fixture->total, 0, size, NULL);
    CHECK_CODE(tested->reduce(workspace, n != 0 ? in : NULL, out, n, fixture->stream), cudaSuccess);
    MUST(cudaStreamSynchronize(fixture->stream));
    CHECK_SAME("the reduction is the fold", test_buffer_fetch(&fixture->total, "out"), total, size,
               1);
    CHECK_SAME("the input is untouched", test_buffer_fetch(&fixture->input, "in"),
               fixture->elements, size, n);
  }
  CHECK_CODE(tested->reduce(workspace, in, NULL, n, fixture->stream), cudaErrorInvalidValue);
  if (n != 0)
    CHECK_CODE(tested->reduce(workspace, in, in, n, fixture->stream), cudaErrorInvalidValue);
  CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);
  CHECK_NO_MISUSES_SINCE(misuses);
}

static void check_block(device_fixture *fixture, const reduce_case *tested, unsigned block) {
  const size_t size = tested->size;
  TEST_ALIGNAS(16) unsigned char total[64];
  unsigned char *found;
  void *in;
  void *out;
  unsigned i;
  test_case("%s block %u", tested->name, block);
  tested->generate(fixture->elements, block);
  fold(tested, fixture->elements, block, total);
  in = test_buffer_place(&fixture->input, 0, block * size, fixture->elements);
  out = test_buffer_place(&fixture->output, 0, 2 * block * size, NULL);
  CHECK_CODE(tested->block(block, in, out), cudaSuccess);
  MUST(cudaDeviceSynchronize());
  found = test_buffer_fetch(&fixture->output, "out");
  for (i = 0; i < 2 * block; i++) CHECK_SAME("block_reduce", found + i * size, total, size, 1);
}

// The bits do not depend on who comes first.
static void check_bits(device_fixture *fixture, const reduce_case *tested) {
  const size_t n = tested->section * 97 + 7;
  unsigned char first[64];
  scan_workspace *workspace = NULL;
  int round;
  test_case("%s: bits", tested->name);
  tested->generate(fixture->elements, n);
  MUST(scan_workspace_create(&workspace, tested->workspace_bytes(n), fixture->stream));
  for (round = 0; round < 6; round++) {
    void *in = test_buffer_place(&fixture->input, 0, n * tested->size, fixture->elements);
    void *out = test_buffer_place(&fixture->total, 0, tested->size, NULL);
    device_fixture_draw_schedule(fixture);
    CHECK_CODE(tested->reduce(workspace, in, out, n, fixture->stream), cudaSuccess);
    MUST(cudaStreamSynchronize(fixture->stream));
    if (round == 0) memcpy(first, test_buffer_fetch(&fixture->total, "out"), tested->size);
    CHECK_SAME("the bits of the first run", test_buffer_fetch(&fixture->total, "out"), first,
               tested->size, 1);
  }
  CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);
}

int main(void) {
  device_fixture fixture;
  size_t i;
  int round;
  test_begin("strategies_reduce_test");
  device_fixture_make(&fixture, (size_t)most_elements * 64 + 128);
  for (i = 0; i < TEST_COUNT(cases); i++) {
    const size_t section = cases[i]->section;
    const size_t edges[] = {0,           1,           2,           31,           section - 1,
                            section,     section + 1, section * 2, section * 95, section * 96 + 1,
                            section * 97};
    for (round = 0; round < (int)(20 * TEST_SCALE) + (int)TEST_COUNT(edges); round++) {
      const size_t n =
          round < (int)TEST_COUNT(edges) ? edges[round] : test_below(test_below(most_elements) + 1);
      device_fixture_draw_schedule(&fixture);
      check(&fixture, cases[i], n);
      check_block(&fixture, cases[i], 32 * (1 + (unsigned)test_below(3)));
    }
  }
  for (i = 0; i < TEST_COUNT(repeatable); i++) check_bits(&fixture, repeatable[i]);
  device_fixture_free(&fixture);
  return test_end("%u reductions and types: all is equal to the fold, and %u repeatable",
                  (unsigned)TEST_COUNT(cases), (unsigned)TEST_COUNT(repeatable));
}
