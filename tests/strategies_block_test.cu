// strategies_block_test.cu: every block strategy, of every type and operator here, in blocks of any
// number of warps, one and several items a thread, the scratch reused at once. TEST_WIDE: of
// elements of 64 bytes, and of a lifted operator.
#define SCAN_STRATEGY_THREADS 256
#include "scan/strategies/strategies.h"
#include "tests/strategies_lifted.h"

enum { most_threads = 1024, most_items = 5 };

// What one launch writes: an element a thread, or `items` of them.
enum {
  block_inclusive,
  block_exclusive,
  block_reduce,
  block_inclusive_items,
  block_exclusive_items,
  block_results
};

typedef struct block_face {
  const char *name;
  size_t size;
  unsigned threads; /* of a block, at most */
  int items;
  void (*generate)(void *elements, size_t count);
  void (*combine)(void *out, const void *earlier, const void *later);
  void (*identity)(void *out);
  cudaError_t (*launch)(unsigned grid, unsigned block, const void *in,
                        void *const out[block_results]);
} block_face;

#define PARAMETERS(T)                     \
  typedef struct block_##T##_parameters { \
    const T *in;                          \
    T *out[block_results];                \
  } block_##T##_parameters;
#define TYPE(T, op, ...)                                                               \
  PARAMETERS(T)                                                                        \
  static void block_##T##_combine(void *out, const void *earlier, const void *later) { \
    *(T *)out = op(*(const T *)earlier, *(const T *)later);                            \
  }                                                                                    \
  static void block_##T##_identity(void *out) {                                        \
    const T identity = __VA_ARGS__;                                                    \
    memcpy(out, &identity, sizeof identity);                                           \
  }

