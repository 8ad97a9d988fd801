// operators.h: element types of 1 to 64 bytes and associative operators over them that give a scan
// away when it errs.
//
// Identities of the families that tests stamp are not neutral here: a scan that feeds one to the
// operator is caught. An operator that is asked for what it is not defined for yields poison, and
// counts it (operator_misuses).
#ifndef SCAN_TESTS_OPERATORS_H
#define SCAN_TESTS_OPERATORS_H

#include "tests/test.h"

// What SCAN_DEFINE and SCAN_DEFINE_SEGMENTED stamp at warp and block level, without the kernels,
// which take nvcc minutes for all widths.
#define OPERATOR_LEVELS(T, op, ...)                         \
  SCAN_STAMP_OPERATOR_(scan_##T##_##op, T, op, __VA_ARGS__) \
  SCAN_STAMP_LEVELS_(scan_##T##_##op, T)
#define OPERATOR_SEGMENTED_LEVELS(T, op, ...)                           \
  SCAN_STAMP_OPERATOR_(scan_##T##_##op##_segmented, T, op, __VA_ARGS__) \
  SCAN_STAMP_SEGMENTED_LEVELS_(scan_##T##_##op, T)

// What operators count, on host and device: OPERATOR_COUNT(count) defines <count>_one() for
// operators, and <count>() for tests, which synchronises with the device.
#if defined(__CUDA_ARCH__)
#define OPERATOR_ADD_(count) atomicAdd(&count##_on_device, 1ull)
#elif defined(__CUDACC__)
#define OPERATOR_ADD_(count) count##_on_host++
#else
#define OPERATOR_ADD_(count) __atomic_fetch_add(&count##_on_host, 1, __ATOMIC_RELAXED)
#endif
#if defined(__CUDACC__)
#define OPERATOR_ON_DEVICE_(count) static __device__ unsigned long long count##_on_device;
#define OPERATOR_FETCH_(count, to) \
  MUST(cudaMemcpyFromSymbol(&to, count##_on_device, sizeof to, 0, cudaMemcpyDeviceToHost))
#else
#define OPERATOR_ON_DEVICE_(count)
#define OPERATOR_FETCH_(count, to) (void)to
#endif
#define OPERATOR_COUNT(count)                                    \
  static unsigned long long count##_on_host;                     \
  OPERATOR_ON_DEVICE_(count)                                     \
  SCAN_OPERATOR void count##_one(void) { OPERATOR_ADD_(count); } \
  static inline unsigned long long count(void) {                 \
    unsigned long long on_device = 0;                            \
    OPERATOR_FETCH_(count, on_device);                           \
    return count##_on_host + on_device;                          \
  }

// How often an operator was applied to operands outside its domain, and how often a fused scan
// stored, so far.
OPERATOR_COUNT(operator_misuses)
OPERATOR_COUNT(operator_stores)

SCAN_OPERATOR void operator_misused(void) { operator_misuses_one(); }

// That none has come to those there were before.
#define CHECK_NO_MISUSES_SINCE(before)                                           \
  CHECK(operator_misuses() == (before),                                          \
        "%llu times the operator got operands not adjacent, or of two segments", \
        operator_misuses() - (before))

// Interval-merge. An element is an interval [begin, end) between random positions; merging is
// defined only for an earlier interval that ends where the later one begins. Wide elements carry
// check words made from begin and end, so that a torn element is noticed too. Poison is all ones,
// and anything merged with it is poison.
//   width: bytes; Position: unsigned type of begin and end; limit: positions are below it; checks:
//   check words
#define INTERVAL_OPERATOR_(width)                                                                  \
  SCAN_OPERATOR interval_##width merge_##width(interval_##width earlier, interval_##width later) { \
    interval_##width merged;                                                                       \
    memset(&merged, 0xFF, sizeof merged);                                                          \
    if (!interval_##width##_is_whole(earlier) || !interval_##width##_is_whole(later) ||            \
        interval_##width##_end(earlier) != interval_##width##_begin(later)) {                      \
      operator_misused();                                                                          \
      return merged;                                                                               \
    }                                                                                              \
    return interval_##width##_make(interval_##width##_begin(earlier),                              \
                                   interval_##width##_end(later));                                 \
  }                                                                                                \
  static inline void interval_##width##_generate(void *elements, size_t count) {                   \
    interval_##width *out = (interval_##width *)elements;                                          \
    uint64_t begin = test_below(interval_##width##_limit);                                         \
    size_t i;                                                                                      \
    for (i = 0; i < count; i++) {                                                                  \
      uint64_t end = test_below(interval_##width##_limit);                                         \
      out[i] = interval_##width##_make(begin, end);                                                \
      begin = end;                                                                                 \
    }                                                                                              \
  }

#define INTERVAL_PLAIN(width, Position, limit)                                            \
  typedef struct interval_##width {                                                       \
    Position begin;                                                                       \
    Position end;                                                                         \
  } interval_##width;                                                                     \
  static const uint64_t interval_##width##_limit = limit;                                 \
  SCAN_OPERATOR uint64_t interval_##width##_begin(interval_##width x) { return x.begin; } \
  SCAN_OPERATOR uint64_t interval_##width##_end(interval_##width x) { return x.end; }     \
  SCAN_OPERATOR interval_##width interval_##width##_make(uint64_t begin, uint64_t end) {  \
    interval_##width made;                                                                \
    made.begin = (Position)begin;                                                         \
    made.end = (Position)end;                                                             \
    return made;                                                                          \
  }                                                                                       \
  SCAN_OPERATOR int interval_##width##_is_whole(interval_##width x) {                     \
    return x.begin < (limit) && x.end < (limit);                                          \
  }                                                                                       \
  INTERVAL_OPERATOR_(width)

#define INTERVAL_CHECKED(width, Position, alignment, limit, checks)                          \
  typedef struct interval_##width {                                                          \
    TEST_ALIGNAS(alignment) Position begin;                                                  \
    Position end;                                                                            \
    Position check[checks];                                                                  \
  } interval_##width;                                                                        \
  static const uint64_t interval_##width##_limit = limit;                                    \
  SCAN_OPERATOR uint64_t interval_##width##_begin(interval_##width x) { return x.begin; }    \
  SCAN_OPERATOR uint64_t interval_##width##_end(interval_##width x) { return x.end; }        \
  SCAN_OPERATOR Position interval_##width##_check(uint64_t begin, uint64_t end, int k) {     \
    return (Position)(begin * 0x9E3779B1u + end * 0x85EBCA77u + (uint64_t)k * 40503u + 29u); \
  }                                                                                          \
  SCAN_OPERATOR interval_##width interval_##width##_make(uint64_t begin, uint64_t end) {     \
    interval_##width made;                                                                   \
    int k;                                                                                   \
    made.begin = (Position)begin;                                                            \
    made.end = (Position)end;                                                                \
    for (k = 0; k < (checks); k++) made.check[k] = interval_##width##_check(begin, end, k);  \
    return made;                                                                             \
  }                                                                                          \
  SCAN_OPERATOR int interval_##width##_is_whole(interval_##width x) {                        \
    int whole = x.begin < (limit) && x.end < (limit);                                        \
    int k;                                                                                   \
    for (k = 0; k < (checks); k++) {                                                         \
      whole = whole && x.check[k] == interval_##width##_check(x.begin, x.end, k);            \
    }                                                                                        \
    return whole;                                                                            \
  }                                                                                          \
  INTERVAL_OPERATOR_(width)

