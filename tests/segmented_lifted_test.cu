// segmented_lifted_test.cu: the lifted family against the segmented one on the same elements and
// heads, and both against the fold.
#include "tests/operators.h"

// Several maps in one element: as wide as may be lifted.
typedef struct seven {
  affine map[7];
} seven;
SCAN_OPERATOR seven compose_all(seven earlier, seven later) {
  seven composed;
  int i;
  for (i = 0; i < 7; i++) composed.map[i] = compose(earlier.map[i], later.map[i]);
  return composed;
}

typedef struct lifted_face {
  const char *name;
  size_t size, lifted_size, head_at;
  void (*combine)(void *out, const void *earlier, const void *later);
  void (*identity)(void *out);
  size_t (*workspace_bytes)(size_t n);
  size_t (*segmented_workspace_bytes)(size_t n);
  cudaError_t (*inclusive)(scan_workspace *workspace, const void *in, void *out, size_t n);
  cudaError_t (*exclusive)(scan_workspace *workspace, const void *in, void *out, size_t n);
  cudaError_t (*reduce)(scan_workspace *workspace, const void *in, void *out, size_t n);
  cudaError_t (*segmented)(scan_workspace *workspace, const void *in, scan_segments segments,
                           void *out, size_t n, int exclusive);
} lifted_face;

