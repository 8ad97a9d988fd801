// expect: SCAN_DEFINE: wide is wider than 64 bytes
// An element wider than 64 bytes.
#include "scan/scan.h"

#ifdef CORRECT
#define WORDS 16
#else
#define WORDS 17
#endif

typedef struct wide {
  uint32_t words[WORDS];
} wide;

SCAN_OPERATOR wide last(wide earlier, wide later) {
  (void)earlier;
  return later;
}
SCAN_DEFINE(wide, last, {{0}})

int main(void) { return 0; }