typedef struct interval_1 {
  uint8_t ends; /* begin in the low half, end in the high half */
} interval_1;
static const uint64_t interval_1_limit = 15;
SCAN_OPERATOR uint64_t interval_1_begin(interval_1 x) { return x.ends & 15u; }
SCAN_OPERATOR uint64_t interval_1_end(interval_1 x) { return x.ends >> 4; }
SCAN_OPERATOR interval_1 interval_1_make(uint64_t begin, uint64_t end) {
  interval_1 made;
  made.ends = (uint8_t)(begin | end << 4);
  return made;
}
SCAN_OPERATOR int interval_1_is_whole(interval_1 x) {
  return (x.ends & 15u) != 15u && x.ends >> 4 != 15u;
}
INTERVAL_OPERATOR_(1)

INTERVAL_PLAIN(2, uint8_t, 255)
INTERVAL_CHECKED(3, uint8_t, 1, 255, 1)
INTERVAL_PLAIN(4, uint16_t, 65535)
INTERVAL_CHECKED(5, uint8_t, 1, 255, 3)
INTERVAL_CHECKED(6, uint16_t, 2, 65535, 1)
INTERVAL_CHECKED(7, uint8_t, 1, 255, 5)
INTERVAL_PLAIN(8, uint32_t, 0xFFFFFFFFu)
INTERVAL_CHECKED(12, uint32_t, 4, 0xFFFFFFFFu, 1)
INTERVAL_PLAIN(16, uint64_t, 0xFFFFFFFFFFFFFFFFu)
INTERVAL_CHECKED(20, uint32_t, 4, 0xFFFFFFFFu, 3)
INTERVAL_CHECKED(24, uint64_t, 8, 0xFFFFFFFFFFFFFFFFu, 1)
INTERVAL_CHECKED(32, uint64_t, 16, 0xFFFFFFFFFFFFFFFFu, 2)
INTERVAL_CHECKED(40, uint32_t, 4, 0xFFFFFFFFu, 8)
INTERVAL_CHECKED(48, uint32_t, 4, 0xFFFFFFFFu, 10)
INTERVAL_CHECKED(64, uint32_t, 4, 0xFFFFFFFFu, 14)

