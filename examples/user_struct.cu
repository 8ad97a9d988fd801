// An operator on a struct of one's own: the best trade so far, bought on one day and sold later.
#include <math.h>

#include "examples/example.h"
#include "scan/scan.h"

// What a run of consecutive days offers.
typedef struct {
  float lowest, highest, profit;
} trades;

// Two adjacent runs of days: the best trade lies in one of them, or buys in the earlier and sells
// in the later.
SCAN_OPERATOR trades join(trades earlier, trades later) {
  trades both;
  both.lowest = fminf(earlier.lowest, later.lowest);
  both.highest = fmaxf(earlier.highest, later.highest);
  both.profit = fmaxf(fmaxf(earlier.profit, later.profit), later.highest - earlier.lowest);
  return both;
}
SCAN_DEFINE(trades, join, {INFINITY, -INFINITY, 0.0f})

int main(void) {
  const size_t n = 500000, bytes = n * sizeof(trades);
  const uint64_t seed = example_seed();
  trades *days = (trades *)example_allocate(bytes), *best = (trades *)example_allocate(bytes);
  trades *device_days, *device_total, total;
  float price = 1000.0f, lowest = INFINITY, profit = 0.0f;
  scan_workspace *workspace;
  scan_trades_join_options options = scan_trades_join_options_default();
  uint64_t state = seed;
  for (size_t i = 0; i < n; i++) {
    price = fmaxf(1.0f, price + (float)(example_random(&state) % 2001) / 100.0f - 10.0f);
    days[i].lowest = days[i].highest = price;
    days[i].profit = 0.0f;
  }

  EXAMPLE_CHECK(cudaMalloc((void **)&device_days, bytes));
  EXAMPLE_CHECK(cudaMalloc((void **)&device_total, sizeof total));
  EXAMPLE_CHECK(cudaMemcpy(device_days, days, bytes, cudaMemcpyHostToDevice));
  EXAMPLE_CHECK(scan_workspace_create(&workspace, scan_trades_join_workspace_bytes(n), 0));
  options.total = device_total;
  EXAMPLE_CHECK(scan_trades_join_run(workspace, device_days, device_days, n, options, 0));
  EXAMPLE_CHECK(cudaMemcpy(best, device_days, bytes, cudaMemcpyDeviceToHost));
  EXAMPLE_CHECK(cudaMemcpy(&total, device_total, sizeof total, cudaMemcpyDeviceToHost));

  // Minimum, maximum and one rounded difference: the same bits in any association.
  for (size_t i = 0; i < n; i++) {
    lowest = fminf(lowest, days[i].lowest);
    profit = fmaxf(profit, days[i].highest - lowest);
    if (best[i].lowest != lowest || best[i].profit != profit) {
      fprintf(stderr, "user_struct: seed %llu: day %zu: profit %g above %g, expected %g above %g\n",
              (unsigned long long)seed, i, (double)best[i].profit, (double)best[i].lowest,
              (double)profit, (double)lowest);
      return EXIT_FAILURE;
    }
  }
  if (total.profit != profit) {
    fprintf(stderr, "user_struct: seed %llu: total profit %g, expected %g\n",
            (unsigned long long)seed, (double)total.profit, (double)profit);
    return EXIT_FAILURE;
  }
  printf(
      "user_struct: %zu days, the best trade earns %.2f, the best so far on every day as found "
      "one by one (seed %llu; %s)\n",
      n, (double)total.profit, (unsigned long long)seed, example_device());
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree(device_days));
  EXAMPLE_CHECK(cudaFree(device_total));
  free(days);
  free(best);
  return EXIT_SUCCESS;
}
