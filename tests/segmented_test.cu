// segmented_test.cu: segmented scans and reductions in every encoding of the segments, of an
// operator that may not cross a start.
#include "tests/segmented_case.h"

#if defined(TEST_WIDE)
#define WIDTHS(X) X(8) X(12) X(20) X(48) X(64)
#elif defined(TEST_UNEVEN)
#define WIDTHS(X) X(5) X(6) X(7) X(24) X(40)
#else
#define WIDTHS(X) X(1) X(2) X(3) X(4) X(16)
#endif
WIDTHS(SEGMENTED_FAMILY)

// Many more empty segments before the first element than elements.
enum { in_front = 1 << 20 };
static void check_empty(segmented_fixture *fixture, const segmented_family *family) {
  segmented_call call = segmented_random_call(family);
  const size_t n = 1 + test_below(5000), edge = SCAN_TILE_(family->size);
  call.in_front = in_front + test_below(100);
  segmented_fixture_provide(fixture, family);
  for (call.kind = scan_segments_offsets_; call.kind <= scan_segments_offsets64_; call.kind++) {
    segmented_draw(fixture, segmented_dense, n, &edge, 1);
    segmented_check(fixture, family, n, &call);
  }
}

// An exclusive scan with a seed, whose first element no flag marks: it starts a segment all the
// same, or the operator would get the seed and the identity.
static void check_first(segmented_fixture *fixture, const segmented_family *family) {
  segmented_fixture_provide(fixture, family);
  for (size_t round = 0; round < 24; round++) {
    segmented_call call = segmented_random_call(family);
    const size_t n = 16 * (1 + test_below(200)); /* whole chunks, where they lie on vectors */
    call.kind = (uint32_t)(scan_segments_flags_ + round % 3);
    call.exclusive = call.seeded = 1;
    call.reverse = round / 3 % 2 == 1;
    if (round % 2 == 0) call.in_shift = call.out_shift = 0;
    segmented_draw(fixture, segmented_dense, n, &n, 1);
    fixture->starts[0] = 0;
    segmented_check(fixture, family, n, &call);
  }
}

// Bytes beyond what short tiles take, of which no other test here has as many: each encoding twice.
static void check_bytes(const segmented_family *family) {
  const size_t piped = segmented_short_most(1);
  const size_t most = piped + 4 * SCAN_TILE_(1);
  const size_t edges[] = {SCAN_CHUNK_ITEMS_(1, true), SCAN_ITEMS_(1) * 32, SCAN_TILE_(1)};
  segmented_fixture fixture;
  segmented_fixture_make(&fixture, most, most);
  segmented_fixture_provide(&fixture, family);
  for (size_t round = 0; round < 12; round++) {
    segmented_call call = segmented_random_call(family);
    const size_t n = piped + 1 + test_below(most - piped);
    segmented_draw_call(&fixture, &call, round, (int)test_below(segmented_patterns), n, edges,
                        TEST_COUNT(edges));
    segmented_check(&fixture, family, n, &call);
  }
  segmented_fixture_free(&fixture);
}

// Offsets of so many tiles a block that scouts find their entries: both kinds, four times each.
static void check_scouted(const segmented_family *family) {
  const size_t tile = SCAN_TILE_(family->size);
  size_t blocks_most = 16; /* on the host target */
  segmented_fixture fixture;
  int device, multiprocessors;
  MUST(cudaGetDevice(&device));
  MUST(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  if ((size_t)multiprocessors > blocks_most) blocks_most = (size_t)multiprocessors;
  const size_t least = segmented_short_most(family->size) + tile * SCAN_SCOUTED_TILES * blocks_most;
  const size_t most = least + tile * blocks_most;
  segmented_fixture_make(&fixture, most, most * family->size);
  for (size_t round = 0; round < 8; round++) {
    segmented_call call = segmented_random_call(family);
    segmented_fixture_provide(&fixture, family);
    const size_t n = least + test_below(most - least);
    call.kind = round % 2 == 0 ? scan_segments_offsets_ : scan_segments_offsets64_;
    call.reverse = round / 2 % 2 == 1;
    segmented_draw(&fixture, round < 4 ? segmented_dense : segmented_ragged, n, &tile, 1);
    segmented_check(&fixture, family, n, &call);
  }
  segmented_fixture_free(&fixture);
}

int main(void) {
#define FAMILY(width) &segmented_family_##width,
  static const segmented_family *const families[] = {WIDTHS(FAMILY)};
  segmented_fixture fixture;
  size_t i;
  test_begin("segmented_test");
#ifdef SCAN_TUNING_ITEMS
  const size_t most = 100000; /* tiles in several batches of those that conduct */
  const size_t bytes = most * 64;
  const double budget = 2.0e6;
#else
  const size_t most = 2800000; /* more than short tiles take, but of bytes: check_bytes */
  const size_t bytes = 96000000;
  const double budget = 1.2e7;
#endif
  segmented_fixture_make(&fixture, most, bytes);
  for (i = 0; i < TEST_COUNT(families); i++)
    segmented_family_test(&fixture, families[i], budget * TEST_SCALE);
  for (i = 0; i < TEST_COUNT(families); i++) check_first(&fixture, families[i]);
  if (most > in_front) check_empty(&fixture, families[0]);
  segmented_fixture_free(&fixture);
  if (families[0]->size == 1) check_bytes(families[0]);
  for (i = 0; i < TEST_COUNT(families); i++)
    if (families[i]->size == 4 || families[i]->size == 8) check_scouted(families[i]);
  return test_end("%u widths, 6 encodings: every segment equals its fold, and no start is crossed",
                  (unsigned)TEST_COUNT(families));
}
