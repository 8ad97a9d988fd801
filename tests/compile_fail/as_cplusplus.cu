// expect: scan: the host target is C11 (gcc -std=c11 -x c), C++ is for nvcc alone
// options: -x c++ -std=c++17
// A program for the CPU that is compiled as C++.
#include "scan/scan.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }
SCAN_DEFINE(float, add, 0.0f)

int main(void) { return 0; }
