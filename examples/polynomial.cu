// Evaluates a polynomial in two ways: by a scan that gives the powers of x, and by Horner's rule.
//
// The first multiplies the coefficients c[0], c[1], ... by 1, x, x^2, ... and adds up. The second
// is a single reduction: Horner's rule, made associative, joins the values of neighbouring parts.
//
// The numbers are those modulo 2^32, as in hashes of texts: exact, so that both ways give what one
// loop gives.
#include "examples/example.h"
#include "scan/scan.h"

SCAN_OPERATOR_MULTIPLY(uint32_t, multiply)
SCAN_DEFINE_AS(products, uint32_t, multiply, 1)

SCAN_OPERATOR_ADD(uint32_t, add)
SCAN_DEFINE_AS(sums, uint32_t, add, 0)

// A run of coefficients as a polynomial of its own, evaluated, and x to the power of its length.
typedef struct {
  uint32_t value, power;
} part;

SCAN_OPERATOR part join(part earlier, part later) {
  part both;
  both.value = earlier.value + earlier.power * later.value;
  both.power = earlier.power * later.power;
  return both;
}
SCAN_DEFINE(part, join, {0, 1})

// The arrays have n elements, result has one.
typedef struct {
  const uint32_t *coefficients;
  uint32_t *powers;
  part *parts, *result;
  uint32_t n, x;
} evaluation;

SCAN_KERNEL(fill_with_x, evaluation, e) {
  const size_t index = EXAMPLE_INDEX;
  if (index < e.n) e.powers[index] = e.x;
}

SCAN_KERNEL(make_terms, evaluation, e) {
  const size_t index = EXAMPLE_INDEX;
  if (index < e.n) e.powers[index] *= e.coefficients[index];
}

SCAN_KERNEL(make_parts, evaluation, e) {
  const size_t index = EXAMPLE_INDEX;
  if (index < e.n) {
    e.parts[index].value = e.coefficients[index];
    e.parts[index].power = e.x;
  }
}

// The exclusive scan of x, x, x, ... is 1, x, x^2, ...
static uint32_t evaluate_by_powers(evaluation e, scan_workspace *workspace) {
  uint32_t *const value = &e.result->value;
  uint32_t result;
  EXAMPLE_LAUNCH_EACH(fill_with_x, e.n, e);
  EXAMPLE_CHECK(products_exclusive(workspace, e.powers, e.powers, e.n, 0));
  EXAMPLE_LAUNCH_EACH(make_terms, e.n, e);
  EXAMPLE_CHECK(sums_reduce(workspace, e.powers, value, e.n, 0));
  EXAMPLE_CHECK(cudaMemcpy(&result, value, sizeof result, cudaMemcpyDeviceToHost));
  return result;
}

static uint32_t evaluate_by_horner(evaluation e, scan_workspace *workspace) {
  part result;
  EXAMPLE_LAUNCH_EACH(make_parts, e.n, e);
  EXAMPLE_CHECK(scan_part_join_reduce(workspace, e.parts, e.result, e.n, 0));
  EXAMPLE_CHECK(cudaMemcpy(&result, e.result, sizeof result, cudaMemcpyDeviceToHost));
  return result.value;
}

// Evaluates n made-up coefficients at x in both ways and by a loop.
static void check(uint32_t n, uint32_t x, uint64_t seed) {
  uint32_t *coefficients = (uint32_t *)example_allocate(n * sizeof(uint32_t));
  uint32_t computed[2], expected[2] = {0, 0};
  scan_workspace *workspace;
  evaluation e;
  uint64_t state = seed;
  for (uint32_t i = 0; i < n; i++) coefficients[i] = example_random(&state);
  for (uint32_t i = n; i-- > 0;) expected[0] = expected[0] * x + coefficients[i];
  expected[1] = expected[0];
  e.coefficients = (uint32_t *)example_to_device(coefficients, n * sizeof(uint32_t));
  e.powers = (uint32_t *)example_device_memory(n * sizeof(uint32_t));
  e.parts = (part *)example_device_memory(n * sizeof(part));
  e.result = (part *)example_device_memory(sizeof(part));
  e.n = n;
  e.x = x;
  // The widest elements ask for the largest workspace.
  EXAMPLE_CHECK(scan_workspace_create(&workspace, scan_part_join_workspace_bytes(n), 0));
  computed[0] = evaluate_by_powers(e, workspace);
  computed[1] = evaluate_by_horner(e, workspace);
  example_compare("polynomial, by powers and by Horner's rule", seed, computed, expected, 2);
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree((void *)e.coefficients));
  EXAMPLE_CHECK(cudaFree(e.powers));
  EXAMPLE_CHECK(cudaFree(e.parts));
  EXAMPLE_CHECK(cudaFree(e.result));
  free(coefficients);
}

int main(void) {
  const uint64_t seed = example_seed();
  uint64_t state = seed;
  const uint32_t n = 100000 + example_random(&state) % 100000;
  const uint32_t counts[] = {0, 1, 2, n};
  // An odd x has powers that never become 0.
  const uint32_t points[] = {0, 1, UINT32_MAX, example_random(&state) | 1};
  for (unsigned i = 0; i < 4; i++) {
    for (unsigned j = 0; j < 4; j++) check(counts[i], points[j], seed);
  }
  printf(
      "polynomial: %lu coefficients, and 0, 1 and 2 of them, at 4 points by powers and by Horner's "
      "rule, all as by one loop (seed %llu; %s)\n",
      (unsigned long)n, (unsigned long long)seed, example_device());
  return EXIT_SUCCESS;
}
