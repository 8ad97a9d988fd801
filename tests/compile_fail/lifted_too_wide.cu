// expect: SCAN_DEFINE_LIFTED: wide is wider than 56 bytes
// An element that is wider than 56 bytes, lifted.
#include "scan/scan.h"

#ifdef CORRECT
#define WORDS 14
#else
#define WORDS 15
#endif

typedef struct wide {
  uint32_t words[WORDS];
} wide;

SCAN_OPERATOR wide last(wide earlier, wide later) {
  (void)earlier;
  return later;
}
SCAN_DEFINE_LIFTED(wide, last, {{0}})

int main(void) { return 0; }
