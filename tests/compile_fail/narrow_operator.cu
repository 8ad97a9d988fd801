// expect: SCAN_DEFINE: what add returns is narrower than int64_t
// An operator that would lose what its type does not hold; a wider one does not.
#include "scan/scan.h"

SCAN_OPERATOR int more(int earlier, int later) { return earlier + later; }
SCAN_DEFINE(short, more, 0)

#ifdef CORRECT
SCAN_OPERATOR int64_t add(int64_t earlier, int64_t later) { return earlier + later; }
#ifdef __cplusplus
SCAN_OPERATOR int add(int earlier, int later) { return earlier + later; }
#endif
#else
SCAN_OPERATOR int add(int earlier, int later) { return earlier + later; }
#endif
SCAN_DEFINE(int64_t, add, 0)

int main(void) { return 0; }
