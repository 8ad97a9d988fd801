// expect: SCAN_DEFINE_REDUCE_WITH: no strategy third_kernel; there are:
// expect: there are: host_partials, second_kernel, last_block, atomic
// A reduction that is not there.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_REDUCE_WITH(sums, second_kernel, 1, float, add, 0.0f)
#else
SCAN_DEFINE_REDUCE_WITH(sums, third_kernel, 1, float, add, 0.0f)
#endif

int main(void) { return 0; }
