// Device-wide scans of elements of 1 to 64 bytes, for the resource test to compile.
#include <cuda_fp16.h>

#include "scan/scan.h"

#define INTEGER(T)                                                             \
  SCAN_OPERATOR T xor_##T(T earlier, T later) { return (T)(earlier ^ later); } \
  SCAN_DEFINE(T, xor_##T, 0)

#define WORDS(type, Word, count)                                                             \
  typedef struct type {                                                                      \
    Word word[count];                                                                        \
  } type;                                                                                    \
  SCAN_OPERATOR type xor_##type(type earlier, type later) {                                  \
    for (int i = 0; i < count; ++i) later.word[i] = (Word)(later.word[i] ^ earlier.word[i]); \
    return later;                                                                            \
  }                                                                                          \
  SCAN_DEFINE(type, xor_##type, {{0}})

INTEGER(uint8_t)
INTEGER(uint16_t)
INTEGER(uint32_t)
INTEGER(uint64_t)
SCAN_OPERATOR_ADD(float, add_float)
SCAN_DEFINE(float, add_float, 0.0f)
SCAN_OPERATOR_ADD(double, add_double)
SCAN_DEFINE(double, add_double, 0.0)
/* Operators that compare, which need the sign of a narrow element. */
SCAN_OPERATOR_MAXIMUM(int8_t, maximum_int8)
SCAN_DEFINE(int8_t, maximum_int8, INT8_MIN)
SCAN_OPERATOR_MINIMUM(uint8_t, minimum_uint8)
SCAN_DEFINE(uint8_t, minimum_uint8, UINT8_MAX)
SCAN_OPERATOR_MAXIMUM(int16_t, maximum_int16)
SCAN_DEFINE(int16_t, maximum_int16, INT16_MIN)
/* Operators whose elements do not live in whole registers. */
SCAN_OPERATOR __half add_half(__half earlier, __half later) { return __hadd(earlier, later); }
SCAN_DEFINE(__half, add_half, __float2half(0.0f))
WORDS(bytes_3, uint8_t, 3)
WORDS(bytes_5, uint8_t, 5)
WORDS(bytes_6, uint16_t, 3)
WORDS(bytes_7, uint8_t, 7)
WORDS(bytes_10, uint16_t, 5)
WORDS(bytes_11, uint8_t, 11)
WORDS(bytes_12, uint32_t, 3)
WORDS(bytes_16, uint32_t, 4)
WORDS(bytes_20, uint32_t, 5)
WORDS(bytes_22, uint16_t, 11)
WORDS(bytes_24, uint32_t, 6)
WORDS(bytes_26, uint16_t, 13)
WORDS(bytes_28, uint32_t, 7)
WORDS(bytes_32, uint32_t, 8)
WORDS(bytes_36, uint32_t, 9)
WORDS(bytes_40, uint32_t, 10)
WORDS(bytes_44, uint32_t, 11)
WORDS(bytes_48, uint32_t, 12)
WORDS(bytes_52, uint32_t, 13)
WORDS(bytes_56, uint32_t, 14)
WORDS(bytes_60, uint32_t, 15)
WORDS(bytes_64, uint32_t, 16)
