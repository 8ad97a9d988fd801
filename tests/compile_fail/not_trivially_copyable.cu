// expect: SCAN_DEFINE: counter is not trivially copyable
// An element that C++ may not copy byte by byte.
#include "scan/scan.h"

struct counter {
  int count;
#ifndef CORRECT
  __host__ __device__ counter(int count) : count(count) {}
  __host__ __device__ counter(const counter &other) : count(other.count) {}
#endif
};

SCAN_OPERATOR counter last(counter earlier, counter later) {
  (void)earlier;
  return later;
}
SCAN_DEFINE(counter, last, {0})

int main(void) { return 0; }
