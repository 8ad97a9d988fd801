// Segmented scans, for the resource test to compile.
#include "scan/scan.h"

typedef struct vector {
  float component[4];
} vector;

SCAN_OPERATOR vector add_vector(vector earlier, vector later) {
  for (int i = 0; i < 4; ++i) later.component[i] = earlier.component[i] + later.component[i];
  return later;
}

typedef struct triple {
  float component[3];
} triple;

SCAN_OPERATOR triple add_triple(triple earlier, triple later) {
  for (int i = 0; i < 3; ++i) later.component[i] = earlier.component[i] + later.component[i];
  return later;
}

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
SCAN_DEFINE_SEGMENTED(triple, add_triple, {{0.0f}})
SCAN_DEFINE_SEGMENTED(vector, add_vector, {{0.0f}})
