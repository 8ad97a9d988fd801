// operators_test.cu: the ready operators for every built-in type, on the host and on the device,
// and scans of a few.
#include "tests/test.h"

#define FLOATING_LIST(X) X(float) X(double)
#define INTEGER_LIST(X) \
  X(int8_t) X(uint8_t) X(int16_t) X(uint16_t) X(int32_t) X(uint32_t) X(int64_t) X(uint64_t)

#define ARITHMETIC(T)                           \
  SCAN_OPERATOR_ADD(T, ready_add_##T)           \
  SCAN_OPERATOR_MULTIPLY(T, ready_multiply_##T) \
  SCAN_OPERATOR_MINIMUM(T, ready_minimum_##T)   \
  SCAN_OPERATOR_MAXIMUM(T, ready_maximum_##T)
#define BITWISE(T)                    \
  SCAN_OPERATOR_AND(T, ready_and_##T) \
  SCAN_OPERATOR_OR(T, ready_or_##T)   \
  SCAN_OPERATOR_XOR(T, ready_xor_##T)
INTEGER_LIST(ARITHMETIC)
FLOATING_LIST(ARITHMETIC)
INTEGER_LIST(BITWISE)

SCAN_DEFINE(int16_t, ready_minimum_int16_t, 32767)
SCAN_DEFINE(float, ready_maximum_float, -3e38f)
SCAN_DEFINE(uint64_t, ready_and_uint64_t, 0xFFFFFFFFFFFFFFFFu)

enum { pairs = 4096, most_operators = 7 };

// Every operator on every pair of a and b: out holds the results of one operator after those of
// another.
#define PARAMETERS(T)           \
  typedef struct pairs_of_##T { \
    const T *a;                 \
    const T *b;                 \
    T *out;                     \
  } pairs_of_##T;
INTEGER_LIST(PARAMETERS)
FLOATING_LIST(PARAMETERS)

#define APPLY_ARITHMETIC(T)                                 \
  p.out[i] = ready_add_##T(p.a[i], p.b[i]);                 \
  p.out[pairs + i] = ready_multiply_##T(p.a[i], p.b[i]);    \
  p.out[2 * pairs + i] = ready_minimum_##T(p.a[i], p.b[i]); \
  p.out[3 * pairs + i] = ready_maximum_##T(p.a[i], p.b[i]);
#define APPLY_BITWISE(T)                                \
  p.out[4 * pairs + i] = ready_and_##T(p.a[i], p.b[i]); \
  p.out[5 * pairs + i] = ready_or_##T(p.a[i], p.b[i]);  \
  p.out[6 * pairs + i] = ready_xor_##T(p.a[i], p.b[i]);
#define INTEGER_KERNEL(T)                               \
  SCAN_KERNEL(apply_to_##T, pairs_of_##T, p) {          \
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; \
    APPLY_ARITHMETIC(T)                                 \
    APPLY_BITWISE(T)                                    \
  }
#define FLOATING_KERNEL(T)                              \
  SCAN_KERNEL(apply_to_##T, pairs_of_##T, p) {          \
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; \
    APPLY_ARITHMETIC(T)                                 \
  }
INTEGER_LIST(INTEGER_KERNEL)
FLOATING_LIST(FLOATING_KERNEL)

// Launches the kernel on a and b, and checks against expected; then the host side of the operators
// likewise.
#define CHECK_TYPE(T, count, HOST)                                                           \
  static void check_##T(test_buffer buffers[3], const T *a, const T *b, const T *expected) { \
    pairs_of_##T p;                                                                          \
    T *found = (T *)test_allocate(most_operators * pairs * sizeof(T));                       \
    uint32_t i;                                                                              \
    p.a = (const T *)test_buffer_place(&buffers[0], 0, pairs * sizeof(T), a);                \
    p.b = (const T *)test_buffer_place(&buffers[1], 0, pairs * sizeof(T), b);                \
    p.out = (T *)test_buffer_place(&buffers[2], 0, (count)*pairs * sizeof(T), NULL);         \
    test_case("%s on the device", #T);                                                       \
    CHECK_CODE(SCAN_LAUNCH(apply_to_##T, pairs / 128, 128, 0, 0, p), cudaSuccess);           \
    MUST(cudaDeviceSynchronize());                                                           \
    CHECK_SAME("add, multiply, minimum, maximum, and, or, xor",                              \
               test_buffer_fetch(&buffers[2], "out"), expected, sizeof(T), (count)*pairs);   \
    test_case("%s on the host", #T);                                                         \
    p.a = a;                                                                                 \
    p.b = b;                                                                                 \
    p.out = found;                                                                           \
    for (i = 0; i < pairs; i++) {                                                            \
      HOST(T)                                                                                \
    }                                                                                        \
    CHECK_SAME("add, multiply, minimum, maximum, and, or, xor", found, expected, sizeof(T),  \
               (count)*pairs);                                                               \
    free(found);                                                                             \
  }
#define APPLY_ALL(T)  \
  APPLY_ARITHMETIC(T) \
  APPLY_BITWISE(T)

// Integers of all bits: sums and products wrap.
#define INTEGER_TEST(T)                                     \
  CHECK_TYPE(T, 7, APPLY_ALL)                               \
  static void test_##T(test_buffer buffers[3]) {            \
    T *a = (T *)test_allocate((2 + 7) * pairs * sizeof(T)); \
    T *b = a + pairs;                                       \
    T *expected = b + pairs;                                \
    size_t i;                                               \
    test_random_bytes(a, 2 * pairs * sizeof(T));            \
    for (i = 0; i < pairs; i++) {                           \
      uint64_t wide_a = (uint64_t)a[i];                     \
      uint64_t wide_b = (uint64_t)b[i];                     \
      expected[i] = (T)(wide_a + wide_b);                   \
      expected[pairs + i] = (T)(wide_a * wide_b);           \
      expected[2 * pairs + i] = a[i] < b[i] ? a[i] : b[i];  \
      expected[3 * pairs + i] = a[i] < b[i] ? b[i] : a[i];  \
      expected[4 * pairs + i] = (T)(wide_a & wide_b);       \
      expected[5 * pairs + i] = (T)(wide_a | wide_b);       \
      expected[6 * pairs + i] = (T)(wide_a ^ wide_b);       \
    }                                                       \
    check_##T(buffers, a, b, expected);                     \
    free(a);                                                \
  }
INTEGER_LIST(INTEGER_TEST)

// Floats with full mantissas: each result is rounded once, alike everywhere.
#define FLOATING_TEST(T)                                                               \
  CHECK_TYPE(T, 4, APPLY_ARITHMETIC)                                                   \
  static void test_##T(test_buffer buffers[3]) {                                       \
    T *a = (T *)test_allocate((2 + 4) * pairs * sizeof(T));                            \
    T *b = a + pairs;                                                                  \
    T *expected = b + pairs;                                                           \
    size_t i;                                                                          \
    for (i = 0; i < 2 * pairs; i++) {                                                  \
      a[i] = (T)((double)(int64_t)test_random() / (double)(1 + test_below(1u << 30))); \
    }                                                                                  \
    for (i = 0; i < pairs; i++) {                                                      \
      expected[i] = a[i] + b[i];                                                       \
      expected[pairs + i] = a[i] * b[i];                                               \
      expected[2 * pairs + i] = a[i] < b[i] ? a[i] : b[i];                             \
      expected[3 * pairs + i] = a[i] < b[i] ? b[i] : a[i];                             \
    }                                                                                  \
    check_##T(buffers, a, b, expected);                                                \
    free(a);                                                                           \
  }
FLOATING_LIST(FLOATING_TEST)

// Scans of ready operators, with their own identities: each element against the one before it.
#define SCAN_TEST(T, op)                                                                        \
  static void scan_##T(test_buffer buffers[3]) {                                                \
    scan_workspace *workspace = NULL;                                                           \
    T *in = (T *)test_allocate((pairs + 1) * sizeof(T));                                        \
    T *expected = (T *)test_allocate((pairs + 1) * sizeof(T));                                  \
    const T *device_in;                                                                         \
    T *device_out;                                                                              \
    size_t i;                                                                                   \
    for (i = 0; i < pairs; i++) in[i] = (T)test_random();                                       \
    for (i = 0; i < pairs; i++) expected[i] = i == 0 ? in[0] : op(expected[i - 1], in[i]);      \
    test_case("scan_%s_%s", #T, #op);                                                           \
    MUST(scan_workspace_create(&workspace, scan_##T##_##op##_workspace_bytes(pairs), 0));       \
    device_in = (const T *)test_buffer_place(&buffers[0], 0, pairs * sizeof(T), in);            \
    device_out = (T *)test_buffer_place(&buffers[2], 0, pairs * sizeof(T), NULL);               \
    CHECK_CODE(scan_##T##_##op##_inclusive(workspace, device_in, device_out, pairs, 0),         \
               cudaSuccess);                                                                    \
    MUST(cudaDeviceSynchronize());                                                              \
    CHECK_SAME("inclusive", test_buffer_fetch(&buffers[2], "out"), expected, sizeof(T), pairs); \
    CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);                                 \
    free(in);                                                                                   \
    free(expected);                                                                             \
  }
SCAN_TEST(int16_t, ready_minimum_int16_t)
SCAN_TEST(float, ready_maximum_float)
SCAN_TEST(uint64_t, ready_and_uint64_t)

// What is wider than any type of C's own.
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;
SCAN_OPERATOR_ADD(wide, wide_add)
SCAN_OPERATOR_MULTIPLY(wide, wide_multiply)
static void check_wide(void) {
  const wide high = (wide)test_random() << 64;
  test_case("wide");
  CHECK(wide_add(high, high + 7) == high + high + 7, "a sum of 128 bits lost some");
  CHECK(wide_multiply(high + 3, 5) == high * 5 + 15, "a product of 128 bits lost some");
}
#else
static void check_wide(void) {}
#endif

#define RUN(T) test_##T(buffers);

int main(void) {
  test_buffer buffers[3];
  int i;
  test_begin("operators_test");
  for (i = 0; i < 3; i++) test_buffer_make(&buffers[i], most_operators * pairs * 8);
  INTEGER_LIST(RUN)
  FLOATING_LIST(RUN)
  scan_int16_t(buffers);
  scan_float(buffers);
  scan_uint64_t(buffers);
  check_wide();
  for (i = 0; i < 3; i++) test_buffer_free(&buffers[i]);
  return test_end(
      "seven operators over eight integer types, four over two of floats, on host and device");
}
