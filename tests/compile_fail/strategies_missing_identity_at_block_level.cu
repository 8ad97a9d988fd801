// expect: SCAN_DEFINE_BLOCK_WITH: the identity is missing
// The identity is left out, at block level.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_BLOCK_WITH(sums, brent_kung, 1, float, add, 0.0f)
#else
SCAN_DEFINE_BLOCK_WITH(sums, brent_kung, 1, float, add)
#endif

int main(void) { return 0; }
