// expect: SCAN_DEFINE_WITH: what add returns is narrower than double
// An operator that would lose what its type does not hold, of the library's own strategy.
#include "scan/strategies/strategies.h"

#ifdef CORRECT
typedef double number;
#else
typedef float number;
#endif

SCAN_OPERATOR number add(number earlier, number later) { return earlier + later; }
SCAN_DEFINE_WITH(sums, default, none, 1, double, add, 0.0)

int main(void) { return 0; }
