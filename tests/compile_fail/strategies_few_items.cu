// expect: sums: items is too small: 1 at least, 2 for three_phase
// A coarsening that the strategy cannot take.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_WITH(sums, stream_scan, three_phase, 2, float, add, 0.0f)
#else
SCAN_DEFINE_WITH(sums, stream_scan, three_phase, 1, float, add, 0.0f)
#endif

int main(void) { return 0; }
