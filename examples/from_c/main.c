// A C11 program that calls a scan stamped in a .cu: the balance of an account after each payment.
#include "examples/example.h"
#include "examples/from_c/balance.h"

int main(void) {
  const size_t n = 500000, bytes = n * sizeof(int64_t);
  const uint64_t seed = example_seed();
  const int64_t opening = 1000;
  int64_t *payments = example_allocate(bytes), *balances = example_allocate(bytes);
  int64_t *device_payments, *device_opening, expected = opening;
  scan_workspace *workspace;
  scan_int64_t_add_options options = scan_int64_t_add_options_default();
  uint64_t state = seed;
  for (size_t i = 0; i < n; i++) payments[i] = (int64_t)(example_random(&state) % 20001) - 10000;

  EXAMPLE_CHECK(cudaMalloc((void **)&device_payments, bytes));
  EXAMPLE_CHECK(cudaMalloc((void **)&device_opening, sizeof opening));
  EXAMPLE_CHECK(cudaMemcpy(device_payments, payments, bytes, cudaMemcpyHostToDevice));
  EXAMPLE_CHECK(cudaMemcpy(device_opening, &opening, sizeof opening, cudaMemcpyHostToDevice));
  EXAMPLE_CHECK(scan_workspace_create(&workspace, scan_int64_t_add_workspace_bytes(n), 0));
  options.seed = device_opening;
  EXAMPLE_CHECK(scan_int64_t_add_run(workspace, device_payments, device_payments, n, options, 0));
  EXAMPLE_CHECK(cudaMemcpy(balances, device_payments, bytes, cudaMemcpyDeviceToHost));

  for (size_t i = 0; i < n; i++) {
    expected += payments[i];
    if (balances[i] != expected) {
      fprintf(stderr, "from_c: seed %llu: balances[%zu] is %lld, expected %lld\n",
              (unsigned long long)seed, i, (long long)balances[i], (long long)expected);
      return EXIT_FAILURE;
    }
  }
  printf("from_c: %zu payments leave %lld, every balance as added one by one (seed %llu; %s)\n", n,
         (long long)expected, (unsigned long long)seed, example_device());
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree(device_payments));
  EXAMPLE_CHECK(cudaFree(device_opening));
  free(payments);
  free(balances);
  return EXIT_SUCCESS;
}
