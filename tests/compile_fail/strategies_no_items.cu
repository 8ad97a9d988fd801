// expect: sums: items is too small: 1 at least, 2 for three_phase
// No items at all.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_BLOCK_WITH(sums, kogge_stone, 1, float, add, 0.0f)
#else
SCAN_DEFINE_BLOCK_WITH(sums, kogge_stone, 0, float, add, 0.0f)
#endif

int main(void) { return 0; }
