// segmented_case.h: one segmented call of any stamped family against the sequential fold, in every
// encoding of the segments.
//
// Elements are intervals that run in each segment from one fixed position to another, so that an
// operator that joined two segments, or a seed and the inside of one, would be misused.
#ifndef SCAN_TESTS_SEGMENTED_CASE_H
#define SCAN_TESTS_SEGMENTED_CASE_H

#include "tests/operators.h"

typedef struct segmented_family {
  const char *name;
  size_t size;
  size_t alignment;
  uint64_t (*limit)(void);                                // positions are below it
  void (*make)(void *out, uint64_t begin, uint64_t end);  // an interval
  void (*combine)(void *out, const void *earlier, const void *later);
  void (*identity)(void *out);
  size_t (*workspace_bytes)(size_t n);
  cudaError_t (*inclusive)(scan_workspace *workspace, const void *in, scan_segments segments,
                           void *out, size_t n, cudaStream_t stream);
  cudaError_t (*exclusive)(scan_workspace *workspace, const void *in, scan_segments segments,
                           void *out, size_t n, cudaStream_t stream);
  // NULL: there is none
  cudaError_t (*reduce)(scan_workspace *workspace, const void *in, scan_segments segments,
                        void *out, size_t n, cudaStream_t stream);
  cudaError_t (*run)(scan_workspace *workspace, const void *in, scan_segments segments, void *out,
                     size_t n, int exclusive, int reverse, const void *seed, cudaStream_t stream);
} segmented_family;

// SEGMENTED_TYPE(width): what the families of interval_<width> have in common.
#define SEGMENTED_TYPE(width)                                                                  \
  static void segmented_##width##_make(void *out, uint64_t begin, uint64_t end) {              \
    const interval_##width made = interval_##width##_make(begin, end);                         \
    memcpy(out, &made, sizeof made);                                                           \
  }                                                                                            \
  static uint64_t segmented_##width##_limit(void) { return interval_##width##_limit; }         \
  static void segmented_##width##_combine(void *out, const void *earlier, const void *later) { \
    *(interval_##width *)out =                                                                 \
        merge_##width(*(const interval_##width *)earlier, *(const interval_##width *)later);   \
  }                                                                                            \
  static void segmented_##width##_identity(void *out) {                                        \
    const interval_##width identity = INTERVAL_POISON_##width;                                 \
    memcpy(out, &identity, sizeof identity);                                                   \
  }