#define INTERVAL_LIST(X) X(1) X(2) X(3) X(4) X(8) X(12) X(16) X(20) X(32) X(64)

// Poison as an initializer: the identity of every interval family.
#define INTERVAL_POISON_1 \
  { 0xFF }
#define INTERVAL_POISON_2 \
  { 0xFF, 0xFF }
#define INTERVAL_POISON_3 \
  {                       \
    0xFF, 0xFF, { 0xFF }  \
  }
#define INTERVAL_POISON_4 \
  { 0xFFFF, 0xFFFF }
#define INTERVAL_POISON_5      \
  {                            \
    0xFF, 0xFF, { 0xFF, 0, 1 } \
  }
#define INTERVAL_POISON_6      \
  {                            \
    0xFFFF, 0xFFFF, { 0xFFFF } \
  }
#define INTERVAL_POISON_7            \
  {                                  \
    0xFF, 0xFF, { 0xFF, 0, 1, 2, 3 } \
  }
#define INTERVAL_POISON_8 \
  { 0xFFFFFFFFu, 0xFFFFFFFFu }
#define INTERVAL_POISON_12                    \
  {                                           \
    0xFFFFFFFFu, 0xFFFFFFFFu, { 0xFFFFFFFFu } \
  }
#define INTERVAL_POISON_16 \
  { 0xFFFFFFFFFFFFFFFFu, 0xFFFFFFFFFFFFFFFFu }
#define INTERVAL_POISON_20                                              \
  {                                                                     \
    0xFFFFFFFFu, 0xFFFFFFFFu, { 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu } \
  }
#define INTERVAL_POISON_24                                            \
  {                                                                   \
    0xFFFFFFFFFFFFFFFFu, 0xFFFFFFFFFFFFFFFFu, { 0xFFFFFFFFFFFFFFFFu } \
  }
#define INTERVAL_POISON_32                                               \
  {                                                                      \
    0xFFFFFFFFFFFFFFFFu, 0xFFFFFFFFFFFFFFFFu, { 0xFFFFFFFFFFFFFFFFu, 0 } \
  }
#define INTERVAL_POISON_40                                         \
  {                                                                \
    0xFFFFFFFFu, 0xFFFFFFFFu, { 0xFFFFFFFFu, 0, 1, 2, 3, 4, 5, 6 } \
  }
#define INTERVAL_POISON_48                                               \
  {                                                                      \
    0xFFFFFFFFu, 0xFFFFFFFFu, { 0xFFFFFFFFu, 0, 1, 2, 3, 4, 5, 6, 7, 8 } \
  }
#define INTERVAL_POISON_64                                                              \
  {                                                                                     \
    0xFFFFFFFFu, 0xFFFFFFFFu, { 0xFFFFFFFFu, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 } \
  }

