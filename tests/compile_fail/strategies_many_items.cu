// expect: sums: SCAN_STRATEGY_THREADS and items need more than 48 KiB
// expect: of shared memory for float
// A section that shared memory cannot hold.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_WITH(sums, stream_scan, brent_kung, 44, float, add, 0.0f)
#else
SCAN_DEFINE_WITH(sums, stream_scan, brent_kung, 48, float, add, 0.0f)
#endif

int main(void) { return 0; }