// SEGMENTED_FACE(face, stamped, width, reduce): segmented_family_<face> of stamped_segmented_…;
// reduce: segmented_<face>_reduce, or NULL.
#define SEGMENTED_FACE(face, stamped, width, reduce)                                           \
  SEGMENTED_CALL_(face, stamped, width, inclusive)                                             \
  SEGMENTED_CALL_(face, stamped, width, exclusive)                                             \
  static cudaError_t segmented_##face##_run(                                                   \
      scan_workspace *workspace, const void *in, scan_segments segments, void *out, size_t n,  \
      int exclusive, int reverse, const void *seed, cudaStream_t stream) {                     \
    stamped##_segmented_options options = stamped##_segmented_options_default();               \
    options.exclusive = exclusive;                                                             \
    options.reverse = reverse;                                                                 \
    options.seed = (const interval_##width *)seed;                                             \
    return stamped##_segmented_run(workspace, (const interval_##width *)in, segments,          \
                                   (interval_##width *)out, n, options, stream);               \
  }                                                                                            \
  static size_t segmented_##face##_workspace_bytes(size_t n) {                                 \
    return stamped##_segmented_workspace_bytes(n);                                             \
  }                                                                                            \
  static const segmented_family segmented_family_##face = {#stamped,                           \
                                                           sizeof(interval_##width),           \
                                                           TEST_ALIGNOF(interval_##width),     \
                                                           segmented_##width##_limit,          \
                                                           segmented_##width##_make,           \
                                                           segmented_##width##_combine,        \
                                                           segmented_##width##_identity,       \
                                                           segmented_##face##_workspace_bytes, \
                                                           segmented_##face##_inclusive,       \
                                                           segmented_##face##_exclusive,       \
                                                           reduce,                             \
                                                           segmented_##face##_run};
#define SEGMENTED_CALL_(face, stamped, width, call)                                         \
  static cudaError_t segmented_##face##_##call(scan_workspace *workspace, const void *in,   \
                                               scan_segments segments, void *out, size_t n, \
                                               cudaStream_t stream) {                       \
    return stamped##_segmented_##call(workspace, (const interval_##width *)in, segments,    \
                                      (interval_##width *)out, n, stream);                  \
  }

// SEGMENTED_FAMILY(width): stamps the segmented scans of interval_<width> and defines
// segmented_family_<width>.
#define SEGMENTED_FAMILY(width)                                                   \
  SCAN_DEFINE_SEGMENTED(interval_##width, merge_##width, INTERVAL_POISON_##width) \
  SEGMENTED_TYPE(width)                                                           \
  SEGMENTED_CALL_(width, scan_interval_##width##_merge_##width, width, reduce)    \
  SEGMENTED_FACE(width, scan_interval_##width##_merge_##width, width, segmented_##width##_reduce)

// What the cases of a test share.
typedef struct segmented_fixture {
  test_buffer input, output, seed, told;  // told: the segments
  unsigned char *elements, *expected, *sums;
  unsigned char *starts;  // of each element
  uint64_t *ends;         // offsets, with empty segments
  size_t segments;        // in ends
  void *encoded;
  size_t most;   // elements
  size_t bytes;  // of these
  scan_workspace *workspace;
  size_t workspace_bytes;
  cudaStream_t stream;
} segmented_fixture;

// For `most` elements that have `bytes` bytes together.
static inline void segmented_fixture_make(segmented_fixture *fixture, size_t most, size_t bytes) {
  memset(fixture, 0, sizeof *fixture);
  fixture->most = most;
  fixture->bytes = bytes;
  test_buffer_make(&fixture->input, bytes);
  test_buffer_make(&fixture->output, 2 * bytes + 64 * 64);
  test_buffer_make(&fixture->seed, 64);
  test_buffer_make(&fixture->told, (2 * most + 64) * 8);
  fixture->elements = (unsigned char *)test_allocate(bytes);
  fixture->expected = (unsigned char *)test_allocate(bytes);
  fixture->sums = (unsigned char *)test_allocate(2 * bytes + 64 * 64);
  fixture->starts = (unsigned char *)test_allocate(most);
  fixture->ends = (uint64_t *)test_allocate((2 * most + 64) * sizeof(uint64_t));
  fixture->encoded = test_allocate((2 * most + 64) * 8);
  MUST(cudaStreamCreate(&fixture->stream));
}

static inline void segmented_fixture_free(segmented_fixture *fixture) {
  test_buffer_free(&fixture->input);
  test_buffer_free(&fixture->output);
  test_buffer_free(&fixture->seed);
  test_buffer_free(&fixture->told);
  free(fixture->elements);
  free(fixture->expected);
  free(fixture->sums);
  free(fixture->starts);
  free(fixture->ends);
  free(fixture->encoded);
  CHECK_CODE(scan_workspace_destroy(fixture->workspace), cudaSuccess);
  MUST(cudaStreamDestroy(fixture->stream));
}

// A fresh workspace under a fresh schedule; a GPU draws its own.
static inline void segmented_fixture_provide(segmented_fixture *fixture,
                                             const segmented_family *family) {
  MUST(scan_workspace_destroy(fixture->workspace));
  fixture->workspace = NULL;
#if defined(SCAN_TARGET_HOST)
  scan_host_schedule(test_below(4) == 0 ? 0 : test_random() | 1u, 1 + (unsigned)test_below(4),
                     1 + (unsigned)test_below(13));
#endif
  MUST(scan_workspace_create(&fixture->workspace, family->workspace_bytes(fixture->most),
                             fixture->stream));
}

// How starts are drawn.
enum {
  segmented_none,    // one segment
  segmented_all,     // every element one
  segmented_sparse,  // about one a tile
  segmented_dense,   // every few
  segmented_ragged,  // from short to very long
  segmented_edges,   // at, before and after the edges of chunks, warps and tiles
  segmented_patterns
};

static inline void segmented_draw(segmented_fixture *fixture, int pattern, size_t n,
                                  const size_t *edges, size_t edge_count) {
  size_t i, at;
  memset(fixture->starts, pattern == segmented_all, n);
  if (pattern == segmented_edges) {
    for (i = 0; i < edge_count; i++)
      for (at = edges[i]; at < n; at += edges[i])
        if (test_below(3) != 0 && at + test_below(3) - 1 < n)
          fixture->starts[at + test_below(3) - 1 < n ? at + test_below(3) - 1 : at] = 1;
  } else if (pattern != segmented_none && pattern != segmented_all) {
    const size_t dense = 2 + test_below(30), sparse = edges[edge_count - 1] * (1 + test_below(3));
    for (at = 0; at < n;) {
      const size_t mean = pattern == segmented_dense    ? dense
                          : pattern == segmented_sparse ? sparse
                                                        : (size_t)1 << test_below(18);
      at += 1 + test_below(2 * mean);
      if (at < n) fixture->starts[at] = 1;
    }
  }
  /* A flag at element 0 says nothing. */
  if (n > 0) fixture->starts[0] = (unsigned char)test_below(2);
}

// A segment every `length` elements.
static inline void segmented_draw_regular(segmented_fixture *fixture, size_t length, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) fixture->starts[i] = i % length == 0;
}

static inline int segmented_is_start(const segmented_fixture *fixture, size_t i) {
  return i == 0 || fixture->starts[i];
}

// Intervals from begin to end in each segment, and offsets with an empty segment here and there,
// `in_front` at least before all.
static inline void segmented_generate(segmented_fixture *fixture, const segmented_family *family,
                                      size_t n, int empties, size_t in_front, uint64_t begin,
                                      uint64_t end) {
  uint64_t at = begin;
  size_t i, count = 0;
  fixture->ends[count++] = 0;
  for (i = 0; i < n; i++) {
    uint64_t next = test_below(family->limit());
    if (i + 1 == n || fixture->starts[i + 1]) next = end;
    family->make(fixture->elements + i * family->size, at, next);
    at = next;
    if (i + 1 == n || fixture->starts[i + 1]) {
      at = begin;
      fixture->ends[count++] = i + 1;
      while (empties && count < n + in_front + 32 && test_below(4) == 0)
        fixture->ends[count++] = i + 1;
    }
    if (empties && i == 0 && (in_front != 0 || test_below(2) == 0)) {
      /* Empty segments in front of all: offsets that are 0 again. */
      size_t k, more = in_front + 1 + test_below(3);
      for (k = count; k-- > 0;) fixture->ends[k + more] = fixture->ends[k];
      for (k = 0; k < more; k++) fixture->ends[k] = 0;
      count += more;
    }
  }
  if (n == 0)
    while (empties && count < 20) fixture->ends[count++] = 0;
  fixture->segments = count - 1;
}

typedef struct segmented_call {
  int exclusive, reverse, seeded, in_place, by_name;
  uint32_t kind;
  size_t length;    // of regular segments
  size_t in_front;  // empty segments before all, at least
  size_t in_shift, out_shift, told_shift;
} segmented_call;

// The segments in the encoding of the call, in device memory.
static inline scan_segments segmented_tell(segmented_fixture *fixture, const segmented_call *call,
                                           size_t n) {
  size_t i;
  const size_t count = fixture->segments;
  memset(fixture->encoded, 0, (2 * n + 64) * 4);
  switch (call->kind) {
    case scan_segments_flags_:
      for (i = 0; i < n; i++)
        ((uint8_t *)fixture->encoded)[i] = (uint8_t)(fixture->starts[i] ? 1 + test_below(255) : 0);
      return scan_segments_from_flags((const uint8_t *)test_buffer_place(
          &fixture->told, call->told_shift, n, fixture->encoded));
    case scan_segments_flags32_:
      for (i = 0; i < n; i++)
        ((uint32_t *)fixture->encoded)[i] = fixture->starts[i] ? (uint32_t)1 << test_below(32) : 0;
      return scan_segments_from_flags32((const uint32_t *)test_buffer_place(
          &fixture->told, call->told_shift / 4 * 4, n * 4, fixture->encoded));
    case scan_segments_bits_:
      for (i = 0; i < (n + 31) / 32 * 32; i++)
        if (i >= n ? test_below(2) == 0 : fixture->starts[i] != 0)
          ((uint32_t *)fixture->encoded)[i / 32] |= (uint32_t)1 << (i % 32);
      return scan_segments_from_bits((const uint32_t *)test_buffer_place(
          &fixture->told, call->told_shift / 4 * 4, (n + 31) / 32 * 4, fixture->encoded));
    case scan_segments_offsets_:
      for (i = 0; i <= count; i++) ((uint32_t *)fixture->encoded)[i] = (uint32_t)fixture->ends[i];
      return scan_segments_from_offsets(
          (const uint32_t *)test_buffer_place(&fixture->told, call->told_shift / 4 * 4,
                                              (count + 1) * 4, fixture->encoded),
          count);
    case scan_segments_offsets64_:
      return scan_segments_from_offsets64(
          (const uint64_t *)test_buffer_place(&fixture->told, call->told_shift / 8 * 8,
                                              (count + 1) * 8, fixture->ends),
          count);
    default:
      return scan_segments_regular(call->length);
  }
}

// The fold of each segment, element by element, in the form of the call.
static inline void segmented_oracle(segmented_fixture *fixture, const segmented_family *family,
                                    const segmented_call *call, const unsigned char *seed,
                                    size_t n) {
  const size_t size = family->size;
  TEST_ALIGNAS(16) unsigned char so_far[64] = {0};  // set by the first element, a start always
  size_t k, s;
  int some = 0;
  for (k = 0; k < n; k++) {
    const size_t i = call->reverse ? n - 1 - k : k;
    const unsigned char *x = fixture->elements + i * size;
    if (call->reverse ? i == n - 1 || segmented_is_start(fixture, i + 1)
                      : segmented_is_start(fixture, i)) {
      family->identity(so_far);
      if (call->seeded) memcpy(so_far, seed, size);
      some = call->seeded;
    }
    if (call->exclusive) memcpy(fixture->expected + i * size, so_far, size);
    if (!some)
      memcpy(so_far, x, size);
    else if (call->reverse)
      family->combine(so_far, x, so_far);
    else
      family->combine(so_far, so_far, x);
    some = 1;
    if (!call->exclusive) memcpy(fixture->expected + i * size, so_far, size);
  }
  for (s = 0; s < fixture->segments; s++) {
    family->identity(fixture->sums + s * size);
    for (k = fixture->ends[s]; k < fixture->ends[s + 1]; k++) {
      if (k == fixture->ends[s])
        memcpy(fixture->sums + s * size, fixture->elements + k * size, size);
      else
        family->combine(fixture->sums + s * size, fixture->sums + s * size,
                        fixture->elements + k * size);
    }
  }
}

// Runs one call on n elements whose starts are drawn, and checks it.
static inline void segmented_check(segmented_fixture *fixture, const segmented_family *family,
                                   size_t n, const segmented_call *call) {
  static const char *const kinds[] = {"",        "flags",     "flags32", "bits",
                                      "offsets", "offsets64", "regular"};
  const size_t size = family->size;
  const uint64_t begin = test_below(family->limit());
  const uint64_t end = (begin + 1 + test_below(family->limit() - 1)) % family->limit();
  const int by_ends = call->kind >= scan_segments_offsets_;
  unsigned long long misuses;
  TEST_ALIGNAS(16) unsigned char seed[64];
  scan_segments segments;
  void *in, *out, *seed_in = NULL;
  test_case("%s n=%zu %s%s%s%s%s%s length %zu shifts %zu %zu %zu", family->name, n,
            kinds[call->kind], call->exclusive ? " exclusive" : "", call->reverse ? " reverse" : "",
            call->seeded ? " seed" : "", call->in_place ? " in place" : "",
            call->by_name ? " by name" : "", call->length, call->in_shift, call->out_shift,
            call->told_shift);
  segmented_generate(fixture, family, n, call->kind != scan_segments_regular_, call->in_front,
                     begin, end);
  segments = segmented_tell(fixture, call, n);
  if (call->reverse)
    family->make(seed, end, test_below(family->limit()));
  else
    family->make(seed, test_below(family->limit()), begin);
  segmented_oracle(fixture, family, call, seed, n);
  misuses = operator_misuses();
  in = test_buffer_place(&fixture->input, call->in_shift, n * size, fixture->elements);
  out = call->in_place ? in : test_buffer_place(&fixture->output, call->out_shift, n * size, NULL);
  if (call->seeded) seed_in = test_buffer_place(&fixture->seed, 0, size, seed);
  if (call->by_name && !call->reverse && !call->seeded)
    CHECK_CODE((call->exclusive ? family->exclusive : family->inclusive)(
                   fixture->workspace, in, segments, out, n, fixture->stream),
               cudaSuccess);
  else
    CHECK_CODE(family->run(fixture->workspace, in, segments, out, n, call->exclusive, call->reverse,
                           seed_in, fixture->stream),
               cudaSuccess);
  MUST(cudaStreamSynchronize(fixture->stream));
  CHECK_SAME("the scan equals the fold of each segment",
             test_buffer_fetch(call->in_place ? &fixture->input : &fixture->output, "out"),
             fixture->expected, size, n);
  if (by_ends && family->reduce != NULL) {
    in = test_buffer_place(&fixture->input, call->in_shift, n * size, fixture->elements);
    out = test_buffer_place(&fixture->output, call->out_shift, fixture->segments * size, NULL);
    CHECK_CODE(family->reduce(fixture->workspace, in, segments, out, n, fixture->stream),
               cudaSuccess);
    MUST(cudaStreamSynchronize(fixture->stream));
    CHECK_SAME("the reduction equals the fold of each segment",
               test_buffer_fetch(&fixture->output, "out"), fixture->sums, size, fixture->segments);
  }
  CHECK_NO_MISUSES_SINCE(misuses);
}

static inline segmented_call segmented_random_call(const segmented_family *family) {
  segmented_call call;
  memset(&call, 0, sizeof call);
  call.exclusive = (int)test_below(2);
  call.reverse = (int)test_below(2);
  call.seeded = test_below(3) == 0;
  call.in_place = test_below(4) == 0;
  call.by_name = (int)test_below(2);
  /* Half of the arrays begin on 16-byte words: chunks of those go ways of their own. */
  if (test_below(2) == 0) {
    call.in_shift = test_below(16 / family->alignment) * family->alignment;
    call.out_shift = test_below(16 / family->alignment) * family->alignment;
  }
  call.told_shift = test_below(32);
  return call;
}

// The encoding of a call, by turns, and segments for it.
static inline void segmented_draw_call(segmented_fixture *fixture, segmented_call *call,
                                       size_t round, int pattern, size_t n, const size_t *edges,
                                       size_t edge_count) {
  call->kind = (uint32_t)(scan_segments_flags_ + round % 6);
  if (call->kind == scan_segments_regular_) {
    call->length = 1 + test_below(test_below(2) == 0 ? 40 : n + 40);
    segmented_draw_regular(fixture, call->length, n);
  } else {
    segmented_draw(fixture, pattern, n, edges, edge_count);
  }
}

// Elements of a short tile, at most.
static inline size_t segmented_short_tile(size_t size) {
  return (size_t)SCAN_SHORT_ITEMS_(size) * SCAN_SHORT_CHUNKS_MOST_(size) * 32 * SCAN_WARPS;
}

// As many elements as short tiles take.
static inline size_t segmented_short_most(size_t size) {
  return segmented_short_tile(size) * SCAN_SHORT_TILES_MOST_(size);
}

// Whole chunks of arrays that begin on 16-byte words, one a thread, which finds the starts in its
// own where it can: each encoding in both directions, with what tells anywhere, on such words, too,
// and on words of 4 bytes.
static inline void segmented_check_whole(segmented_fixture *fixture,
                                         const segmented_family *family) {
  const size_t items = SCAN_SHORT_ITEMS_(family->size);
  const size_t least = SCAN_SINGLES_MOST_(family->size) / items + 1;
  for (size_t round = 0; round < 36; round++) {
    segmented_call call = segmented_random_call(family);
    const size_t n = items * (least + test_below(3 * 32 * SCAN_WARPS));
    call.in_shift = call.out_shift = 0;
    call.reverse = round / 6 % 2 == 1;
    if (round / 12 != 0) call.told_shift = 4 * (round / 12 - 1);
    segmented_draw_call(fixture, &call, round, segmented_dense, n, &items, 1);
    segmented_check(fixture, family, n, &call);
  }
}

// Calls of one family within about `budget` elements of work, up to all that the fixture holds.
static inline void segmented_family_test(segmented_fixture *fixture, const segmented_family *family,
                                         double budget) {
  const size_t size = family->size;
  const size_t limit =
      fixture->bytes / size < fixture->most ? fixture->bytes / size : fixture->most;
  const size_t short_tile = segmented_short_tile(size);
  const size_t piped = segmented_short_most(size);
  const size_t edges[] = {SCAN_SHORT_ITEMS_(size), SCAN_CHUNK_ITEMS_(size, true),
                          SCAN_ITEMS_(size) * 32, short_tile, SCAN_TILE_(size)};
  const size_t sizes[] = {0,
                          1,
                          2,
                          31,
                          32,
                          33,
                          SCAN_SINGLES_MOST_(size) + 65,
                          SCAN_SHORT_ITEMS_(size) * 32 * 9 + 5,
                          SCAN_SINGLES_MOST_(size),
                          SCAN_SHORT_ITEMS_(size) * 32 * SCAN_SHORT_WARPS_MOST - 1,
                          SCAN_SHORT_ITEMS_(size) * 32 * SCAN_SHORT_WARPS_MOST + 1,
                          short_tile * 3 + 1,
                          SCAN_SHORT_ITEMS_(size) * 32 * SCAN_WARPS * SCAN_SHORT_WAVE + 1,
                          piped,
                          piped + 1,
                          piped / SCAN_TILE_(size) * SCAN_TILE_(size) + SCAN_TILE_(size),
                          piped + SCAN_TILE_(size) * 35 + 7};
  size_t round = 0;
  segmented_fixture_provide(fixture, family);
  segmented_check_whole(fixture, family);
  while (budget > 0) {
    /* The first eight, which are small, more often. */
    size_t n = test_below(2) == 0 ? test_below(TEST_COUNT(sizes)) : test_below(8);
    segmented_call call = segmented_random_call(family);
    n = test_below(3) == 0 ? test_below(test_below(limit) + 1) : sizes[n];
    if (n > limit) n = 1 + test_below(300);
    segmented_draw_call(fixture, &call, round++, (int)test_below(segmented_patterns), n, edges,
                        TEST_COUNT(edges));
    segmented_check(fixture, family, n, &call);
    if (round % 64 == 0) segmented_fixture_provide(fixture, family);
    budget -= (double)n + 1000.0;
  }
}

#endif
