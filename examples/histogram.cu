// The histogram of an image's grey levels, and how many pixels are no brighter than each bin.
//
// A tally has a count for each bin, and tallies add up bin by bin. Each thread tallies pixels of
// its own, a block reduction makes one tally of a block's, a device-wide reduction one of all
// blocks'. A scan over the bins of that one gives the cumulative histogram.
#include "examples/example.h"
#include "scan/scan.h"

enum { BINS = 16, THREADS = 128, ITEMS = 32, TILE = THREADS * ITEMS };

typedef struct {
  uint32_t count[BINS];
} tally;

SCAN_OPERATOR tally add_tallies(tally earlier, tally later) {
  tally sum;
  for (int bin = 0; bin < BINS; bin++) sum.count[bin] = earlier.count[bin] + later.count[bin];
  return sum;
}
SCAN_DEFINE_AS(tallies, tally, add_tallies, {{0}})

SCAN_OPERATOR_ADD(uint32_t, add)
SCAN_DEFINE_AS(running, uint32_t, add, 0)

typedef struct {
  const uint8_t *pixels;
  tally *tallies;  // one a block
  size_t n;
} image;

SCAN_KERNEL(tally_pixels, image, m) {
  SCAN_SHARED_DYNAMIC(tallies_block_scratch, scratch);
  const size_t first = (size_t)blockIdx.x * TILE;
  tally mine = {{0}};
  for (unsigned i = threadIdx.x; i < TILE && first + i < m.n; i += THREADS) {
    const unsigned own = m.pixels[first + i] * BINS / 256;
    // Every bin is a constant here, so that the tally stays in registers.
    for (unsigned bin = 0; bin < BINS; bin++) mine.count[bin] += bin == own;
  }
  mine = tallies_block_reduce(mine, scratch);
  if (threadIdx.x == 0) m.tallies[blockIdx.x] = mine;
}

// The histogram and the cumulative one, of pixels in host memory.
static void count_pixels(const uint8_t *pixels, size_t n, tally *histogram, tally *cumulative) {
  const uint32_t blocks = (uint32_t)((n + TILE - 1) / TILE);
  tally *result = (tally *)example_device_memory(sizeof(tally));
  scan_workspace *workspace;
  image m;
  m.pixels = (uint8_t *)example_to_device(pixels, n);
  m.tallies = (tally *)example_device_memory(blocks * sizeof(tally));
  m.n = n;
  EXAMPLE_CHECK(scan_workspace_create(&workspace, tallies_workspace_bytes(blocks + BINS), 0));
  if (blocks > 0) {
    EXAMPLE_CHECK(SCAN_LAUNCH(tally_pixels, blocks, THREADS, sizeof(tallies_block_scratch), 0, m));
  }
  EXAMPLE_CHECK(tallies_reduce(workspace, m.tallies, result, blocks, 0));
  EXAMPLE_CHECK(cudaMemcpy(histogram, result, sizeof(tally), cudaMemcpyDeviceToHost));
  EXAMPLE_CHECK(running_inclusive(workspace, result->count, result->count, BINS, 0));
  EXAMPLE_CHECK(cudaMemcpy(cumulative, result, sizeof(tally), cudaMemcpyDeviceToHost));
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree((void *)m.pixels));
  EXAMPLE_CHECK(cudaFree(m.tallies));
  EXAMPLE_CHECK(cudaFree(result));
}

// Counts n made-up pixels from `darkest` on, and compares with one loop.
static void check(size_t n, unsigned darkest, uint64_t seed) {
  uint8_t *pixels = (uint8_t *)example_allocate(n);
  tally histogram, cumulative, expected = {{0}};
  uint64_t state = seed;
  for (size_t i = 0; i < n; i++) {
    pixels[i] = (uint8_t)(darkest + example_random(&state) % (256 - darkest));
    expected.count[pixels[i] / (256 / BINS)]++;
  }
  count_pixels(pixels, n, &histogram, &cumulative);
  example_compare("histogram", seed, histogram.count, expected.count, BINS);
  for (int bin = 1; bin < BINS; bin++) expected.count[bin] += expected.count[bin - 1];
  example_compare("cumulative histogram", seed, cumulative.count, expected.count, BINS);
  free(pixels);
}

int main(void) {
  const uint64_t seed = example_seed();
  uint64_t state = seed;
  const size_t n = 200000 + example_random(&state) % 200000;
  check(n, 0, seed);
  check(n, 100, seed);
  check(n, 255, seed);
  check(TILE, 0, seed);
  check(1, 0, seed);
  check(0, 0, seed);
  printf(
      "histogram: %zu pixels of every level, of the brighter ones and of one alone, in %d bins: "
      "all as "
      "counted one by one (seed %llu; %s)\n",
      n, BINS, (unsigned long long)seed, example_device());
  return EXIT_SUCCESS;
}