// Permutation composition over bytes: first the earlier permutation, then the later one. An entry
// out of range is a misuse.
#define PERMUTATION(width)                                                          \
  typedef struct permutation_##width {                                              \
    uint8_t to[width];                                                              \
  } permutation_##width;                                                            \
  SCAN_OPERATOR permutation_##width compose_##width(permutation_##width earlier,    \
                                                    permutation_##width later) {    \
    permutation_##width composed;                                                   \
    int i;                                                                          \
    for (i = 0; i < (width); i++) {                                                 \
      int through = earlier.to[i];                                                  \
      if (through >= (width) || later.to[i] >= (width)) {                           \
        operator_misused();                                                         \
        composed.to[i] = 0xFF;                                                      \
      } else {                                                                      \
        composed.to[i] = later.to[through];                                         \
      }                                                                             \
    }                                                                               \
    return composed;                                                                \
  }                                                                                 \
  static inline void permutation_##width##_generate(void *elements, size_t count) { \
    permutation_##width *out = (permutation_##width *)elements;                     \
    size_t i;                                                                       \
    for (i = 0; i < count; i++) {                                                   \
      size_t k;                                                                     \
      for (k = 0; k < (width); k++) {                                               \
        size_t other = (size_t)test_below(k + 1);                                   \
        out[i].to[k] = out[i].to[other];                                            \
        out[i].to[other] = (uint8_t)k;                                              \
      }                                                                             \
    }                                                                               \
  }

PERMUTATION(3)
PERMUTATION(12)
PERMUTATION(20)

// 2x2 matrices over the integers modulo 2^32; the earlier one is the left factor.
typedef struct matrix {
  uint32_t row[4];
} matrix;

SCAN_OPERATOR matrix multiply(matrix earlier, matrix later) {
  matrix product;
  product.row[0] = earlier.row[0] * later.row[0] + earlier.row[1] * later.row[2];
  product.row[1] = earlier.row[0] * later.row[1] + earlier.row[1] * later.row[3];
  product.row[2] = earlier.row[2] * later.row[0] + earlier.row[3] * later.row[2];
  product.row[3] = earlier.row[2] * later.row[1] + earlier.row[3] * later.row[3];
  return product;
}

// Affine maps x -> scale * x + offset modulo 2^32, the earlier one applied first.
typedef struct affine {
  uint32_t scale;
  uint32_t offset;
} affine;

SCAN_OPERATOR affine compose(affine earlier, affine later) {
  affine composed;
  composed.scale = later.scale * earlier.scale;
  composed.offset = later.scale * earlier.offset + later.offset;
  return composed;
}

// The bicyclic monoid: unmatched closing, then unmatched opening parentheses of a string.
typedef struct bicyclic {
  uint32_t closing;
  uint32_t opening;
} bicyclic;

SCAN_OPERATOR bicyclic match(bicyclic earlier, bicyclic later) {
  uint32_t matched = earlier.opening < later.closing ? earlier.opening : later.closing;
  bicyclic both;
  both.closing = earlier.closing + later.closing - matched;
  both.opening = later.opening + earlier.opening - matched;
  return both;
}

static inline void bicyclic_generate(void *elements, size_t count) {
  bicyclic *out = (bicyclic *)elements;
  size_t i;
  for (i = 0; i < count; i++) {
    uint64_t bits = test_random();
    out[i].closing = (uint32_t)(bits & 1u);
    out[i].opening = (uint32_t)(~bits & 1u);
  }
}

// A string by its polynomial hash modulo 2^64 and base^length; concatenation.
typedef struct word {
  uint64_t hash;
  uint64_t power;
} word;

SCAN_OPERATOR word concatenate(word earlier, word later) {
  word joined;
  joined.hash = earlier.hash * later.power + later.hash;
  joined.power = earlier.power * later.power;
  return joined;
}

static inline void word_generate(void *elements, size_t count) {
  word *out = (word *)elements;
  size_t i;
  for (i = 0; i < count; i++) {
    out[i].hash = test_below(256) + 1;
    out[i].power = 0x9E3779B97F4A7C15u;
  }
}

// Elements with no structure: random bits.
#define RANDOM_GENERATE(T)                                        \
  static inline void T##_generate(void *elements, size_t count) { \
    test_random_bytes(elements, count * sizeof(T));               \
  }

typedef struct twelve {
  uint32_t part[3];
} twelve;
typedef struct thirty_two {
  TEST_ALIGNAS(16) uint32_t part[8];
} thirty_two;

RANDOM_GENERATE(int8_t)
RANDOM_GENERATE(uint8_t)
RANDOM_GENERATE(int16_t)
RANDOM_GENERATE(uint16_t)
RANDOM_GENERATE(int32_t)
RANDOM_GENERATE(uint32_t)
RANDOM_GENERATE(int64_t)
RANDOM_GENERATE(uint64_t)
RANDOM_GENERATE(matrix)
RANDOM_GENERATE(affine)
RANDOM_GENERATE(twelve)
RANDOM_GENERATE(thirty_two)

