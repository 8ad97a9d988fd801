// two_units_test.cu: two units of one program stamp the same name for themselves, and share one
// runtime and one workspace.
#include "tests/test.h"
#include "tests/two_units.h"

enum { elements = 20011 };

static void check_scan(cudaError_t (*scan)(scan_workspace *, const int32_t *, int32_t *, size_t),
                       int32_t (*unite)(int32_t, int32_t), scan_workspace *workspace,
                       const int32_t *in, int32_t *device_in, int32_t *device_out) {
  int32_t *expected = (int32_t *)test_allocate(elements * sizeof *expected);
  int32_t *found = (int32_t *)test_allocate(elements * sizeof *found);
  size_t i;
  for (i = 0; i < elements; i++) expected[i] = i == 0 ? in[0] : unite(expected[i - 1], in[i]);
  MUST(cudaMemset(device_out, test_poison, elements * sizeof *in));
  CHECK_CODE(scan(workspace, device_in, device_out, elements), cudaSuccess);
  MUST(cudaDeviceSynchronize());
  MUST(cudaMemcpy(found, device_out, elements * sizeof *found, cudaMemcpyDeviceToHost));
  CHECK_SAME("the unit's own operator", found, expected, sizeof *found, elements);
  free(expected);
  free(found);
}

// Every unit counts the launches of all; the count is the host target's.
static void check_launches(unsigned long long expected) {
#if defined(SCAN_TARGET_HOST)
  CHECK(unit_a_launches() == expected, "unit a counts %llu of %llu", unit_a_launches(), expected);
  CHECK(unit_b_launches() == expected, "unit b counts %llu of %llu", unit_b_launches(), expected);
  CHECK(scan_host_launches() == expected, "the main unit counts %llu of %llu",
        (unsigned long long)scan_host_launches(), expected);
#else
  (void)expected;
#endif
}

int main(void) {
  int32_t *in = (int32_t *)test_allocate(elements * sizeof *in);
  void *device_in = NULL;
  void *device_out = NULL;
  scan_workspace *workspace = NULL;
  unsigned long long launches;
  size_t bytes = unit_a_workspace_bytes(elements);
  int round;
  test_begin("two_units_test");
  test_random_bytes(in, elements * sizeof *in);
  MUST(unit_a_allocate(&device_in, elements * sizeof *in));
  MUST(unit_a_allocate(&device_out, elements * sizeof *in));
  MUST(cudaMemcpy(device_in, in, elements * sizeof *in, cudaMemcpyHostToDevice));
  CHECK(bytes == unit_b_workspace_bytes(elements), "the units' workspaces differ in size");
  MUST(scan_workspace_create(&workspace, bytes, 0));
  launches = unit_a_launches();
  for (round = 0; round < 4; round++) {
    test_case("round %d", round);
    check_scan(unit_a_scan, unit_a_unite, workspace, in, (int32_t *)device_in,
               (int32_t *)device_out);
    check_scan(unit_b_scan, unit_b_unite, workspace, in, (int32_t *)device_in,
               (int32_t *)device_out);
  }
  check_launches(launches + 8);
  test_case("a mistake in unit a");
  CHECK_CODE(unit_b_pending(), cudaSuccess);
  CHECK(unit_a_mistake() != cudaSuccess, "the mistake went unnoticed");
  CHECK_CODE(unit_b_pending(), cudaErrorInvalidDevice);
  CHECK_CODE(cudaGetLastError(), cudaErrorInvalidDevice);
  CHECK_CODE(unit_b_pending(), cudaSuccess);
  test_case("memory of unit a freed by unit b");
  CHECK_CODE(unit_b_free(device_in), cudaSuccess);
  CHECK_CODE(unit_b_free(device_out), cudaSuccess);
  CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);
  free(in);
  return test_end(
      "two units with one name for two operators share allocations, last error, launches and a "
      "workspace");
}
