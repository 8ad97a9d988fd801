// expect: SCAN_DEFINE_FUSED: wide is wider than 64 bytes
// A result wider than 64 bytes.
#include "scan/scan.h"

#ifdef CORRECT
#define WORDS 16
#else
#define WORDS 17
#endif

typedef struct wide {
  float x[WORDS];
} wide;

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }
SCAN_OPERATOR float as_it_comes(float x, size_t index) {
  (void)index;
  return x;
}
SCAN_OPERATOR wide spread(float scanned, float x, size_t index) {
  wide spread;
  (void)x;
  (void)index;
  for (int i = 0; i < WORDS; i++) spread.x[i] = scanned;
  return spread;
}
SCAN_DEFINE_FUSED(spreading, float, float, wide, as_it_comes, add, spread, 0.0f)

int main(void) { return 0; }
