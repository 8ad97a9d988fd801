// warp_test.cu: warp-wide scans of every width and operator, in one warp and in many at once.
#include "tests/operators.h"

enum { most_threads = 1024, most_blocks = 3 };

typedef struct warp_face {
  const char *name;
  size_t size;
  void (*generate)(void *elements, size_t count);
  void (*combine)(void *out, const void *earlier, const void *later);
  void (*identity)(void *out);
  cudaError_t (*launch)(unsigned grid, unsigned block, const void *in, void *inclusive,
                        void *exclusive, void *reduce);
} warp_face;

#define WARP_FAMILY(T, op, generator, ...)                                                      \
  typedef struct warp_##T##_##op##_parameters {                                                 \
    const T *in;                                                                                \
    T *inclusive;                                                                               \
    T *exclusive;                                                                               \
    T *reduce;                                                                                  \
  } warp_##T##_##op##_parameters;                                                               \
  SCAN_KERNEL(warp_##T##_##op, warp_##T##_##op##_parameters, p) {                               \
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;                                   \
    T x = p.in[i];                                                                              \
    p.inclusive[i] = scan_##T##_##op##_warp_inclusive(x);                                       \
    p.exclusive[i] = scan_##T##_##op##_warp_exclusive(x);                                       \
    p.reduce[i] = scan_##T##_##op##_warp_reduce(x);                                             \
  }                                                                                             \
  static cudaError_t warp_##T##_##op##_launch(unsigned grid, unsigned block, const void *in,    \
                                              void *inclusive, void *exclusive, void *reduce) { \
    warp_##T##_##op##_parameters parameters;                                                    \
    parameters.in = (const T *)in;                                                              \
    parameters.inclusive = (T *)inclusive;                                                      \
    parameters.exclusive = (T *)exclusive;                                                      \
    parameters.reduce = (T *)reduce;                                                            \
    return SCAN_LAUNCH(warp_##T##_##op, grid, block, 0, 0, parameters);                         \
  }                                                                                             \
  static void warp_##T##_##op##_combine(void *out, const void *earlier, const void *later) {    \
    *(T *)out = op(*(const T *)earlier, *(const T *)later);                                     \
  }                                                                                             \
  static void warp_##T##_##op##_identity(void *out) {                                           \
    const T identity = __VA_ARGS__;                                                             \
    memcpy(out, &identity, sizeof identity);                                                    \
  }                                                                                             \
  static const warp_face warp_face_##T##_##op = {#T "_" #op,                                    \
                                                 sizeof(T),                                     \
                                                 generator,                                     \
                                                 warp_##T##_##op##_combine,                     \
                                                 warp_##T##_##op##_identity,                    \
                                                 warp_##T##_##op##_launch};

#define STAMP(width)                                                        \
  OPERATOR_LEVELS(interval_##width, merge_##width, INTERVAL_POISON_##width) \
  WARP_FAMILY(interval_##width, merge_##width, interval_##width##_generate, INTERVAL_POISON_##width)
INTERVAL_LIST(STAMP)
SCAN_DEFINE(affine, compose, {5, 9})
WARP_FAMILY(affine, compose, affine_generate, {5, 9})

#define FACE(width) &warp_face_interval_##width##_merge_##width,
static const warp_face *const faces[] = {
    INTERVAL_LIST(FACE) & warp_face_affine_compose,
};

static void check_warps(const warp_face *face, unsigned grid, unsigned block,
                        test_buffer buffers[4]) {
  size_t size = face->size;
  size_t count = (size_t)grid * block;
  unsigned char *in = (unsigned char *)test_allocate(count * size);
  unsigned char *expected[3];
  unsigned long long misuses = operator_misuses();
  static const char *const names[] = {"inclusive", "exclusive", "reduce"};
  void *device[4];
  size_t warp;
  size_t lane;
  int k;
  test_case("%s_warp grid %u block %u", face->name, grid, block);
  for (k = 0; k < 3; k++) expected[k] = (unsigned char *)test_allocate(count * size);
  for (warp = 0; warp < count / 32; warp++) {
    TEST_ALIGNAS(16) unsigned char so_far[64];
    unsigned char *x = in + warp * 32 * size;
    face->generate(x, 32);
    face->identity(so_far);
    for (lane = 0; lane < 32; lane++) {
      size_t at = (warp * 32 + lane) * size;
      memcpy(expected[1] + at, so_far, size);
      if (lane == 0) {
        memcpy(so_far, x, size);
      } else {
        face->combine(so_far, so_far, x + lane * size);
      }
      memcpy(expected[0] + at, so_far, size);
    }
    for (lane = 0; lane < 32; lane++) {
      memcpy(expected[2] + (warp * 32 + lane) * size, so_far, size);
    }
  }
  device[0] = test_buffer_place(&buffers[0], 0, count * size, in);
  for (k = 1; k < 4; k++) device[k] = test_buffer_place(&buffers[k], 0, count * size, NULL);
  CHECK_CODE(face->launch(grid, block, device[0], device[1], device[2], device[3]), cudaSuccess);
  MUST(cudaDeviceSynchronize());
  for (k = 0; k < 3; k++) {
    CHECK_SAME(names[k], test_buffer_fetch(&buffers[k + 1], names[k]), expected[k], size, count);
    free(expected[k]);
  }
  CHECK_NO_MISUSES_SINCE(misuses);
  free(in);
}

int main(void) {
  test_buffer buffers[4];
  size_t i;
  unsigned round;
  unsigned rounds = TEST_SCALE < 1 ? 4 : 20;
  test_begin("warp_test");
  for (i = 0; i < 4; i++) test_buffer_make(&buffers[i], (size_t)most_threads * most_blocks * 64);
  for (i = 0; i < TEST_COUNT(faces); i++) {
    check_warps(faces[i], 1, 32, buffers);
    check_warps(faces[i], 1, most_threads, buffers);
    for (round = 0; round < rounds; round++) {
#if defined(SCAN_TARGET_HOST)
      scan_host_schedule(test_random(), 1 + (unsigned)test_below(3), 0);
#endif
      check_warps(faces[i], 1 + (unsigned)test_below(most_blocks),
                  32 * (1 + (unsigned)test_below(32)), buffers);
    }
  }
  for (i = 0; i < 4; i++) test_buffer_free(&buffers[i]);
  return test_end(
      "%u families of 1 to 64 bytes: inclusive, exclusive and reduce of every warp equal the fold",
      (unsigned)TEST_COUNT(faces));
}
