// expect: SCAN_DEFINE_WITH: the identity is missing
// The identity is left out.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_WITH(sums, stream_scan, blelloch, 1, float, add, 0.0f)
#else
SCAN_DEFINE_WITH(sums, stream_scan, blelloch, 1, float, add)
#endif

int main(void) { return 0; }
