// expect: skale
// A load whose name is misspelt.
#include "scan/scan.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }
SCAN_OPERATOR float scale(float x, size_t index) { return x * (float)index; }
SCAN_OPERATOR float keep(float scanned, float x, size_t index) {
  (void)x;
  (void)index;
  return scanned;
}
#ifdef CORRECT
SCAN_DEFINE_FUSED(scaled, float, float, float, scale, add, keep, 0.0f)
#else
SCAN_DEFINE_FUSED(scaled, float, float, float, skale, add, keep, 0.0f)
#endif

int main(void) { return 0; }
