// The one unit that stamps the scan which balance.h declares.
#include "examples/from_c/balance.h"

SCAN_OPERATOR int64_t add(int64_t earlier, int64_t later) { return earlier + later; }
SCAN_DEFINE_EXTERN(int64_t, add, 0)
