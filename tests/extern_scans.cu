// extern_scans.cu: the one definition, with external C linkage, of the families that extern_scans.h
// declares.
#include "tests/extern_scans.h"

SCAN_OPERATOR line follow(line earlier, line later) {
  line both;
  both.slope = earlier.slope * later.slope;
  both.start = later.slope * earlier.start + later.start;
  return both;
}
SCAN_OPERATOR unsigned long long sum_up(unsigned long long earlier, unsigned long long later) {
  return earlier + later;
}

SCAN_DEFINE_EXTERN(line, follow, {1, 0})
SCAN_DEFINE_EXTERN_AS(totals, unsigned long long, sum_up, 0)
