// expect: SCAN_DEFINE_WITH: hierarchical needs a block strategy, not none
// A strategy of sections without one for the sections.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_WITH(sums, hierarchical, naive, 1, float, add, 0.0f)
#else
SCAN_DEFINE_WITH(sums, hierarchical, none, 1, float, add, 0.0f)
#endif

int main(void) { return 0; }
