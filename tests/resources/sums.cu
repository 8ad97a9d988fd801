// Device-wide sums of structs of 3 to 16 floats and 2 to 8 doubles, for the resource test to
// compile.
#include "tests/resources/sum.h"

#define SUM(type, Word, count)    \
  SUM_OF_WORDS(type, Word, count) \
  SCAN_DEFINE(type, add_##type, {{0}})

SUM(floats_3, float, 3)
SUM(floats_4, float, 4)
SUM(floats_5, float, 5)
SUM(floats_6, float, 6)
SUM(floats_7, float, 7)
SUM(floats_8, float, 8)
SUM(floats_9, float, 9)
SUM(floats_10, float, 10)
SUM(floats_11, float, 11)
SUM(floats_12, float, 12)
SUM(floats_13, float, 13)
SUM(floats_14, float, 14)
SUM(floats_15, float, 15)
SUM(floats_16, float, 16)
SUM(doubles_2, double, 2)
SUM(doubles_3, double, 3)
SUM(doubles_4, double, 4)
SUM(doubles_5, double, 5)
SUM(doubles_6, double, 6)
SUM(doubles_7, double, 7)
SUM(doubles_8, double, 8)
