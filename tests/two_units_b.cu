// two_units_b.cu: a unit that stamps a family for itself, as two_units_a.cu does under the same
// name.
#include "tests/two_units.h"

SCAN_OPERATOR int32_t unite(int32_t earlier, int32_t later) {
  return (int32_t)((uint32_t)earlier + (uint32_t)later);
}
SCAN_DEFINE(int32_t, unite, 0)

cudaError_t unit_b_scan(scan_workspace *workspace, const int32_t *in, int32_t *out, size_t n) {
  return scan_int32_t_unite_inclusive(workspace, in, out, n, 0);
}
int32_t unit_b_unite(int32_t earlier, int32_t later) { return unite(earlier, later); }
size_t unit_b_workspace_bytes(size_t n) { return scan_int32_t_unite_workspace_bytes(n); }
cudaError_t unit_b_free(void *memory) { return cudaFree(memory); }
cudaError_t unit_b_pending(void) { return cudaPeekAtLastError(); }
unsigned long long unit_b_launches(void) {
#if defined(SCAN_TARGET_HOST)
  return scan_host_launches();
#else
  return 0;
#endif
}
