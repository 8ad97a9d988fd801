// Segmented scans of elements of 1 to 64 bytes, for the resource test to compile.
#include "scan/scan.h"

#define WORDS(type, count)                                            \
  typedef struct type {                                               \
    uint32_t word[count];                                             \
  } type;                                                             \
  SCAN_OPERATOR type add_##type(type earlier, type later) {           \
    for (int i = 0; i < count; ++i) later.word[i] += earlier.word[i]; \
    return later;                                                     \
  }                                                                   \
  SCAN_DEFINE_SEGMENTED(type, add_##type, {{0}})

SCAN_OPERATOR_ADD(int8_t, add_i8)
SCAN_DEFINE_SEGMENTED(int8_t, add_i8, 0)
SCAN_OPERATOR_ADD(int16_t, add_i16)
SCAN_DEFINE_SEGMENTED(int16_t, add_i16, 0)
SCAN_OPERATOR_ADD(int64_t, add_i64)
SCAN_DEFINE_SEGMENTED(int64_t, add_i64, 0)
SCAN_OPERATOR_ADD(float, add_float)
SCAN_DEFINE_SEGMENTED(float, add_float, 0.0f)
SCAN_OPERATOR_ADD(double, add_double)
SCAN_DEFINE_SEGMENTED(double, add_double, 0.0)
WORDS(bytes_12, 3)
WORDS(bytes_16, 4)
WORDS(bytes_20, 5)
WORDS(bytes_24, 6)
WORDS(bytes_28, 7)
WORDS(bytes_32, 8)
WORDS(bytes_40, 10)
WORDS(bytes_44, 11)
WORDS(bytes_48, 12)
WORDS(bytes_52, 13)
WORDS(bytes_56, 14)
WORDS(bytes_64, 16)
