// expect: SCAN_STRATEGY_THREADS is not a multiple of 32 from 32 to 1024
// A block that is not of whole warps.
#ifdef CORRECT
#define SCAN_STRATEGY_THREADS 96
#else
#define SCAN_STRATEGY_THREADS 100
#endif
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }
SCAN_DEFINE_WITH(sums, stream_scan, blelloch, 1, float, add, 0.0f)

int main(void) { return 0; }
