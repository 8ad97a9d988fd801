// strategies_test.cu: one device-wide strategy, TEST_DEVICE, with every block strategy, one item a
// thread and several, in blocks of one warp and of three, under shuffled orders of blocks.
#ifndef TEST_DEVICE
#define TEST_DEVICE hierarchical
#endif
#define SCAN_STRATEGY_THREADS 32
#include "tests/strategies_case.h"

STRATEGY_TYPE(interval_8, merge_8, INTERVAL_POISON_8)

#define FINE(X, device)                 \
  X(sequential, 1, device)              \
  X(naive, 1, device)                   \
  X(hillis_steele, 1, device)           \
  X(kogge_stone, 1, device)             \
  X(kogge_stone_exclusive, 1, device)   \
  X(brent_kung, 1, device)              \
  X(blelloch, 1, device)                \
  X(blelloch_injected, 1, device)       \
  X(three_phase, 2, device)             \
  X(warps_then_bases, 1, device)        \
  X(warps_then_bases_shared, 1, device) \
  X(raking, 1, device)
#define COARSE(X, device)               \
  X(sequential, 3, device)              \
  X(naive, 2, device)                   \
  X(hillis_steele, 3, device)           \
  X(kogge_stone, 4, device)             \
  X(kogge_stone_exclusive, 3, device)   \
  X(brent_kung, 3, device)              \
  X(blelloch, 5, device)                \
  X(blelloch_injected, 2, device)       \
  X(three_phase, 7, device)             \
  X(warps_then_bases, 2, device)        \
  X(warps_then_bases_shared, 3, device) \
  X(raking, 3, device)
#define STAMP(block, items, device) \
  STRATEGY(device, block, items, 20000, 0, 0, interval_8, merge_8, INTERVAL_POISON_8)
#define CASE(block, items, device) &case_interval_8_##device##_##block##_##items,

COARSE(STAMP, TEST_DEVICE)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 96
FINE(STAMP, TEST_DEVICE)

static const strategy_case *const cases[] = {COARSE(CASE, TEST_DEVICE) FINE(CASE, TEST_DEVICE)};

int main(void) {
  device_fixture fixture;
  size_t i;
  test_begin("strategies_test");
  device_fixture_make(&fixture, 20000 * 8 + 128);
  for (i = 0; i < TEST_COUNT(cases); i++) {
    strategy_check(&fixture, cases[i], 2.0e5 * (TEST_SCALE > 1 ? 4 : TEST_SCALE));
  }
  device_fixture_draw_schedule(&fixture);
  device_fixture_free(&fixture);
  return test_end("%u block strategies in %s and its like: all is equal to the fold",
                  (unsigned)TEST_COUNT(cases), cases[0]->family->name);
}
