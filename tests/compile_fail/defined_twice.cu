// expect: scan_float_add_is_defined_twice_in_this_unit
// One family is stamped twice in a unit.
#include "scan/scan.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

SCAN_DEFINE(float, add, 0.0f)
#ifndef CORRECT
SCAN_DEFINE(float, add, 0.0f)
#endif

int main(void) { return 0; }