// What a face needs of a stamped family: name, threads a block at most, items a thread.
#define FACE(name, T, most, count)                                                                \
  SCAN_KERNEL_BOUNDED_(1024, name##_all, block_##T##_parameters, p) {                             \
    SCAN_SHARED_DYNAMIC(name##_block_scratch, scratch);                                           \
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;                               \
    T a[count];                                                                                   \
    T b[count];                                                                                   \
    int k;                                                                                        \
    for (k = 0; k < count; k++) a[k] = b[k] = p.in[i * count + k];                                \
    p.out[block_inclusive][i] = name##_block_inclusive(p.in[i], scratch);                         \
    name##_block_inclusive_items(a, count, scratch);                                              \
    p.out[block_exclusive][i] = name##_block_exclusive(p.in[i], scratch);                         \
    name##_block_exclusive_items(b, count, scratch);                                              \
    p.out[block_reduce][i] = name##_block_reduce(p.in[i], scratch);                               \
    for (k = 0; k < count; k++) p.out[block_inclusive_items][i * count + k] = a[k];               \
    for (k = 0; k < count; k++) p.out[block_exclusive_items][i * count + k] = b[k];               \
  }                                                                                               \
  static cudaError_t name##_launch(unsigned grid, unsigned block, const void *in,                 \
                                   void *const out[block_results]) {                              \
    block_##T##_parameters parameters;                                                            \
    int result;                                                                                   \
    parameters.in = (const T *)in;                                                                \
    for (result = 0; result < block_results; result++) parameters.out[result] = (T *)out[result]; \
    return SCAN_LAUNCH(name##_all, grid, block, sizeof(name##_block_scratch), 0, parameters);     \
  }                                                                                               \
  static const block_face name##_face = {#name,                                                   \
                                         sizeof(T),                                               \
                                         most,                                                    \
                                         count,                                                   \
                                         T##_generate,                                            \
                                         block_##T##_combine,                                     \
                                         block_##T##_identity,                                    \
                                         name##_launch};

#define STRATEGIES(X, ...)                \
  X(sequential, __VA_ARGS__)              \
  X(naive, __VA_ARGS__)                   \
  X(hillis_steele, __VA_ARGS__)           \
  X(kogge_stone, __VA_ARGS__)             \
  X(kogge_stone_exclusive, __VA_ARGS__)   \
  X(brent_kung, __VA_ARGS__)              \
  X(blelloch, __VA_ARGS__)                \
  X(blelloch_injected, __VA_ARGS__)       \
  X(three_phase, __VA_ARGS__)             \
  X(warps_then_bases, __VA_ARGS__)        \
  X(warps_then_bases_shared, __VA_ARGS__) \
  X(raking, __VA_ARGS__)
#define STAMP(block, T, op, most, count, ...)                           \
  SCAN_DEFINE_BLOCK_WITH(T##_##block, block, count, T, op, __VA_ARGS__) \
  FACE(T##_##block, T, most, count)
#define NAME(block, T) &T##_##block##_face,

// Lifted: a type for each.
#define STAMP_LIFTED(block, count)                                                           \
  SCAN_DEFINE_BLOCK_LIFTED_WITH(block, block, count, interval_8, merge_8, INTERVAL_POISON_8) \
  PARAMETERS(block##_lifted)                                                                 \
  PAIR_TYPE(block##_lifted, block_##block##_lifted_)                                         \
  FACE(block##_lifted, block##_lifted, SCAN_STRATEGY_THREADS, count)
#define NAME_LIFTED(block, count) &block##_lifted_face,

#if defined(TEST_WIDE)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 96
TYPE(interval_64, merge_64, INTERVAL_POISON_64)
STRATEGIES(STAMP, interval_64, merge_64, 96, 3, INTERVAL_POISON_64)
STRATEGIES(STAMP_LIFTED, 3)
static const block_face *const faces[] = {STRATEGIES(NAME, interval_64) STRATEGIES(NAME_LIFTED, 3)};
#else
TYPE(interval_3, merge_3, INTERVAL_POISON_3)
STRATEGIES(STAMP, interval_3, merge_3, 256, 5, INTERVAL_POISON_3)
TYPE(word, concatenate, {5, 3})
STRATEGIES(STAMP, word, concatenate, 256, 2, {5, 3})
// Long runs of raking: those that a lane keeps, since a thread has as many items, and those that it
// does not, single words among them.
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 160
SCAN_DEFINE_BLOCK_WITH(word_kept, raking, 5, word, concatenate, {5, 3})
FACE(word_kept, word, 160, 5)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 512
SCAN_DEFINE_BLOCK_WITH(word_long_runs, raking, 2, word, concatenate, {5, 3})
FACE(word_long_runs, word, 512, 2)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 1024
TYPE(interval_4, merge_4, INTERVAL_POISON_4)
SCAN_DEFINE_BLOCK_WITH(interval_long_runs, raking, 2, interval_4, merge_4, INTERVAL_POISON_4)
FACE(interval_long_runs, interval_4, 1024, 2)
static const block_face *const faces[] = {&word_kept_face, &word_long_runs_face,
                                          &interval_long_runs_face,
                                          STRATEGIES(NAME, interval_3) STRATEGIES(NAME, word)};
#endif

// Folds each block's `length` elements of in; reduce may be NULL.
static void fold(const block_face *face, const unsigned char *in, size_t blocks, size_t length,
                 unsigned char *inclusive, unsigned char *exclusive, unsigned char *reduce) {
  const size_t size = face->size;
  size_t block;
  size_t i;
  for (block = 0; block < blocks; block++) {
    TEST_ALIGNAS(16) unsigned char so_far[64];
    face->identity(so_far);
    for (i = block * length; i < (block + 1) * length; i++) {
      memcpy(exclusive + i * size, so_far, size);
      if (i == block * length) {
        memcpy(so_far, in + i * size, size);
      } else {
        face->combine(so_far, so_far, in + i * size);
      }
      memcpy(inclusive + i * size, so_far, size);
    }
    for (i = block * length; reduce != NULL && i < (block + 1) * length; i++) {
      memcpy(reduce + i * size, so_far, size);
    }
  }
}

static void check_blocks(const block_face *face, unsigned grid, unsigned block,
                         test_buffer *in_buffer, test_buffer out_buffers[block_results]) {
  static const char *const names[] = {"inclusive", "exclusive", "reduce", "inclusive_items",
                                      "exclusive_items"};
  const size_t size = face->size;
  const size_t count = (size_t)grid * block;
  const size_t all = count * (size_t)face->items;
  unsigned char *in = (unsigned char *)test_allocate(all * size);
  unsigned char *expected[block_results];
  unsigned long long misuses = operator_misuses();
  void *device_in;
  void *out[block_results];
  int k;
  test_case("%s grid %u block %u", face->name, grid, block);
  face->generate(in, all);
  for (k = 0; k < block_results; k++) {
    const size_t results = k >= block_inclusive_items ? all : count;
    expected[k] = (unsigned char *)test_allocate(results * size);
    out[k] = test_buffer_place(&out_buffers[k], 0, results * size, NULL);
  }
  device_in = test_buffer_place(in_buffer, 0, all * size, in);
  fold(face, in, grid, block, expected[block_inclusive], expected[block_exclusive],
       expected[block_reduce]);
  fold(face, in, grid, block * (size_t)face->items, expected[block_inclusive_items],
       expected[block_exclusive_items], NULL);
  CHECK_CODE(face->launch(grid, block, device_in, out), cudaSuccess);
  MUST(cudaDeviceSynchronize());
  for (k = 0; k < block_results; k++) {
    CHECK_SAME(names[k], test_buffer_fetch(&out_buffers[k], names[k]), expected[k], size,
               k >= block_inclusive_items ? all : count);
    free(expected[k]);
  }
  CHECK_NO_MISUSES_SINCE(misuses);
  free(in);
}

int main(void) {
  test_buffer in_buffer;
  test_buffer out_buffers[block_results];
  const unsigned rounds = TEST_SCALE > 1 ? 8 : TEST_SCALE == 1.0 ? 3 : 1;
  unsigned warps = 0;
  unsigned round;
  size_t i;
  test_begin("strategies_block_test");
  test_buffer_make(&in_buffer, (size_t)2 * most_threads * most_items * 64);
  for (i = 0; i < block_results; i++) {
    test_buffer_make(&out_buffers[i], (size_t)2 * most_threads * most_items * 64);
  }
  for (i = 0; i < TEST_COUNT(faces); i++) {
    unsigned block;
    if (warps < faces[i]->threads / 32) warps = faces[i]->threads / 32;
    for (round = 0; round < rounds; round++) {
      for (block = 32; block <= faces[i]->threads; block += 32) {
#if defined(SCAN_TARGET_HOST)
        scan_host_schedule(round == 0 ? 0 : test_random() | 1u, 1 + (unsigned)test_below(2), 0);
#endif
        check_blocks(faces[i], 1 + (unsigned)test_below(2), block, &in_buffer, out_buffers);
      }
    }
  }
  test_buffer_free(&in_buffer);
  for (i = 0; i < block_results; i++) test_buffer_free(&out_buffers[i]);
  return test_end("%u strategies and types, blocks of 1 to %u warps: all is equal to the fold",
                  (unsigned)TEST_COUNT(faces), warps);
}