// LIFTED_FAMILY(T, op, identity): stamps both families and defines lifted_face_<T>_<op>.
#define LIFTED_CALL_(T, op, call)                                                           \
  static cudaError_t lifted_##T##_##op##_##call(scan_workspace *workspace, const void *in,  \
                                                void *out, size_t n) {                      \
    return scan_##T##_##op##_lifted_##call(workspace, (const scan_##T##_##op##_lifted *)in, \
                                           (scan_##T##_##op##_lifted *)out, n, 0);          \
  }
#define LIFTED_FAMILY(T, op, ...)                                                                \
  SCAN_DEFINE_LIFTED(T, op, __VA_ARGS__)                                                         \
  SCAN_DEFINE_SEGMENTED(T, op, __VA_ARGS__)                                                      \
  LIFTED_CALL_(T, op, inclusive)                                                                 \
  LIFTED_CALL_(T, op, exclusive)                                                                 \
  LIFTED_CALL_(T, op, reduce)                                                                    \
  static cudaError_t lifted_##T##_##op##_segmented(scan_workspace *workspace, const void *in,    \
                                                   scan_segments segments, void *out, size_t n,  \
                                                   int exclusive) {                              \
    return exclusive ? scan_##T##_##op##_segmented_exclusive(workspace, (const T *)in, segments, \
                                                             (T *)out, n, 0)                     \
                     : scan_##T##_##op##_segmented_inclusive(workspace, (const T *)in, segments, \
                                                             (T *)out, n, 0);                    \
  }                                                                                              \
  static void lifted_##T##_##op##_combine(void *out, const void *earlier, const void *later) {   \
    *(T *)out = op(*(const T *)earlier, *(const T *)later);                                      \
  }                                                                                              \
  static void lifted_##T##_##op##_identity(void *out) {                                          \
    const T identity = __VA_ARGS__;                                                              \
    memcpy(out, &identity, sizeof identity);                                                     \
  }                                                                                              \
  static size_t lifted_##T##_##op##_workspace_bytes(size_t n) {                                  \
    return scan_##T##_##op##_lifted_workspace_bytes(n);                                          \
  }                                                                                              \
  static size_t lifted_##T##_##op##_segmented_workspace_bytes(size_t n) {                        \
    return scan_##T##_##op##_segmented_workspace_bytes(n);                                       \
  }                                                                                              \
  static const lifted_face lifted_face_##T##_##op = {                                            \
      #T "_" #op,                                                                                \
      sizeof(T),                                                                                 \
      sizeof(scan_##T##_##op##_lifted),                                                          \
      offsetof(scan_##T##_##op##_lifted, head),                                                  \
      lifted_##T##_##op##_combine,                                                               \
      lifted_##T##_##op##_identity,                                                              \
      lifted_##T##_##op##_workspace_bytes,                                                       \
      lifted_##T##_##op##_segmented_workspace_bytes,                                             \
      lifted_##T##_##op##_inclusive,                                                             \
      lifted_##T##_##op##_exclusive,                                                             \
      lifted_##T##_##op##_reduce,                                                                \
      lifted_##T##_##op##_segmented};

LIFTED_FAMILY(uint32_t, add_uint32_t, 5)
LIFTED_FAMILY(uint8_t, first_wins_uint8_t, 7)
LIFTED_FAMILY(affine, compose, {5, 9})
LIFTED_FAMILY(word, concatenate, {5, 3})
LIFTED_FAMILY(seven, compose_all, {{{5, 9}}})

static const lifted_face *const faces[] = {
    &lifted_face_uint32_t_add_uint32_t, &lifted_face_uint8_t_first_wins_uint8_t,
    &lifted_face_affine_compose, &lifted_face_word_concatenate, &lifted_face_seven_compose_all};

static test_buffer in_buffer, lifted_buffer, heads_buffer, out_buffer, lifted_out_buffer;
static scan_workspace *workspace;

// What the lifted scan left: the values one after the other, and whether it has the heads.
static void unlift(const lifted_face *face, const unsigned char *lifted, const uint32_t *seen,
                   size_t n, unsigned char *values) {
  size_t i, wrong = 0;
  for (i = 0; i < n; i++) {
    uint32_t head;
    memcpy(values + i * face->size, lifted + i * face->lifted_size, face->size);
    memcpy(&head, lifted + i * face->lifted_size + face->head_at, sizeof head);
    wrong += (head != 0) != (seen[i] != 0);
  }
  CHECK(wrong == 0, "%zu heads are lost or made", wrong);
}

static void check_lifted(const lifted_face *face, size_t n, size_t mean) {
  const size_t size = face->size;
  unsigned char *elements = (unsigned char *)test_allocate(n * size);
  unsigned char *lifted = (unsigned char *)test_allocate(n * face->lifted_size);
  unsigned char *values = (unsigned char *)test_allocate(n * size);
  unsigned char *expected[2]; /* inclusive, exclusive */
  uint32_t *heads = (uint32_t *)test_allocate(n * sizeof *heads);
  uint32_t *seen = (uint32_t *)test_allocate((n + 1) * sizeof *seen); /* a head before element i */
  scan_segments segments;
  TEST_ALIGNAS(16) unsigned char so_far[64];
  void *in, *lifted_in, *out, *lifted_out;
  size_t i;
  int exclusive;
  test_random_bytes(elements, n * size);
  memset(lifted, 0, n * face->lifted_size);
  expected[0] = (unsigned char *)test_allocate(n * size);
  expected[1] = (unsigned char *)test_allocate(n * size);
  seen[0] = 0;
  for (i = 0; i < n; i++) {
    heads[i] = mean != 0 && test_below(mean) == 0 ? 1u << test_below(32) : 0;
    seen[i + 1] = seen[i] | heads[i];
    memcpy(lifted + i * face->lifted_size, elements + i * size, size);
    memcpy(lifted + i * face->lifted_size + face->head_at, &heads[i], sizeof heads[i]);
    if (i == 0 || heads[i] != 0) face->identity(so_far);
    memcpy(expected[1] + i * size, so_far, size);
    if (i == 0 || heads[i] != 0)
      memcpy(so_far, elements + i * size, size);
    else
      face->combine(so_far, so_far, elements + i * size);
    memcpy(expected[0] + i * size, so_far, size);
  }
  in = test_buffer_place(&in_buffer, 0, n * size, elements);
  lifted_in = test_buffer_place(&lifted_buffer, 0, n * face->lifted_size, lifted);
  segments = scan_segments_from_flags32(
      (const uint32_t *)test_buffer_place(&heads_buffer, 0, n * sizeof *heads, heads));
  for (exclusive = 0; exclusive < 2; exclusive++) {
    test_case("%s n=%zu mean length %zu%s", face->name, n, mean, exclusive ? " exclusive" : "");
    out = test_buffer_place(&out_buffer, 0, n * size, NULL);
    CHECK_CODE(face->segmented(workspace, in, segments, out, n, exclusive), cudaSuccess);
    lifted_out = test_buffer_place(&lifted_out_buffer, 0, n * face->lifted_size, NULL);
    CHECK_CODE((exclusive ? face->exclusive : face->inclusive)(workspace, lifted_in, lifted_out, n),
               cudaSuccess);
    MUST(cudaDeviceSynchronize());
    unlift(face, test_buffer_fetch(&lifted_out_buffer, "lifted"), seen + !exclusive, n, values);
    /* At a head a lifted exclusive scan still has what is before it. */
    for (i = 1; exclusive && i < n; i++)
      if (heads[i] != 0) {
        CHECK(memcmp(values + i * size, expected[0] + (i - 1) * size, size) == 0,
              "at head %zu the lifted scan has not the segment before", i);
        face->identity(values + i * size);
      }
    CHECK_SAME("the segmented scan equals the lifted one", test_buffer_fetch(&out_buffer, "out"),
               values, size, n);
    CHECK_SAME("the lifted scan equals the fold", values, expected[exclusive], size, n);
  }
  test_case("%s n=%zu mean length %zu reduction", face->name, n, mean);
  lifted_out = test_buffer_place(&lifted_out_buffer, 0, face->lifted_size, NULL);
  CHECK_CODE(face->reduce(workspace, lifted_in, lifted_out, n), cudaSuccess);
  MUST(cudaDeviceSynchronize());
  unlift(face, test_buffer_fetch(&lifted_out_buffer, "lifted"), &seen[n], 1, values);
  CHECK_SAME("the lifted reduction is the last segment's", values, so_far, size, 1);
  free(elements);
  free(lifted);
  free(values);
  free(expected[0]);
  free(expected[1]);
  free(heads);
  free(seen);
}

int main(void) {
  const size_t most = TEST_SCALE < 1 ? 60000 : 700000; /* into the pipeline */
  const size_t means[] = {0, 1, 3, 40, 1000, 100000};
  size_t i, k, s;
  test_begin("segmented_lifted_test");
  test_buffer_make(&in_buffer, most * 56);
  test_buffer_make(&lifted_buffer, most * 64);
  test_buffer_make(&heads_buffer, most * 4);
  test_buffer_make(&out_buffer, most * 56);
  test_buffer_make(&lifted_out_buffer, most * 64);
  for (i = 0; i < TEST_COUNT(faces); i++) {
    size_t bytes = faces[i]->workspace_bytes(most);
    if (bytes < faces[i]->segmented_workspace_bytes(most))
      bytes = faces[i]->segmented_workspace_bytes(most);
    MUST(scan_workspace_create(&workspace, bytes, 0));
    for (k = 0; k < TEST_COUNT(means); k++) {
      const size_t sizes[] = {1, 2 + test_below(100), 1 + test_below(10000),
                              1 + test_below(most / 10), most - test_below(100)};
      for (s = 0; s < TEST_COUNT(sizes); s++)
        if (sizes[s] < most / 2 || k >= 3) check_lifted(faces[i], sizes[s], means[k]);
    }
    CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);
  }
  test_buffer_free(&in_buffer);
  test_buffer_free(&lifted_buffer);
  test_buffer_free(&heads_buffer);
  test_buffer_free(&out_buffer);
  test_buffer_free(&lifted_out_buffer);
  return test_end("%u families: segmented, lifted and folded are equal",
                  (unsigned)TEST_COUNT(faces));
}
