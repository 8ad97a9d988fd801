// RMS, distance and dot product of two vectors, by one reduction of their three sums.
//
// An iterative solver asks for them in every step: the root mean square of the last change, the
// distance from another solution, the dot product of a conjugate gradient.
#include <math.h>

#include "examples/example.h"
#include "scan/scan.h"

typedef struct {
  double squares, differences, products;  // of x * x, (x - y) * (x - y) and x * y
} sums;

SCAN_OPERATOR sums add(sums earlier, sums later) {
  sums both;
  both.squares = earlier.squares + later.squares;
  both.differences = earlier.differences + later.differences;
  both.products = earlier.products + later.products;
  return both;
}
SCAN_DEFINE(sums, add, {0.0, 0.0, 0.0})

typedef struct {
  const float *x, *y;
  sums *terms;
  size_t n;
} vectors;

SCAN_KERNEL(make_terms, vectors, v) {
  const size_t index = EXAMPLE_INDEX;
  if (index < v.n) {
    const double x = v.x[index], y = v.y[index];
    v.terms[index].squares = x * x;
    v.terms[index].differences = (x - y) * (x - y);
    v.terms[index].products = x * y;
  }
}

// What is asked for of two vectors.
typedef struct {
  double rms, distance, dot;
} norms;

static norms norms_of(sums s, size_t n) {
  norms result;
  result.rms = n > 0 ? sqrt(s.squares / (double)n) : 0.0;
  result.distance = sqrt(s.differences);
  result.dot = s.products;
  return result;
}

// Of two vectors of n elements in host memory.
static norms measure(const float *x, const float *y, size_t n) {
  scan_workspace *workspace;
  sums result, *device_result = (sums *)example_device_memory(sizeof(sums));
  vectors v;
  v.x = (float *)example_to_device(x, n * sizeof(float));
  v.y = (float *)example_to_device(y, n * sizeof(float));
  v.terms = (sums *)example_device_memory(n * sizeof(sums));
  v.n = n;
  EXAMPLE_CHECK(scan_workspace_create(&workspace, scan_sums_add_workspace_bytes(n), 0));
  EXAMPLE_LAUNCH_EACH(make_terms, n, v);
  EXAMPLE_CHECK(scan_sums_add_reduce(workspace, v.terms, device_result, n, 0));
  EXAMPLE_CHECK(cudaMemcpy(&result, device_result, sizeof result, cudaMemcpyDeviceToHost));
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree((void *)v.x));
  EXAMPLE_CHECK(cudaFree((void *)v.y));
  EXAMPLE_CHECK(cudaFree(v.terms));
  EXAMPLE_CHECK(cudaFree(device_result));
  return norms_of(result, n);
}

// Compares two made-up vectors' norms with what one loop gives. The elements are quarters between
// -256 and 256, so that every term is a number of sixteenths, 2^22 at most: fewer than 2^31 of them
// add up exactly in a double, in any order.
static norms check(size_t n, uint64_t seed) {
  float *x = (float *)example_allocate(n * sizeof(float));
  float *y = (float *)example_allocate(n * sizeof(float));
  sums expected = {0.0, 0.0, 0.0};
  norms measured, wanted;
  uint64_t state = seed;
  for (size_t i = 0; i < n; i++) {
    x[i] = (float)(example_random(&state) % 2048) / 4.0f - 256.0f;
    y[i] = (float)(example_random(&state) % 2048) / 4.0f - 256.0f;
    expected.squares += (double)x[i] * x[i];
    expected.differences += ((double)x[i] - y[i]) * ((double)x[i] - y[i]);
    expected.products += (double)x[i] * y[i];
  }
  measured = measure(x, y, n);
  wanted = norms_of(expected, n);
  if (measured.rms != wanted.rms || measured.distance != wanted.distance ||
      measured.dot != wanted.dot) {
    fprintf(stderr,
            "norms: seed %llu: %zu elements: %.17g, %.17g, %.17g, expected %.17g, %.17g, %.17g\n",
            (unsigned long long)seed, n, measured.rms, measured.distance, measured.dot, wanted.rms,
            wanted.distance, wanted.dot);
    exit(EXIT_FAILURE);
  }
  free(x);
  free(y);
  return measured;
}

int main(void) {
  const uint64_t seed = example_seed();
  uint64_t state = seed;
  const size_t n = 200000 + example_random(&state) % 200000;
  const norms measured = check(n, seed);
  check(1, seed);
  check(0, seed);
  printf(
      "norms: %zu elements: RMS %.3f, distance %.1f, dot product %.2f, as by one loop (seed %llu; "
      "%s)\n",
      n, measured.rms, measured.distance, measured.dot, (unsigned long long)seed, example_device());
  return EXIT_SUCCESS;
}
