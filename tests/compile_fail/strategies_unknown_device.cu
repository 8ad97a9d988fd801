// expect: SCAN_DEFINE_WITH: no device strategy chained; there are: sequential, naive,
// expect: hierarchical, reduce_then_scan, host_partials, stream_scan, decoupled_look_back,
// expect: default
// A device-wide strategy that is not there; another in its place keeps the error one.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_WITH(sums, stream_scan, brent_kung, 2, float, add, 0.0f)
#else
SCAN_DEFINE_WITH(sums, chained, brent_kung, 2, float, add, 0.0f)
#endif

int main(void) { return 0; }
