// Kernels of elements that consist of bytes and of halves of words, sums and maxima of each part:
// an operator takes their words apart and puts them together again. For the resource test to
// compile.
#include "scan/scan.h"

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define PARTS(T, count, name, expression)                                                  \
  typedef struct {                                                                         \
    T x[count];                                                                            \
  } name##_##count;                                                                        \
  SCAN_OPERATOR name##_##count join_##name##_##count(name##_##count a, name##_##count b) { \
    for (int i = 0; i < (count); i++) a.x[i] = (T)(expression);                            \
    return a;                                                                              \
  }                                                                                        \
  SCAN_DEFINE_AS(scan_##name##_##count, name##_##count, join_##name##_##count, {{0}})
#define BYTES(count)                                      \
  PARTS(unsigned char, count, byte_sums, a.x[i] + b.x[i]) \
  PARTS(unsigned char, count, byte_maxima, LARGER(a.x[i], b.x[i]))
#define HALVES(count)                             \
  PARTS(short, count, half_sums, a.x[i] + b.x[i]) \
  PARTS(short, count, half_maxima, LARGER(a.x[i], b.x[i]))
#if __CUDA_ARCH__ >= 900  // before, 8 to 16 bytes of stack (bench/NOTES.md)
BYTES(3)
SCAN_DEFINE_SEGMENTED_AS(scan_parted, byte_sums_3, join_byte_sums_3, {{0}})
#endif
BYTES(4)
BYTES(9)
BYTES(16)
BYTES(24)
HALVES(2)
HALVES(3)
HALVES(5)
HALVES(8)