// Elements of whole words (or bytes), combined without any algebra: not even associative.
#define TREE(width, Part, parts)                                                       \
  typedef struct tree_##width {                                                        \
    Part part[parts];                                                                  \
  } tree_##width;                                                                      \
  SCAN_OPERATOR tree_##width graft_##width(tree_##width earlier, tree_##width later) { \
    tree_##width grafted;                                                              \
    int i;                                                                             \
    for (i = 0; i < (parts); i++) {                                                    \
      uint32_t bits = (uint32_t)earlier.part[i] * 0x9E3779B1u +                        \
                      (uint32_t)later.part[(i + 1) % (parts)] * 0x85EBCA6Bu + 12345u;  \
      grafted.part[i] = (Part)(bits ^ bits >> 13);                                     \
    }                                                                                  \
    return grafted;                                                                    \
  }                                                                                    \
  RANDOM_GENERATE(tree_##width)

TREE(1, uint8_t, 1)
TREE(2, uint16_t, 1)
TREE(3, uint8_t, 3)
TREE(4, uint32_t, 1)
TREE(8, uint32_t, 2)
TREE(12, uint32_t, 3)
TREE(16, uint32_t, 4)
TREE(20, uint32_t, 5)
TREE(32, uint32_t, 8)
TREE(64, uint32_t, 16)

#define TREE_LIST(X) X(1) X(2) X(3) X(4) X(8) X(12) X(16) X(20) X(32) X(64)

// Whole numbers small enough that their maxima, and sums of a few thousand, are exact.
static inline void float_generate(void *elements, size_t count) {
  float *out = (float *)elements;
  size_t i;
  for (i = 0; i < count; i++) out[i] = (float)test_below(4001) - 2000.0f;
}

#define FIRST_WINS(T)                                  \
  SCAN_OPERATOR T first_wins_##T(T earlier, T later) { \
    (void)later;                                       \
    return earlier;                                    \
  }
#define LAST_WINS(T)                                  \
  SCAN_OPERATOR T last_wins_##T(T earlier, T later) { \
    (void)earlier;                                    \
    return later;                                     \
  }

FIRST_WINS(uint8_t)
FIRST_WINS(twelve)
LAST_WINS(uint16_t)
LAST_WINS(thirty_two)

SCAN_OPERATOR uint8_t add_uint8_t(uint8_t earlier, uint8_t later) {
  return (uint8_t)(earlier + later);
}
SCAN_OPERATOR uint16_t add_uint16_t(uint16_t earlier, uint16_t later) {
  return (uint16_t)(earlier + later);
}
SCAN_OPERATOR uint32_t add_uint32_t(uint32_t earlier, uint32_t later) { return earlier + later; }
SCAN_OPERATOR uint64_t add_uint64_t(uint64_t earlier, uint64_t later) { return earlier + later; }
SCAN_OPERATOR int16_t maximum_int16_t(int16_t earlier, int16_t later) {
  return earlier < later ? later : earlier;
}
SCAN_OPERATOR int32_t maximum_int32_t(int32_t earlier, int32_t later) {
  return earlier < later ? later : earlier;
}
SCAN_OPERATOR float maximum_float(float earlier, float later) {
  return earlier < later ? later : earlier;
}
SCAN_OPERATOR uint32_t xor_uint32_t(uint32_t earlier, uint32_t later) { return earlier ^ later; }

// A stamped family behind one face for all types, so that one function runs the cases of all.
typedef struct test_layout {
  size_t size;
  size_t alignment;
} test_layout;

typedef struct test_family {
  const char *name;
  size_t size;  // of what is scanned
  size_t alignment;
  // A seed, count - 2 elements of the input, a seed for a reverse scan of these.
  void (*generate)(void *elements, size_t count);
  void (*combine)(void *out, const void *earlier, const void *later);
  void (*identity)(void *out);
  size_t (*workspace_bytes)(size_t n);
  cudaError_t (*inclusive)(scan_workspace *workspace, const void *in, void *out, size_t n,
                           cudaStream_t stream);
  cudaError_t (*exclusive)(scan_workspace *workspace, const void *in, void *out, size_t n,
                           cudaStream_t stream);
  cudaError_t (*reduce)(scan_workspace *workspace, const void *in, void *out, size_t n,
                        cudaStream_t stream);
  cudaError_t (*run)(scan_workspace *workspace, const void *in, void *out, size_t n, int exclusive,
                     int reverse, const void *seed, void *total, cudaStream_t stream);
  // Of a fused family what comes in and goes out, and what is made of the one and makes the other;
  // of any other these are as what is scanned, and NULL.
  test_layout in, out;
  void (*load)(void *x, const void *in, size_t index);
  void (*store)(void *out, const void *scanned, const void *in, size_t index);
} test_family;

