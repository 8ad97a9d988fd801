// expect: SCAN_DEFINE: nothing has no bytes
// An element of no bytes, which only C has, as an extension.
#include "scan/scan.h"

#ifdef CORRECT
typedef struct nothing {
  char byte;
} nothing;
#else
__extension__ typedef struct nothing {
} nothing;
#endif

SCAN_OPERATOR nothing last(nothing earlier, nothing later) {
  (void)earlier;
  return later;
}
SCAN_DEFINE(nothing, last, {0})

int main(void) { return 0; }
