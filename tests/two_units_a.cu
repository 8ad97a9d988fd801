// two_units_a.cu: a unit that stamps a family for itself, as two_units_b.cu does under the same
// name.
#include "tests/two_units.h"

SCAN_OPERATOR int32_t unite(int32_t earlier, int32_t later) {
  return earlier < later ? later : earlier;
}
SCAN_DEFINE(int32_t, unite, 0)

cudaError_t unit_a_scan(scan_workspace *workspace, const int32_t *in, int32_t *out, size_t n) {
  return scan_int32_t_unite_inclusive(workspace, in, out, n, 0);
}
int32_t unit_a_unite(int32_t earlier, int32_t later) { return unite(earlier, later); }
size_t unit_a_workspace_bytes(size_t n) { return scan_int32_t_unite_workspace_bytes(n); }
cudaError_t unit_a_allocate(void **memory, size_t bytes) { return cudaMalloc(memory, bytes); }
cudaError_t unit_a_mistake(void) { return cudaSetDevice(99); }
unsigned long long unit_a_launches(void) {
#if defined(SCAN_TARGET_HOST)
  return scan_host_launches();
#else
  return 0;
#endif
}
