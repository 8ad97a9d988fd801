// expect gcc: 'add_has_no_SCAN_OPERATOR_ATOMIC' undeclared
// expect clang: use of undeclared identifier 'add_has_no_SCAN_OPERATOR_ATOMIC'
// expect nvcc: identifier "add_has_no_SCAN_OPERATOR_ATOMIC" is undefined
// Atomics for an operator that was not said to be one of the machine.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_OPERATOR_ATOMIC_ADD(float, add)
SCAN_DEFINE_REDUCE_WITH(sums, atomic, 1, float, add, 0.0f)
#else
SCAN_DEFINE_REDUCE_WITH(sums, atomic, 1, float, add, 0.0f)
#endif

int main(void) { return 0; }
