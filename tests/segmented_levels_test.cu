// segmented_levels_test.cu: warp-wide and block-wide scans with a head flag a thread, of every
// block size, the scratch reused at once.
#include "tests/operators.h"

enum { most_threads = 1024, most_blocks = 2 };

// What one launch writes, an element a thread; the second block scan has input and heads of its
// own.
enum { level_warp, level_block, level_block_again, level_results };

typedef struct level_face {
  const char *name;
  size_t size;
  void (*generate)(void *elements, size_t count);
  void (*combine)(void *out, const void *earlier, const void *later);
  cudaError_t (*launch)(unsigned grid, unsigned block, const void *in, const int *heads,
                        void *const out[level_results]);
} level_face;

// LEVEL_FAMILY(T, op, generator): what is stamped of T and op, as level_face_<T>_<op>.
#define LEVEL_FAMILY(T, op, generator)                                                             \
  typedef struct level_##T##_##op##_parameters {                                                   \
    const T *in;                                                                                   \
    const int *heads;                                                                              \
    T *out[level_results];                                                                         \
  } level_##T##_##op##_parameters;                                                                 \
  SCAN_KERNEL_BOUNDED_(1024, level_##T##_##op, level_##T##_##op##_parameters, p) {                 \
    SCAN_SHARED_DYNAMIC(scan_##T##_##op##_block_segmented_scratch, scratch);                       \
    size_t all = (size_t)gridDim.x * blockDim.x;                                                   \
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;                                      \
    p.out[level_warp][i] = scan_##T##_##op##_warp_segmented_inclusive(p.in[i], p.heads[i]);        \
    p.out[level_block][i] =                                                                        \
        scan_##T##_##op##_block_segmented_inclusive(p.in[i], p.heads[i], scratch);                 \
    p.out[level_block_again][i] =                                                                  \
        scan_##T##_##op##_block_segmented_inclusive(p.in[all + i], p.heads[all + i], scratch);     \
  }                                                                                                \
  static cudaError_t level_##T##_##op##_launch(unsigned grid, unsigned block, const void *in,      \
                                               const int *heads, void *const out[level_results]) { \
    level_##T##_##op##_parameters parameters;                                                      \
    int result;                                                                                    \
    parameters.in = (const T *)in;                                                                 \
    parameters.heads = heads;                                                                      \
    for (result = 0; result < level_results; result++) parameters.out[result] = (T *)out[result];  \
    return SCAN_LAUNCH(level_##T##_##op, grid, block,                                              \
                       sizeof(scan_##T##_##op##_block_segmented_scratch), 0, parameters);          \
  }                                                                                                \
  static void level_##T##_##op##_combine(void *out, const void *earlier, const void *later) {      \
    *(T *)out = op(*(const T *)earlier, *(const T *)later);                                        \
  }                                                                                                \
  static const level_face level_face_##T##_##op = {                                                \
      #T "_" #op, sizeof(T), generator, level_##T##_##op##_combine, level_##T##_##op##_launch};

#define STAMP(width)                                                                  \
  OPERATOR_SEGMENTED_LEVELS(interval_##width, merge_##width, INTERVAL_POISON_##width) \
  LEVEL_FAMILY(interval_##width, merge_##width, interval_##width##_generate)
INTERVAL_LIST(STAMP)
SCAN_DEFINE_SEGMENTED(affine, compose, {5, 9})
LEVEL_FAMILY(affine, compose, affine_generate)

#define FACE(width) &level_face_interval_##width##_merge_##width,
static const level_face *const faces[] = {
    INTERVAL_LIST(FACE) & level_face_affine_compose,
};

// How heads are drawn.
enum {
  heads_none,
  heads_all,
  heads_first_lanes,
  heads_last_lanes,
  heads_one,
  heads_dense,
  heads_sparse,
  heads_patterns
};

static int head_drawn(int pattern, size_t i, size_t one) {
  switch (pattern) {
    case heads_none:
      return 0;
    case heads_all:
      return 1;
    case heads_first_lanes:
      return i % 32 == 0;
    case heads_last_lanes:
      return i % 32 == 31;
    case heads_one:
      return i == one;
    case heads_dense:
      return test_below(3) == 0;
    default:
      return test_below(60) == 0;
  }
}

// Draws heads, any value that is not 0 being one, and elements that belong together from one head
// to the next. What lies before the first head of a warp or block is a segment of its own.
static void draw(const level_face *face, int pattern, size_t count, unsigned char *in, int *heads) {
  static const int values[] = {1, -1, 2, 1 << 8, 1 << 30, -2147483647 - 1};
  const size_t one = test_below(count);
  size_t i, begin;
  for (i = 0; i < count; i++)
    heads[i] = head_drawn(pattern, i, one) ? values[test_below(TEST_COUNT(values))] : 0;
  for (begin = 0; begin < count; begin = i) {
    for (i = begin + 1; i < count && heads[i] == 0;) i++;
    face->generate(in + begin * face->size, i - begin);
  }
}

// Folds groups of `length` threads, afresh at every head.
static void fold(const level_face *face, const unsigned char *in, const int *heads, size_t count,
                 size_t length, unsigned char *expected) {
  const size_t size = face->size;
  TEST_ALIGNAS(16) unsigned char so_far[64];
  size_t i;
  for (i = 0; i < count; i++) {
    if (i % length == 0 || heads[i] != 0)
      memcpy(so_far, in + i * size, size);
    else
      face->combine(so_far, so_far, in + i * size);
    memcpy(expected + i * size, so_far, size);
  }
}

static void check_levels(const level_face *face, unsigned grid, unsigned block, int pattern,
                         test_buffer *in_buffer, test_buffer *heads_buffer,
                         test_buffer out_buffers[level_results]) {
  static const char *const names[] = {"warp", "block", "block, once more"};
  const size_t size = face->size;
  const size_t count = (size_t)grid * block;
  unsigned char *in = (unsigned char *)test_allocate(2 * count * size);
  int *heads = (int *)test_allocate(2 * count * sizeof(int));
  unsigned char *expected = (unsigned char *)test_allocate(count * size);
  unsigned long long misuses;
  const void *device_in;
  const int *device_heads;
  void *out[level_results];
  int k;
  test_case("%s grid %u block %u pattern %d", face->name, grid, block, pattern);
  draw(face, pattern, count, in, heads);
  draw(face, (int)test_below(heads_patterns), count, in + count * size, heads + count);
  device_in = test_buffer_place(in_buffer, 0, 2 * count * size, in);
  device_heads = (const int *)test_buffer_place(heads_buffer, 0, 2 * count * sizeof(int), heads);
  for (k = 0; k < level_results; k++)
    out[k] = test_buffer_place(&out_buffers[k], 0, count * size, NULL);
  misuses = operator_misuses();
  CHECK_CODE(face->launch(grid, block, device_in, device_heads, out), cudaSuccess);
  MUST(cudaDeviceSynchronize());
  CHECK_NO_MISUSES_SINCE(misuses);
  for (k = 0; k < level_results; k++) {
    const size_t at = k == level_block_again ? count : 0;
    fold(face, in + at * size, heads + at, count, k == level_warp ? 32 : block, expected);
    CHECK_SAME(names[k], test_buffer_fetch(&out_buffers[k], names[k]), expected, size, count);
  }
  free(in);
  free(heads);
  free(expected);
}

int main(void) {
  const unsigned step = TEST_SCALE < 1 ? 7 : 1; /* of the sizes, in warps */
  test_buffer in_buffer, heads_buffer;
  test_buffer out_buffers[level_results];
  size_t i;
  int pattern;
  test_begin("segmented_levels_test");
  test_buffer_make(&in_buffer, (size_t)2 * most_blocks * most_threads * 64);
  test_buffer_make(&heads_buffer, (size_t)2 * most_blocks * most_threads * sizeof(int));
  for (i = 0; i < level_results; i++)
    test_buffer_make(&out_buffers[i], (size_t)most_blocks * most_threads * 64);
  for (i = 0; i < TEST_COUNT(faces); i++) {
    unsigned warps;
    for (pattern = 0; pattern < heads_patterns; pattern++)
      for (warps = 1 + (unsigned)test_below(step); warps <= 32; warps += step) {
#if defined(SCAN_TARGET_HOST)
        scan_host_schedule(warps % 2 == 0 ? test_random() : 0, 1 + (unsigned)test_below(2), 0);
#endif
        check_levels(faces[i], 1 + (unsigned)test_below(most_blocks), warps * 32, pattern,
                     &in_buffer, &heads_buffer, out_buffers);
      }
  }
  test_buffer_free(&in_buffer);
  test_buffer_free(&heads_buffer);
  for (i = 0; i < level_results; i++) test_buffer_free(&out_buffers[i]);
  return test_end(
      "%u families, 32 block sizes, %d patterns of heads: warps and blocks equal the fold, and no "
      "head is crossed",
      (unsigned)TEST_COUNT(faces), (int)heads_patterns);
}
