// expect: scan_float_add_needs_SCAN_DECLARE_before_SCAN_DEFINE_EXTERN
// The external definition comes without the declaration that owns its types.
#include "scan/scan.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DECLARE(float, add)
#endif
SCAN_DEFINE_EXTERN(float, add, 0.0f)

int main(void) { return 0; }
