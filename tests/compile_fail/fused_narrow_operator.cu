// expect: SCAN_DEFINE_FUSED: what add returns is narrower than double
// An operator that would lose what its type does not hold, of a fused scan.
#include "scan/scan.h"

#ifdef CORRECT
typedef double number;
#else
typedef float number;
#endif

SCAN_OPERATOR number add(number earlier, number later) { return earlier + later; }
SCAN_OPERATOR double widen(float x, size_t index) {
  (void)index;
  return x;
}
SCAN_OPERATOR double keep(double scanned, float x, size_t index) {
  (void)x;
  (void)index;
  return scanned;
}
SCAN_DEFINE_FUSED(sums, float, double, double, widen, add, keep, 0.0)

int main(void) { return 0; }
