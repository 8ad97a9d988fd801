// strategies_test.cu: every device-wide strategy with every block strategy, one item a thread or
// several, in blocks of one warp and of more, under shuffled orders of blocks.
#define SCAN_STRATEGY_THREADS 32
#include "tests/strategies_case.h"

STRATEGY_TYPE(interval_8, merge_8, INTERVAL_POISON_8)

#define FINE(X, ...)                       \
  X(sequential, 1, __VA_ARGS__)            \
  X(naive, 1, __VA_ARGS__)                 \
  X(hillis_steele, 1, __VA_ARGS__)         \
  X(kogge_stone, 1, __VA_ARGS__)           \
  X(kogge_stone_exclusive, 1, __VA_ARGS__) \
  X(brent_kung, 1, __VA_ARGS__)            \
  X(blelloch, 1, __VA_ARGS__)              \
  X(blelloch_injected, 1, __VA_ARGS__)     \
  X(three_phase, 2, __VA_ARGS__)           \
  X(warps_then_bases, 1, __VA_ARGS__)      \
  X(warps_then_bases_shared, 1, __VA_ARGS__)
#define COARSE(X, ...)                     \
  X(sequential, 3, __VA_ARGS__)            \
  X(naive, 2, __VA_ARGS__)                 \
  X(hillis_steele, 3, __VA_ARGS__)         \
  X(kogge_stone, 4, __VA_ARGS__)           \
  X(kogge_stone_exclusive, 3, __VA_ARGS__) \
  X(brent_kung, 3, __VA_ARGS__)            \
  X(blelloch, 5, __VA_ARGS__)              \
  X(blelloch_injected, 2, __VA_ARGS__)     \
  X(three_phase, 7, __VA_ARGS__)           \
  X(warps_then_bases, 2, __VA_ARGS__)      \
  X(warps_then_bases_shared, 3, __VA_ARGS__)
#define STAMP(block, items, device, launches, repeatable)                          \
  STRATEGY(device, block, items, 20000, launches, repeatable, interval_8, merge_8, \
           INTERVAL_POISON_8)
#define CASE(block, items, device, launches, repeatable) \
  &case_interval_8_##device##_##block##_##items,

FINE(STAMP, hierarchical, 0, 1)
COARSE(STAMP, decoupled_look_back, 1, 0)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 64
COARSE(STAMP, reduce_then_scan, 3, 1)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 96
FINE(STAMP, stream_scan, 1, 1)
COARSE(STAMP, host_partials, 2, 1)

static const strategy_case *const cases[] = {
    FINE(CASE, hierarchical, 0, 1) COARSE(CASE, decoupled_look_back, 1, 0)
        COARSE(CASE, reduce_then_scan, 3, 1) FINE(CASE, stream_scan, 1, 1)
            COARSE(CASE, host_partials, 2, 1)};

int main(void) {
  device_fixture fixture;
  size_t i;
  test_begin("strategies_test");
  device_fixture_make(&fixture, 20000 * 8 + 128);
  for (i = 0; i < TEST_COUNT(cases); i++) {
    strategy_check(&fixture, cases[i], 1.0e5 * (TEST_SCALE > 1 ? 4 : TEST_SCALE));
  }
  device_fixture_draw_schedule(&fixture);
  device_fixture_free(&fixture);
  return test_end("%u pairs of a device-wide and a block strategy: all is equal to the fold",
                  (unsigned)TEST_COUNT(cases));
}
