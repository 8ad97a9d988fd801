// expect: SCAN_DEFINE: vast is aligned to more than its size
// An element that cannot lie behind another of its kind.
#include "scan/scan.h"

#ifdef CORRECT
typedef uint32_t vast __attribute__((aligned(4)));
#else
typedef uint32_t vast __attribute__((aligned(16)));
#endif

SCAN_OPERATOR vast add(vast earlier, vast later) { return earlier + later; }
SCAN_DEFINE(vast, add, 0)

int main(void) { return 0; }