// The bytes of the widest element of a family.
static inline size_t test_family_widest(const test_family *family) {
  size_t widest = family->in.size > family->out.size ? family->in.size : family->out.size;
  return widest > family->size ? widest : family->size;
}

// TEST_FAMILY(T, op, generate, identity): stamps scan_<T>_<op>_... and defines
// test_family_<T>_<op>.
#define TEST_FAMILY(T, op, generate, ...) \
  SCAN_DEFINE(T, op, __VA_ARGS__)         \
  TEST_FAMILY_FACE(T##_##op, scan_##T##_##op, T, T, T, op, generate, NULL, NULL, __VA_ARGS__)

// test_family_<face> of the family <stamped>_...
#define TEST_FAMILY_FACE(face, stamped, In, T, Out, op, generate, load, store, ...)        \
  static void family_##face##_combine(void *out, const void *earlier, const void *later) { \
    *(T *)out = op(*(const T *)earlier, *(const T *)later);                                \
  }                                                                                        \
  static void family_##face##_identity(void *out) {                                        \
    const T identity = __VA_ARGS__;                                                        \
    memcpy(out, &identity, sizeof identity);                                               \
  }                                                                                        \
  TEST_FAMILY_CALLS(face, stamped, In, T, Out, generate, family_##face##_combine,          \
                    family_##face##_identity, load, store)

// The same, of an operator and an identity that are there already.
#define TEST_FAMILY_CALLS(face, stamped, In, T, Out, generate, combine, identity, load, store)     \
  static cudaError_t family_##face##_inclusive(scan_workspace *workspace, const void *in,          \
                                               void *out, size_t n, cudaStream_t stream) {         \
    return stamped##_inclusive(workspace, (const In *)in, (Out *)out, n, stream);                  \
  }                                                                                                \
  static cudaError_t family_##face##_exclusive(scan_workspace *workspace, const void *in,          \
                                               void *out, size_t n, cudaStream_t stream) {         \
    return stamped##_exclusive(workspace, (const In *)in, (Out *)out, n, stream);                  \
  }                                                                                                \
  static cudaError_t family_##face##_reduce(scan_workspace *workspace, const void *in, void *out,  \
                                            size_t n, cudaStream_t stream) {                       \
    return stamped##_reduce(workspace, (const In *)in, (T *)out, n, stream);                       \
  }                                                                                                \
  static cudaError_t family_##face##_run(scan_workspace *workspace, const void *in, void *out,     \
                                         size_t n, int exclusive, int reverse, const void *seed,   \
                                         void *total, cudaStream_t stream) {                       \
    stamped##_options options = stamped##_options_default();                                       \
    options.exclusive = exclusive;                                                                 \
    options.reverse = reverse;                                                                     \
    options.seed = (const T *)seed;                                                                \
    options.total = (T *)total;                                                                    \
    return stamped##_run(workspace, (const In *)in, (Out *)out, n, options, stream);               \
  }                                                                                                \
  static size_t family_##face##_workspace_bytes(size_t n) { return stamped##_workspace_bytes(n); } \
  static const test_family test_family_##face = {#face,                                            \
                                                 sizeof(T),                                        \
                                                 TEST_ALIGNOF(T),                                  \
                                                 generate,                                         \
                                                 combine,                                          \
                                                 identity,                                         \
                                                 family_##face##_workspace_bytes,                  \
                                                 family_##face##_inclusive,                        \
                                                 family_##face##_exclusive,                        \
                                                 family_##face##_reduce,                           \
                                                 family_##face##_run,                              \
                                                 {sizeof(In), TEST_ALIGNOF(In)},                   \
                                                 {sizeof(Out), TEST_ALIGNOF(Out)},                 \
                                                 load,                                             \
                                                 store};

#endif
