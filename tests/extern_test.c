// extern_test.c: a C11 program calls scans that were stamped elsewhere, by nvcc in a CUDA build.
#include "tests/extern_scans.h"
#include "tests/test.h"

enum { elements = 50021 };

cudaError_t other_totals(scan_workspace *workspace, const unsigned long long *in,
                         unsigned long long *out, size_t n, unsigned long long *total,
                         cudaStream_t stream);

static void check_lines(scan_workspace *workspace, cudaStream_t stream) {
  static line in[elements];
  static line expected[elements];
  test_buffer buffer;
  line *device;
  size_t i;
  test_case("line_follow");
  test_random_bytes(in, sizeof in);
  for (i = 0; i < elements; i++) {
    expected[i] = in[i];
    if (i > 0) {
      expected[i].slope = expected[i - 1].slope * in[i].slope;
      expected[i].start = in[i].slope * expected[i - 1].start + in[i].start;
    }
  }
  test_buffer_make(&buffer, sizeof in);
  device = (line *)test_buffer_place(&buffer, 4, sizeof in, in);
  CHECK_CODE(scan_line_follow_inclusive(workspace, device, device, elements, stream), cudaSuccess);
  MUST(cudaStreamSynchronize(stream));
  CHECK_SAME("inclusive", test_buffer_fetch(&buffer, "lines"), expected, sizeof *in, elements);
  test_buffer_place(&buffer, 4, sizeof in, in);
  CHECK_CODE(scan_line_follow_exclusive(workspace, device, device, elements, stream), cudaSuccess);
  MUST(cudaStreamSynchronize(stream));
  CHECK_SAME("exclusive", test_buffer_fetch(&buffer, "lines") + sizeof *in, expected, sizeof *in,
             elements - 1);
  test_buffer_free(&buffer);
}

static void check_totals(scan_workspace *workspace, cudaStream_t stream) {
  static unsigned long long in[elements + 1];
  static unsigned long long expected[elements + 1];
  test_buffer in_buffer;
  test_buffer out_buffer;
  const unsigned long long *device_in;
  unsigned long long *device_out;
  size_t i;
  test_case("totals");
  test_random_bytes(in, sizeof in);
  expected[0] = 0;
  for (i = 0; i < elements; i++) expected[i + 1] = expected[i] + in[i];
  test_buffer_make(&in_buffer, sizeof in);
  test_buffer_make(&out_buffer, sizeof in);
  device_in = (const unsigned long long *)test_buffer_place(&in_buffer, 8, sizeof in, in);
  device_out = (unsigned long long *)test_buffer_place(&out_buffer, 0, sizeof in, NULL);
  CHECK_CODE(
      other_totals(workspace, device_in, device_out, elements, device_out + elements, stream),
      cudaSuccess);
  MUST(cudaStreamSynchronize(stream));
  CHECK_SAME("exclusive, and the total after it", test_buffer_fetch(&out_buffer, "totals"),
             expected, sizeof *in, elements + 1);
  test_buffer_place(&out_buffer, 0, sizeof in, NULL);
  CHECK_CODE(totals_reduce(workspace, device_in, device_out, elements, stream), cudaSuccess);
  MUST(cudaStreamSynchronize(stream));
  CHECK_SAME("reduce", test_buffer_fetch(&out_buffer, "totals"), &expected[elements], sizeof *in,
             1);
  CHECK_CODE(totals_inclusive(workspace, device_in, NULL, elements, stream), cudaErrorInvalidValue);
  test_buffer_free(&in_buffer);
  test_buffer_free(&out_buffer);
}

int main(void) {
  scan_workspace *workspace = NULL;
  cudaStream_t stream;
  size_t bytes = scan_line_follow_workspace_bytes(elements);
  test_begin("extern_test");
  if (totals_workspace_bytes(elements) > bytes) bytes = totals_workspace_bytes(elements);
  MUST(cudaStreamCreate(&stream));
  MUST(scan_workspace_create(&workspace, bytes, stream));
  check_lines(workspace, stream);
  check_totals(workspace, stream);
  CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);
  MUST(cudaStreamDestroy(stream));
  return test_end(
      "families with external linkage, declared in two C11 files and defined in one .cu");
}
