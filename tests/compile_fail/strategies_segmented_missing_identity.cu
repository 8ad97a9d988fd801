// expect: SCAN_DEFINE_SEGMENTED_WITH: the identity is missing
// The identity is left out of a segmented scan.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_SEGMENTED_WITH(sums, thesis_look_back, kogge_stone, 1, float, add, 0.0f)
#else
SCAN_DEFINE_SEGMENTED_WITH(sums, thesis_look_back, kogge_stone, 1, float, add)
#endif

int main(void) { return 0; }
