// block_test.cu: block-wide scans of every block size, one and several items a thread, the scratch
// reused at once.
#include "tests/operators.h"

enum { most_threads = 1024, most_items = 16 };

// What one launch of a block family writes; each result has one element a thread, or `count` with
// several items.
enum { block_inclusive, block_exclusive, block_reduce, block_inclusive_again, block_results };

typedef struct block_face {
  const char *name;
  size_t size;
  void (*generate)(void *elements, size_t count);
  void (*combine)(void *out, const void *earlier, const void *later);
  void (*identity)(void *out);
  /* one item a thread: all four results. in: 2 * grid * block elements, the second half for the
   * scan that comes again */
  cudaError_t (*launch)(unsigned grid, unsigned block, const void *in,
                        void *const out[block_results]);
  /* items a thread, of which there are item_counts[which]: the results but the reduction; in as
   * above, times items */
  int item_counts[2];
  cudaError_t (*launch_items[2])(unsigned grid, unsigned block, const void *in,
                                 void *const out[block_results]);
} block_face;

// A kernel of both scans of `count` items a thread, and of one more, with the scratch reused at
// once.
#define BLOCK_ITEMS(T, op, count)                                                                  \
  SCAN_KERNEL_BOUNDED_(1024, block_items_##count##_##T##_##op, block_##T##_##op##_parameters, p) { \
    SCAN_SHARED_DYNAMIC(scan_##T##_##op##_block_scratch, scratch);                                 \
    size_t all = (size_t)gridDim.x * blockDim.x;                                                   \
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;                                      \
    T a[count];                                                                                    \
    T b[count];                                                                                    \
    T c[count];                                                                                    \
    int k;                                                                                         \
    for (k = 0; k < count; k++) a[k] = b[k] = p.in[i * count + k];                                 \
    for (k = 0; k < count; k++) c[k] = p.in[(all + i) * count + k];                                \
    scan_##T##_##op##_block_inclusive_items(a, count, scratch);                                    \
    scan_##T##_##op##_block_exclusive_items(b, count, scratch);                                    \
    scan_##T##_##op##_block_inclusive_items(c, count, scratch);                                    \
    for (k = 0; k < count; k++) p.out[block_inclusive][i * count + k] = a[k];                      \
    for (k = 0; k < count; k++) p.out[block_exclusive][i * count + k] = b[k];                      \
    for (k = 0; k < count; k++) p.out[block_inclusive_again][i * count + k] = c[k];                \
  }                                                                                                \
  static cudaError_t block_launch_items_##count##_##T##_##op(                                      \
      unsigned grid, unsigned block, const void *in, void *const out[block_results]) {             \
    block_##T##_##op##_parameters parameters = block_##T##_##op##_bind(in, out);                   \
    return SCAN_LAUNCH(block_items_##count##_##T##_##op, grid, block,                              \
                       sizeof(scan_##T##_##op##_block_scratch), 0, parameters);                    \
  }

// BLOCK_FAMILY(T, op, generator, two counts of items a thread, identity): what is stamped of T and
// op, as block_face_<T>_<op>.
#define BLOCK_FAMILY(T, op, generator, one_count, other_count, ...)                               \
  typedef struct block_##T##_##op##_parameters {                                                  \
    const T *in;                                                                                  \
    T *out[block_results];                                                                        \
  } block_##T##_##op##_parameters;                                                                \
  SCAN_KERNEL_BOUNDED_(1024, block_##T##_##op, block_##T##_##op##_parameters, p) {                \
    SCAN_SHARED_DYNAMIC(scan_##T##_##op##_block_scratch, scratch);                                \
    size_t all = (size_t)gridDim.x * blockDim.x;                                                  \
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;                                     \
    p.out[block_inclusive][i] = scan_##T##_##op##_block_inclusive(p.in[i], scratch);              \
    p.out[block_exclusive][i] = scan_##T##_##op##_block_exclusive(p.in[i], scratch);              \
    p.out[block_reduce][i] = scan_##T##_##op##_block_reduce(p.in[i], scratch);                    \
    p.out[block_inclusive_again][i] = scan_##T##_##op##_block_inclusive(p.in[all + i], scratch);  \
  }                                                                                               \
  static block_##T##_##op##_parameters block_##T##_##op##_bind(const void *in,                    \
                                                               void *const out[block_results]) {  \
    block_##T##_##op##_parameters parameters;                                                     \
    int result;                                                                                   \
    parameters.in = (const T *)in;                                                                \
    for (result = 0; result < block_results; result++) parameters.out[result] = (T *)out[result]; \
    return parameters;                                                                            \
  }                                                                                               \
  static cudaError_t block_##T##_##op##_launch(unsigned grid, unsigned block, const void *in,     \
                                               void *const out[block_results]) {                  \
    block_##T##_##op##_parameters parameters = block_##T##_##op##_bind(in, out);                  \
    return SCAN_LAUNCH(block_##T##_##op, grid, block, sizeof(scan_##T##_##op##_block_scratch), 0, \
                       parameters);                                                               \
  }                                                                                               \
  BLOCK_ITEMS(T, op, one_count)                                                                   \
  BLOCK_ITEMS(T, op, other_count)                                                                 \
  static void block_##T##_##op##_combine(void *out, const void *earlier, const void *later) {     \
    *(T *)out = op(*(const T *)earlier, *(const T *)later);                                       \
  }                                                                                               \
  static void block_##T##_##op##_identity(void *out) {                                            \
    const T identity = __VA_ARGS__;                                                               \
    memcpy(out, &identity, sizeof identity);                                                      \
  }                                                                                               \
  static const block_face block_face_##T##_##op = {                                               \
      #T "_" #op,                                                                                 \
      sizeof(T),                                                                                  \
      generator,                                                                                  \
      block_##T##_##op##_combine,                                                                 \
      block_##T##_##op##_identity,                                                                \
      block_##T##_##op##_launch,                                                                  \
      {one_count, other_count},                                                                   \
      {block_launch_items_##one_count##_##T##_##op,                                               \
       block_launch_items_##other_count##_##T##_##op}};

#define STAMP(width, one_count, other_count)                                            \
  OPERATOR_LEVELS(interval_##width, merge_##width, INTERVAL_POISON_##width)             \
  BLOCK_FAMILY(interval_##width, merge_##width, interval_##width##_generate, one_count, \
               other_count, INTERVAL_POISON_##width)
STAMP(1, 7, 16)
STAMP(2, 3, 8)
STAMP(3, 4, 7)
STAMP(4, 2, 16)
STAMP(8, 1, 7)
STAMP(12, 3, 4)
STAMP(16, 2, 4)
STAMP(20, 1, 3)
STAMP(32, 1, 2)
STAMP(64, 1, 2)
SCAN_DEFINE(affine, compose, {5, 9})
BLOCK_FAMILY(affine, compose, affine_generate, 3, 8, {5, 9})

#define FACE(width) &block_face_interval_##width##_merge_##width,
static const block_face *const faces[] = {
    INTERVAL_LIST(FACE) & block_face_affine_compose,
};

// Folds each block's `length` elements of in; any of the results may be NULL.
static void fold(const block_face *face, const unsigned char *in, size_t blocks, size_t length,
                 unsigned char *inclusive, unsigned char *exclusive, unsigned char *reduce) {
  size_t size = face->size;
  size_t block;
  size_t i;
  for (block = 0; block < blocks; block++) {
    TEST_ALIGNAS(16) unsigned char so_far[64];
    face->identity(so_far);
    for (i = block * length; i < (block + 1) * length; i++) {
      if (exclusive != NULL) memcpy(exclusive + i * size, so_far, size);
      if (i == block * length) {
        memcpy(so_far, in + i * size, size);
      } else {
        face->combine(so_far, so_far, in + i * size);
      }
      if (inclusive != NULL) memcpy(inclusive + i * size, so_far, size);
    }
    for (i = block * length; reduce != NULL && i < (block + 1) * length; i++) {
      memcpy(reduce + i * size, so_far, size);
    }
  }
}

// Checks one launch: of launch_items[which], or of the functions of one item a thread, where which
// is -1.
static void check_blocks(const block_face *face, unsigned grid, unsigned block, int which,
                         test_buffer *in_buffer, test_buffer out_buffers[block_results]) {
  static const char *const names[] = {"inclusive", "exclusive", "reduce", "inclusive, once more"};
  int items = which >= 0 ? face->item_counts[which] : 0;
  size_t size = face->size;
  size_t length = (size_t)block * (size_t)(items > 0 ? items : 1);
  size_t count = grid * length;
  unsigned char *in = (unsigned char *)test_allocate(2 * count * size);
  unsigned char *expected[block_results];
  unsigned long long misuses = operator_misuses();
  void *device_in;
  void *out[block_results];
  int k;
  test_case("%s_block grid %u block %u items %d", face->name, grid, block, items);
  face->generate(in, 2 * count);
  for (k = 0; k < block_results; k++) {
    expected[k] = (unsigned char *)test_allocate(count * size);
    memset(expected[k], test_poison, count * size);
    out[k] = test_buffer_place(&out_buffers[k], 0, count * size, NULL);
  }
  device_in = test_buffer_place(in_buffer, 0, 2 * count * size, in);
  fold(face, in, grid, length, expected[block_inclusive], expected[block_exclusive],
       items > 0 ? NULL : expected[block_reduce]);
  fold(face, in + count * size, grid, length, expected[block_inclusive_again], NULL, NULL);
  if (which >= 0) {
    CHECK_CODE(face->launch_items[which](grid, block, device_in, out), cudaSuccess);
  } else {
    CHECK_CODE(face->launch(grid, block, device_in, out), cudaSuccess);
  }
  MUST(cudaDeviceSynchronize());
  for (k = 0; k < block_results; k++) {
    CHECK_SAME(names[k], test_buffer_fetch(&out_buffers[k], names[k]), expected[k], size, count);
    free(expected[k]);
  }
  CHECK_NO_MISUSES_SINCE(misuses);
  free(in);
}

int main(void) {
  test_buffer in_buffer;
  test_buffer out_buffers[block_results];
  size_t i;
  int which;
  unsigned round;
  unsigned rounds = TEST_SCALE > 1 ? 20 : TEST_SCALE == 1.0 ? 6 : 2;
  test_begin("block_test");
  test_buffer_make(&in_buffer, (size_t)2 * 2 * most_threads * most_items * 64);
  for (i = 0; i < block_results; i++) {
    test_buffer_make(&out_buffers[i], (size_t)2 * most_threads * most_items * 64);
  }
  for (i = 0; i < TEST_COUNT(faces); i++) {
    unsigned block;
    for (block = 32; block <= most_threads; block += 32) {
#if defined(SCAN_TARGET_HOST)
      scan_host_schedule(block % 64 == 0 ? test_random() : 0, 1 + (unsigned)test_below(2), 0);
#endif
      check_blocks(faces[i], 1 + (unsigned)test_below(2), block, -1, &in_buffer, out_buffers);
    }
    for (which = 0; which < 2; which++) {
      for (round = 0; round < rounds; round++) {
        block = 32 * (1 + (unsigned)test_below(round == 0 ? 32 : 8));
        check_blocks(faces[i], 1 + (unsigned)test_below(2), block, which, &in_buffer, out_buffers);
      }
    }
  }
  test_buffer_free(&in_buffer);
  for (i = 0; i < block_results; i++) test_buffer_free(&out_buffers[i]);
  return test_end("%u families, 32 block sizes, 1 to 16 items a thread: all is equal to the fold",
                  (unsigned)TEST_COUNT(faces));
}
