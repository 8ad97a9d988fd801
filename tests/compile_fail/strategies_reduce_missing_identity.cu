// expect: SCAN_DEFINE_REDUCE_WITH: the identity is missing
// The identity is left out of a reduction.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_REDUCE_WITH(sums, last_block, 1, float, add, 0.0f)
#else
SCAN_DEFINE_REDUCE_WITH(sums, last_block, 1, float, add)
#endif

int main(void) { return 0; }
