// device_interval_test.cu: device-wide scans of an operator that is defined only for adjacent runs
// of elements, for all ten widths.
#include "tests/device_case.h"

#define STAMP(width) \
  TEST_FAMILY(interval_##width, merge_##width, interval_##width##_generate, INTERVAL_POISON_##width)
INTERVAL_LIST(STAMP)

#define FACE(width) &test_family_interval_##width##_merge_##width,
static const test_family *const families[] = {INTERVAL_LIST(FACE)};

int main(void) {
  test_begin("device_interval_test");
  device_families_test(families, TEST_COUNT(families), 1.5e6);
  return test_end(
      "%u element widths from 1 to 64 bytes: the operator met adjacent runs only, and all is equal "
      "to the fold",
      (unsigned)TEST_COUNT(families));
}
