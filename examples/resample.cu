// Systematic resampling in a particle filter: likely particles are kept, others are dropped.
//
// The weights, laid end to end, make a line of length `total`; n equally spaced points on it, the
// first at random, each pick the particle on whose weight they fall. The running sum of the weights
// says which points are a particle's: from how many lie before its weight to how many before its
// end. A particle writes its number at its first point, and a running maximum spreads it over the
// others, so that one particle with all the weight costs no more than many with a little.
//
// Weights are whole numbers and the points are counted in n-ths of one, so that all is exact.
#include "examples/example.h"
#include "scan/scan.h"

SCAN_OPERATOR_ADD(uint64_t, add)
SCAN_DEFINE_AS(sums, uint64_t, add, 0)
SCAN_OPERATOR_MAXIMUM(uint32_t, maximum)
SCAN_DEFINE_AS(maxima, uint32_t, maximum, 0)

// weights, sums and picks have n elements, total has one. Point k lies at (start + k * total) / n
// with 0 <= start < total; n * total must be less than 2^63.
typedef struct {
  uint64_t *weights, *sums, *total;
  uint32_t *picks;
  uint64_t start;
  uint32_t n;
} filter;

// The number of points before a place on the line.
SCAN_DEVICE uint32_t points_before(const filter *f, uint64_t place) {
  const uint64_t scaled = f->n * place, total = *f->total;
  return scaled <= f->start ? 0 : (uint32_t)((scaled - f->start + total - 1) / total);
}

SCAN_KERNEL(note_first_picks, filter, f) {
  const size_t index = EXAMPLE_INDEX;
  if (index < f.n) {
    const uint64_t end = f.sums[index];
    const uint32_t first = points_before(&f, end - f.weights[index]);
    if (first < points_before(&f, end)) f.picks[first] = (uint32_t)index;
  }
}

// The numbers of the n particles that are picked, rising; in host memory. Not all weights are 0.
static uint32_t *resample(const uint64_t *weights, uint32_t n, uint64_t start) {
  scan_workspace *workspace;
  sums_options options = sums_options_default();
  uint32_t *picks;
  filter f;
  f.weights = (uint64_t *)example_to_device(weights, n * sizeof(uint64_t));
  f.sums = (uint64_t *)example_device_memory(n * sizeof(uint64_t));
  f.total = (uint64_t *)example_device_memory(sizeof(uint64_t));
  f.picks = (uint32_t *)example_device_memory(n * sizeof(uint32_t));
  f.start = start;
  f.n = n;
  EXAMPLE_CHECK(scan_workspace_create(&workspace, sums_workspace_bytes(n), 0));
  options.total = f.total;
  EXAMPLE_CHECK(sums_run(workspace, f.weights, f.sums, n, options, 0));
  EXAMPLE_CHECK(cudaMemset(f.picks, 0, n * sizeof(uint32_t)));
  EXAMPLE_LAUNCH_EACH(note_first_picks, n, f);
  EXAMPLE_CHECK(maxima_inclusive(workspace, f.picks, f.picks, n, 0));
  picks = (uint32_t *)example_to_host(f.picks, n * sizeof(uint32_t));
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree(f.weights));
  EXAMPLE_CHECK(cudaFree(f.sums));
  EXAMPLE_CHECK(cudaFree(f.total));
  EXAMPLE_CHECK(cudaFree(f.picks));
  return picks;
}

// Compares with a walk along the line from point to point; gives how many particles are kept.
static uint32_t check(const uint64_t *weights, uint32_t n, uint64_t seed) {
  uint64_t state = seed, total = 0, start, end = weights[0];
  uint32_t *picks, *expected = (uint32_t *)example_allocate(n * sizeof(uint32_t)), kept = 0;
  for (uint32_t i = 0; i < n; i++) total += weights[i];
  start = ((uint64_t)example_random(&state) << 32 | example_random(&state)) % total;
  picks = resample(weights, n, start);
  for (uint32_t point = 0, i = 0; point < n; point++) {
    while (start + point * total >= n * end) end += weights[++i];
    expected[point] = i;
    kept += point == 0 || expected[point - 1] != i;
  }
  example_compare("resample", seed, picks, expected, n);
  free(picks);
  free(expected);
  return kept;
}

// Ends the program unless so many particles are kept.
static void check_kept(const uint64_t *weights, uint32_t n, uint64_t seed, uint32_t expected) {
  const uint32_t kept = check(weights, n, seed);
  example_compare("resample, particles kept", seed, &kept, &expected, 1);
}

int main(void) {
  const uint64_t seed = example_seed();
  uint64_t state = seed;
  const uint32_t n = 50000 + example_random(&state) % 50000;
  uint64_t *weights = (uint64_t *)example_allocate(n * sizeof(uint64_t));
  uint32_t kept;
  // Many weights are 0, those at both ends too, and some are large.
  for (uint32_t i = 0; i < n; i++) {
    const unsigned shift = 12 + example_random(&state) % 20;
    weights[i] = example_random(&state) % 4 == 0 ? 0 : example_random(&state) >> shift;
  }
  weights[0] = weights[n - 1] = 0;
  weights[n / 2] = 1;
  kept = check(weights, n, seed);
  // Equal weights keep every particle, and all the weight on one keeps that one.
  for (uint32_t i = 0; i < n; i++) weights[i] = 7;
  check_kept(weights, n, seed, n);
  check_kept(weights, 1, seed, 1);
  memset(weights, 0, n * sizeof(uint64_t));
  weights[example_random(&state) % n] = UINT32_MAX;
  check_kept(weights, n, seed, 1);
  printf(
      "resample: %lu of %lu particles kept; that, equal weights and one weight alone as by walking "
      "from point to point (seed %llu; %s)\n",
      (unsigned long)kept, (unsigned long)n, (unsigned long long)seed, example_device());
  free(weights);
  return EXIT_SUCCESS;
}
