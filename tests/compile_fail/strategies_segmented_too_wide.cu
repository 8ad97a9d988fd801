// expect: SCAN_DEFINE_SEGMENTED_WITH: wide is wider than 56 bytes
// Elements without room for a head.
#include "scan/strategies/strategies.h"

typedef struct {
#ifdef CORRECT
  float part[14];
#else
  float part[15];
#endif
} wide;
SCAN_OPERATOR wide last(wide earlier, wide later) {
  (void)earlier;
  return later;
}

SCAN_DEFINE_SEGMENTED_WITH(sums, thesis_look_back, brent_kung, 2, wide, last, {{0.0f}})

int main(void) { return 0; }
