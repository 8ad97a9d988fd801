// segmented_test.cu: segmented scans and reductions in every encoding of the segments, of an
// operator that may not cross a start.
#include "tests/segmented_case.h"

#ifdef TEST_WIDE
#define WIDTHS(X) X(8) X(12) X(20) X(64)
#else
#define WIDTHS(X) X(1) X(3) X(4) X(16)
#endif
WIDTHS(SEGMENTED_FAMILY)

int main(void) {
#define FAMILY(width) &segmented_family_##width,
  static const segmented_family *const families[] = {WIDTHS(FAMILY)};
  segmented_fixture fixture;
  size_t i;
  test_begin("segmented_test");
#ifdef SCAN_TUNING_ITEMS
  const size_t most = 100000; /* tiles in several batches of those that conduct */
  const double budget = 2.0e6;
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
