// expect: SCAN_DEFINE_LIFTED_WITH: what add returns is narrower than double
// An operator that would lose what its type does not hold, lifted over a strategy.
#include "scan/strategies/strategies.h"

#ifdef CORRECT
typedef double number;
#else
typedef float number;
#endif

SCAN_OPERATOR number add(number earlier, number later) { return earlier + later; }
SCAN_DEFINE_LIFTED_WITH(sums, stream_scan, brent_kung, 2, double, add, 0.0)

int main(void) { return 0; }
