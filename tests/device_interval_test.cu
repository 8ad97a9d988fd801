// device_interval_test.cu: device-wide scans of an operator that is defined only for adjacent runs of elements, for all ten widths.
#include "tests/device_case.h"

#define STAMP(width)                                                                    \
  TEST_FAMILY(interval_##width, merge_##width, interval_##width##_generate, \
              INTERVAL_POISON_##width)
INTERVAL_LIST(STAMP)

#define FACE(width) &test_family_interval_##width##_merge_##width,
static const test_family *const families[] = {INTERVAL_LIST(FACE)};

int main(void) {
  device_fixture fixture;
  size_t i;
  test_begin("device_interval_test");
  device_fixture_make(&fixture, (size_t)(6.0 * 1024 * 1024 * TEST_SCALE));
  for (i = 0; i < TEST_COUNT(families); i++) {
    device_family_test(&fixture, families[i], (size_t)(1500000 * TEST_SCALE), 3.0e6 * TEST_SCALE);
  }
  device_fixture_free(&fixture);
  return test_end("%u element widths from 1 to 64 bytes: the operator met adjacent runs only, and all is equal to the fold",
                  (unsigned)TEST_COUNT(families));
}
