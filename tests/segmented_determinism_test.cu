// segmented_determinism_test.cu: the bits of a segmented scan depend on n, width, kind and where
// segments start alone: not on the encoding, run, schedule, grid, alignment or machine.
//
// As determinism_test.cu; SCAN_TEST_DIGESTS=1 in the environment prints the table of digests to be
// committed in segmented_determinism_digests.h.
#include "tests/operators.h"
#include "tests/segmented_determinism_digests.h"

typedef struct segmented_tree {
  size_t size;
  size_t alignment;
  void (*generate)(void *elements, size_t count);
  size_t (*workspace_bytes)(size_t n);
  cudaError_t (*scan)(scan_workspace *workspace, const void *in, scan_segments segments, void *out,
                      size_t n, int exclusive, int reverse, const void *seed);
  cudaError_t (*reduce)(scan_workspace *workspace, const void *in, scan_segments segments,
                        void *out, size_t n);
} segmented_tree;

#define STAMP(width)                                                                        \
  SCAN_DEFINE_SEGMENTED(tree_##width, graft_##width, {{1}})                                 \
  static cudaError_t tree_##width##_scan(scan_workspace *workspace, const void *in,         \
                                         scan_segments segments, void *out, size_t n,       \
                                         int exclusive, int reverse, const void *seed) {    \
    scan_tree_##width##_graft_##width##_segmented_options options =                         \
        scan_tree_##width##_graft_##width##_segmented_options_default();                    \
    options.exclusive = exclusive;                                                          \
    options.reverse = reverse;                                                              \
    options.seed = (const tree_##width *)seed;                                              \
    return scan_tree_##width##_graft_##width##_segmented_run(                               \
        workspace, (const tree_##width *)in, segments, (tree_##width *)out, n, options, 0); \
  }                                                                                         \
  static cudaError_t tree_##width##_reduce(scan_workspace *workspace, const void *in,       \
                                           scan_segments segments, void *out, size_t n) {   \
    return scan_tree_##width##_graft_##width##_segmented_reduce(                            \
        workspace, (const tree_##width *)in, segments, (tree_##width *)out, n, 0);          \
  }                                                                                         \
  static size_t tree_##width##_workspace_bytes(size_t n) {                                  \
    return scan_tree_##width##_graft_##width##_segmented_workspace_bytes(n);                \
  }                                                                                         \
  static const segmented_tree segmented_tree_##width = {                                    \
      sizeof(tree_##width),           TEST_ALIGNOF(tree_##width), tree_##width##_generate,  \
      tree_##width##_workspace_bytes, tree_##width##_scan,        tree_##width##_reduce};
STAMP(1)
STAMP(4)
STAMP(8)
STAMP(16)
STAMP(64)

static const segmented_tree *const trees[segmented_determinism_widths] = {
    &segmented_tree_1, &segmented_tree_4, &segmented_tree_8, &segmented_tree_16,
    &segmented_tree_64};

/* The last is of bytes alone, beyond what short tiles take. */
static const size_t all_sizes[segmented_determinism_sizes] = {257, 9973, 200003, 2400011, 9900013};
enum { most_bytes = 20 << 20, most_elements = 9900013, regular_length = 1001 };

// The forms whose outputs make the digest.
enum { form_inclusive, form_exclusive, form_seeded, form_reverse, form_reduce, forms };

static test_buffer in_buffer, out_buffer, seed_buffer, told_buffer;
static unsigned char *elements, *first, *again;
static unsigned char *starts;
static uint64_t *ends;
static uint32_t *encoded;
static size_t count; /* of segments */
static scan_workspace *workspace;

// Segments of one length, or from very short to long.
static void draw_segments(size_t n, int regular) {
  size_t i, next = 0;
  count = 0;
  for (i = 0; i < n; i++) {
    starts[i] = i == next;
    if (i != next) continue;
    ends[count++] = i;
    next += regular ? (uint64_t)regular_length : 1 + test_below((uint64_t)1 << test_below(17));
  }
  ends[count] = n;
}

// The segments in an encoding.
static scan_segments tell(uint32_t kind, size_t n) {
  const size_t shift = kind == scan_segments_flags_
                           ? test_below(32)
                           : test_below(4) << SCAN_SEGMENTS_UNIT_LOG_(kind);
  size_t i;
  if (kind == scan_segments_regular_) return scan_segments_regular(regular_length);
  memset(encoded, 0, ((n + 31) / 32 + 1) * 4);
  for (i = 0; i < n && kind < scan_segments_offsets_; i++) {
    if (kind == scan_segments_flags_)
      ((uint8_t *)encoded)[i] = starts[i];
    else if (kind == scan_segments_flags32_)
      encoded[i] = starts[i];
    else
      encoded[i / 32] |= (uint32_t)starts[i] << i % 32;
  }
  for (i = 0; i <= count && kind == scan_segments_offsets_; i++) encoded[i] = (uint32_t)ends[i];
  return scan_segments_make_(
      kind,
      test_buffer_place(&told_buffer, shift,
                        kind == scan_segments_flags_     ? n
                        : kind == scan_segments_flags32_ ? n * 4
                        : kind == scan_segments_bits_
                            ? (n + 31) / 32 * 4
                            : (count + 1) << SCAN_SEGMENTS_UNIT_LOG_(kind),
                        kind == scan_segments_offsets64_ ? (void *)ends : (void *)encoded),
      kind < scan_segments_offsets_ ? 0 : count, 0);
}

// Runs a form with everything that may not matter drawn anew; leaves what it gave in results.
static void run_form(const segmented_tree *tree, int form, uint32_t kind, size_t n,
                     unsigned char *results) {
  const size_t size = tree->size;
  const size_t results_bytes = (form == form_reduce ? count : n) * size;
  const size_t in_shift = test_below(16 / tree->alignment) * tree->alignment;
  const int in_place = form != form_reduce && test_below(4) == 0;
  const scan_segments segments = tell(kind, n);
  void *in, *out, *seed = NULL;
#if defined(SCAN_TARGET_HOST)
  scan_host_schedule(test_below(4) == 0 ? 0 : test_random() | 1u, 1 + (unsigned)test_below(4),
                     1 + (unsigned)test_below(13));
#endif
  MUST(scan_workspace_destroy(workspace));
  MUST(scan_workspace_create(&workspace, tree->workspace_bytes(n), 0));
  in = test_buffer_place(&in_buffer, in_shift, n * size, elements + size);
  out = in_place
            ? in
            : test_buffer_place(&out_buffer, test_below(16 / tree->alignment) * tree->alignment,
                                results_bytes, NULL);
  if (form == form_seeded || form == form_reverse)
    seed = test_buffer_place(&seed_buffer, 0, size, elements);
  if (form == form_reduce)
    CHECK_CODE(tree->reduce(workspace, in, segments, out, n), cudaSuccess);
  else
    CHECK_CODE(tree->scan(workspace, in, segments, out, n, form == form_exclusive,
                          form == form_reverse, seed),
               cudaSuccess);
  MUST(cudaDeviceSynchronize());
  memcpy(results, test_buffer_fetch(in_place ? &in_buffer : &out_buffer, "out"), results_bytes);
}

static uint64_t tree_digest(const segmented_tree *tree, size_t n) {
  const uint64_t random = test.random;
  uint64_t digest = 0;
  int regular, form;
  test.random = 20250101u + n;
  tree->generate(elements, n + 1);
  for (regular = 0; regular < 2; regular++) {
    test.random = 20250202u + n;
    draw_segments(n, regular);
    test.random = random + (uint64_t)regular;
    for (form = 0; form < forms; form++) {
      const size_t bytes = (form == form_reduce ? count : n) * tree->size;
      const uint32_t kind_first =
          form == form_reduce ? scan_segments_offsets_ : scan_segments_flags_;
      const uint32_t kind_last = regular ? scan_segments_regular_ : scan_segments_offsets64_;
      uint32_t kind;
      unsigned turns = n <= 10000 && TEST_SCALE >= 1 ? 4 : 1;
      run_form(tree, form, kind_first, n, first);
      for (; turns > 0; turns--)
        for (kind = kind_first; kind <= kind_last; kind++) {
          /* Of many elements an encoding or two. */
          if (n > 10000 && test_below(n > 1000000 ? 4 : 2) != 0) continue;
          test_case("tree_%zu n=%zu form %d kind %u%s", tree->size, n, form, kind,
                    regular ? " regular" : "");
          run_form(tree, form, kind, n, again);
          CHECK_SAME("the same bits in every encoding and run", again, first, 1, bytes);
        }
      digest = (digest << 7 | digest >> 57) ^ test_digest(first, bytes);
    }
  }
  return digest;
}

int main(void) {
  const char *show = getenv("SCAN_TEST_DIGESTS");
  unsigned digests = 0;
  size_t w, s;
  test_begin("segmented_determinism_test");
  test_buffer_make(&in_buffer, most_bytes);
  test_buffer_make(&out_buffer, most_bytes + 64);
  test_buffer_make(&seed_buffer, 64);
  test_buffer_make(&told_buffer, (size_t)8 * (most_elements + 1));
  elements = (unsigned char *)test_allocate(most_bytes + 64);
  first = (unsigned char *)test_allocate(most_bytes + 64);
  again = (unsigned char *)test_allocate(most_bytes + 64);
  starts = (unsigned char *)test_allocate(most_elements);
  ends = (uint64_t *)test_allocate((most_elements + 1) * sizeof *ends);
  encoded = (uint32_t *)test_allocate((most_elements + 32) * sizeof *encoded);
  for (w = 0; w < segmented_determinism_widths; w++) {
    if (show != NULL) printf("    {");
    for (s = 0; s < segmented_determinism_sizes && all_sizes[s] <= TEST_ELEMENTS_MOST; s++) {
      uint64_t digest = 0;
      if (all_sizes[s] * trees[w]->size <= most_bytes) {
        digest = tree_digest(trees[w], all_sizes[s]);
        digests++;
      }
      if (show != NULL)
        printf("0x%016llXu%s", (unsigned long long)digest,
               s + 1 < segmented_determinism_sizes ? ", " : "},");
      else
        CHECK(digest == segmented_determinism_digests[w][s], "digest %016llx, committed %016llx",
              (unsigned long long)digest, (unsigned long long)segmented_determinism_digests[w][s]);
    }
    if (show != NULL) printf("  // tree_%zu\n", trees[w]->size);
  }
  CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);
  test_buffer_free(&in_buffer);
  test_buffer_free(&out_buffer);
  test_buffer_free(&seed_buffer);
  test_buffer_free(&told_buffer);
  free(elements);
  free(first);
  free(again);
  free(starts);
  free(ends);
  free(encoded);
  return test_end("%u digests of %d widths equal those committed, in all encodings of the segments",
                  digests, (int)segmented_determinism_widths);
}
