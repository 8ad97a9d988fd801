// A client of the installed library: the sum of four numbers on the host target.
#include "scan/scan.h"

#include <stdio.h>

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }
SCAN_DEFINE(float, add, 0.0f)

int main(void) {
  float numbers[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  scan_workspace *workspace = NULL;
  void *memory = NULL;
  if (cudaMalloc(&memory, sizeof numbers) != cudaSuccess) return 1;
  if (cudaMemcpy(memory, numbers, sizeof numbers, cudaMemcpyHostToDevice) != cudaSuccess) return 1;
  if (scan_workspace_create(&workspace, scan_float_add_workspace_bytes(4), 0) != cudaSuccess)
    return 1;
  if (scan_float_add_inclusive(workspace, (float *)memory, (float *)memory, 4, 0) != cudaSuccess) {
    return 1;
  }
  if (cudaMemcpy(numbers, memory, sizeof numbers, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  if (scan_workspace_destroy(workspace) != cudaSuccess) return 1;
  if (cudaFree(memory) != cudaSuccess) return 1;
  printf("scan %s: the last of four sums is %g\n", SCAN_VERSION_STRING, (double)numbers[3]);
  return numbers[3] == 10.0f ? 0 : 1;
}
