// expect: SCAN_DEFINE_SEGMENTED_WITH: no segmented strategy look_back; there are:
// expect: thesis_look_back, default, and SCAN_DEFINE_LIFTED_WITH over any device strategy
// A segmented strategy that is not there; another in its place keeps the error one.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_SEGMENTED_WITH(sums, thesis_look_back, brent_kung, 2, float, add, 0.0f)
#else
SCAN_DEFINE_SEGMENTED_WITH(sums, look_back, brent_kung, 2, float, add, 0.0f)
#endif

int main(void) { return 0; }
