// strategies_segmented_test.cu: the thesis's look-back around every block strategy, in every
// encoding of the segments, and operators lifted over every device-wide and every block strategy,
// under shuffled orders of blocks. TEST_LIFTED: the latter.
#define SCAN_STRATEGY_THREADS 32
#include "tests/segmented_case.h"
#include "tests/strategies_case.h"
#include "tests/strategies_lifted.h"

#define FINE(X)                 \
  X(sequential, 1)              \
  X(naive, 1)                   \
  X(hillis_steele, 1)           \
  X(kogge_stone, 1)             \
  X(kogge_stone_exclusive, 1)   \
  X(brent_kung, 1)              \
  X(blelloch, 1)                \
  X(blelloch_injected, 1)       \
  X(three_phase, 2)             \
  X(warps_then_bases, 1)        \
  X(warps_then_bases_shared, 1) \
  X(raking, 1)

#if defined(TEST_LIFTED)

// A lifted family under test.
#define LIFTED(device, block, items, most)                                                       \
  SCAN_DEFINE_LIFTED_WITH(device##_##block##_##items, device, block, items, interval_8, merge_8, \
                          INTERVAL_POISON_8)                                                     \
  LIFTED_CASE(device##_##block##_##items##_lifted, SCAN_STRATEGY_THREADS *items, most)
#define LIFTED_CASE(name, section, most) \
  PAIR_TYPE(name, case_##name##_)        \
  STRATEGY_FACE(name, name, section, most, 0, 0)

#define DEVICES(X)                                  \
  X(sequential, none, 1, 20000)                     \
  X(naive, none, 1, 1000)                           \
  X(hierarchical, blelloch_injected, 2, 20000)      \
  X(reduce_then_scan, three_phase, 3, 20000)        \
  X(host_partials, kogge_stone_exclusive, 2, 20000) \
  X(decoupled_look_back, hillis_steele, 3, 20000)   \
  X(default, none, 1, 20000)
#define STAMP_BLOCK(block, items) LIFTED(stream_scan, block, items, 20000)
#define CASE_DEVICE(device, block, items, most) &case_##device##_##block##_##items##_lifted,
#define CASE_BLOCK(block, items) CASE_DEVICE(stream_scan, block, items, 20000)
DEVICES(LIFTED)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 96
FINE(STAMP_BLOCK)

static const strategy_case *const cases[] = {DEVICES(CASE_DEVICE) FINE(CASE_BLOCK)};

int main(void) {
  device_fixture fixture;
  size_t i;
  test_begin("strategies_lifted_test");
  device_fixture_make(&fixture, 20000 * sizeof(pair) + 128);
  for (i = 0; i < TEST_COUNT(cases); i++)
    strategy_check(&fixture, cases[i], 2.0e5 * (TEST_SCALE > 1 ? 4 : TEST_SCALE));
  device_fixture_draw_schedule(&fixture);
  device_fixture_free(&fixture);
  return test_end("%u strategies, lifted: all is equal to the fold, and no start is crossed",
                  (unsigned)TEST_COUNT(cases));
}

#else

enum { most = 20000 };

typedef struct segmented_case {
  const segmented_family *family;
  size_t section;
} segmented_case;

#define THESIS(block, items, width)                                                        \
  SCAN_DEFINE_SEGMENTED_WITH(i##width##_##block##_##items, thesis_look_back, block, items, \
                             interval_##width, merge_##width, INTERVAL_POISON_##width)     \
  SEGMENTED_FACE(i##width##_##block##_##items, i##width##_##block##_##items, width, NULL)  \
  enum { section_i##width##_##block##_##items = SCAN_STRATEGY_THREADS * items };
#define CASE(block, items, width) \
  {&segmented_family_i##width##_##block##_##items, section_i##width##_##block##_##items},

#define COARSE(X)               \
  X(sequential, 3)              \
  X(naive, 2)                   \
  X(hillis_steele, 3)           \
  X(kogge_stone, 4)             \
  X(kogge_stone_exclusive, 3)   \
  X(brent_kung, 3)              \
  X(blelloch, 5)                \
  X(blelloch_injected, 2)       \
  X(three_phase, 7)             \
  X(warps_then_bases, 2)        \
  X(warps_then_bases_shared, 3) \
  X(raking, 3)
#define OTHERS(X)                 \
  X(three_phase, 3, 1)            \
  X(blelloch_injected, 1, 3)      \
  X(brent_kung, 7, 4)             \
  X(warps_then_bases, 3, 12)      \
  X(kogge_stone_exclusive, 2, 16) \
  X(hillis_steele, 2, 20)
#define EIGHT(block, items) THESIS(block, items, 8)
#define CASE_EIGHT(block, items) CASE(block, items, 8)

SEGMENTED_TYPE(1)
SEGMENTED_TYPE(3)
SEGMENTED_TYPE(4)
SEGMENTED_TYPE(8)
SEGMENTED_TYPE(12)
SEGMENTED_TYPE(16)
SEGMENTED_TYPE(20)
COARSE(EIGHT)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 96
FINE(EIGHT)
OTHERS(THESIS)
SCAN_DEFINE_SEGMENTED_WITH(standard, default, none, 1, interval_8, merge_8, INTERVAL_POISON_8)
SEGMENTED_FACE(standard, standard, 8, NULL)

static const segmented_case cases[] = {COARSE(CASE_EIGHT) FINE(CASE_EIGHT) OTHERS(CASE){
    &segmented_family_standard, 32 * SCAN_SHORT_ITEMS_(8)}};

// Calls in every encoding, in turn, on sizes and starts at the edges of sections and elsewhere.
static void check(segmented_fixture *fixture, const segmented_case *tested, double budget) {
  const size_t section = tested->section;
  const size_t edges[] = {32, section};
  const size_t sizes[] = {
      0,       1,           2,           31,          33,           section - 1,
      section, section + 1, section * 2, section * 3, section * 32, section * 33 + 1};
  size_t round = 0;
  while (budget > 0) {
    segmented_call call = segmented_random_call(tested->family);
    size_t n = sizes[test_below(TEST_COUNT(sizes))];
    if (test_below(3) == 0 || n > most) n = test_below(test_below(most) + 1);
    if (round % 16 == 0) segmented_fixture_provide(fixture, tested->family);
    segmented_draw_call(fixture, &call, round++, (int)test_below(segmented_patterns), n, edges,
                        TEST_COUNT(edges));
    segmented_check(fixture, tested->family, n, &call);
    budget -= (double)n + 300.0;
  }
}

// The last calls before the tags start again, and the first after.
static void check_wrap(segmented_fixture *fixture, const segmented_case *tested) {
  const size_t edges[] = {tested->section};
  int i;
  segmented_fixture_provide(fixture, tested->family);
  strategy_near_wrap(fixture->workspace, tested->family->workspace_bytes(most), fixture->stream);
  for (i = 0; i < 4; i++) {
    segmented_call call = segmented_random_call(tested->family);
    /* Those before the first tag leave most words as they are. */
    const size_t n = i < 3 ? 1 + test_below(tested->section) : tested->section * 20;
    call.kind = scan_segments_bits_;
    segmented_draw(fixture, segmented_sparse, n, edges, 1);
    segmented_check(fixture, tested->family, n, &call);
  }
}

// Bad input is answered before anything is launched or written.
static void check_errors(segmented_fixture *fixture, const segmented_family *family) {
  const size_t n = 1000, size = family->size;
  unsigned char *in, *out, *told;
  scan_workspace *small = NULL;
  scan_segments flags, unknown;
#if defined(SCAN_TARGET_HOST)
  uint64_t launches;
#endif
  test_case("%s: bad input", family->name);
  segmented_fixture_provide(fixture, family);
  memset(fixture->elements, 0, n * size);
  memset(fixture->encoded, 0, n * 4);
  in = (unsigned char *)test_buffer_place(&fixture->input, 0, n * size, fixture->elements);
  out = (unsigned char *)test_buffer_place(&fixture->output, 0, n * size, NULL);
  told = (unsigned char *)test_buffer_place(&fixture->told, 0, n * 4, fixture->encoded);
  flags = scan_segments_from_flags(told);
  memset(&unknown, 0, sizeof unknown);
  MUST(scan_workspace_create(&small, family->workspace_bytes(most) - 8, fixture->stream));
#if defined(SCAN_TARGET_HOST)
  launches = scan_host_launches();
#endif
#define REFUSED(expected, workspace, in, segments, out, n) \
  CHECK_CODE(family->inclusive(workspace, in, segments, out, n, fixture->stream), expected)
  REFUSED(cudaErrorInvalidValue, NULL, in, flags, out, n);
  REFUSED(cudaErrorInvalidValue, fixture->workspace, NULL, flags, out, n);
  REFUSED(cudaErrorInvalidValue, fixture->workspace, in, flags, NULL, n);
  REFUSED(cudaErrorInvalidValue, fixture->workspace, in, flags, in + size, n - 1);
  REFUSED(cudaErrorInvalidValue, fixture->workspace, in, flags, out, SIZE_MAX);
  REFUSED(cudaErrorInvalidValue, fixture->workspace, in, unknown, out, n);
  REFUSED(cudaErrorInvalidValue, fixture->workspace, in, scan_segments_from_flags(NULL), out, n);
  REFUSED(cudaErrorInvalidValue, fixture->workspace, in, scan_segments_from_flags(out), out, n);
  REFUSED(cudaErrorInvalidValue, fixture->workspace, in, scan_segments_regular(0), out, n);
  REFUSED(cudaErrorMisalignedAddress, fixture->workspace, in,
          scan_segments_from_bits((const uint32_t *)(const void *)(told + 1)), out, n);
  REFUSED(cudaErrorMisalignedAddress, fixture->workspace, in + 1, flags, out, n - 1);
  REFUSED(cudaErrorLaunchOutOfResources, small, in, flags, out, (size_t)most);
  CHECK_CODE(family->run(fixture->workspace, in, flags, out, n, 0, 0, out, fixture->stream),
             cudaErrorInvalidValue);
  CHECK(family->workspace_bytes(SIZE_MAX) > (size_t)1 << 40, "a workspace for everything is small");
#if defined(SCAN_TARGET_HOST)
  CHECK(scan_host_launches() == launches, "something was launched");
#endif
  CHECK_SAME("in is untouched", test_buffer_fetch(&fixture->input, "in"), fixture->elements, size,
             n);
  CHECK(test_all_bytes(test_buffer_fetch(&fixture->output, "out"), n * size, test_poison),
        "out was written");
  CHECK_CODE(scan_workspace_destroy(small), cudaSuccess);
}

int main(void) {
  segmented_fixture fixture;
  size_t i;
  test_begin("strategies_segmented_test");
  segmented_fixture_make(&fixture, most, most * 64);
  for (i = 0; i < TEST_COUNT(cases); i++)
    check(&fixture, &cases[i], 3.0e5 * (TEST_SCALE > 1 ? 4 : TEST_SCALE));
  check_wrap(&fixture, &cases[0]);
  check_errors(&fixture, cases[0].family);
  segmented_fixture_free(&fixture);
  return test_end(
      "%u families, 6 encodings: every segment equals its fold, and no start is crossed",
      (unsigned)TEST_COUNT(cases));
}

#endif
