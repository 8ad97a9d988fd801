// expect: SCAN_DEFINE: the identity is missing
// The identity is left out.
#include "scan/scan.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE(float, add, 0.0f)
#else
SCAN_DEFINE(float, add)
#endif

int main(void) { return 0; }
