// expect: SCAN_DEFINE_WITH: sequential has no block strategy: none, not brent_kung
// A block strategy for one that has no sections.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_WITH(sums, sequential, none, 1, float, add, 0.0f)
#else
SCAN_DEFINE_WITH(sums, sequential, brent_kung, 1, float, add, 0.0f)
#endif

int main(void) { return 0; }
