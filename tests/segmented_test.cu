// segmented_test.cu: segmented scans and reductions in every encoding of the segments, of an
// operator that may not cross a start.
#include "tests/segmented_case.h"

SEGMENTED_FAMILY(1)
SEGMENTED_FAMILY(3)
SEGMENTED_FAMILY(4)
SEGMENTED_FAMILY(16)

int main(void) {
  static const segmented_family *const families[] = {&segmented_family_1, &segmented_family_3,
                                                     &segmented_family_4, &segmented_family_16};
  segmented_fixture fixture;
  size_t i;
  test_begin("segmented_test");
#ifdef SCAN_TUNING_ITEMS
  const size_t most = 20000;
  const double budget = 1.0e6;
#else
  const size_t most = 1500000;
  const double budget = 6.0e6;
#endif
  segmented_fixture_make(&fixture, most);
  for (i = 0; i < TEST_COUNT(families); i++)
    segmented_family_test(&fixture, families[i], most, budget * TEST_SCALE);
  segmented_fixture_free(&fixture);
  return test_end("%u widths, 6 encodings: every segment equals its fold, and no start is crossed",
                  (unsigned)TEST_COUNT(families));
}
