// strategies_types_test.cu: every device-wide strategy of types of 1 to 64 bytes and operators that
// do not commute: results, bits, launches, bad input, the wrap of the call number. TEST_WIDE: the
// wide half of the types.
#define SCAN_STRATEGY_THREADS 64
#include "tests/strategies_case.h"

#define DEVICES(X, ...)                                              \
  X(hierarchical, brent_kung, 2, 20000, 0, 1, __VA_ARGS__)           \
  X(reduce_then_scan, three_phase, 3, 20000, 3, 1, __VA_ARGS__)      \
  X(host_partials, warps_then_bases, 1, 20000, 2, 1, __VA_ARGS__)    \
  X(stream_scan, blelloch_injected, 2, 20000, 1, 1, __VA_ARGS__)     \
  X(decoupled_look_back, hillis_steele, 1, 20000, 1, 0, __VA_ARGS__) \
  X(sequential, none, 1, 20000, 1, 1, __VA_ARGS__)                   \
  X(naive, none, 1, 1000, 2, 1, __VA_ARGS__)                         \
  X(default, none, 1, 20000, 1, 1, __VA_ARGS__)
// Runs of 8 and of 32, which lie in vectors or do not, in registers or do not.
#define RAKING(X, ...) X(decoupled_look_back, raking, 1, 20000, 1, 0, __VA_ARGS__)
#define STAMP(device, block, items, most, launches, repeatable, T, op, ...) \
  STRATEGY(device, block, items, most, launches, repeatable, T, op, __VA_ARGS__)
#define CASE(device, block, items, most, launches, repeatable, T) \
  &case_##T##_##device##_##block##_##items,

#if defined(TEST_WIDE)
STRATEGY_TYPE(word, concatenate, {5, 3})
STRATEGY_TYPE(permutation_20, compose_20, {{0xFF, 5, 6}})
STRATEGY_TYPE(interval_64, merge_64, INTERVAL_POISON_64)
DEVICES(STAMP, word, concatenate, {5, 3})
DEVICES(STAMP, permutation_20, compose_20, {{0xFF, 5, 6}})
DEVICES(STAMP, interval_64, merge_64, INTERVAL_POISON_64)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 256
RAKING(STAMP, word, concatenate, {5, 3})
RAKING(STAMP, permutation_20, compose_20, {{0xFF, 5, 6}})
RAKING(STAMP, interval_64, merge_64, INTERVAL_POISON_64)
static const strategy_case *const exact[] = {
    DEVICES(CASE, word) DEVICES(CASE, permutation_20) DEVICES(CASE, interval_64) RAKING(CASE, word)
        RAKING(CASE, permutation_20) RAKING(CASE, interval_64)};
#else
STRATEGY_TYPE(interval_1, merge_1, INTERVAL_POISON_1)
STRATEGY_TYPE(interval_3, merge_3, INTERVAL_POISON_3)
DEVICES(STAMP, interval_1, merge_1, INTERVAL_POISON_1)
DEVICES(STAMP, interval_3, merge_3, INTERVAL_POISON_3)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 256
STRATEGY_TYPE(interval_8, merge_8, INTERVAL_POISON_8)
RAKING(STAMP, interval_1, merge_1, INTERVAL_POISON_1)
RAKING(STAMP, interval_8, merge_8, INTERVAL_POISON_8)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 1024
RAKING(STAMP, interval_3, merge_3, INTERVAL_POISON_3)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 64
static const strategy_case *const exact[] = {DEVICES(CASE, interval_1) DEVICES(
    CASE, interval_3) RAKING(CASE, interval_1) RAKING(CASE, interval_8) RAKING(CASE, interval_3)};

SCAN_OPERATOR_ADD(float, add)
// Sums of these round, so that their bits show how they were associated.
static void rounding_generate(void *elements, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) ((float *)elements)[i] = (float)test_below(1 << 20) / 1048573.0f;
}
#define float_generate rounding_generate
STRATEGY_TYPE(float, add, 0.0f)
DEVICES(STAMP, float, add, 0.0f)
static const strategy_case *const rounding[] = {DEVICES(CASE, float)};
#endif

// host_partials waits for its stream, so it refuses one that is captured, and leaves the capture
// and the runtime's error as they are.
static void check_refuses_capture(device_fixture *fixture, const strategy_case *tested) {
  const test_family *family = tested->family;
  const size_t n = 100;
  unsigned char *in, *out;
  cudaGraph_t graph = NULL;
  test_case("%s: a stream that is captured", family->name);
  device_fixture_provide(fixture, family, n);
  family->generate(fixture->elements, n);
  in = (unsigned char *)test_buffer_place(&fixture->input, 0, n * family->size, fixture->elements);
  out = (unsigned char *)test_buffer_place(&fixture->output, 0, n * family->size, NULL);
  MUST(cudaStreamSynchronize(fixture->stream));
  MUST(cudaStreamBeginCapture(fixture->stream, cudaStreamCaptureModeThreadLocal));
  CHECK_CODE(family->inclusive(fixture->workspace, in, out, n, fixture->stream),
             cudaErrorStreamCaptureUnsupported);
  CHECK_CODE(cudaPeekAtLastError(), cudaSuccess);
  CHECK_CODE(cudaStreamEndCapture(fixture->stream, &graph), cudaSuccess);
  MUST(cudaGraphDestroy(graph));
  CHECK(test_all_bytes(test_buffer_fetch(&fixture->output, "out"), n * family->size, test_poison),
        "out was written");
}

// More sections than a call may have, in place, so that nothing else is wrong.
static void check_refuses_sections(device_fixture *fixture, const strategy_case *tested) {
  const test_family *family = tested->family;
  void *in;
  test_case("%s: 2^31 sections", family->name);
  device_fixture_provide(fixture, family, 1);
  family->generate(fixture->elements, 1);
  in = test_buffer_place(&fixture->input, 0, family->size, fixture->elements);
  CHECK_CODE(family->inclusive(fixture->workspace, in, in, tested->section << 31, fixture->stream),
             cudaErrorInvalidValue);
}

int main(void) {
  device_fixture fixture;
  size_t i;
  test_begin("strategies_types_test");
  device_fixture_make(&fixture, 20000 * 64 + 128);
  for (i = 0; i < TEST_COUNT(exact); i++) {
    strategy_check(&fixture, exact[i], 1.0e5 * (TEST_SCALE > 1 ? 4 : TEST_SCALE));
    strategy_check_wrap(&fixture, exact[i]);
    strategy_check_errors(&fixture, exact[i]);
  }
#if defined(TEST_WIDE)
  check_refuses_capture(&fixture, &case_word_host_partials_warps_then_bases_1);
  check_refuses_sections(&fixture, &case_word_hierarchical_brent_kung_2);
#else
  check_refuses_capture(&fixture, &case_interval_3_host_partials_warps_then_bases_1);
  check_refuses_sections(&fixture, &case_interval_3_hierarchical_brent_kung_2);
  for (i = 0; i < TEST_COUNT(rounding); i++) strategy_check_bits(&fixture, rounding[i]);
#endif
  device_fixture_draw_schedule(&fixture);
  device_fixture_free(&fixture);
  return test_end("%u strategies and types: all is as promised", (unsigned)TEST_COUNT(exact));
}
